"""Other worlds: a state that one seat cannot tell from the real one.

Objects a seat cannot see change places with others they might be, told by four things: their kind; their back, for
objects that start in different face-down piles of the table, or with different seats if their kind has backs of its
own, are told apart; the zones, for hidden objects mix only between zones that some text moves objects between unseen;
and whether anything that is going on mentions them, for such objects stay. Marks stay where they lie: they are seen on
what is hidden too. What is still to be drawn by chance becomes another chance, and hidden counters of other seats are
as they were at the start.

What is asked may depend on hidden things too: that somebody is asked at all, and what the seat itself is offered. So
the open questions are asked anew in the new world, and a world in which the seat would notice a difference is dealt
again; first with the hidden counters as they are, then only with another chance, in the end with everything as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.chance import shuffled
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.state import State
from dunerules.runtime.views import can_see

__all__ = ["TRIES", "Redealer"]


TRIES: Final = 8
"""Worlds that are dealt until one asks what the real one asks; in the first half of them hidden counters start anew."""


class Redealer:
    """Redeals states of one machine. What the rules say about hidden moves is found out once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.layout = machine.table.layout
        self._links = list(self._moves())
        self._backs = self._told_apart()
        self.groups = [self._mixing(seat) for seat in range(machine.table.seats)]
        """By seat and zone: the zones that hidden objects mix between have one number."""
        self.hidden = list(self._hidden_cells())
        """Every cell of a hidden counter, the seat that may see it, and what it starts with."""

    def redeal(self, state: State, seat: int, seed: int) -> State:
        """A world that `seat` cannot tell from `state`; another one for every seed. The state stays as it is."""
        for number in range(TRIES):
            other = self._dealt(state, seat, seed + (number << 32), forget=number < TRIES // 2)
            if self._ask_anew(other, state, seat):
                return other
        other = self._other_chance(state, seed)
        return other if self._ask_anew(other, state, seat) else self._other_chance(state, state.seed)

    def _other_chance(self, state: State, seed: int) -> State:
        """The same world, but for what is still to come by chance."""
        other = state.clone()
        other.seed = seed
        other.log = None if state.log is None else ()
        other.given = None
        return other

    def _ask_anew(self, other: State, state: State, seat: int) -> bool:
        """Ask the open questions in a new world. True if the seat cannot tell them from those in the real one."""
        if state.pending is None:
            return True
        before = other.clone()
        other.pending = None
        for strand in other.strands:
            strand.pending = None
        try:
            self.machine.run(other)
        except GameError:
            return False
        knows = {thing for thing, seats in other.known.items() if seats >> seat & 1}  # by abilities, perhaps more
        knew = {thing for thing, seats in before.known.items() if seats >> seat & 1}
        return _at_same_place(other, before) and knows == knew and _noticed(other, seat) == _noticed(state, seat)

    def _dealt(self, state: State, seat: int, seed: int, *, forget: bool) -> State:
        """A world in which hidden objects have changed places. If wanted, hidden counters start anew."""
        other = self._other_chance(state, seed)
        for number, owner, start in self.hidden if forget else ():
            if owner != seat:
                other.cells[number] = start
        fixed = _mentioned(state, seat)
        spots: dict[Any, list[tuple[int, int]]] = {}
        for zone, pile in enumerate(state.zones):
            for place, thing in enumerate(pile):
                if thing not in fixed and not can_see(self.machine, state, seat, thing):
                    key = (self.groups[seat][zone], self.back(thing))
                    spots.setdefault(key, []).append((zone, place))
        piles = [list(pile) for pile in state.zones]
        counter, instead = 0, dict[int, int]()
        for places in spots.values():
            things = tuple(piles[zone][place] for zone, place in places)
            # sorted first: worlds that the seat cannot tell apart are redealt alike
            dealt, counter = shuffled(seed, counter, tuple(sorted(things)))
            for (zone, place), before, thing in zip(places, things, dealt, strict=True):
                piles[zone][place] = thing
                instead[thing] = before
                other.where[thing] = zone
                other.holders[thing] = state.holders[before]
                if before in state.known:
                    other.known[thing] = state.known[before]
                elif thing in state.known:
                    del other.known[thing]
        other.zones = [tuple(pile) for pile in piles]
        self.machine.shop.piles.marks.dealt(other, instead)
        return other

    def _hidden_cells(self) -> Iterator[tuple[int, int, int]]:
        for name, counter in self.machine.table.rules.words.counters.items():
            cells = self.layout.cells[name]
            if counter.hidden and "seat" in cells.indexes:
                factor = cells.factors[cells.indexes.index("seat")]
                for place in range(cells.size):
                    yield cells.base + place, place // factor % self.machine.table.seats, cells.start

    # ---- what hidden objects may be

    def back(self, thing: int) -> tuple[str, int]:
        """What tells an object apart from others that are hidden."""
        kind = self.layout.things[self.layout.objects[thing]].kind
        if self.machine.table.rules.words.kinds[kind].own_backs:
            return kind, self.layout.home_seat[thing]
        return kind, self.layout.start_zone[thing] if kind in self._backs else -1

    def _told_apart(self) -> set[str]:
        """Kinds whose objects start in several face-down piles of the table."""
        piles: dict[str, set[int]] = {}
        for thing, zone in enumerate(self.layout.start_zone):
            declared = self.layout.zones[self.layout.zone_names[zone]]
            if declared.per != "seat" and declared.sight != "all":
                piles.setdefault(self.layout.things[self.layout.objects[thing]].kind, set()).add(zone)
        return {kind for kind, found in piles.items() if len(found) > 1}

    def _moves(self) -> Iterator[tuple[str, str, bool]]:
        """Pairs of zones that texts move objects between, and whether from one seat to another."""
        words = self.machine.table.rules.words
        for program in self.machine.programs:
            for code in program.code:
                given = dict(code.arguments) if isinstance(code, p.Do) else {}
                source, target = given.get("source"), given.get("target")
                if isinstance(source, m.ZoneRef) and isinstance(target, m.ZoneRef):
                    across = source.owner is not None or target.owner is not None
                    for first in source.zones:
                        for second in target.zones:
                            for one in words.zone_parts(first):
                                for other in words.zone_parts(second):
                                    yield one.name, other.name, across

    def _mixing(self, seat: int) -> list[int]:
        """By zone: the group of zones, all hidden from a seat, that it mixes with."""
        layout = self.layout
        group = list(range(layout.zone_count))

        def hidden(zone: int) -> bool:
            return not layout.sees(seat, zone)

        for first, second, across in self._links:
            for one in self._numbers(first):
                for other in self._numbers(second):
                    apart = min(layout.zone_owner[one], layout.zone_owner[other]) >= 0 and (
                        layout.zone_owner[one] != layout.zone_owner[other]
                    )
                    if (across or not apart) and hidden(one) and hidden(other):
                        old, new = group[one], group[other]
                        group = [new if each == old else each for each in group]
        return group

    def _numbers(self, name: str) -> range:
        zones = self.layout.zones[name]
        return range(zones.base, zones.base + zones.size)


def _at_same_place(one: State, other: State) -> bool:
    """Whether two states wait at the same place, and nothing has happened on the way there."""
    if one.result is not None or len(one.strands) != len(other.strands):
        return False
    where = [[(f.program, f.pc, f.you) for f in state.frames] for state in (one, other)]
    return where[0] == where[1] and one.cells == other.cells and one.zones == other.zones


def _noticed(state: State, seat: int) -> list[Any]:
    """What a seat notices of the open questions: who is asked, and what it is asked itself."""
    return [decision.seat if decision.seat != seat else decision.data() for decision in state.asked()]


def _mentioned(state: State, seat: int) -> set[int]:
    """Every number that what is going on mentions, as far as the seat knows; objects among them stay where they are.

    What others are asked is found out anew.
    """
    found: set[int] = set()
    for frame in (*state.frames, *(frame for strand in state.strands for frame in strand.frames)):
        found.add(frame.this)
        _numbers_in(frame.slots, found)
    _numbers_in(state.lasting, found)
    for decision in state.asked():
        found.add(decision.source)
        if decision.seat == seat and decision.kind != "blind":  # positions are no objects
            _numbers_in(decision.options, found)
    return found


def _numbers_in(value: Any, found: set[int]) -> None:
    if isinstance(value, int):
        found.add(value)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _numbers_in(each, found)
