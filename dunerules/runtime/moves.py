"""Moves: every legal way to make one, as options of a decision.

Conditions are tested as early as their picks are known: what depends on one pick alone is asked once for each thing it
could be, not once for every combination, and what two picks have to do with each other by data that never changes is
found out once and for all. How a condition depends on picks changes with what modifies it: values that nothing
modifies at the moment are written out first. So a move has a plan for every set of values that are modified at the
moment, made when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.inline import asked_values, is_never, written_out
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Moves"]

_FIXED = frozenset({"place", "label"})
"""Types whose members are the same all through a game."""


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Candidates that never change, and what data that never changes says about them and an earlier pick."""

    candidates: tuple[int, ...]
    other: int
    """The earlier pick, or -1."""
    objects: list[int] | None
    """What an object is a copy of, if the earlier pick is one: copies have the same data."""
    tests: tuple[Asked, ...]
    known: dict[int, tuple[int, ...]]
    """By what the earlier pick is a copy of: the candidates that go with it."""


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move: its candidates, whether they depend on earlier picks, and the tests that can be made then."""

    group: Asked
    depends: bool
    things: bool
    fixed: _Fixed | None
    alone: tuple[Asked, ...]
    pays: bool
    """Whether the cost depends on this pick alone, so that it is asked once for each candidate."""
    together: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to list a move: what must hold anyway, its picks, and whether its cost must be asked at the end."""

    always: tuple[Asked, ...]
    picks: tuple[_Pick, ...]
    pays: bool


@dataclass(frozen=True, slots=True)
class _Compiled:
    move: Move
    slots: tuple[int, ...]
    """What the slots of a frame are before anything is picked."""
    modified: tuple[tuple[str, Callable[[State, int], bool]], ...]
    """Values its conditions ask that something may modify, each with whether something does."""
    plans: dict[tuple[str, ...], _Plan | None] = field(default_factory=dict)
    """By the values that are modified; nothing if the move cannot be made then."""


