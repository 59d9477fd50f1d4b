"""Views: everything that a seat may know of a game at one moment, as records. Nothing is left out that could be seen.

Seats count from 1. What is hidden is there as what it is: a counter without a value, a thing without a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dunerules.questions import Question
from dunerules.records import UNKNOWN, Fixed, data_of, seat_of
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names
from dunerules.runtime.state import Frame, State
from dunerules.runtime.views import can_see

__all__ = ["Counter", "Pieces", "Thing", "View", "Zone", "phases_of", "round_frame", "round_of", "value_of", "view_of"]


@dataclass(frozen=True, slots=True)
class Counter:
    """A number on the table, or something that is pointed at."""

    name: str
    seat: int | None
    """Whose it is; none for one of the table."""
    at: tuple[str, ...]
    """The labels it is with, the places it is at, and who or what it is for."""
    value: int | str | None
    """A number, or the name of what it points at; nothing, if it points at nothing or is hidden."""
    hidden: bool
    """Whether the value is kept from who looks."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """How many pieces of a kind a seat has in a pool, or at a place."""

    name: str
    seat: int | None
    pool: str
    """The pool; empty for pieces at a place."""
    at: tuple[str, ...]
    """The place; nothing for pieces in a pool."""
    count: int


@dataclass(frozen=True, slots=True)
class Thing:
    """An object in a zone."""

    id: str
    """Its id in the pack; `?` if who looks cannot know it."""
    kind: str
    """Its kind; empty if it is not known."""
    owner: int | None
    """The seat that holds it, in its own zones and on places of the board; none for what nobody holds."""
    marks: tuple[Counter, ...] = ()
    """The counters on it that are not as they start, also where it is not known what it is."""

    @property
    def known(self) -> bool:
        """Whether who looks can know what it is."""
        return self.id != UNKNOWN


@dataclass(frozen=True, slots=True)
class Zone:
    """Where things lie."""

    name: str
    seat: int | None
    """Whose it is; none for one of the table."""
    at: tuple[str, ...]
    """The place it belongs to; nothing for others."""
    things: tuple[Thing, ...]
    """What lies in it, in order: piles from the top."""

    @property
    def ids(self) -> tuple[str, ...]:
        """What lies in it by id, `?` for what is not known."""
        return tuple(each.id for each in self.things)

    def __len__(self) -> int:
        return len(self.things)


@dataclass(frozen=True, slots=True)
class View:
    """Everything a seat may know."""

    seat: int | None
    """Who looks; none for somebody who sees everything."""
    seats: int
    """How many seats there are."""
    players: int
    """How many of them are players; those after them are automated."""
    round: str
    """The round that is played, by the name of its procedure; empty before the first."""
    phases: tuple[str, ...]
    """The procedures that are going on by name, from outside in."""
    counters: Fixed[str, Counter]
    """Every counter by its full name, `gold of seat 1`."""
    pieces: Fixed[str, Pieces]
    """Every number of pieces by its full name, `boat in harbour of seat 1` or `boat of seat 1 at island`."""
    zones: Fixed[str, Zone]
    """Every zone by its full name, `hand of seat 1`, also empty ones."""
    asked: tuple[int, ...]
    """The seats that are asked something."""
    question: Question | None
    """What the seat that looks is asked; for somebody who sees everything the first of all questions."""
    over: bool
    """Whether the game has ended."""
    winners: tuple[int, ...]
    """The seats that have won, once the game is over."""

    def data(self) -> dict[str, Any]:
        """The view as plain JSON."""
        found: dict[str, Any] = data_of(self)
        return found | {"question": self.question.data() if self.question is not None else None}


def view_of(machine: Machine, names: Names, state: State, seat: int | None, question: Question | None) -> View:
    """What a seat may know, counted as in the machine, with what it is asked; without a seat everything."""
    return View(
        None if seat is None else seat + 1,
        machine.table.seats,
        machine.table.players,
        round_of(machine, state),
        phases_of(machine, state),
        Fixed("counter", dict(_counters(machine, names, state, seat))),
        Fixed("number of pieces", dict(_pieces(machine, names, state))),
        Fixed("zone", dict(_zones(machine, names, state, seat))),
        tuple(each.seat + 1 for each in state.asked()),
        question,
        state.result is not None,
        tuple(each + 1 for each in state.result or ()),
    )


def _counters(machine: Machine, names: Names, state: State, seat: int | None) -> Iterator[tuple[str, Counter]]:
    words = machine.table.rules.words
    for name, cells in machine.table.layout.cells.items():
        if words.marks(words.counters[name]):
            continue  # seen on the things
        secret = words.counters[name].hidden and seat is not None
        for number in range(cells.base, cells.base + cells.size):
            owner = names.cell_seat(number)
            hidden = secret and owner not in (-1, seat)
            value = None if hidden else value_of(names, name, state.cells[number])
            yield names.cell(number), Counter(name, seat_of(owner), names.cell_at(number), value, hidden)


def value_of(names: Names, counter: str, value: int) -> int | str | None:
    """The value of a counter: a number, the name of what it points at, or nothing."""
    if value < 0 and names.table.rules.words.counters[counter].holds.name != "amount":
        return None
    found: int | str = names.cell_value(counter, value)
    return found


def _pieces(machine: Machine, names: Names, state: State) -> Iterator[tuple[str, Pieces]]:
    for (piece, pool), cells in machine.table.layout.pools.items():
        shown = "" if pool == "@" else pool
        for number in range(cells.base, cells.base + cells.size):
            seat, at, count = seat_of(names.cell_seat(number)), names.cell_at(number), state.cells[number]
            yield names.cell(number), Pieces(piece, seat, shown, at, count)


def _zones(machine: Machine, names: Names, state: State, seat: int | None) -> Iterator[tuple[str, Zone]]:
    layout, holders = machine.table.layout, state.holders
    for number, pile in enumerate(state.zones):
        name, place = layout.zone_names[number], layout.zone_place[number]
        at = (layout.things[layout.places[layout.zones[name].per][place]].id,) if place >= 0 else ()
        things = []
        for each in pile:
            if seat is None or can_see(machine, state, seat, each):
                declared = layout.things[layout.objects[each]]
                seen = (declared.id, declared.kind)
            else:
                seen = (UNKNOWN, "")
            marks = tuple(_marks(machine, names, state, seat, each))
            things.append(Thing(*seen, seat_of(holders[each]), marks))
        yield names.zone(number), Zone(name, seat_of(layout.zone_owner[number]), at, tuple(things))


def _marks(machine: Machine, names: Names, state: State, seat: int | None, thing: int) -> Iterator[Counter]:
    """The counters on a thing that are not as they start. What a seat cannot see does not tell that it is there."""
    for mark in machine.shop.piles.marks.of[thing]:
        for number in mark.cells:
            owner, value = names.cell_seat(number), state.cells[number]
            if value != mark.start and not (mark.hidden and seat is not None and owner != seat):
                shown = value_of(names, mark.counter, value)
                yield Counter(mark.counter, seat_of(owner), names.cell_at(number), shown, hidden=False)


# ---- what is going on


def round_frame(machine: Machine, state: State) -> Frame | None:
    """The procedure that the flow itself has started; the setup, slots it runs and reactions are none."""
    frames = state.frames
    return frames[1] if len(frames) > 1 and frames[1].label in machine.table.rules.procedures else None


def round_of(machine: Machine, state: State) -> str:
    """The name of the round that is played."""
    found = round_frame(machine, state)
    return found.label if found is not None else ""


def phases_of(machine: Machine, state: State) -> tuple[str, ...]:
    """The procedures that are going on, from outside in."""
    procedures = machine.table.rules.procedures
    return tuple(frame.label for frame in state.frames if frame.label in procedures)
