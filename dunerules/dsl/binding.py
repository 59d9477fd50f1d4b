"""Binding: the arguments of a verb are what they are when it is called, whatever happens in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import COUNTER, PLACE, SEAT
from dunerules.dsl.vocabulary import Parameter, Vocabulary

__all__ = ["Binding", "about", "as_written"]


@dataclass(frozen=True, slots=True)
class Binding:
    """Binds the arguments of a call by value. `turns` says that other seats may act inside what is called."""

    words: Vocabulary
    assigned: Callable[[m.Expression], m.Expression]
    """Gives a slot with what an expression is now."""
    turns: bool

    def bound(self, value: m.Expression, parameter: Parameter) -> m.Expression:
        """An argument as it is now, whatever happens in what is called."""
        if isinstance(value, m.Quantity):
            return replace(value, amount=self._now(value.amount)) if value.amount is not None else value
        if isinstance(value, m.ZoneRef):
            holder = self.words.zone_holder(value.zones[0])
            return replace(value, owner=self._whose(value.owner, by_seat=holder == "seat"))
        if isinstance(value, m.WordRef):
            # a pool without an owner goes with the pieces that are moved
            return replace(value, owner=self._whose(value.owner, by_seat=value.type.name == "piece"))
        if isinstance(value, m.CounterRef) and COUNTER in parameter.types:
            by_seat = "seat" in self.words.counters[value.counter].per
            indexes = tuple((name, self._now(index)) for name, index in value.indexes)
            return replace(value, owner=self._whose(value.owner, by_seat=by_seat), indexes=indexes)
        if isinstance(value, m.Named):
            return self._described(value)
        return self._now(value)

    def _now(self, value: m.Expression) -> m.Expression:
        return value if self._stays(value) else self.assigned(value)

    def _stays(self, value: m.Expression) -> bool:
        """Whether an expression is the same all through what is called."""
        if isinstance(value, m.SeatRef):
            return value.which == "owner" or (value.which == "you" and not self.turns)
        return isinstance(value, (m.Constant, m.Local, m.ObjectRef, m.Special, m.OptionRef, m.Always, m.Unknown))

    def _whose(self, owner: m.Expression | None, *, by_seat: bool) -> m.Expression | None:
        if owner is not None:
            return self._now(owner)
        return self._now(m.SeatRef("you", SEAT)) if by_seat and self.turns else None

    def _described(self, value: m.Named) -> m.Expression:
        """A group to be looked for later: what is looked for is fixed, in the eyes of the seat that acts now."""
        if value.type.name == SEAT.name or (value.zone is not None and not isinstance(value.zone, m.ZoneRef)):
            return self._now(value)
        where, zone = value.where, value.zone
        if isinstance(zone, m.ZoneRef):
            by_seat = self.words.zone_holder(zone.zones[0]) == "seat"
            zone = replace(zone, owner=self._whose(zone.owner, by_seat=by_seat))
        if where is not None and self.turns:
            where = m.SeenBy(self._now(m.SeatRef("you", SEAT)), where)
        return replace(value, where=where, zone=zone)


def about(value: m.Expression, words: Vocabulary) -> Iterator[m.Expression]:
    """The seats, places, labels and things that an argument is about."""
    if isinstance(value, m.CounterRef) and value.type.name == "amount":
        yield from (index for _, index in value.indexes)
    if not isinstance(value, (m.CounterRef, m.ZoneRef, m.WordRef)):
        yield value
    elif value.owner is not None:
        yield value.owner
    elif isinstance(value, m.ZoneRef) and words.zone_holder(value.zones[0]) not in {"seat", "game"}:
        yield m.Special("here", PLACE)


def as_written(value: m.Expression) -> m.Expression:
    """A bound argument as people would say it."""
    if isinstance(value, m.Named) and isinstance(value.where, m.SeenBy):
        return replace(value, where=value.where.of)
    return value
