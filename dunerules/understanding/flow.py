"""Who can know, in one program, that it has come to a place, and what its slots hold there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import slot_name
from dunerules.kernel.registry import FACTS
from dunerules.understanding.seen import ALL, NONE, OWN, Known, number_of, turned
from dunerules.understanding.spread import Spread

__all__ = ["go_through"]

_Names: TypeAlias = dict[str, int]
_Region: TypeAlias = (
    p.Arrow | p.May | p.PickThings | p.EachNext | p.Around | p.OrderEach | p.Secret | p.RepeatNext | p.Instead
)
"""Code that something up to its `end` belongs to."""


def go_through(spread: Spread, program: p.Program, level: int, given: Sequence[int]) -> list[int]:
    """Go through a program that is begun as `level` says: who knows what it was given, when it has ended."""
    names = {slot_name(at): each for at, each in enumerate(given)}
    _Flow(spread, program).go(0, len(program.code), level, names)
    return [names[slot_name(at)] for at in range(len(given))]


class _Flow:
    """Goes through one program."""

    def __init__(self, spread: Spread, program: p.Program) -> None:
        self.spread = spread
        self.code = program.code
        self.level = spread.seen.level
        self.hides = spread.writes_hidden(program)

    def go(self, start: int, end: int, level: int, names: _Names) -> None:
        """Code from a place to another, come to as `level` says; `names` are what slots hold, and are changed."""
        place = start
        while place < end:
            code = self.code[place]
            if isinstance(code, p.Unless):
                place = self._unless(code, place, level, names)
            elif isinstance(code, (p.Choose, p.Order)):
                place = self._options(code, level, names)
            elif isinstance(code, p.Instead) and self.spread.known("replaces", code.verb) == ALL:
                self.spread.done(code, level, names)  # nothing is ever done instead
                place += 1
            elif isinstance(code, _Region):
                inner = dict(names)
                come = self._inner(code, level, names, inner)
                before = dict(inner)
                self.go(place + 1, code.end, come, inner)
                # that other seats did it changes nothing behind it
                _merge(names, {**inner, **{name: each for name, each in names.items() if inner[name] == before[name]}})
                place = code.end
            else:
                self._plain(code, level, names)
                place += 1

    def _unless(self, code: p.Unless, place: int, level: int, names: _Names) -> int:
        """Both ways, and where they meet."""
        level, end, last = min(level, self.level(code.condition, names)), code.to, self.code[code.to - 1]
        if not code.implied and isinstance(last, p.Jump) and last.to > end:
            end = last.to
        other, before = dict(names), dict(names)
        self.go(place + 1, code.to, level, names)
        self.go(code.to, end, level, other)
        laid = _asks_where(code.condition)
        open_then = max(names.get(laid, NONE), other.get(laid, NONE))
        _merge(names, other)
        if before.get(laid) == OWN and open_then == ALL and self._laid_open(laid, place, end):
            names[laid] = ALL  # on the other way it was open already
        return end

    def _laid_open(self, name: str, start: int, end: int) -> bool:
        """Whether what a slot holds is moved away, if it lies in any zone that only its owner sees."""
        for code in self.code[start:end]:
            given = dict(code.arguments) if isinstance(code, p.Do) else {}
            what, source = given.get("what"), given.get("source")
            if (
                given.get("target") is not None
                and isinstance(what, m.Local)
                and what.name == name
                and isinstance(source, m.ZoneRef)
            ):
                return self.spread.seen.hands(what.type.of) <= set(source.zones)
        return False

    def _options(self, code: p.Choose | p.Order, level: int, names: _Names) -> int:
        """Which option is taken all see who see that it is asked for."""
        if isinstance(code, p.Order) and code.offering:
            self.spread.offered(code.offering, level)
        before = dict(names)
        for start, end in zip(code.targets, (*code.targets[1:], code.end), strict=True):
            inner = dict(before)
            self.go(start, end, level, inner)
            _merge(names, inner)
        return code.end

    def _inner(self, code: _Region, level: int, names: _Names, inner: _Names) -> int:
        """Who can know that what follows is done, up to its end; the slots in there."""
        if isinstance(code, p.PickThings):
            self._picked(code, inner)
            # who may take none is asked if there is any, and all see that
            there = ALL if code.quantity.mode in {"any", "up to"} else self.level(m.Exists(code.of), names)
            return min(level, there, self.level(code.quantity, names))
        if isinstance(code, p.EachNext):
            found = names.get(slot_name(code.queue), NONE)
            return self._next(min(level, found), found, code.item, inner, seats=code.seats)
        if isinstance(code, (p.Around, p.OrderEach)):
            if isinstance(code, p.OrderEach) and code.offering:
                self.spread.offered(code.offering, level)
            found = self.level(code.of, names)
            seats = isinstance(code, p.Around) or code.seats
            return self._next(min(level, found), found, code.item, inner, seats=seats)
        if isinstance(code, p.Secret):
            found = self.level(code.of, names)
            return min(OWN, self._next(min(level, found), found, code.item, inner, seats=True))
        if isinstance(code, p.RepeatNext):
            return min(level, names.get(slot_name(code.slot), NONE))
        if isinstance(code, p.Instead):
            self.spread.done(code, level, names)
            return min(level, self.spread.known("instead", code.verb))
        return level

    def _picked(self, code: p.PickThings, inner: _Names) -> None:
        """What is picked all see, but for objects they do not see, and for what is written down in secret."""
        found = self.level(code.of, inner) if code.of.type.name == "thing" else ALL
        inner[slot_name(code.slot)] = min(found, OWN) if self.hides else found

    def _next(self, level: int, of: int, item: int, inner: _Names, *, seats: bool) -> int:
        """For each of a group; if they are seats, each of them acts."""
        inner[slot_name(item)] = of
        if not seats:
            return level
        for name in inner:
            inner[name] = turned(inner[name])
        return turned(level)

    def _plain(self, code: p.Code, level: int, names: _Names) -> None:
        if isinstance(code, p.Assign):
            names[slot_name(code.slot)] = self.level(code.value, names)
        elif isinstance(code, p.EachStart):
            names[slot_name(code.queue)] = self.level(code.of, names)
        elif isinstance(code, p.Call):
            self.spread.called(code, level, names)
        elif isinstance(code, p.Emit):
            self.spread.done(code, level, names)
        elif isinstance(code, p.Lasting):
            self._lasts(code, level, [names.get(slot_name(slot), NONE) for _, slot in code.locals])
        elif isinstance(code, p.Do):
            self._do(code, level, names)

    def _do(self, code: p.Do, level: int, names: _Names) -> None:
        spread, given = self.spread, dict(code.arguments)
        if code.origin is not None:
            spread.come_to(code.origin, level)
        slot, group = given.get("slot"), given.get("group")
        if isinstance(slot, m.SlotRef):
            spread.run(slot.slot, min(level, self.level(slot.object, names)))
        if isinstance(group, m.WordRef):
            spread.offered(group.name, level)
        shown = self._shown(code.verb, given, names)
        what, source = given.get("what"), given.get("source")
        known = ALL if what is None else self.level(what, names)
        if source is not None and what is not None and what.type.name == "thing":
            known = min(known, spread.seen.lying(source, "", names))
        if isinstance(what, m.Local):
            names[what.name] = max(names.get(what.name, NONE), shown)
            names[number_of(what.name)] = level  # how many are moved or seen all see
        if code.slot >= 0:
            names[slot_name(code.slot)] = max(shown, known)
            names[number_of(slot_name(code.slot))] = level

    def _shown(self, verb: str, given: dict[str, m.Expression], names: Known) -> int:
        """Who sees the objects that a verb is about, once it is done."""
        shows = FACTS[verb].shows
        if shows:
            return ALL if shows == "all" else OWN
        target, what = given.get("target"), given.get("what")
        if target is None:
            return NONE
        if isinstance(what, m.Local) and not what.type.many and self.spread.seen.sees_laid(target):
            return ALL
        return self.spread.seen.lying(target, "", names)

    def _lasts(self, code: p.Lasting, level: int, kept: list[int]) -> None:
        """Abilities begin to last: that is known to those who know what their names stand for."""
        spread, known = self.spread, min([level, *kept])
        own: _Names = {name: each for (name, _), each in zip(code.locals, kept, strict=True)}
        spread.come_to(code.origin, known)
        spread.ended(code.origin, spread.waits(code.event, "when", known, own))
        for clause, program in zip(code.clauses, code.programs, strict=True):
            told = {} if clause.event is None else spread.told(clause.event)
            names = {**own, **told}
            active = min(level, spread.seen.holds(clause.condition, names))
            if clause.modifier is not None:
                spread.modifies(clause.modifier, active, names)
            if clause.event is not None:
                active = spread.waits(clause.event, clause.window, active, names)
                if program is not None:
                    go_through(spread, program, active, [*kept, *told.values()])


def _asks_where(condition: m.Expression) -> str:
    """The slot of an object of which a condition asks only with whom or in which zone it lies, if it is one."""
    if isinstance(condition, m.Not):
        return _asks_where(condition.part)
    if isinstance(condition, m.Has) and isinstance(condition.group, m.ZoneRef):
        return condition.member.name if isinstance(condition.member, m.Local) else ""
    if isinstance(condition, m.Compare) and isinstance(condition.right, m.SeatRef):
        asked = condition.left
        if isinstance(asked, m.ValueRef) and asked.value == "holder" and isinstance(asked.arguments[0][1], m.Local):
            return asked.arguments[0][1].name
    return ""


def _merge(names: _Names, way: _Names) -> None:
    """Behind a way that may have been gone: what is known on both."""
    for name in [*names]:
        if name in way:
            names[name] = min(names[name], way[name])
        else:
            del names[name]
