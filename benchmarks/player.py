"""A player in a process of its own: plays games of one engine when told to, and says what they cost.

`python -m benchmarks.player WHAT` reads one JSON list a line, `[request, argument ...]`, and answers each with one line
of JSON. The benchmark keeps several such processes and asks them in turn, so that all meet the same machine.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from benchmarks.peers import Catan, Dominion
from dunerules.bots import bot_seed
from dunerules.game import Game, Rules, load
from dunerules.native.compiler import find_compiler
from dunerules.native.library import OVER, Block, Library, Native
from dunerules.native.printing import printed
from dunerules.native_games import chosen_library
from dunerules.runtime.machine import Machine
from dunerules.tables import table_of
from dunerules.views import round_frame

__all__ = ["EXAMPLES", "OTHERS", "SAME_PILES", "SMALL", "WORDY", "Ours", "main", "pack_named", "reply"]

_HOME = Path(__file__).resolve().parent.parent

OTHERS = ("immortality", "betrayal", "conquest")
"""The games that are shipped, besides the base game."""

EXAMPLES = tuple(sorted(path.parent.name for path in _HOME.glob("examples/*/game.yaml")))
"""Small games in which the words that the base game does without are most of the work: counters on things, sums over
groups, lines on a grid, families of pieces, picks by position."""


SMALL = ("dominion", "connect4", "tictactoe")
"""Games that others play too, as packs of the benchmark."""

SAME_PILES = "pyminion with the same piles"
_PILES = (
    "cellar", "chapel", "village", "workshop", "militia", "smithy", "council_room", "festival", "laboratory", "market",
)  # fmt: skip


TOGETHER = 50
"""Games that native code plays in one call."""

WORDY = "pyminion that makes words for its log"


class Playing(Protocol):
    """An engine that plays whole games."""

    def play(self, seed: int) -> int:
        """One whole game; how many decisions it took."""
        ...


class Ours:
    """The base game for four, or another one for up to four, through the interface everybody uses."""

    def __init__(self, *packs: str | Path, log: bool = False) -> None:
        self.rules: Rules = load(*(packs or ("base",)))
        self.log = log
        self.new(0)  # compiles the game

    def new(self, seed: int) -> Game:
        """A new game."""
        return self.rules.game(seats=min(4, self.rules.most_players), seed=seed, log=self.log)

    def play(self, seed: int) -> int:
        """One whole game; how many decisions it took.

        A question with one answer does not count. Those that are put all the same, so that others cannot tell from an
        answer that comes by itself, cost us as much as they cost.
        """
        decisions = 0
        for game in self.played(seed):
            asked = game.state.pending
            decisions += asked is not None and asked.high > 0 and asked.low < len(asked.options)
        return decisions

    def played(self, seed: int) -> Iterator[Game]:
        """A game at each of its decisions, before it is answered."""
        chance = random.Random(seed)
        game = self.new(seed)
        while (asked := game.state.pending) is not None:
            yield game
            if asked.low == asked.high == 1:
                game.answer(int(chance.random() * len(asked.options)))
            else:
                count = chance.randint(asked.low, asked.high)
                game.answer(*chance.sample(range(len(asked.options)), count))

    def inside(self, seed: int) -> list[Game]:
        """Clones of a game at every decision in the middle of an effect."""
        return [game.clone() for game in self.played(seed) if game.state.pending.kind != "move"]  # type: ignore[union-attr]


class ByState:
    """A game of ours for so many players, driven by its state, without names and answers for saves: its fastest."""

    def __init__(self, pack: str | Path, players: int) -> None:
        self.machine = _machine(load(pack), players)
        self.machine.start(0, log=False)  # compiles the game

    def play(self, seed: int) -> int:
        """One whole game; how many decisions with more than one answer it took."""
        chance, machine, decisions = random.Random(seed), self.machine, 0
        state = machine.start(seed, log=False)
        while (asked := state.pending) is not None:
            size = len(asked.options)
            decisions += asked.high > 0 and asked.low < size
            if asked.low == asked.high == 1:
                state.answer = (int(chance.random() * size),)
            else:
                numbers = tuple(chance.sample(range(size), chance.randint(asked.low, asked.high)))
                state.answer = machine.questions.meant(state, asked, numbers)
            machine.run(state)
        return decisions


class Natively:
    """The same by native code, whole games at once, by random bots of its own."""

    def __init__(self, pack: str | Path, players: int) -> None:
        machine = _machine(load(pack), players)
        found, text = find_compiler(), printed(machine)
        assert found is not None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table.so")
            path.write_bytes(found.library(text.text))
            self.native = Native(Library(machine, text, path))
        self.block = self.native.block()

        self._bots = cache(self._bots_of)

    def play(self, seed: int) -> int:
        """Many whole games in one call; how many decisions with more than one answer they took."""
        seeds = range(seed * TOGETHER, (seed + 1) * TOGETHER)
        played = self.native.play_many(seeds, [self._bots(each) for each in seeds], 1_000_000)
        if any(each.status != OVER for each in played):
            raise RuntimeError(f"native code gave up one of {seeds}")
        return sum(each.open for each in played)

    def _bots_of(self, seed: int) -> list[int]:
        return [bot_seed(seed, seat) for seat in range(self.native.library.seats)]

    def copying(self, first: int, games: int) -> dict[str, float]:
        """Seconds a clone takes in the middle of a game, and how many bytes it has: the most of some games, and the
        mean."""
        times, seconds, sizes = 10_000, [], []
        for seed in range(first, first + games):
            self.native.start(self.block, seed)
            self.native.play_on(self.block, self._bots(seed), 200)
            seconds.append(min(self.native.cloning(self.block, times) for _ in range(3)) / times)
            sizes.append(self._written())
        return {"clone": max(seconds), "most": max(sizes), "mean": sum(sizes) / len(sizes)}

    def _written(self) -> int:
        """Bytes that a clone writes: those that come out alike on two grounds."""
        one, two = Block(self.native.library.size), Block(self.native.library.size)
        ctypes.memset(one.memory, 0x55, len(one.memory))
        ctypes.memset(two.memory, 0xAA, len(two.memory))
        for block in (one, two):
            self.native.clone_into(block, self.block)
        return sum(a == b for a, b in zip(one.memory.raw, two.memory.raw, strict=True))


class Making:
    """Native code of a game, made and found again in the directory of this process."""

    def __init__(self, pack: str | Path, players: int) -> None:
        self.rules: Rules = load(pack)
        self.players = players
        _machine(self.rules, players)  # Python needs it too

    def ready(self) -> dict[str, float]:
        """Seconds until there is a library to play with, and processor time of that."""
        before, began = _spent(), time.perf_counter()
        library = chosen_library(self.rules, self.players, {}, "native", 0, _refused)
        assert library is not None
        return {"seconds": time.perf_counter() - began, "processor": _spent() - before}


def _refused(reason: str) -> None:
    raise RuntimeError(reason)


def _spent() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _machine(rules: Rules, players: int) -> Machine:
    seats, automated = table_of(rules.ruleset, players)
    return rules.machine(seats, {}, automated)[0]


def rate(engine: Playing, first: int, games: int) -> dict[str, list[float]]:
    """Whole games: decisions of each, and seconds of processor time."""
    gc.collect()
    decisions, seconds = [], []
    for seed in range(first, first + games):
        started = time.process_time()
        decisions.append(float(engine.play(seed)))
        seconds.append(time.process_time() - started)
    return {"decisions": decisions, "seconds": seconds}


def copying(ours: Ours, first: int, games: int) -> dict[str, float]:
    """Seconds a clone takes, and a trusted save to JSON text and back; others are played again from their answers."""
    positions = [game for seed in range(first, first + games) for game in ours.inside(seed)]
    started = time.process_time()
    for _ in range(20):
        for game in positions:
            game.clone()
    cloned = time.process_time()
    for game in positions:
        Game.load(ours.rules, json.loads(json.dumps(game.save())), trusted=True)
    loaded = time.process_time()
    return {"clone": (cloned - started) / len(positions) / 20, "save": (loaded - cloned) / len(positions)}


def size(make: Callable[[], list[Any]]) -> dict[str, float]:
    """Bytes that one of many copies holds, taken all through a game."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copies = make()
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return {"bytes": held / len(copies)}


