"""Engine and reference side by side: the same position, the same answers, and a look at both after every decision.

    book = load_book("base")                       # or paths of packs; keep it, it is never changed
    run = compare_effect(book, "pay 1 spice -> draw 2", seed=3, given={"spice of seat 1": 2})
    assert run.disagreement is None, run.disagreement
    run = compare_game(book, seats=3, seed=3, most=200)

Answers are random but for a seed, or given as a list, so that what was found can be played again and made smaller:
`compare_effect(..., answers=run.answers)` does the same once more.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from dunerules.game import Game, GameError
from dunerules.problems import CannotRunError
from dunerules.runtime.state import Decision
from dunerules.scenarios.record import FaultError
from dunerules.scenarios.run import _Playing as EnginePlaying
from tests.reference.game import Game as ReferenceGame
from tests.reference.matching import Matching
from tests.reference.play import Playing, whole_game
from tests.reference.shake import shaken
from tests.reference.starts import Book, Given, Start, scenario_of
from tests.reference.state import LimitError, Question

__all__ = ["Answers", "Book", "Disagreement", "Given", "Run", "compare_effect", "compare_game", "load_book"]

Answers: TypeAlias = Sequence[tuple[int, ...]]
"""For each question in turn the numbers of the options taken, as the engine numbers them."""


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
    given: Given = field(default_factory=dict)
    """The position it began with, also what was shaken."""


def load_book(*packs: str | Path) -> Book:
    """Packs by shipped id or by path, with all they require. Packs with errors are refused (CannotRunError)."""
    return Book(*packs)


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
    `seats` is the most there can be, if 0. `answers` is a seed or the answers themselves; when a list is used up,
    random answers follow. `watch` is called with the engine's game at every open question, before it is answered.
    Texts with errors are refused (CannotRunError).
    """
    seats = seats or book.rules.seats[1]
    position = dict(given or {})
    if shake is not None:
        _, names = book.playable.machine(seats, {})
        position = {**shaken(names, random.Random(shake)), **position}
    started = f"{text!r} for {'nobody' if seat < 0 else f'seat {seat + 1}'} of {seats}, seed {seed}, given {position}"
    scenario = scenario_of(text, seat=seat, seats=seats, seed=seed, given=position, this=this)
    try:
        start = Start(book, scenario)
    except FaultError as error:
        raise CannotRunError(str(error)) from None
    pair = _Pair(started, answers, watch, start.matching)
    pair.given = position
    engine: EnginePlaying | None = pair.engine_does(lambda: EnginePlaying(scenario, book.engine))
    pair.reference = pair.reference_does(start.reference)
    if engine is not None:
        pair.game = engine.game
        pair.engine_question = lambda: None if engine.question is None else engine.game.state.pending
    return pair.run(most)


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
    seats = seats or book.rules.seats[1]
    table = book.table(seats, options)
    machine, names = book.playable.machine(seats, dict(options or {}))
    started = f"a game of {seats}, seed {seed}, options {dict(options or {})}"
    pair = _Pair(started, answers, watch, Matching(names, table))
    game = pair.engine_does(lambda: Game(book.playable, machine, names, machine.start(seed), seats))
    g = ReferenceGame(table, table.new_state(seed))
    pair.reference = pair.reference_does(lambda: Playing(g, whole_game(g)))
    if game is not None:
        pair.game, pair.engine_question = game, lambda: game.state.pending
    return pair.run(most)


# ---- side by side


