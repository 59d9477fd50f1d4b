"""Legality: whether something can be done, read off the descriptions of what is done.

Where no step changes what a later one needs, that is one condition about the state as it is. Where steps have to do
with each other they are tried on a copy (`trial.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.needs import needs
from dunerules.core.analyses.touches import EVERYTHING, meet, reads, writes
from dunerules.core.steps import asked_in
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.walk import walk
from dunerules.runtime.limits import guarded
from dunerules.runtime.programs import Programs
from dunerules.runtime.state import Frame, State
from dunerules.runtime.surroundings import FRAME, Surroundings
from dunerules.runtime.trial import ENDING, NOT_FORESEEN, Trial, is_whole_if
from dunerules.runtime.verbs import Verbs, slot_run

__all__ = ["FREE", "Legality", "Test"]

Test: TypeAlias = Callable[[State, Frame], bool]
"""Whether something can be done. Slots of the frame may be written to."""

_PASSED_OVER = (p.Instead, p.Emit)
"""Codes that give nothing up."""


def _free(s: State, f: Frame) -> bool:
    return True


FREE: Test = _free
"""The test of what gives nothing up."""


class Legality:
    """Judges code without running it. What code asks is found out once."""

    def __init__(self, programs: Programs, verbs: Verbs, trial: Trial) -> None:
        self.programs = programs
        self.verbs = verbs
        self.table = verbs.table
        self.trial = trial
        self._ranges: dict[tuple[int, int, int], Test] = {}

    def able(self, program: int, start: int, end: int, *, option: bool = False) -> ir.Expr:
        """Whether everything that must be given up between two places of a program can be, asked in its frame.

        What is an `option` must also do something: an `if` that does not hold, and nothing else, is none.
        """
        condition = self.condition(self.programs.all[program].code, start, end)
        if condition is not None:
            return condition
        possible = self.trial.possible

        def tried(s: State, f: Frame) -> bool:
            frame = Frame(program, f.you, f.owner, f.this, f.here, f.slots[:])
            return possible(s, frame, program, start, end, option=option)

        means = ("possible", program, start, end, option)
        return ir.Call(ir.Function("possible", tried, means=means), (ir.Frame(),))

    def program(self, program: int) -> Test:
        """The test of a whole program, in a frame of its own."""
        return self._range(program, 0, len(self.programs.all[program].code)) if program >= 0 else FREE

    def _range(self, program: int, start: int, end: int) -> Test:
        test = self._ranges.get((program, start, end))
        if test is None:
            condition = self.condition(self.programs.all[program].code, start, end)
            if condition is None:
                test = self._tried(program, start, end)
            else:
                test = FREE if condition == make.TRUE else self.verbs.core.python.function(condition)
            self._ranges[program, start, end] = test
        return test

    def _tried(self, program: int, start: int, end: int) -> Test:
        return lambda s, f: self.trial.possible(s, f, program, start, end)

    # ---- one condition for many steps

    def condition(
        self, code: tuple[p.Code, ...], start: int = 0, end: int = -1, around: Surroundings = FRAME
    ) -> ir.Expr | None:
        """What must hold so that code can be done; nothing if a step changes what a later one needs."""
        verbs = self.verbs if around is FRAME else self.verbs.at(around)
        return _Straight(self, verbs, code).condition(start, len(code) if end < 0 else end)

    def needs(self, code: p.Do, verbs: Verbs) -> ir.Expr | None:
        """What must hold so that one verb can do all it says; nothing if that cannot be said in one condition."""
        ref, core = slot_run(code), verbs.core
        if ref is None:
            return needs(verbs.steps(code))
        if ref.object.type.many:
            return None  # what one of them takes the next one may need
        thing = core.build(ref.object)
        if isinstance(thing, ir.Number) and ref.object.type.name == "place":
            found = self._of_place(core.program(ref), thing, core.around)
            if found is not None:
                return found
        inner = ir.Call(self._inner(ref), (core.around.you, thing, core.around.here))
        return make.any_of((make.compare("<", core.program(ref), make.ZERO), inner))

    def _of_place(self, program: ir.Expr, place: ir.Number, around: Surroundings) -> ir.Expr | None:
        """The condition of what is in a slot of a place that is known."""
        assert isinstance(program, ir.Number)
        if program.value < 0:
            return make.TRUE
        code = self.programs.all[program.value].code
        if any(slot_run(each) is not None for each in code):
            return None  # it may come back to itself
        you = around.you
        return self.condition(code, around=Surroundings(you, you, place, place, make.NOTHING, quiet=around.quiet))

    def _inner(self, ref: m.SlotRef) -> ir.Function:
        """The test of what is in a slot of something, in a frame that stands there."""
        column = self.table.programs_of(ref.slot, ref.object.type.name)
        is_place = ref.object.type.name == "place"

        @guarded
        def test(s: State, you: int, number: int, here: int) -> bool:
            inner = self.program(column[number])
            if inner is FREE:
                return True
            program = column[number]
            slots = [0] * self.programs.all[program].slots
            return inner(s, Frame(program, you, you, number, number if is_place else here, slots))

        means = ("slot possible", ref.slot, ref.object.type.name)
        return ir.Function(f"{ref.slot} possible", test, nested=True, means=means)

    # ---- picks of a cost

    def leaving(self, code: p.Do, program: int, pc: int, after: int) -> ir.Function | None:
        """Those things that can be picked for a step of a cost so that the rest can still be paid; all, if none can.
        Nothing if that makes no difference."""
        quantity = dict(code.arguments)["n"]
        single = isinstance(quantity, m.Quantity) and quantity.mode == "exactly"
        if not (code.paid and single and writes(self.verbs.steps(code))):
            return None
        codes = self.programs.all[program].code
        arrows = [each.paid for at, each in enumerate(codes) if isinstance(each, p.Arrow) and at < pc < each.paid]
        end = min(arrows, default=len(codes))
        if self._range(program, after, end) is FREE:
            return None
        possible = self.trial.possible_after

        def leaving(s: State, f: Frame, things: tuple[int, ...]) -> tuple[int, ...]:
            return tuple([thing for thing in things if possible(s, f, program, pc, (thing,), end)]) or things

        return ir.Function("leaving", leaving, group=True, means=("leaving", program, pc, end))

    # ---- bodies that would do nothing

    def idle(self, code: tuple[p.Code, ...], start: int, end: int, around: Surroundings = FRAME) -> ir.Expr:
        """Whether a body has nothing to do now: it is an `if` that does not hold, or runs a slot that is not there."""
        first, core = code[start], self.verbs.core
        if isinstance(first, p.Unless) and is_whole_if(code, start, end):
            held = self.idle(code, start + 1, first.to - 1, around)
            other = self.idle(code, first.to, end, around) if first.to < end else make.TRUE
            return make.choice(core.build(first.condition, around), held, other)
        ref = slot_run(first)
        if ref is None or start + 1 < end:
            return make.FALSE
        return make.FALSE if ref.object.type.many else make.compare("<", core.program(ref, around), make.ZERO)


class _Straight:
    """Straight code, from one step to the next: what was needed, what was changed, and what slots hold by now."""

    def __init__(self, legality: Legality, verbs: Verbs, code: tuple[p.Code, ...]) -> None:
        self.legality = legality
        self.verbs = verbs
        self.code = code
        self.found: list[ir.Expr] = []
        self.written: frozenset[str] = frozenset()
        self.slots: dict[ir.Expr, ir.Expr] = {}
        self.unknown: set[ir.Expr] = set()
        """Slots whose contents are known only when it is done."""
        self.picked = False
        """Whether a seat, or chance, picks something on the way: there are many ways to go on then, which are tried."""

    def condition(self, start: int, end: int) -> ir.Expr | None:
        """What must hold so that the code between two places can be done."""
        pc = start
        while pc < end:
            each, pc = self.code[pc], pc + 1
            if isinstance(each, NOT_FORESEEN) or (isinstance(each, p.Do) and each.verb in ENDING):
                break
            if isinstance(each, p.Do):
                if not self._do(each):
                    return None
            elif isinstance(each, p.Assign):
                self._assign(each)
            elif isinstance(each, p.Arrow) and each.chosen and each.end >= end:  # it needs its cost
                end = each.paid
            elif isinstance(each, p.Choose):
                one = None if self.found or self.written else self._one_of(each)
                if one is None:
                    return None
                self.found.append(one)
                pc = each.end
            elif not isinstance(each, _PASSED_OVER):
                return None
        return make.all_of(self.found)

    def _do(self, code: p.Do) -> bool:
        """Take note of what a verb needs and changes; false if an earlier step has changed it."""
        needed = self.legality.needs(code, self.verbs)
        if needed is None:
            return False
        needed = make.folded(needed, self.slots)
        if needed != make.TRUE:
            if self.picked or self._depends(needed):
                return False
            self.found.append(needed)
        if slot_run(code) is not None:
            self.written = frozenset({EVERYTHING})
        else:
            ask = asked_in(self.verbs.steps(code))
            self.picked = self.picked or (ask is not None and ask.kind == "thing")
            self.written |= writes(self.verbs.steps(code))
        if code.slot >= 0:
            self._forget(ir.Slot(code.slot))
        return True

    def _assign(self, code: p.Assign) -> None:
        slot, value = ir.Slot(code.slot), make.folded(self.verbs.core.build(code.value), self.slots)
        if self._depends(value):
            self._forget(slot)
        else:
            self.unknown.discard(slot)
            self.slots[slot] = value

    def _forget(self, slot: ir.Slot) -> None:
        """What a slot holds is known only when it is done."""
        self.slots.pop(slot, None)
        self.unknown.add(slot)

    def _depends(self, node: ir.Expr) -> bool:
        """Whether an expression is about something that steps have changed, or will give."""
        return any(each in self.unknown for each in walk(node)) or meet(reads(node), self.written)

    def _one_of(self, choice: p.Choose) -> ir.Expr | None:
        """Whether one of several options can be taken, if each of them is straight."""
        stops = (*choice.targets[1:], choice.end)
        options = []
        for to, stop in zip(choice.targets, stops, strict=True):
            inner = _Straight(self.legality, self.verbs, self.code)
            inner.slots, inner.unknown = dict(self.slots), set(self.unknown)
            found = inner.condition(to, stop - 1)
            if found is None:
                return None
            options.append(found)
        return make.any_of(options)
