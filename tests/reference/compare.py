"""Engine and reference side by side: the same position, the same answers, and a look at both after every decision.

    book = load_book("base")                       # or paths of packs; keep it, it is never changed
    run = compare_effect(book, "pay 1 spice -> draw 2", seed=3, given={"spice of seat 1": 2})
    assert run.disagreement is None, run.disagreement
    run = compare_game(book, seats=3, seed=3, most=200)

Answers are random but for a seed, or given as a list, so that what was found can be played again and made smaller:
`compare_effect(..., answers=run.answers)` does the same once more.
"""

from __future__ import annotations

import json
import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from dunerules.checker.objects import object_scope
from dunerules.game import Game, GameError, Rules
from dunerules.packs.library import packs_named
from dunerules.packs.nodes import Node
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import CannotRunError
from dunerules.runtime.ruleset import build_ruleset
from dunerules.runtime.state import Decision
from dunerules.runtime.state import State as EngineState
from dunerules.scenarios.record import FaultError, Scenario, lines_of
from dunerules.scenarios.run import _Playing as EnginePlaying
from dunerules.scenarios.stage import Book as EngineBook
from tests.reference import load
from tests.reference.game import Game as ReferenceGame
from tests.reference.matching import Matching
from tests.reference.play import Playing, effect, whole_game
from tests.reference.shake import shaken
from tests.reference.state import Context, Label, LimitError, Question, State, Table

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
    given: Given = field(default_factory=dict)
    """The position it began with, also what was shaken."""


class Book:
    """The rules of some packs, for the engine and for the reference."""

    def __init__(self, *packs: str | Path) -> None:
        selection = packs_named(*packs)
        self.reference = load.load_rules(selection)
        self.rules = build_ruleset(selection)
        self.engine = EngineBook(self.rules, self.reference.desk, self.rules.verbs)
        self.playable = Rules(self.rules, {})
        self._matching: dict[tuple[Any, ...], Matching] = {}

    def table(self, seats: int, options: Mapping[str, str] | None = None) -> Table:
        """What the reference plays at."""
        return Table(self.reference, seats, dict(options or {}))


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
    `seats` is the most there can be, if 0. `answers` is a seed or the answers themselves; when a list is used up, random
    answers follow. `watch` is called with the engine's game at every open question, before it is answered.
    Texts with errors are refused (CannotRunError).
    """
    seats = seats or book.rules.seats[1]
    table = book.table(seats)
    position = dict(given or {})
    if shake is not None:
        machine, names = book.playable.machine(seats, {})
        position = {**shaken(names, random.Random(shake)), **position}
    started = f"{text!r} for {'nobody' if seat < 0 else f'seat {seat + 1}'} of {seats}, seed {seed}, given {position}"
    scenario = scenario_of(text, seat=seat, seats=seats, seed=seed, given=position, this=this)
    pair = _Pair(started, answers, watch)
    pair.given = position
    try:
        begun = Begun(book, scenario, table)
    except FaultError as error:
        raise CannotRunError(str(error)) from None
    pair.engine_does(begun.run_engine)
    pair.matching = begun.matching
    pair.reference_does(begun.reference)
    pair.game, pair.engine_question = begun.game, begun.engine_question
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
    pair = _Pair(f"a game of {seats}, seed {seed}, options {dict(options or {})}", answers, watch)
    pair.matching = Matching(names, table)
    g = ReferenceGame(table, table.new_state(seed))

    def begin() -> Game:
        return Game(book.playable, machine, names, machine.start(seed), seats)

    pair.game = pair.engine_does(begin)
    pair.engine_question = lambda: None if pair.game is None else pair.game.state.pending
    pair.reference_does(lambda: (g, Playing(g, whole_game(g))))
    return pair.run(most)


# ---- starting from a position


def node_of(value: Any) -> Node:
    """A value as the packs' reader would give it."""
    found, problems = read_yaml(Source("given", json.dumps(value)))
    if found is None or problems:
        raise CannotRunError(f"cannot be written in YAML: {value!r}")
    return found


def scenario_of(text: str, *, seat: int, seats: int, seed: int, given: Given, this: str) -> Scenario:
    """A start as a scenario without answers."""
    start = node_of(text if seat < 0 else f"{text} of seat {seat + 1}")
    lines = tuple(lines_of(node_of(dict(given))))
    key, standing = node_of("compared"), node_of(this) if this else None
    return Scenario(
        "compared", key, seats, 0, seed, (), lines, (start,), standing, (), (), True, False, frozenset()
    )  # fmt: skip


class _Prepared(EnginePlaying):
    """A scenario that is ready, but not begun."""

    def begin(self) -> None:
        """Run to the first question."""


