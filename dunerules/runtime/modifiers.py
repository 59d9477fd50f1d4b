"""Modifiers: abilities that change what a value is when it is asked.

A value with a parameter that is a seat is asked about that seat, whoever asks; any other is the asking seat's own. A
modifier is for the seat that has it, unless it says which; one that nobody has is for every seat.

They apply in a fixed order whatever packs are loaded: first `=`, then `*`, then `+` and `-`. An amount never falls
below zero. A condition that any modifier denies does not hold, else one that any modifier grants does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Compiled, Table

__all__ = ["ActiveNow", "Applied", "Modifiers", "Modifying"]

_CHANGES: dict[str, Callable[[int, int], int]] = {
    "=": lambda _, amount: amount, "*": operator.mul, "+": operator.add, "-": operator.sub,
}  # fmt: skip
_ORDER = {"=": 0, "*": 1, "+": 2, "-": 2, "no": 3, "yes": 4}


_Row: TypeAlias = tuple[tuple[int, frozenset[int]], ...]
"""Objects, each with the zones it counts in."""

Applied: TypeAlias = Callable[[State, int, list[Any], Any], Any]
"""What a value becomes: for a seat that asks, with arguments, and what it is before."""


@dataclass(frozen=True, slots=True)
class Modifying:
    """A compiled modifier: what it does, and which arguments it is about."""

    value: str
    operator: str
    amount: Compiled | None
    positions: tuple[int, ...]
    """Of those arguments that it says something about."""
    fits: Callable[..., bool] | None
    """Whether these are the ones it is about; nothing, if any are."""
    names_seat: bool
    """Whether a pattern says which seat the value is asked about; otherwise that is the seat that has the modifier."""

    def is_about(self, s: State, holder: Frame, arguments: list[Any]) -> bool:
        """Whether it is about these arguments of the value."""
        return self.fits is None or self.fits(s, holder, *[arguments[position] for position in self.positions])


ActiveNow: TypeAlias = Callable[[State, int, list[Any], str], list[tuple[Modifying, Frame]]]
"""The modifiers that apply when a value is asked about a seat, with arguments; each with the frame of its holder."""


class Modifiers:
    """All modifiers of a table, by value."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.values: set[str] = set()
        self.standing: set[str] = set()
        """Values that something modifies all the time, not only while an object is somewhere."""
        self.holders: dict[str, list[_Row]] = {}
        """By value: by seat, the objects that modify it, and in which zones they do so for that seat. The last row is
        for nobody."""
        self.lasting: dict[str, dict[int, bool]] = {}
        """By value: the `until`s that modify it, by number, and whether they name the seat they do so for."""
        self.granted: set[str] = set()
        """Conditions that something may make hold; all others can only be denied."""
        self.plainly_granted: set[str] = set()
        """Those of them that hold whenever any modifier is active, because all do nothing but grant them."""
        self.own: set[str] = set()
        """Values that something modifies for the seat that has it, without saying which."""
        self.active_now: ActiveNow | None = None
        """Which of them apply; abilities know that."""
        self._positions = {
            name: next((number for number, each in enumerate(parameters) if each.types[0] == SEAT), -1)
            for name, (parameters, _) in table.rules.values.items()
        }

    def seat_position(self, value: str) -> int:
        """Which argument of a value is the seat that it is asked about; -1 if none is."""
        return self._positions[value]

    def names_seat(self, modifier: m.Modifier) -> bool:
        """Whether a modifier says which seat its value is asked about."""
        name = modifier.value.value
        about = self.seat_position(name)
        return about >= 0 and self.table.rules.values[name][0][about].name in dict(modifier.value.arguments)

    def touches(self, value: str) -> bool:
        """Whether anything may ever modify a value."""
        return value in self.values

    def hold(self, modifying: Modifying, objects: tuple[int, ...], zones: frozenset[int]) -> None:
        """Take note of objects that modify a value while they are in these zones."""
        owner, rows = self.table.layout.zone_owner, self.rows(modifying.value)
        for seat in (*range(self.table.seats), -1):
            own = frozenset(zone for zone in zones if modifying.names_seat or owner[zone] in (seat, -1))
            rows[seat] += tuple((number, own) for number in objects)

    def last(self, modifying: Modifying, number: int) -> None:
        """Take note of an `until` that modifies a value."""
        found = self.lasting.setdefault(modifying.value, {})
        found[number] = modifying.names_seat or found.get(number, False)

    def rows(self, value: str) -> list[_Row]:
        """By seat, and last for nobody: the objects that modify a value."""
        return self.holders.setdefault(value, [() for _ in range(self.table.seats + 1)])

    def active(self, value: str) -> Callable[[State, int], bool]:
        """Asks whether anything may modify a value now: for the seat it is asked about, or that asks for it."""
        rows, lasting = self.rows(value), self.lasting.setdefault(value, {})

        def active(s: State, you: int) -> bool:
            for number, zones in rows[you]:
                if s.where[number] in zones:
                    return True
            for each in s.lasting:
                if each[0] in lasting and (lasting[each[0]] or each[2] == you or each[2] == -1):
                    return True
            return False

        return active

    def which(self, values: tuple[str, ...]) -> Callable[[State, int], int]:
        """Asks which of some values may be modified now: the sum of 1 for the first, 2 for the second, 4 ..."""
        rows: list[list[tuple[int, frozenset[int], int]]] = [[] for _ in range(self.table.seats + 1)]
        for place, value in enumerate(values):
            for seat, row in enumerate(self.rows(value)):
                rows[seat] += [(number, zones, 1 << place) for number, zones in row]
        lasting = [(1 << place, self.lasting.setdefault(value, {})) for place, value in enumerate(values)]

        def which(s: State, you: int) -> int:
            found = 0
            for number, zones, value in rows[you]:
                if s.where[number] in zones:
                    found |= value
            for each in s.lasting:
                for value, numbers in lasting:
                    if each[0] in numbers and (numbers[each[0]] or each[2] == you or each[2] == -1):
                        found |= value
            return found

        return which

    def applied(self, name: str) -> Applied:
        """What a value becomes by all modifiers that are active now."""
        if self.table.rules.words.values[name].type.name == "condition":
            return self._judged(name)
        about = self.seat_position(name)

        def apply(s: State, you: int, arguments: list[Any], value: Any) -> Any:
            assert self.active_now is not None
            found = self.active_now(s, arguments[about] if about >= 0 else you, arguments, name)
            if len(found) > 1:
                found.sort(key=lambda each: _ORDER[each[0].operator])
            for modifying, holder in found:
                assert modifying.amount is not None
                value = _CHANGES[modifying.operator](value, modifying.amount(s, holder, -1))
            return max(value, 0) if found else value

        return apply

    def _judged(self, name: str) -> Applied:
        """The same for a condition: one modifier that denies is enough, else one that grants."""
        about = self.seat_position(name)

        def apply(s: State, you: int, arguments: list[Any], value: Any) -> Any:
            assert self.active_now is not None
            who = arguments[about] if about >= 0 else you
            for modifying, _ in self.active_now(s, who, arguments, name):
                if modifying.operator == "no":
                    return False
                value = True
            return value

        return apply
