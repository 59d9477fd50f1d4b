"""Whole games of random bots by native code, told as Python tells them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dunerules.bots import LONGEST, Result, bot_seed, play_game
from dunerules.checker.cache import engine_fingerprint
from dunerules.digests import digest
from dunerules.game import Game, Rules
from dunerules.native.backend import Backend, library_of, worth_compiling
from dunerules.native.library import OVER, Library, Native, Played
from dunerules.native.ops import NotNativeError
from dunerules.runtime.chance import below
from dunerules.runtime.machine import Machine
from dunerules.tables import table_of

__all__ = ["NativeGames", "Outcome", "chosen_library", "play_many"]

_SOON = 2.0
"""Seconds of work for which it is not even looked what is ready."""


_TOGETHER = 256
"""Games in one call."""


@dataclass(frozen=True)
class Outcome:
    """What came of one of many games. Seats count from 1."""

    seed: int
    winners: tuple[int, ...]
    rounds: int
    decisions: int


def play_many(
    rules: Rules,
    games: int,
    *,
    players: int | None = None,
    seed: int = 0,
    options: dict[str, str] | None = None,
    backend: Backend = "auto",
) -> Iterator[Outcome]:
    """Many games by random bots, as `dunerules sim` plays them: the same ones, whatever back end plays."""
    playing, chosen, seeds = rules.most_players if players is None else players, options or {}, range(games)
    all_seeds, native = [below(seed, number, 1 << 48) for number in seeds], None
    began, first = time.perf_counter(), all_seeds[:1] if backend == "auto" else []
    for each in first:
        yield _by_python(rules, playing, each, chosen)
    seconds = (time.perf_counter() - began) * (games - len(first))
    library = chosen_library(rules, playing, chosen, backend, seconds, lambda _: None)
    if library is not None:
        native = Native(library)
    left = all_seeds[len(first) :]
    for start in range(0, len(left), _TOGETHER):
        some = left[start : start + _TOGETHER]
        found: list[Played | None] = [None] * len(some)
        if native is not None:
            bots = [[bot_seed(each, seat) for seat in range(native.library.seats)] for each in some]
            found[:] = native.play_many(some, bots, LONGEST)
        for each, played in zip(some, found, strict=True):
            if played is None or played.status != OVER:
                yield _by_python(rules, playing, each, chosen)
            else:
                winners = tuple(seat + 1 for seat in played.winners)
                yield Outcome(each, winners, played.rounds, played.decisions)


def _by_python(rules: Rules, players: int, seed: int, options: dict[str, str]) -> Outcome:
    result = play_game(rules, ["random"] * players, seed=seed, options=options)
    return Outcome(seed, result.winners, result.rounds, result.decisions)


class NativeGames:
    """Plays games of one table. Those that native code gives up are left to Python."""

    def __init__(self, rules: Rules, players: int, options: dict[str, str], library: Library) -> None:
        seats, automated = table_of(rules.ruleset, players)
        self.rules = rules
        self.machine, self.names = rules.machine(seats, options, automated)
        self.native = Native(library)
        self.block = self.native.block()

    def play(self, seed: int) -> Result | None:
        """A game by random bots, as `play_game` has it; none if Python must play it."""
        seeds = [bot_seed(seed, seat) for seat in range(self.machine.table.seats)]
        played = self.native.play(self.block, seed, seeds, LONGEST)
        if played.status != OVER:
            return None
        game = Game(self.rules, self.machine, self.names, self.native.state(self.block))
        return Result(game.winners, tuple(game.standings()), played.rounds, played.decisions, game)


def _name(rules: Rules, machine: Machine) -> str:
    """What a table is called by all that it is made of: the engine, the packs, seats and options. Rules that were made
    in memory have no name."""
    if not rules.content:
        return ""
    table = machine.table
    chosen = (f"{name}={value}" for name, value in sorted(table.options.items()))
    return digest("native", engine_fingerprint(), rules.content, str(table.seats), str(table.players), *chosen)[:40]


def chosen_library(
    rules: Rules, players: int, options: dict[str, str], backend: Backend, seconds: float, tell: Callable[[str], None]
) -> Library | None:
    """The library to play with, if it is to be native code: for so many seconds of work of Python. What was asked for
    and cannot be is told."""
    if backend == "python" or (backend == "auto" and seconds < _SOON):
        return None
    seats, automated = table_of(rules.ruleset, players)
    machine, _ = rules.machine(seats, options, automated)
    table = _name(rules, machine)
    try:
        return library_of(machine, make=False, table=table)
    except NotNativeError:
        pass  # it is not ready
    try:
        return library_of(machine, make=backend == "native" or worth_compiling(machine, seconds), table=table)
    except NotNativeError as error:
        if backend == "native":
            tell(f"Python plays, not native code: {error}")
        return None
