"""Cells, zones and groups of objects, written as Python: the part of the evaluator that knows where things are."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.slots import may_be_none
from dunerules.dsl.types import PLACE, SEAT, Type
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.conditions import comparison
from dunerules.runtime.inline import is_never
from dunerules.runtime.layout import Cells, Zones
from dunerules.runtime.limits import look
from dunerules.runtime.source import Source
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Groups", "as_group", "is_it"]

_PRINTED = (m.Compare, m.Has, m.Not, m.All, m.Any, m.Exists, m.FieldRef, m.SlotRef, m.Constant, m.ObjectRef)
"""What a condition on printed data is made of."""

_HANDED_ON = re.compile(r"\bf\b(?!\.)")
"""A frame in text that is handed on to another function."""

_PILES = 256
"""How many piles each filter of printed data remembers."""


_FEW, _MANY = 40, 1_000
"""Candidates that are looked at in no time, also if they are looked at again and again; and if they are not."""


class Groups:
    """Writes what stands for cells, zones, and things in them."""

    table: Table
    source: Source
    inside: bool
    """Whether something is being written that may be asked many times within one step."""

    @abstractmethod
    def text(self, node: m.Expression) -> str:
        """An expression as Python."""

    # ---- nobody, nothing, nowhere

    def sure(self, nodes: Iterable[m.Expression | None]) -> list[str]:
        """What must hold so that none of these is nobody, nothing or nowhere."""
        return [f"{self.text(node)} >= 0" for node in nodes if node is not None and may_be_none(node)]

    def _if_sure(self, nodes: Iterable[m.Expression | None], text: str, otherwise: str) -> str:
        tests = self.sure(nodes)
        return f"({text} if {' and '.join(tests)} else {otherwise})" if tests else text

    @abstractmethod
    def inner(self, node: m.Expression) -> str:
        """An expression that may be asked many times within one step."""

    # ---- cells

    def cell(self, node: m.CounterRef) -> str:
        """The number of the cell a counter stands for."""
        given, cells = dict(node.indexes), self.table.layout.cells[node.counter]
        places = []
        for index in cells.indexes:
            place = self._seat(node.owner) if index == "seat" else self.text(given[index])
            numbered = index == "seat" or index in self.table.rules.words.families
            places.append(place if numbered else self._position(place))
        return _offset(cells, places)

    def cell_parts(self, node: m.CounterRef) -> list[m.Expression | None]:
        """What must be somebody or something, so that there is such a cell."""
        indexes = self.table.layout.cells[node.counter].indexes
        return [node.owner if "seat" in indexes else None, *(value for _, value in node.indexes)]

    def _position(self, place: str) -> str:
        position = self.table.layout.position
        return str(position[int(place)]) if place.isdigit() else f"{self.source.name(position)}[{place}]"

    def _seat(self, owner: m.Expression | None) -> str:
        return self.text(owner) if owner is not None else "f.you"

    def _counterref(self, node: m.CounterRef) -> str:
        return self._if_sure(
            self.cell_parts(node), f"s.cells[{self.cell(node)}]", "0" if node.type.name == "amount" else "-1"
        )

    def pool_cell(self, piece: str, pool: str, owner: m.Expression | None, place: m.Expression | None) -> str:
        """The number of the cell that counts pieces in a pool or on a place."""
        places = [self._seat(owner)] + ([self._position(self.text(place))] if place is not None else [])
        return _offset(self.table.layout.pools[(piece, pool or "@")], places)

    def _pieceref(self, node: m.PieceRef) -> str:
        cell = self.pool_cell(node.piece, node.pool, node.owner, node.place)
        return self._if_sure((node.owner, node.place), f"s.cells[{cell}]", "0")

    # ---- zones

    def zone_numbers(self, node: m.Expression) -> str:
        """The numbers of the zones an expression names."""
        if not isinstance(node, m.ZoneRef):
            return self.text(node)
        zones = self._zones(node)
        if zones is None:
            return self._zones_of_many(node)
        return self._if_sure(self.zone_whose(node), f"({', '.join(zones)},)", "()")

    def _refill(self, node: m.Refill) -> str:
        return f"{self.source.name(self.table.refills_of)}({self.zone_numbers(node.of)})"

    def zone_number(self, node: m.Expression) -> str:
        """The number of the first zone an expression names; -1 if there is none."""
        if isinstance(node, m.ZoneRef) and not node.owner_is_many:
            zones = self._zones(node)
            assert zones is not None
            return self._if_sure(self.zone_whose(node), zones[0], "-1")
        found = self.source.variable()
        return f"({found}[0] if ({found} := {self.zone_numbers(node)}) else -1)"

    def _zones(self, node: m.ZoneRef) -> list[str] | None:
        """The zones of one seat or place, or of nobody; nothing if those of several are named."""
        return None if node.owner_is_many else [self._zone(part, node.owner) for part in self.zone_parts(node)]

    def zone_whose(self, node: m.ZoneRef) -> list[m.Expression | None]:
        """What must be somebody or somewhere, so that there are such zones."""
        return [m.Special("here", PLACE) if self._means_here(node) else node.owner]

    def _means_here(self, node: m.ZoneRef) -> bool:
        return node.owner is None and any(part.per not in {"seat", "game"} for part in self.zone_parts(node))

    def _zone(self, zone: Zones, owner: m.Expression | None) -> str:
        if zone.per == "game":
            return str(zone.base)
        if zone.per == "seat":
            place = self._seat(owner)
        else:
            place = self._position(self.text(owner) if owner is not None else "f.here")
        return str(zone.base + int(place)) if place.isdigit() else f"{zone.base} + {place}"

    def _zones_of_many(self, node: m.ZoneRef) -> str:
        assert node.owner is not None
        lines = ["found = []", f"for it in {self.text(node.owner)}:"]
        for zone in self.zone_parts(node):
            if zone.per == "game":  # one for all owners
                lines.append(f" if {zone.base} not in found: found.append({zone.base})")
            else:
                lines.append(f" found.append({zone.base} + {'it' if zone.per == 'seat' else self._position('it')})")
        lines.append("return found")
        if self._never_changes(node.owner):
            return self.source.name(tuple(self.source.define(*lines)(None, None, -1)))
        return self.source.call(*lines)

    def _never_changes(self, group: m.Expression) -> bool:
        """Whether a group is all places of a kind."""
        return isinstance(group, m.Named) and group.type.name == "place" and group.zone is None and group.where is None

    def needs_place(self, node: Any) -> bool:
        """Whether something means a zone of the place it stands on without saying so."""
        return any(isinstance(each, m.ZoneRef) and self._means_here(each) for each in walk(node))

    def maybe_nowhere(self, node: m.Expression) -> bool:
        """Whether there may be no such zone."""
        return not isinstance(node, m.ZoneRef) or node.owner_is_many or bool(self.sure(self.zone_whose(node)))

    def zone_parts(self, node: m.ZoneRef) -> list[Zones]:
        """Every zone that is named, with those that are joined in it, each once."""
        words, zones = self.table.rules.words, self.table.layout.zones
        names = dict.fromkeys(part.name for name in node.zones for part in words.zone_parts(name))
        return [zones[name] for name in names]

    def _zoneref(self, node: m.ZoneRef) -> str:
        zones = self._zones(node)
        if zones is None:
            return self._contents(self._zones_of_many(node))
        piles = " + ".join(f"s.zones[{zone}]" for zone in zones)
        return self._if_sure(self.zone_whose(node), piles if len(zones) == 1 else f"({piles})", "()")

    def _contents(self, zones: str) -> str:
        """All that lies in some zones."""
        return self.source.call("together = ()", f"for zone in {zones}: together += s.zones[zone]", "return together")

    # ---- groups

    def _named(self, node: m.Named) -> str:
        """A group: objects where they lie, or all labels or places of a kind, that pass the filter."""
        if is_never(node.where):
            return "()"
        group, where = self._unfiltered(node), node.where
        if node.type.name == "seat" and node.zone is not None:
            return self._seat_filter(group, where) if where is not None else group
        if where is not None and node.type.name == "thing" and node.zone is not None:
            printed, where = self._split(where)
            if printed is not None:
                group = self._looked_through(group, self.source.asked(self.text(printed)))
        if where is None:
            return group
        return self.filtered(where, group, node.type)

    def filtered(self, where: m.Expression, group: str, kind: Type) -> str:
        """Those of a group that pass a filter. What is the same for all of them is asked once."""
        before, test = self._test(where, alike=isinstance(where, m.Compare) and not _mentions_it(where.right))
        return self.source.call(
            *before, "found = []", *self._looking(group, test, kind), f" if {test}:", "  found.append(it)",
            "return tuple(found)",
        )  # fmt: skip

    def _looking(self, group: str, test: str, kind: Type) -> list[str]:
        """Lines up to the body of a loop over the candidates of a filter: all of them are counted at once.

        That can be left out where they are few and asked nothing that may take long, and not many times either.
        """
        asks = "(s," in test
        if not asks and self.most(kind) <= (_FEW if self.inside else _MANY):
            return [f"for it in {group}:"]
        count = f"if len(group) > {1 if asks else _FEW}: {self.source.name(look)}(s, len(group))"
        return [f"group = {group}", count, "for it in group:"]

    def most(self, kind: Type) -> int:
        """How many there are of something at most."""
        layout = self.table.layout
        if kind.name == "seat":
            return self.table.seats
        if not kind.of:
            return max(len(layout.objects), len(layout.things))
        members = self.table.members(kind.of)
        return sum(len(layout.copies[thing]) for thing in members) if kind.name == "thing" else len(members)

    def _test(self, where: m.Expression, *, alike: bool) -> tuple[list[str], str]:
        """The lines before a test of many, and the test. `alike` says that one side of it is the same for all."""
        if not alike or not isinstance(where, m.Compare) or isinstance(where.right, m.Constant):
            return [], self.inner(where)
        if where.left.type.name != "amount":
            return [], self.inner(where)
        return [f"bound = {self.text(where.right)}"], comparison(where.operator, self.inner(where.left), "bound")

    def _split(self, where: m.Expression) -> tuple[m.Expression | None, m.Expression | None]:
        """A filter in two: what is printed on a candidate, which never changes, and the rest."""
        conditions = where.parts if isinstance(where, m.All) else (where,)
        printed = tuple(part for part in conditions if self.is_printed(part, is_it))
        rest = tuple(part for part in conditions if part not in printed)
        return _all(printed), _all(rest)

    def is_printed(self, node: Any, subject: Callable[[Any], bool]) -> bool:
        """Whether a condition is about nothing but what is printed on its subjects, so that it never changes."""
        if isinstance(node, m.FieldRef) and node.field not in self.table.fields:
            return False
        if isinstance(node, m.Exists) and node.of.type.many:
            return False
        return subject(node) or (
            isinstance(node, _PRINTED) and all(self.is_printed(part, subject) for part in parts(node))
        )

    def _looked_through(self, group: str, test: Asked) -> str:
        """Those of a group that pass a test of what is printed. A pile is looked through once while it stays so."""
        nothing, nobody = State(0), Frame(-1, -1, -1, -1, -1, [])

        @lru_cache(_PILES)
        def passing(things: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(each for each in things if test(nothing, nobody, each))

        return f"{self.source.name(passing)}({group})"

    def some(self, node: m.Expression, wanted: bool = True) -> str:
        """Whether a group has any member, or none; the first one found is enough."""
        if isinstance(node, m.SeatRef) and node.where is not None:
            return self._some_seat(self.text(replace(node, where=None)), node.where, wanted)
        if not isinstance(node, m.Named) or node.where is None or node.type.name == "seat":
            return f"(not {'not ' if wanted else ''}{self.group(node)})"
        group, test = self._unfiltered(node), self.inner(node.where)
        found = self.source.call(
            *self._looking(group, test, node.type), f" if {test}:", f"  return {wanted}", f"return {not wanted}"
        )
        pile = self.pile(node)
        if pile is None:
            return found
        return f"(not not {pile} and {found})" if wanted else f"(not {pile} or {found})"

    def pile(self, node: m.Expression) -> str | None:
        """The zone that a filter looks through, if it is one: many are empty, and that is seen at once."""
        if not isinstance(node, m.Named) or node.where is None or not isinstance(node.zone, m.ZoneRef):
            return None
        one_zone = not self.maybe_nowhere(node.zone) and len(self.zone_parts(node.zone)) == 1
        return self._zoneref(node.zone) if one_zone else None

    def _some_seat(self, group: str, where: m.Expression, wanted: bool) -> str:
        loop, test, after = self._among_seats(group, where)
        return self.source.call(
            *loop, f" if {test}:", *(f"  {each}" for each in after), f"  return {wanted}", *after,
            f"return {not wanted}",
        )  # fmt: skip

    def _seat_filter(self, group: str, where: m.Expression) -> str:
        """Seats that pass."""
        loop, test, after = self._among_seats(group, where)
        return self.source.call(
            "found = []", *loop, f" if {test}:", "  found.append(it)", *after, "return tuple(found)"
        )  # fmt: skip

    def _among_seats(self, group: str, where: m.Expression) -> tuple[list[str], str, list[str]]:
        """A loop over seats up to the test of a filter, the test, and what is done after the loop.

        Inside the test the candidate is the acting seat, also for whoever the frame is handed on to.
        """
        before, test = self._test(where, alike=_same_for_all(where))
        loop = [*before, *self._looking(group, test, SEAT)]
        if not _HANDED_ON.search(test):
            return loop, test.replace("f.you", "it"), []
        return ["you = f.you", *loop, " f.you = it"], test, ["f.you = you"]

    def group(self, node: m.Expression) -> str:
        """An expression as a group, though it may stand for one thing, or none."""
        found = self.text(node)
        whole = isinstance(node, m.ZoneRef) or (node.type.many and not isinstance(node, m.Local))
        return found if whole else f"{self.source.name(as_group)}({found})"

    def ask_group(self, node: m.Expression) -> Asked:
        """The function of an expression as a group."""
        return self.source.asked(self.group(node))

    def _unfiltered(self, node: m.Named) -> str:
        if node.zone is None:
            return self._everywhere(node)
        if node.zone.type.name == "zone":
            return self._in_zones(node, node.zone)
        if node.zone.type.name == "place" and node.type.name == "thing":
            return self._of_kind(self._contents(self._zones_at(node.zone)), node.kind)
        found = self.group(node.zone)
        return found if node.kind in {"", node.zone.type.of} else self._of_kind(found, node.kind)

    def _zones_at(self, place: m.Expression) -> str:
        """The numbers of all zones of a place; of none, if it is nowhere."""
        layout = self.table.layout
        zones: dict[int, list[int]] = {}
        for zone in layout.zones.values():
            for thing in layout.places.get(zone.per, ()):
                zones.setdefault(thing, []).append(zone.base + layout.position[thing])
        return f"{self.source.name(zones)}.get({self.text(place)}, ())"

    def _everywhere(self, node: m.Named) -> str:
        kind = self.table.rules.words.kinds.get(node.kind)
        if kind is None or kind.role != "thing":
            return self.source.name(self.table.members(node.kind))
        layout = self.table.layout
        objects = [each for thing in layout.places.get(node.kind, ()) for each in layout.copies[thing]]
        return self.source.name(tuple(sorted(objects)))

    def _in_zones(self, node: m.Named, zone: m.Expression) -> str:
        whole = self._zoneref(zone) if isinstance(zone, m.ZoneRef) else self._contents(self.text(zone))
        if not node.kind or (isinstance(zone, m.ZoneRef) and self.holds_only(zone, node.kind)):
            return whole
        return self._of_kind(whole, node.kind)

    def _of_kind(self, group: str, kind: str) -> str:
        objects, things = self.table.layout.objects, self.table.layout.things
        return self._looked_through(group, lambda s, f, it: things[objects[it]].kind == kind)

    def holds_only(self, zone: m.ZoneRef, kind: str) -> bool:
        """Whether nothing but things of one kind may lie somewhere."""
        words = self.table.rules.words
        return all(set(part.holds) == {kind} for name in zone.zones for part in words.zone_parts(name))


def _offset(cells: Cells, places: list[str]) -> str:
    """The first of some cells and what the indexes add to it; what is known beforehand is added up."""
    base, rest = cells.base, ""
    for factor, place in zip(cells.factors, places, strict=True):
        if place.isdigit():
            base += factor * int(place)
        else:
            rest += f" + {place}" if factor == 1 else f" + {factor} * {place}"
    return f"{base}{rest}"


def as_group(found: tuple[int, ...] | int | None) -> tuple[int, ...]:
    """What an expression gave, as a group: of one thing, or of none."""
    if isinstance(found, tuple):
        return found
    return (found,) if found is not None and found >= 0 else ()


def _all(conditions: tuple[m.Expression, ...]) -> m.Expression | None:
    return m.All(conditions) if len(conditions) > 1 else conditions[0] if conditions else None


def _same_for_all(where: m.Expression) -> bool:
    """Whether the right side of a comparison is the same whichever seat acts and whatever the candidate is."""
    if not isinstance(where, m.Compare):
        return False
    for each in walk(where.right):
        if isinstance(each, (m.CounterRef, m.PieceRef)):
            if each.owner is None:
                return False
        elif not isinstance(each, (m.Constant, m.Local, m.Arithmetic, m.Extreme)):
            return False
    return True


def _mentions_it(node: m.Expression) -> bool:
    return any(map(is_it, walk(node)))


def is_it(node: Any) -> bool:
    """Whether an expression is the candidate of a filter."""
    return isinstance(node, m.Special) and node.which == "it"
