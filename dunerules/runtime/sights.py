"""What seats see by their abilities, besides what lies open to them: looked at whenever somebody is asked.

What was seen is known like anything a seat has looked at, so views, redealt worlds and questions need not ask.
"""

from __future__ import annotations

from dunerules.core.python import as_group
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Compiled, Table
from dunerules.runtime.waiting import Standing

__all__ = ["Sights"]


class Sights:
    """The abilities by which seats see things."""

    def __init__(self, table: Table, evaluator: Evaluator, abilities: Abilities) -> None:
        compiled, layout = evaluator.compile, table.layout
        self._all = [
            (
                standing,
                _frames(standing, table.seats),
                sight.quantity.mode,
                compiled(amount) if amount is not None else None,
                compiled(sight.of),
            )
            for standing, sight in abilities.sights
            for amount in (sight.quantity.amount,)
        ]
        self._open = [[layout.sees(seat, zone) for zone in range(layout.zone_count)] for seat in range(table.seats)]
        """By seat and zone: whether it lies open to the seat anyhow."""

    def look(self, s: State) -> bool:
        """Every seat sees what its abilities show it now; only the seat itself is told. True if any of it is new."""
        s.looks, found = 0, False
        where, known, open_to = s.where, s.known, self._open
        for standing, frames, mode, amount, group in self._all:
            for holder in _holders(s, standing, frames):
                if standing.condition is not None and not standing.condition(s, holder, -1):
                    continue
                seat, new = holder.you, []
                for thing in _seen(s, holder, mode, amount, group):
                    if not known.get(thing, 0) >> seat & 1 and not open_to[seat][where[thing]]:
                        new.append(thing)
                if new:
                    self._know(s, seat, tuple(new))
                    found = True
        return found

    def _know(self, s: State, seat: int, things: tuple[int, ...]) -> None:
        for thing in things:
            s.known[thing] = s.known.get(thing, 0) | 1 << seat
        if s.log is not None:
            s.log = (s.log, ("see", seat, things, tuple(sorted({s.where[thing] for thing in things}))))


def _frames(standing: Standing, seats: int) -> dict[int, list[Frame]]:
    """By object that may have an ability, or -1 if nobody has it: the frames of all seats it may work for."""
    if standing.zones is None:
        return {-1: [Frame(-1, seat, seat, standing.thing, standing.thing, []) for seat in range(seats)]}
    return {number: [Frame(-1, seat, seat, number, -1, []) for seat in range(seats)] for number in standing.objects}


def _holders(s: State, standing: Standing, frames: dict[int, list[Frame]]) -> list[Frame]:
    """A frame for every copy of an ability that is active, of the seat that has it, or, if nobody has, of each."""
    zones, found = standing.zones, []
    for number, seats in frames.items():
        if zones is None:
            return seats
        if s.where[number] in zones:
            held = s.holders[number]
            found += seats if held < 0 else (seats[held],)
    return found


def _seen(s: State, holder: Frame, mode: str, amount: Compiled | None, group: Compiled) -> tuple[int, ...]:
    things = as_group(group(s, holder, -1))
    if amount is None:
        return things
    count = max(0, amount(s, holder, -1))
    return things[:count] if mode == "top" else things[max(0, len(things) - count) :]
