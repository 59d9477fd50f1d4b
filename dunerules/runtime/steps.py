"""Steps: programs in the core language, from where they go on to the next place where somebody may be asked.

All that asks nobody is joined into one part (`operations.py` has the verbs, this file the rest). What asks begins a
part of its own (`control.py`), because it is done twice: to ask, and to take the answer. Parts are built, and made
functions, when a program first comes there: most of what packs declare does not come up in a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.names import looks_at_frame
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.control import SPENT, Control
from dunerules.runtime.starting import Plain
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation
from dunerules.runtime.workshop import Workshop

__all__ = ["Builders", "ProgramBuilder"]

_MANY = 100
"""Steps of a function, or a little more. What follows is a function of its own: the rest of a long program is not
written again for every place it may go on from."""

_LOOPS = (p.EachNext, p.RepeatNext)
"""Codes that the body of a loop comes after. It is a function of its own, so that it is written once and not also
behind what begins the loop."""

_QUEUE = ir.Variable("queue")


@dataclass(frozen=True, slots=True)
class _Part:
    """What a code does, and the place its program comes to."""

    steps: st.Steps
    to: int


class Builders:
    """Builds the programs of a table, each of them once."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self._all: dict[int, ProgramBuilder] = {}

    def of(self, program: int) -> ProgramBuilder:
        """The builder of a program."""
        known = self._all.get(program)
        if known is None:
            known = self._all[program] = ProgramBuilder(self.shop, program)
        return known

    def steps(self, program: int, stop: int = -1) -> list[Operation]:
        """The steps of a program by place, up to where it is to stop. Each leaves its frame at the place to go on from;
        they are made when a game first comes there."""
        size = stop if stop >= 0 else len(self.shop.programs.all[program].code)

        def unmade(s: State, f: Frame) -> Any:
            step = made[f.pc] = self.of(program).operation(f.pc, size)
            return step(s, f)

        made: list[Operation] = [unmade] * size
        made.append(self.shop.procedures.end_of_program)
        return made

    def plain(self, program: int) -> Plain | None:
        """A program as one function, if it is plain."""
        builder = self.of(program)
        steps, place = builder.joined(0, len(builder.code))
        if place < len(builder.code) or st.may_leave(steps):
            return None
        return Plain(self.shop.operations.doing.function(steps), looks_at_frame(steps))


