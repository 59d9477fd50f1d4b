"""Many games by bots, one line of JSON each: the same plan gives the same lines, however many processes play it."""

from __future__ import annotations

import gc
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dunerules import __version__
from dunerules.answers import numbers_given
from dunerules.bots import bot_seed, dealt, make_bot, play_out
from dunerules.formats import engine_line
from dunerules.game import Game, Rules, load
from dunerules.kept import sealed, text_of
from dunerules.native.backend import Backend
from dunerules.native.library import Library
from dunerules.native_games import NativeGames, chosen_library
from dunerules.processes import shared_out
from dunerules.replays import Recorder, Replay
from dunerules.results import Results
from dunerules.runtime.chance import below
from dunerules.runtime.state import GameError
from dunerules.summary import Summary

__all__ = [
    "RESULTS",
    "Batch",
    "Plan",
    "batches",
    "fingerprint",
    "recorded",
    "result_line",
    "simulate",
]


_KIND = "simulation"
_PARTS = ("game", "plan", "seed", "bots", "winners", "points", "report", "rounds", "decisions", "hash", "error")


@dataclass(frozen=True)
class Plan:
    """What to simulate."""

    packs: tuple[str, ...]
    players: int
    games: int
    seed: int = 0
    bots: tuple[str, ...] = ("random",)
    options: dict[str, str] = field(default_factory=dict)

    def game_seed(self, number: int) -> int:
        """The seed of a game."""
        return below(self.seed, number, 1 << 48)


AUTOMATED = "automated"
"""What stands for a bot in lines about automated seats."""


def recorded(
    rules: Rules, players: int, seed: int, bot: str, every: int = 10, options: dict[str, str] | None = None
) -> Replay:
    """A whole game by bots, as a replay."""
    game = rules.game(players=players, seed=seed, options=options, log=False)
    recorder = Recorder(game, every)
    bots = [make_bot(bot, bot_seed(seed, seat)) for seat in range(players)]
    while game.state.pending is not None:
        recorder.answer(bots[game.state.pending.seat].choose(game))
    return recorder.replay()


# ---- one game


def result_line(rules: Rules, plan: Plan, number: int) -> dict[str, Any]:
    """One game of a plan, as its line says it."""
    return _Playing(rules, plan).line(number)


def fingerprint(rules: Rules, plan: Plan) -> str:
    """What must be equal for two lines to belong into one file."""
    said = [engine_line(__version__), rules.locks, plan.players, plan.seed, plan.bots, plan.options]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Batch:
    """Some games in a row: their lines, as they stand in a file, and what they say together."""

    text: bytes
    summary: Summary


@dataclass
class _Playing:
    """What a process plays."""

    rules: Rules
    plan: Plan
    library: Library | None = None

    @cached_property
    def native(self) -> NativeGames | None:
        """Plays by native code. Every process has its own room for it."""
        if self.library is None:
            return None
        return NativeGames(self.rules, self.plan.players, self.plan.bots, self.plan.options, self.library)

    @cached_property
    def fingerprint(self) -> str:
        """What all lines say of the plan."""
        return fingerprint(self.rules, self.plan)

    @cached_property
    def bots(self) -> list[str]:
        """Who plays for each player."""
        return dealt(self.plan.bots, self.plan.players)

    def batch(self, numbers: range) -> Batch:
        """Some games."""
        text, summary = list[str](), Summary()
        for line in map(self.line, numbers):
            text.append(text_of(line))
            summary.add(line)
        return Batch("".join(text).encode(), summary)

    def line(self, number: int) -> dict[str, Any]:
        """One game."""
        plan, seed = self.plan, self.plan.game_seed(number)
        line: dict[str, Any] = {"game": number, "plan": self.fingerprint, "seed": seed}
        result = self.native.play(seed) if self.native is not None else None
        if result is None:
            bots = [make_bot(name, bot_seed(seed, seat)) for seat, name in enumerate(self.bots)]
            game = None
            try:
                game = self.rules.game(players=plan.players, seed=seed, options=plan.options, log=False)
                result = play_out(game, bots)
            except GameError as error:
                decisions = len(numbers_given(game.state) or ()) if game is not None else 0
                return sealed(_KIND, line | {"decisions": decisions, "error": str(error)})
        game = result.game
        points = {seat: list(row) for seat, row in result.standings}
        results = {
            "bots": [*self.bots, *[AUTOMATED] * (game.seats - plan.players)],
            "winners": list(result.winners),
            "points": [points.get(seat, []) for seat in range(1, game.seats + 1)],
            "report": _reported(game),
            "rounds": result.rounds,
            "decisions": result.decisions,
            "hash": game.hash(),
        }
        return sealed(_KIND, line | results)


