"""Plans: how the legal ways to make a move are listed, as steps of the core language.

A plan adds every legal way to make a move to `options`, asked in a frame that is the acting seat's and stands on
nothing; those of moves that are offered together are one function. It is a loop for every pick, with the conditions as
early as their picks are known. What depends on one pick alone is asked once for each thing it could be, not once for
every combination, and what two picks have to do with each other by data that never changes is found out once and for
all. How a condition depends on picks changes with what modifies it: values that nothing modifies at the moment are
written out first, so a plan is good for one set of modified values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.costs import may_nest
from dunerules.core.analyses.facts import is_fact
from dunerules.core.analyses.names import pick_variable, picks
from dunerules.core.fold import folded
from dunerules.core.python_steps import PythonSteps
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import slot_name, slot_number
from dunerules.dsl.types import Type
from dunerules.dsl.walk import parts, walk
from dunerules.runtime.legality import Legality
from dunerules.runtime.limits import LOOKS, OPTIONS, beyond
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.surroundings import Surroundings
from dunerules.understanding.ruleset import Move

__all__ = ["Plan", "make_plan", "plan_steps"]

Plan: TypeAlias = Callable[[State, Frame], list[Any]]
"""Every legal way to make some moves."""

_FEW = 50_000
"""Ways to make all picks of a move that are looked at in no time: they are not counted."""

_FIXED = frozenset({"place", "label"})
"""Types whose members are the same all through a game."""

_YOU = ir.FramePart("you")


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move, and the conditions that can be tested once it is made. It is called `p0`, `p1` ..., its
    candidates are `c0`, `c1` ..., and so is where what was asked about them is kept."""

    number: int
    group: ir.Expr
    type: Type
    hidden: bool
    """Whether some of the group may be hidden from who is asked."""
    pays: bool
    """Whether the cost depends on this pick alone."""
    alone: tuple[ir.Expr, ...]
    """Conditions about this pick alone."""
    together: tuple[tuple[ir.Expr, set[int]], ...]
    """Conditions about this pick and earlier ones, each with all its picks."""

    @property
    def name(self) -> str:
        """What it is called."""
        return pick_variable(self.number)

    @property
    def candidates(self) -> str:
        """What its candidates are called."""
        return f"c{self.number}"

    @property
    def is_fixed(self) -> bool:
        """Whether its candidates never change."""
        return isinstance(self.group, ir.Members) and self.type.name in _FIXED

    @property
    def is_free(self) -> bool:
        """Whether its candidates are the same whatever was picked before."""
        return not picks(self.group) and not self.is_fixed


def make_plan(legality: Legality, questions: Questions, moves: Iterable[Move], quiet: frozenset[str]) -> Plan:
    """The plans of several moves as one function."""
    steps = [step for move in moves for step in plan_steps(legality, questions, move, quiet)]
    return PythonSteps(legality.verbs.core.python, foreseen=False).listing(steps)


def plan_steps(legality: Legality, questions: Questions, move: Move, quiet: frozenset[str]) -> st.Steps:
    """The plan of a move while nothing modifies some values; nothing if it can never be made so."""
    return _Planner(legality, questions, move, quiet).plan()


