"""What was found in files that have not changed since.

An entry is JSON with a checksum, named by the content it is about and by the engine that wrote it. Whatever does not
check out is ignored and written anew, so deleting or damaging the cache can never change a result.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.problems import Edit, Problem, Span
from dunerules.resources import schema_directory

__all__ = ["Cache", "digest", "engine_fingerprint", "pack_problems", "unpack_problems"]


def digest(*parts: bytes | str) -> str:
    """A short, sure name for some content."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()


@cache
def engine_fingerprint() -> str:
    """Changes whenever the engine does, released or not: its version, and name, size and time of its files."""
    here = Path(__file__).resolve().parent.parent
    seen = [__version__]
    for root, suffixes in ((here, (".py", ".lark", ".toml")), (schema_directory(), (".json",))):
        for folder, _, names in sorted(os.walk(root)):
            for name in sorted(names):
                if name.endswith(suffixes):
                    status = os.stat(os.path.join(folder, name))
                    seen.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return digest(*seen)


class Cache:
    """A directory of entries. Without a directory nothing is kept."""

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory / engine_fingerprint()[:16] if directory is not None else None

    @classmethod
    def standard(cls) -> Cache:
        """The cache of this user: `DUNERULES_CACHE`, or the usual place."""
        chosen = os.environ.get("DUNERULES_CACHE")
        if chosen:
            return cls(Path(chosen))
        base = os.environ.get("XDG_CACHE_HOME")
        return cls((Path(base) if base else Path.home() / ".cache") / "dunerules")

    def read(self, name: str) -> dict[str, Any]:
        """An entry, or an empty one if there is none worth trusting."""
        if self.directory is None:
            return {}
        try:
            checksum, _, body = (self.directory / name).read_text("utf-8").partition("\n")
            if digest(name, body) != checksum:
                return {}
            found = json.loads(body)
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, name: str, entry: dict[str, Any]) -> None:
        """Keep an entry; not being able to is no error."""
        if self.directory is None:
            return
        body = json.dumps(entry, separators=(",", ":"))
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(dir=self.directory)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(f"{digest(name, body)}\n{body}")
            os.replace(path, self.directory / name)
        except OSError:
            pass


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
