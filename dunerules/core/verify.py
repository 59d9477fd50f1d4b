"""Whether the core language is sound: kinds fit, names are known, what is written stays in bounds, and steps end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.bounds import bounds
from dunerules.core.analyses.kinds import kind_of
from dunerules.core.analyses.names import open_names
from dunerules.dsl.walk import parts, walk

__all__ = ["UnsoundError", "faults", "faults_in_steps", "faults_of_slots", "verify"]

Wanted: TypeAlias = Sequence[tuple[ir.Kind, ir.Expr]]
"""Parts of a record, with what each must be."""

_NAMING = (st.Let, st.Draw, st.Ask, st.Store, st.Question)


class UnsoundError(ValueError):
    """An expression that cannot be run."""


def verify(node: ir.Expr, given: frozenset[str] = frozenset()) -> None:
    """Refuse what is not sound. `given` are the names that are known from outside."""
    found = next(faults(node, given), None)
    if found is not None:
        raise UnsoundError(found)


# ---- expressions


def faults(node: ir.Expr, given: frozenset[str] = frozenset()) -> Iterator[str]:
    """All that is wrong with an expression."""
    for name in sorted(open_names(node) - given):
        yield f"nothing is called `{name}`"
    for each in walk(node):
        wanted = _wanted(each)
        if wanted:
            yield from _misfits(each, wanted)
        if isinstance(each, (ir.Read, ir.CellNumber)) and len(each.indexes) != len(each.region.factors):
            yield f"`{each.region.name}` has {len(each.region.factors)} indexes, not {len(each.indexes)}"


def _misfits(record: object, wanted: Iterable[tuple[ir.Kind, ir.Expr]]) -> Iterator[str]:
    """Parts of a record that are of another kind than they must be."""
    for kind, part in wanted:
        found = kind_of(part)
        if found not in (kind, "any"):
            yield f"{type(record).__name__.lower()} wants a {kind}, not a {found}"


def _wanted(node: ir.Expr | ir.Term) -> Wanted:
    """The parts of a record, with what each must be."""
    parts_of = _PARTS.get(type(node))
    return parts_of(node) if parts_of is not None else ()


def _all(kind: ir.Kind, nodes: Iterable[ir.Expr]) -> Wanted:
    return [(kind, each) for each in nodes]


def _parts_of_zone(node: ir.ZoneNumber) -> Wanted:
    return [("number", node.index)] if node.index is not None else []


_PARTS: dict[type, Callable[[Any], Wanted]] = {
    **dict.fromkeys((ir.Read, ir.CellNumber), lambda node: _all("number", node.indexes)),
    ir.ZoneNumber: _parts_of_zone,
    ir.Held: lambda node: [("number", node.cell)],
    ir.Pile: lambda node: [("number", node.zone)],
    ir.Contents: lambda node: [("group", node.zones)],
    **dict.fromkeys((ir.Where, ir.Holder), lambda node: [("number", node.thing)]),
    **dict.fromkeys((ir.Column, ir.Switch), lambda node: [("number", node.index)]),
    **dict.fromkeys((ir.Term, ir.Bounded, ir.Bit, ir.Given), lambda node: [("number", node.of)]),
    **dict.fromkeys((ir.Extreme, ir.Group), lambda node: _all("number", node.parts)),
    ir.Difference: lambda node: _all("number", (node.left, node.right)),
    ir.Joined: lambda node: _all("group", node.parts),
    **dict.fromkeys(
        (ir.Length, ir.Total, ir.First, ir.Anything, ir.Distinct, ir.Head, ir.Tail, ir.Reversed, ir.Lying),
        lambda node: [("group", node.of)],
    ),
    ir.Leading: lambda node: [("group", node.of), ("number", node.count)],
    **dict.fromkeys((ir.All, ir.Either), lambda node: _all("truth", node.parts)),
    ir.Holding: lambda node: _all("truth", node.tests),
    ir.Not: lambda node: [("truth", node.of)],
    ir.If: lambda node: [("truth", node.test)],
    ir.Once: lambda node: [("number", node.key)],
    **dict.fromkeys(
        (ir.Filter, ir.Printed, ir.Some, ir.Related), lambda node: [("group", node.over), ("truth", node.test)]
    ),
    ir.Over: lambda node: [("group", node.over), ("number", node.of)],
    ir.Gather: lambda node: [("group", node.over), *_all("number", node.parts)],
}
"""By kind of record: the parts that must be of some kind."""


# ---- steps


def faults_in_steps(steps: Sequence[st.Step], given: frozenset[str] = frozenset(), places: int = -1) -> Iterator[str]:
    """All that is wrong with steps. `places` is how many a program has that they are the whole of one part of: they
    leave it at one of these, and wherever something else may happen first they have said at which."""
    yield from _Steps(places).faults(steps, given)
    if places >= 0 and not (steps and _ends(steps[-1])):
        yield "steps that do not say where the program goes on"


class _Steps:
    """Goes through steps in order."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.stands = places < 0
        """Whether it is said where the program goes on."""
        self.clamped: dict[str, tuple[int, int]] = {}

    def faults(self, steps: Sequence[st.Step], known: frozenset[str]) -> Iterator[str]:
        for number, step in enumerate(steps):
            inside = _named(step.before) if isinstance(step, st.Question) else frozenset()
            for part in _expressions(step):
                yield from faults(part, known | inside)
            yield from self._of(step, known)
            if isinstance(step, _NAMING):
                known |= {step.name}
                self.clamped.pop(step.name, None)
            elif isinstance(step, st.When):
                known |= _named_either_way(step)
            if isinstance(step, st.ENDS) and number < len(steps) - 1:
                yield f"nothing comes after {type(step).__name__.lower()}"

    def _of(self, step: st.Step, known: frozenset[str]) -> Iterator[str]:
        yield from _misfits(step, _wanted_by_step(step))
        match step:
            case st.When():
                yield from self.faults(step.then, known)
                yield from self.faults(step.otherwise, known)
            case st.For():
                yield from self.faults(step.steps, known | {step.name})
            case st.Counted():
                yield from self.faults(step.steps, known)
            case st.Question():
                yield from self.faults(step.before, known)
            case st.Follow():
                yield from (f"there is no place {each}" for each in step.places if not self._is_place(each))
            case st.Clamp():
                self.clamped[step.name] = (step.low, step.high)
            case st.Write():
                yield from self._written(step)
            case st.Stand() | st.Go():
                self.stands = True
                if not self._is_place(step.place):
                    yield f"there is no place {step.place}"
            case st.React() | st.Replace() if not self.stands:
                yield f"{type(step).__name__.lower()} where it is not said how the program goes on"

    def _is_place(self, place: int) -> bool:
        return self.places < 0 or 0 <= place <= self.places

    def _written(self, step: st.Write) -> Iterator[str]:
        """What goes into a cell must be kept within what the cell may hold, unless that is a sum of cells."""
        value, region = step.value, step.region
        low, high = bounds(value)
        if isinstance(value, ir.Variable):
            low, high = self.clamped.get(value.name, (low, high))
        elif not isinstance(value, ir.Number):
            return
        if low < region.low or high > region.high:
            yield f"`{region.name}` holds {region.low} to {region.high}, not {low} to {high}"