def by_round(ours: Ours, first: int, games: int) -> dict[str, float]:
    """By round of the game: seconds from a decision to the next."""
    found: dict[str, list[float]] = {}
    for seed in range(first, first + games):
        number, current, row, started = 0, None, None, 0.0
        for game in ours.played(seed):
            if row is not None:
                row.append(time.process_time() - started)
            frame = round_frame(game.machine, game.state)
            if frame is not None and frame is not current:
                number, current = number + 1, frame
            row = found.setdefault(str(number), [])
            started = time.process_time()
    return {number: sum(row) / len(row) for number, row in found.items() if row}


def reply(engine: Playing | Making, request: list[Any]) -> dict[str, Any]:
    """The answer to one request."""
    what, first, number = request
    if isinstance(engine, Making):
        return engine.ready()
    if what == "rate":
        return rate(engine, first, number)
    if what == "size" and isinstance(engine, Catan):
        return size(lambda: engine.copies(first))
    if isinstance(engine, Natively):
        return engine.copying(first, number)
    assert isinstance(engine, Ours)
    if what == "size":
        return size(lambda: [game.clone() for game in engine.played(first)])
    return copying(engine, first, number) if what == "copying" else by_round(engine, first, number)


def engine_of(what: str) -> Playing | Making:
    """An engine by name: ours, perhaps with a log, another game or the pack at a path; one of the peers; or a game with
    how it is to be played and for how many."""
    how, *table = what.split(" ")
    if how in HOW and len(table) == 2:
        return HOW[how](pack_named(table[0]), int(table[1]))
    if what in {"pyminion", SAME_PILES, WORDY}:
        return Dominion(*(_PILES if what == SAME_PILES else ()), wordy=what == WORDY)
    if what == "catanatron":
        return Catan()
    if what == "log":
        return Ours(log=True)
    if what in (*OTHERS, *EXAMPLES, *SMALL):
        return Ours(pack_named(what))
    return Ours() if what == "ours" else Ours("base", what)


HOW: dict[str, Callable[[str | Path, int], Playing | Making]] = {
    "state": ByState, "native": Natively, "making": Making
}  # fmt: skip
"""How a game of ours can be played: `state base 4`."""


def pack_named(game: str) -> str | Path:
    """A game by its name: one that is shipped, an example, or one of the benchmark."""
    if game in SMALL:
        return _HOME / "benchmarks" / "packs" / game
    return _HOME / "examples" / game if game in EXAMPLES else game


def main(arguments: list[str]) -> int:
    """Answer requests until there are no more."""
    engine = engine_of(arguments[0])
    for line in sys.stdin:
        print(json.dumps(reply(engine, json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
