"""What takes time: expressions that go through groups or call functions, and those that may be asked twice."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.dsl.walk import parts, walk

__all__ = ["is_cheap", "is_leaf", "may_nest", "takes_time"]

_LEAVES = (ir.Number, ir.Truth, ir.Text, ir.Members, ir.Slot, ir.Pick, ir.FramePart, ir.Variable)
_LONG = frozenset({
    ir.Filter, ir.Some, ir.Printed, ir.Gather, ir.Contents, ir.Over, ir.Total, ir.Distinct, ir.Switch, ir.Holding,
    ir.Call,
})  # fmt: skip
_NESTING = frozenset({ir.Switch, ir.Call})


def is_leaf(node: ir.Expr) -> bool:
    """Whether an expression has no parts."""
    return isinstance(node, _LEAVES)


def is_cheap(node: ir.Expr) -> bool:
    """Whether asking an expression again costs next to nothing."""
    return is_leaf(node) or (
        isinstance(node, (ir.Read, ir.Column, ir.Where, ir.Holder)) and all(map(is_leaf, parts(node)))
    )


def takes_time(node: ir.Expr) -> bool:
    """Whether it may take long to ask an expression."""
    return not _LONG.isdisjoint(map(type, walk(node)))


def may_nest(node: ir.Expr) -> bool:
    """Whether an expression may come to ask other values and slots, perhaps without end."""
    nesting = [each for each in walk(node) if type(each) in _NESTING]
    return any(not isinstance(each, ir.Call) or each.function.nested for each in nesting)
