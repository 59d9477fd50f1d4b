"""Moves: every legal way to make one, as options of a decision.

Conditions are tested as early as their picks are known: what depends on one pick alone is asked once for each thing it
could be, not once for every combination.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Moves"]


@dataclass(frozen=True, slots=True)
class _Pick:
    """One pick of a move: the candidates, whether they depend on earlier picks, and the tests that can be made then."""

    group: Asked
    depends: bool
    things: bool
    alone: tuple[Asked, ...]
    together: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class _Compiled:
    name: str
    always: tuple[Asked, ...]
    picks: tuple[_Pick, ...]
    cost: int
    do: int
    cost_alone: int
    """The pick the cost depends on alone, or -1: then it is asked once for each candidate."""


class Moves:
    """The moves of a table by group."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.groups: dict[str, list[_Compiled]] = {}
        self.by_name: dict[str, Move] = {}

    def build(self) -> None:
        """Compile every move."""
        for group, moves in self.machine.table.rules.moves.items():
            self.groups[group] = [self._compiled(move) for move in moves]
            self.by_name |= {move.name: move for move in moves}

    def _compiled(self, move: Move) -> _Compiled:
        names = tuple(name for name, _ in move.takes)
        compile_ = self.machine.evaluator.compile
        parts = move.condition.parts if isinstance(move.condition, m.All) else (move.condition,)
        tests = [(_used(part, names), compile_(numbered(part, names))) for part in parts if part is not None]
        picks = []
        for number, (_, group) in enumerate(move.takes):
            alone = tuple(test for used, test in tests if used == {number})
            together = tuple(test for used, test in tests if len(used) > 1 and max(used) == number)
            depends = bool(_used(group, names))
            picks.append(_Pick(compile_(numbered(group, names)), depends, group.type.name == "thing", alone, together))
        always = tuple(test for used, test in tests if not used)
        used = self._cost_uses(move.cost)
        return _Compiled(move.name, always, tuple(picks), move.cost, move.do, used.pop() if len(used) == 1 else -1)

    def _cost_uses(self, program: int) -> set[int]:
        if program < 0:
            return set()
        code = self.machine.programs[program].code
        names = {each.name for part in code for each in walk(part) if isinstance(each, m.Local)}
        parameters = len(self.machine.programs[program].parameters)
        return {int(name[1:]) for name in names if int(name[1:]) < parameters}

    def bluffing(self, group: str) -> Callable[[State, Frame], bool]:
        """Whether a seat holds anything unseen that moves of a group are made with, so that it might have a move."""
        table = self.machine.table
        zones = [
            self.machine.evaluator.zone_numbers(taken.zone)
            for move in table.rules.moves.get(group, ())
            for _, taken in move.takes
            if isinstance(taken, m.Named) and isinstance(taken.zone, m.ZoneRef) and self._unseen(taken.zone)
        ]
        if not zones:
            return lambda s, f: False
        return lambda s, f: any(s.zones[zone] for numbers in zones for zone in numbers(s, f, -1))

    def _unseen(self, node: m.ZoneRef) -> bool:
        parts = [part for name in node.zones for part in self.machine.table.rules.words.zone_parts(name)]
        return any(part.sight != "all" for part in parts)

    def legal(self, s: State, f: Frame, group: str) -> list[Any]:
        """Every legal move of a group: `("move", name, picks ...)`."""
        found: list[Any] = []
        for move in self.groups.get(group, ()):
            self._legal(s, f, move, found)
        return found

    def _legal(self, s: State, f: Frame, move: _Compiled, found: list[Any]) -> None:
        frame = Frame(-1, f.you, f.owner, -1, -1, [-1] * (len(move.picks) or 1))
        if not all(test(s, frame, -1) for test in move.always):
            return
        fixed: list[tuple[int, ...] | None] = []
        for number, pick in enumerate(move.picks):
            if pick.depends:
                fixed.append(None)
                continue
            candidates = self._candidates(s, frame, move, number, pick)
            if not candidates:
                return
            fixed.append(candidates)
        self._combine(s, frame, move, fixed, 0, found)

    def _candidates(self, s: State, frame: Frame, move: _Compiled, number: int, pick: _Pick) -> tuple[int, ...]:
        """What can be picked as far as this pick alone tells."""
        things = pick.group(s, frame, -1)
        if pick.things:
            things = self.machine.distinct(things)
        kept = []
        for thing in things:
            frame.slots[number] = thing
            if all(test(s, frame, -1) for test in pick.alone) and (
                move.cost_alone != number or self._payable(s, frame, move)
            ):
                kept.append(thing)
        return tuple(kept)

    def _payable(self, s: State, frame: Frame, move: _Compiled) -> bool:
        slots = frame.slots + [0] * (self.machine.programs[move.cost].slots - len(frame.slots))
        scratch = Frame(move.cost, frame.you, frame.owner, -1, -1, slots)
        return self.machine.legality.program_affordable(s, scratch, move.cost, {})

    def _combine(
        self,
        s: State,
        frame: Frame,
        move: _Compiled,
        fixed: list[tuple[int, ...] | None],
        number: int,
        found: list[Any],
    ) -> None:
        if number == len(move.picks):
            if move.cost < 0 or move.cost_alone >= 0 or self._payable(s, frame, move):
                found.append(("move", move.name, *frame.slots[: len(move.picks)]))
            return
        pick = move.picks[number]
        known = fixed[number]
        candidates = known if known is not None else self._candidates(s, frame, move, number, pick)
        for thing in candidates:
            frame.slots[number] = thing
            if all(test(s, frame, -1) for test in pick.together):
                self._combine(s, frame, move, fixed, number + 1, found)


def _used(node: m.Expression, names: tuple[str, ...]) -> set[int]:
    """Which picks an expression mentions."""
    return {names.index(each.name) for each in walk(node) if isinstance(each, m.Local) and each.name in names}