def _reported(game: Game) -> list[list[str]]:
    """By seat, the objects in its zones that the pack wants results counted by."""
    zones, held, named = game.machine.table.layout.zones, game.state.zones, game.names.object
    found = [zones[name].base for name in game.rules.ruleset.report if name in zones and zones[name].per == "seat"]
    return [sorted(named(thing) for base in found for thing in held[base + seat]) for seat in range(game.seats)]


# ---- many games


_TOGETHER, _TOGETHER_AHEAD = 64, 8
"""Games in a batch by native code: some hundredths of a second, of bots that take any answer and of those that look
ahead. Python plays about one in that time."""

_SHARES = 4
"""Batches for each process, at least: so all of them have something to do to the end."""


def _parts(plan: Plan, numbers: range, jobs: int, library: Library | None) -> Iterator[range]:
    """The games of each batch."""
    most = 1 if library is None else _TOGETHER if {*plan.bots} == {"random"} else _TOGETHER_AHEAD
    size = max(1, min(most, len(numbers) // (jobs * _SHARES)))
    return (numbers[at : at + size] for at in range(0, len(numbers), size))


_playing: list[_Playing] = []
"""In a process that only plays: what it plays."""


def _prepare(plan: Plan, backend: Backend) -> None:
    """A new process loads what it has not inherited."""
    if not _playing:
        rules = load(*plan.packs, in_order=True)
        library = chosen_library(rules, plan.players, plan.options, backend, 0, _silent)
        _playing.append(_Playing(rules, plan, library))
    gc.freeze()  # what all games share stays: to look for garbage there would only copy it


def _batch(numbers: range) -> Batch:
    return _playing[0].batch(numbers)


def _silent(_: str) -> None:
    """What the parent has told already."""


def batches(
    rules: Rules,
    plan: Plan,
    jobs: int = 1,
    start: int = 0,
    backend: Backend = "python",
    tell: Callable[[str], None] = _silent,
) -> Iterator[Batch]:
    """The games of a plan in order, from game `start` on: the same, whatever back end plays. Why native code does not,
    where that was asked for, is told.

    Processes that play hand over what is written and counted already: one process is there for all of them."""
    numbers = range(start, plan.games)
    library = None
    if backend != "python" and numbers:
        began = time.perf_counter()
        if backend == "auto":  # how long a game takes is seen by playing one
            yield _Playing(rules, plan).batch(numbers[:1])
            numbers = numbers[1:]
        seconds = (time.perf_counter() - began) * len(numbers)
        library = chosen_library(rules, plan.players, plan.options, backend, seconds, tell)
    playing, parts = _Playing(rules, plan, library), _parts(plan, numbers, jobs, library)
    if jobs <= 1 or len(numbers) < 2:
        yield from map(playing.batch, parts)
        return
    _playing[:] = [playing]
    try:
        found: Backend = "native" if library is not None else "python"
        yield from shared_out(_batch, parts, min(jobs, len(numbers)), _prepare, plan, found)
    finally:
        _playing.clear()


def simulate(
    rules: Rules,
    plan: Plan,
    jobs: int = 1,
    start: int = 0,
    backend: Backend = "python",
    tell: Callable[[str], None] = _silent,
) -> Iterator[dict[str, Any]]:
    """The lines of `batches`."""
    for batch in batches(rules, plan, jobs, start, backend, tell):
        yield from map(json.loads, batch.text.splitlines())


# ---- files


def _fits(line: dict[str, Any]) -> bool:
    """Whether a line can be counted."""

    def number(value: Any) -> bool:
        return type(value) is int and abs(value) < 1 << 60

    def numbers(values: Any) -> bool:
        return isinstance(values, list) and all(map(number, values))

    def texts(values: Any) -> bool:
        return isinstance(values, list) and all(isinstance(each, str) for each in values)

    if not number(line.get("decisions")):
        return False
    if "error" in line:
        return isinstance(line["error"], str)
    bots, points, reported = line.get("bots"), line.get("points"), line.get("report")
    return (
        texts(bots)
        and numbers(line.get("winners"))
        and number(line.get("rounds"))
        and isinstance(points, list)
        and isinstance(reported, list)
        and all(map(numbers, points))
        and all(map(texts, reported))
        and len(bots or []) == len(points) == len(reported)
    )


RESULTS = Results(
    _KIND,
    "game",
    _PARTS,
    _fits,
    "this file belongs to another simulation (packs, players, seed, bots, options or version differ)",
)
"""How its file is kept."""
