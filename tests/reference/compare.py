"""Engine and reference side by side: the same position, the same answers, and a look at both after every decision.

    book = load_book("base")                       # or paths of packs; keep it, it is never changed
    run = compare_effect(book, "draw 2, pay 1 spice -> gain 1 vp", seed=3, given={"spice of seat 1": 2})
    assert run.disagreement is None, run.disagreement
    run = compare_game(book, seats=3, seed=3, most=200)

Answers are random but for a seed, or given as a list, so that what was found can be played again and made smaller:
`compare_effect(..., answers=run.answers)` does the same once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from dunerules.game import Game

__all__ = ["Answers", "Book", "Disagreement", "Given", "Run", "compare_effect", "compare_game", "load_book"]

Answers: TypeAlias = Sequence[tuple[int, ...]]
"""For each question in turn the numbers of the options taken, as the engine numbers them."""

Given: TypeAlias = Mapping[str, Any]
"""A position as scenarios give it: `{"gold of seat 1": 3, "hand of seat 1": ["coin", "ring"], "leading": "seat 2"}`."""


@dataclass(frozen=True)
class Disagreement:
    """The first thing in which engine and reference differ. Printed, it tells all that is needed to see it again."""

    kind: str
    """`question`, `state`, `end`, or the error of one of them: `engine`, `reference`."""
    started: str
    """The text that was run, or the game that was played, with seats and seed."""
    answers: tuple[str, ...]
    """What was answered before, by name."""
    lines: tuple[str, ...]
    """What is different."""

    def __str__(self) -> str:
        answered = [f"  answered {each}" for each in self.answers]
        return "\n".join([f"{self.kind}: {self.started}", *answered, *(f"  {line}" for line in self.lines)])


@dataclass(frozen=True)
class Run:
    """What came of a comparison."""

    disagreement: Disagreement | None
    answers: tuple[tuple[int, ...], ...]
    """All answers given: run with these again, or with fewer."""
    ended: str
    """`over` (all was done), `open` (`most` questions were answered), `limit` (both met a limit of the page)."""
    limit: str = ""
    """The message of the limit."""


class Book:
    """The rules of some packs, for the engine and for the reference."""


def load_book(*packs: str | Path) -> Book:
    """Packs by shipped id or by path, with all they require. Packs with errors are refused (CannotRunError)."""
    raise NotImplementedError


def compare_effect(
    book: Book,
    text: str,
    *,
    seat: int = 0,
    seats: int = 0,
    seed: int = 1,
    given: Given | None = None,
    shake: int | None = None,
    this: str = "",
    answers: Answers | int = 0,
    most: int = 50,
    watch: Callable[[Game], None] | None = None,
) -> Run:
    """Run an effect for a seat (-1: nobody acts) from a position, in both.

    `given` is the position; with `shake`, counters, pieces and things are spread at random by that seed before.
    `this` is the object the text stands on, written as in scenarios: `coin in hand of seat 1`, or a place, `harbour`.
    `seats` is the most there can be, if 0. `answers` is a seed or the answers themselves; when a list is used up, random
    answers follow. `watch` is called with the engine's game at every open question, before it is answered.
    Texts with errors are refused (CannotRunError).
    """
    raise NotImplementedError


def compare_game(
    book: Book,
    *,
    seats: int = 0,
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    answers: Answers | int = 0,
    most: int = 300,
    watch: Callable[[Game], None] | None = None,
) -> Run:
    """Play a whole game in both, from setup to `most` questions or the end."""
    raise NotImplementedError