class _Planner:
    """Builds one plan."""

    def __init__(self, legality: Legality, questions: Questions, move: Move, quiet: frozenset[str]) -> None:
        self.legality = legality
        self.questions = questions
        self.table = legality.table
        self.core = legality.verbs.core
        self.move = move
        self.names = [name for name, _ in move.takes]
        self.made = [ir.Pick(number) for number in range(len(self.names))]
        named = {name: (pick, False) for name, pick in zip(self.names, self.made, strict=True)}
        self.around = Surroundings(_YOU, _YOU, make.NOTHING, make.NOTHING, make.NOTHING, named, quiet=quiet)
        condition = move.condition or m.Always()
        self.meant = [
            (part, _parts(self.core.build(part, self.around)))
            for part in (condition.parts if isinstance(condition, m.All) else (condition,))
        ]
        """The parts of the condition as they are meant, each with what was built of it."""
        self.tests = [(part, picks(part)) for _, built in self.meant for part in built]
        self.always = [test for test, used in self.tests if not used]
        self.limit: st.Limit | None = None
        """How many ways to make all picks are looked at; nothing if there are never so many."""
        self.cost_uses = self._cost_uses()

    def plan(self) -> st.Steps:
        """The whole plan: what must hold anyway, then the picks in order."""
        found = [self._pick(number, group) for number, (_, group) in enumerate(self.move.takes)]
        if make.FALSE in self.always or any(pick.group == ir.Members(()) for pick in found):
            return ()
        always = [*self.always, *([] if self.cost_uses else [self._payable(self.made)])]
        if prod(self.core.most(pick.type) for pick in found) > _FEW:
            self.limit = _LIMIT
        steps: list[st.Step] = [st.When(make.all_of(always), ())]
        for pick in found:
            steps += self._candidates(pick)
        for pick in found[1:]:
            steps += self._narrowed(pick)
        loops = [step for pick in found for step in self._loop(pick)]
        option = st.Option((ir.Text("move"), ir.Text(self.move.name), *self.made))
        listed = _nested([*loops, option])
        return _nested(steps, (st.Counted(listed),) if self.limit is not None else listed)

    # ---- picks

    def _pick(self, number: int, group: m.Expression) -> _Pick:
        alone = tuple(test for test, used in self.tests if used == {number})
        together = tuple((test, used) for test, used in self.tests if len(used) > 1 and max(used) == number)
        built, hidden = self.core.group(group, self.around), self.table.may_hide(group)
        return _Pick(number, built, group.type, hidden, self.cost_uses == {number}, alone, together)

    # ---- the cost

    def _cost_uses(self) -> set[int]:
        if self.move.cost < 0:
            return set()
        program = self.legality.programs.all[self.move.cost]
        slots = {slot_number(each) for part in program.code for each in walk(part) if isinstance(each, m.Local)}
        return {number for number in slots if number < len(program.parameters)}

    def _payable(self, picked: Sequence[ir.Expr]) -> ir.Expr:
        """Whether the cost can be paid with these picks. Those it does not use need not be made."""
        if self.move.cost < 0:
            return make.TRUE
        program = self.legality.programs.all[self.move.cost]
        names = {slot_name(number): (pick, False) for number, pick in enumerate(picked)}
        condition = self.legality.condition(program.code, around=replace(self.around, names=names))
        if condition is not None:
            return condition
        slots = [pick if number in self.cost_uses else make.NOTHING for number, pick in enumerate(picked)]
        slots += [make.ZERO] * (program.slots - len(picked))
        test = self.legality.program(self.move.cost)

        def payable(s: State, you: int, slots: list[Any]) -> bool:
            return test(s, Frame(-1, you, you, -1, -1, slots))

        function = ir.Function(f"{self.move.name} payable", payable, means=("payable", self.move.cost))
        return ir.Call(function, (_YOU, ir.List(tuple(slots))))

    # ---- candidates

    def _candidates(self, pick: _Pick) -> list[st.Step]:
        """The candidates of a pick that does not depend on others; without any the move cannot be made."""
        if pick.is_fixed:
            return [st.Store(pick.candidates)] if pick.number else []
        if not pick.is_free:
            return []
        pile = pick.group
        while isinstance(pile, (ir.Filter, ir.Printed)):
            pile = pile.over
        there = [_if_any(pile)] if isinstance(pile, ir.Pile) and pile is not pick.group else []
        return [*there, st.Let(pick.candidates, self._members(pick)), _if_any(ir.Variable(pick.candidates))]

    def _members(self, pick: _Pick) -> ir.Expr:
        """The group of a pick; of equal things one is enough."""
        group = pick.group
        if pick.type.name != "thing":
            return group
        if isinstance(group, ir.Filter) and _is_about_data(group):
            # what is so of one is so of its like, so it is asked of one only
            return replace(group, over=self._distinct(group.over, pick))
        return self._distinct(group, pick)

    def _distinct(self, group: ir.Expr, pick: _Pick) -> ir.Expr:
        """One of every thing in a group; those that may be hidden from who is asked never as they lie."""
        if isinstance(group, ir.Joined) and not pick.hidden and self._are_unlike_zones(group.parts):
            return ir.Joined(tuple(self._distinct(part, pick) for part in group.parts))
        in_order = self.questions.things_in_order if pick.hidden else None
        one_zone = isinstance(_all_looked_at(group), ir.Pile)
        distinct = self.questions.distinct_in_a_zone if one_zone else self.questions.distinct_things
        return ir.Distinct(group, distinct, in_order, _YOU)

    def _are_unlike_zones(self, groups: Sequence[ir.Expr]) -> bool:
        """Whether these are what lies in zones of different names."""
        names = set()
        for each in groups:
            if isinstance(each, ir.Pile) and isinstance(each.zone, ir.ZoneNumber):
                names.add(each.zone.region.name)
            elif isinstance(each, ir.Pile) and isinstance(each.zone, ir.Number):
                names.add(self.questions.table.layout.zone_names[each.zone.value])
        return len(names) == len(groups)

    def _narrowed(self, pick: _Pick) -> list[st.Step]:
        """Those of the candidates of a later pick that pass what this pick alone tells."""
        test = self._alone(pick) if pick.is_free else make.TRUE
        if test == make.TRUE:
            return []
        candidates = ir.Variable(pick.candidates)
        return [st.Let(pick.candidates, ir.Filter(pick.name, candidates, test)), _if_any(candidates)]

    def _alone(self, pick: _Pick) -> ir.Expr:
        """The test of a pick alone."""
        return make.all_of((*pick.alone, *([self._payable(self.made)] if pick.pays else [])))

    # ---- loops

    def _loop(self, pick: _Pick) -> list[st.Step]:
        """The loop of a pick and what is tested in it."""
        group, tests = self._fixed_loop(pick) if pick.is_fixed else self._plain_loop(pick)
        if len(self.cost_uses) > 1 and pick.number == len(self.made) - 1:
            tests.append(self._payable(self.made))
        return [
            st.For(pick.name, group, (), self.limit if pick.number > 0 else None),
            st.When(make.all_of(tests), ()),
        ]

    def _plain_loop(self, pick: _Pick) -> tuple[ir.Expr, list[ir.Expr]]:
        """What a pick is picked from, and its tests."""
        group = ir.Variable(pick.candidates) if pick.is_free else self._members(pick)
        narrowed = pick.is_free and pick.number > 0
        return group, [*([] if narrowed else [self._alone(pick)]), *(test for test, _ in pick.together)]

    def _fixed_loop(self, pick: _Pick) -> tuple[ir.Expr, list[ir.Expr]]:
        """Only those that go with an earlier pick are looked at, and each is tested when it is first met."""
        related, tests = self._related(pick)
        if not pick.alone and not pick.pays:
            return related, tests
        assert isinstance(pick.group, ir.Members)
        item, numbers = ir.Pick(pick.number), pick.group.numbers
        cases = ir.Cases(f"{self.move.name} able", numbers, lambda thing: self._able(pick, thing))
        able: ir.Expr = ir.Switch(item, cases)
        if pick.number > 0:
            able = ir.Once(pick.candidates, item, able)
        return related, [able, *tests]

    def _able(self, pick: _Pick, thing: int) -> ir.Expr:
        """The test of one fixed candidate: it stands in it by number, so that much of it is settled beforehand."""
        payable = [self._payable([ir.Number(thing)] * len(self.made))] if pick.pays else []
        return make.all_of((*self._known(pick, ir.Number(thing)), *payable))

    def _known(self, pick: _Pick, thing: ir.Number) -> Iterator[ir.Expr]:
        """The tests of one candidate alone. What stands in its own slots is written out, so that is built anew."""
        names = {**self.around.names, self.names[pick.number]: (thing, False)}
        given: dict[ir.Expr, ir.Expr] = {ir.Pick(pick.number): thing}
        for part, built in self.meant:
            alone = [test for test in built if test in pick.alone]
            if any(map(may_nest, alone)):
                known = _parts(self.core.build(part, replace(self.around, names=names)))
                yield from (test for test in known if not picks(test) and test not in self.always)
            else:
                yield from (folded(test, given) for test in alone)

    def _related(self, pick: _Pick) -> tuple[ir.Expr, list[ir.Expr]]:
        """The candidates that go with an earlier pick by unchanging data, and the conditions that are left to test."""
        assert isinstance(pick.group, ir.Members)
        unchanging = [
            (test, used) for test, used in pick.together if len(used) == 2 and is_fact(test, [*map(ir.Pick, used)])
        ]
        other = min(unchanging[0][1]) if unchanging else -1
        fixed = [test for test, used in unchanging if other in used]
        rest = [test for test, _ in pick.together if test not in fixed]
        if not fixed:
            return pick.group, rest
        return ir.Related(pick.name, pick.group, make.all_of(fixed), ir.Pick(other)), rest


