"""Patterns: whether what has happened is what an ability waits for, argument by argument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.dsl import meaning as m
from dunerules.dsl.types import POOL
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.layout import Cells
from dunerules.runtime.modifiers import Predicate
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Table

__all__ = ["Patterns", "Spot", "ThingTest"]

ThingTest: TypeAlias = Callable[[State, Frame, int, int, int], bool]
"""Whether a thing that was moved or seen, the zone it was in and the one it came to are what a pattern is about."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A counter, or pieces in a pool or on a place: whose, and its labels and places. No seat is -1."""

    name: str
    pool: str = ""
    seat: int = -1
    indexes: dict[str, int] = field(default_factory=dict)


class Patterns:
    """Compiles the arguments of events and modifiers."""

    def __init__(self, table: Table, evaluator: Evaluator) -> None:
        self.table = table
        self.evaluator = evaluator
        self._spots: dict[int, Spot] = {}
        layout = table.layout
        self._place_of = [
            layout.places[layout.zones[name].per][place] if place >= 0 else -1
            for name, place in zip(layout.zone_names, layout.zone_place, strict=True)
        ]

    def spot(self, number: int) -> Spot:
        """What a cell counts."""
        found = self._spots.get(number)
        if found is None:
            found = self._spots[number] = self._spot(number)
        return found

    def _spot(self, number: int) -> Spot:
        layout = self.table.layout
        blocks = [(name, "", cells) for name, cells in layout.cells.items()]
        blocks += [(piece, pool, cells) for (piece, pool), cells in layout.pools.items()]
        name, pool, cells = next(each for each in blocks if each[2].base <= number < each[2].base + each[2].size)
        seat, indexes = self._indexes(cells, number - cells.base)
        return Spot(name, "" if pool == "@" else pool, seat, indexes)

    def _indexes(self, cells: Cells, place: int) -> tuple[int, dict[str, int]]:
        seat, indexes = -1, {}
        for index, factor in zip(cells.indexes, cells.factors, strict=True):
            position, place = divmod(place, factor)
            if index == "seat":
                seat = position
            else:
                indexes[index] = self.table.members(index)[position]
        return seat, indexes

    # ---- what a verb of a pack tells

    def told(self, arguments: tuple[tuple[str, m.Expression], ...]) -> dict[str, ir.Expr]:
        """What an event tells of its arguments: not of quantities, nor of groups that are still to be looked for."""
        found = ((name, self._told(value)) for name, value in arguments)
        return {name: each for name, each in found if each is not None}

    def _told(self, value: m.Expression) -> ir.Expr | None:
        core = self.evaluator.core
        if isinstance(value, m.CounterRef) and value.type.name in {"amount", "counter"}:
            spot = ir.Call(ir.Function("spot", self.spot, stateless=True), (core.cell(value),))
            return make.choice(core.sure(core.cell_parts(value)), spot, ir.Text(None))
        if isinstance(value, m.WordRef):
            words = ("", value.name) if value.type == POOL else (value.name, "")
            owner = core.build(value.owner) if value.owner is not None else ir.FramePart("you")
            return ir.Call(ir.Function("spot", partial(Spot, *words), stateless=True), (owner,))
        if isinstance(value, m.ZoneRef):
            return core.zone_numbers(value)
        if isinstance(value, m.Quantity) or (value.type.many and not isinstance(value, m.Local)):
            return None
        return core.build(value)

    # ---- predicates

    def predicate(self, node: m.Expression) -> Predicate:
        """Whether something is what a pattern names: one thing, or one of a group; of several things any."""
        of_number, of_spot = self._single(node)

        def fits(s: State, f: Frame, given: Any) -> bool:
            if type(given) is int:
                return given != -1 and of_number(s, f, given)
            if isinstance(given, tuple):
                return any(fits(s, f, each) for each in given)
            return given is not None and (of_spot if isinstance(given, Spot) else of_number)(s, f, given)

        return fits

    def _single(self, node: m.Expression) -> tuple[Predicate, Predicate]:
        """Compiled of a number, and of what counters and pieces are told as."""
        if isinstance(node, m.CounterRef):
            return _never, self._counter(node)
        if isinstance(node, m.WordRef):
            return _never, self._word(node)
        if isinstance(node, m.ZoneRef):
            return self._zone(node), _never
        test = self._named(node) if isinstance(node, m.Named) and node.zone is None else self._equal(node)
        if node.type.name != "place":
            return test, _never
        # pieces are on a place that a pattern names
        return test, lambda s, f, given: (place := _place(given)) >= 0 and test(s, f, place)

    def _named(self, node: m.Named) -> Predicate:
        layout = self.table.layout
        test = self.evaluator.compile_inner(node.where) if node.where is not None else None
        if node.type.name != "thing" and (node.where is None or self.evaluator.is_printed(node.where)):
            nothing, nobody = State(0), Frame(-1, -1, -1, -1, -1, [])
            passing = {each for each in self.table.members(node.kind) if test is None or test(nothing, nobody, each)}
            return lambda s, f, given: given in passing
        if node.type.name == "thing":
            objects, things, kind = layout.objects, layout.things, node.kind
            known = kind in self.table.rules.words.kinds
            return lambda s, f, given: (
                (not known or things[objects[given]].kind == kind) and (test is None or bool(test(s, f, given)))
            )
        members = frozenset(self.table.members(node.kind))
        return lambda s, f, given: given in members and (test is None or bool(test(s, f, given)))

    def _equal(self, node: m.Expression) -> Predicate:
        if isinstance(node, (m.ObjectRef, m.FieldRef)) and node.type.name == "thing" and not node.type.many:
            kind = self.evaluator.function(self.evaluator.core.declared(node))
            objects = self.table.layout.objects
            return lambda s, f, given: objects[given] == kind(s, f, -1)
        value = self.evaluator.compile_inner(node)
        if node.type.many:
            return lambda s, f, given: given in value(s, f, -1)
        return lambda s, f, given: bool(given == value(s, f, -1))

    def _counter(self, node: m.CounterRef) -> Predicate:
        counter, owner = node.counter, self._owner(node.owner)
        indexes = [(index, self.predicate(value)) for index, value in node.indexes if not m.is_implied(value)]

        def fits(s: State, f: Frame, given: Any) -> bool:
            return (
                given.name == counter
                and owner(s, f, given.seat)
                and all(test(s, f, given.indexes.get(index)) for index, test in indexes)
            )

        return fits

    def _word(self, node: m.WordRef) -> Predicate:
        name, owner, pool = node.name, self._owner(node.owner), node.type == POOL

        def fits(s: State, f: Frame, given: Any) -> bool:
            return (given.pool if pool else given.name) == name and owner(s, f, given.seat)

        return fits

    def _owner(self, owner: m.Expression | None) -> Predicate:
        return self.predicate(owner) if owner is not None else lambda s, f, given: True

    def _zone(self, node: m.ZoneRef) -> Predicate:
        layout = self.table.layout
        if node.owner is not None:
            zones = self.evaluator.function(self.evaluator.core.zone_numbers(node))
            return lambda s, f, given: given in zones(s, f, -1)
        names = {part.name for name in node.zones for part in self.table.rules.words.zone_parts(name)}
        return lambda s, f, given: layout.zone_names[given] in names

    def thing(self, name: str, node: m.Expression) -> ThingTest:
        """Whether one of several things that were moved or seen is what an argument names, or where it says."""
        test, there = self.predicate(node), name == "target"
        if isinstance(node, m.WordRef):
            return lambda s, f, thing, start, end: False  # a pool holds pieces
        if isinstance(node, m.ZoneRef):
            return lambda s, f, thing, start, end: test(s, f, end if there else start)
        if node.type.name == "place":
            places = self._place_of
            return lambda s, f, thing, start, end: test(s, f, places[end if there else start])
        return lambda s, f, thing, start, end: test(s, f, thing)


def _place(spot: Spot) -> int:
    return next(iter(spot.indexes.values()), -1)


def _never(s: State, f: Frame, given: Any) -> bool:
    return False
