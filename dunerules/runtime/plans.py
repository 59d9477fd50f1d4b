"""Plans: how the legal ways to make a move are listed, written as Python and compiled.

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
from dunerules.core.analyses.costs import may_nest
from dunerules.core.analyses.facts import is_fact
from dunerules.core.analyses.names import pick_variable, picks
from dunerules.core.fold import folded
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

__all__ = ["Plan", "make_plan", "plan_lines"]

Plan: TypeAlias = Callable[[State, Frame], list[Any]]
"""Every legal way to make some moves."""

_FEW = 50_000
"""Ways to make all picks of a move that are looked at in no time: they are not counted."""

_FIXED = frozenset({"place", "label"})
"""Types whose members are the same all through a game."""

_YOU = ir.FramePart("you")


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move, and the conditions that can be tested once it is made. In Python it is called `p0`, `p1` ...,
    its candidates are `c0`, `c1` ..."""

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
    def is_fixed(self) -> bool:
        """Whether its candidates never change."""
        return isinstance(self.group, ir.Members) and self.type.name in _FIXED

    @property
    def is_free(self) -> bool:
        """Whether its candidates are the same whatever was picked before."""
        return not picks(self.group) and not self.is_fixed


def make_plan(legality: Legality, questions: Questions, moves: Iterable[Move], quiet: frozenset[str]) -> Plan:
    """The plans of several moves as one function."""
    lines = [line for move in moves for line in plan_lines(legality, questions, move, quiet)]
    define = legality.verbs.core.python.source.define
    return define("it, options = -1, []", *lines, "return options", takes="s, f")


def plan_lines(legality: Legality, questions: Questions, move: Move, quiet: frozenset[str]) -> list[str]:
    """The plan of a move while nothing modifies some values; nothing if it can never be made so."""
    return _Planner(legality, questions, move, quiet).plan()


