"""Marks: counters on single objects. Where they are taken off, whether copies differ, and how they are dealt anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dunerules.runtime.layout import Cells
from dunerules.runtime.state import State
from dunerules.runtime.table import Table

__all__ = ["Mark", "Marks"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A counter of one object: its cells, what they start with, and the zones it is kept in (nothing for all)."""

    counter: str
    kind: str
    cells: tuple[int, ...]
    start: int
    zones: frozenset[int] | None
    hidden: bool


class Marks:
    """The marks of all objects of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.of: list[tuple[Mark, ...]] = [()] * len(table.layout.objects)
        """By object: its marks."""
        words = table.rules.words
        for counter in words.counters.values():
            kind = words.marks(counter)
            cells = table.layout.cells[counter.name]
            zones = table.mark_zones.get(counter.name)
            for place, number in enumerate(table.layout.of_kind.get(kind, ())):
                found = tuple(_cells_at(cells, kind, place, len(table.layout.of_kind[kind])))
                kept = frozenset(zones) if zones is not None else None
                self.of[number] += (Mark(counter.name, kind, found, cells.start, kept, counter.hidden),)
        self.any = any(self.of)
        self.leaving = any(mark.zones is not None for marks in self.of for mark in marks)
        """Whether any of them goes when its object is moved."""

    def leave(self, s: State, things: Iterable[int], zone: int) -> None:
        """Objects have come to a zone: what they do not have there is as it was at the start."""
        for number in things:
            for mark in self.of[number]:
                if mark.zones is not None and zone not in mark.zones:
                    _reset(s, mark)

    def clear(self, s: State, things: Iterable[int]) -> None:
        """Objects are mixed: a mark would tell which is which, so it is taken off."""
        for number in things:
            for mark in self.of[number]:
                _reset(s, mark)

    def seen(self, s: State, seat: int, number: int) -> tuple[int, ...]:
        """The marks of an object as a seat sees them: copies with the same ones are alike."""
        cells, owner = s.cells, self.owner
        return tuple(
            [
                cells[cell]
                for mark in self.of[number]
                for cell in mark.cells
                if not mark.hidden or owner(mark, cell) == seat
            ]
        )

    def owner(self, mark: Mark, cell: int) -> int:
        """The seat that a cell belongs to."""
        cells = self.table.layout.cells[mark.counter]
        return (cell - cells.base) // cells.factors[cells.indexes.index("seat")] % self.table.seats

    def on_any(self, cell: int) -> int:
        """The same counter on the first object of its kind: a number that does not tell which one it is on."""
        words = self.table.rules.words
        for name, cells in self.table.layout.cells.items():
            if cells.base <= cell < cells.base + cells.size and (kind := words.marks(words.counters[name])):
                factor, place = cells.factors[cells.indexes.index(kind)], cell - cells.base
                return cell - place // factor % len(self.table.layout.of_kind[kind]) * factor
        return cell

    def dealt(self, s: State, instead: Mapping[int, int]) -> None:
        """Objects have taken the places of others: marks stay where they lie."""
        if not self.any:
            return
        before = s.cells[:]
        for number, other in instead.items():
            for mark, as_before in zip(self.of[number], self.of[other], strict=True):
                for cell, held in zip(mark.cells, as_before.cells, strict=True):
                    s.cells[cell] = before[held]


def _cells_at(cells: Cells, kind: str, place: int, count: int) -> Iterator[int]:
    """The cells of a block that are of one object."""
    factor = cells.factors[cells.indexes.index(kind)]
    for start in range(cells.base + place * factor, cells.base + cells.size, factor * count):
        yield from range(start, start + factor)


def _reset(s: State, mark: Mark) -> None:
    for cell in mark.cells:
        s.cells[cell] = mark.start
