"""Patterns: whether what has happened is what an ability waits for, built in the core language.

All that is told is numbers: a counter, pieces and pools by their spot, a zone, thing, place, label or seat by its own
number, several as a group, and nothing as -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.costs import may_nest
from dunerules.dsl import meaning as m
from dunerules.dsl.types import COUNTER, PIECE, POOL
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.limits import guarded
from dunerules.runtime.spots import Spots
from dunerules.runtime.surroundings import OFTEN
from dunerules.runtime.table import Table

__all__ = ["Fits", "Patterns"]

Fits: TypeAlias = Callable[..., bool]
"""Whether arguments are those a pattern is about: of a state, in the frame of the ability."""

_EACH = ir.Variable("each")
_THING, _START, _END = ir.Variable("thing"), ir.Variable("start"), ir.Variable("end")
_SPOTS = {COUNTER, PIECE, POOL}
_TOLD_AS_SPOTS = {
    name: frozenset(each.name for each in verb.parameters if not _SPOTS.isdisjoint(each.types))
    for name, verb in KERNEL_VERBS.items()
}
"""By verb of the kernel: what its events tell by spots, if it is done to a counter or to pieces."""


class Patterns:
    """Builds the arguments of events and modifiers."""

    def __init__(self, table: Table, core: Expressions) -> None:
        self.table = table
        self.core = core
        self.spots = Spots(table)
        self.built: list[tuple[ir.Expr, frozenset[str]]] = []
        """Every test, with the names it is given; for whoever verifies them."""
        layout = table.layout
        self._place_of = ir.Table(
            "place of zone",
            [
                *(
                    layout.places[layout.zones[name].per][place] if place >= 0 else -1
                    for name, place in zip(layout.zone_names, layout.zone_place, strict=True)
                ),
                -1,
            ],
        )

    # ---- what a verb of a pack tells

    def told(self, arguments: tuple[tuple[str, m.Expression], ...]) -> dict[str, ir.Expr]:
        """What an event tells of its arguments: not of quantities, nor of groups that are still to be looked for."""
        found = ((name, self._told(value)) for name, value in arguments)
        return {name: each for name, each in found if each is not None}

    def _told(self, value: m.Expression) -> ir.Expr | None:
        core = self.core
        if isinstance(value, m.CounterRef) and value.type.name in {"amount", "counter"}:
            return make.choice(core.sure(core.cell_parts(value)), core.cell(value), make.NOTHING)
        if isinstance(value, m.WordRef):
            owner = core.build(value.owner) if value.owner is not None else ir.FramePart("you")
            return self.spots.word(*_names(value), owner)
        if isinstance(value, m.ZoneRef):
            return core.zone_numbers(value)
        if isinstance(value, m.Quantity) or (value.type.many and not isinstance(value, m.Local)):
            return None
        return core.build(value)

    # ---- whether it fits

    def of_event(self, event: m.EventPattern) -> Fits | None:
        """Whether the arguments of an event are those of a pattern, in its order. Nothing, if any are."""
        given = [_argument(number) for number in range(len(event.arguments))]
        spots = () if event.moment else _TOLD_AS_SPOTS.get(event.verb, ())
        tests = [
            self._spot(value, each) if name in spots else self._one_or_several(value, each)
            for each, (name, value) in zip(given, event.arguments, strict=True)
        ]
        return self._function(tests, given)

    def of_value(self, arguments: list[m.Expression]) -> Fits | None:
        """Whether arguments of a value are those a modifier is about."""
        given = [_argument(number) for number in range(len(arguments))]
        return self._function(map(self._one_or_several, arguments, given), given)

    def of_thing(self, event: m.EventPattern) -> Fits | None:
        """Whether a thing that was moved or seen, with the zones it was in and came to, is what a pattern is about."""
        tests = [self._thing(value, _END if name == "target" else _START) for name, value in event.arguments]
        return self._function(tests, [_THING, _START, _END])

    def _function(self, tests: Iterable[ir.Expr], takes: list[ir.Variable]) -> Fits | None:
        test = make.all_of(tests)
        if test == make.TRUE:
            return None
        names = [each.name for each in takes]
        self.built.append((test, frozenset(names)))
        found = self.core.python.function(test, *names)
        return guarded(found) if may_nest(test) else found

    # ---- tests of one argument

    def _one_or_several(self, node: m.Expression, given: ir.Expr) -> ir.Expr:
        """Of several any is enough."""
        if _is_spot(node):
            return self._spot(node, given)
        if node.type.name in {"thing", "zone"}:
            return ir.Some(_EACH.name, ir.AsGroup(given), self._is(node, _EACH))
        return make.all_of((make.there(given), self._is(node, given)))

    def _spot(self, node: m.Expression, given: ir.Expr) -> ir.Expr:
        """Whether a spot is the counter, the pieces, the pool or the place that a pattern names."""
        spots, parts = self.spots, [make.there(given)]
        if isinstance(node, m.CounterRef):
            parts.append(spots.is_of(node.counter, given))
            indexes = [(index, value) for index, value in node.indexes if not m.is_implied(value)]
            parts += [self._one_or_several(value, spots.index(index, given)) for index, value in indexes]
        elif isinstance(node, m.WordRef):
            parts.append(spots.is_in(node.name, given) if node.type == POOL else spots.is_of(node.name, given))
        else:  # no spot lies in a zone
            return self._one_or_several(node, spots.place(given)) if node.type.name == "place" else make.FALSE
        if node.owner is not None:
            parts.append(self._one_or_several(node.owner, spots.whose(given)))
        return make.all_of(parts)

    def _thing(self, node: m.Expression, zone: ir.Expr) -> ir.Expr:
        """Whether one of several things that were moved or seen is what an argument names, or was where it says."""
        if isinstance(node, m.WordRef):
            return make.FALSE  # a pool holds pieces
        if isinstance(node, m.ZoneRef):
            return self._is(node, zone)
        if node.type.name == "place":
            return self._one_or_several(node, make.column(self._place_of, zone))
        return self._is(node, _THING)

    def _is(self, node: m.Expression, given: ir.Expr) -> ir.Expr:
        """Whether something that is there is what a pattern names, or one of a group."""
        if isinstance(node, m.ZoneRef):
            return ir.Contains(self._zones(node), given)
        if isinstance(node, m.Named) and node.zone is None:
            where = replace(OFTEN, it=given, depth=1)
            test = self.core.build(node.where, where) if node.where is not None else make.TRUE
            return make.all_of((self._is_of_kind(node, given), test))
        if isinstance(node, (m.ObjectRef, m.FieldRef)) and node.type.name == "thing" and not node.type.many:
            return make.compare("=", self.core.copy_of(given), self.core.declared(node, OFTEN))
        found = self.core.build(node, OFTEN)
        return ir.Contains(found, given) if node.type.many else make.compare("=", given, found)

    def _zones(self, node: m.ZoneRef) -> ir.Expr:
        """Whoever's they are, if a pattern does not say."""
        if node.owner is not None:
            return self.core.zone_numbers(node)
        names = {part.name for name in node.zones for part in self.table.rules.words.zone_parts(name)}
        return ir.Members(tuple(n for n, name in enumerate(self.table.layout.zone_names) if name in names))

    def _is_of_kind(self, node: m.Named, given: ir.Expr) -> ir.Expr:
        if node.type.name == "thing":
            known = node.kind in self.table.rules.words.kinds
            return self.core.is_of_kind(node.kind, given) if known else make.TRUE
        return ir.Contains(ir.Members(self.table.members(node.kind)), given)


def _argument(number: int) -> ir.Variable:
    """What an argument is called; not by its own name, which is a word of a pack."""
    return ir.Variable(f"a{number}")


def _is_spot(node: m.Expression) -> bool:
    """Whether a pattern names a counter or pieces, and not what a counter points at."""
    return isinstance(node, m.WordRef) or (isinstance(node, m.CounterRef) and node.type.name in {"amount", "counter"})


def _names(word: m.WordRef) -> tuple[str, str]:
    """A kind of pieces, or a pool."""
    return ("", word.name) if word.type == POOL else (word.name, "")
