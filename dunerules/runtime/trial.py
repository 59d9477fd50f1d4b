"""Trials: steps tried on a copy of the game, to know whether all of them are possible.

What a step does counts for those behind it. Where the seat would pick things, or chance decides, some outcome must
make the rest possible: what chance will bring is not foreseen.
Reactions and replacements are not tried, and nothing is foreseen behind what depends on later answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from dunerules.core.python import as_group
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.kernel.registry import FACTS
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.foreseeing import Foreseeing
from dunerules.runtime.limits import spend
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.verbs import Verbs, slot_run

__all__ = ["DEEPEST", "ENDING", "NOT_FORESEEN", "TRIES", "Trial", "behind_jumps", "is_whole_if"]

NOT_FORESEEN = (p.May, p.EachStart, p.Order, p.OrderEach, p.Around, p.Secret, p.Call, p.RepeatNext, p.Lasting)
"""Codes behind which nothing is looked at: what they do depends on answers, or on what happens before."""

ENDING = frozenset(name for name, facts in FACTS.items() if facts.ends)
"""Verbs behind which nothing is looked at: a move changes what it likes, and what is left does not go on."""

TRIES = 500
"""How many ways to pick are tried. Beyond that it is taken for possible."""

DEEPEST = 20
"""Slots that are run inside each other. What is behind that is taken for possible."""


def is_whole_if(code: tuple[p.Code, ...], at: int, end: int) -> bool:
    """Whether an `if`, with all its arms, is all there is between two places of a program."""
    first = code[at]
    if not isinstance(first, p.Unless) or first.implied:
        return False
    behind = code[first.to - 1]  # every arm ends with a jump behind the last one
    return isinstance(behind, p.Jump) and behind_jumps(code, behind.to) >= end


def behind_jumps(code: tuple[p.Code, ...], at: int) -> int:
    """Where a program goes on, from a place on."""
    while at < len(code) and isinstance(jump := code[at], p.Jump) and jump.to > at:
        at = jump.to
    return at


@dataclass(frozen=True, slots=True)
class _At:
    """Where a trial stands in a program, and where it ends there."""

    frame: Frame
    pc: int
    end: int
    option: bool = False
    """Whether nothing was done yet of an option, which must do something."""
    depth: int = 0
    """How many slots are run inside each other to come here."""


class Trial:
    """Tries code of a machine."""

    def __init__(self, programs: Programs, verbs: Verbs, evaluator: Evaluator, questions: Questions) -> None:
        self.programs = programs
        self.table = verbs.table
        self.foreseeing = Foreseeing(verbs)
        self.compiled = evaluator.compile_lasting
        self.questions = questions

    def possible(self, s: State, f: Frame, program: int, start: int, end: int, *, option: bool = False) -> bool:
        """Whether all between two places of a program can be done, in a frame that may be written to."""
        f.program = program
        return _Try(self).branch(s, _copy(s), (_At(f, start, end, option),))

    def possible_after(self, s: State, f: Frame, program: int, pc: int, picked: tuple[int, ...], end: int) -> bool:
        """Whether the rest of a cost can be paid when these things are taken by the step at `pc`."""
        code, copy, frame = self.programs.all[program].code[pc], _copy(s), f.copy()
        assert isinstance(code, p.Do)
        self.foreseeing.picking(code).take(copy, frame, picked)
        return _Try(self).branch(s, copy, (_At(frame, pc + 1, end),))


class _Try:
    """One trial, with the number of ways that are left to try."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.left = TRIES

    def branch(self, s: State, copy: State, waiting: tuple[_At, ...]) -> bool:
        """Go on in a copy of the game. What is counted for the limits counts in the game itself."""
        found = self.go(copy, waiting)
        s.fuel, s.looks = copy.fuel, copy.looks
        return found

    def go(self, s: State, waiting: tuple[_At, ...]) -> bool:
        """Go on where a trial stands; frames further out wait below."""
        while waiting:
            *below, at = waiting
            if at.pc >= at.end:
                waiting = tuple(below)
                continue
            code = self.trial.programs.all[at.frame.program].code[at.pc]
            if isinstance(code, NOT_FORESEEN):
                return True
            found = self._step(s, code, at, tuple(below))
            if isinstance(found, bool):
                return found
            waiting = found
        return True

    def _step(self, s: State, code: p.Code, at: _At, below: tuple[_At, ...]) -> bool | tuple[_At, ...]:
        """One step: true or false where the trial ends, else where it goes on."""
        f, on = at.frame, (*below, replace(at, pc=at.pc + 1, option=False))
        match code:
            case p.Do():
                return self._do(s, code, at, on)
            case p.Jump():
                return True if code.to <= at.pc else (*below, replace(at, pc=code.to, option=False))
            case p.Unless():
                program = self.trial.programs.all[f.program].code
                whole = at.option and is_whole_if(program, at.pc, at.end)
                if self.trial.compiled(code.condition)(s, f, -1):
                    return (*below, replace(at, pc=at.pc + 1, option=whole))
                nothing_else = whole and behind_jumps(program, code.to) >= at.end
                return False if nothing_else or code.paid else (*below, replace(at, pc=code.to, option=whole))
            case p.Assign():
                f.slots[code.slot] = self.trial.compiled(code.value)(s, f, -1)
            case p.Arrow():
                behind = (*below, replace(at, pc=code.end, option=False))
                return (*behind, replace(at, pc=at.pc + 1, end=code.paid, option=False)) if code.chosen else behind
            case p.Choose():
                stops = (*code.targets[1:], code.end)
                options = (
                    _At(f.copy(), to, stop - 1, option=True, depth=at.depth)
                    for to, stop in zip(code.targets, stops, strict=True)
                )
                if not any(self.branch(s, _copy(s), (option,)) for option in options):
                    return False
                return (*below, replace(at, pc=code.end, option=False))
            case p.PickThings():
                if not as_group(self.trial.compiled(code.of)(s, f, -1)):
                    return False
                return (*below, replace(at, pc=code.end, option=False))
        return on

    def _do(self, s: State, code: p.Do, at: _At, on: tuple[_At, ...]) -> bool | tuple[_At, ...]:
        f = at.frame
        if code.verb in ENDING:
            return True
        ref = slot_run(code)
        if ref is not None:
            return self._run(s, ref, at, on)
        foreseen = self.trial.foreseeing.foreseen(code)
        if foreseen.sides is not None:
            return self._roll(s, code, f, on, foreseen.sides(s, f, -1)) if code.slot >= 0 else on
        if not foreseen.do(s, f):
            return False
        if s.result is not None:
            return True
        if foreseen.ask is None:
            return on
        if code.slot >= 0:  # nothing, unless something must be picked
            f.slots[code.slot] = 0 if foreseen.ask.kind == "number" else () if code.many else -1
        return self._pick(s, code, f, on) if foreseen.picks else on

    def _roll(self, s: State, code: p.Do, f: Frame, on: tuple[_At, ...], sides: int) -> bool | tuple[_At, ...]:
        """Some number that the die can show must make the rest possible."""
        if sides <= 0:
            f.slots[code.slot] = 0
            return on
        for shown in range(1, sides + 1):
            if self.left <= 0:
                return True
            self.left -= 1
            frames = tuple(replace(at, frame=at.frame.copy()) for at in on)
            frames[-1].frame.slots[code.slot] = shown
            if self.branch(s, _copy(s), frames):
                return True
        return False

    def _run(self, s: State, ref: m.SlotRef, at: _At, on: tuple[_At, ...]) -> bool | tuple[_At, ...]:
        """What stands in a slot is tried in a frame of its own; of several the first one first."""
        f = at.frame
        if at.depth >= DEEPEST:
            return on
        kind = ref.object.type.name
        column = self.trial.table.programs_of(ref.slot, kind)
        for number in reversed(as_group(self.trial.compiled(ref.object)(s, f, -1))):
            if column[number] >= 0:
                spend(s)
                found = self.trial.programs.all[column[number]]
                here = number if kind == "place" else f.here
                frame = Frame(column[number], f.you, f.you, number, here, [0] * found.slots)
                on = (*on, _At(frame, 0, len(found.code), depth=at.depth + 1))
        return on

    def _pick(self, s: State, code: p.Do, f: Frame, on: tuple[_At, ...]) -> bool | tuple[_At, ...]:
        """Some pick must make the rest possible."""
        pick = self.trial.foreseeing.picking(code)
        assert pick.amount is not None
        things = pick.group(s, f, -1)
        count = min(pick.amount(s, f, -1), len(things))
        if count <= 0:
            return on
        for picked in self._ways(s, f.you, things, count):
            if self.left <= 0:
                return True
            self.left -= 1
            copy, frames = _copy(s), tuple(replace(at, frame=at.frame.copy()) for at in on)
            pick.take(copy, frames[-1].frame, picked)
            if self.branch(s, copy, frames):
                return True
        return False

    def _ways(self, s: State, you: int, things: tuple[int, ...], count: int) -> Iterator[tuple[int, ...]]:
        """Every way to pick so many that differs from the others in more than which of equal copies it takes."""
        questions = self.trial.questions
        unlike = questions.distinct(s, you, things)
        if count == 1:
            return ((thing,) for thing in unlike)
        if len(unlike) == len(things):
            return combinations(things, count)
        listed = questions.at_most(s, you, things, count)
        return _unlike_ways([*zip(listed, questions.likes(s, you, listed), strict=True)], count)


def _unlike_ways(likes: Sequence[tuple[int, Any]], count: int) -> Iterator[tuple[int, ...]]:
    """The ways to pick so many of some objects, each with what it is told apart by: of those alike always the first."""
    if count == 0:
        yield ()
        return
    passed = set()
    for number, (thing, like) in enumerate(likes):
        if len(likes) - number < count:
            return
        if like not in passed:
            following = [each for each in likes[number + 1 :] if each[1] not in passed]
            for rest in _unlike_ways(following, count - 1):
                yield (thing, *rest)
            passed.add(like)


def _copy(s: State) -> State:
    copy = s.clone()
    copy.log = None
    copy.frames = []
    copy.join()
    return copy
