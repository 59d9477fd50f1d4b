"""Whether all that a table can come to builds, and is sound, before anything is played.

Programs are built when a game first comes to them. This builds every part of every one of them, and every plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.core.verify import faults_in_steps, faults_of_slots
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import plan_steps

__all__ = ["unsound"]

_GIVEN = frozenset({"it"})


def unsound(machine: Machine) -> Iterator[tuple[str, str]]:
    """What cannot be run: the label of the program, or the name of the move, and what is wrong."""
    shop = machine.shop
    for number in range(len(machine.programs)):
        if number in machine.strands:
            continue  # it is a part of another program
        builder, size = machine.builders.of(number), len(machine.programs[number].code)
        parts = [builder.part(pc, size) for pc in range(size)]
        found = [fault for part in parts for fault in faults_in_steps(part, _GIVEN, size)]
        yield from ((shop.programs.label(number), fault) for fault in (*found, *faults_of_slots(parts)))
    for moves in machine.table.rules.moves.values():
        for move in moves:
            steps = plan_steps(shop.legality, shop.questions, move, frozenset())
            yield from ((move.name, fault) for fault in faults_in_steps(steps, _GIVEN))
