"""Plans: how the legal ways to make a move are listed, compiled to closures.

Conditions are tested as early as their picks are known: what depends on one pick alone is asked once for each thing it
could be, not once for every combination, and what two picks have to do with each other by data that never changes is
found out once and for all. How a condition depends on picks changes with what modifies it: values that nothing
modifies at the moment are written out first, so a plan is good for one set of modified values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.lower import rewrite, slot_name, slot_number
from dunerules.dsl.program import Code
from dunerules.dsl.types import one
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.inline import is_never, written_out
from dunerules.runtime.legality import FREE, Test
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Plan", "make_plan"]

Plan: TypeAlias = Callable[[State, Frame, list[Any]], None]
"""Adds every legal way to make a move, asked in the frame of whoever offers it. Of that frame it takes nothing but the
acting seat; it has a frame of its own as soon as there is something to pick from."""

_Level: TypeAlias = Callable[[State, Frame, list[Any], list[Any]], None]
"""Goes through the candidates of one pick, given those before it. The first list has what is known of the candidates
of every pick, the second is what was found."""

_FIXED = frozenset({"place", "label"})
"""Types whose members are the same all through a game."""


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move, and the conditions that can be tested once it is made."""

    number: int
    group: m.Expression
    depends: bool
    """Whether the group depends on earlier picks."""
    pays: bool
    """Whether the cost depends on this pick alone."""
    alone: tuple[m.Expression, ...]
    """Conditions about this pick alone."""
    together: tuple[tuple[m.Expression, set[int]], ...]
    """Conditions about this pick and earlier ones, each with all its picks."""


def make_plan(machine: Machine, move: Move, kept: Callable[[str], bool]) -> Plan | None:
    """The plan of a move with all values written out but those to be kept; nothing if it can never be made so."""
    values, names = machine.table.rules.values, tuple(name for name, _ in move.takes)
    fact = machine.evaluator.fact
    condition = written_out(move.condition or m.Always(), values, kept, fact)
    groups = [written_out(group, values, kept, fact) for _, group in move.takes]
    if is_never(condition) or any(isinstance(group, m.Named) and is_never(group.where) for group in groups):
        return None
    code = machine.programs[move.cost].code if move.cost >= 0 else ()
    cost = tuple(written_out(each, values, kept, fact) for each in code)
    return _Planner(machine, move, names, cost).plan(condition, groups)


