"""Expressions of packs as Python: built in the core language, printed, compiled. Equal ones share their function."""

from __future__ import annotations

from typing import Any

from dunerules.core import ir
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import rewrite, slot_name
from dunerules.dsl.types import Type
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.table import Compiled, Table

__all__ = ["Evaluator", "numbered"]


def numbered(node: Any, names: tuple[str, ...]) -> Any:
    """A meaning with its named locals as numbered slots, in the order of `names`. They may be about nobody."""
    slots: dict[str, m.Expression] = {}
    for number, name in enumerate(names):
        slots[name] = m.Local(slot_name(number), Type("unknown"), maybe=True)
    return rewrite(node, slots)


class Evaluator:
    """The functions of expressions, for a table."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        self.table = table
        self.modifiers = modifiers
        self.core = Expressions(table, modifiers)
        self._functions: dict[m.Expression, Compiled] = {}
        self._by_id: dict[int, Compiled] = {}

    def function(self, built: ir.Expr) -> Compiled:
        """The function of an expression that is built."""
        return self.core.python.function(built, "it")

    def compile(self, node: m.Expression) -> Compiled:
        """The function of an expression; equal ones share it."""
        found = self._functions.get(node)
        if found is None:
            found = self._functions[node] = self.function(self.core.build(node))
        return found

    def compile_inner(self, node: m.Expression) -> Compiled:
        """The function of an expression that others ask: a slot, a value, a part of a modifier."""
        return self.core.inner(node)

    def compile_lasting(self, node: m.Expression) -> Compiled:
        """The function of an expression of a program, found by which it is; programs live as long as the table."""
        known = self._by_id.get(id(node))
        if known is None:
            known = self._by_id[id(node)] = self.compile(node)
        return known

    def compile_group(self, node: m.Expression) -> Compiled:
        """The function of an expression as a group."""
        return self.function(self.core.group(node))
