"""Offers: a seat is asked for a legal move of a group, and makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.runtime.moves import Moves
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation

__all__ = ["Offers"]


class Offers:
    """Offers the moves of a table. `plainly` does a program at once, if it can be."""

    def __init__(self, moves: Moves, questions: Questions, programs: Programs, plainly: Callable[..., bool]) -> None:
        self.moves = moves
        self.questions = questions
        self.programs = programs
        self.plainly = plainly

    def offer(self, group: str, after: int, *, may: bool, passing: int = -1) -> Operation:
        """Ask for a legal move of a group, then go on at `after`. Declining is passing in the round of the table, if
        any, whose state is in the slot `passing`: for the seat whose turn it is."""
        listing, bluffing = self.moves.listing(group), self.moves.bluffing(group)
        question, answered, make_move = self.questions.question, self.questions.answered, self.make_move

        def offer(s: State, f: Frame) -> Any:
            if s.answer is not None:
                picked: tuple[Any, ...] | None = answered(s)
            else:
                options = listing(s, f)
                bluff = len(options) + may < 2 and f.you >= 0 and bluffing(s, f)
                if (may and f.you >= 0) or (bluff and not options):
                    options.append(("pass",))
                elif not options:
                    f.pc = after
                    return False
                picked = question(s, f, "move", 1, 1, tuple(options), group, bluff)
            if picked is None:
                return True
            f.pc = after
            if picked[0][0] == "pass":
                if passing >= 0:
                    passed, seat, _ = f.slots[passing]
                    f.slots[passing] = (passed, seat, int(seat == f.you))
                return False
            return make_move(s, f, picked[0])

        return offer

    def make_move(self, s: State, f: Frame, option: tuple[Any, ...]) -> bool:
        """Make a move: its cost is paid first."""
        move, arguments = self.moves.by_name[option[1]], option[2:]
        paid = move.cost < 0 or self.plainly(s, f, move.cost, -1, -1, arguments)
        self.programs.push(s, move.do, f.you, -1, -1, arguments)
        if not paid:
            self.programs.push(s, move.cost, f.you, -1, -1, arguments)
        return True