def _all_looked_at(group: ir.Expr) -> ir.Expr:
    """What a group is filtered from."""
    return _all_looked_at(group.over) if isinstance(group, (ir.Filter, ir.Printed)) else group


def _is_about_data(node: ir.Filter) -> bool:
    """Whether a filter looks at nothing of a candidate but its data, which equal things share."""
    it = ir.Variable(node.variable)

    def is_data(part: Any) -> bool:
        if isinstance(part, ir.Column) and part.index == it:
            return True
        if isinstance(part, ir.Read) and it in walk(part):  # a mark
            return False
        return part != it and all(map(is_data, parts(part)))

    return is_data(node.test)


def _if_any(group: ir.Expr) -> st.When:
    """What follows is done if a group has any member."""
    return st.When(ir.Anything(group), ())


def _nested(steps: Sequence[st.Step], rest: st.Steps = ()) -> st.Steps:
    """Each `When` and `For` with all that follows inside, and the rest inside of all. Tests in a row are one: Python
    does not read a hundred levels."""
    for step in reversed(steps):
        if isinstance(step, st.For):
            rest = (replace(step, steps=rest),)
        elif not isinstance(step, st.When):
            rest = (step, *rest)
        elif len(rest) == 1 and isinstance(rest[0], st.When) and not rest[0].otherwise:
            rest = (st.When(make.all_of((step.test, rest[0].test)), rest[0].then),)
        elif step.test != make.TRUE:
            rest = (replace(step, then=rest),)
    return rest


def _parts(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    if condition == make.TRUE:
        return ()
    return condition.parts if isinstance(condition, ir.All) else (condition,)


def _within(s: State, options: list[Any], looks: int) -> None:
    """Listing goes on only within the limits."""
    if s.looks + looks > LOOKS:
        raise beyond(s, "fuel")
    if len(options) > OPTIONS:
        raise beyond(s, "options")


_LIMIT = st.Limit(OPTIONS, ir.Function("within", _within))
