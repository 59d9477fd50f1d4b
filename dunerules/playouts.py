"""Playouts: a game played on many times by bots, to learn what a position is worth.

    for playout in dunerules.play_out_many(game, 100, seat=1, rounds=1):
        playout.worths          # of every seat, at the end of the round

Where native code is at hand all of them are played in one call of it, without the interpreter lock; they are the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from dunerules.bots import LONGEST, bot_seed, dealt, make_bot, play_on, worth_of
from dunerules.game import Game
from dunerules.native.backend import Backend
from dunerules.native.library import OVER, Library, Native, Played
from dunerules.native.ops import UnsupportedError
from dunerules.native_games import machine_library, policies
from dunerules.runtime.chance import below
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.redeal import Redealer

__all__ = ["Playout", "Wanted", "play_out_many"]


@dataclass(frozen=True)
class Playout:
    """What came of a playout. Seats count from 1."""

    worths: tuple[int, ...]
    """What the position is worth to seat 1, to seat 2 and so on, as the pack says; or its points."""
    over: bool
    """Whether the game came to its end."""
    winners: tuple[int, ...]
    rounds: int
    """How many rounds were played, the one it began in among them."""
    decisions: int
    error: str = ""
    """The limit that the rules went beyond; of such a playout nothing else is told."""


_TOGETHER = 256
"""Playouts in one call of native code; between two calls it can be stopped."""

_spent: WeakKeyDictionary[Machine, float] = WeakKeyDictionary()
"""By machine: seconds that all playouts so far take Python. A bot that asks for few at a time asks often."""


def play_out_many(
    game: Game,
    number: int,
    *,
    seat: int | None = None,
    bots: str | Sequence[str] = "random",
    seed: int = 0,
    decisions: int | None = None,
    rounds: int | None = None,
    backend: Backend = "auto",
) -> list[Playout]:
    """Play a game on so many times, by bots that are named and dealt to the seats in turn; the game stays as it is.

    For a `seat`, each playout is in a world that it cannot tell from the game: those of `game.worlds` with this seed;
    without one all are in the game itself, with the chance that it has. They go to the end of the game, or until so
    many `decisions` were made, or so many `rounds` have ended.
    """
    for name, given in (("number", number), ("decisions", decisions), ("rounds", rounds)):
        if given is not None and (type(given) is not int or given < 0):
            raise ValueError(f"`{name}` is a number from 0 on, not {given!r}")
    wanted = Wanted(game, game.seat_number(seat), dealt(bots, game.players), decisions, rounds)
    seeds = [below(seed, each, 1 << 62) for each in range(number)]
    found: list[Playout] = []
    library = wanted.library(backend, 0)
    if library is None and backend == "auto" and seeds:  # how long one takes is seen by playing it
        began = time.perf_counter()
        found.append(wanted.by_python(seeds[0]))
        library = wanted.library(backend, (time.perf_counter() - began) * number)
    left = seeds[len(found) :]
    if library is None:
        return [*found, *map(wanted.by_python, left)]
    native = Native(library)
    for start in range(0, len(left), _TOGETHER):
        some = left[start : start + _TOGETHER]
        for each, played in zip(some, wanted.by_native(native, some), strict=True):
            found.append(played or wanted.by_python(each))
    return found


@dataclass
class Wanted:
    """What is to be played out."""

    game: Game
    seat: int | None
    bots: list[str]
    decisions: int | None
    rounds: int | None

    def __post_init__(self) -> None:
        self.machine = self.game.machine
        self._redealer: Redealer = self.game.rules.redealer(self.machine)
        self._worth = worth_of(self.machine)

    def by_python(self, seed: int) -> Playout:
        """One playout."""
        game = self.game.clone()
        if self.seat is not None:
            game.state = self._redealer.redeal(game.state, self.seat, seed)
        state = game.state
        state.log = state.given = None
        bots = [make_bot(name, bot_seed(seed, seat)) for seat, name in enumerate(self.bots)]
        try:
            decisions, rounds = play_on(game, bots, self.decisions, self.rounds)
            state.looks = 0
            worths = tuple(self._worth(state, seat) for seat in range(game.seats))
        except GameError as error:
            return Playout((), False, (), 0, 0, str(error))
        return Playout(worths, game.over, game.winners, rounds, decisions)

    def library(self, backend: Backend, seconds: float) -> Library | None:
        """The library to play with, if it is to be native code, for so many seconds of work of Python more."""
        _spent[self.machine] = spent = _spent.get(self.machine, 0.0) + seconds
        return machine_library(self.game.rules, self.machine, backend, spent, lambda _: None)

    def by_native(self, native: Native, seeds: list[int]) -> list[Playout | None]:
        """Many of them; none for those that native code gives up."""
        block, longest = native.block(), LONGEST if self.decisions is None else self.decisions
        try:
            ready = native.load(block, self.game.state) >= 0
        except UnsupportedError:
            ready = False
        if not ready:
            return [None] * len(seeds)
        played = native.playouts(
            block, seeds, [[bot_seed(seed, seat) for seat in range(self.game.seats)] for seed in seeds],
            policies(self.bots), seat=-1 if self.seat is None else self.seat, longest=longest,
            rounds=1 << 40 if self.rounds is None else self.rounds,
        )  # fmt: skip
        return [self._told(each, worths) for each, worths in played]

    def _told(self, played: Played, worths: tuple[int, ...]) -> Playout | None:
        over, endless = played.status == OVER, self.decisions is None and played.decisions == LONGEST
        if played.status < 0 or (endless and not over):
            return None
        return Playout(worths, over, tuple(seat + 1 for seat in played.winners), played.rounds, played.decisions)
