"""The state of a saved game, with every type, length and range asked for before anything is run with it.

What a program keeps in its slots depends on the program, so a state of the right shape may still be one that no game
comes to. Only playing the answers again proves that it is none of these; `Game.load` does that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from dunerules.runtime.machine import Machine
from dunerules.runtime.state import NO_SOURCE, Decision, Frame, State

__all__ = ["DamagedError", "read_state"]

_DEEPEST = 6
"""Lists inside each other in slots, options and lasting effects; games have three."""


class DamagedError(Exception):
    """A state that cannot be one of this game; the message says what is wrong with it."""


def read_state(machine: Machine, data: Any) -> State:
    """The state that some JSON says."""
    try:
        state = State.of(data)
        same = json.dumps(state.data(), sort_keys=True) == json.dumps(data, sort_keys=True)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        same = False
    if not same:
        raise DamagedError("it has other parts than a state has")
    for wrong in _Checks(machine, state).wrong():
        raise DamagedError(wrong)
    return state


class _Checks:
    """Yields what is wrong with a state, the first of it first."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self.state = state
        self.seats = machine.table.seats
        layout = machine.table.layout
        self.objects = len(layout.objects)
        self.things = max(self.objects, len(layout.things))

    def wrong(self) -> Iterator[str]:
        s = self.state
        if not all(_whole(number) for number in (s.seed, s.chance, s.serial)) or min(s.chance, s.serial) < 0:
            yield "seed, chance or serial number"
        yield from self._cells()
        yield from self._places()
        parts = [s.frames, *(strand.frames for strand in s.strands)]
        if not all(self._frame_fits(frame) for frames in parts for frame in frames):
            yield "something that is being done cannot be"
        if not (_within(s.floor, 0, len(s.frames)) and bool(s.floor) >= bool(s.strands)):
            yield "what several seats do at once"
        if not _within(s.strand, -1, max(len(s.strands) - 1, 0)):
            yield "what several seats do at once"
        asked = [s.pending, *(strand.pending for strand in s.strands)]
        if not all(self._decision_fits(each) for each in asked if each is not None):
            yield "a question that cannot be asked"
        if (s.pending is None) != (s.result is not None):
            yield "nobody is asked, and it is not over"
        if s.result is not None and not all(_within(seat, 0, self.seats - 1) for seat in s.result):
            yield "its winners"
        yield from self._memory()

    def _cells(self) -> Iterator[str]:
        layout, cells = self.machine.table.layout, self.state.cells
        if len(cells) != layout.cell_count:
            yield "another number of counters"
            return
        bounds = [(each, each.high) for each in layout.cells.values()]
        bounds += [(each, each.high * self.seats) for each in layout.pools.values()]  # pieces may be given away
        for each, high in bounds:
            if not all(_within(value, each.low, high) for value in cells[each.base : each.base + each.size]):
                yield "a counter out of its bounds"

    def _places(self) -> Iterator[str]:
        s, layout = self.state, self.machine.table.layout
        things = [thing for zone in s.zones for thing in zone]
        each_once = all(map(_whole, things)) and sorted(things) == [*range(self.objects)]
        if len(s.zones) != layout.zone_count or not each_once:
            yield "objects that lie nowhere, or twice"
        if len(s.holders) != self.objects or not all(-1 <= seat < self.seats for seat in s.holders):
            yield "the holders of its objects"

    def _memory(self) -> Iterator[str]:
        s, most = self.state, (1 << self.seats) - 1
        if not all(_within(thing, 0, self.objects - 1) and _within(mask, 0, most) for thing, mask in s.known.items()):
            yield "what seats know"
        if not all(isinstance(name, str) and _whole(count) and count >= 0 for name, count in s.used.items()):
            yield "what was used"
        temporary = len(self.machine.abilities.temporary)
        for each in s.lasting:
            number, serial, seat, owner, this, here, slots = each if len(each) == 7 else (-1,) * 7
            fits = _within(number, 0, temporary - 1) and _whole(serial) and self._stands(seat, this, here)
            fits = fits and _within(owner, -1, self.seats - 1)
            if not fits or not isinstance(slots, tuple) or not _plain(slots):
                yield "a lasting effect that cannot be"

    def _frame_fits(self, frame: Frame) -> bool:
        programs = self.machine.programs
        if not _within(frame.program, 0, len(programs) - 1) or not isinstance(frame.label, str):
            return False
        size = len(self.machine.code[frame.program]) - 1
        return (
            _within(frame.pc, 0, size)
            and self._stands(frame.you, frame.this, frame.here)
            and _within(frame.owner, -1, self.seats - 1)
            and len(frame.slots) == programs[frame.program].slots
            and _plain(frame.slots)
        )

    def _stands(self, seat: Any, this: Any, here: Any) -> bool:
        """A seat, and two things: objects by their number, places by theirs."""
        return _within(seat, -1, self.seats - 1) and all(_within(each, -1, self.things - 1) for each in (this, here))

    def _decision_fits(self, asked: Decision) -> bool:
        return (
            isinstance(asked.kind, str)
            and isinstance(asked.prompt, str)
            and isinstance(asked.options, tuple)
            and _within(asked.seat, 0, self.seats - 1)
            and _within(asked.acting, 0, self.seats - 1)
            and _within(asked.high, 0, len(asked.options))
            and _within(asked.low, 0, asked.high)
            and _within(asked.source, NO_SOURCE - self.things, self.objects - 1)
            and _plain(asked.options)
            and _plain(asked.settled)
        )


def _whole(value: Any) -> bool:
    return type(value) is int


def _within(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _plain(values: Iterable[Any], deep: int = _DEEPEST) -> bool:
    """Whether some values are numbers, texts, nothing, or groups of them."""
    return deep > 0 and all(
        _plain(value, deep - 1) if isinstance(value, tuple) else value is None or isinstance(value, int | str)
        for value in values
    )