class _Planner:
    """Writes one plan."""

    def __init__(self, legality: Legality, questions: Questions, move: Move, quiet: frozenset[str]) -> None:
        self.legality = legality
        self.questions = questions
        self.table = legality.table
        self.core = legality.verbs.core
        self.text = self.core.python.text
        self.source = self.core.python.source
        self.move = move
        self.names = [name for name, _ in move.takes]
        self.picks = [pick_variable(number) for number in range(len(self.names))]
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
        self.counting = True
        """Whether there may be so many ways to make all picks that they are counted."""
        self.cost_uses = self._cost_uses()

    def plan(self) -> list[str]:
        """The whole plan: what must hold anyway, then the picks in order."""
        found = [self._pick(number, group) for number, (_, group) in enumerate(self.move.takes)]
        if make.FALSE in self.always or any(pick.group == ir.Members(()) for pick in found):
            return []
        always = [self.text(test) for test in self.always]
        if not self.cost_uses:
            always += self._payable(self.made)
        self.counting = prod(self.core.most(pick.type) for pick in found) > _FEW
        lines = ["looks = s.looks"] if self.counting else []
        lines += [f"if {test}:" for test in always]
        for pick in found:
            lines += self._candidates(pick)
        for pick in found[1:]:
            lines += self._narrowed(pick)
        loops = [line for pick in found for line in self._loop(pick)]
        option = ", ".join((repr("move"), repr(self.move.name), *self.picks))
        listed = _nested([*loops, f"options.append(({option}))"])
        return _nested(lines, [*listed, *(["if looks > s.looks: s.looks = looks"] if self.counting else [])])

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

    def _payable(self, picked: Sequence[ir.Expr]) -> list[str]:
        """Whether the cost can be paid with these picks: one test, or none. Those it does not use need not be made."""
        if self.move.cost < 0:
            return []
        program = self.legality.programs.all[self.move.cost]
        names = {slot_name(number): (pick, False) for number, pick in enumerate(picked)}
        condition = self.legality.condition(program.code, around=replace(self.around, names=names))
        if condition is not None:
            return [self.text(condition)] if condition != make.TRUE else []
        slots = [self.text(pick) if number in self.cost_uses else "-1" for number, pick in enumerate(picked)]
        slots += ["0"] * (program.slots - len(picked))
        test = self.source.name(self.legality.program(self.move.cost))
        return [f"{test}(s, Frame(-1, f.you, f.you, -1, -1, [{', '.join(slots)}]))"]

    # ---- candidates

    def _candidates(self, pick: _Pick) -> list[str]:
        """The candidates of a pick that does not depend on others; without any the move cannot be made."""
        name = f"c{pick.number}"
        if pick.is_fixed:
            return [f"{name} = {{}}"] if pick.number else []
        if not pick.is_free:
            return []
        pile = pick.group
        while isinstance(pile, (ir.Filter, ir.Printed)):
            pile = pile.over
        there = [f"if {self.text(pile)}:"] if isinstance(pile, ir.Pile) and pile is not pick.group else []
        return [*there, f"{name} = {self._members(pick)}", f"if {name}:"]

    def _members(self, pick: _Pick) -> str:
        """The group of a pick; of equal things one is enough."""
        group = pick.group
        if pick.type.name != "thing":
            return self.text(group)
        if isinstance(group, ir.Filter) and _is_about_data(group):
            # what is so of one is so of its like, so it is asked of one only
            return self.text(replace(group, over=self._distinct(group.over, pick)))
        return self.text(self._distinct(group, pick))

    def _distinct(self, group: ir.Expr, pick: _Pick) -> ir.Expr:
        """One of every thing in a group; those that may be hidden from who is asked never as they lie."""
        in_order = self.questions.things_in_order if pick.hidden else None
        return ir.Distinct(group, self.questions.distinct_things, in_order, _YOU)

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
        return [self.text(test) for test in pick.alone] + (self._payable(self.made) if pick.pays else [])

    # ---- loops

    def _loop(self, pick: _Pick) -> list[str]:
        """The loop of a pick and what is tested in it."""
        lines, tests = self._fixed_loop(pick) if pick.is_fixed else self._plain_loop(pick)
        if pick.number > 0 and self.counting:
            lines = self._counted(pick, lines)
        if len(self.cost_uses) > 1 and pick.number == len(self.picks) - 1:
            tests += self._payable(self.made)
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
        assert isinstance(pick.group, ir.Members)
        able = {thing: self._able(pick, thing) for thing in pick.group.numbers}
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
        """The test of one fixed candidate: it stands in it by number, so that much of it is settled beforehand."""
        tests = [self.text(test) for test in self._known(pick, ir.Number(thing)) if test != make.TRUE]
        if pick.pays:
            tests += self._payable([ir.Number(thing)] * len(self.picks))
        return self.source.define(f"return {' and '.join(tests)}") if tests else None

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

    def _related(self, pick: _Pick) -> tuple[str, list[ir.Expr]]:
        """The candidates that go with an earlier pick by unchanging data, and the conditions that are left to test."""
        assert isinstance(pick.group, ir.Members)
        candidates = pick.group.numbers
        unchanging = [
            (test, used) for test, used in pick.together if len(used) == 2 and is_fact(test, [*map(ir.Pick, used)])
        ]
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


def _is_about_data(node: ir.Filter) -> bool:
    """Whether a filter looks at nothing of a candidate but its data, which equal things share."""
    it = ir.Variable(node.variable)

    def is_data(part: Any) -> bool:
        if isinstance(part, ir.Column) and part.index == it:
            return True
        return part != it and all(map(is_data, parts(part)))

    return is_data(node.test)


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


def _parts(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    if condition == make.TRUE:
        return ()
    return condition.parts if isinstance(condition, ir.All) else (condition,)


def _within(s: State, options: list[Any], looks: int) -> None:
    """Listing goes on only within the limits."""
    if looks > LOOKS:
        raise beyond(s, "fuel")
    if len(options) > OPTIONS:
        raise beyond(s, "options")


def _passes(s: State, f: Frame, it: int) -> bool:
    return True
