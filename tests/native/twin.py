"""One table with both back ends."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from dunerules.bots import RandomBot, bot_seed
from dunerules.native.compiler import FLAGS, Compiler
from dunerules.native.library import OVER, Block, Library, Native
from dunerules.native.printing import printed
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import GameError, State

__all__ = ["DifferenceError", "Tally", "Twin"]

MOST = 3_000
"""Decisions of a game that are looked at."""


class DifferenceError(Exception):
    """The back ends do not play the same game."""


@dataclass
class Tally:
    """What was compared."""

    games: int = 0
    decisions: int = 0
    states: int = 0
    given_up: Counter[str] = field(default_factory=Counter)
    """Games that native code left to Python, by why: where Python ended with an error too, and where not."""


class Twin:
    """A machine, and the library that was made of it."""

    def __init__(self, machine: Machine, compiler: Compiler, flags: tuple[str, ...] = (*FLAGS, "-O0")) -> None:
        self.machine = machine
        text = printed(machine)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table.so")
            path.write_bytes(compiler.library(text.text, flags))
            self.native = Native(Library(machine, text, path))

    def play(self, seed: int, tally: Tally, every: int = 1) -> None:
        """A whole game by random bots, once by each back end, and once more by native code alone."""
        native, block = self.native, self.native.block()
        status = native.start(block, seed)
        try:
            state = self.machine.start(seed, log=False)
        except GameError:
            self._gave_up(status, tally)
            return
        seeds = [bot_seed(seed, seat) for seat in range(self.machine.table.seats)]
        played = self.follow(state, block, status, [RandomBot(each) for each in seeds], tally, every)
        if played >= 0 and state.pending is None:
            alone = native.block()
            found = native.play(alone, seed, seeds, 1_000_000)
            if (found.status, found.decisions) != (OVER, played):
                raise DifferenceError(f"alone it ended with {found} instead of {played} decisions")
            self.compare(alone, state, tally, "alone")

    def run(self, state: State, seed: int, tally: Tally) -> None:
        """Go on with what a state has begun, by both back ends."""
        native, block = self.native, self.native.block()
        if native.load(block, state) < 0:
            raise DifferenceError("a state that does not go into a block")
        status = native.run(block)
        try:
            self.machine.run(state)
        except GameError:
            self._gave_up(status, tally)
            return
        bots = [RandomBot(bot_seed(seed, seat)) for seat in range(self.machine.table.seats)]
        self.follow(state, block, status, bots, tally, 1)

    def follow(self, state: State, block: Block, status: int, bots: list[RandomBot], tally: Tally, every: int) -> int:
        """Answer what both are asked; how many decisions that were, or -1 if native code gave up."""
        native, decisions = self.native, 0
        tally.games += 1
        while True:
            if status < 0:
                tally.given_up[f"{-status}"] += 1
                return -1
            if decisions % every == 0 or state.pending is None:
                self.compare(block, state, tally, f"decision {decisions}")
            if decisions % 11 == 3:
                block = self._crossed(state, tally)
            if decisions % 50 == 7:
                self.damaged(state, Random(decisions))
            asked = state.pending
            if asked is None or decisions >= MOST:
                return decisions
            answer = self.machine.questions.meant(state, asked, bots[asked.seat].answer(asked))
            state.answer, state.log = answer, None
            status = native.answer(block, answer)
            try:
                self.machine.run(state)
            except GameError:
                self._gave_up(status, tally)
                return -1
            decisions += 1
            tally.decisions += 1

    def _crossed(self, state: State, tally: Tally) -> Block:
        """A block made of the state of Python: the game goes on there."""
        block = self.native.block()
        status = self.native.load(block, state)
        if status < 0:
            raise DifferenceError(f"a state that does not go into a block: {status}")
        self.compare(block, state, tally, "a block made of a state")
        return self.native.clone(block)

    def damaged(self, state: State, chance: Random, times: int = 5) -> None:
        """Words that no state has are refused, or played until they are: nothing is read or written out of bounds."""
        native, block = self.native, self.native.block()
        words = native.library.blocks.words(state)
        for _ in range(times):
            other = words[:]
            for _ in range(chance.randint(1, 4)):
                other[chance.randrange(len(other))] = chance.choice(
                    (-1, 0, 1, 2, 7, 255, 1 << 20, -(1 << 31), (1 << 31) - 1)
                )
            other = other[: chance.choice((len(other), len(other), chance.randrange(len(other))))]
            if native.load_words(block, other, state.seed) >= 0:
                native.play_on(block, [chance.getrandbits(40) for _ in range(native.library.seats)], 20)

    def _gave_up(self, status: int, tally: Tally) -> None:
        if status >= 0:
            raise DifferenceError("Python ended with an error, and native code goes on")
        tally.given_up["with Python"] += 1

    def compare(self, block: Block, state: State, tally: Tally, where: str) -> None:
        """The whole state, as JSON would have it."""
        tally.states += 1
        mine, other = self.native.state(block).data(), state.data()
        if repr(mine) != repr(other):
            raise DifferenceError("\n".join([where, *_differences(mine, other)]))


def _differences(native: dict[str, Any], python: dict[str, Any]) -> list[str]:
    found = []
    for key, value in python.items():
        if repr(native[key]) == repr(value):
            continue
        if isinstance(value, list) and len(value) == len(native[key]):
            pairs = enumerate(zip(native[key], value, strict=True))
            found += [f"{key} {n}: {one} instead of {two}" for n, (one, two) in pairs if repr(one) != repr(two)]
        else:
            found.append(f"{key}: {native[key]} instead of {value}")
    return found
