"""Taking answers back: as long as nobody else has answered and the seat has learned nothing it did not know.

What a seat has learned is asked in three ways, and each alone forbids it: chance was drawn; an object that was hidden
from the seat was shown to it, if only for a moment; or the same answer, given in another world that the seat could not
tell from the real one, would have come out otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dunerules.answers import names_of
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.names import Names
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import State
from dunerules.runtime.views import can_see, since
from dunerules.views import View, view_of

__all__ = ["History", "Mark", "learned"]

_WORLDS = 3
"""In how many other worlds an answer is tried."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment to go back to: the state before an answer, and how many answers there were."""

    state: State
    answers: int
    seat: int


class History:
    """The answers that can still be taken back, latest last."""

    def __init__(self, machine: Machine, names: Names) -> None:
        self.machine = machine
        self.names = names
        self.marks: list[Mark] = []
        self._redealer = Redealer(machine)

    def note(
        self, before: State, after: State, answer: tuple[int, ...], answers: int, *, by_itself: bool = False
    ) -> None:
        """An answer was given: keep it, or forget everything if it cannot be taken back.

        An answer that was the only one, or given by itself, is not a place to go back to: it would be given again at
        once.
        """
        assert before.pending is not None
        seat = before.pending.seat
        if self.marks and self.marks[-1].seat != seat:
            self.forget()
        if learned(self.machine, before, after, seat) or self._told_apart(before, after, seat, answer):
            self.forget()
        elif not by_itself and before.pending.low < len(before.pending.options):
            self.marks.append(Mark(before, answers, seat))

    def forget(self) -> None:
        """Nothing from here on can be taken back."""
        self.marks.clear()

    def back(self, seat: int) -> Mark | None:
        """The moment before the latest answer of a seat, if it can be taken back."""
        return self.marks.pop() if self.marks and self.marks[-1].seat == seat else None

    def _told_apart(self, before: State, after: State, seat: int, answer: tuple[int, ...]) -> bool:
        assert before.pending is not None
        seen, answer = self._seen(after, seat), self.machine.questions.meant(before, before.pending, answer)
        for world in range(_WORLDS):
            other = self._redealer.redeal(before, seat, before.seed + 1 + world)
            other.chance = before.chance
            other.answer = answer
            try:
                self.machine.run(other)
            except GameError:
                return True
            if self._seen(other, seat) != seen:
                return True
        return False

    def _seen(self, state: State, seat: int) -> tuple[View, list[tuple[Any, ...]]]:
        """What a seat sees, and what it is asked."""
        own = [each for each in state.asked() if each.seat == seat]
        asked = [(each.low, each.high, each.acting, names_of(self.names, each)) for each in own]
        return view_of(self.machine, self.names, state, seat, None), asked


def learned(machine: Machine, before: State, after: State, seat: int) -> bool:
    """Whether a seat knows something after an answer that it did not know before, or somebody else is asked by now."""
    if after.pending is None or after.pending.seat != seat or after.chance != before.chance:
        return True
    if any(
        can_see(machine, after, seat, thing) and not can_see(machine, before, seat, thing)
        for thing in range(len(after.where))
    ):
        return True
    return any(
        not can_see(machine, before, seat, thing)
        for entry in since(before.log, after.log)
        for thing in _shown(machine, entry, seat)
    )


def _shown(machine: Machine, entry: Sequence[Any], seat: int) -> Iterator[int]:
    """The objects that an entry of the log showed to a seat."""
    layout = machine.table.layout
    if entry[0] == "reveal" or (entry[0] in {"look", "see"} and entry[1] == seat):
        yield from entry[2]
    elif entry[0] == "carry" and layout.sees(seat, entry[3]):
        yield from entry[1]
