"""What is wrong and where: the one record that every part of dunerules reports with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

__all__ = [
    "CannotRunError", "Edit", "Problem", "RefusedError", "Severity", "Span", "edited", "first_character", "problem",
]  # fmt: skip

Severity = Literal["error", "warning", "info"]


class CannotRunError(Exception):
    """A command could not do its work at all; the message says why and what would help."""


class RefusedError(CannotRunError):
    """Packs with errors, which nothing can be done with. `problems` are all of these errors."""

    def __init__(self, problems: list[Problem], advice: str) -> None:
        self.problems = problems
        count = f"{len(problems)} error{'s' if len(problems) > 1 else ''}"
        first = f"{problems[0].code} {problems[0].span}: {problems[0].message}"
        super().__init__(f"{count}{', the first' if len(problems) > 1 else ''}: {first} ({advice})")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file; lines and columns count from 1, columns in characters, the end is exclusive."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def first_character(file: str) -> Span:
    """Where to point when a whole file is meant."""
    return Span(file, 1, 1, 1, 2)


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of characters `start` to `end` (counted from 0 in the decoded file) by `text`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after some edits of it, which are in order and do not overlap."""
    pieces, position = [], 0
    for edit in edits:
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `expected` says what would be right, `nearest` are known names close to a wrong one."""

    code: str
    message: str
    span: Span
    expected: str = ""
    nearest: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()

    @property
    def hint(self) -> str:
        """The "did you mean" sentence, or nothing."""
        if not self.nearest:
            return ""
        return f"did you mean {' or '.join(f'`{name}`' for name in self.nearest)}?"

    def at(self, span: Span) -> Problem:
        """The same finding somewhere else."""
        return replace(self, span=span)


def problem(
    code: str,
    message: str,
    span: Span,
    *,
    expected: str = "",
    nearest: tuple[str, ...] = (),
    edits: tuple[Edit, ...] = (),
    related: tuple[tuple[Span, str], ...] = (),
) -> Problem:
    """A `Problem`, by keyword for everything that is optional."""
    return Problem(code, message, span, expected, nearest, edits, related)
