"""Kernel verbs as Python, made of their descriptions (`verbs.py`).

What asks nobody is written as lines, to be joined with the steps before and after it (`steps.py`). A verb that asks is
an operation of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.python_steps import PythonSteps
from dunerules.dsl.program import Do
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Operation
from dunerules.runtime.verbs import Verbs

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Operations", "Picking"]


@dataclass(frozen=True, slots=True)
class Picking:
    """Things that are picked for a verb: which, how many, and what is then done with them."""

    group: Asked
    amount: Asked | None
    """Nothing for any number."""
    take: Callable[[State, Frame, tuple[int, ...]], Any]


class Operations:
    """Writes `Do` codes: `s` is the state and `f` the frame."""

    def __init__(self, machine: Machine, verbs: Verbs) -> None:
        self.machine = machine
        self.verbs = verbs
        self.python = machine.evaluator.core.python
        self._doing = PythonSteps(self.python, foreseen=False)
        self._foreseeing = PythonSteps(self.python, foreseen=True)
        self._foreseen: dict[int, Operation] = {}
        self._picking: dict[int, Picking] = {}

    def lines(self, code: Do) -> list[str] | None:
        """What a verb does, if it asks nobody. It returns true where something else is to happen before it goes on."""
        steps = self.verbs.steps(code)
        ask = st.asked_in(steps)
        if ask is None:
            return self._doing.lines(steps)
        return self._doing.lines(self._by_chance(steps, ask)) if ask.mode == "random" else None

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
            return self.machine.offer(ask.prompt, after, may=False)
        if ask.kind == "number":
            return self._ask_number(steps, ask, after)
        return self._ask_things(code, ask, self.machine.legality.leaving(code, program, pc, after), after)

    def _ask_number(self, steps: st.Steps, ask: st.Ask, after: int) -> Operation:
        """Pieces, or so much of a counter, of which the seat says how many."""
        machine, (about,) = self.machine, steps
        assert isinstance(about, st.When)
        assert ask.amount is not None
        named = [step for step in about.then[: about.then.index(ask)] if isinstance(step, st.Let)]
        nothing = [] if about.test == make.TRUE else [f"if not {self.python.text(about.test)}: return 0"]
        most = [*nothing, *self._doing.lines(named), f"return {self.python.text(ask.amount)}"]
        ask_most = self.python.source.define("it = -1", *most, takes="s, f")
        do = self._after(steps, ask, self._doing)
        prompt = ask.prompt

        def asking(s: State, f: Frame) -> Any:
            count = ask_most(s, f)
            if count > 0:
                picked = machine.question(s, f, "number", 1, 1, machine.up_to(s, count), prompt)
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
        machine, function = self.machine, self.python.function
        group, zones = function(ask.group, "it"), function(ask.zones, "it")
        amount = function(ask.amount, "it") if ask.amount is not None else None
        exact, verb = ask.mode == "exactly", ask.prompt
        done = self._after(self.verbs.steps(code), ask, self._doing)

        def pick(s: State, f: Frame) -> Any:
            things = group(s, f, -1)
            wanted = len(things) if amount is None else amount(s, f, -1)
            count = min(len(things), wanted)
            if leaves is not None and count == 1 and s.answer is None:
                things = tuple(thing for thing in things if leaves(s, f, thing)) or things
            picked = machine.pick_objects(s, f, things, count if exact else 0, count, verb, wanted, zones(s, f, -1))
            if picked is None:
                return True
            f.pc = after
            return done(s, f, picked)

        return pick

    def _after(self, steps: st.Steps, ask: st.Ask, printed: PythonSteps) -> Callable[..., Any]:
        """What a verb does with what was answered."""
        lines = printed.lines(_without(steps, ask))
        return self.python.source.define("it = -1", *lines, takes=f"s, f, {ask.name}")

    # ---- foreseeing

    def foreseen(self, code: Do) -> Operation:
        """What a verb does on a copy of the game, up to where it asks; false if something it needs is not there."""
        if id(code) not in self._foreseen:
            steps = self.verbs.steps(code)
            ask = st.asked_in(steps)
            lines = self._foreseeing.lines(steps if ask is None else _needed(steps))
            self._foreseen[id(code)] = self.python.source.define("it = -1", *lines, "return True", takes="s, f")
        return self._foreseen[id(code)]

    def picking(self, code: Do) -> Picking:
        """What a verb does on a copy of the game with things that a seat, or chance, picks for it."""
        if id(code) not in self._picking:
            steps = self.verbs.steps(code)
            ask = st.asked_in(steps)
            assert ask is not None
            amount = self.python.function(ask.amount, "it") if ask.amount is not None else None
            take = self._after(tuple(step for step in steps if not isinstance(step, st.Need)), ask, self._foreseeing)
            self._picking[id(code)] = Picking(self.python.function(ask.group, "it"), amount, take)
        return self._picking[id(code)]


def _without(steps: Sequence[st.Step], ask: st.Ask) -> st.Steps:
    """Steps without the question in them."""
    return tuple(
        replace(step, then=_without(step.then, ask)) if isinstance(step, st.When) else step
        for step in steps
        if step is not ask
    )


def _needed(steps: Sequence[st.Step]) -> st.Steps:
    """What steps need that come to a question."""
    return tuple(step for step in steps if isinstance(step, st.Need))
