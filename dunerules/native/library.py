"""A compiled table, called through ctypes: states as blocks, single answers, and whole games.

Calls release the interpreter lock. A `Native` may be used by one thread at a time; what it is made of may be shared.
"""

from __future__ import annotations

import ctypes
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dunerules.native.blocks import Blocks
from dunerules.native.compiler import CompilerError
from dunerules.native.printing import Printed
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import State

__all__ = ["ASKED", "OVER", "Block", "Library", "Native", "Played"]

ASKED, OVER = 0, 1
"""How a call ended; below 0 it failed, and Python has to play on from what was there before."""

_WORDS = 1 << 16


class _Played(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int64) for name in ("decisions", "open", "rounds", "winners"))


@dataclass(frozen=True)
class Played:
    """A game that was played to its end, or failed."""

    status: int
    decisions: int
    open: int
    """Decisions with more than one answer."""
    rounds: int
    winners: tuple[int, ...]
    """Seats from 0; none of a game that has not ended."""


class Library:
    """The functions of a compiled table."""

    def __init__(self, machine: Machine, printed: Printed, path: Path) -> None:
        self.printed = printed
        self.seats = machine.table.seats
        self.blocks = Blocks(machine.table, printed, len(machine.programs))
        try:
            found = ctypes.CDLL(str(path))
            self._declare(found)
        except (OSError, AttributeError) as error:
            raise CompilerError(str(error)) from None
        if found.dr_digest() != printed.digest:
            raise CompilerError("the library was made of another text")
        self.calls = found
        self.size = found.dr_state_size()

    def _declare(self, found: ctypes.CDLL) -> None:
        pointer, number, wide, seed = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
        takes = {
            "dr_context": (pointer, ()), "dr_free": (None, (pointer,)), "dr_state_size": (wide, ()),
            "dr_digest": (wide, ()), "dr_start": (number, (pointer, pointer, seed)),
            "dr_answer": (number, (pointer, pointer, pointer, number)), "dr_clone": (None, (pointer, pointer)),
            "dr_clone_often": (None, (pointer, pointer, wide)),
            "dr_run": (number, (pointer, pointer)),
            "dr_turn_to": (number, (pointer, pointer, number)),
            "dr_dump": (wide, (pointer, pointer, wide)), "dr_load": (number, (pointer, pointer, pointer, wide)),
            "dr_play": (number, (pointer, pointer, seed, pointer, wide, pointer)),
            "dr_play_many": (wide, (pointer, pointer, pointer, pointer, wide, wide, pointer, pointer)),
            "dr_play_on": (number, (pointer, pointer, pointer, wide, wide, pointer)),
            "dr_worths": (number, (pointer, pointer, pointer)),
            "dr_standings": (number, (pointer, pointer, pointer, pointer)),
        }  # fmt: skip
        for name, (gives, given) in takes.items():
            function = getattr(found, name)
            function.restype, function.argtypes = gives, given


class Block:
    """A state of a table in C."""

    __slots__ = ("memory", "seed")

    def __init__(self, size: int) -> None:
        self.memory = ctypes.create_string_buffer(size)
        self.seed = 0
        """The whole seed: the block itself keeps 64 bits of it."""


