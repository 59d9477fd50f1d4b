"""Kernel verbs at a table, each as the steps that `kernel/verbs/` describes it by.

How it is done, how it is foreseen and what it takes to be possible are all read off these steps.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.types import MOVES
from dunerules.kernel.bench import Bench, Functions
from dunerules.kernel.registry import DESCRIPTIONS, FACTS
from dunerules.kernel.things import looked_in
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.surroundings import Surroundings

__all__ = ["Verbs", "group_offered", "slot_run"]


class Verbs:
    """Describes what verbs do at a table."""

    def __init__(self, core: Expressions, abilities: Abilities, functions: Functions) -> None:
        self.core = core
        self.table = core.table
        self.functions = functions
        self._bench = Bench(
            core, self.table.rules.words, self.table.seats, abilities.hears, abilities.is_waited_for, functions
        )
        self._steps: dict[int, tuple[p.Do, st.Steps]] = {}
        """By `id` of the code, which is kept so that no other has the same."""

    def at(self, around: Surroundings) -> Verbs:
        """The same descriptions, in other surroundings."""
        other = copy(self)
        other.core, other._steps = self.core.at(around), {}
        other._bench = replace(self._bench, core=other.core)
        return other

    def steps(self, code: p.Do) -> st.Steps:
        """What a verb does."""
        known = self._steps.get(id(code))
        if known is None:
            found = tuple(DESCRIPTIONS[code.verb](self._bench, code))
            known = self._steps.setdefault(id(code), (code, found))  # another thread may have been first
        return known[1]

    def looked_in(self, node: m.Expression | None) -> ir.Expr:
        """The zones that objects are picked from, if any are named."""
        return looked_in(self.core, node)


def slot_run(code: p.Code) -> m.SlotRef | None:
    """The slot that a code runs on its own object, if that is what it does."""
    if not isinstance(code, p.Do) or FACTS[code.verb].runs != "there":
        return None
    return next((value for _, value in code.arguments if isinstance(value, m.SlotRef)), None)


def group_offered(code: p.Code) -> str:
    """The group of moves that a code offers, if that is what it does."""
    given = (value for _, value in code.arguments) if isinstance(code, p.Do) else ()
    return next((value.name for value in given if isinstance(value, m.WordRef) and value.type == MOVES), "")
