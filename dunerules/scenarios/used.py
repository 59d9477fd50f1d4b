"""Abilities with a limit that are used up already: a part of a position that lies on no table."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.nearest import nearest
from dunerules.runtime.names import Names
from dunerules.runtime.state import State
from dunerules.runtime.waiting import Waiting, use_key
from dunerules.scenarios.addresses import Addresses
from dunerules.scenarios.record import SEAT, FaultError, Line

__all__ = ["set_used"]

USED = "used"
"""As a line of a position: what a seat has used as often as it may."""


def set_used(state: State, line: Line, addresses: Addresses) -> bool:
    """Note what a line says is used up; false if it is about something else."""
    head, _, owner = line.name.partition(" of ")
    if head != USED or USED in addresses.words.counters or USED in addresses.words.zones:
        return False
    match = SEAT.match(owner or line.seat)
    if match is None:
        raise FaultError("whose? write `used of seat 1`, or put it in the block of a seat", line.key.span, "DR903")
    seat = int(match[1]) - 1
    if seat >= addresses.layout.seats:
        raise FaultError(f"there is no seat {seat + 1}", line.key.span, "DR901")
    limited = list(_limited(addresses.names))
    for node in line.value.items():
        found = [(waiting, things) for name, waiting, things in limited if node.value in name]
        if not found:
            known = {each for name, _, _ in limited for each in name}
            near = nearest(str(node.value), known)
            hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
            raise FaultError(f"nothing with a limit is called `{node.value}`{hint}", node.span, "DR901")
        for waiting, things in found:
            assert waiting.limit is not None
            for thing in things:
                state.used[use_key(waiting, seat, thing)] = waiting.limit[0]
    return True


def _limited(names: Names) -> Iterator[tuple[set[str], Waiting, tuple[int, ...]]]:
    """Every ability with a limit: what it is called (itself, and what has it), and the things it is counted for."""
    abilities = names.machine.abilities
    for table in (abilities.when, abilities.instead):
        for standing in (each for some in table.values() for each in some):
            waiting = standing.waiting
            if waiting is not None and waiting.limit is not None:
                holder = {names.thing(standing.thing)} if standing.thing >= 0 else set()
                yield {waiting.label, *holder}, waiting, standing.objects or (standing.thing,)