class _Planner:
    """Compiles one plan."""

    def __init__(self, machine: Machine, move: Move, names: tuple[str, ...], cost: tuple[Code, ...]) -> None:
        self.machine = machine
        self.table = machine.table
        self.compile = machine.evaluator.compile
        self.move = move
        self.names = names
        self.cost = cost
        self.cost_uses = self._cost_uses()

    def plan(self, condition: m.Expression, groups: list[m.Expression]) -> Plan:
        """The whole plan: what must hold anyway, then the picks in order."""
        tests = [(numbered(part, self.names), self._used(part)) for part in _parts(condition)]
        always = [self.compile(test) for test, used in tests if not used]
        picks = [self._pick(number, group, tests) for number, group in enumerate(groups)]
        slots = [-1] * (len(picks) or 1)
        if self.move.cost >= 0:
            slots += [0] * (self.machine.programs[self.move.cost].slots - len(slots))
        anywhere = not any(map(self._looks_around, (condition, *groups)))
        if len(picks) == 1 and self._is_last(picks[0], picks):
            return self._single(always, picks[0], slots, anywhere)
        level, unknown = self._levels(picks), [None] * len(picks)
        free = [pick for pick in picks if not pick.depends and not self._is_fixed(pick)]
        members = [(pick.number, self._members(pick)[0]) for pick in free]
        narrow = [(pick.number, self._members(pick)[1]) for pick in free]

        def plan(s: State, f: Frame, found: list[Any]) -> None:
            f = f if anywhere else _bare(f)
            for test in always:
                if not test(s, f, -1):
                    return
            known: list[Any] = unknown[:]
            for number, asked in members:
                known[number] = candidates = asked(s, f, -1)
                if not candidates:
                    return
            frame = Frame(-1, f.you, f.owner, -1, -1, slots[:])
            for number, narrowed in narrow:
                known[number] = narrowed(s, frame, known[number])
            level(s, frame, known, found)

        return plan

    def _looks_around(self, node: m.Expression) -> bool:
        """Whether something asks what it stands on. A move stands on nothing, wherever it is offered."""
        special = any(isinstance(each, m.Special) and each.which != "it" for each in walk(node))
        return special or self.machine.evaluator.needs_place(node)

    def _single(self, always: list[Asked], pick: _Pick, slots: list[int], anywhere: bool) -> Plan:
        """The plan of a move with one pick, as most moves are: nothing is combined."""
        name, (members, narrowed) = self.move.name, self._members(pick)

        def single(s: State, f: Frame, found: list[Any]) -> None:
            f = f if anywhere else _bare(f)
            for test in always:
                if not test(s, f, -1):
                    return
            candidates = members(s, f, -1)
            if candidates:
                for thing in narrowed(s, Frame(-1, f.you, f.owner, -1, -1, slots[:]), candidates):
                    found.append(("move", name, thing))

        return single

    def _pick(self, number: int, group: m.Expression, tests: list[tuple[Any, set[int]]]) -> _Pick:
        alone = tuple(test for test, used in tests if used == {number})
        together = tuple((test, used) for test, used in tests if len(used) > 1 and max(used) == number)
        pays, depends = self.cost_uses == {number}, bool(self._used(group))
        return _Pick(number, numbered(group, self.names), depends, pays, alone, together)

    def _used(self, node: m.Expression) -> set[int]:
        """Which picks an expression mentions."""
        locals_ = {each.name for each in walk(node) if isinstance(each, m.Local)}
        return {number for number, name in enumerate(self.names) if name in locals_}

    # ---- the cost

    def _cost_uses(self) -> set[int]:
        if self.move.cost < 0:
            return set()
        program = self.machine.programs[self.move.cost]
        slots = {slot_number(each) for part in program.code for each in walk(part) if isinstance(each, m.Local)}
        return {number for number in slots if number < len(program.parameters)}

    def _payable(self) -> Asked:
        return _asked(self.machine.legality.code(self.cost) or self.machine.legality.program(self.move.cost))

    # ---- levels

    def _levels(self, picks: list[_Pick]) -> _Level:
        level = self._end()
        for pick in reversed(picks):
            if self._is_fixed(pick):
                last = pick is picks[-2] and self._is_last(picks[-1], picks) if len(picks) > 1 else False
                level = self._fixed_level(pick, level, last=last)
            elif self._is_last(pick, picks):
                level = self._last_level(pick)
            else:
                level = self._level(pick, level)
        return level

    def _is_last(self, pick: _Pick, picks: list[_Pick]) -> bool:
        """Whether nothing is left to test once the candidates of a pick are known."""
        tested = pick.depends or pick.together or self._pays_last() or self._is_fixed(pick)
        return pick is picks[-1] and not tested

    def _pays_last(self) -> bool:
        return self.move.cost >= 0 and len(self.cost_uses) != 1

    def _end(self) -> _Level:
        name, count = self.move.name, len(self.names)
        payable = self._payable() if self._pays_last() else None

        def end(s: State, f: Frame, known: list[Any], found: list[Any]) -> None:
            if payable is None or payable(s, f, -1):
                found.append(("move", name, *f.slots[:count]))

        return end

    def _last_level(self, pick: _Pick) -> _Level:
        """The last pick, when nothing is left to test."""
        name, number = self.move.name, pick.number

        def last(s: State, f: Frame, known: list[Any], found: list[Any]) -> None:
            before = f.slots[:number]
            for thing in known[number]:
                found.append(("move", name, *before, thing))

        return last

    def _level(self, pick: _Pick, following: _Level) -> _Level:
        members, narrowed = self._members(pick)
        number, tests, depends = pick.number, [self.compile(test) for test, _ in pick.together], pick.depends

        def level(s: State, f: Frame, known: list[Any], found: list[Any]) -> None:
            for thing in narrowed(s, f, members(s, f, -1)) if depends else known[number]:
                f.slots[number] = thing
                for test in tests:
                    if not test(s, f, -1):
                        break
                else:
                    following(s, f, known, found)

        return level

    def _members(self, pick: _Pick) -> tuple[Asked, Callable[[State, Frame, Any], Any]]:
        """The group of a pick, and how it is narrowed by what this pick alone tells; of equal things one is enough."""
        group, number, distinct = pick.group, pick.number, self.machine.distinct
        alone = [self.compile(test) for test in pick.alone] + ([self._payable()] if pick.pays else [])
        things, alike = group.type.name == "thing", None
        if isinstance(group, m.Named) and group.where is not None and things and self._is_data(group.where):
            # what is so of one is so of its like, so it is asked of one only
            alike = self.machine.evaluator.passing(group.where)
            group = replace(group, where=None)

        def narrowed(s: State, f: Frame, candidates: Any) -> Any:
            if things:
                candidates = distinct(candidates)
            if alike is not None:
                candidates = alike(s, f, candidates)
            for test in alone:
                found = []
                for thing in candidates:
                    f.slots[number] = thing
                    if test(s, f, -1):
                        found.append(thing)
                candidates = found
            return candidates

        return self.compile(group), narrowed

    def _is_data(self, node: Any) -> bool:
        """Whether a filter looks at nothing of a candidate but its data, which equal things share."""
        if isinstance(node, m.FieldRef) and node.field in self.table.fields:
            return _is_it(node.object) or self._is_data(node.object)
        if _is_it(node) or isinstance(node, (m.ValueRef, m.FieldRef, m.Named, m.SeatRef)):
            return False
        return all(self._is_data(part) for part in parts(node))

    # ---- candidates that never change

    def _is_fixed(self, pick: _Pick) -> bool:
        group = pick.group
        return isinstance(group, m.Named) and group.zone is group.where is None and group.type.name in _FIXED

    def _fixed_level(self, pick: _Pick, following: _Level, *, last: bool) -> _Level:
        """Only those that go with an earlier pick are looked at, and each is tested when it is first met.

        `last` says that only the last pick follows, of which all candidates are known to do.
        """
        related, rest = self._related(pick)
        name, number, tests = self.move.name, pick.number, [self.compile(test) for test in rest]
        able = self._able(pick)

        def level(s: State, f: Frame, known: list[Any], found: list[Any]) -> None:
            for thing in able(s, f, known, related(s, f)):
                f.slots[number] = thing
                for test in tests:
                    if not test(s, f, -1):
                        break
                else:
                    following(s, f, known, found)

        def level_before_last(s: State, f: Frame, known: list[Any], found: list[Any]) -> None:
            before, candidates = ("move", name, *f.slots[:number]), known[number + 1]
            for thing in able(s, f, known, related(s, f)):
                for candidate in candidates:
                    found.append((*before, thing, candidate))

        return level_before_last if last and not tests else level

    def _able(self, pick: _Pick) -> Callable[[State, Frame, list[Any], tuple[int, ...]], list[int]]:
        """Those of some fixed candidates that pass the tests of their own; what was found out of one is kept."""
        assert isinstance(pick.group, m.Named)
        number, alone = pick.number, {thing: self._alone(pick, thing) for thing in self.table.members(pick.group.kind)}

        def able(s: State, f: Frame, known: list[Any], things: tuple[int, ...]) -> list[int]:
            passed, found = known[number], []
            if passed is None:
                passed = known[number] = {}
            for thing in things:
                passes = passed.get(thing)
                if passes is None:
                    f.slots[number] = thing
                    passes = True
                    for test in alone[thing]:
                        if not test(s, f, -1):
                            passes = False
                            break
                    passed[thing] = passes
                if passes:
                    found.append(thing)
            return found

        return able

    def _alone(self, pick: _Pick, thing: int) -> list[Asked]:
        """The tests of one fixed candidate: it stands in them by name, so that much of them is settled beforehand."""
        assert isinstance(pick.group, m.Named)
        family = self.table.rules.words.families.get(pick.group.kind)
        name = family[thing] if family is not None else self.table.layout.things[thing].id
        given: dict[str, m.Expression] = {
            slot_name(pick.number): m.ObjectRef(pick.group.kind, name, one(pick.group.type))
        }
        nodes = [rewrite(test, given) for test in pick.alone]
        tests = [self.compile(node) for node in nodes if not self._is_missing(node)]
        if pick.pays:
            payable = self.machine.legality.code(rewrite(self.cost, given))
            if payable is None:
                tests.append(self._payable())
            elif payable is not FREE:
                tests.append(_asked(payable))
        return tests

    def _is_missing(self, node: m.Expression) -> bool:
        """Whether a condition is one that a candidate might have, but has not."""
        if (
            not isinstance(node, m.FieldRef)
            or node.field in self.table.fields
            or not isinstance(node.object, m.ObjectRef)
        ):
            return False
        return self.table.label(node.object.kind, node.object.id) not in self.table.asked.get(node.field, {})

    def _related(self, pick: _Pick) -> tuple[Callable[[State, Frame], tuple[int, ...]], list[m.Expression]]:
        """The candidates that go with an earlier pick by unchanging data, and the conditions that are left to test.

        Copies of a thing have the same data, so what goes with one is found out once for all of them.
        """
        assert isinstance(pick.group, m.Named)
        candidates, number = self.table.members(pick.group.kind), pick.number
        unchanging = [(test, used) for test, used in pick.together if len(used) == 2 and self._unchanging(test)]
        other = min(unchanging[0][1]) if unchanging else -1
        fixed = [test for test, used in unchanging if other in used]
        rest = [test for test, _ in pick.together if test not in fixed]
        if not fixed:
            return (lambda s, f: candidates), rest
        tests = [self.compile(test) for test in fixed]
        kinds = {each.type.name for each in walk(fixed[0]) if _is_slot(each, other)}
        objects = self.table.layout.objects if kinds == {"thing"} else None
        known: dict[int, tuple[int, ...]] = {}

        def related(s: State, f: Frame) -> tuple[int, ...]:
            thing = f.slots[other] if objects is None else objects[f.slots[other]]
            found = known.get(thing)
            if found is None:
                fitting = []
                for candidate in candidates:
                    f.slots[number] = candidate
                    if all(test(s, f, -1) for test in tests):
                        fitting.append(candidate)
                found = known[thing] = tuple(fitting)
            return found

        return related, rest

    def _unchanging(self, node: Any) -> bool:
        """Whether a condition is about nothing but the data of picks."""
        if isinstance(node, m.FieldRef):
            return node.field in self.table.fields and isinstance(node.object, m.Local)
        if not isinstance(node, (m.Has, m.Compare, m.Not, m.All, m.Any, m.Constant, m.ObjectRef)):
            return False
        return all(self._unchanging(part) for part in parts(node))


def _parts(condition: m.Expression) -> tuple[m.Expression, ...]:
    if isinstance(condition, m.Always):
        return ()
    return condition.parts if isinstance(condition, m.All) else (condition,)


def _is_slot(node: Any, number: int) -> bool:
    return isinstance(node, m.Local) and node.name == slot_name(number)


def _is_it(node: Any) -> bool:
    return isinstance(node, m.Special) and node.which == "it"


def _asked(payable: Test) -> Asked:
    return lambda s, f, it: payable(s, f, {})


def _bare(f: Frame) -> Frame:
    """A frame of the same seat that stands on nothing."""
    return Frame(-1, f.you, f.owner, -1, -1, [])
