"""Rounds of the table: a `pass` counts for the innermost `around` that goes on.

The frame in which an `around` stands keeps its state in a slot: the seats that passed since the last one that did not,
as bits; the seat whose turn it is; and whether that seat passes in this turn. The slot is empty before and after.
"""

from __future__ import annotations

from dunerules.dsl import program as p
from dunerules.runtime.programs import Programs
from dunerules.runtime.state import State

__all__ = ["Rounds"]


class Rounds:
    """Finds the round that a `pass` is about."""

    def __init__(self, programs: Programs) -> None:
        self._programs = programs
        self._slots: dict[int, tuple[int, ...]] = {}

    def passes(self, s: State) -> None:
        """The seat whose turn it is in the innermost round passes. Without a round nothing happens."""
        for frame in reversed(s.frames):
            slots = self._slots.get(frame.program)
            if slots is None:
                slots = self._slots[frame.program] = self._of(frame.program)
            for slot in slots:
                if frame.slots[slot]:
                    passed, seat, _ = frame.slots[slot]
                    frame.slots[slot] = (passed, seat, 1)
                    return

    def _of(self, program: int) -> tuple[int, ...]:
        """The slots of the rounds of a program, inner ones before outer ones. Those around a strand are not its own."""
        _, start = self._programs.strands.get(program, (program, 0))
        code = self._programs.all[program].code[start:]
        return tuple(each.state for each in reversed(code) if isinstance(each, p.Around))
