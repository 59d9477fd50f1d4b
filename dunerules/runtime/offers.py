"""Offers: a seat is asked for a legal move of a group, and makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.runtime.moves import Moves
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State

__all__ = ["Offers"]

_Picked: TypeAlias = tuple[Any, ...] | None

_FRAME, _PICKED = ir.Frame(), ir.Variable("picked")
_PASS = ("pass",)


class Offers:
    """Offers the moves of a table. `plainly` does a program at once, if it can be."""

    def __init__(self, moves: Moves, questions: Questions, programs: Programs, plainly: Callable[..., bool]) -> None:
        self.moves = moves
        self.questions = questions
        self.programs = programs
        self.plainly = plainly
        self.made = ir.Function("make move", self._make_move, means=("make move",))

    def offer(self, group: str, after: int, *, may: bool, passing: int = -1) -> st.Steps:
        """Ask for a legal move of a group, then go on at `after`. Declining is passing in the round of the table, if
        any, whose state is in the slot `passing`: for the seat whose turn it is."""
        asked = ir.Function(f"offer {group}", self._asked(group, may), means=("offer", group, may))
        call = ir.Call(asked, (_FRAME,))
        passes = st.Perform(ir.Call(_PASSES, (_FRAME, ir.Number(passing))))
        passed = (st.When(ir.Anything(_PICKED), (passes,)),) if passing >= 0 else ()
        return (
            st.Question("picked", (), call, self.questions.answered_function),
            st.Stand(after),
            st.When(_IS_PASS, (*passed, st.Go(after))),
            st.Hand(ir.Call(self.made, (_FRAME, _PICKED))),
        )

    def _asked(self, group: str, may: bool) -> Callable[[State, Frame], _Picked]:
        """Asks for a move; one that there is not passes."""
        listing, bluffing, question = self.moves.listing(group), self.moves.bluffing(group), self.questions.question

        def asked(s: State, f: Frame) -> _Picked:
            options = listing(s, f)
            bluff = len(options) + may < 2 and f.you >= 0 and bluffing(s, f)
            if (may and f.you >= 0) or (bluff and not options):
                options.append(_PASS)
            elif not options:
                return ()
            return question(s, f, "move", 1, 1, tuple(options), group, bluff)

        return asked

    def in_order(self, group: str) -> Callable[[State, Frame, list[Any]], _Picked]:
        """Asks what comes next: one of what waits, a move of a group, or, with nothing waiting, the end. Nothing if
        there is nothing to choose."""
        listing, bluffing, question = self.moves.listing(group), self.moves.bluffing(group), self.questions.question

        def asked(s: State, f: Frame, waiting: list[Any]) -> _Picked:
            options = waiting + listing(s, f)
            bluff = len(options) < 2 and f.you >= 0 and bluffing(s, f)
            if not options and not bluff:
                return ()
            if not waiting:
                options.append(("done",))
            return question(s, f, "order", 1, 1, tuple(options), "order", bluff)

        return asked

    def _make_move(self, s: State, f: Frame, picked: tuple[Any, ...]) -> bool:
        """Make a move: its cost is paid first."""
        _, name, *arguments = picked[0]
        move = self.moves.by_name[name]
        self.programs.push(s, move.do, f.you, -1, -1, arguments)
        if move.cost >= 0 and not self.plainly(s, f, move.cost, -1, -1, arguments):
            self.programs.push(s, move.cost, f.you, -1, -1, arguments)
        return True


def _passes(s: State, f: Frame, slot: int) -> None:
    """Who declines in its turn passes."""
    passed, seat, _ = f.slots[slot]
    f.slots[slot] = (passed, seat, int(seat == f.you))


_PASSES = ir.Function("passes", _passes, means=("passes",))
_IS_PASS = ir.Either((ir.Not(ir.Anything(_PICKED)), ir.Compare("=", ir.Chosen(_PICKED, 0), ir.Text("pass"))))
