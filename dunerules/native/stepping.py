"""A machine whose states are run by native code. Everything else of a game is Python's, and sees a state of Python.

A state goes into a block, is run there to the next decision, and comes back. Where that fails, for whatever reason,
Python runs the state as it was before: so limits and their messages are those of Python.
"""

from __future__ import annotations

from threading import local

from dunerules.native.library import Block, Library, Native
from dunerules.native.ops import UnsupportedError
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import State

__all__ = ["NativeMachine"]

_SAME = (
    "cells", "zones", "where", "holders", "frames", "floor", "strands", "strand", "pending", "chance", "known",
    "lasting", "used", "result", "serial",
)  # fmt: skip
"""What a state that was run has from the one that came out of the block."""


class _Room(local):
    """What a thread runs states with."""

    native: Native | None = None
    block: Block


class NativeMachine(Machine):
    """The machine of a table that was compiled."""

    def __init__(self, machine: Machine, library: Library) -> None:
        self.__dict__.update(vars(machine))
        self.library = library
        self._room = _Room()

    def run(self, s: State) -> None:
        """Run until a decision is pending or the game is over."""
        if not self._run_native(s):
            super().run(s)

    def _run_native(self, s: State) -> bool:
        """False if it cannot be: the state is then as it was."""
        if (s.pending is None) != (s.answer is None):
            return False
        room = self._room
        if room.native is None:
            room.native = Native(self.library)
            room.block = room.native.block()
        native, block = room.native, room.block
        try:
            status = native.load(block, s)
        except UnsupportedError:
            return False
        if status < 0:
            return False
        native.record(log=s.log is not None, forced=s.forced is not None)
        status = native.run(block) if s.answer is None else native.answer(block, s.answer)
        if status < 0:
            return False
        entries, forced = native.recorded()
        found = native.state(block)
        for name in _SAME:
            setattr(s, name, getattr(found, name))
        s.answer = None
        if s.log is not None:
            for entry in entries:
                s.log = (s.log, entry)
        if s.forced is not None:
            s.forced += forced
        s.fuel = s.looks = 0
        return True
