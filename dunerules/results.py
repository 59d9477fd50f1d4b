"""Results of long work, a line of JSON each: what was cut off is gone on with, and nothing else is ever overwritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunerules.files import cut_off, from_json, open_to_add, read_regular
from dunerules.kept import opened, refuse_strange, sealed, text_of
from dunerules.problems import CannotRunError

__all__ = ["Results", "adding"]

_LARGEST = 1 << 30
"""Bytes of a file of results: some millions of games."""


@dataclass(frozen=True)
class Results:
    """A kind of file: how its lines are numbered, which parts they have, and whether one can be counted."""

    kind: str
    numbered: str
    parts: tuple[str, ...]
    fits: Callable[[dict[str, Any]], bool]
    another: str
    """What is said of a file that belongs to other work."""

    def resume(self, path: Path, expected: str) -> list[dict[str, Any]]:
        """The whole lines of a file; a half-written last one is cut off. Anything else that is wrong is refused."""
        try:
            data = read_regular(path, _LARGEST)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CannotRunError(f"{path}: {error.strerror or error}") from None
        whole = data[: data.rfind(b"\n") + 1]
        lines: list[dict[str, Any]] = []
        for number, text in enumerate(whole.splitlines()):
            try:
                lines.append(self._read(text, number, expected))
            except CannotRunError as error:
                raise CannotRunError(f"{path}:{number + 1}: {error}; the file is left alone") from None
        start = sealed(self.kind, {self.numbered: len(lines), "plan": expected})
        begun = text_of(start).partition('"checksum"')[0].encode()
        rest = data[len(whole) :]
        if rest[: len(begun)] != begun[: len(rest)]:
            raise CannotRunError(f"{path}: the end of this file is not from a {self.kind}; the file is left alone")
        if rest:
            try:
                cut_off(path, len(whole))
            except OSError as error:
                raise CannotRunError(f"{path}: {error.strerror or error}") from None
        return lines

    def _read(self, text: bytes, number: int, expected: str) -> dict[str, Any]:
        """A line of a file, if it is the one of its number and everything is as such lines are."""
        try:
            data = from_json(text)
        except ValueError:
            data = None
        if not isinstance(data, dict) or data.get(self.numbered) != number:
            raise CannotRunError(f"this is not the line of {self.numbered} {number}")
        if data.get("plan") != expected:
            raise CannotRunError(f"{self.another}; give another --out")
        line = opened(self.kind, data)
        refuse_strange(self.kind, line, self.parts)
        if not self.fits(line):
            raise CannotRunError("this line is damaged")
        return line


@contextmanager
def adding(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Adds whole lines to a file: what is given is there before anything else is done."""
    try:
        stream = open_to_add(path)
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror or error}") from None

    def add(text: bytes) -> None:
        stream.write(text)
        stream.flush()

    with stream:
        yield add
