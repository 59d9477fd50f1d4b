"""Verbs foreseen: what they do on a copy of the game, and with things that are picked for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.touches import writes
from dunerules.core.python_steps import PythonSteps
from dunerules.dsl.program import Do
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Compiled, Operation
from dunerules.runtime.verbs import Verbs

__all__ = ["Foreseeing", "Foreseen", "Picking", "needed_in", "sides_in", "without"]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A verb on a copy of the game."""

    do: Operation
    """What it does up to where it asks; false if something it needs is not there."""
    ask: st.Ask | None
    picks: bool
    """Whether it makes a difference which things are picked for it, by a seat that must or by chance."""
    sides: Compiled | None
    """Of a die that it throws."""


@dataclass(frozen=True, slots=True)
class Picking:
    """Things that are picked for a verb: which, how many, and what is then done with them."""

    group: Compiled
    amount: Compiled | None
    """Nothing for any number."""
    take: Callable[[State, Frame, tuple[int, ...]], Any]


class Foreseeing:
    """Writes verbs as they are foreseen."""

    def __init__(self, verbs: Verbs) -> None:
        self.verbs = verbs
        self.python = verbs.core.python
        self._foreseeing = PythonSteps(self.python, foreseen=True)
        self._foreseen: dict[int, Foreseen] = {}
        self._picking: dict[int, Picking] = {}

    def foreseen(self, code: Do) -> Foreseen:
        """What a verb does on a copy of the game."""
        known = self._foreseen.get(id(code))
        if known is None:
            steps = self.verbs.steps(code)
            ask, sides = st.asked_in(steps), sides_in(steps)
            do = self._foreseeing.function(steps if ask is None else needed_in(steps))
            must = ask is not None and ask.kind == "thing" and ask.mode in {"exactly", "random", "blind"}
            picks = must and (bool(writes(steps)) or code.slot >= 0)
            thrown = self.python.function(sides, "it") if sides is not None else None
            known = self._foreseen[id(code)] = Foreseen(do, ask, picks, thrown)
        return known

    def picking(self, code: Do) -> Picking:
        """What a verb does on a copy of the game with things that a seat, or chance, picks for it."""
        if id(code) not in self._picking:
            steps = self.verbs.steps(code)
            ask = st.asked_in(steps)
            assert ask is not None
            amount = self.python.function(ask.amount, "it") if ask.amount is not None else None
            plain = tuple(step for step in steps if not isinstance(step, st.Need))
            take = self._foreseeing.function(without(plain, ask), ask.name)
            self._picking[id(code)] = Picking(self.python.function(ask.group, "it"), amount, take)
        return self._picking[id(code)]


def without(steps: Sequence[st.Step], ask: st.Ask) -> st.Steps:
    """Steps without the question in them."""
    return tuple(
        replace(step, then=without(step.then, ask)) if isinstance(step, st.When) else step
        for step in steps
        if step is not ask
    )


def sides_in(steps: st.Steps) -> ir.Expr | None:
    """The sides of a die that some steps throw."""
    names: dict[ir.Expr, ir.Expr] = {}
    for step in steps:
        if isinstance(step, st.Let):
            names[ir.Variable(step.name)] = make.folded(step.of, names)
        elif isinstance(step, st.Roll):
            sides: ir.Expr = make.folded(step.sides, names)
            return sides
    return None


def needed_in(steps: Sequence[st.Step]) -> st.Steps:
    """What steps need that come to a question."""
    return tuple(step for step in steps if isinstance(step, st.Need))
