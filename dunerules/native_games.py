"""Whole games of bots by native code, told as Python tells them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dunerules.bots import AHEAD, LONGEST, TRIED, Result, bot_seed, dealt, play_game
from dunerules.game import Game, Rules
from dunerules.native.backend import Backend, library_of, worth_compiling
from dunerules.native.library import ANY, OVER, Library, Native, Played, Policy
from dunerules.native.ops import NotNativeError
from dunerules.native_tables import NOT_NATIVE, table_name
from dunerules.runtime.chance import below
from dunerules.runtime.machine import Machine
from dunerules.tables import table_of

__all__ = ["NativeGames", "Outcome", "chosen_library", "machine_library", "play_many", "policies"]

_SOON = 2.0
"""Seconds of work for which it is not even looked what is ready."""


_TOGETHER = 256
"""Games in one call."""

_POLICIES = {"random": ANY, "simple": Policy(TRIED, AHEAD)}
"""Bots that native code plays, by name."""


def policies(bots: Sequence[str]) -> list[Policy]:
    """How native code plays the bots of players."""
    return [_POLICIES[name] for name in bots]


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
    bots: str | Sequence[str] = "random",
    options: dict[str, str] | None = None,
    backend: Backend = "auto",
) -> Iterator[Outcome]:
    """Many games by bots, as `dunerules sim` plays them: the same ones, whatever back end plays. Bots are named,
    `random` or `simple`, and dealt to the seats in turn."""
    playing, chosen, seeds = rules.most_players if players is None else players, options or {}, range(games)
    names = dealt(bots, playing)
    all_seeds, native = [below(seed, number, 1 << 48) for number in seeds], None
    began, first = time.perf_counter(), all_seeds[:1] if backend == "auto" else []
    for each in first:
        yield _by_python(rules, names, each, chosen)
    seconds = (time.perf_counter() - began) * (games - len(first))
    library = chosen_library(rules, playing, chosen, backend, seconds, lambda _: None)
    if library is not None:
        native = Native(library)
    left = all_seeds[len(first) :]
    for start in range(0, len(left), _TOGETHER):
        some = left[start : start + _TOGETHER]
        found: list[Played | None] = [None] * len(some)
        if native is not None:
            chances = [[bot_seed(each, seat) for seat in range(native.library.seats)] for each in some]
            found[:] = native.play_many(some, chances, LONGEST, policies(names))
        for each, played in zip(some, found, strict=True):
            if played is None or played.status != OVER:
                yield _by_python(rules, names, each, chosen)
            else:
                winners = tuple(seat + 1 for seat in played.winners)
                yield Outcome(each, winners, played.rounds, played.decisions)


def _by_python(rules: Rules, bots: list[str], seed: int, options: dict[str, str]) -> Outcome:
    result = play_game(rules, bots, seed=seed, options=options)
    return Outcome(seed, result.winners, result.rounds, result.decisions)


class NativeGames:
    """Plays games of one table by bots. Those that native code gives up are left to Python."""

    def __init__(
        self, rules: Rules, players: int, bots: Sequence[str], options: dict[str, str], library: Library
    ) -> None:
        seats, automated = table_of(rules.ruleset, players)
        self.rules = rules
        self.machine, self.names = rules.machine(seats, options, automated)
        self.native = Native(library)
        self.bots = policies(dealt(bots, players))
        self.block = self.native.block()

    def play(self, seed: int) -> Result | None:
        """A game, as `play_game` has it; none if Python must play it."""
        seeds = [bot_seed(seed, seat) for seat in range(self.machine.table.seats)]
        played = self.native.play(self.block, seed, seeds, LONGEST, self.bots)
        if played.status != OVER:
            return None
        game = Game(self.rules, self.machine, self.names, self.native.state(self.block))
        return Result(game.winners, tuple(game.standings()), played.rounds, played.decisions, game)


def chosen_library(
    rules: Rules, players: int, options: dict[str, str], backend: Backend, seconds: float, tell: Callable[[str], None]
) -> Library | None:
    """The library to play with, if it is to be native code: for so many seconds of work of Python. What was asked for
    and cannot be is told."""
    seats, automated = table_of(rules.ruleset, players)
    return machine_library(rules, rules.machine(seats, options, automated)[0], backend, seconds, tell)


def machine_library(
    rules: Rules, machine: Machine, backend: Backend, seconds: float, tell: Callable[[str], None]
) -> Library | None:
    """The same for a machine of these rules."""
    if backend == "python" or (backend == "auto" and seconds < _SOON):
        return None
    table = table_name(rules.content, machine)
    try:
        return library_of(machine, make=False, table=table)
    except NotNativeError:
        pass  # it is not ready
    try:
        return library_of(machine, make=backend == "native" or worth_compiling(machine, seconds), table=table)
    except NotNativeError as error:
        if backend == "native":
            tell(NOT_NATIVE.format(error))
        return None
