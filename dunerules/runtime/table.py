"""The table: a ruleset laid out for a number of seats and compiled. Shared by every state of such games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.runtime.layout import Layout, Zones, make_layout
from dunerules.runtime.state import Frame, State
from dunerules.runtime.values import large_values
from dunerules.understanding.ruleset import Ruleset

if TYPE_CHECKING:
    from dunerules.understanding.openness import Openness

__all__ = ["Compiled", "Operation", "Table"]

Compiled: TypeAlias = Callable[[State, Frame, int], Any]
"""A compiled expression: asked of a state, in a frame, about a candidate (-1 outside filters)."""

Operation: TypeAlias = Callable[[State, Frame], Any]
"""A compiled step. It changes state and frame; a true result means that the machine must look up: a decision is
pending, frames were pushed, or the frame has ended."""


class Table:
    """Everything about a game that does not change while it is played."""

    def __init__(self, rules: Ruleset, seats: int, options: dict[str, str], automated: int = 0) -> None:
        self.rules = rules
        self.layout: Layout = make_layout(rules, seats)
        self.seats = seats
        self.players = seats - automated
        """Seats from this number on are automated: they are played by rules of the packs."""
        self.options = options
        self.fields = frozenset(name for kind in rules.words.kinds.values() for name in kind.fields)
        """What things have that never changes; slots that are conditions or numbers are asked instead."""
        around = range(seats)
        self.orders = [tuple((start + step) % seats for step in around) for start in around]
        """By seat: all seats in order of play from there."""
        self.opponents = [order[1:] for order in self.orders]
        self._columns: dict[tuple[str, str, bool], list[Any]] = {}
        first = self.layout.cells.get(rules.first)
        self.first_cell = first.base if first is not None else -1
        self.rows: dict[int, tuple[int, int]] = {}
        """By zone that is kept full: how many objects it is kept at, and from which zone."""
        self.refills: dict[int, int] = {}
        """By pile that is made anew: from which zone."""
        for zone, name in enumerate(self.layout.zone_names):
            self._note_refill(zone, self.layout.zones[name])
        self._index_members: dict[str, Sequence[int]] = {}
        self.mark_zones: dict[str, tuple[int, ...]] = {}
        """By counter that objects have in some zones only: these zones."""
        for counter in rules.words.counters.values():
            names = {part.name for zone in counter.zones for part in rules.words.zone_parts(zone)}
            if names:
                found = (zone for zone, name in enumerate(self.layout.zone_names) if name in names)
                self.mark_zones[counter.name] = tuple(found)

    def _note_refill(self, zone: int, declared: Zones) -> None:
        """What fills a zone: the zone of the same seat or place, or the one of the game."""
        if declared.refill:
            other = self.layout.zones[declared.refill]
            source = other.base + (zone - declared.base if other.per == declared.per else 0)
            if declared.capacity:
                self.rows[zone] = (declared.capacity, source)
            else:
                self.refills[zone] = source

    @cached_property
    def large_values(self) -> frozenset[str]:
        """Values of packs that are too large to be written out wherever they are worked out."""
        return large_values(self.rules.values)

    @cached_property
    def openness(self) -> Openness:
        """Of what the log may tell everybody; found out when somebody reads it."""
        from dunerules.understanding.openness import openness_of

        return openness_of(self.rules)

    def refills_of(self, zones: Sequence[int]) -> tuple[int, ...]:
        """The zones that piles are made anew from, other than the piles themselves."""
        sources = dict.fromkeys(self.refills[zone] for zone in zones if zone in self.refills)
        return tuple(source for source in sources if source not in zones)

    def column(self, field: str, kind: str) -> list[Any]:
        """The values of a field by the numbers of such objects: things are numbered by their copies. The last one is
        that of nothing, whose number is -1."""
        key = ("field", field, kind == "thing")
        if key not in self._columns:
            values = self._values(field)
            nothing = () if any(isinstance(each, tuple) for each in values) else None
            self._columns[key] = self._numbered(values, kind, nothing)
        return self._columns[key]

    def programs_of(self, slot: str, kind: str) -> list[int]:
        """The programs of a slot, numbered alike; -1 where there is none."""
        key = ("slot", slot, kind == "thing")
        if key not in self._columns:
            programs = [thing.slots.get(slot, -1) for thing in self.layout.things]
            self._columns[key] = self._numbered(programs, kind, -1)
        return self._columns[key]

    def _values(self, field: str) -> list[Any]:
        """The encoded value of a field of every thing, none where there is none."""
        things = self.layout.things
        found: list[Any] = [None] * len(things)
        for name, kind in self.rules.words.kinds.items():
            declared = kind.fields.get(field)
            if declared is not None:
                for thing in self.layout.places.get(name, ()):
                    found[thing] = self._value(declared.type, things[thing].fields.get(field))
        return found

    def _value(self, kind: Type, value: Any) -> Any:
        if kind.many:
            return () if value is None else tuple(self.encoded(kind, each) for each in value)
        return None if value is None else self.encoded(kind, value)

    def _numbered(self, values: list[Any], kind: str, nothing: Any) -> list[Any]:
        return [*([values[thing] for thing in self.layout.objects] if kind == "thing" else values), nothing]

    def encoded(self, kind: Type, value: Any) -> Any:
        """A value of a field as a number: labels of families by their place in the family, others by thing."""
        if kind.name in {"label", "place", "thing"} and isinstance(value, str):
            return self.label(kind.of, value)
        return value

    def label(self, family: str, member: str) -> int:
        """The number of a label, place or kind of thing."""
        members = self.rules.words.families.get(family)
        if members is not None:
            return members.index(member)
        return self.layout.thing_index[(family, member)]

    def option_kind(self, kind: Type) -> str:
        """What the numbers of some options are: those of a family of labels count within it, so it is named too."""
        family = kind.name == "label" and kind.of in self.rules.words.families
        return f"{kind.name} {kind.of}" if family else kind.name

    def members(self, family: str) -> tuple[int, ...]:
        """All labels of a family, or all things of a kind."""
        members = self.rules.words.families.get(family)
        if members is not None:
            return tuple(range(len(members)))
        return tuple(self.layout.places.get(family, ()))

    def indexes_of(self, cell: int) -> list[tuple[str, int]]:
        """What a cell of a counter is kept for: each index with the position in it."""
        found = next(each for each in self.layout.cells.values() if each.base <= cell < each.base + each.size)
        place, positions = cell - found.base, []
        for index, factor in zip(found.indexes, found.factors, strict=True):
            position, place = divmod(place, factor)
            positions.append((index, position))
        return positions

    def index_members(self, index: str) -> Sequence[int]:
        """What an index of a counter goes through: numbers of seats, labels or places, or of single objects."""
        found = self._index_members.get(index)
        if found is None:
            found = self._index_members[index] = self._through(self.rules.words.index_family(index))
        return found

    def _through(self, family: str) -> Sequence[int]:
        if family == SEAT.name:
            return range(self.seats)
        kind = self.rules.words.kinds.get(family)
        return (
            self.layout.of_kind.get(family, ()) if kind is not None and kind.role == "thing" else self.members(family)
        )

    def may_hide(self, group: m.Expression) -> bool:
        """Whether things of a group may be hidden from who is asked. All of a kind come as they are declared anyway."""
        zone = group.zone if isinstance(group, m.Named) else group
        if zone is None:
            return False
        if not isinstance(zone, m.ZoneRef):
            return True
        yours = zone.owner is None or (isinstance(zone.owner, m.SeatRef) and zone.owner.which == "you")
        own = yours and self.players == self.seats
        parts = [part for name in zone.zones for part in self.rules.words.zone_parts(name)]
        return not all(part.sight == "all" or (own and part.per == "seat" and part.sight == "owner") for part in parts)

    def order(self, state: State, start: int) -> tuple[int, ...]:
        """All seats in order of play, from the acting seat, or from the one that goes first."""
        if start < 0 and self.first_cell >= 0:
            start = state.cells[self.first_cell]
        return self.orders[start if start >= 0 else 0]
