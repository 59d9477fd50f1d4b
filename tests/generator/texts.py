"""Texts of the language as trees of words, so that they can be written, counted and made smaller."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["DeadEndError", "Mark", "Part", "Text", "word", "wrapped"]

Mark: TypeAlias = tuple[str, ...]
"""What a report counts: a verb with its quantity, target and owner, or a construct."""

_WORD = re.compile(r"[a-z0-9_]+\Z|(?:count|sum|most|least)\([^()]*\)\Z")


class DeadEndError(Exception):
    """Nothing of the wanted type can be written here."""


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a text. Parts of one sort can stand for each other."""

    sort: str
    parts: tuple[Part, ...]
    join: str = " "
    marks: tuple[Mark, ...] = ()

    def __str__(self) -> str:
        return self.join.join(map(str, self.parts))

    @property
    def simple(self) -> bool:
        """Whether it is one word, or a function of something."""
        return _WORD.match(str(self)) is not None

    def all_marks(self) -> Iterator[Mark]:
        """Every mark in it."""
        yield from self.marks
        for part in self.parts:
            if isinstance(part, Text):
                yield from part.all_marks()


Part: TypeAlias = str | Text


def word(sort: str, text: str | int) -> Text:
    """A single word."""
    return Text(sort, (str(text),))


def wrapped(text: Text) -> Text:
    """A text in parentheses, if it is longer than a word."""
    return text if text.simple else Text(text.sort, ("(", text, ")"), "")
