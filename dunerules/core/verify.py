"""Whether an expression of the core language is sound: kinds fit, names are known, indexes are as many as factors."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.core import ir
from dunerules.core.analyses.kinds import Kind, kind_of
from dunerules.core.analyses.names import open_names
from dunerules.dsl.walk import walk

__all__ = ["UnsoundError", "faults", "verify"]


class UnsoundError(ValueError):
    """An expression that cannot be run."""


def verify(node: ir.Expr, given: frozenset[str] = frozenset()) -> None:
    """Refuse what is not sound. `given` are the names that are known from outside."""
    found = next(faults(node, given), None)
    if found is not None:
        raise UnsoundError(found)


def faults(node: ir.Expr, given: frozenset[str] = frozenset()) -> Iterator[str]:
    """All that is wrong with an expression."""
    for name in sorted(open_names(node) - given):
        yield f"nothing is called `{name}`"
    for each in walk(node):
        for kind, part in _wanted(each):
            if kind_of(part) not in (kind, "any"):
                yield f"{type(each).__name__.lower()} wants a {kind}, not a {kind_of(part)}"
        if isinstance(each, (ir.Read, ir.CellNumber)) and len(each.indexes) != len(each.region.factors):
            yield f"`{each.region.name}` has {len(each.region.factors)} indexes, not {len(each.indexes)}"


def _wanted(node: ir.Expr | ir.Term) -> Iterator[tuple[Kind, ir.Expr]]:
    """The parts of a record, with what each must be."""
    match node:
        case ir.Read() | ir.CellNumber():
            yield from (("number", each) for each in node.indexes)
        case ir.ZoneNumber() if node.index is not None:
            yield "number", node.index
        case ir.Pile():
            yield "number", node.zone
        case ir.Contents():
            yield "group", node.zones
        case ir.Where() | ir.Holder():
            yield "number", node.thing
        case ir.Column():
            yield "number", node.index
        case ir.Term() | ir.Bounded():
            yield "number", node.of
        case ir.Extreme() | ir.Group():
            yield from (("number", each) for each in node.parts)
        case ir.Joined():
            yield from (("group", each) for each in node.parts)
        case ir.Length() | ir.Total() | ir.First() | ir.Anything() | ir.Distinct():
            yield "group", node.of
        case ir.All() | ir.Either():
            yield from (("truth", each) for each in node.parts)
        case ir.Not():
            yield "truth", node.of
        case ir.If():
            yield "truth", node.test
        case ir.Given():
            yield "number", node.of
        case ir.Filter() | ir.Printed() | ir.Some():
            yield "group", node.over
            yield "truth", node.test
        case ir.Gather():
            yield "group", node.over
            yield from (("number", each) for each in node.parts)
