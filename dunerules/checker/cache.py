"""What was found in files that have not changed since.

An entry is JSON with a checksum, named by the content it is about and by the engine that wrote it. Whatever does not
check out is ignored and written anew, so deleting or damaging the cache can never change a result.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.digests import digest
from dunerules.files import from_json, read_regular, write_bytes
from dunerules.problems import Edit, Problem, Span
from dunerules.resources import schema_directory

__all__ = ["FILE_ENTRY", "PACK_ENTRY", "Cache", "engine_fingerprint", "pack_problems", "unpack_problems"]


@cache
def engine_fingerprint() -> str:
    """Changes whenever the engine does, released or not: its version, and name, size and time of its files."""
    here = Path(__file__).resolve().parent.parent
    seen = [__version__]
    for root, suffixes in ((here, (".py", ".lark", ".toml", ".h")), (schema_directory(), (".json",))):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                if name.endswith(suffixes):
                    status = os.stat(os.path.join(folder, name))
                    seen.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return digest(*seen)


class Cache:
    """A directory of entries. What has been written is also known to this object; without a directory, only to it."""

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory / engine_fingerprint()[:16] if directory is not None else None
        self.written: dict[str, dict[str, Any]] = {}

    @classmethod
    def standard(cls) -> Cache:
        """The cache of this user: `DUNERULES_CACHE`, or the usual place."""
        chosen = os.environ.get("DUNERULES_CACHE")
        if chosen:
            return cls(Path(chosen))
        base = os.environ.get("XDG_CACHE_HOME")
        try:
            return cls((Path(base) if base else Path.home() / ".cache") / "dunerules")
        except RuntimeError:  # somebody without a home
            return cls(None)

    def read(self, name: str, shape: dict[str, Any]) -> dict[str, Any]:
        """An entry of some shape, or an empty one if there is none worth trusting."""
        if name in self.written:
            return {**self.written[name]}
        if self.directory is None:
            return {}
        try:
            checksum, _, body = read_regular(self.directory / name).partition(b"\n")
            if digest(name, body) != checksum.decode("utf-8"):
                return {}
            found = from_json(body)
        except (OSError, ValueError):
            return {}
        return dict(found) if _fits(found, shape) else {}

    def write(self, name: str, entry: dict[str, Any]) -> None:
        """Keep an entry; not being able to is no error."""
        self.written[name] = entry
        if self.directory is None:
            return
        body = json.dumps(entry, separators=(",", ":"))
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            write_bytes(self.directory / name, f"{digest(name, body)}\n{body}".encode(), durable=False)
        except OSError:
            pass


# ---- shapes of entries


def _fits(value: Any, shape: Any) -> bool:
    """Whether JSON has a shape: a type, a test, a list of one shape, a list of several in order, or a map with keys."""
    if isinstance(shape, type):
        return type(value) is shape
    if isinstance(shape, list):
        return type(value) is list and all(_fits(each, shape[0]) for each in value)
    if isinstance(shape, tuple):
        return type(value) is list and len(value) == len(shape) and all(map(_fits, value, shape))
    if isinstance(shape, dict):
        right = type(value) is dict and value.keys() == shape.keys()
        return right and all(_fits(value[key], inner) for key, inner in shape.items())
    return bool(shape(value))


def _is_place(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 32


def _is_code(value: Any) -> bool:
    from dunerules.catalog import catalog  # only where there are findings

    return isinstance(value, str) and value in catalog()


def _are_calls(value: Any) -> bool:
    return type(value) is dict and all(_fits(each, [_EVENT]) for each in value.values())


_SPAN = (str, *[_is_place] * 4)
_PLACE = (_is_place, _is_place)
_EVENT = (str, [(str, [str])])
_PROBLEMS = [(_is_code, str, _SPAN, str, [str], [(_is_place, _is_place, str)], [(_SPAN, str)])]

PACK_ENTRY = {"problems": _PROBLEMS}
"""All that was found in a pack."""

FILE_ENTRY = {
    "problems": _PROBLEMS,
    "used": [str],
    "calls": _are_calls,
    "triggers": [(_EVENT, [_EVENT], bool, str, _PLACE)],
    "rounds": [([_EVENT], _PLACE)],
    "departures": [(str, str, _PLACE)],
    "anywhere": [str],
    "done": [str],
    "waiting": [(str, [str], _PLACE)],
    "running": [(str, [(str, bool)], _PLACE)],
    "asking": [(str, [str], str, _PLACE)],
}
"""What one file said under a vocabulary."""


def pack_problems(problems: list[Problem], labels: dict[str, str]) -> list[Any]:
    """Problems as JSON; `labels` turns names of files into names that mean the same everywhere."""

    def place(span: Span) -> list[Any]:
        return [labels.get(span.file, span.file), span.line, span.column, span.end_line, span.end_column]

    return [
        [
            found.code,
            found.message,
            place(found.span),
            found.expected,
            list(found.nearest),
            [[edit.start, edit.end, edit.text] for edit in found.edits],
            [[place(span), text] for span, text in found.related],
        ]
        for found in problems
    ]


def unpack_problems(packed: list[Any], names: dict[str, str]) -> list[Problem]:
    """The way back."""

    def place(parts: list[Any]) -> Span:
        return Span(names.get(parts[0], parts[0]), *parts[1:])

    return [
        Problem(
            code,
            message,
            place(span),
            expected,
            tuple(nearest),
            tuple(Edit(*edit) for edit in edits),
            tuple((place(where), text) for where, text in related),
        )
        for code, message, span, expected, nearest, edits, related in packed
    ]
