"""Slots: what locals become in a program, and what may stand for nobody, nothing or nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dunerules.dsl import meaning as m

__all__ = ["may_be_none", "pick_name", "rewrite", "slot_name", "slot_number"]


def slot_name(number: int) -> str:
    """How a slot is called inside a lowered expression."""
    return f"#{number}"


def pick_name(number: int) -> str:
    """How a pick of a move is called inside an expression, while moves are listed."""
    return f"={number}"


def slot_number(local: m.Local) -> int:
    """The slot, or pick, that a lowered local stands for."""
    return int(local.name[1:])


_SINGLE = frozenset({"seat", "place", "label", "thing"})


def may_be_none(node: m.Expression) -> bool:
    """Whether an expression may stand for nobody, nothing or nowhere."""
    if node.type.many or node.type.name not in _SINGLE:
        return False
    if isinstance(node, m.Local):
        return node.maybe
    if isinstance(node, m.Special):
        return node.which == "here"
    if isinstance(node, m.If):
        return may_be_none(node.then) or may_be_none(node.otherwise)
    return isinstance(node, (m.CounterRef, m.FieldRef, m.ValueRef, m.Nothing))


def rewrite(node: Any, names: Mapping[str, m.Expression]) -> Any:
    """An expression with its locals replaced: by slots, or by the arguments of the verb being written out."""
    if isinstance(node, m.Local):
        found = names.get(node.name, node)
        # a slot has the type of what it stands for
        return replace(found, type=node.type) if isinstance(found, m.Local) else found
    if isinstance(node, m.Quantity) and isinstance(node.amount, m.Local):
        given = names.get(node.amount.name)
        if isinstance(given, m.Quantity):
            return given  # `move n ...` inside a verb that was called with `up to 2`
    if type(node) is tuple:
        return tuple(rewrite(part, names) for part in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changes = {}
    for each in fields(node):
        before = getattr(node, each.name)
        if each.name not in {"span", "name_span", "type"}:
            after = rewrite(before, names)
            if after is not before and after != before:
                changes[each.name] = after
    return replace(node, **changes) if changes else node
