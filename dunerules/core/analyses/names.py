"""Which names an expression uses that are given from outside, and whether it looks at its frame."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.core import ir
from dunerules.dsl.walk import parts, walk

__all__ = ["looks_at_frame", "looks_at_slots", "open_names", "pick_variable", "picks"]

_BINDING = (ir.Filter, ir.Some, ir.Printed, ir.Gather)


def open_names(node: ir.Expr) -> frozenset[str]:
    """Variables and picks that an expression uses and does not name itself."""
    return frozenset(_open(node))


def _open(node: ir.Expr) -> Iterator[str]:
    if isinstance(node, ir.Variable):
        yield node.name
    elif isinstance(node, ir.Pick):
        yield pick_variable(node.number)
    elif isinstance(node, _BINDING):
        yield from _open(node.over)
        for part in node.parts if isinstance(node, ir.Gather) else (node.test,):
            yield from (name for name in _open(part) if name != node.variable)
    elif isinstance(node, ir.Given):
        yield from _open(node.of)
        yield from _open(node.otherwise)
        yield from (name for name in _open(node.then) if name != node.name)
    else:
        for part in parts(node):
            yield from _open(part)


def pick_variable(number: int) -> str:
    """What a pick of a move is called."""
    return f"p{number}"


def picks(node: ir.Expr) -> set[int]:
    """Which picks of a move an expression depends on."""
    return {each.number for each in walk(node) if isinstance(each, ir.Pick)}


def looks_at_slots(node: ir.Expr) -> bool:
    """Whether an expression depends on what slots of the frame hold."""
    return any(isinstance(each, ir.Slot) for each in walk(node))


def looks_at_frame(node: ir.Expr) -> bool:
    """Whether an expression depends on the frame it is asked in."""
    return any(isinstance(each, (ir.FramePart, ir.Slot, ir.Frame)) for each in walk(node))
