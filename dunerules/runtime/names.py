"""Numbers back to the names packs gave: for views, scenarios, logs and people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from dunerules.dsl.nouns import preposition_of
from dunerules.dsl.types import Type
from dunerules.runtime.machine import Machine

__all__ = ["WHICH", "Names"]

WHICH = re.compile(r" #([1-9][0-9]{0,3})\Z")
"""At the end of the name of an option: which of some options that look alike."""


class Names:
    """The names of a table's numbers. Seats count from 1."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.table = machine.table
        self.layout = machine.table.layout
        self._cells: dict[int, tuple[str, int, tuple[str, ...]]] = {}
        for name, cells in self.layout.cells.items():
            for number in range(cells.base, cells.base + cells.size):
                self._cells[number] = self._cell(name, cells.indexes, cells.factors, number - cells.base)
        for (piece, pool), cells in self.layout.pools.items():
            for number in range(cells.base, cells.base + cells.size):
                name = piece if pool == "@" else f"{piece} in {pool}"
                self._cells[number] = self._cell(name, cells.indexes, cells.factors, number - cells.base)

    def _cell(
        self, name: str, indexes: tuple[str, ...], factors: tuple[int, ...], place: int
    ) -> tuple[str, int, tuple[str, ...]]:
        seat, parts, at = -1, [name], []
        words = self.table.rules.words
        for index, factor in zip(indexes, factors, strict=True):
            position, place = divmod(place, factor)
            if index == "seat":
                seat = position
                parts.append(f"of {self.seat(position)}")
                continue
            kind = words.index_type(index)
            assert kind is not None
            found = self.indexed(index, position)
            if kind.name != "thing":  # that is told where it lies
                at.append(found)
            parts.append(f"{preposition_of(index, kind, words)} {found}")
        return " ".join(parts), seat, tuple(at)

    def indexed(self, index: str, position: int) -> str:
        """A seat, label, place or thing that a counter is kept for; of several copies with its number."""
        number, family = self.table.index_members(index)[position], self.table.rules.words.index_family(index)
        if family == "seat":
            return self.seat(number)
        if (members := self.table.rules.words.families.get(family)) is not None:
            return members[number]
        if self.table.rules.words.kinds[family].role != "thing":
            return self.thing(number)
        copies = self.layout.copies[self.layout.objects[number]]
        return f"{self.object(number)} {copies.index(number) + 1}" if len(copies) > 1 else self.object(number)

    def seat(self, number: int) -> str:
        """A seat; nobody for -1."""
        return f"seat {number + 1}" if number >= 0 else "nobody"

    def cell(self, number: int) -> str:
        """A counter or a number of pieces: `gold of seat 1`."""
        return self._cells[number][0]

    def on_thing(self, number: int, thing: str) -> str:
        """A counter on a thing, as one would call that: of copies none is named."""
        name, counter = self.cell(number), self.counter(number)
        kind = self.table.rules.words.marks(self.table.rules.words.counters[counter])
        cells = self.layout.cells[counter]
        factor = cells.factors[cells.indexes.index(kind)]
        position = (number - cells.base) // factor % len(self.layout.of_kind[kind])
        return name.replace(f" on {self.indexed(kind, position)}", f" on {thing}", 1)

    def counter(self, number: int) -> str:
        """The counter that a cell is of."""
        return next(name for name, each in self.layout.cells.items() if each.base <= number < each.base + each.size)

    def cell_seat(self, number: int) -> int:
        """The seat a cell belongs to, or -1."""
        return self._cells[number][1]

    def cell_at(self, number: int) -> tuple[str, ...]:
        """The labels a cell is with, the places it is at, and who or what it is for."""
        return self._cells[number][2]

    def cell_value(self, counter: str, value: int) -> Any:
        """The value of a counter: a number, or what it points at."""
        holds = self.table.rules.words.counters[counter].holds
        if holds.name == "seat":
            return self.seat(value)
        if holds.name == "amount" or value < 0:
            return value
        if (family := self.table.rules.words.families.get(holds.of)) is not None:
            return family[value]
        return self.object(value) if holds.name == "thing" else self.thing(value)

    def zone(self, number: int) -> str:
        """A zone: `hand of seat 1`, `row`, `stack of hill`."""
        name, owner, place = (
            self.layout.zone_names[number],
            self.layout.zone_owner[number],
            self.layout.zone_place[number],
        )
        if owner >= 0:
            return f"{name} of {self.seat(owner)}"
        if place >= 0:
            kind = self.layout.zones[name].per
            return f"{name} of {self.layout.things[self.layout.places[kind][place]].id}"
        return name

    def thing(self, number: int) -> str:
        """A thing, place or label that is declared as an object."""
        return self.layout.things[number].id

    def object(self, number: int) -> str:
        """One copy: the id of what it is a copy of."""
        return self.thing(self.layout.objects[number])

    def option(self, option: Any, kind: str) -> str:
        """An option of a decision, as one can be answered by."""
        if isinstance(option, int):
            return self.single(kind, option)
        if isinstance(option, str):
            return option
        if option[0] == "move":
            return " ".join([option[1], *self.picks(option[1], option[2:]).values()])
        if option[0] == "thing":
            return self.object(option[1])
        if option[0] == "at":
            return f"{self.zone(option[1])} at {option[2]}"
        if option[0] == "each":
            return self.single(option[2], option[1])
        if option[0] in {"body", "reaction"}:
            return str(option[2])
        return str(option[1]) if kind == "choose" else str(option[0])

    def single(self, kind: str, number: int) -> str:
        """A number, seat, label, thing or place that a question of this kind is about."""
        if kind == "number":
            return str(number)
        if kind == "seat":
            return self.seat(number)
        family = self.table.rules.words.families.get(kind.partition(" ")[2])
        if family is not None:
            return family[number]
        return self.object(number) if kind == "thing" else self.thing(number)

    def every(self, kind: Type) -> Iterator[str]:
        """What anything of a type of options can be called: all seats, labels, or things and places of a kind."""
        words = self.table.rules.words
        if kind.name == "seat":
            yield from map(self.seat, range(self.layout.seats))
        elif kind.name == "label" and kind.of in words.families:
            yield from words.families[kind.of]
        else:
            yield from (thing.id for thing in self.layout.things if not kind.of or thing.kind == kind.of)

    def lasting(self, number: int, values: Sequence[Any]) -> dict[str, str]:
        """What the names of a lasting effect stand for, objects by what they are copies of."""
        code = self.machine.abilities.temporary[number].code
        return {
            name: ", ".join(self._kept(kind, each) for each in (value if isinstance(value, tuple) else (value,)))
            for (name, _), kind, value in zip(code.locals, code.kinds, values, strict=True)
        }

    def _kept(self, kind: Type, value: int) -> str:
        if kind.name == "amount":
            return str(value)
        if value < 0:
            return self.seat(-1)
        return self.thing(value) if kind.name == "thing" else self.single(self.table.option_kind(kind), value)

    def picks(self, move: str, picks: Sequence[int]) -> dict[str, str]:
        """What a move picks, by the names it declares; `?` for what is hidden, whose number is -1."""
        takes = self.machine.moves.by_name[move].takes
        kinds = [(name, self.table.option_kind(group.type)) for name, group in takes]
        return {
            name: self.single(kind, pick) if pick >= 0 else "?" for (name, kind), pick in zip(kinds, picks, strict=True)
        }
