"""A file of a pack as text, and where a character of it stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from os.path import lexists
from pathlib import Path

from dunerules.files import open_regular, write_bytes
from dunerules.problems import CannotRunError, Edit, Problem, Span, first_character, problem
from dunerules.visible import HIDDEN, HIDDEN_IN_LINES, called

__all__ = [
    "APART", "LARGEST_FILE", "LOCALES", "LOOK", "NO_LINK", "SEEN", "Source", "decode", "hidden_characters",
    "read_bytes", "shown_path", "write_own",
]  # fmt: skip

LOCALES = "locales"

LOOK = "look.yaml"
"""How a pack looks."""

APART = frozenset({LOCALES, "scenarios", "book.yaml", LOOK})
"""What lies in a pack and is of a kind of its own, not content."""

NO_LINK = "a file or folder of the pack itself: what a link leads to is neither read nor changed"

SEEN = "text without control characters and marks of direction"

_MOST_HIDDEN = 1000

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes in one file. Larger packs split their cards over several files."""

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # what YAML 1.1 calls a line break


@dataclass(frozen=True)
class Source:
    """The text of one file. `name` is how messages call it, `pack` the id of its pack (empty while unknown)."""

    name: str
    text: str
    pack: str = ""
    kind: str = field(default="", compare=False)

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of every line."""
        return [0, *(match.end() for match in _BREAK.finditer(self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of characters `start` to `end`, never empty."""
        start = min(start, len(self.text))
        line, column = self.position(start)
        end_line, end_column = self.position(min(max(end, start), len(self.text)))
        if (end_line, end_column) <= (line, column):
            end_line, end_column = line, column + 1
        return Span(self.name, line, column, end_line, end_column)


def shown_path(path: Path) -> str:
    """A path as messages show it: relative to the working directory when it lies below it."""
    try:
        shown = path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        shown = path.as_posix()
    return shown.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_bytes(path: Path, name: str) -> tuple[bytes | None, list[Problem]]:
    """The bytes of a file, one more than the limit at most, and why they cannot be had. Never raises."""
    where = first_character(name)
    for part in _own_parts(path):
        hidden = HIDDEN.search(part.name)
        if hidden is not None:
            message = f"{called(hidden[0])} in the name of a file or folder, which cannot be seen"
            return None, [problem("DR014", message, where, expected="a name without control characters")]
        if part.is_symlink():
            return None, [problem("DR015", f"`{part.name}` is a link", where, expected=NO_LINK)]
    try:
        with open_regular(path) as stream:
            return stream.read(LARGEST_FILE + 1), []
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError in Python 3.11 and 3.12
        reason = getattr(error, "strerror", None) or str(error)
        return None, [problem("DR001", f"cannot read `{name}`: {reason}", where, expected="a readable file")]


def write_own(path: Path, data: bytes) -> None:
    """Replace a file of a pack, or of a folder of languages. Nothing is ever written through a link in it."""
    for part in _own_parts(path):
        if part.is_symlink():
            raise CannotRunError(f"{shown_path(part)} is a link, and is not written through; expected {NO_LINK}")
    write_bytes(path, data)


def _own_parts(path: Path) -> list[Path]:
    """The parts of a path that belong to its pack, or to the languages that packs share: the file and its folders."""
    parts: list[Path] = []
    own: list[Path] = []
    for part in (path.absolute(), *path.absolute().parents):
        if parts and part.name not in APART and lexists(part / "pack.yaml"):
            own = [*parts]
            if not part.is_symlink():  # else it is a folder of the pack above it, if there is one
                return own
        parts.append(part)
        if part.name == LOCALES:
            return parts
    return own


def decode(data: bytes, name: str) -> tuple[Source | None, list[Problem]]:
    """The text of some bytes and what is wrong with them."""
    where = first_character(name)
    if len(data) > LARGEST_FILE:
        limit = f"at most {LARGEST_FILE // 1024 // 1024} MiB; split the file"
        return None, [problem("DR004", "the file is too large", where, expected=limit)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = Source(name, before).position(len(before))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return None, [problem("DR002", message, Span(name, line, column, line, column + 1), expected="UTF-8 text")]
    if text.startswith("\ufeff"):
        # offsets count from after the mark; writing the file back without it is the whole fix
        edits = (Edit(0, 0, ""),)
        mark = problem("DR003", "the file starts with a byte order mark", where, expected="plain UTF-8", edits=edits)
        return Source(name, text.lstrip("\ufeff")), [mark]
    return Source(name, text), []


def hidden_characters(source: Source, among: re.Pattern[str] = HIDDEN_IN_LINES) -> list[Problem]:
    """A finding for every control character and bidi mark in a file, comments too; for the first ones, at least."""
    return [
        problem("DR014", f"{called(found[0])}, which cannot be seen", source.span(*found.span()), expected=SEEN)
        for found in islice(among.finditer(source.text), _MOST_HIDDEN)
    ]
