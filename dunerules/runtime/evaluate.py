"""Expressions of packs as Python: built in the core language, printed, compiled. Equal ones share their function."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.costs import may_nest
from dunerules.core.analyses.facts import is_fact
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import rewrite, slot_name
from dunerules.dsl.types import Type
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.limits import guarded
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.surroundings import OFTEN
from dunerules.runtime.table import Asked, Table

__all__ = ["Evaluator", "numbered"]

_IT = (ir.Variable("it"),)


def numbered(node: Any, names: tuple[str, ...]) -> Any:
    """A meaning with its named locals as numbered slots, in the order of `names`. They may be about nobody."""
    slots: dict[str, m.Expression] = {}
    for number, name in enumerate(names):
        slots[name] = m.Local(slot_name(number), Type("unknown"), maybe=True)
    return rewrite(node, slots)


class Evaluator:
    """The functions and the text of expressions, for a table."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        self.table = table
        self.modifiers = modifiers
        self.core = Expressions(table, modifiers)
        self.source = self.core.python.source
        self.print = self.core.python.text
        self._functions: dict[m.Expression, Asked] = {}
        self._texts: dict[m.Expression, str] = {}
        self._by_id: dict[int, Asked] = {}

    # ---- functions

    def compile(self, node: m.Expression) -> Asked:
        """The function of an expression; equal ones share it."""
        found = self._functions.get(node)
        if found is None:
            found = self._functions[node] = self.core.python.function(self.core.build(node), "it")
        return found

    def compile_inner(self, node: m.Expression) -> Asked:
        """The function of an expression that others ask: a slot, a value, a part of a modifier."""
        built = self.core.build(node, OFTEN)
        asked = self.core.python.function(built, "it")
        return guarded(asked) if may_nest(built) else asked

    def compile_lasting(self, node: m.Expression) -> Asked:
        """The function of an expression of a program, found by which it is; programs live as long as the table."""
        known = self._by_id.get(id(node))
        if known is None:
            known = self._by_id[id(node)] = self.compile(node)
        return known

    def ask_group(self, node: m.Expression) -> Asked:
        """The function of an expression as a group."""
        return self.core.python.function(self.core.group(node), "it")

    # ---- text

    def text(self, node: m.Expression) -> str:
        """An expression as Python."""
        found = self._texts.get(node)
        if found is None:
            found = self._texts[node] = self.print(self.core.build(node))
        return found

    def group(self, node: m.Expression) -> str:
        """An expression as a group, though it may stand for one thing, or none."""
        return self.print(self.core.group(node))

    def argument(self, node: m.Expression) -> str:
        """What is given to a procedure: a zone is given by its numbers, all else by what it is."""
        return self.print(self.core.argument(node))

    def declared(self, node: m.Expression) -> str:
        """What something is a copy of."""
        return self.print(self.core.declared(node))

    def sure(self, nodes: Iterable[m.Expression | None]) -> list[str]:
        """What must hold so that none of these is nobody, nothing or nowhere."""
        test = self.core.sure(nodes)
        return [] if test == make.TRUE else [self.print(test)]

    def cell(self, node: m.CounterRef) -> str:
        """The number of the cell a counter stands for."""
        return self.print(self.core.cell(node))

    def zone_numbers(self, node: m.Expression) -> str:
        """The numbers of the zones an expression names."""
        return self.print(self.core.zone_numbers(node))

    # ---- what is known beforehand

    def settled(self, node: m.Expression) -> bool | None:
        """Whether a condition holds, if that is known before play."""
        built = self.core.build(node)
        return built.value if isinstance(built, ir.Truth) else None

    def is_printed(self, node: m.Expression) -> bool:
        """Whether a condition is about nothing but what is printed on its candidate, so that it never changes."""
        return is_fact(self.core.build(node), _IT)