class Moves:
    """The moves of a table by group."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.groups: dict[str, list[_Compiled]] = {}
        self.by_name: dict[str, Move] = {}

    def build(self) -> None:
        """Prepare every move."""
        for group, moves in self.machine.table.rules.moves.items():
            self.groups[group] = [self._compiled(move) for move in moves]
            self.by_name |= {move.name: move for move in moves}

    def _compiled(self, move: Move) -> _Compiled:
        values, modifiers = self.machine.table.rules.values, self.machine.evaluator.modifiers
        asked = [group for _, group in move.takes] + ([move.condition] if move.condition is not None else [])
        found = {name: None for node in asked for name, elsewhere in asked_values(node, values) if not elsewhere}
        names = [name for name in found if modifiers.touches(name)]
        slots = [-1] * (len(move.takes) or 1)
        if move.cost >= 0:
            slots += [0] * (self.machine.programs[move.cost].slots - len(slots))
        return _Compiled(move, tuple(slots), tuple((name, modifiers.active(name)) for name in names))

    # ---- plans

    def _plan(self, compiled: _Compiled, modified: tuple[str, ...]) -> _Plan | None:
        move, names = compiled.move, tuple(name for name, _ in compiled.move.takes)
        values, modifiers = self.machine.table.rules.values, self.machine.evaluator.modifiers
        quiet = {name for name, _ in compiled.modified if name not in modified} - modifiers.standing

        def kept(name: str) -> bool:
            return modifiers.touches(name) and name not in quiet

        condition = written_out(move.condition or m.Always(), values, kept)
        groups = [written_out(group, values, kept) for _, group in move.takes]
        if is_never(condition) or any(isinstance(group, m.Named) and is_never(group.where) for group in groups):
            return None
        tests = [(numbered(part, names), _used(part, names)) for part in _parts(condition)]
        cost = self._cost_uses(move.cost)
        picks = tuple(
            self._pick(number, numbered(group, names), bool(_used(group, names)), tests, cost)
            for number, group in enumerate(groups)
        )
        compile_ = self.machine.evaluator.compile
        always = tuple(compile_(test) for test, used in tests if not used)
        return _Plan(always, picks, move.cost >= 0 and len(cost) != 1)

    def _pick(
        self, number: int, group: m.Expression, depends: bool, tests: list[tuple[Any, set[int]]], cost: set[int]
    ) -> _Pick:
        compile_ = self.machine.evaluator.compile
        alone = tuple(compile_(test) for test, used in tests if used == {number})
        together = [(test, used) for test, used in tests if len(used) > 1 and max(used) == number]
        fixed = None
        if isinstance(group, m.Named) and group.zone is None and group.where is None and group.type.name in _FIXED:
            unchanging = [
                (test, used) for test, used in together if len(used) == 2 and _unchanging(test, self._has_data)
            ]
            other = min(unchanging[0][1]) if unchanging else -1
            same = [test for test, used in unchanging if other in used]
            together = [(test, used) for test, used in together if test not in same]
            fixed = self._fixed(group, other, same)
        last = tuple(compile_(test) for test, _ in together)
        return _Pick(compile_(group), depends, group.type.name == "thing", fixed, alone, cost == {number}, last)

    def _fixed(self, group: m.Named, other: int, tests: list[m.Expression]) -> _Fixed:
        of_thing = any(
            isinstance(each, m.Local) and each.name == f"#{other}" and each.type.name == "thing"
            for test in tests
            for each in walk(test)
        )
        objects = self.machine.table.layout.objects if of_thing else None
        compiled = tuple(self.machine.evaluator.compile(test) for test in tests)
        return _Fixed(self.machine.table.members(group.kind), other, objects, compiled, {})

    def _has_data(self, field_: str) -> bool:
        return field_ in self.machine.table.fields

    def _cost_uses(self, program: int) -> set[int]:
        if program < 0:
            return set()
        code = self.machine.programs[program].code
        names = {each.name for part in code for each in walk(part) if isinstance(each, m.Local)}
        parameters = len(self.machine.programs[program].parameters)
        return {int(name[1:]) for name in names if int(name[1:]) < parameters}

    # ---- listing

    def legal(self, s: State, f: Frame, group: str) -> list[Any]:
        """Every legal move of a group: `("move", name, picks ...)`."""
        found: list[Any] = []
        for move in self.groups.get(group, ()):
            modified = tuple([name for name, active in move.modified if active(s, f.you)])
            if modified not in move.plans:
                move.plans[modified] = self._plan(move, modified)
            plan = move.plans[modified]
            if plan is not None:
                _Listing(self.machine, s, f, move, plan, found).list()
        return found


class _Listing:
    """The listing of one move."""

    __slots__ = ("candidates", "found", "frame", "machine", "move", "plan", "s")

    def __init__(self, machine: Machine, s: State, f: Frame, move: _Compiled, plan: _Plan, found: list[Any]) -> None:
        self.machine = machine
        self.s = s
        self.frame = Frame(-1, f.you, f.owner, -1, -1, list(move.slots))
        self.move = move
        self.plan = plan
        self.found = found
        self.candidates: list[Any] = []
        """By pick: what it can be as far as it alone tells; of fixed candidates, whether they can, where it was asked."""

    def list(self) -> None:
        """Add every legal combination of picks."""
        s, frame = self.s, self.frame
        for test in self.plan.always:
            if not test(s, frame, -1):
                return
        groups: list[Any] = []
        for pick in self.plan.picks:
            group = () if pick.depends or pick.fixed is not None else pick.group(s, frame, -1)
            if not group and not pick.depends and pick.fixed is None:
                return
            groups.append(group)
        for number, pick in enumerate(self.plan.picks):
            if pick.fixed is not None:
                self.candidates.append({})
            elif pick.depends:
                self.candidates.append(None)
            else:
                self.candidates.append(self._able(number, pick, groups[number]))
        self._combine(0)

    def _able(self, number: int, pick: _Pick, group: Any) -> Any:
        if pick.things:
            group = self.machine.distinct(group)
        if not pick.alone and not pick.pays:
            return group
        return [thing for thing in group if self._can(number, pick, thing)]

    def _can(self, number: int, pick: _Pick, thing: int) -> bool:
        """Whether something can be picked as far as this pick alone tells."""
        self.frame.slots[number] = thing
        for test in pick.alone:
            if not test(self.s, self.frame, -1):
                return False
        return not pick.pays or self._payable()

    def _payable(self) -> bool:
        return self.machine.legality.program_affordable(self.s, self.frame, self.move.move.cost, {})

    def _combine(self, number: int) -> None:
        frame, plan = self.frame, self.plan
        if number == len(plan.picks):
            if not plan.pays or self._payable():
                self.found.append(("move", self.move.move.name, *frame.slots[: len(plan.picks)]))
            return
        pick = plan.picks[number]
        for thing in self._candidates(number, pick):
            frame.slots[number] = thing
            for test in pick.together:
                if not test(self.s, frame, -1):
                    break
            else:
                self._combine(number + 1)

    def _candidates(self, number: int, pick: _Pick) -> Any:
        if pick.fixed is None:
            if pick.depends:
                return self._able(number, pick, pick.group(self.s, self.frame, -1))
            return self.candidates[number]
        able = self.candidates[number]
        found = []
        for thing in self._related(number, pick.fixed):
            can = able.get(thing)
            if can is None:
                can = able[thing] = self._can(number, pick, thing)
            if can:
                found.append(thing)
        return found

    def _related(self, number: int, fixed: _Fixed) -> tuple[int, ...]:
        """Fixed candidates that go with the earlier pick; found out once for each thing that can be."""
        if fixed.other < 0:
            return fixed.candidates
        slots = self.frame.slots
        other = slots[fixed.other] if fixed.objects is None else fixed.objects[slots[fixed.other]]
        known = fixed.known.get(other)
        if known is None:
            fitting = []
            for thing in fixed.candidates:
                slots[number] = thing
                if all(test(self.s, self.frame, -1) for test in fixed.tests):
                    fitting.append(thing)
            known = fixed.known[other] = tuple(fitting)
        return known


def _parts(condition: m.Expression) -> tuple[m.Expression, ...]:
    if isinstance(condition, m.Always):
        return ()
    return condition.parts if isinstance(condition, m.All) else (condition,)


def _used(node: m.Expression, names: tuple[str, ...]) -> set[int]:
    """Which picks an expression mentions."""
    return {names.index(each.name) for each in walk(node) if isinstance(each, m.Local) and each.name in names}


def _unchanging(node: Any, has_data: Callable[[str], bool]) -> bool:
    """Whether a condition is about nothing but the data of picks."""
    if isinstance(node, m.FieldRef):
        return has_data(node.field) and isinstance(node.object, m.Local)
    if not isinstance(node, (m.Has, m.Compare, m.Not, m.All, m.Any, m.Constant, m.ObjectRef)):
        return False
    return all(_unchanging(part, has_data) for part in parts(node))
