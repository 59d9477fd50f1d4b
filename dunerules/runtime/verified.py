"""Whether all that a table can come to builds, and is sound, before anything is played.

Programs are built when a game first comes to them. This builds every part of every one of them, and every plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.core.verify import faults_in_steps, faults_of_slots
from dunerules.dsl import program as p
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import plan_steps
from dunerules.runtime.steps import ProgramBuilder

__all__ = ["unsound"]

_GIVEN = frozenset({"it"})


def unsound(machine: Machine) -> Iterator[tuple[str, str]]:
    """What cannot be run: the label of the program, or the name of the move, and what is wrong."""
    shop = machine.shop
    for number in range(len(machine.programs)):
        builder = ProgramBuilder(shop, number)
        found = [fault for pc in range(len(builder.code)) for fault in _from_place(builder, pc)]
        yield from ((shop.programs.label(number), fault) for fault in (*found, *_slots(builder)))
    for moves in machine.table.rules.moves.values():
        for move in moves:
            steps = plan_steps(shop.legality, shop.questions, move, frozenset())
            yield from ((move.name, fault) for fault in faults_in_steps(steps, _GIVEN))


def _from_place(builder: ProgramBuilder, pc: int) -> Iterator[str]:
    """What is wrong from a place on, as far as that is one part."""
    size = len(builder.code)
    part = builder.part(pc, size)
    if part is not None:
        yield from faults_in_steps(part, _GIVEN, size)
        return
    code = builder.code[pc]
    builder.control.compile(code, pc)  # a question builds all it asks
    if isinstance(code, p.Do):
        yield from faults_in_steps(builder.shop.verbs.steps(code), _GIVEN)


def _slots(builder: ProgramBuilder) -> Iterator[str]:
    """Slots that are said to hold one kind of thing and hold another."""
    size = len(builder.code)
    return faults_of_slots([part for pc in range(size) if (part := builder.part(pc, size)) is not None])