class Begun:
    """A scenario begun in the reference, and ready to begin in the engine."""

    def __init__(self, book: Book, scenario: Scenario, table: Table) -> None:
        if len(book.engine.stages) > 200:
            book.engine.stages.clear()
        self.book = book
        self.scenario = scenario
        self.table = table
        self.failure: GameError | None = None
        self.playing: EnginePlaying | None = None
        self.game: Game | None = None
        try:
            self.playing = EnginePlaying(scenario, book.engine)
            self.game = self.playing.game
            self.before = self.playing.before
        except GameError as error:
            self.failure = error
            self.before = _position(scenario, book)
        _, names = book.playable.machine(len(table.seats), {})
        self.matching = Matching(names, table)

    def run_engine(self) -> None:
        """Tell how the engine began."""
        if self.failure is not None:
            raise self.failure

    def engine_question(self) -> Decision | None:
        """What the engine asks, before everything that was started has ended."""
        assert self.playing is not None
        return None if self.playing.question is None else self.playing.game.state.pending

    def reference(self) -> tuple[ReferenceGame, Playing]:
        """The reference, run to its first question."""
        g = ReferenceGame(self.table, self.matching.state(self.before))
        start = self.scenario.starts[0]
        text, _, seat = str(start.value).rpartition(" of seat ")
        text, you = (text, int(seat) - 1) if text else (str(start.value), None)
        this, here = self._this()
        scope = self.book.reference.desk.scope()
        if isinstance(this, Label):
            scope = object_scope(self.book.reference.words.kinds[this.kind], self.book.reference.desk)
        elif this is not None:
            scope = object_scope(self.book.reference.words.kinds[self.table.label(this).kind], self.book.reference.desk)
        body = self.book.reference.desk.effect(node_of(text), scope)
        assert body is not None
        return g, Playing(g, effect(g, body, Context(you, you, this, here)))

    def _this(self) -> tuple[int | Label | None, Label | None]:
        if self.scenario.this is None:
            return None, None
        assert self.playing is not None
        number, place = self.playing._this()
        return (number, None) if place < 0 else (self.matching.label(number), self.matching.label(place))


def _position(scenario: Scenario, book: Book) -> EngineState:
    """The position of a scenario."""
    from dunerules.scenarios.position import set_position
    from dunerules.scenarios.stage import set_stage

    stage = set_stage(book.engine, scenario)
    set_position(stage.game.state, scenario.given, stage.addresses)
    return stage.game.state


# ---- side by side


class _Pair:
    """Engine and reference on their way, and the first thing in which they differ."""

    def __init__(self, started: str, answers: Answers | int, watch: Callable[[Game], None] | None) -> None:
        self.started = started
        self.watch = watch
        self.chance = random.Random(answers if isinstance(answers, int) else 0)
        self.script = [] if isinstance(answers, int) else list(answers)
        self.answers: list[tuple[int, ...]] = []
        self.named: list[str] = []
        self.given: Given = {}
        self.matching: Matching | None = None
        self.game: Game | None = None
        self.engine_question: Callable[[], Decision | None] = lambda: None
        self.reference: tuple[ReferenceGame, Playing] | None = None
        self.failed: dict[str, Exception] = {}

    def engine_does(self, what: Callable[[], Any]) -> Any:
        """Let the engine go on; what it raises is kept."""
        try:
            return what()
        except Exception as error:
            self.failed["engine"] = error

    def reference_does(self, what: Callable[[], Any]) -> None:
        """The same for the reference."""
        try:
            found = what()
            self.reference = found if found is not None else self.reference
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
        assert self.matching is not None
        assert self.reference is not None
        assert self.game is not None
        g, playing = self.reference
        lines = self.matching.differences(self.game.state, g.state)
        asked, other = self.matching.question(self.engine_question()), playing.question
        if _comparable(asked) != _comparable(other):
            lines += [f"engine asks {self._shown(asked)}", f"reference asks {self._shown(other)}"]
            return self._says("question", *lines)
        return self._says("state", *lines) if lines else None

    def _shown(self, question: Question | None) -> str:
        assert self.matching is not None
        if question is None:
            return "nothing"
        options = ", ".join(sorted(self._option(question, each) for each in question.options))
        return f"seat {question.seat + 1}: {question.kind}, {question.low} to {question.high} of {options or 'nothing'}"

    def _option(self, question: Question, option: Any) -> str:
        assert self.matching is not None
        if question.kind in {"choose", "number", "seat"} or not isinstance(option, (int, tuple)):
            return self.matching.shown(option)
        return self.matching.shown(option if isinstance(option, tuple) else (option,))

    def _answer(self, decision: Decision) -> None:
        """Answer both alike."""
        assert self.matching is not None
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
        game, (_, playing) = self.game, self.reference
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


_ = State
