"""Whether all that a table can come to builds, and is sound, before anything is played.

Programs are built when a game first comes to them. This builds every code of every one of them, every plan, and every
expression that is asked by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.verify import faults, faults_in_steps, faults_of_slots
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Program
from dunerules.dsl.walk import walk
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.labels import program_labels
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import plan_steps
from dunerules.runtime.steps import ProgramBuilder
from dunerules.runtime.surroundings import OFTEN

__all__ = ["unsound"]

_GIVEN = frozenset({"it"})


def unsound(machine: Machine) -> Iterator[tuple[str, str]]:
    """What cannot be run: what it is of, and what is wrong. What is built for that stays with the machine."""
    labels = _program_labels(machine)
    checks = (
        *((labels.get(number, "a program"), _of_program(machine, number)) for number in _distinct(machine.programs)),
        *((f"move {name}", _of_move(machine, group, name)) for group, name in _moves(machine)),
        *((f"value {name}", _of_value(machine, name)) for name in machine.table.rules.values),
        *((label, _of_expression(machine, node)) for node, label in _expressions(machine).items()),
        *(("what an ability is about", faults(*built)) for built in machine.abilities.patterns.built),
    )
    for label, found in checks:
        try:
            yield from ((label, fault) for fault in found)
        except Exception as error:  # it does not even build
            yield label, f"{type(error).__name__}: {error}"


# ---- programs


def _distinct(programs: list[Program]) -> Iterator[int]:
    """The numbers of programs, of equal ones the first: many things do the same, and a strand is part of another."""
    seen: set[Program] = set()
    for number, program in enumerate(programs):
        if program not in seen:
            seen.add(program)
            yield number


def _of_program(machine: Machine, number: int) -> Iterator[str]:
    """What each code does is looked at by itself. Functions are made of several of them, one behind the other, and may
    begin with any: so each must be sound with nothing before it, and then they are so together."""
    builder = ProgramBuilder(machine.shop, number)
    parts = [builder.own(pc) for pc in range(len(builder.code))]
    for part in parts:
        yield from faults_in_steps(part, _GIVEN, len(parts))
    yield from faults_of_slots(parts)


def _program_labels(machine: Machine) -> dict[int, str]:
    """What programs are called; those of abilities by their text."""
    of_abilities = {each.program: each.label for each in machine.table.rules.abilities}
    of_clauses = {number: label for number, (_, label) in machine.clauses.items()}
    return of_abilities | of_clauses | program_labels(machine.table.rules)


# ---- moves


def _moves(machine: Machine) -> Iterator[tuple[str, str]]:
    return ((group, move.name) for group, moves in machine.table.rules.moves.items() for move in moves)


def _of_move(machine: Machine, group: str, name: str) -> Iterator[str]:
    """The plan of a move, while all that may modify it does so and while nothing does."""
    shop, modified = machine.shop, frozenset(machine.moves.groups[group].values)
    for quiet in {frozenset[str](), modified}:
        steps = plan_steps(shop.legality, shop.questions, machine.moves.by_name[name], quiet)
        yield from faults_in_steps(steps, _GIVEN)
        for cases in _cases(steps):
            for number in cases.numbers:
                yield from faults(cases.made(number), _GIVEN)


def _cases(steps: st.Steps) -> list[ir.Cases]:
    return [each.cases for each in walk(steps) if isinstance(each, ir.Switch)]


# ---- expressions that are asked by themselves


def _of_value(machine: Machine, name: str) -> Iterator[str]:
    core = machine.evaluator.core
    yield from faults(core.body(name), frozenset(core.told(name)))


def _expressions(machine: Machine) -> dict[m.Expression, str]:
    """What slots say that are asked, what abilities wait for, and what ends and decides a game; of equal ones one."""
    rules, found = machine.table.rules, dict[m.Expression, str]()
    for thing in rules.things:
        for slot, node in thing.formulas.items():
            found.setdefault(node, f"{slot} of {thing.id}")
    for _, ability in machine.abilities.living:
        if ability.condition is not None:
            told = ability.event.told if ability.event is not None else ()
            found.setdefault(numbered(ability.condition, tuple(name for name, _ in told)), ability.label)
    ending = [rules.end[0]] if rules.end is not None else []
    ending += [each for each in (rules.score, rules.among, *rules.ties) if each is not None]
    return found | dict.fromkeys(ending, "the end of the game")


def _of_expression(machine: Machine, node: m.Expression) -> Iterator[str]:
    yield from faults(machine.evaluator.core.build(node, OFTEN), _GIVEN)