class _Pair:
    """Engine and reference on their way, and the first thing in which they differ."""

    def __init__(
        self, started: str, answers: Answers | int, watch: Callable[[Game], None] | None, matching: Matching
    ) -> None:
        self.started = started
        self.matching = matching
        self.watch = watch
        self.chance = random.Random(answers if isinstance(answers, int) else 0)
        self.script = [] if isinstance(answers, int) else list(answers)
        self.answers: list[tuple[int, ...]] = []
        self.named: list[str] = []
        self.given: Given = {}
        self.game: Game | None = None
        self.engine_question: Callable[[], Decision | None] = lambda: None
        self.reference: Playing | None = None
        self.failed: dict[str, Exception] = {}

    def engine_does(self, what: Callable[[], Any]) -> Any:
        """Let the engine go on; what it raises is kept."""
        try:
            return what()
        except Exception as error:
            self.failed["engine"] = error

    def reference_does(self, what: Callable[[], Any]) -> Any:
        """The same for the reference."""
        try:
            return what()
        except Exception as error:
            self.failed["reference"] = error

    def run(self, most: int) -> Run:
        """Answer and compare, to the end or to the first difference."""
        while True:
            if self.failed:
                return self._failure()
            found = self._difference()
            if found is not None:
                return self._done(found, "differs")
            decision = self.engine_question()
            if decision is None:
                return self._done(None, "over")
            assert self.game is not None
            if self.watch is not None:
                self.watch(self.game)
            if len(self.answers) >= most:
                return self._done(None, "open")
            self._answer(decision)

    def _done(self, found: Disagreement | None, ended: str, limit: str = "") -> Run:
        return Run(found, tuple(self.answers), ended, limit, self.given)

    def _says(self, kind: str, *lines: str) -> Disagreement:
        return Disagreement(kind, self.started, tuple(self.named), lines)

    def _failure(self) -> Run:
        """One of them, or both, met an error: only the same limit in both is right."""
        engine, reference = self.failed.get("engine"), self.failed.get("reference")
        if isinstance(engine, GameError) and (isinstance(reference, LimitError) or _is_fuel(engine)):
            return self._done(None, "limit", str(engine))
        if reference is not None and not isinstance(reference, LimitError):
            lines = traceback.format_exception(reference)[-3:]
            return self._done(self._says("reference", *"".join(lines).splitlines()), "failed")
        if engine is None:
            return self._done(self._says("reference", f"limit: {reference}"), "failed")
        lines = [] if isinstance(engine, GameError) else traceback.format_exception(engine)[-2:]
        return self._done(self._says("engine", f"{type(engine).__name__}: {engine}", *lines), "failed")

    def _difference(self) -> Disagreement | None:
        assert self.reference is not None
        assert self.game is not None
        lines = self.matching.differences(self.game.state, self.reference.g.state)
        asked, other = self.matching.question(self.engine_question()), self.reference.question
        if _comparable(asked) != _comparable(other):
            lines += [f"engine asks {self._shown(asked)}", f"reference asks {self._shown(other)}"]
            return self._says("question", *lines)
        return self._says("state", *lines) if lines else None

    def _shown(self, question: Question | None) -> str:
        if question is None:
            return "nothing"
        options = ", ".join(sorted(self._option(question, each) for each in question.options))
        return f"seat {question.seat + 1}: {question.kind}, {question.low} to {question.high} of {options or 'nothing'}"

    def _option(self, question: Question, option: Any) -> str:
        if question.kind in {"choose", "number", "seat"} or not isinstance(option, (int, tuple)):
            return self.matching.shown(option)
        return self.matching.shown(option if isinstance(option, tuple) else (option,))

    def _answer(self, decision: Decision) -> None:
        """Answer both alike."""
        assert self.game is not None
        assert self.reference is not None
        size = len(decision.options)
        if self.script:
            wanted = [number for number in dict.fromkeys(self.script.pop(0)) if number < size]
            rest = [number for number in range(size) if number not in wanted]
            chosen = (*wanted[: decision.high], *rest[: max(decision.low - len(wanted), 0)])
        else:
            chosen = tuple(self.chance.sample(range(size), self.chance.randint(decision.low, decision.high)))
        question = self.matching.question(decision)
        assert question is not None
        options = [question.options[number] for number in chosen]
        self.answers.append(chosen)
        self.named.append(
            f"{question.kind} of seat {question.seat + 1}: {[self._option(question, each) for each in options]}"
        )
        game, playing = self.game, self.reference
        self.engine_does(lambda: game.answer(*chosen))
        self.reference_does(lambda: playing.answer(options))


def _comparable(question: Question | None) -> Any:
    """A question without the order of its options."""
    if question is None:
        return None
    return (question.seat, question.kind, question.low, question.high, sorted(map(repr, question.options)))


def _is_fuel(error: GameError) -> bool:
    """Whether the engine ran out of fuel, which it counts in another way."""
    return "fuel" in str(error) or "never" in str(error)
