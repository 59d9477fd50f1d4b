"""Moves: every legal way to make one, as options of a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dunerules.runtime.inline import asked_values
from dunerules.runtime.plans import Plan, make_plan
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame, State

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Moves"]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A move with a plan for every set of values that are modified at the moment, made when it is first needed."""

    move: Move
    values: tuple[str, ...]
    """What its conditions ask for the acting seat that something may modify."""
    modified: Callable[[State, int], tuple[str, ...]]
    """Which of them something modifies now."""
    plans: dict[tuple[str, ...], Plan | None] = field(default_factory=dict)
    """Nothing where the move cannot be made at all."""


class Moves:
    """The moves of a table by group."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.groups: dict[str, list[_Planned]] = {}
        self.by_name: dict[str, Move] = {}

    def build(self) -> None:
        """Prepare every move."""
        for group, moves in self.machine.table.rules.moves.items():
            self.groups[group] = [self._planned(move) for move in moves]
            self.by_name |= {move.name: move for move in moves}

    def _planned(self, move: Move) -> _Planned:
        values, modifiers = self.machine.table.rules.values, self.machine.evaluator.modifiers
        asked: list[Any] = [group for _, group in move.takes]
        asked += [move.condition] if move.condition is not None else []
        asked += self.machine.programs[move.cost].code if move.cost >= 0 else ()
        found = [each for node in asked for each in asked_values(node, values)]
        elsewhere = {name for name, other_seat in found if other_seat} | modifiers.standing
        names = dict.fromkeys(name for name, _ in found if modifiers.touches(name) and name not in elsewhere)
        return _Planned(move, tuple(names), modifiers.which(tuple(names)))

    def _plan(self, planned: _Planned, modified: tuple[str, ...]) -> Plan | None:
        touches, quiet = self.machine.evaluator.modifiers.touches, set(planned.values) - set(modified)
        return make_plan(self.machine, planned.move, lambda name: touches(name) and name not in quiet)

    def legal(self, s: State, f: Frame, group: str) -> list[Any]:
        """Every legal move of a group: `("move", name, picks ...)`."""
        found: list[Any] = []
        you = f.you
        frame = Frame(-1, you, f.owner, -1, -1, [])
        for planned in self.groups.get(group, ()):
            modified = planned.modified(s, you) if planned.values else ()
            plans = planned.plans
            if modified not in plans:
                plans[modified] = self._plan(planned, modified)
            plan = plans[modified]
            if plan is not None:
                plan(s, frame, found)
        return found
