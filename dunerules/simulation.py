"""Many games by bots, one line of JSON each: the same plan gives the same lines, however many processes play it."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from dunerules import __version__
from dunerules.answers import numbers_given
from dunerules.bots import bot_seed, dealt, make_bot, play_out
from dunerules.formats import engine_line
from dunerules.game import Game, Rules, load
from dunerules.kept import sealed
from dunerules.native.backend import Backend
from dunerules.native.library import Library
from dunerules.native_games import NativeGames, chosen_library
from dunerules.replays import Recorder, Replay
from dunerules.results import Results
from dunerules.runtime.chance import below
from dunerules.runtime.state import GameError

__all__ = [
    "RESULTS",
    "Plan",
    "Summary",
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


def result_line(rules: Rules, plan: Plan, number: int, native: NativeGames | None = None) -> dict[str, Any]:
    """One game of a plan, as its line says it."""
    seed = plan.game_seed(number)
    line: dict[str, Any] = {"game": number, "plan": fingerprint(rules, plan), "seed": seed}
    names = dealt(plan.bots, plan.players)
    result = native.play(seed) if native is not None else None
    if result is None:
        bots = [make_bot(name, bot_seed(seed, seat)) for seat, name in enumerate(names)]
        game = None
        try:
            game = rules.game(players=plan.players, seed=seed, options=plan.options, log=False)
            result = play_out(game, bots)
        except GameError as error:
            decisions = len(numbers_given(game.state) or ()) if game is not None else 0
            return sealed(_KIND, line | {"decisions": decisions, "error": str(error)})
    game = result.game
    points = {seat: list(row) for seat, row in result.standings}
    results = {
        "bots": [*names, *[AUTOMATED] * (game.seats - plan.players)],
        "winners": list(result.winners),
        "points": [points.get(seat, []) for seat in range(1, game.seats + 1)],
        "report": [_reported(game, seat) for seat in range(game.seats)],
        "rounds": result.rounds,
        "decisions": result.decisions,
        "hash": game.hash(),
    }
    return sealed(_KIND, line | results)


def _reported(game: Game, seat: int) -> list[str]:
    """The objects in the zones of a seat, counted from 0, that the pack wants results counted by."""
    zones = game.machine.table.layout.zones
    found = [zones[name] for name in game.rules.ruleset.report if name in zones and zones[name].per == "seat"]
    return sorted(game.names.object(thing) for zone in found for thing in game.state.zones[zone.base + seat])


def fingerprint(rules: Rules, plan: Plan) -> str:
    """What must be equal for two lines to belong into one file."""
    said = [engine_line(__version__), rules.locks, plan.players, plan.seed, plan.bots, plan.options]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]


# ---- many games


@dataclass
class _Playing:
    """What a process plays."""

    rules: Rules
    plan: Plan
    library: Library | None
    _native: NativeGames | None = None

    def line(self, number: int) -> dict[str, Any]:
        """One game. Every process has its own room for native code."""
        if self.library is not None and self._native is None:
            plan = self.plan
            self._native = NativeGames(self.rules, plan.players, plan.bots, plan.options, self.library)
        return result_line(self.rules, self.plan, number, self._native)


_playing: list[_Playing] = []
"""In a process that only plays: what it plays."""


def _prepare(plan: Plan, backend: Backend) -> None:
    """A new process: it leaves Ctrl-C to its parent, and loads what it has not inherited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the program around does with it, helpers must end by it
    if not _playing:
        rules = load(*plan.packs, in_order=True)
        library = chosen_library(rules, plan.players, plan.options, backend, 0, _silent)
        _playing.append(_Playing(rules, plan, library))


def _line(number: int) -> dict[str, Any]:
    return _playing[0].line(number)


def _silent(_: str) -> None:
    """What the parent has told already."""


