"""Plans: how the legal ways to make a move are listed, written as Python and compiled.

A plan adds every legal way to make a move to `options`, asked in a frame that is the acting seat's and stands on
nothing; those of moves that are offered together are one function. It is a loop for every pick, with the conditions as
early as their picks are known. What depends on one pick alone is asked once for each thing it could be, not once for
every combination, and what two picks have to do with each other by data that never changes is found out once and for
all. How a condition depends on picks changes with what modifies it: values that nothing modifies at the moment are
written out first, so a plan is good for one set of modified values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.program import Code
from dunerules.dsl.slots import rewrite, slot_name, slot_number
from dunerules.dsl.types import Type, one
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.groups import is_it
from dunerules.runtime.inline import is_never, written_out
from dunerules.runtime.limits import LOOKS, OPTIONS, beyond
from dunerules.runtime.ruleset import Move
from dunerules.runtime.source import pick_name
from dunerules.runtime.state import Frame, State

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Plan", "make_plan", "plan_lines"]

Plan: TypeAlias = Callable[[State, Frame], list[Any]]
"""Every legal way to make some moves."""

_FEW = 50_000
"""Ways to make all picks of a move that are looked at in no time: they are not counted."""

_FIXED = frozenset({"place", "label"})
"""Types whose members are the same all through a game."""


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move, and the conditions that can be tested once it is made. In Python it is called `p0`, `p1` ...,
    its candidates are `c0`, `c1` ..."""

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

    @property
    def is_fixed(self) -> bool:
        """Whether its candidates never change."""
        group = self.group
        return isinstance(group, m.Named) and group.zone is group.where is None and group.type.name in _FIXED

    @property
    def is_free(self) -> bool:
        """Whether its candidates are the same whatever was picked before."""
        return not self.depends and not self.is_fixed


def make_plan(machine: Machine, moves: Iterable[Move], kept: Callable[[str], bool]) -> Plan:
    """The plans of several moves as one function."""
    lines = [line for move in moves for line in plan_lines(machine, move, kept)]
    define = machine.evaluator.source.define
    return define("it, options = -1, []", *lines, "return options", takes="s, f")


def plan_lines(machine: Machine, move: Move, kept: Callable[[str], bool]) -> list[str]:
    """The plan of a move with all values written out but those to be kept; nothing if it can never be made so."""
    values, fact = machine.table.rules.values, machine.evaluator.fact
    condition = written_out(move.condition or m.Always(), values, kept, fact)
    groups = [written_out(group, values, kept, fact) for _, group in move.takes]
    if is_never(condition) or any(isinstance(group, m.Named) and is_never(group.where) for group in groups):
        return []
    code = machine.programs[move.cost].code if move.cost >= 0 else ()
    cost = tuple(written_out(each, values, kept, fact) for each in code)
    return _Planner(machine, move, cost).plan(condition, groups)


