"""What seats see by their abilities, besides what lies open to them: looked at whenever somebody is asked.

What was seen is known like anything a seat has looked at, so views, redealt worlds and questions need not ask.
"""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.dsl import meaning as m
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Compiled, Table
from dunerules.runtime.waiting import Standing

__all__ = ["Sights"]


class Sights:
    """The abilities by which seats see things."""

    def __init__(self, table: Table, evaluator: Evaluator, abilities: Abilities) -> None:
        layout = table.layout
        self.all = [
            (standing, _frames(standing, table.seats), evaluator.function(_shown(evaluator, sight)))
            for standing, sight in abilities.sights
        ]
        self.open_to = [[layout.sees(seat, zone) for zone in range(layout.zone_count)] for seat in range(table.seats)]
        """By seat and zone: whether it lies open to the seat anyhow."""

    def look(self, s: State) -> bool:
        """Every seat sees what its abilities show it now; only the seat itself is told. True if any of it is new."""
        s.looks, found = 0, False
        where, holders = s.where, s.holders
        for standing, frames, shown in self.all:
            zones = standing.zones
            for number, seats in frames.items():
                if zones is None or (where[number] in zones and holders[number] < 0):
                    for holder in seats:
                        found = self._see(s, holder, standing, shown) or found
                elif where[number] in zones:
                    found = self._see(s, seats[holders[number]], standing, shown) or found
        return found

    def _see(self, s: State, holder: Frame, standing: Standing, shown: Compiled) -> bool:
        """A seat sees what an ability shows it, if it works now. True if any of it is new."""
        if standing.condition is not None and not standing.condition(s, holder, -1):
            return False
        seat, known, where = holder.you, s.known, s.where
        open_to, new = self.open_to[seat], []
        for thing in shown(s, holder, -1):
            if not open_to[where[thing]] and not known.get(thing, 0) >> seat & 1:
                new.append(thing)
        if new:
            self._know(s, seat, tuple(new))
        return bool(new)

    def _know(self, s: State, seat: int, things: tuple[int, ...]) -> None:
        for thing in things:
            s.known[thing] = s.known.get(thing, 0) | 1 << seat
        if s.log is not None:
            s.log = (s.log, ("see", seat, things, tuple(sorted({s.where[thing] for thing in things}))))


def _frames(standing: Standing, seats: int) -> dict[int, list[Frame]]:
    """By object that may have an ability, or -1 if it is the game's: a frame for each seat that it may work for."""
    if standing.zones is None:
        return {-1: [Frame(-1, seat, seat, standing.thing, standing.thing, []) for seat in range(seats)]}
    return {number: [Frame(-1, seat, seat, number, -1, []) for seat in range(seats)] for number in standing.objects}


def _shown(evaluator: Evaluator, sight: m.Sight) -> ir.Expr:
    """The things that an ability shows."""
    things, amount = evaluator.core.group(sight.of), sight.quantity.amount
    if amount is None:
        return things
    count = ir.Extreme("most", (make.ZERO, evaluator.core.build(amount)))
    if sight.quantity.mode == "top":
        return ir.Leading(things, count)
    return ir.Reversed(ir.Leading(ir.Reversed(things), count))
