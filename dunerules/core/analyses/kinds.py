"""What an expression is: a number, a truth, a word, or a group; anything, where only play can tell."""

from __future__ import annotations

from dunerules.core import ir

__all__ = ["is_group", "kind_of"]

_NUMBERS = (
    ir.Number, ir.CellNumber, ir.Read, ir.ZoneNumber, ir.Where, ir.Holder, ir.Arithmetic, ir.Bounded, ir.Extreme,
    ir.Length, ir.Over, ir.Total, ir.Held, ir.Difference, ir.First, ir.Head, ir.FramePart,
)  # fmt: skip
_TRUTHS = (
    ir.Truth, ir.Compare, ir.Not, ir.All, ir.Either, ir.Anything, ir.Contains, ir.Some, ir.Bit,
)  # fmt: skip
_GROUPS = (
    ir.Members, ir.Pile, ir.Joined, ir.Contents, ir.Group, ir.AsGroup, ir.Gather, ir.Filter, ir.Printed, ir.Distinct,
    ir.Leading, ir.Reversed, ir.Lying, ir.Tail, ir.Holding, ir.Related,
)  # fmt: skip
_KINDS: dict[type, ir.Kind] = {
    **dict.fromkeys(_NUMBERS, "number"), **dict.fromkeys(_TRUTHS, "truth"), **dict.fromkeys(_GROUPS, "group"),
    ir.Text: "text",
}  # fmt: skip


def kind_of(node: ir.Expr) -> ir.Kind:
    """What an expression is."""
    if isinstance(node, ir.Column):
        return "group" if node.table.has_groups else "any"
    if isinstance(node, ir.Call):
        return "group" if node.function.group else "any"
    if isinstance(node, ir.Slot):
        return node.kind
    if isinstance(node, ir.Once):
        return kind_of(node.of)
    if isinstance(node, (ir.If, ir.Given)):
        then, otherwise = kind_of(node.then), kind_of(node.otherwise)
        return then if then == otherwise else "any"
    return _KINDS.get(type(node), "any")


def is_group(node: ir.Expr) -> bool:
    """Whether an expression is surely a group."""
    return kind_of(node) == "group"
