"""Which names an expression uses that are given from outside, and whether it looks at its frame."""

from __future__ import annotations

from collections.abc import Sequence

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.walk import parts, walk

__all__ = ["FRAME", "looks_at_frame", "needed_names", "open_names", "pick_variable", "picks"]

FRAME = "f"
"""What the frame is called."""

_BINDING = (ir.Filter, ir.Some, ir.Printed, ir.Gather, ir.Related)
_NAMING = frozenset({*_BINDING, ir.Given})
_FRAME = frozenset({ir.FramePart, ir.Slot, ir.Frame, ir.Switch})


def open_names(node: ir.Expr) -> set[str]:
    """Variables and picks that an expression uses and does not name itself."""
    return needed_names(node) - {FRAME}


def needed_names(node: ir.Expr) -> set[str]:
    """The same, with the frame, if it is looked at."""
    found: set[str] = set()
    _gather(node, found)
    return found


def _gather(node: ir.Expr, found: set[str]) -> None:
    if isinstance(node, _BINDING):
        inner: set[str] = set()
        for part in node.parts if isinstance(node, ir.Gather) else (node.test,):
            _gather(part, inner)
        _gather(node.other if isinstance(node, ir.Related) else node.over, found)
        found |= inner - {node.variable}
        return
    if isinstance(node, ir.Given):
        _gather(node.of, found)
        _gather(node.otherwise, found)
        found |= needed_names(node.then) - {node.name}
        return
    nodes = walk(node)
    if any(type(each) in _NAMING for each in nodes):
        _note(node, found)
        for part in parts(node):
            _gather(part, found)
    else:
        for each in nodes:
            _note(each, found)


def _note(node: ir.Expr, found: set[str]) -> None:
    """What one record uses, without its parts."""
    if type(node) in _FRAME:
        found.add(FRAME)
    elif isinstance(node, ir.Variable):
        found.add(node.name)
    elif isinstance(node, ir.Pick):
        found.add(pick_variable(node.number))
    elif isinstance(node, ir.Once):
        found.add(node.store)


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
