"""Whether an expression is about nothing but what never changes."""

from __future__ import annotations

from collections.abc import Collection

from dunerules.core import ir
from dunerules.dsl.walk import walk

__all__ = ["is_constant", "is_fact"]

_CONSTANT = (ir.Number, ir.Truth, ir.Text, ir.Members)
_UNCHANGING = (
    *_CONSTANT, ir.Column, ir.Compare, ir.Contains, ir.Not, ir.All, ir.Either, ir.If, ir.Anything, ir.Arithmetic,
    ir.Extreme, ir.Length, ir.AsGroup,
)  # fmt: skip


def is_constant(node: ir.Expr) -> bool:
    """Whether an expression is known."""
    return isinstance(node, _CONSTANT)


def is_fact(node: ir.Expr, given: Collection[ir.Expr]) -> bool:
    """Whether an expression depends on nothing but some variables or picks, and on what never changes."""
    return all(isinstance(each, _UNCHANGING) or each in given for each in walk(node))