def simulate(
    rules: Rules,
    plan: Plan,
    jobs: int = 1,
    start: int = 0,
    backend: Backend = "python",
    tell: Callable[[str], None] = _silent,
) -> Iterator[dict[str, Any]]:
    """The lines of a plan in order, from game `start` on: the same, whatever back end plays. Why native code does not,
    where that was asked for, is told."""
    numbers = range(start, plan.games)
    library = None
    if backend != "python" and numbers:
        began = time.perf_counter()
        if backend == "auto":  # how long a game takes is seen by playing one
            yield result_line(rules, plan, start)
            numbers = numbers[1:]
        seconds = (time.perf_counter() - began) * len(numbers)
        library = chosen_library(rules, plan.players, plan.options, backend, seconds, tell)
    playing = _Playing(rules, plan, library)
    if jobs <= 1 or len(numbers) < 2:
        yield from map(playing.line, numbers)
        return
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    _playing[:] = [playing]
    try:
        found: Backend = "native" if library is not None else "python"
        with context.Pool(min(jobs, len(numbers)), _prepare, (plan, found)) as pool:
            yield from pool.imap(_line, numbers, chunksize=1 if library is None else 8)
    finally:
        _playing.clear()


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


# ---- results


_MOST_COUNTS = 10
"""Different numbers of rounds that are told one by one."""


def _spread(numbers: list[int]) -> str:
    """How numbers are spread, in a few of them."""
    ordered = sorted(numbers)
    mean, middle = sum(ordered) / len(ordered), ordered[len(ordered) // 2]
    return f"mean {mean:.1f}, median {middle}, {ordered[0]} to {ordered[-1]}"


@dataclass
class Summary:
    """What many lines say together."""

    games: int = 0
    shared: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    """By reason: games that were not finished."""
    decisions: list[int] = field(default_factory=list)
    rounds: dict[int, int] = field(default_factory=dict)
    seats: dict[str, list[int]] = field(default_factory=dict)
    bots: dict[str, list[int]] = field(default_factory=dict)
    report: dict[str, list[int]] = field(default_factory=dict)
    """By name: games, wins, points."""

    def add(self, line: dict[str, Any]) -> None:
        """Count one game."""
        self.games += 1
        self.decisions.append(line["decisions"])
        if "error" in line:
            reason = line["error"]
            self.errors[reason] = self.errors.get(reason, 0) + 1
            return
        self.shared += len(line["winners"]) > 1
        self.rounds[line["rounds"]] = self.rounds.get(line["rounds"], 0) + 1
        for place, (bot, points, reported) in enumerate(zip(line["bots"], line["points"], line["report"], strict=True)):
            won, score = place + 1 in line["winners"], points[0] if points else 0
            rows = [(self.seats, f"seat {place + 1}"), (self.bots, bot), *((self.report, name) for name in reported)]
            for table, name in rows:
                row = table.setdefault(name, [0, 0, 0])
                row[0] += 1
                row[1] += won
                row[2] += score

    def lines(self) -> list[str]:
        """The summary for people, line by line."""
        if not self.games:
            return ["no games"]
        errors = sum(self.errors.values())
        lines = [f"{self.games} games, {self.shared} shared wins, {errors} ended by an error"]
        lines += [f"  {count} of them: {reason}" for reason, count in sorted(self.errors.items())]
        lines.append(f"decisions a game: {_spread(self.decisions)}")
        if any(self.rounds):
            counts = [f"{count} took {number}" for number, count in sorted(self.rounds.items())]
            every = [number for number, count in self.rounds.items() for _ in range(count)]
            few = len(counts) <= _MOST_COUNTS
            lines.append(f"games by rounds: {', '.join(counts)}" if few else f"rounds a game: {_spread(every)}")
        for title, table in (("seat", self.seats), ("bot", self.bots), ("reported", self.report)):
            if len(table) > 1:
                lines += ["", f"{title:32} {'games':>7} {'wins':>7} {'wins %':>7} {'points':>7}"]
                for name, (games, wins, points) in sorted(table.items()):
                    lines.append(f"{name:32} {games:7} {wins:7} {100 * wins / games:7.1f} {points / games:7.2f}")
        return lines
