"""Piles: objects carried from zone to zone, drawn from an end, drawn by chance, and rows that are kept full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.marks import Marks
from dunerules.runtime.state import State
from dunerules.runtime.table import Table

__all__ = ["Piles"]


class Piles:
    """What is done to the zones of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        layout = table.layout
        # on a place an object stays with the seat it was with
        self.held = [
            owner if owner >= 0 or place < 0 else None
            for owner, place in zip(layout.zone_owner, layout.zone_place, strict=True)
        ]
        self._rows = table.rows
        self.marks = Marks(table)
        self._leaving = self.marks.leaving
        seen = layout.zone_seen
        self._seen = seen
        self._everybody = layout.everybody
        self.picked_by = [*(1 << seat if seat < table.players else 0 for seat in range(table.seats)), 0]
        """By the seat that picks, and last for nobody: who can tell which they were. An automated one cannot."""

    def carry(
        self,
        s: State,
        things: tuple[int, ...],
        target: int,
        origin: Any = (),
        at: int = 1,
        by: int | None = None,
    ) -> None:
        """Put objects on top of a zone, or at a position in it, the first one uppermost, and keep rows full.

        `by` is the seat that has picked them by name, if not everybody can tell which they are. The log keeps who does
        it, and its origin."""
        where, zones = s.where, s.zones
        number = things[0]
        source = where[number]
        if len(things) > 1:
            self._carry_several(s, things, source, target, origin, at, by)
            return
        pile = zones[source]
        if pile[0] == number:
            zones[source] = pile[1:]
        else:
            place = pile.index(number)
            zones[source] = pile[:place] + pile[place + 1 :]
        zones[target] = things + zones[target] if at <= 1 else _laid(things, zones[target], at)
        where[number] = target
        owner = self.held[target]
        if owner is not None:
            s.holders[number] = owner
        if self._leaving:
            self.marks.leave(s, things, target)
        known = s.known
        if (known and (number in known or by is not None)) or self._seen[source] & ~self._seen[target]:
            self._follow(s, things, things, source, target, by)  # elsewhere nobody knows it, and nobody learns it
        if s.log is not None:
            told = known.get(number, 0)
            s.log = (s.log, ("carry", things, (source,), target, told, origin))
        if source in self._rows:
            self.fill(s, source)

    def _carry_several(
        self, s: State, things: tuple[int, ...], source: int, target: int, origin: Any, at: int, by: int | None
    ) -> None:
        """The same for more than one, which may lie in several zones; `source` is that of the first."""
        where, zones, count = s.where, s.zones, len(things)
        origins: tuple[int, ...] = (source,) * count
        sources: tuple[int, ...] = (source,)
        if zones[source][:count] == things:  # from the top, as most are
            zones[source] = zones[source][count:]
        else:
            origins = tuple(map(where.__getitem__, things))
            sources = tuple(dict.fromkeys(origins))
            for zone in sources:
                zones[zone] = tuple([number for number in zones[zone] if number not in things])
        zones[target] = things + zones[target] if at <= 1 else _laid(things, zones[target], at)
        owner, holders = self.held[target], s.holders
        for number in things:
            where[number] = target
            if owner is not None:
                holders[number] = owner
        known, seen = s.known, self._seen
        some_known = bool(known) and (by is not None or not known.keys().isdisjoint(things))
        for zone in sources:
            if some_known or seen[zone] & ~seen[target]:
                moved = things
                if len(sources) > 1:
                    moved = tuple([each for each, start in zip(things, origins, strict=True) if start == zone])
                self._follow(s, moved, things, zone, target, by)
        if s.log is not None:
            told = self._everybody
            for number in things:
                told &= known.get(number, 0)
            s.log = (s.log, ("carry", things, origins, target, told, origin))
        if self._leaving:
            self.marks.leave(s, things, target)
        for zone in sources:
            if zone in self._rows:
                self.fill(s, zone)

    def _follow(
        self, s: State, things: tuple[int, ...], laid: tuple[int, ...], source: int, target: int, by: int | None
    ) -> None:
        """Who still knows objects that have gone from one zone to another: who saw them there, and who knew them and
        can tell that it was these, as who picked them can. Who cannot tell no longer knows what is left of the zone.
        All that were `laid` there are no part of that."""
        known, seen = s.known, self._seen
        saw = seen[source] & ~seen[target]
        blind = self._everybody & ~(seen[source] | seen[target])
        sure = blind
        if by is not None and blind:
            left = tuple(each for each in s.zones[source] if each not in laid) if source == target else s.zones[source]
            if left:
                sure = self.picked_by[by] & blind
                self._forget(s, left, blind & ~sure)
        for thing in things:
            mask = known.get(thing, 0) & sure | saw
            if mask:
                known[thing] = mask
            elif thing in known:
                del known[thing]

    def _forget(self, s: State, things: tuple[int, ...], lost: int) -> None:
        """Some seats no longer know these objects."""
        known = s.known
        for thing in things if lost else ():
            mask = known.get(thing, 0)
            if mask & lost:
                if mask & ~lost:
                    known[thing] = mask & ~lost
                else:
                    del known[thing]

    def fill(self, s: State, row: int) -> None:
        """Fill a row from the top of its pile."""
        capacity, refill = self._rows[row]
        missing = capacity - len(s.zones[row])
        drawn = self.from_pile(s, refill, missing, "top") if missing > 0 else ()
        if drawn:
            self.carry(s, drawn, row)

    def from_pile(self, s: State, zone: int, count: int, mode: str) -> tuple[int, ...]:
        """Objects from the top or bottom of a pile; an empty pile is made anew from the one it is refilled from."""
        pile = s.zones[zone]
        if len(pile) >= count:
            return pile[:count] if mode == "top" else pile[::-1][:count]
        self.renew(s, (zone,))
        pile = s.zones[zone]
        return pile[:count] if mode == "top" else pile[::-1][:count]

    def renew(self, s: State, zones: Sequence[int]) -> bool:
        """Make piles anew: what they are refilled from is shuffled and laid under them. False if there is nothing."""
        refills, found = self.table.refills, False
        for zone in zones:
            if zone in refills:
                number = refills[zone]
                fresh, s.chance = shuffled(s.seed, s.chance, s.zones[number])
                s.zones[number] = ()
                s.zones[zone] = (*s.zones[zone], *fresh)
                self.marks.clear(s, fresh)
                for thing in fresh:
                    s.where[thing] = zone
                    s.known.pop(thing, None)
                found = found or bool(fresh)
        return found

    def at_random(self, s: State, things: Sequence[Any], count: int) -> tuple[Any, ...]:
        """Some things by chance."""
        left, picked = list(things), []
        for _ in range(min(count, len(left))):
            picked.append(left.pop(below(s.seed, s.chance, len(left))))
            s.chance += 1
        return tuple(picked)


def _laid(things: tuple[int, ...], pile: tuple[int, ...], at: int) -> tuple[int, ...]:
    """A pile with objects at a position in it."""
    return pile[: at - 1] + things + pile[at - 1 :]
