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
_USING = frozenset({ir.FramePart, ir.Slot, ir.Frame, ir.Switch, ir.Variable, ir.Pick, ir.Once})
"""Records that use a name, apart from what their parts use."""


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
    elif isinstance(node, ir.Given):
        _gather(node.of, found)
        _gather(node.otherwise, found)
        found |= needed_names(node.then) - {node.name}
    else:
        inside = walk(node)
        kinds = set(map(type, inside))
        if not kinds.isdisjoint(_NAMING):
            inside = [node]
            for part in parts(node):
                _gather(part, found)
        if not kinds.isdisjoint(_USING):
            found.update(_name(each) for each in inside if type(each) in _USING)


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
