"""One table with both back ends."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from dunerules.bots import RandomBot, bot_seed
from dunerules.native.compiler import FLAGS, Compiler
from dunerules.native.library import ANY, OVER, Block, Library, Native, Policy
from dunerules.native.ops import UnsupportedError
from dunerules.native.printing import printed
from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import GameError, State
from tests.support import PACKAGE

__all__ = ["LIMIT", "DifferenceError", "Tally", "Twin"]

DEALT = 30
"""Decisions between two worlds that are dealt anew, in all games but those that are looked at most closely."""

MOST = 3_000
"""Decisions of a game that are looked at."""

PATIENCE = 600.0
"""Seconds that a compiler may take: sanitizers beside other work take long."""

WITH_PYTHON = "where Python ends with an error too"


LIMIT = -4
"""How a call ends that comes to a limit: `FAIL_LIMIT` of `c/state.h`."""


class DifferenceError(Exception):
    """The back ends do not play the same game."""


@dataclass
class Tally:
    """What was compared."""

    games: int = 0
    decisions: int = 0
    states: int = 0
    """States that were compared; those of them that were compared as JSON, with their hash."""
    whole: int = 0
    damaged: int = 0
    """States that were damaged, and given to native code."""
    worlds: int = 0
    playouts: int = 0
    """Worlds that were dealt anew, and playouts from there, with those of bots that look ahead."""
    given_up: Counter[str] = field(default_factory=Counter)
    """Games that native code left to Python, by why."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count in what somebody else has compared."""
        self.games += other.games
        self.decisions += other.decisions
        self.states += other.states
        self.whole += other.whole
        self.damaged += other.damaged
        self.worlds += other.worlds
        self.playouts += other.playouts
        self.given_up += other.given_up
        self.different += other.different


@cache
def reasons() -> tuple[str, ...]:
    """Why native code gives up, by number, as C has it."""
    line = next(
        line for line in (PACKAGE / "native" / "c" / "state.h").read_text("ascii").splitlines() if "FAIL_" in line
    )
    return ("", *(name.lower() for name in re.findall(r"FAIL_(\w+)", line)))


