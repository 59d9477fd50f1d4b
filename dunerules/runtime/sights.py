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
        self.all = [
            (standing, sight.quantity.mode, compiled(amount) if amount is not None else None, compiled(sight.of))
            for standing, sight in abilities.sights
            for amount in (sight.quantity.amount,)
        ]
        self.open_to = [[layout.sees(seat, zone) for zone in range(layout.zone_count)] for seat in range(table.seats)]
        """By seat and zone: whether it lies open to the seat anyhow."""

    def look(self, s: State) -> bool:
        """Every seat sees what its abilities show it now; only the seat itself is told. True if any of it is new."""
        s.looks, found = 0, False
        where, known, open_to = s.where, s.known, self.open_to
        for standing, mode, amount, group in self.all:
            for holder in self._holders(s, standing):
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

    def _holders(self, s: State, standing: Standing) -> list[Frame]:
        """A frame for every copy of an ability that is active, of the seat that has it, or, if nobody has, of each."""
        everybody, found = range(len(self.open_to)), []
        if standing.zones is None:
            return [Frame(-1, seat, seat, standing.thing, standing.thing, []) for seat in everybody]
        for number in standing.objects:
            if s.where[number] in standing.zones:
                held = s.holders[number]
                for seat in (held,) if held >= 0 else everybody:
                    found.append(Frame(-1, seat, seat, number, -1, []))
        return found

    def _know(self, s: State, seat: int, things: tuple[int, ...]) -> None:
        for thing in things:
            s.known[thing] = s.known.get(thing, 0) | 1 << seat
        if s.log is not None:
            s.log = (s.log, ("see", seat, things, tuple(sorted({s.where[thing] for thing in things}))))


def _seen(s: State, holder: Frame, mode: str, amount: Compiled | None, group: Compiled) -> tuple[int, ...]:
    things = as_group(group(s, holder, -1))
    if amount is None:
        return things
    count = max(0, amount(s, holder, -1))
    return things[:count] if mode == "top" else things[max(0, len(things) - count) :]
