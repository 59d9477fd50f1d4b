"""Whole games and single effects, as something that asks questions and is sent answers."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from typing import Any

from dunerules.dsl import meaning as m
from tests.reference import abilities as a
from tests.reference import changes, sights, steps
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.state import Context, GameOver, Question

DEEPEST = 12_000
"""Python's own limit: what is nested in a game is nested in Python here."""

__all__ = ["Playing", "Running", "effect", "effects_to_the_end", "whole_game"]

Running = Generator[Question, Any, Any]


def effect(g: Game, body: m.Body, c: Context) -> Running:
    """One effect from a position."""
    try:
        yield from steps.body(g, body, c)
    except GameOver:
        if g.state.result is None:
            g.state.result = winners(g)


def whole_game(g: Game) -> Running:
    """Setup, flow and the end."""
    yield from _to_the_end(g, _setup_and_flow(g))


def effects_to_the_end(g: Game, bodies: Sequence[tuple[m.Body, Context, bool]]) -> Running:
    """Effects one after the other from a position, of which some are costs; then the game is over."""
    yield from _to_the_end(g, _one_by_one(g, bodies))


def _setup_and_flow(g: Game) -> Running:
    for setup in g.rules.setups:
        yield from steps.body(g, setup, Context())
    changes.fill_rows(g)
    yield from a.announce(g, a.Event("game", None, moment="start"))
    if g.rules.flow is not None:
        yield from steps.body(g, g.rules.flow, Context())


def _one_by_one(g: Game, bodies: Sequence[tuple[m.Body, Context, bool]]) -> Running:
    for body, context, cost in bodies:
        yield from steps.body(g, body, context, () if cost else None)


def _to_the_end(g: Game, running: Running) -> Running:
    """Something, and when it has ended, the end: what is done before scores are compared, and who has won."""
    try:
        yield from running
        if g.rules.end is not None and not g.ending:
            g.ending = True
            if g.rules.end[2] is not None:
                yield from steps.body(g, g.rules.end[2], Context())
    except GameOver:
        pass
    if g.state.result is None:
        g.state.result = winners(g)


def winners(g: Game) -> tuple[int, ...]:
    """The seats with the most points; while equal, ties are compared in turn."""
    among = e.group(g, g.rules.among, Context()) if g.rules.among is not None else g.table.seats
    best: tuple[int, ...] = ()
    points: dict[int, tuple[int, ...]] = {}
    for seat in among:
        c = Context(seat, seat)
        points[seat] = tuple(e.number(g, each, c) for each in (g.rules.score, *g.rules.ties) if each is not None)
    best = max(points.values(), default=())
    return tuple(sorted(seat for seat, found in points.items() if found == best))


class Playing:
    """Something being played: the question that is open, and a way to answer it."""

    def __init__(self, g: Game, running: Running) -> None:
        self.g = g
        self._running = running
        self.question: Question | None = None
        self._go_on(None)

    def answer(self, options: list[Any]) -> None:
        """Take some of the options."""
        assert self.question is not None
        self._go_on([self.question.options.index(each) for each in options])

    def _go_on(self, answer: list[int] | None) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
        try:
            self.question = self._running.send(answer)
        except StopIteration:
            self.question = None
        sights.look(self.g)
