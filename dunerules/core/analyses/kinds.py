"""What an expression is: a number, a truth, a word, or a group; anything, where only play can tell."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dunerules.core import ir

__all__ = ["Kind", "is_group", "kind_of"]

Kind: TypeAlias = Literal["number", "truth", "text", "group", "any"]

_KINDS: dict[type, Kind] = {
    ir.Number: "number", ir.CellNumber: "number", ir.Read: "number", ir.ZoneNumber: "number", ir.Where: "number",
    ir.Holder: "number", ir.Arithmetic: "number", ir.Bounded: "number", ir.Extreme: "number", ir.Length: "number",
    ir.Total: "number", ir.First: "number", ir.FramePart: "number",
    ir.Truth: "truth", ir.Compare: "truth", ir.Not: "truth", ir.All: "truth", ir.Either: "truth",
    ir.Anything: "truth", ir.Contains: "truth", ir.Some: "truth",
    ir.Text: "text",
    ir.Members: "group", ir.Pile: "group", ir.Joined: "group", ir.Contents: "group", ir.Group: "group",
    ir.AsGroup: "group", ir.Gather: "group", ir.Filter: "group", ir.Printed: "group", ir.Distinct: "group",
}  # fmt: skip


def kind_of(node: ir.Expr) -> Kind:
    """What an expression is."""
    if isinstance(node, ir.Column):
        values = node.table.values
        return "group" if any(isinstance(each, (tuple, frozenset)) for each in values) else "any"
    if isinstance(node, (ir.If, ir.Given)):
        then, otherwise = kind_of(node.then), kind_of(node.otherwise)
        return then if then == otherwise else "any"
    return _KINDS.get(type(node), "any")


def is_group(node: ir.Expr) -> bool:
    """Whether an expression is surely a group."""
    return kind_of(node) == "group"
