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

from dunerules.game import Game
from dunerules.problems import CannotRunError
from dunerules.runtime.state import Decision, GameError
from dunerules.scenarios.playing import Playing as EnginePlaying
from dunerules.scenarios.record import FaultError
from tests.reference.shadow import Run as Slot
from tests.reference.shadow import Shadow
from tests.reference.shake import shaken
from tests.reference.starts import Book, Given, Start, scenario_of, take_position
from tests.reference.state import LimitError

__all__ = [
    "Answers", "Book", "Disagreement", "Given", "Run", "Slot", "compare_effect", "compare_game", "compare_slots",
    "load_book",
]  # fmt: skip

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
    """`over` (all was done), `open` (`most` questions were answered), `limit` (both met a limit of the page), `slow`
    (too long for the reference); or `differs`, `failed`."""
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
    position = _position(book, seats, given, shake)
    started = f"{text!r} for {'nobody' if seat < 0 else f'seat {seat + 1}'} of {seats}, seed {seed}, given {position}"
    scenario = scenario_of(text, seat=seat, seats=seats, seed=seed, given=position, this=this)
    try:
        start = Start(book, scenario)
    except FaultError as error:
        raise CannotRunError(str(error)) from None
    pair = _Pair(started, answers, watch, start.shadow(), position)
    engine: EnginePlaying | None = pair.engine_does(lambda: EnginePlaying(scenario, book.engine))
    if engine is not None:
        pair.game = engine.game
        pair.asked = lambda: None if engine.question is None else engine.game.state.pending
    return pair.run(most)


def compare_slots(
    book: Book,
    runs: Sequence[Slot],
    *,
    seats: int = 0,
    seed: int = 1,
    given: Given | None = None,
    shake: int | None = None,
    answers: Answers | int = 0,
    most: int = 50,
    watch: Callable[[Game], None] | None = None,
) -> Run:
    """Run slots of objects one after the other, in both; then the game is over. Much faster than texts of their own.

    A run is kind, id, slot and the seat that acts; each stands on the first copy of its object.
    """
    seats = seats or book.rules.seats[1]
    addresses = book.addresses(seats)
    names, layout, machine = addresses.names, addresses.layout, addresses.names.machine
    state = machine.start(seed)
    state.result = None
    position = _position(book, seats, given, shake)
    try:
        take_position(state, position, addresses)
    except FaultError as error:
        raise CannotRunError(str(error)) from None
    shadow = Shadow.of_slots(book.reference, names, state, runs)
    for kind, id_, slot, seat in reversed(runs):
        thing = layout.thing_index[kind, id_]
        copies = layout.copies.get(thing)
        place = book.rules.words.kinds[kind].role == "place"
        this, here = copies[0] if copies else thing, thing if place else -1
        machine.push(state, layout.things[thing].slots[slot], seat, this, here, ())
    shown = ", ".join(f"{slot} of {kind}/{id_} for seat {seat + 1}" for kind, id_, slot, seat in runs)
    pair = _Pair(f"{shown}, of {seats}, seed {seed}, given {position}", answers, watch, shadow, position)
    pair.game = game = Game(book.quiet, machine, names, state)
    pair.asked = lambda: game.state.pending
    pair.engine_does(lambda: machine.run(state))
    return pair.run(most)


def _position(book: Book, seats: int, given: Given | None, shake: int | None) -> Given:
    """What is given, and the rest by chance, if wanted."""
    position = dict(given or {})
    if shake is not None:
        position = {**shaken(book.addresses(seats).names, random.Random(shake), position), **position}
    return position


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
    chosen = dict(options or {})
    machine, names = book.playable.machine(seats, chosen)
    shadow = Shadow.of_game(book.reference, names, seed, chosen)
    pair = _Pair(f"a game of {seats}, seed {seed}, options {chosen}", answers, watch, shadow, {})
    game = pair.engine_does(lambda: Game(book.playable, machine, names, machine.start(seed)))
    if game is not None:
        pair.game, pair.asked = game, lambda: game.state.pending
    return pair.run(most)


# ---- side by side


class _Pair:
    """Engine and reference on their way, and the first thing in which they differ."""

    def __init__(
        self,
        started: str,
        answers: Answers | int,
        watch: Callable[[Game], None] | None,
        shadow: Shadow,
        given: Given,
    ) -> None:
        self.started = started
        self.watch = watch
        self.shadow = shadow
        self.given = given
        self.chance = random.Random(answers if isinstance(answers, int) else 0)
        self.script = [] if isinstance(answers, int) else list(answers)
        self.answers: list[tuple[int, ...]] = []
        self.named: list[str] = []
        self.game: Game | None = None
        self.asked: Callable[[], Decision | None] = lambda: None
        self.failed: Exception | None = None
        """What the engine raised."""

    def engine_does(self, what: Callable[[], Any]) -> Any:
        """Let the engine go on; what it raises is kept."""
        try:
            return what()
        except Exception as error:
            self.failed = error

    def run(self, most: int) -> Run:
        """Answer and compare, to the end or to the first difference."""
        while True:
            if self.failed is not None or self.shadow.error is not None:
                return self._failure()
            assert self.game is not None
            decision = self.asked()
            lines = self.shadow.differences(self.game.state, decision)
            if lines:
                return self._done(self._says("question" if "asks" in lines[0] else "state", *lines), "differs")
            if decision is None:
                return self._done(None, "over")
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
        engine, reference = self.failed, self.shadow.error
        if isinstance(engine, GameError) and (isinstance(reference, LimitError) or _is_fuel(engine)):
            return self._done(None, "limit", str(engine))
        if engine is None and str(reference) == "fuel":
            return self._done(None, "slow")
        if reference is not None and not isinstance(reference, LimitError):
            lines = traceback.format_exception(reference)[-3:]
            return self._done(self._says("reference", *"".join(lines).splitlines()), "failed")
        if engine is None:
            return self._done(self._says("reference", f"limit: {reference}"), "failed")
        lines = [] if isinstance(engine, GameError) else traceback.format_exception(engine)[-2:]
        return self._done(self._says("engine", f"{type(engine).__name__}: {engine}", *lines), "failed")

    def _answer(self, decision: Decision) -> None:
        """Answer both alike."""
        assert self.game is not None
        size = len(decision.options)
        if self.script:
            wanted = [number for number in dict.fromkeys(self.script.pop(0)) if number < size]
            rest = [number for number in range(size) if number not in wanted]
            chosen = (*wanted[: decision.high], *rest[: max(decision.low - len(wanted), 0)])
        else:
            chosen = tuple(self.chance.sample(range(size), self.chance.randint(decision.low, decision.high)))
        self.answers.append(chosen)
        self.named.append(self.shadow.named(decision, chosen))
        self.shadow.answer(decision, chosen)
        game = self.game
        self.engine_does(lambda: game.answer(*chosen))


def _is_fuel(error: GameError) -> bool:
    """Whether the engine ran out of fuel, which it counts in another way."""
    return "fuel" in str(error) or "never" in str(error)
