"""Moves: every legal way to make one, as options of a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.legality import Legality
from dunerules.runtime.plans import Plan, make_plan
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.surroundings import Surroundings
from dunerules.runtime.values import used_values
from dunerules.understanding.ruleset import Move

__all__ = ["Moves"]

_YOU = ir.FramePart("you")
_MOVING = Surroundings(_YOU, _YOU, make.NOTHING, make.NOTHING, make.NOTHING)
"""Where a move is asked about: it is the acting seat's, and stands on nothing."""

_SEEN_BY_OTHERS = frozenset({"all", "others"})
"""Sights of zones in which nobody can hold anything that others do not see."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Moves that are offered together, with plans for every set of values that are modified at the moment.

    Plans are made when they are first needed. A move that cannot be made at all is in none.
    """

    moves: list[Move]
    values: tuple[str, ...]
    """What conditions of the moves ask for the acting seat that something may modify."""
    modified: Callable[[State, int], int]
    """Which of them something modifies now, as a sum."""
    plans: dict[int, Plan] = field(default_factory=dict)


class Moves:
    """The moves of a table by group."""

    def __init__(self, evaluator: Evaluator, legality: Legality, questions: Questions) -> None:
        self.evaluator = evaluator
        self.table = evaluator.table
        self.legality = legality
        self.questions = questions
        self.groups: dict[str, _Group] = {}
        self.by_name: dict[str, Move] = {}
        self._others = (1 << self.table.seats) - 1

    def build(self) -> None:
        """Prepare every group."""
        for name, moves in self.table.rules.moves.items():
            self.groups[name] = self._group(moves)
            self.by_name |= {move.name: move for move in moves}

    def _group(self, moves: list[Move]) -> _Group:
        values, modifiers = self.table.rules.values, self.evaluator.modifiers
        found = sorted(each for move in moves for node in self._asked(move) for each in used_values(node, values))
        nodes = [node for move in moves for node in self._asked(move)] + [values[name][1] for name, _ in found]
        elsewhere = {name for name, other_seat in found if other_seat} | modifiers.standing | self._about_others(nodes)
        names = dict.fromkeys(name for name, _ in found if modifiers.touches(name) and name not in elsewhere)
        return _Group(moves, tuple(names), modifiers.which(tuple(names)))

    def _about_others(self, nodes: list[Any]) -> set[str]:
        """Values that are asked about seats which need not be the acting one, where that makes a difference."""
        modifiers, found = self.evaluator.modifiers, set()
        for node in nodes:
            for each in walk(node):
                if isinstance(each, m.ValueRef) and each.value in modifiers.own:
                    about = modifiers.seat_position(each.value)
                    seat = each.arguments[about][1] if about >= 0 else None
                    if seat is not None and not (isinstance(seat, m.SeatRef) and seat.which == "you"):
                        found.add(each.value)
        return found

    def _asked(self, move: Move) -> list[Any]:
        """All that is asked to know whether a move can be made."""
        found: list[Any] = [group for _, group in move.takes]
        found += [move.condition] if move.condition is not None else []
        found += self.legality.programs.all[move.cost].code if move.cost >= 0 else ()
        return found

    def bluffing(self, group: str) -> Callable[[State, Frame], bool]:
        """Whether a seat holds things that others cannot see, where moves of a group pick from, so that it might have a
        move. Where earlier picks decide from which zone that is, nobody could tell."""
        words, evaluator = self.table.rules.words, self.evaluator
        zones = []
        for move in self.table.rules.moves.get(group, ()):
            for _, taken in move.takes:
                if isinstance(taken, m.Named) and isinstance(taken.zone, m.ZoneRef):
                    fitting = [part for name in taken.zone.zones for part in words.zone_parts(name)]
                    names = [
                        each.name
                        for each in fitting
                        if each.sight not in _SEEN_BY_OTHERS and (not each.holds or taken.kind in each.holds)
                    ]
                    if names and not any(isinstance(each, m.Local) for each in walk(taken.zone)):
                        zones.append(replace(taken.zone, zones=tuple(names)))
        held, core = ir.Function("holds unseen", self._holds_unseen, means=("holds unseen",)), evaluator.core
        found = ((core.build(each, _MOVING), core.zone_numbers(each, _MOVING)) for each in zones)
        tests = [make.all_of((make.anything(things), ir.Call(held, (_YOU, numbers)))) for things, numbers in found]
        return core.python.function(make.any_of(dict.fromkeys(tests)))

    def _holds_unseen(self, s: State, you: int, zones: Sequence[int]) -> bool:
        """Whether the acting seat holds something in these zones that somebody else cannot see."""
        for zone in zones:
            for thing in s.zones[zone]:
                if s.holders[thing] == you:
                    others = self._others ^ 1 << you if you >= 0 else 0
                    if s.known.get(thing, 0) & others != others:
                        return True
        return False

    def _plan(self, group: _Group, modified: int) -> Plan:
        quiet = frozenset(value for place, value in enumerate(group.values) if not modified >> place & 1)
        found = make_plan(self.legality, self.questions, group.moves, quiet)
        group.plans[modified] = found
        return found

    def listing(self, name: str) -> Callable[[State, Frame], list[Any]]:
        """Asks for every legal move of a group: `("move", name, picks ...)`. Where nobody acts there is none."""
        group = self.groups.get(name)
        if group is None:
            return lambda s, f: []
        modified, plans, new = group.modified, group.plans, self._plan

        def listing(s: State, f: Frame) -> list[Any]:
            you = f.you
            if you < 0:
                return []
            if f.owner != you or f.this >= 0 or f.here >= 0:
                f = Frame(-1, you, you, -1, -1, [])
            now = modified(s, you)
            return (plans[now] if now in plans else new(group, now))(s, f)

        return listing