class _Planner:
    """Writes one plan."""

    def __init__(self, machine: Machine, move: Move, cost: tuple[Code, ...]) -> None:
        self.machine = machine
        self.table = machine.table
        self.text = machine.evaluator.text
        self._group = machine.evaluator.group
        self.source = machine.evaluator.source
        self.move = move
        self.names = [name for name, _ in move.takes]
        self.picks = [f"p{number}" for number in range(len(self.names))]
        self.counting = True
        """Whether there may be so many ways to make all picks that they are counted."""
        self.cost_uses = self._cost_uses()
        self.cost = rewrite(cost, self._as_picks(map(slot_name, range(len(self.names)))))

    def plan(self, condition: m.Expression, groups: list[m.Expression]) -> list[str]:
        """The whole plan: what must hold anyway, then the picks in order."""
        tests = [(self._with_picks(part), self._used(part)) for part in _parts(condition)]
        picks = [self._pick(number, group, tests) for number, group in enumerate(groups)]
        always = [self.text(test) for test, used in tests if not used]
        if not self.cost_uses:
            always += self._payable(self.cost, self.picks)
        self.counting = prod(self.machine.evaluator.most(pick.group.type) for pick in picks) > _FEW
        lines = ["looks = s.looks"] if self.counting else []
        lines += [f"if {test}:" for test in always]
        for pick in picks:
            lines += self._candidates(pick)
        for pick in picks[1:]:
            lines += self._narrowed(pick)
        loops = [line for pick in picks for line in self._loop(pick)]
        option = ", ".join((repr("move"), repr(self.move.name), *self.picks))
        listed = _nested([*loops, f"options.append(({option}))"])
        return _nested(lines, [*listed, *(["if looks > s.looks: s.looks = looks"] if self.counting else [])])

    # ---- picks

    def _pick(self, number: int, group: m.Expression, tests: list[tuple[Any, set[int]]]) -> _Pick:
        alone = tuple(test for test, used in tests if used == {number})
        together = tuple((test, used) for test, used in tests if len(used) > 1 and max(used) == number)
        pays, depends = self.cost_uses == {number}, bool(self._used(group))
        return _Pick(number, self._with_picks(group), depends, pays, alone, together)

    def _used(self, node: m.Expression) -> set[int]:
        """Which picks an expression mentions."""
        locals_ = {each.name for each in walk(node) if isinstance(each, m.Local)}
        return {number for number, name in enumerate(self.names) if name in locals_}

    def _with_picks(self, node: m.Expression) -> Any:
        return rewrite(node, self._as_picks(self.names))

    def _as_picks(self, names: Any) -> dict[str, m.Expression]:
        return {name: m.Local(pick_name(number), Type("unknown")) for number, name in enumerate(names)}

    # ---- the cost

    def _cost_uses(self) -> set[int]:
        if self.move.cost < 0:
            return set()
        program = self.machine.programs[self.move.cost]
        slots = {slot_number(each) for part in program.code for each in walk(part) if isinstance(each, m.Local)}
        return {number for number in slots if number < len(program.parameters)}

    def _payable(self, cost: tuple[Code, ...], picks: list[str]) -> list[str]:
        """Whether the cost can be paid: one test, or none. `picks` are what the slots of its frame hold; those it does
        not use may not be made yet."""
        if self.move.cost < 0:
            return []
        text = self.machine.legality.text(cost)
        if text is not None:
            return [text] if text != "True" else []
        slots = [pick if number in self.cost_uses else "-1" for number, pick in enumerate(picks)]
        slots += ["0"] * (self.machine.programs[self.move.cost].slots - len(picks))
        test = self.source.name(self.machine.legality.program(self.move.cost))
        return [f"{test}(s, Frame(-1, f.you, f.you, -1, -1, [{', '.join(slots)}]))"]

    # ---- candidates

    def _candidates(self, pick: _Pick) -> list[str]:
        """The candidates of a pick that does not depend on others; without any the move cannot be made."""
        name = f"c{pick.number}"
        if pick.is_fixed:
            return [f"{name} = {{}}"] if pick.number else []
        if not pick.is_free:
            return []
        pile = self.machine.evaluator.pile(pick.group)
        there = [f"if {pile}:"] if pile is not None else []
        return [*there, f"{name} = {self._members(pick)}", f"if {name}:"]

    def _members(self, pick: _Pick) -> str:
        """The group of a pick; of equal things one is enough."""
        group = pick.group
        if group.type.name != "thing":
            return self._group(group)
        if isinstance(group, m.Named) and group.where is not None and self._is_data(group.where):
            # what is so of one is so of its like, so it is asked of one only
            members = self._distinct(replace(group, where=None))
            return self.machine.evaluator.filtered(group.where, members, group.type)
        return self._distinct(group)

    def _distinct(self, group: m.Expression) -> str:
        """One of every thing in a group; those that may be hidden from who is asked never as they lie."""
        things, name = self.source.variable(), self.source.name
        ordered = f"{name(self.machine.in_order)}(s, f, {things})" if self.table.may_hide(group) else things
        return f"({things} if len({things} := {self._group(group)}) < 2 else {name(self.machine.distinct)}({ordered}))"

    def _is_data(self, node: Any) -> bool:
        """Whether a filter looks at nothing of a candidate but its data, which equal things share."""
        if isinstance(node, m.FieldRef) and node.field in self.table.fields:
            return is_it(node.object) or self._is_data(node.object)
        if is_it(node) or isinstance(node, (m.ValueRef, m.FieldRef, m.Named, m.SeatRef)):
            return False
        return all(self._is_data(part) for part in parts(node))

    def _narrowed(self, pick: _Pick) -> list[str]:
        """Those of the candidates of a later pick that pass what this pick alone tells."""
        tests = self._alone(pick) if pick.is_free else []
        if not tests:
            return []
        name, item = f"c{pick.number}", f"p{pick.number}"
        narrow = f"for {item} in {name}: {' and '.join(tests)} and found.append({item})"
        return ["found = []", narrow, f"{name} = found", f"if {name}:"]

    def _alone(self, pick: _Pick) -> list[str]:
        """The tests of a pick alone."""
        return [self.text(test) for test in pick.alone] + (self._payable(self.cost, self.picks) if pick.pays else [])

    # ---- loops

    def _loop(self, pick: _Pick) -> list[str]:
        """The loop of a pick and what is tested in it."""
        lines, tests = self._fixed_loop(pick) if pick.is_fixed else self._plain_loop(pick)
        if pick.number > 0 and self.counting:
            lines = self._counted(pick, lines)
        if len(self.cost_uses) > 1 and pick.number == len(self.picks) - 1:
            tests += self._payable(self.cost, self.picks)
        return lines + ([f"if {' and '.join(tests)}:"] if tests else [])

    def _counted(self, pick: _Pick, lines: list[str]) -> list[str]:
        """A loop inside another: all its candidates are counted at once."""
        loop, *rest = lines
        item, group = f"p{pick.number}", f"g{pick.number}"
        candidates = loop.removeprefix(f"for {item} in ").removesuffix(":")
        many = f"if looks > {OPTIONS}: {self.source.name(_within)}(s, options, looks)"
        return [f"{group} = {candidates}", f"looks += len({group})", many, f"for {item} in {group}:", *rest]

    def _plain_loop(self, pick: _Pick) -> tuple[list[str], list[str]]:
        """The loop of a pick, and its tests."""
        group = f"c{pick.number}" if pick.is_free else self._members(pick)
        narrowed = pick.is_free and pick.number > 0
        tests = [] if narrowed else self._alone(pick)
        return [f"for p{pick.number} in {group}:"], tests + [self.text(test) for test, _ in pick.together]

    def _fixed_loop(self, pick: _Pick) -> tuple[list[str], list[str]]:
        """Only those that go with an earlier pick are looked at, and each is tested when it is first met."""
        related, rest = self._related(pick)
        tests = [self.text(test) for test in rest]
        assert isinstance(pick.group, m.Named)
        able = {thing: self._able(pick, thing) for thing in self.table.members(pick.group.kind)}
        known, item = f"c{pick.number}", f"p{pick.number}"
        lines = [f"for {item} in {related}:"]
        if not any(able.values()):
            return lines, tests
        passes = {thing: each or _passes for thing, each in able.items()}
        ask = f"{self.source.name(passes)}[{item}](s, f, -1)"
        if pick.number == 0:
            return lines, [ask, *tests]
        lines.append(f"if {item} not in {known}: {known}[{item}] = {ask}")
        return lines, [f"{known}[{item}]", *tests]

    def _able(self, pick: _Pick, thing: int) -> Callable[..., bool] | None:
        """The test of one fixed candidate: it stands in it by name, so that much of it is settled beforehand."""
        assert isinstance(pick.group, m.Named)
        family = self.table.rules.words.families.get(pick.group.kind)
        name = family[thing] if family is not None else self.table.layout.things[thing].id
        given: dict[str, m.Expression] = {
            pick_name(pick.number): m.ObjectRef(pick.group.kind, name, one(pick.group.type))
        }
        nodes = [rewrite(test, given) for test in pick.alone]
        tests = [self.text(node) for node in nodes if not self._is_missing(node)]
        if pick.pays:
            tests += self._payable(rewrite(self.cost, given), [str(thing)] * len(self.picks))
        return self.source.define(f"return {' and '.join(tests)}") if tests else None

    def _is_missing(self, node: m.Expression) -> bool:
        """Whether a condition is one that a candidate might have, but has not."""
        if (
            not isinstance(node, m.FieldRef)
            or node.field in self.table.fields
            or not isinstance(node.object, m.ObjectRef)
        ):
            return False
        return self.table.label(node.object.kind, node.object.id) not in self.table.asked.get(node.field, {})

    def _related(self, pick: _Pick) -> tuple[str, list[m.Expression]]:
        """The candidates that go with an earlier pick by unchanging data, and the conditions that are left to test."""
        assert isinstance(pick.group, m.Named)
        candidates = self.table.members(pick.group.kind)
        printed = self.machine.evaluator.is_printed
        unchanging = [(test, used) for test, used in pick.together if len(used) == 2 and printed(test, _is_pick)]
        other = min(unchanging[0][1]) if unchanging else -1
        fixed = [test for test, used in unchanging if other in used]
        rest = [test for test, _ in pick.together if test not in fixed]
        if not fixed:
            return self.source.name(candidates), rest
        test = " and ".join(map(self.text, fixed))
        goes = self.source.define(f"return {test}", takes=f"s, f, it, p{other}, p{pick.number}")
        known: dict[int, tuple[int, ...]] = {}

        def related(s: State, f: Frame, thing: int) -> tuple[int, ...]:
            known[thing] = tuple(each for each in candidates if goes(s, f, -1, thing, each))
            return known[thing]

        name, found = self.source.name(known), self.source.name(related)
        return f"({name}[p{other}] if p{other} in {name} else {found}(s, f, p{other}))", rest


def _nested(lines: Sequence[str], rest: Sequence[str] = ()) -> list[str]:
    """Lines that have all after them inside if they end with a colon, and the rest inside of all. Tests in a row are
    one: Python does not read a hundred levels."""
    depth, found = 0, list[str]()
    before = False
    for line in lines:
        is_test = line.startswith("if ") and line.endswith(":")
        if is_test and before:
            found[-1] = f"{found[-1][:-1]} and ({line[3:-1]}):"
            continue
        before = is_test
        found.append(" " * depth + (f"if ({line[3:-1]}):" if is_test else line))
        depth += line.endswith(":")
    return found + [" " * depth + line for line in rest]


def _parts(condition: m.Expression) -> tuple[m.Expression, ...]:
    if isinstance(condition, m.Always):
        return ()
    return condition.parts if isinstance(condition, m.All) else (condition,)


def _within(s: State, options: list[Any], looks: int) -> None:
    """Listing goes on only within the limits."""
    if looks > LOOKS:
        raise beyond(s, "fuel")
    if len(options) > OPTIONS:
        raise beyond(s, "options")


def _is_pick(node: Any) -> bool:
    return isinstance(node, m.Local)


def _passes(s: State, f: Frame, it: int) -> bool:
    return True
