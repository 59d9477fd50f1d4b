"""Cells, zones and groups of objects, compiled to closures: the part of the evaluator that knows where things are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

from dunerules.dsl import meaning as m
from dunerules.dsl.lower import slot_number
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.conditions import TESTS
from dunerules.runtime.inline import is_never
from dunerules.runtime.layout import Zones
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Groups"]

_PRINTED = (m.Compare, m.Has, m.Not, m.All, m.Any, m.Constant, m.ObjectRef, m.SlotRef)
"""What a condition on printed data is made of; fields and `it` besides."""

_PILES = 256
"""How many piles each filter of printed data remembers."""


class Groups:
    """Compiles what stands for cells, zones, and things in them."""

    table: Table

    @abstractmethod
    def compile(self, node: m.Expression) -> Asked:
        """The closure of an expression."""

    # ---- cells

    def cell(self, node: m.CounterRef) -> Asked:
        """The number of the cell a counter stands for."""
        cells = self.table.layout.cells[node.counter]
        owner = self.compile(node.owner) if node.owner is not None else None
        given = dict(node.indexes)
        base = cells.base
        if cells.indexes == ():
            return lambda s, f, it: base
        if cells.indexes == ("seat",):
            return (lambda s, f, it: base + f.you) if owner is None else (lambda s, f, it: base + owner(s, f, it))
        parts: list[tuple[int, Asked, list[int] | None]] = []
        for index, factor in zip(cells.indexes, cells.factors, strict=True):
            if index == "seat":
                parts.append((factor, owner or (lambda s, f, it: f.you), None))
            else:
                positions = None if index in self.table.rules.words.families else self.table.layout.position
                parts.append((factor, self.compile(given[index]), positions))

        def number(s: State, f: Frame, it: int) -> int:
            total = base
            for factor, part, positions in parts:
                value = part(s, f, it)
                total += factor * (value if positions is None else positions[value])
            return total

        return number

    def _counterref(self, node: m.CounterRef) -> Asked:
        cells = self.table.layout.cells[node.counter]
        if cells.indexes == ("seat",):
            return self._seat_cell(cells.base, node.owner)
        cell = self.cell(node)
        return lambda s, f, it: s.cells[cell(s, f, it)]

    def _seat_cell(self, base: int, owner: m.Expression | None) -> Asked:
        """What is in the cell of a seat."""
        if owner is None or _is_you(owner):
            return lambda s, f, it: s.cells[base + f.you]
        if isinstance(owner, m.Local):
            slot = slot_number(owner)
            return lambda s, f, it: s.cells[base + f.slots[slot]]
        seat = self.compile(owner)
        return lambda s, f, it: s.cells[base + seat(s, f, it)]

    def pool_cell(self, piece: str, pool: str, owner: m.Expression | None, place: m.Expression | None) -> Asked:
        """The number of the cell that counts pieces in a pool or on a place."""
        cells = self.table.layout.pools[(piece, pool or "@")]
        base = cells.base
        seat = self.compile(owner) if owner is not None else (lambda s, f, it: f.you)
        if place is None:
            return lambda s, f, it: base + seat(s, f, it)
        spot, position, factor = self.compile(place), self.table.layout.position, cells.factors[0]
        return lambda s, f, it: base + seat(s, f, it) * factor + position[spot(s, f, it)]

    def _pieceref(self, node: m.PieceRef) -> Asked:
        if node.place is None:
            return self._seat_cell(self.table.layout.pools[(node.piece, node.pool or "@")].base, node.owner)
        cell = self.pool_cell(node.piece, node.pool, node.owner, node.place)
        return lambda s, f, it: s.cells[cell(s, f, it)]

    # ---- zones

    def zone_numbers(self, node: m.Expression) -> Asked:
        """The numbers of the zones an expression names."""
        if not isinstance(node, m.ZoneRef):
            inner = self.compile(node)
            return lambda s, f, it: (inner(s, f, it),)
        parts = self._zone_parts(node)
        single = self.single_zone(node)
        if single is not None:
            return lambda s, f, it: (single(s, f, it),)
        return self._zones_of_many(node, parts) if node.owner is not None else self._zones_of_you(parts)

    def zone_number(self, node: m.Expression) -> Asked:
        """The number of the first zone an expression names."""
        single = self.single_zone(node)
        if single is not None:
            return single
        numbers = self.zone_numbers(node)
        return lambda s, f, it: numbers(s, f, it)[0]

    def single_zone(self, node: m.Expression | None) -> Asked | None:
        """The number of the zone an expression names, if it can only be one."""
        if not isinstance(node, m.ZoneRef):
            return None
        parts = self._zone_parts(node)
        return self._zone_number(node, parts[0]) if self._is_single(node, parts) else None

    def _zones_of_you(self, parts: list[Zones]) -> Asked:
        position = self.table.layout.position

        def numbers(s: State, f: Frame, it: int) -> list[int]:
            found = []
            for part in parts:
                offset = 0 if part.per == "game" else f.you if part.per == "seat" else position[f.here]
                found.append(part.base + offset)
            return found

        return numbers

    def _zones_of_many(self, node: m.ZoneRef, parts: list[Zones]) -> Asked:
        assert node.owner is not None
        owner, position = self.compile(node.owner), self.table.layout.position

        def numbers(s: State, f: Frame, it: int) -> list[int]:
            found = []
            who = owner(s, f, it)
            owners = who if isinstance(who, tuple) else (who,)
            for part in parts:
                if part.per == "game":
                    found.append(part.base)
                else:
                    found += [part.base + (each if part.per == "seat" else position[each]) for each in owners]
            return found

        return numbers

    def needs_place(self, node: Any) -> bool:
        """Whether something means a zone of the place it stands on without saying so."""
        return any(
            isinstance(each, m.ZoneRef)
            and each.owner is None
            and any(part.per not in {"seat", "game"} for part in self._zone_parts(each))
            for each in walk(node)
        )

    def _zone_parts(self, node: m.ZoneRef) -> list[Zones]:
        words, zones = self.table.rules.words, self.table.layout.zones
        return [zones[part.name] for name in node.zones for part in words.zone_parts(name)]

    def _is_single(self, node: m.ZoneRef, parts: list[Zones]) -> bool:
        return len(parts) == 1 and (node.owner is None or not node.owner.type.many)

    def _zone_number(self, node: m.ZoneRef, zone: Zones) -> Asked:
        base, position, owner = zone.base, self.table.layout.position, node.owner
        if zone.per == "game":
            return lambda s, f, it: base
        if zone.per == "seat":
            if owner is None or _is_you(owner):
                return lambda s, f, it: base + f.you
            seat = self.compile(owner)
            return lambda s, f, it: base + seat(s, f, it)
        spot = self.compile(owner) if owner is not None else (lambda s, f, it: f.here)
        return lambda s, f, it: base + position[spot(s, f, it)]

    def _zoneref(self, node: m.ZoneRef) -> Asked:
        parts = self._zone_parts(node)
        if not self._is_single(node, parts):
            return self._several_zones(node)
        base, per, owner = parts[0].base, parts[0].per, node.owner
        if per == "seat" and (owner is None or _is_you(owner)):
            return lambda s, f, it: s.zones[base + f.you]
        number = self._zone_number(node, parts[0])
        return lambda s, f, it: s.zones[number(s, f, it)]

    def _several_zones(self, node: m.ZoneRef) -> Asked:
        numbers = self.zone_numbers(node)

        def together(s: State, f: Frame, it: int) -> tuple[int, ...]:
            found: tuple[int, ...] = ()
            for zone in numbers(s, f, it):
                found += s.zones[zone]
            return found

        return together

    def _fixed_zone(self, node: m.Named) -> int | None:
        """The number of the zone a group lies in, if that is always the same one, and holds nothing else."""
        zone = node.zone
        if not isinstance(zone, m.ZoneRef) or not self._holds_only(zone, node.kind):
            return None
        parts = self._zone_parts(zone)
        if len(parts) != 1 or parts[0].per == "seat":
            return None
        if parts[0].per == "game":
            return parts[0].base
        if not isinstance(zone.owner, m.ObjectRef):
            return None
        return parts[0].base + self.table.layout.position[self.table.label(zone.owner.kind, zone.owner.id)]

    # ---- groups

    def _named(self, node: m.Named) -> Asked:
        """A group: objects where they lie, or all labels or places of a kind, that pass the filter."""
        if is_never(node.where):
            return lambda s, f, it: ()
        group = self._unfiltered(node)
        if node.type.name == "seat" and node.zone is not None and not isinstance(node.zone, m.ZoneRef):
            return self._seat_filter(group, node.where) if node.where is not None else group
        if node.where is None:
            return group
        if node.type.name == "thing" and node.zone is not None:
            printed, rest = self._split(node.where)
            if printed is not None:
                group = self._looked_through(group, self.compile(printed))
            if rest is None:
                return group
            passing = self.passing(rest)
        else:
            passing = self.passing(node.where)

        def filtered(s: State, f: Frame, it: int) -> tuple[int, ...]:
            things = group(s, f, it)
            return tuple(passing(s, f, things)) if things else ()

        return filtered

    def _split(self, where: m.Expression) -> tuple[m.Expression | None, m.Expression | None]:
        """A filter in two: what is printed on a candidate, which never changes, and the rest."""
        conditions = where.parts if isinstance(where, m.All) else (where,)
        printed = tuple(part for part in conditions if self._is_printed(part))
        rest = tuple(part for part in conditions if part not in printed)
        return _all(printed), _all(rest)

    def _is_printed(self, node: Any) -> bool:
        if isinstance(node, m.FieldRef):
            return node.field in self.table.fields and self._is_printed(node.object)
        if isinstance(node, m.Special):
            return node.which == "it"
        if isinstance(node, m.Exists):
            return not node.of.type.many and self._is_printed(node.of)
        return isinstance(node, _PRINTED) and all(map(self._is_printed, parts(node)))

    def _looked_through(self, group: Asked, test: Asked) -> Asked:
        """Those of a group that pass a test of what is printed. A pile is looked through once while it stays as it is."""
        nothing, nobody = State(0), Frame(-1, -1, -1, -1, -1, [])

        @lru_cache(_PILES)
        def passing(things: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(each for each in things if test(nothing, nobody, each))

        return lambda s, f, it: passing(group(s, f, it))

    def passing(self, where: m.Expression) -> Callable[[State, Frame, Iterable[int]], list[int]]:
        """Those of some things that pass a filter. What is the same for all of them is asked once."""
        if isinstance(where, m.Compare) and where.left.type.name == "amount" and not _mentions_it(where.right):
            left, right, compare = self.compile(where.left), self.compile(where.right), TESTS[where.operator]

            def compared(s: State, f: Frame, things: Iterable[int]) -> list[int]:
                bound, found = right(s, f, -1), []
                for each in things:
                    if compare(left(s, f, each), bound):
                        found.append(each)
                return found

            return compared
        test = self.compile(where)

        def tested(s: State, f: Frame, things: Iterable[int]) -> list[int]:
            found = []
            for each in things:
                if test(s, f, each):
                    found.append(each)
            return found

        return tested

    def some(self, node: m.Expression, wanted: bool = True) -> Asked:
        """Whether a group has any member, or none; the first one found is enough."""
        if isinstance(node, m.SeatRef) and node.where is not None:
            return self._some_seat(self.compile(replace(node, where=None)), node.where, wanted)
        if not isinstance(node, m.Named) or node.where is None or node.type.name == "seat":
            inner = self.compile(node)
            return (lambda s, f, it: bool(inner(s, f, it))) if wanted else (lambda s, f, it: not inner(s, f, it))
        test, zone = self.compile(node.where), self._fixed_zone(node)
        if zone is not None:

            def some_there(s: State, f: Frame, it: int) -> bool:
                for each in s.zones[zone]:
                    if test(s, f, each):
                        return wanted
                return not wanted

            return some_there
        group = self._unfiltered(node)

        def some(s: State, f: Frame, it: int) -> bool:
            for each in group(s, f, it):
                if test(s, f, each):
                    return wanted
            return not wanted

        return some

    def _some_seat(self, group: Asked, where: m.Expression, wanted: bool) -> Asked:
        prepare, test = self._seat_test(where)

        def some(s: State, f: Frame, it: int) -> bool:
            you, found, bound = f.you, not wanted, prepare(s, f, it)
            for seat in group(s, f, it):
                f.you = seat
                if test(s, f, seat, bound):
                    found = wanted
                    break
            f.you = you
            return found

        return some

    def _seat_filter(self, group: Asked, where: m.Expression) -> Asked:
        """Seats that pass; inside the test the candidate is the acting seat."""
        prepare, test = self._seat_test(where)

        def filtered(s: State, f: Frame, it: int) -> tuple[int, ...]:
            you, found, bound = f.you, [], prepare(s, f, it)
            for seat in group(s, f, it):
                f.you = seat
                if test(s, f, seat, bound):
                    found.append(seat)
            f.you = you
            return tuple(found)

        return filtered

    def _seat_test(self, where: m.Expression) -> tuple[Asked, Callable[[State, Frame, int, Any], bool]]:
        """What is asked once before a test of seats, because it is the same for all of them, and the test with it."""
        if isinstance(where, m.Compare) and _same_for_all(where.right):
            left, right, compare = self.compile(where.left), self.compile(where.right), TESTS[where.operator]
            return right, lambda s, f, it, bound: compare(left(s, f, it), bound)
        test = self.compile(where)
        return (lambda s, f, it: None), lambda s, f, it, bound: test(s, f, it)

    def _unfiltered(self, node: m.Named) -> Asked:
        if node.zone is None:
            return self._everywhere(node)
        if isinstance(node.zone, m.ZoneRef):
            return self._in_zones(node, node.zone)
        inner = self.compile(node.zone)

        def group(s: State, f: Frame, it: int) -> tuple[int, ...]:
            found = cast("tuple[int, ...] | int | None", inner(s, f, it))
            if isinstance(found, tuple):
                return found
            return (found,) if found is not None and found >= 0 else ()

        return group

    def _everywhere(self, node: m.Named) -> Asked:
        kind = self.table.rules.words.kinds.get(node.kind)
        if kind is not None and kind.role == "thing":
            objects = [
                o for thing in self.table.layout.places.get(node.kind, ()) for o in self.table.layout.copies[thing]
            ]
            fixed = tuple(sorted(objects))
        else:
            fixed = self.table.members(node.kind)
        return lambda s, f, it: fixed

    def _in_zones(self, node: m.Named, zone: m.ZoneRef) -> Asked:
        whole = self._zoneref(zone)
        if self._holds_only(zone, node.kind):
            return whole
        kind, objects, things = node.kind, self.table.layout.objects, self.table.layout.things
        return self._looked_through(whole, lambda s, f, it: things[objects[it]].kind == kind)

    def _holds_only(self, zone: m.ZoneRef, kind: str) -> bool:
        return not kind or {each for name in zone.zones for each in self.table.rules.words.zone_kinds(name)} == {kind}


def _all(conditions: tuple[m.Expression, ...]) -> m.Expression | None:
    return m.All(conditions) if len(conditions) > 1 else conditions[0] if conditions else None


def _is_you(node: m.Expression) -> bool:
    return isinstance(node, m.SeatRef) and node.which == "you"


def _same_for_all(node: m.Expression) -> bool:
    """Whether an amount is the same whichever seat acts and whatever the candidate is."""
    for each in walk(node):
        if isinstance(each, (m.CounterRef, m.PieceRef)):
            if each.owner is None:
                return False
        elif not isinstance(each, (m.Constant, m.Local, m.Arithmetic, m.Extreme)):
            return False
    return True


def _mentions_it(node: m.Expression) -> bool:
    return any(isinstance(each, m.Special) and each.which == "it" for each in walk(node))