class Twin:
    """A machine, and the library that was made of it."""

    def __init__(self, machine: Machine, compiler: Compiler, flags: tuple[str, ...] = (*FLAGS, "-O0")) -> None:
        self.machine = machine
        self.redealer = Redealer(machine)
        text = printed(machine)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table.so")
            path.write_bytes(replace(compiler, seconds=PATIENCE).library(text.text, flags))
            self.native = Native(Library(machine, text, path))
        self.native.record(log=True, forced=True)

    def play(self, seed: int, tally: Tally, every: int = 1) -> None:
        """A whole game by random bots, once by each back end, and once more by native code alone."""
        native, block = self.native, self.native.block()
        status = native.start(block, seed)
        try:
            state = self.machine.start(seed)
        except GameError:
            self._gave_up(status, tally)
            return
        seeds = [bot_seed(seed, seat) for seat in range(self.machine.table.seats)]
        played, end = self.follow(state, block, status, [RandomBot(each) for each in seeds], tally, every)
        if played >= 0 and end.pending is None:
            alone = native.block()
            found = native.play(alone, seed, seeds, 1_000_000)
            winners = tuple(sorted(end.result or ()))
            if (found.status, found.decisions, found.winners) != (OVER, played, winners):
                raise DifferenceError(f"alone it ended with {found} instead of {played} decisions, {winners}")
            self.look(alone, end, tally, "alone", whole=True)
            if (standings := native.standings(alone)) != self.machine.standings(end):
                raise DifferenceError(f"standings {standings} instead of {self.machine.standings(end)}")

    def run(self, state: State, seed: int, tally: Tally) -> None:
        """Go on with what a state has begun, by both back ends."""
        native, block = self.native, self.native.block()
        if native.load(block, state) < 0:
            raise DifferenceError("a state that does not go into a block")
        status = native.run(block)
        state.log, state.forced = (), []
        try:
            self.machine.run(state)
        except GameError:
            self._gave_up(status, tally)
            return
        bots = [RandomBot(bot_seed(seed, seat)) for seat in range(self.machine.table.seats)]
        self.follow(state, block, status, bots, tally, 1)

    def follow(
        self, state: State, block: Block, status: int, bots: list[RandomBot], tally: Tally, every: int
    ) -> tuple[int, State]:
        """Answer what both are asked: how many decisions that were, or -1 if native code gave up, and the last state.

        A state is compared at every decision, every so often as JSON. Every so often the game goes on from the state
        of the other back end.
        """
        native, decisions = self.native, 0
        tally.games += 1
        while True:
            if status == LIMIT:
                raise DifferenceError(f"decision {decisions}\nnative code came to a limit, and Python goes on")
            if status < 0:
                tally.given_up[reasons()[-status]] += 1
                return -1, state
            self._compare_logs(state, f"decision {decisions}")
            asked = state.pending
            whole = decisions % every == 0 or asked is None
            self.look(block, state, tally, f"decision {decisions}", whole=whole)
            if decisions % 50 == 7:
                self.damaged(state, Random(decisions), tally)
            if decisions % (6 if every == 1 else DEALT) == 1:
                self.dealt(block, state, Random(decisions), tally)
            if asked is None or decisions >= MOST:
                return decisions, state
            if decisions % 22 == 3:
                block = self._into_a_block(state, tally)
            if decisions % 22 == 14:
                state = State.of(json.loads(json.dumps(native.state(block).data())))
                asked = state.pending
                assert asked is not None
            answer = self.machine.questions.meant(state, asked, bots[asked.seat].answer(asked))
            state.answer, state.log, state.forced = answer, (), []
            status = native.answer(block, answer)
            try:
                self.machine.run(state)
            except GameError:
                self._gave_up(status, tally)
                return -1, state
            decisions += 1
            tally.decisions += 1

    def look(self, block: Block, state: State, tally: Tally, where: str, *, whole: bool) -> None:
        """All that is compared of two states: everything that is in them, with the question and its options in order.

        As numbers, which is quick, or `whole`, as JSON says it and hashes are made of it.
        """
        tally.states += 1
        if not whole and self._same_numbers(block, state):
            return
        tally.whole += 1
        mine, other = self.native.state(block).data(), state.data()
        if repr(mine) != repr(other):
            raise DifferenceError("\n".join([where, *_differences(mine, other)]))

    def _same_numbers(self, block: Block, state: State) -> bool:
        """Whether both are the same numbers. Where they are not, they may still be the same state."""
        try:
            return self.native.words(block) == self.native.library.blocks.words(state)
        except UnsupportedError:
            return False

    def _into_a_block(self, state: State, tally: Tally) -> Block:
        """A block made of the state of Python: the game goes on there."""
        block = self.native.block()
        status = self.native.load(block, state)
        if status < 0:
            raise DifferenceError(f"a state that does not go into a block: {status}")
        other = self.native.clone(block)
        self.look(other, state, tally, "a block made of a state", whole=False)
        return other

    def dealt(self, block: Block, state: State, chance: Random, tally: Tally) -> None:
        """A world that a seat cannot tell from this one."""
        seat, seed = chance.randrange(self.machine.table.seats), chance.getrandbits(62)
        found, world = self.native.redeal(block, seat, seed)
        if found < 0:
            tally.given_up["worlds"] += 1
            return
        tally.worlds += 1
        other = self.redealer.redeal(state, seat, seed)
        self.look(world, other, tally, f"a world of seat {seat} with seed {seed}", whole=False)

    def damaged(self, state: State, chance: Random, tally: Tally, times: int = 5) -> None:
        """Words that no state has are refused, or played until they are: nothing is read or written out of bounds."""
        native, block = self.native, self.native.block()
        words = native.library.blocks.words(state)
        for _ in range(times):
            tally.damaged += 1
            other = words[:]
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(other))
                near = max(-(1 << 31), min(other[at] + chance.choice((-1, 1)), (1 << 31) - 1))
                far = chance.choice((-1, 0, 1, 2, 7, 255, 1 << 20, -(1 << 31), (1 << 31) - 1))
                other[at] = chance.choice((near, far, words[chance.randrange(len(words))]))
            other = other[: chance.choice((len(other), len(other), chance.randrange(len(other))))]
            if native.load_words(block, other, state.seed) >= 0:
                seeds, bots = [chance.getrandbits(40) for _ in range(native.library.seats)], (Policy(8, 2), ANY)
                native.play_on(block, seeds, 20, bots=bots[chance.randrange(2) :])

    def _gave_up(self, status: int, tally: Tally) -> None:
        if status >= 0:
            raise DifferenceError("Python ended with an error, and native code goes on")
        tally.given_up[WITH_PYTHON] += 1

    def _compare_logs(self, state: State, where: str) -> None:
        """What the last call has kept for the log, and what had one answer only."""
        log, forced = self.native.recorded()
        expected, chain = [], state.log
        while chain:
            chain, entry = chain
            expected.append(entry)
        pairs = [
            *zip_longest(log, reversed(expected)),
            *zip_longest(forced, forced if state.forced is None else state.forced),
        ]
        differing = [f"{one} instead of {two}" for one, two in pairs if one != two or repr(one) != repr(two)]
        if differing:
            raise DifferenceError("\n".join([where, "the log", *differing]))


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