class ProgramBuilder:
    """Builds the steps of one program."""

    def __init__(self, shop: Workshop, program: int) -> None:
        self.shop = shop
        self.program = program
        self.code = shop.programs.all[program].code
        self.core = shop.evaluator.core
        procedures = shop.procedures
        self.order_function = ir.Function("order", shop.table.order, group=True, means=("order",))
        self.call_function = ir.Function("call", procedures.call, means=("call",))
        self.last_function = ir.Function("last", procedures.last, means=("last",))
        self.end_function = ir.Function("end", procedures.end_of_program, means=("end",))
        self.control = Control(shop, program, self.past)
        self._parts: dict[int, _Part | None] = {}
        self._strand_ends = {each.end for each in self.code if isinstance(each, p.Secret)}
        bodies = {self.past(pc + 1) for pc, each in enumerate(self.code) if isinstance(each, _LOOPS)}
        self._beginnings = self._strand_ends | bodies
        """Places that begin a part of their own."""

    def operation(self, pc: int, end: int) -> Operation:
        """What is done from a place on."""
        return self.shop.operations.doing.function(self.part(pc, end))

    def part(self, pc: int, end: int) -> st.Steps:
        """A question and what is done with its answer, or all that is done from a place on before somebody is asked;
        with where the program then goes on."""
        steps, place = self.joined(pc, end)
        if place == pc and not steps:
            return self.control.steps(self.code[pc], pc)
        last = st.Hand(ir.Call(self.end_function, (ir.Frame(),))) if place == end else st.Stand(place)
        return steps if steps and isinstance(steps[-1], st.ENDS) else (*steps, last)

    def own(self, pc: int) -> st.Steps:
        """What the code at a place does by itself, with where the program then goes on."""
        part = self._part(pc)
        if part is None:
            return self.control.steps(self.code[pc], pc)
        return part.steps if part.steps and isinstance(part.steps[-1], st.ENDS) else (*part.steps, st.Stand(part.to))

    def joined(self, pc: int, end: int) -> tuple[st.Steps, int]:
        """What is done from a place on until somebody is asked, and how far that is."""
        steps: st.Steps = ()
        place, done = pc, self._beginnings - {pc}
        while place != end and place not in done and len(steps) < _MANY:
            if steps and isinstance(steps[-1], st.ENDS):
                break
            done.add(place)
            part = self._part(place)
            if part is None:
                break
            steps += part.steps
            place = part.to
        return steps, place

    def past(self, pc: int) -> int:
        """Where there is something to do, from a place on: jumps, and announcements nobody waits for, are passed over.

        Not past the end of what a seat does in a strand of its own: there it must stop.
        """
        while pc < len(self.code) and pc not in self._strand_ends:
            code = self.code[pc]
            if isinstance(code, p.Jump):
                pc = code.to
            elif isinstance(code, (p.Emit, p.Instead)) and not self._is_heard(code):
                pc += 1
            else:
                break
        return pc

    def _is_heard(self, code: p.Emit | p.Instead) -> bool:
        abilities = self.shop.abilities
        return abilities.hears(code.verb) if isinstance(code, p.Emit) else abilities.replaces(code.verb)

    def _part(self, pc: int) -> _Part | None:
        """What the code at a place does, if it asks nobody."""
        if pc not in self._parts:
            self._parts[pc] = self._new_part(self.code[pc], pc)
        return self._parts[pc]

    def _new_part(self, code: p.Code, pc: int) -> _Part | None:
        after = self.past(pc + 1)
        if not isinstance(code, p.Do):
            built: Callable[..., _Part] | None = getattr(self, f"_{type(code).__name__.lower()}", None)
            return built(code, pc, after) if built is not None else None
        steps = self.shop.operations.steps(code)
        if steps is not None and st.may_leave(steps):
            steps = (st.Stand(after), *steps)
        return _Part(steps, after) if steps is not None else None

    # ---- jumps

    def _jump(self, code: p.Jump, pc: int, after: int) -> _Part:
        return _Part((), self.past(code.to))

    def _unless(self, code: p.Unless, pc: int, after: int) -> _Part:
        holds = self.core.build(code.condition)
        if isinstance(holds, ir.Truth):
            return _Part((), after if holds.value else self.past(code.to))
        return _Part((st.When(make.negated(holds), (self._go(code.to),)),), after)

    def _go(self, to: int) -> st.Go:
        return st.Go(self.past(to))

    # ---- slots and seats

    def _assign(self, code: p.Assign, pc: int, after: int) -> _Part:
        return _Part((st.Put(code.slot, self.core.build(code.value)),), after)

    def _restore(self, code: p.Restore, pc: int, after: int) -> _Part:
        return _Part((st.Act(ir.Slot(code.seat)),), after)

    # ---- loops

    def _eachstart(self, code: p.EachStart, pc: int, after: int) -> _Part:
        following = self.code[pc + 1]
        steps: st.Steps = (st.Put(code.seat, ir.FramePart("you")), st.Put(code.queue, ir.Members(())))
        if not isinstance(following, p.EachNext):  # those who ask who is next do so every time
            return _Part(steps, after)
        queue = self.core.group(code.of)
        if following.seats and not isinstance(code.of, m.SeatRef):  # named in another order, perhaps
            steps += (st.Let("named", queue),)
            seats = ir.Call(self.order_function, (ir.FramePart("you"),))
            queue = ir.Filter("seat", seats, ir.Contains(ir.Variable("named"), ir.Variable("seat")))
        steps += (st.Let("queue", queue), *self._take(following))
        return _Part(steps, self.past(pc + 2))

    def _eachnext(self, code: p.EachNext, pc: int, after: int) -> _Part:
        return _Part((st.Let("queue", ir.Slot(code.queue)), *self._take(code)), after)

    def _take(self, code: p.EachNext) -> st.Steps:
        """The first of the queue is next, if there is one."""
        none = st.When(ir.Not(ir.Anything(_QUEUE)), (self._go(code.end),))
        following = (none, SPENT, st.Put(code.item, ir.Head(_QUEUE)), st.Put(code.queue, ir.Tail(_QUEUE)))
        return (*following, st.Act(ir.Head(_QUEUE))) if code.seats else following

    def _repeatnext(self, code: p.RepeatNext, pc: int, after: int) -> _Part:
        left = ir.Slot(code.slot)
        done = st.When(ir.Compare("<=", left, make.ZERO), (self._go(code.end),))
        one_less = ir.Arithmetic((ir.Term("+", left), ir.Term("-", ir.Number(1))))
        return _Part((done, SPENT, st.Put(code.slot, one_less)), after)

    # ---- what starts something else

    def _call(self, code: p.Call, pc: int, after: int) -> _Part:
        arguments = ir.List(tuple(self.core.argument(value) for _, value in code.arguments))
        call = ir.Call(self.call_function, (ir.Frame(), ir.Text(code.procedure), arguments))
        return _Part((st.Stand(after), st.Hand(call)), after)

    def _emit(self, code: p.Emit, pc: int, after: int) -> _Part:
        if not self._is_heard(code):
            return _Part((), after)
        heard = make.TRUE if code.verb in self.shop.abilities.when else ir.SomethingLasts()
        return _Part((st.Stand(after), st.React(heard, self._told(code, self.shop.events.announce))), after)

    def _instead(self, code: p.Instead, pc: int, after: int) -> _Part:
        if not self._is_heard(code):
            return _Part((), after)
        replaced = self._told(code, self.shop.events.replaced)
        return _Part((st.Stand(self.past(code.end)), st.Replace(make.TRUE, replaced)), after)

    def _told(self, code: p.Emit | p.Instead, tell: Callable[..., bool]) -> ir.Call:
        """Those who wait for a verb of a pack are told its arguments."""
        told, verb = self.shop.abilities.patterns.told(code.arguments), code.verb

        def telling(s: State, you: int, *values: Any) -> bool:
            return tell(s, verb, you, dict(zip(told, values, strict=True)))

        means = ("replaced" if isinstance(code, p.Instead) else "announced", verb, tuple(told))
        return ir.Call(ir.Function(f"tell {verb}", telling, means=means), (ir.FramePart("you"), *told.values()))

    def _lasting(self, code: p.Lasting, pc: int, after: int) -> _Part:
        number = ir.Number(self.shop.programs.lasting_number(self.program, pc))
        slots = ir.Group(tuple(ir.Slot(slot) for _, slot in code.locals))
        return _Part((st.Perform(ir.Call(self.last_function, (number, ir.Frame(), slots))),), after)