class Native:
    """Plays with a library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._calls = library.calls
        self._context = self._calls.dr_context()
        if not self._context:
            raise MemoryError
        self._words = array("i", bytes(4 * _WORDS))

    def __del__(self) -> None:
        context, self._context = getattr(self, "_context", None), None
        if context:
            self._calls.dr_free(context)

    def block(self) -> Block:
        """An empty block."""
        return Block(self.library.size)

    # ---- one game

    def start(self, block: Block, seed: int) -> int:
        """A new game, run to its first decision."""
        block.seed = seed
        return int(self._calls.dr_start(self._context, block.memory, seed & (1 << 64) - 1))

    def answer(self, block: Block, answer: Sequence[int]) -> int:
        """Answer what is asked, by the numbers of options, and run to the next decision."""
        given = (ctypes.c_int32 * max(1, len(answer)))(*answer)
        return int(self._calls.dr_answer(self._context, block.memory, given, len(answer)))

    def run(self, block: Block) -> int:
        """Go on with what a state has begun, where nobody is asked."""
        return int(self._calls.dr_run(self._context, block.memory))

    def turn_to(self, block: Block, seat: int) -> int:
        """Where several seats are asked: what this one is asked is pending."""
        return int(self._calls.dr_turn_to(self._context, block.memory, seat))

    def clone(self, block: Block) -> Block:
        """A block that goes its own way from here."""
        other = self.block()
        self._calls.dr_clone(other.memory, block.memory)
        other.seed = block.seed
        return other

    def cloning(self, block: Block, times: int) -> float:
        """Seconds of processor time that so many clones of a block take, without making room for them."""
        other, began = self.block(), time.process_time()
        self._calls.dr_clone_often(other.memory, block.memory, times)
        return time.process_time() - began

    def state(self, block: Block) -> State:
        """What is in a block, as a state of Python without log."""
        count = self._dump(block)
        if count > len(self._words):
            self._words = array("i", bytes(4 * count))
            self._dump(block)
        return self.library.blocks.state(self._words[:count], block.seed)

    def _dump(self, block: Block) -> int:
        words, room = self._words.buffer_info()
        return int(self._calls.dr_dump(block.memory, words, room))

    def load(self, block: Block, state: State) -> int:
        """Put a state of Python into a block."""
        return self.load_words(block, self.library.blocks.words(state), state.seed)

    def load_words(self, block: Block, words: array[int], seed: int) -> int:
        """Put a state into a block that is written as numbers. Numbers that are none of a state are refused."""
        at, count = words.buffer_info()
        block.seed = seed
        return int(self._calls.dr_load(self._context, block.memory, at, count))

    def standings(self, block: Block) -> list[tuple[int, tuple[int, ...]]] | None:
        """Seats with their points and tie-breakers, best first; none if that failed."""
        points, seats = self.library.printed.points, self.library.seats
        numbers, found = (ctypes.c_int32 * seats)(), (ctypes.c_int64 * max(1, seats * points))()
        count = self._calls.dr_standings(self._context, block.memory, numbers, found)
        if count < 0:
            return None
        rows = [(numbers[n], tuple(found[n * points : (n + 1) * points])) for n in range(count)]
        return sorted(rows, key=lambda row: [-part for part in row[1]])

    # ---- whole games

    def play(self, block: Block, seed: int, bot_seeds: Sequence[int], longest: int) -> Played:
        """A whole game by random bots, one a seat. What is in the block then is its end, if it came to one."""
        block.seed = seed
        seeds = (ctypes.c_uint64 * self.library.seats)(*bot_seeds)
        played = _Played()
        status = self._calls.dr_play(
            self._context, block.memory, seed & (1 << 64) - 1, seeds, longest, ctypes.byref(played)
        )
        return self._played(status, played)

    def play_on(self, block: Block, bot_seeds: Sequence[int], longest: int, rounds: int = 1 << 40) -> Played:
        """A playout by random bots from where a block stands: to the end, or so many decisions, or so many rounds."""
        seeds = (ctypes.c_uint64 * self.library.seats)(*bot_seeds)
        played = _Played()
        status = self._calls.dr_play_on(self._context, block.memory, seeds, longest, rounds, ctypes.byref(played))
        return self._played(status, played)

    def worths(self, block: Block) -> tuple[int, ...] | None:
        """What the position of every seat is worth; none if that failed."""
        found = (ctypes.c_int64 * self.library.seats)()
        return tuple(found) if self._calls.dr_worths(self._context, block.memory, found) >= 0 else None

    def _played(self, status: int, played: _Played) -> Played:
        winners = tuple(seat for seat in range(self.library.seats) if played.winners >> seat & 1)
        return Played(status, played.decisions, played.open, played.rounds, winners)

    def play_many(self, seeds: Sequence[int], bot_seeds: Sequence[Sequence[int]], longest: int) -> list[Played]:
        """Many whole games in one call."""
        count, flat = len(seeds), [each for row in bot_seeds for each in row]
        games = (ctypes.c_uint64 * max(1, count))(*(seed & (1 << 64) - 1 for seed in seeds))
        bots = (ctypes.c_uint64 * max(1, len(flat)))(*flat)
        statuses, played = (ctypes.c_int32 * max(1, count))(), (_Played * max(1, count))()
        block = self.block()
        self._calls.dr_play_many(self._context, block.memory, games, bots, count, longest, statuses, played)
        return [self._played(statuses[n], played[n]) for n in range(count)]
