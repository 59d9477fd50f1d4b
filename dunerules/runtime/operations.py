"""Kernel verbs as they are done, made of their descriptions (`verbs.py`).

The steps of what asks nobody are joined with those before and after it (`steps.py`). A verb that asks begins with its
question.
"""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.python_steps import PythonSteps
from dunerules.dsl.program import Do
from dunerules.runtime.foreseeing import without
from dunerules.runtime.legality import Legality
from dunerules.runtime.offers import Offers
from dunerules.runtime.questions import Questions
from dunerules.runtime.verbs import Verbs

__all__ = ["Operations"]

_PICKED, _THINGS, _WANTED, _COUNT, _MOST = map(ir.Variable, ("picked", "things", "wanted", "count", "most"))


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

    def asking(self, code: Do, program: int, pc: int, after: int) -> st.Steps:
        """A verb that asks, at a place of a program; `after` is where to go on."""
        steps = self.verbs.steps(code)
        ask = st.asked_in(steps)
        assert ask is not None
        if ask.kind == "move":
            return self.offers.offer(ask.prompt, after, may=False)
        if ask.kind == "number":
            asked = self._ask_number(steps, ask)
        else:
            asked = (self._ask_things(ask, self.legality.leaving(code, program, pc, after)),)
        return (*asked, st.Stand(after), *without(steps, ask), st.Go(after))

    def _ask_number(self, steps: st.Steps, ask: st.Ask) -> st.Steps:
        """Pieces, or so much of a counter, of which the seat says how many, `count`."""
        (about,) = steps
        assert isinstance(about, st.When)
        assert ask.amount is not None
        before = about.then[: about.then.index(ask)]
        named: dict[ir.Expr, ir.Expr] = {ir.Variable(each.name): each.of for each in before if isinstance(each, st.Let)}
        most = make.choice(about.test, make.folded(ask.amount, named), make.ZERO)
        numbers = ir.Call(self.questions.numbers_up_to, (_MOST,))
        asked = self.questions.asked((), "number", (make.ONE, make.ONE), numbers, ask.prompt)
        said = ir.If(ir.Anything(_PICKED), ir.Head(_PICKED), make.ZERO)
        return (
            st.Let("most", most),
            st.When(ir.Compare(">", _MOST, make.ZERO), (asked, st.Let("count", said)), (st.Let("count", _MOST),)),
        )

    def _ask_things(self, ask: st.Ask, leaving: ir.Function | None) -> st.Question:
        """Objects that the seat picks, to be moved or looked at: those that leave what else a cost needs."""
        amount = ask.amount if ask.amount is not None else ir.Length(_THINGS)
        before: st.Steps = (
            st.Let("things", ask.group),
            st.Let("wanted", amount),
            st.Let("count", ir.Extreme("least", (ir.Length(_THINGS), _WANTED))),
        )
        if leaving is not None:
            left = ir.Call(leaving, (ir.Frame(), _THINGS))
            before += (st.When(ir.Compare("=", _COUNT, make.ONE), (st.Let("things", left),)),)
        if ask.mode == "blind":
            return self.questions.asked_for_positions(before, _THINGS, _COUNT, ask.prompt)
        low = _COUNT if ask.mode == "exactly" else make.ZERO
        return self.questions.asked_for_things(before, _THINGS, (low, _COUNT), ask.prompt, _WANTED, ask.zones)
