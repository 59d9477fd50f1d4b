"""Whether an answer matters: it does not where every one leads to the same game, but for the order of its log.

So it is with orders of effects that have nothing to do with each other. It is found out from what every seat can see,
and is never said of a question that is asked so that others do not learn something: neither of one with one answer,
nor where moves with unseen things may be made in between.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from threading import Lock

from dunerules.core.analyses.touches import EVERYTHING, Touched, all_touched, commute, meet, reads
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.walk import walk
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import Decision, Frame, State
from dunerules.runtime.touching import Around, Touching

__all__ = ["Weighing"]


_NAMED = (m.Local, m.Constant, m.ObjectRef, m.SeatRef, m.Special)
"""Expressions that look at nothing."""


class Weighing:
    """Says of questions of a machine whether their answers matter. Any number of threads may ask."""

    def __init__(self, machine: Machine) -> None:
        self.shop = machine.shop
        self.touching = Touching(machine.shop)
        self._one_by_one = Lock()

    def matters(self, s: State) -> bool:
        """Whether it matters how the pending question is answered."""
        with self._one_by_one:
            return self._matters(s)

    def _matters(self, s: State) -> bool:
        asked = s.pending
        if asked is None or asked.kind != "order" or len(asked.options) < 2 or asked.acting != asked.seat:
            return True
        frame = s.frames[-1]
        if frame.program == self.shop.events.ordering:
            return self._reactions(s, frame, asked)
        order = self.shop.programs.all[frame.program].code[frame.pc]
        if isinstance(order, p.Order):
            return self._bodies(s, frame, asked, order)
        return not isinstance(order, p.OrderEach) or self._items(s, frame, asked, order)

    # ---- orders

    def _reactions(self, s: State, f: Frame, asked: Decision) -> bool:
        """Reactions of one seat to the same event."""
        left, found = f.slots[0], []
        for _, number, *_ in asked.options:
            program, _, this, here, slots, _ = left[number]
            if this >= 0 and this != here and not self.touching.seen_by_all(s, this):
                return True
            found.append(self.touching.program(s, program, Around(_there(this), _there(here), slots)))
        return self._meddle(s, f, found, len(left))

    def _bodies(self, s: State, f: Frame, asked: Decision, order: p.Order) -> bool:
        """Bodies that stand side by side. One that has nothing to do must not come to have something to do."""
        if any(option[0] != "body" for option in asked.options):
            return True
        code, around = self.shop.programs.all[f.program].code, self._around(s, f)
        ends = {to: stop - 1 for to, stop in zip(order.targets, (*order.targets[1:], order.end), strict=True)}
        starts = [order.targets[option[1]] for option in asked.options]
        found = [self.touching.range(s, code, to, ends[to], around) for to in starts]
        idle = [self.shop.legality.idle(code, to, end) for to, end in ends.items()]
        looked_at = frozenset[str]().union(*(reads(each, self.touching.known) for each in idle))
        return self._meddle(s, f, found, len(found), looked_at, order.offering)

    def _items(self, s: State, f: Frame, asked: Decision, order: p.OrderEach) -> bool:
        """One body for each of a group, which must stay as it is."""
        if any(option[0] not in {"each", "thing"} for option in asked.options):
            return True
        things = order.of.type.name == "thing"
        if things and not all(self.touching.seen_by_all(s, option[1]) for option in asked.options):
            return True
        code, found = self.shop.programs.all[f.program].code, []
        for _, item, *_ in asked.options:
            slots = [*f.slots]
            slots[order.item] = item
            around = self._around(s, f, slots)
            found.append(self.touching.range(s, code, f.pc + 1, order.end - 1, around))
        core, known = self.shop.evaluator.core, self.touching.known
        idle = self.shop.legality.idle(code[: order.end], f.pc + 1, order.end - 1)
        looked_at = reads(core.group(order.of), known) | reads(idle, known)
        most = 3 if things else len(found)  # there may be copies
        return self._meddle(s, f, found, max(most, len(found)), looked_at, order.offering)

    def _around(self, s: State, f: Frame, slots: list[object] | None = None) -> Around:
        """What all can know of a frame: not names for what was worked out, perhaps from hidden things."""
        seen = f.this == f.here or f.this < 0 or self.touching.seen_by_all(s, f.this)
        code = self.shop.programs.all[f.program].code
        worked_out = {each.slot for each in code if isinstance(each, p.Assign) and not isinstance(each.value, _NAMED)}
        held = [None if number in worked_out else each for number, each in enumerate(slots or f.slots)]
        return Around(_there(f.this) if seen else None, _there(f.here), tuple(held))

    # ---- whether they have to do with each other

    def _meddle(
        self,
        s: State,
        f: Frame,
        found: list[Touched],
        left: int,
        looked_at: frozenset[str] = frozenset(),
        offering: str = "",
    ) -> bool:
        """Whether the order of some parts may make a difference; `looked_at` is what says which of them are left.

        Where more than two are left somebody is asked in between, and then seats see what their abilities show them.
        """
        if not all(commute(one, other) for one, other in combinations(found, 2)):
            return True
        changed = all_touched(found).changed
        if EVERYTHING in changed or meet(looked_at, changed):
            return True
        if left > 2 and meet(self._shown(), changed):
            return True
        moves = self.shop.table.rules.moves.get(offering, ())
        return not all(self._never(s, f, move.takes, changed) for move in moves)

    def _never(self, s: State, f: Frame, takes: tuple[tuple[str, m.Expression], ...], changed: frozenset[str]) -> bool:
        """Whether a move cannot be made as long as only so much changes: a zone it picks from is empty."""
        for _, group in takes:
            zone = group.zone if isinstance(group, m.Named) else None
            if isinstance(zone, m.ZoneRef) and not any(isinstance(each, m.Local) for each in walk(zone)):
                built = self.shop.evaluator.core.zone_numbers(zone)
                if not meet(reads(built, self.touching.known) | self._of(zone), changed):
                    numbers = self._numbers(zone)(s, Frame(-1, f.you, f.you, -1, -1, []), -1)
                    if not any(s.zones[number] for number in numbers):
                        return True
        return False

    def _of(self, zone: m.ZoneRef) -> frozenset[str]:
        return frozenset(f"zone {part.name}" for part in self.shop.evaluator.core.zone_parts(zone))

    def _numbers(self, zone: m.ZoneRef) -> Callable[[State, Frame, int], tuple[int, ...]]:
        python = self.shop.evaluator.core.python
        return python.function(self.shop.evaluator.core.zone_numbers(zone), "it")

    def _shown(self) -> frozenset[str]:
        """What decides on what seats see by their abilities."""
        found: set[str] = set()
        for standing, sight in self.shop.abilities.sights:
            ability = self.shop.table.rules.abilities[standing.number]
            found |= self.touching.active_in(standing)
            for each in (sight.of, sight.quantity.amount, ability.condition):
                if each is not None:
                    found |= self.touching.reads(each)
        return frozenset(found)


def _there(number: int) -> int | None:
    return number if number >= 0 else None
