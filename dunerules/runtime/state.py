"""The state of a game: flat numbers, and nothing that could not be written as JSON."""

from __future__ import annotations

from array import array
from typing import Any

from dunerules.problems import CannotRunError

__all__ = ["NO_SOURCE", "Decision", "Frame", "GameError", "State", "Strand", "frame_data", "frame_from"]


class GameError(CannotRunError):
    """A game cannot go on: its packs say something that goes beyond a limit, or not enough.

    `limit` is the name of the limit: fuel, numbers, options, lasting effects or depth; empty if it is none of them.
    """

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit


class Frame:
    """A program being run: where it is, who acts, whose effect it is, on what it stands, and its slots."""

    __slots__ = ("here", "label", "owner", "pc", "program", "slots", "this", "you")

    def __init__(
        self,
        program: int,
        you: int,
        owner: int,
        this: int,
        here: int,
        slots: list[Any],
        pc: int = 0,
        label: str = "",
    ) -> None:
        self.program = program
        self.you = you
        self.owner = owner
        self.this = this
        self.here = here
        self.slots = slots
        self.pc = pc
        self.label = label

    def copy(self) -> Frame:
        """The same frame, to go its own way."""
        return Frame(self.program, self.you, self.owner, self.this, self.here, self.slots[:], self.pc, self.label)


def frame_data(frame: Frame) -> list[Any]:
    """A frame as JSON."""
    slots = list(frame.slots)
    return [frame.program, frame.you, frame.owner, frame.this, frame.here, slots, frame.pc, frame.label]


def frame_from(data: list[Any]) -> Frame:
    """The way back. JSON knows no tuples: groups of numbers become tuples again."""
    program, you, owner, this, here, slots, pc, label = data
    return Frame(program, you, owner, this, here, [_tupled(slot) for slot in slots], pc, label)


def _tupled(value: Any) -> Any:
    return tuple(_tupled(each) for each in value) if isinstance(value, list) else value


NO_SOURCE = -1
"""The source of a decision that stands on nothing. Below it are places: -2 is the thing 0."""


