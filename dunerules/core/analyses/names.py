"""Which names an expression uses that are given from outside, and whether it looks at its frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.walk import walk, walk_to

__all__ = ["FRAME", "Known", "looks_at_frame", "needed_names", "open_names", "pick_variable", "picks"]

FRAME = "f"
"""What the frame is called."""

Known: TypeAlias = dict[int, tuple[ir.Expr, set[str]]]
"""By `id` of an expression that names something, which is kept so that no other has the same: what it uses."""

_BINDING = (ir.Filter, ir.Some, ir.Printed, ir.Gather, ir.Related, ir.Over)
_NAMING = frozenset({*_BINDING, ir.Given})
_USING = frozenset({ir.FramePart, ir.Slot, ir.Frame, ir.Switch, ir.Variable, ir.Pick, ir.Once})
"""Records that use a name, apart from what their parts use."""


def open_names(node: ir.Expr, known: Known | None = None) -> set[str]:
    """Variables and picks that an expression uses and does not name itself."""
    return needed_names(node, known) - {FRAME}


def needed_names(node: ir.Expr, known: Known | None = None) -> set[str]:
    """The same, with the frame, if it is looked at. Who asks from inside out may have what is `known` remembered."""
    return _needed(node, {} if known is None else known)


def _needed(node: ir.Expr, known: Known) -> set[str]:
    found: set[str] = set()
    for each in walk_to(node, _NAMING):
        kind = type(each)
        if kind in _NAMING:
            if id(each) not in known:
                known[id(each)] = (each, _of_naming(each, known))
            found |= known[id(each)][1]
        elif kind in _USING:
            found.add(_name(each))
    return found


def _of_naming(node: ir.Expr, known: Known) -> set[str]:
    """What a record uses that gives a name to something inside."""
    if isinstance(node, ir.Given):
        outside = _needed(node.of, known) | _needed(node.otherwise, known)
        return outside | (_needed(node.then, known) - {node.name})
    assert isinstance(node, _BINDING)
    inside = set[str]().union(*(_needed(part, known) for part in _of_each(node)))
    return _needed(node.other if isinstance(node, ir.Related) else node.over, known) | (inside - {node.variable})


def _of_each(node: ir.Filter | ir.Some | ir.Printed | ir.Gather | ir.Related | ir.Over) -> tuple[ir.Expr, ...]:
    """What is asked of each of a group."""
    if isinstance(node, ir.Gather):
        return node.parts
    return (node.of,) if isinstance(node, ir.Over) else (node.test,)


def _name(node: ir.Expr) -> str:
    """What one record uses, without its parts."""
    if isinstance(node, ir.Variable):
        return node.name
    if isinstance(node, ir.Pick):
        return pick_variable(node.number)
    return node.store if isinstance(node, ir.Once) else FRAME


def looks_at_frame(steps: Sequence[st.Step]) -> bool:
    """Whether steps look at their frame for more than who acts, or change it."""
    return any(
        isinstance(each, (ir.Slot, ir.Frame, ir.Switch, st.Put, st.Roll, st.Act))
        or (isinstance(each, ir.FramePart) and each.which != "you")
        for each in walk(tuple(steps))
    )


def pick_variable(number: int) -> str:
    """What a pick of a move is called."""
    return f"p{number}"


def picks(node: ir.Expr) -> set[int]:
    """Which picks of a move an expression depends on."""
    return {each.number for each in walk(node) if isinstance(each, ir.Pick)}
