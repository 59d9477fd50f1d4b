"""Asking: what has one answer only is not asked, and nobody is asked where nobody acts."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from dunerules.dsl import meaning as m
from tests.reference.game import Game
from tests.reference.state import LimitError, Question

__all__ = ["ask", "how_many", "one_of", "yes"]

Running = Generator[Question, Any, Any]
MOST_OPTIONS = 10_000


def ask(
    g: Game,
    seat: int | None,
    kind: str,
    low: int,
    high: int,
    options: Sequence[Any],
    *,
    secret: bool = False,
    bodies: tuple[m.Body, ...] = (),
) -> Running:
    """The options taken. `secret`: ask even if there is one answer only, because the others could not know that."""
    if len(options) > MOST_OPTIONS:
        raise LimitError("options")
    high = min(high, len(options))
    low = min(low, high)
    if (low == high == len(options) or high == 0) and (seat is None or not secret):
        return list(options)[:high]
    if seat is None:
        return []
    answer = yield Question(seat, kind, low, high, tuple(options), bodies)
    g.steps[0] = 0
    return [options[number] for number in answer]


def one_of(g: Game, seat: int | None, kind: str, options: Sequence[Any]) -> Running:
    """One of some options; nothing if nobody chooses."""
    found = yield from ask(g, seat, kind, 1, 1, options)
    return found[0] if found else None


def yes(g: Game, seat: int | None, kind: str) -> Running:
    """Yes or no; no, where nobody acts."""
    found = yield from ask(g, seat, kind, 1, 1, ("no", "yes"))
    return found == ["yes"]


def how_many(g: Game, seat: int | None, most: int) -> Running:
    """A number from none to so many."""
    found = yield from ask(g, seat, "number", 1, 1, range(most + 1))
    return found[0] if found else 0