def _wanted_by_step(step: st.Step) -> Iterator[tuple[ir.Kind, ir.Expr]]:
    """The parts of a step, with what each must be."""
    match step:
        case st.For():
            yield "group", step.over
        case st.Carry():
            yield "group", step.things
            yield "number", step.zone
            yield from (("number", each) for each in (step.at, step.by) if each is not None)
        case st.Know():
            yield "group", step.things
        case st.Shuffle():
            yield "group", step.zones
        case st.Write():
            yield from (("number", each) for each in (step.cell, step.value))
        case st.Roll():
            yield "number", step.sides
        case st.Act():
            yield "number", step.seat
        case st.Need():
            yield "truth", step.test
        case st.Win():
            yield "group", step.seats


def faults_of_slots(parts_of_program: Iterable[st.Steps]) -> Iterator[str]:
    """Slots of a program that hold things of more than one kind."""
    kinds: dict[int, set[ir.Kind]] = {}
    for each in walk(tuple(parts_of_program)):
        if isinstance(each, ir.Slot):
            kinds.setdefault(each.number, set()).add(each.kind)
        elif isinstance(each, st.Put):
            kinds.setdefault(each.slot, set()).add(kind_of(each.value))
    for slot, found in kinds.items():
        if len(found - {"any"}) > 1:
            yield f"slot {slot} holds {' and '.join(sorted(found - {'any'}))}"


def _expressions(step: st.Step) -> list[ir.Expr]:
    """The expressions that stand directly in a step."""
    return [each for each in parts(step) if not isinstance(each, (*st.STEPS, st.Limit))]


def _named_either_way(step: st.When) -> frozenset[str]:
    """The names that are given whichever steps are done, as far as any come after them."""
    going_on = [body for body in (step.then, step.otherwise) if not (body and isinstance(body[-1], st.ENDS))]
    return frozenset.intersection(*map(_named, going_on)) if going_on else frozenset()


def _ends(step: st.Step) -> bool:
    """Whether it is said, after a step, where the program goes on."""
    if isinstance(step, st.When):
        return all(body and _ends(body[-1]) for body in (step.then, step.otherwise))
    return isinstance(step, (st.Stand, *st.ENDS))


def _named(steps: Sequence[st.Step]) -> frozenset[str]:
    """The names that steps give for sure."""
    return frozenset(each.name for each in steps if isinstance(each, _NAMING))