class Decision:
    """A question: who must answer, how many of which options. An answer is a tuple of their numbers.

    Where somebody decides for an automated seat, `acting` is that seat, and `settled` what its rules already chose.
    """

    __slots__ = ("acting", "high", "kind", "labels", "low", "options", "prompt", "seat", "settled", "source")

    def __init__(
        self,
        seat: int,
        kind: str,
        low: int,
        high: int,
        options: tuple[Any, ...],
        prompt: str,
        source: int,
        acting: int = -1,
        settled: tuple[Any, ...] = (),
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.low = low
        self.high = high
        self.options = options
        self.prompt = prompt
        self.source = source
        self.acting = acting if acting >= 0 else seat
        self.settled = settled
        self.labels: tuple[str, ...] | None = None
        """The names of the options, once somebody has asked for them."""

    def data(self) -> list[Any]:
        """The decision as JSON. What is only said of automated seats is left out elsewhere."""
        data = [self.seat, self.kind, self.low, self.high, list(self.options), self.prompt, self.source]
        return data if self.acting == self.seat else [*data, self.acting, list(self.settled)]

    @classmethod
    def of(cls, data: list[Any]) -> Decision:
        """The way back."""
        seat, kind, low, high, options, prompt, source, *proxy = data
        acting, settled = proxy or (seat, [])
        return cls(seat, kind, low, high, _tupled(options), prompt, source, acting, _tupled(settled))


class Strand:
    """The part of one seat in what several seats do at once: its own frames, and what it is asked."""

    __slots__ = ("frames", "pending")

    def __init__(self, frames: list[Frame], pending: Decision | None) -> None:
        self.frames = frames
        self.pending = pending

    def copy(self) -> Strand:
        """The same strand, to go its own way."""
        return Strand([frame.copy() for frame in self.frames], self.pending)

    def data(self) -> list[Any]:
        """The strand as JSON."""
        return [
            [frame_data(frame) for frame in self.frames],
            self.pending.data() if self.pending is not None else None,
        ]

    @classmethod
    def of(cls, data: list[Any]) -> Strand:
        """The way back."""
        frames, pending = data
        return cls([frame_from(frame) for frame in frames], Decision.of(pending) if pending is not None else None)


class State:
    """Everything that changes. The rest, ruleset and layout, is shared by all states of a game."""

    __slots__ = (
        "answer", "cells", "chance", "depth", "floor", "forced", "frames", "fuel", "given", "holders", "known",
        "lasting", "log", "looks", "pending", "result", "seed", "serial", "strand", "strands", "used", "where", "zones",
    )  # fmt: skip

    cells: list[int]
    zones: list[tuple[int, ...]]
    where: array[int]
    """By object: the zone it is in. Small numbers in arrays, because clones are kept by the thousand."""
    holders: array[int]
    """By object: the seat that holds it. It keeps it on a place, and loses it in a zone of nobody."""
    frames: list[Frame]
    floor: int
    """How many frames wait below while several seats act at once; 0 at other times."""
    strands: list[Strand]
    """The parts of seats that act at once, in order of play. The one that is run lies in `frames` and `pending`."""
    strand: int
    """Which of the strands is run."""
    pending: Decision | None
    answer: tuple[int, ...] | None
    chance: int
    seed: int
    known: dict[int, int]
    lasting: list[tuple[Any, ...]]
    used: dict[str, int]
    result: tuple[int, ...] | None
    serial: int
    log: tuple[Any, ...] | None
    """The latest entry and the log before it: a chain, so that clones share their past."""
    given: tuple[Any, ...] | None
    """The answers that made it, as a chain too: those before, the decision or its seat, the numbers of options. None if
    the state was not come to by answers alone. It is no part of the state: what lies on the table does not depend on
    it."""
    forced: list[tuple[int, str, tuple[Any, ...]]] | None
    """What had one answer only and was not asked, where somebody wants to know: seat, kind, options. A test does; it is
    no part of the state, and clones do not tell."""
    fuel: int
    """How many programs were begun, and turns of loops, since the last decision, for the limit of it. Like `looks` and
    `depth` it is not kept."""
    looks: int
    """How much was looked at since the last decision."""
    depth: int
    """How many values and slots ask each other just now."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = 0
        self.serial = 0
        self.frames = []
        self.floor = 0
        self.strands = []
        self.strand = 0
        self.pending = None
        self.answer = None
        self.known = {}
        self.lasting = []
        self.used = {}
        self.result = None
        self.log = ()
        self.given = ()
        self.forced = None
        self.fuel = self.looks = self.depth = 0

    def asked(self) -> list[Decision]:
        """Every open decision, in order of play; the pending one is among them."""
        if not self.strands:
            return [self.pending] if self.pending is not None else []
        found = [self.pending if n == self.strand else each.pending for n, each in enumerate(self.strands)]
        return [decision for decision in found if decision is not None]

    def split(self, strands: list[Strand]) -> None:
        """From here on several seats act at once, each in a strand of its own."""
        self.floor = len(self.frames)
        self.strands = strands
        self.strand = -1

    def take_up(self, number: int) -> None:
        """Run another strand; the one that was run waits."""
        if number == self.strand:
            return
        if self.strand >= 0:
            self.strands[self.strand] = Strand(self.frames[self.floor :], self.pending)
        taken = self.strands[number]
        self.frames[self.floor :] = taken.frames
        self.pending = taken.pending
        self.strands[number] = Strand([], None)
        self.strand = number

    def turn_to(self, seat: int) -> None:
        """Where several seats are asked: what this one is asked is pending."""
        if self.strands and (self.pending is None or self.pending.seat != seat):
            waiting = (
                n for n, each in enumerate(self.strands) if each.pending is not None and each.pending.seat == seat
            )
            self.take_up(next(waiting, self.strand))

    def drop_strand(self) -> None:
        """The strand that was run has ended."""
        del self.strands[self.strand]
        self.strand = -1

    def join(self) -> None:
        """From here on the game goes one way again."""
        self.floor, self.strands, self.strand = 0, [], 0

    def clone(self) -> State:
        """A state that goes its own way from here."""
        other = State.__new__(State)
        other.seed = self.seed
        other.chance = self.chance
        other.serial = self.serial
        other.cells = self.cells[:]
        other.zones = self.zones[:]
        other.where = self.where[:]
        other.holders = self.holders[:]
        other.frames = [frame.copy() for frame in self.frames]
        other.floor = self.floor
        other.strands = [strand.copy() for strand in self.strands]
        other.strand = self.strand
        other.pending = self.pending
        other.answer = self.answer
        other.known = self.known.copy()
        other.lasting = self.lasting[:]
        other.used = self.used.copy()
        other.result = self.result
        other.log = self.log
        other.given = self.given
        other.forced = None
        other.fuel, other.looks, other.depth = self.fuel, self.looks, self.depth
        return other

    def data(self) -> dict[str, Any]:
        """The state as JSON."""
        return {
            "seed": self.seed,
            "chance": self.chance,
            "serial": self.serial,
            "cells": self.cells[:],
            "zones": [list(zone) for zone in self.zones],
            "holders": list(self.holders),
            "frames": [frame_data(frame) for frame in self.frames],
            "floor": self.floor,
            "strands": [strand.data() for strand in self.strands],
            "strand": self.strand,
            "pending": self.pending.data() if self.pending is not None else None,
            "known": sorted(self.known.items()),
            "lasting": [list(each) for each in self.lasting],
            "used": sorted(self.used.items()),
            "result": list(self.result) if self.result is not None else None,
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> State:
        """The way back."""
        state = cls(data["seed"])
        state.chance = data["chance"]
        state.serial = data["serial"]
        state.cells = list(data["cells"])
        state.zones = [tuple(zone) for zone in data["zones"]]
        state.holders = array("b", data["holders"])
        places = {thing: number for number, zone in enumerate(state.zones) for thing in zone}
        state.where = array("i", [places[thing] for thing in range(len(places))])
        state.frames = [frame_from(frame) for frame in data["frames"]]
        state.floor = data["floor"]
        state.strands = [Strand.of(strand) for strand in data["strands"]]
        state.strand = data["strand"]
        state.pending = Decision.of(data["pending"]) if data["pending"] is not None else None
        state.known = {int(thing): mask for thing, mask in data["known"]}
        state.lasting = [tuple(_tupled(each)) for each in data["lasting"]]
        state.used = dict(data["used"])
        state.result = tuple(data["result"]) if data["result"] is not None else None
        return state
