"""What a move itself does with what it picks: whoever is told of the move knows that these things lie elsewhere now."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.walk import walk
from dunerules.runtime.machine import Machine
from dunerules.understanding.ruleset import Move

__all__ = ["carried_to"]


def carried_to(machine: Machine, move: Move) -> tuple[frozenset[str], ...]:
    """By pick: the names of the zones that the cost and the effect of a move take it to, if they do so on every way
    through them; what only happens sometimes, or is done by others, the move does not say."""
    programs = [machine.programs[number] for number in (move.cost, move.do) if number >= 0]
    return tuple(
        frozenset(zone for each in programs for zone in _always(each, f"#{number}"))
        for number in range(len(move.takes))
    )


def _always(program: p.Program, pick: str) -> Iterator[str]:
    """Where a program takes something, if there is no way through it without that."""
    taking = {at: zones for at, code in enumerate(program.code) if (zones := _takes(code, pick))}
    passed, left = set[int](), [0]
    while left:
        at = left.pop()
        if at >= len(program.code):
            return
        if at not in passed and at not in taking:
            passed.add(at)
            left += _next(program.code[at], at)
    for zones in taking.values():
        yield from zones


def _takes(code: p.Code, pick: str) -> tuple[str, ...]:
    """The zones that a step takes something to."""
    given = dict(code.arguments) if isinstance(code, p.Do) else {}
    what, target = given.get("what"), given.get("target")
    if not isinstance(what, m.Local) or what.name != pick or target is None:
        return ()
    return tuple(zone for each in walk(target) if isinstance(each, m.ZoneRef) for zone in each.zones)


def _next(code: p.Code, at: int) -> list[int]:
    """Where a program may go on after a step. What is done instead of a verb stands in another program."""
    if isinstance(code, p.Jump):
        return [code.to]
    if isinstance(code, p.Instead):
        return [at + 1]
    others = [getattr(code, name) for name in ("to", "end") if hasattr(code, name)]
    return [at + 1, *others, *getattr(code, "targets", ())]
