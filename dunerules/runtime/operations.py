"""Kernel verbs as they are done, made of their descriptions (`verbs.py`).

The steps of what asks nobody are joined with those before and after it (`steps.py`). A verb that asks is an operation
of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.python_steps import PythonSteps
from dunerules.dsl.program import Do
from dunerules.runtime.foreseeing import what_follows
from dunerules.runtime.legality import Legality
from dunerules.runtime.offers import Offers
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation
from dunerules.runtime.verbs import Verbs

__all__ = ["Operations"]


class Operations:
    """Makes what `Do` codes do."""

    def __init__(self, verbs: Verbs, questions: Questions, offers: Offers, legality: Legality) -> None:
        self.verbs = verbs
        self.questions = questions
        self.offers = offers
        self.legality = legality
        self.python = verbs.core.python
        self.doing = PythonSteps(self.python, foreseen=False)

    def steps(self, code: Do) -> st.Steps | None:
        """What a verb does, if it asks nobody."""
        steps = self.verbs.steps(code)
        ask = st.asked_in(steps)
        if ask is None:
            return steps
        return self._by_chance(steps, ask) if ask.mode == "random" else None

    def _by_chance(self, steps: st.Steps, ask: st.Ask) -> st.Steps:
        """The same with chance in place of the seat."""
        assert ask.amount is not None
        picked = ir.Call(self.verbs.functions.at_random, (ask.group, ask.amount))
        return tuple(st.Draw(ask.name, picked) if step is ask else step for step in steps)

    # ---- asking

    def asking(self, code: Do, program: int, pc: int, after: int) -> Operation:
        """The operation of a verb that asks, at a place of a program; `after` is where to go on."""
        steps = self.verbs.steps(code)
        ask = st.asked_in(steps)
        assert ask is not None
        if ask.kind == "move":
            return self.offers.offer(ask.prompt, after, may=False)
        if ask.kind == "number":
            return self._ask_number(steps, ask, after)
        return self._ask_things(code, ask, self.legality.leaving(code, program, pc, after), after)

    def _ask_number(self, steps: st.Steps, ask: st.Ask, after: int) -> Operation:
        """Pieces, or so much of a counter, of which the seat says how many."""
        questions, (about,) = self.questions, steps
        assert isinstance(about, st.When)
        assert ask.amount is not None
        before = about.then[: about.then.index(ask)]
        named: dict[ir.Expr, ir.Expr] = {ir.Variable(each.name): each.of for each in before if isinstance(each, st.Let)}
        most = make.choice(about.test, make.folded(ask.amount, named), make.ZERO)
        ask_most = self.python.function(most)
        do = what_follows(steps, ask, self.doing)
        prompt = ask.prompt

        def asking(s: State, f: Frame) -> Any:
            count = ask_most(s, f)
            if count > 0:
                picked = questions.question(s, f, "number", 1, 1, questions.up_to(s, count), prompt)
                if picked is None:
                    return True
                count = picked[0] if picked else 0
            f.pc = after
            return do(s, f, count)

        return asking

    def _ask_things(
        self, code: Do, ask: st.Ask, leaves: Callable[[State, Frame, int], bool] | None, after: int
    ) -> Operation:
        """Objects that the seat picks, to be moved or looked at. `leaves` says whether one leaves what else the cost
        needs."""
        questions, function = self.questions, self.python.function
        group, zones = function(ask.group, "it"), function(ask.zones, "it")
        amount = function(ask.amount, "it") if ask.amount is not None else None
        exact, verb = ask.mode == "exactly", ask.prompt
        done = what_follows(self.verbs.steps(code), ask, self.doing)

        def pick(s: State, f: Frame) -> Any:
            things = group(s, f, -1)
            wanted = len(things) if amount is None else amount(s, f, -1)
            count = min(len(things), wanted)
            if leaves is not None and count == 1 and s.answer is None:
                things = tuple(thing for thing in things if leaves(s, f, thing)) or things
            picked = questions.pick_objects(s, f, things, count if exact else 0, count, verb, wanted, zones(s, f, -1))
            if picked is None:
                return True
            f.pc = after
            return done(s, f, picked)

        return pick
