"""Openness: of which places in programs everybody may know that they were come to, and what names stand for there.

The log tells verbs of packs and lasting effects. Which of them is done may depend on what a seat cannot see, and then
it must not be told even where its outcome is seen. Whoever follows a game sees step by step what is done; what they do
not see is why. So a branch is known as well as its condition, a loop as well as what it goes through, and what they
call, run, offer or set off no better. All programs are gone through until nothing new is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.types import ZONE
from dunerules.understanding.flow import go_through
from dunerules.understanding.ruleset import Ability, Move, Ruleset
from dunerules.understanding.seen import ALL, NONE, OWN, turned
from dunerules.understanding.spread import Spread

__all__ = ["Openness", "openness_of"]


@dataclass(frozen=True)
class Openness:
    """By origin: who may know that it was come to, and for what lasts also what its names stand for."""

    origins: dict[p.Origin, int]
    ends: dict[p.Origin, int]
    """By origin of what lasts: who may know that it ends."""
    contests: frozenset[str]
    """Contests of which everybody may know at any time who takes part and how seats compare."""

    def told(self, origin: p.Origin, seat: int, actor: int) -> bool:
        """Whether a seat may be told of an origin that a seat has come to; -1 is nobody in particular."""
        return _tells(self.origins.get(origin, NONE), seat, actor)

    def told_end(self, origin: p.Origin, seat: int, actor: int) -> bool:
        """Whether a seat may be told that what began at an origin has ended."""
        return _tells(self.ends.get(origin, NONE), seat, actor)


def _tells(level: int, seat: int, actor: int) -> bool:
    return level == ALL or (level == OWN and seat == actor >= 0)


def openness_of(rules: Ruleset) -> Openness:
    """How open the origins in all programs are."""
    search, before = _Search(rules), None
    while search.spread.facts != before:
        before = dict(search.spread.facts)
        search.all()
    return Openness(search.spread.origins, search.spread.ends, frozenset(search.contests()))


class _Search:
    """Goes through the programs of a game."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.spread = Spread(rules)

    def all(self) -> None:
        """Go through everything once."""
        rules, known = self.rules, self.spread.known
        self.spread.again()
        for number in (*rules.setups, rules.flow, rules.end[2] if rules.end is not None else -1):
            self._program(number, ALL)
        for name, (parameters, number) in rules.procedures.items():
            self._program(number, known("procedure", name), [known("given", name, each) for each in parameters])
        for counter, rows in rules.thresholds.items():
            level = NONE if rules.words.counters[counter].hidden else ALL
            kinds = rules.words.told_of(rules.words.counters[counter]).values()
            given = [NONE if kind.name == "thing" else ALL for kind in kinds]  # it may lie where nobody sees it
            for number in (number for _, *numbers in rows for number in numbers if number >= 0):
                self._program(number, level, given)
        for thing in rules.things:
            for slot, number in thing.slots.items():
                self._program(number, known("slot", slot))
        for group, moves in rules.moves.items():
            for move in moves:
                self._move(move, known("group", group))
        for ability in rules.abilities:
            self._ability(ability)

    def contests(self) -> Iterator[str]:
        """Those that compare what everybody sees."""
        seen = self.spread.seen
        for name, (compared, among) in self.rules.contests.items():
            if min(turned(seen.level(compared, {})), turned(seen.holds(among, {}))) == ALL:
                yield name

    def _program(self, number: int, level: int, given: Sequence[int] = ()) -> Sequence[int]:
        return go_through(self.spread, self.rules.programs[number], level, given) if number >= 0 else given

    def _move(self, move: Move, level: int) -> None:
        """A move that is made all see, and what is picked for it, but for objects that they do not see then either and
        for what is written down in secret."""
        spread, names = self.spread, dict[str, int]()
        for name, group in move.takes:
            names[name] = spread.seen.level(group, names) if group.type.name == "thing" else ALL
        programs = [self.rules.programs[number] for number in (move.cost, move.do) if number >= 0]
        most = OWN if any(map(spread.writes_hidden, programs)) else ALL
        given: Sequence[int] = [min(each, most) for each in names.values()]
        spread.quiet = True
        given = self._program(move.do, level, given)
        spread.quiet = False
        self._program(move.cost, level, given)
        self._program(move.do, level, given)

    def _ability(self, ability: Ability) -> None:
        spread, event, modifier = self.spread, ability.event, ability.modifier
        there = spread.seen.level(m.ZoneRef(ability.active, None, ZONE), {}) if ability.active else ALL
        names = {} if event is None else spread.told(event)
        level = spread.seen.holds(ability.condition, names)
        if modifier is not None:
            own = any(_is_this(value) for _, value in modifier.value.arguments)
            # of its own object a value is only asked by those who know it
            spread.modifies(modifier, level if own else min(level, there), names)
        if event is not None:
            level = spread.waits(event, ability.window, min(level, there), names)
            self._program(ability.program, level, list(names.values()))


def _is_this(node: m.Expression) -> bool:
    return isinstance(node, m.Special) and node.which == "this"
