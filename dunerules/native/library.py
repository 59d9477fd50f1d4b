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
from typing import Any, NamedTuple

from dunerules.native.blocks import Blocks
from dunerules.native.compiler import CompilerError
from dunerules.native.printing import Printed
from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import TRIES
from dunerules.runtime.state import State

__all__ = ["ANY", "ASKED", "OVER", "Block", "Library", "Native", "Played", "Policy"]

ASKED, OVER = 0, 1
"""How a call ended; below 0 it failed, and Python has to play on from what was there before."""

_WORDS = 1 << 16
_SEED = (1 << 64) - 1
"""What a block keeps of a seed."""


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


class Policy(NamedTuple):
    """How a seat plays: it tries so many answers at most, and looks so many of its own decisions ahead."""

    tried: int
    ahead: int


ANY = Policy(0, 0)
"""It takes any legal answer."""


class Library:
    """The functions of a compiled table."""

    def __init__(self, machine: Machine, printed: Printed, path: Path) -> None:
        self.printed = printed
        self.seats = machine.table.seats
        self.blocks = Blocks(machine.table, printed, machine.programs)
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
            "dr_run": (number, (pointer, pointer)), "dr_record": (None, (pointer, number)),
            "dr_logged": (wide, (pointer, pointer, wide)),
            "dr_turn_to": (number, (pointer, pointer, number)),
            "dr_dump": (wide, (pointer, pointer, wide)), "dr_load": (number, (pointer, pointer, pointer, wide)),
            "dr_redeal": (number, (pointer, pointer, pointer, number, seed)),
            "dr_play": (number, (pointer, pointer, seed, pointer, pointer, wide, pointer)),
            "dr_play_many": (wide, (*[pointer] * 5, wide, wide, pointer, pointer)),
            "dr_play_on": (number, (*[pointer] * 3, number, seed, pointer, pointer, wide, wide, pointer, pointer)),
            "dr_playouts": (None, (*[pointer] * 3, number, *[pointer] * 3, wide, wide, wide, *[pointer] * 3)),
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
        return int(self._calls.dr_start(self._context, block.memory, seed & _SEED))

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

    def record(self, *, log: bool, forced: bool = False) -> None:
        """Whether `start`, `answer` and `run` keep what happens for the log, and what had one answer only."""
        self._calls.dr_record(self._context, 2 if forced else int(log))

    def recorded(self) -> tuple[list[Any], list[Any]]:
        """What the last of these calls has kept: entries of the log, oldest first, and what had one answer only."""
        count = self._logged()
        if count > len(self._words):
            self._words = array("i", bytes(4 * count))
            self._logged()
        return self.library.blocks.recorded(self._words[:count])

    def _logged(self) -> int:
        words, room = self._words.buffer_info()
        return int(self._calls.dr_logged(self._context, words, room))

    def clone(self, block: Block) -> Block:
        """A block that goes its own way from here."""
        other = self.block()
        self.clone_into(other, block)
        return other

    def clone_into(self, other: Block, block: Block) -> None:
        """Copy a block into another one: of what may be empty, only what is used."""
        self._calls.dr_clone(other.memory, block.memory)
        other.seed = block.seed

    def cloning(self, block: Block, times: int) -> float:
        """Seconds of processor time that so many clones of a block take, without making room for them."""
        other, began = self.block(), time.process_time()
        self._calls.dr_clone_often(other.memory, block.memory, times)
        return time.process_time() - began

    def state(self, block: Block) -> State:
        """What is in a block, as a state of Python without log."""
        return self.library.blocks.state(self.words(block), block.seed)

    def words(self, block: Block) -> array[int]:
        """What is in a block, as numbers."""
        count = self._dump(block)
        if count > len(self._words):
            self._words = array("i", bytes(4 * count))
            self._dump(block)
        return self._words[:count]

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

    def redeal(self, block: Block, seat: int, seed: int) -> tuple[int, Block]:
        """A world that a seat cannot tell from what is in a block, as `Redealer` deals it; below 0 it failed."""
        other = self.block()
        found = int(self._calls.dr_redeal(self._context, other.memory, block.memory, seat, seed & _SEED))
        other.seed = seed + (found << 32) if found < TRIES else seed if found == TRIES else block.seed
        return found, other

    # ---- whole games, by one bot a seat

    def play(
        self, block: Block, seed: int, bot_seeds: Sequence[int], longest: int, bots: Sequence[Policy] = ()
    ) -> Played:
        """A whole game; without others all bots are random. What is in the block then is its end, if it came to one."""
        block.seed = seed
        seeds, played = (ctypes.c_uint64 * self.library.seats)(*bot_seeds), _Played()
        status = self._calls.dr_play(
            self._context, block.memory, seed & _SEED, seeds, self._policies(bots), longest, ctypes.byref(played)
        )
        return self._played(status, played)

    def play_many(
        self, seeds: Sequence[int], bot_seeds: Sequence[Sequence[int]], longest: int, bots: Sequence[Policy] = ()
    ) -> list[Played]:
        """Many whole games in one call."""
        count, block, policies = len(seeds), self.block(), self._policies(bots)
        games, chances, statuses, played = self._many(seeds, bot_seeds)
        self._calls.dr_play_many(
            self._context, block.memory, games, chances, policies, count, longest, statuses, played
        )  # fmt: skip
        return [self._played(statuses[n], played[n]) for n in range(count)]

    def play_on(
        self, block: Block, bot_seeds: Sequence[int], longest: int, rounds: int = 1 << 40, bots: Sequence[Policy] = ()
    ) -> Played:
        """A playout in the block itself: to the end, or so many decisions, or so many ends of rounds."""
        seeds, played = (ctypes.c_uint64 * self.library.seats)(*bot_seeds), _Played()
        worths, at = (ctypes.c_int64 * self.library.seats)(), block.memory
        status = self._calls.dr_play_on(
            self._context, at, at, -1, 0, seeds, self._policies(bots), longest, rounds, ctypes.byref(played), worths
        )
        return self._played(status, played)

    def playouts(
        self,
        block: Block,
        seeds: Sequence[int],
        bot_seeds: Sequence[Sequence[int]],
        bots: Sequence[Policy] = (),
        *,
        seat: int = -1,
        longest: int,
        rounds: int = 1 << 40,
    ) -> list[tuple[Played, tuple[int, ...]]]:
        """Playouts from where a block stands, with what the position of every seat is worth then: to the end, or so
        many decisions, or so many ends of rounds. Each is in a world that a seat cannot tell from the block, if there
        is a seat. The block stays as it is."""
        count, seats, room, policies = len(seeds), self.library.seats, self.block(), self._policies(bots)
        worlds, chances, statuses, played = self._many(seeds, bot_seeds)
        worths = (ctypes.c_int64 * max(1, count * seats))()
        self._calls.dr_playouts(
            self._context, room.memory, block.memory, seat, worlds, chances, policies, count, longest, rounds, statuses,
            played, worths,
        )  # fmt: skip
        found = (self._played(statuses[n], played[n]) for n in range(count))
        return [(each, tuple(worths[n * seats : (n + 1) * seats])) for n, each in enumerate(found)]

    def worths(self, block: Block) -> tuple[int, ...] | None:
        """What the position of every seat is worth; none if that failed."""
        found = (ctypes.c_int64 * self.library.seats)()
        return tuple(found) if self._calls.dr_worths(self._context, block.memory, found) >= 0 else None

    def _policies(self, bots: Sequence[Policy]) -> ctypes.Array[ctypes.c_int32]:
        seats = self.library.seats
        given = [*bots, *[ANY] * seats][:seats]
        return (ctypes.c_int32 * (2 * seats))(*(number for each in given for number in each))

    def _many(self, seeds: Sequence[int], bot_seeds: Sequence[Sequence[int]]) -> tuple[Any, Any, Any, Any]:
        """Seeds and seeds of bots as C takes them, and room for what was played."""
        count, flat = max(1, len(seeds)), [each for row in bot_seeds for each in row]
        games = (ctypes.c_uint64 * count)(*(seed & _SEED for seed in seeds))
        chances = (ctypes.c_uint64 * (count * self.library.seats))(*flat)
        return games, chances, (ctypes.c_int32 * count)(), (_Played * count)()

    def _played(self, status: int, played: _Played) -> Played:
        winners = tuple(seat for seat in range(self.library.seats) if played.winners >> seat & 1)
        return Played(status, played.decisions, played.open, played.rounds, winners)
