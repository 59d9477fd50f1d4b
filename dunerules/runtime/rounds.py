"""Rounds of the table: a `pass` counts for the innermost `around` that goes on.

The frame in which an `around` stands keeps its state in a slot: the seats that passed since the last one that did not,
as bits; the seat whose turn it is; and whether that seat passes in this turn. The slot is empty before and after.
"""

from __future__ import annotations

from typing import Any

from dunerules.core import ir
from dunerules.dsl import program as p
from dunerules.runtime.programs import Programs
from dunerules.runtime.state import State
from dunerules.runtime.table import Table

__all__ = ["Rounds"]


class Rounds:
    """Whose turn comes next, and which round a `pass` is about."""

    def __init__(self, table: Table, programs: Programs) -> None:
        self._table = table
        self._programs = programs
        self._after_turn = [*table.orders[1:], table.orders[0]]
        """By seat whose turn it was: all seats in order of play from the next one."""
        self.following = ir.Function("next turn", self._following, means=("next turn",))
        self._slots: dict[int, tuple[int, ...]] = {}

    def _following(self, s: State, round_: Any, you: int, taking_part: tuple[int, ...]) -> tuple[int, ...]:
        """The state of a round in its next turn; nothing if all have passed."""
        passed, last, passes = round_ or (0, -1, 0)
        passed = passed | 1 << last if passes else 0
        for seat in taking_part:
            if not passed >> seat & 1:
                break
        else:
            return ()
        following = self._table.order(s, you) if last < 0 else self._after_turn[last]
        for seat in following:
            if seat in taking_part:
                break
        return passed, seat, 0

    def passes(self, s: State) -> None:
        """The seat whose turn it is in the innermost round passes. Without a round nothing happens."""
        for frame in reversed(s.frames):
            slots = self._slots.get(frame.program)
            if slots is None:
                slots = self._slots[frame.program] = self.slots_of(frame.program)
            for slot in slots:
                if frame.slots[slot]:
                    passed, seat, _ = frame.slots[slot]
                    frame.slots[slot] = (passed, seat, 1)
                    return

    def slots_of(self, program: int) -> tuple[int, ...]:
        """The slots of the rounds of a program, inner ones before outer ones. Those around a strand are not its own."""
        _, start = self._programs.strands.get(program, (program, 0))
        code = self._programs.all[program].code[start:]
        return tuple(each.state for each in reversed(code) if isinstance(each, p.Around))
