"""Steps: programs as Python, from where they go on to the next place where somebody may be asked.

All that asks nobody is written line by line into one function (`operations.py` has the verbs, this file the rest). Who
is asked is an operation of its own (`control.py`), because it is done twice: to ask, and to take the answer. Functions
are made when a program first comes there: most of what packs declare does not come up in a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.control import Control
from dunerules.runtime.starting import Plain
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation
from dunerules.runtime.workshop import Workshop

__all__ = ["ProgramWriter", "make_plain", "make_steps"]

_LONGEST = 200
"""Lines of a function, or a little more. What follows is a step of its own: the rest of a long program is not written
again for every place it may go on from."""

_OTHER_THAN_SEAT = re.compile(r"\bf\b(?!\.you\b)")
"""A frame in text, for anything but the seat that acts."""


@dataclass(frozen=True, slots=True)
class _Written:
    """What a code does, and the place its program comes to."""

    lines: list[str]
    to: int


def make_steps(shop: Workshop, program: int, stop: int = -1) -> list[Operation]:
    """The steps of a program by place, up to where it is to stop. Each leaves its frame at the place to go on from."""
    size = stop if stop >= 0 else len(shop.programs.all[program].code)
    writer: ProgramWriter | None = None

    def unwritten(s: State, f: Frame) -> Any:
        nonlocal writer
        writer = writer or ProgramWriter(shop, program)
        step = made[f.pc] = writer.step(f.pc, size)
        return step(s, f)

    made: list[Operation] = [unwritten] * size
    made.append(shop.procedures.end_of_program)
    return made


def make_plain(shop: Workshop, program: int) -> Plain | None:
    """A program as one function, if it is plain."""
    writer = ProgramWriter(shop, program)
    lines, place = writer.joined(0, len(writer.code))
    if place < len(writer.code) or _leaves(lines):
        return None
    run = shop.evaluator.source.define("it = -1", *lines, takes="s, f")
    return Plain(run, any(map(_OTHER_THAN_SEAT.search, lines)))


class ProgramWriter:
    """Writes the steps of one program."""

    def __init__(self, shop: Workshop, program: int) -> None:
        self.shop = shop
        self.program = program
        self.code = shop.programs.all[program].code
        self.text = shop.evaluator.text
        self.source = shop.evaluator.source
        self.control = Control(shop, program, self.past)
        self._strand_ends = {each.end for each in self.code if isinstance(each, p.Secret)}

    def step(self, pc: int, end: int) -> Operation:
        """The step at a place."""
        lines, place = self.joined(pc, end)
        if place == pc and not lines:
            return self.control.compile(self.code[pc], pc)
        if place == end:
            lines.append(f"return {self.source.name(self.shop.procedures.end_of_program)}(s, f)")
        return self.source.define("it = -1", *lines, f"f.pc = {place}", takes="s, f")

    def joined(self, pc: int, end: int) -> tuple[list[str], int]:
        """What is done from a place on until somebody is asked, and how far that is."""
        lines, place, done = [""], pc, self._strand_ends - {pc}
        while place != end and place not in done and not lines[-1].startswith("return") and len(lines) < _LONGEST:
            done.add(place)
            written = self._written(self.code[place], place)
            if written is None:
                break
            lines += written.lines
            place = written.to
        return lines[1:], place

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

    def _written(self, code: p.Code, pc: int) -> _Written | None:
        """What a code does, if it asks nobody."""
        after = self.past(pc + 1)
        if not isinstance(code, p.Do):
            writer: Callable[..., _Written] | None = getattr(self, f"_{type(code).__name__.lower()}", None)
            return writer(code, pc, after) if writer is not None else None
        lines = self.shop.operations.lines(code)
        if lines is not None and _leaves(lines):
            lines.insert(0, f"f.pc = {after}")
        return _Written(lines, after) if lines is not None else None

    # ---- jumps

    def _jump(self, code: p.Jump, pc: int, after: int) -> _Written:
        return _Written([], self.past(code.to))

    def _unless(self, code: p.Unless, pc: int, after: int) -> _Written:
        holds = self.shop.evaluator.settled(code.condition)
        if holds is not None:
            return _Written([], after if holds else self.past(code.to))
        return _Written([f"if not {self.text(code.condition)}:", *self._go(code.to)], after)

    def _go(self, to: int) -> list[str]:
        """Inside an `if`: go on elsewhere."""
        return [f" f.pc = {self.past(to)}", " return"]

    # ---- slots and seats

    def _assign(self, code: p.Assign, pc: int, after: int) -> _Written:
        return _Written([f"f.slots[{code.slot}] = {self.text(code.value)}"], after)

    def _restore(self, code: p.Restore, pc: int, after: int) -> _Written:
        return _Written([f"f.you = f.slots[{code.seat}]"], after)

    # ---- loops

    def _eachstart(self, code: p.EachStart, pc: int, after: int) -> _Written:
        following = self.code[pc + 1]
        lines = [f"f.slots[{code.seat}] = f.you", f"f.slots[{code.queue}] = ()"]
        if not isinstance(following, p.EachNext):  # those who ask who is next do so every time
            return _Written(lines, after)
        queue = self.shop.evaluator.group(code.of)
        if following.seats and not isinstance(code.of, m.SeatRef):  # named in another order, perhaps
            queue = f"tuple(filter(({queue}).__contains__, {self.source.name(self.shop.table.order)}(s, f.you)))"
        lines += [f"queue = {queue}", "if not queue:", *self._go(following.end)]
        return _Written([*lines, *self._take(following)], self.past(pc + 2))

    def _eachnext(self, code: p.EachNext, pc: int, after: int) -> _Written:
        lines = [f"queue = f.slots[{code.queue}]", "if not queue:", *self._go(code.end)]
        return _Written([*lines, *self._take(code)], after)

    def _take(self, code: p.EachNext) -> list[str]:
        """The first of the queue is next."""
        lines = [f"f.slots[{code.item}] = queue[0]", f"f.slots[{code.queue}] = queue[1:]"]
        return [*lines, "f.you = queue[0]"] if code.seats else lines

    def _repeatnext(self, code: p.RepeatNext, pc: int, after: int) -> _Written:
        slot, following = f"f.slots[{code.slot}]", self.code[pc + 1]
        if isinstance(following, p.Unless) and following.to == code.end - 1:
            # a body that is all condition: once that fails nothing changes any more, so no round is left to do
            lines = [f"if {slot} <= 0 or not {self.text(following.condition)}:", f" {slot} = 0", *self._go(code.end)]
            return _Written([*lines, f"{slot} -= 1"], self.past(pc + 2))
        return _Written([f"if {slot} <= 0:", *self._go(code.end), f"{slot} -= 1"], after)

    # ---- what starts something else

    def _call(self, code: p.Call, pc: int, after: int) -> _Written:
        arguments = ", ".join(self.shop.evaluator.argument(value) for _, value in code.arguments)
        call = f"{self.source.name(self.shop.procedures.call)}(s, f, {code.procedure!r}, [{arguments}])"
        return _Written([f"f.pc = {after}", f"return {call}"], after)

    def _emit(self, code: p.Emit, pc: int, after: int) -> _Written:
        if not self._is_heard(code):
            return _Written([], after)
        told = self.shop.abilities.patterns.told(code.arguments)
        announce = f"{self.source.name(self.shop.events.announce)}(s, {code.verb!r}, f.you, {told})"
        lasting = "" if code.verb in self.shop.abilities.when else "s.lasting and "
        return _Written([f"f.pc = {after}", f"if {lasting}{announce}: return True"], after)

    def _instead(self, code: p.Instead, pc: int, after: int) -> _Written:
        if not self._is_heard(code):
            return _Written([], after)
        told = self.shop.abilities.patterns.told(code.arguments)
        replaced = f"{self.source.name(self.shop.events.replaced)}(s, {code.verb!r}, f.you, {told})"
        return _Written([f"f.pc = {self.past(code.end)}", f"if {replaced}: return True"], after)

    def _lasting(self, code: p.Lasting, pc: int, after: int) -> _Written:
        number = self.shop.programs.lasting_number(self.program, pc)
        slots = "".join(f"f.slots[{slot}], " for _, slot in code.locals)
        return _Written([f"{self.source.name(self.shop.procedures.last)}(s, {number}, f, ({slots}))"], after)


def _leaves(lines: list[str]) -> bool:
    """Whether lines may leave their function before its end, because something else is to happen first."""
    return any("return" in line for line in lines)
