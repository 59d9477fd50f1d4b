"""The state of a game: flat numbers, and nothing that could not be written as JSON."""

from __future__ import annotations

from array import array
from typing import Any

__all__ = ["NO_SOURCE", "Decision", "Frame", "State", "frame_data", "frame_from"]


class Frame:
    """A program being run: where it is, who acts, whose effect it is, on what it stands, and its slots."""

    __slots__ = ("here", "label", "owner", "pc", "program", "slots", "stop", "this", "you")

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
        stop: int = -1,
    ) -> None:
        self.program = program
        self.you = you
        self.owner = owner
        self.this = this
        self.here = here
        self.slots = slots
        self.pc = pc
        self.label = label
        self.stop = stop

    def copy(self) -> Frame:
        """The same frame, to go its own way."""
        return Frame(
            self.program, self.you, self.owner, self.this, self.here, self.slots[:], self.pc, self.label, self.stop
        )


def frame_data(frame: Frame) -> list[Any]:
    """A frame as JSON."""
    slots = list(frame.slots)
    return [frame.program, frame.you, frame.owner, frame.this, frame.here, slots, frame.pc, frame.label, frame.stop]


def frame_from(data: list[Any]) -> Frame:
    """The way back. JSON knows no tuples: groups of numbers become tuples again."""
    program, you, owner, this, here, slots, pc, label, stop = data
    return Frame(program, you, owner, this, here, [_tupled(slot) for slot in slots], pc, label, stop)


def _tupled(value: Any) -> Any:
    return tuple(_tupled(each) for each in value) if isinstance(value, list) else value


NO_SOURCE = -1
"""The source of a decision that stands on nothing. Below it are places: -2 is the thing 0."""


class Decision:
    """A question: who must answer, how many of which options. An answer is a tuple of their numbers."""

    __slots__ = ("high", "kind", "low", "options", "prompt", "seat", "source")

    def __init__(
        self, seat: int, kind: str, low: int, high: int, options: tuple[Any, ...], prompt: str, source: int
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.low = low
        self.high = high
        self.options = options
        self.prompt = prompt
        self.source = source

    def data(self) -> list[Any]:
        """The decision as JSON."""
        return [self.seat, self.kind, self.low, self.high, list(self.options), self.prompt, self.source]

    @classmethod
    def of(cls, data: list[Any]) -> Decision:
        """The way back."""
        seat, kind, low, high, options, prompt, source = data
        return cls(seat, kind, low, high, tuple(_tupled(option) for option in options), prompt, source)


class State:
    """Everything that changes. The rest, ruleset and layout, is shared by all states of a game."""

    __slots__ = (
        "answer", "cells", "chance", "frames", "holders", "known", "lasting", "log", "pending", "result", "seed",
        "serial", "used", "where", "zones",
    )  # fmt: skip

    cells: list[int]
    zones: list[tuple[int, ...]]
    where: array[int]
    """By object: the zone it is in. Small numbers in arrays, because clones are kept by the thousand."""
    holders: array[int]
    """By object: the seat that holds it. It keeps it on a place, and loses it in a zone of nobody."""
    frames: list[Frame]
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

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = 0
        self.serial = 0
        self.frames = []
        self.pending = None
        self.answer = None
        self.known = {}
        self.lasting = []
        self.used = {}
        self.result = None
        self.log = ()

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
        other.pending = self.pending
        other.answer = self.answer
        other.known = self.known.copy()
        other.lasting = self.lasting[:]
        other.used = self.used.copy()
        other.result = self.result
        other.log = self.log
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
        state.pending = Decision.of(data["pending"]) if data["pending"] is not None else None
        state.known = {int(thing): mask for thing, mask in data["known"]}
        state.lasting = [tuple(_tupled(each)) for each in data["lasting"]]
        state.used = dict(data["used"])
        state.result = tuple(data["result"]) if data["result"] is not None else None
        return state
