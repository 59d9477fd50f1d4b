"""Prints a text and every text that means something else, and tells which of them look the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from .changes import changes
from .references import references
from .synonyms import SYNONYMS
from .units import Book, Unit, limits, told

__all__ = ["STYLES", "Same", "asked", "left_out", "same_texts"]

STYLES = ("words", "icons")


@dataclass(frozen=True)
class Same:
    """Two meanings with one text."""

    change: str
    language: str
    style: str
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.change} [{self.language} {self.style}] {self.where}: {self.text}"


@cache
def left_out() -> frozenset[str]:
    """What icons leave out on purpose: the table of the documentation."""
    text = (Path(__file__).parents[2] / "docs" / "words.md").read_text("utf-8")
    rows = text.partition("| left out |")[2].partition("\n\n")[0].splitlines()[2:]
    return frozenset(row.split("|")[1].strip() for row in rows)


def asked(unit: Unit, book: Book, style: str = "words") -> list[tuple[str, object]]:
    """Every change of a text that must show."""
    held = unit.this is None or book.meanings.words.kinds[unit.this[0]].role == "thing"
    found = [*changes(unit.tree, book.meanings), *references(unit.tree, book.meanings, held=held)]
    if unit.sort == "ability":
        found += limits(unit.tree)
    hidden = {*SYNONYMS, *(left_out() if style == "icons" else ())}
    return [(name, tree) for name, tree in found if name not in hidden]


def same_texts(book: Book, style: str = "words", most: int = 0, chance: Random | None = None) -> Iterator[Same]:
    """Changes that do not show; with `most`, so many changes of a text at most, by chance."""
    for unit in book.units:
        ways = asked(unit, book, style)
        if most and chance is not None and len(ways) > most:
            ways = chance.sample(ways, most)
        for code in book.locales:
            text = told(unit, unit.tree, book, code, style)
            for name, tree in ways:
                if told(unit, tree, book, code, style) == text:
                    yield Same(name, code, style, unit.where, text)
