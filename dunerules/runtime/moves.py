"""Moves: every legal way to make one, as options of a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dunerules.dsl import meaning as m
from dunerules.runtime.inline import asked_values
from dunerules.runtime.plans import Plan, make_plan
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame, State

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Moves"]


@dataclass(frozen=True, slots=True)
class _Group:
    """Moves that are offered together, with plans for every set of values that are modified at the moment.

    Plans are made when they are first needed. A move that cannot be made at all has none.
    """

    moves: list[Move]
    values: tuple[str, ...]
    """What conditions of the moves ask for the acting seat that something may modify."""
    modified: Callable[[State, int], tuple[str, ...]]
    """Which of them something modifies now."""
    plans: dict[tuple[str, ...], list[Plan]] = field(default_factory=dict)


class Moves:
    """The moves of a table by group."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.groups: dict[str, _Group] = {}
        self.by_name: dict[str, Move] = {}

    def build(self) -> None:
        """Prepare every group."""
        for name, moves in self.machine.table.rules.moves.items():
            self.groups[name] = self._group(moves)
            self.by_name |= {move.name: move for move in moves}

    def _group(self, moves: list[Move]) -> _Group:
        values, modifiers = self.machine.table.rules.values, self.machine.evaluator.modifiers
        found = [each for move in moves for node in self._asked(move) for each in asked_values(node, values)]
        elsewhere = {name for name, other_seat in found if other_seat} | modifiers.standing
        names = dict.fromkeys(name for name, _ in found if modifiers.touches(name) and name not in elsewhere)
        return _Group(moves, tuple(names), modifiers.which(tuple(names)))

    def _asked(self, move: Move) -> list[Any]:
        """All that is asked to know whether a move can be made."""
        found: list[Any] = [group for _, group in move.takes]
        found += [move.condition] if move.condition is not None else []
        found += self.machine.programs[move.cost].code if move.cost >= 0 else ()
        return found

    def bluffing(self, group: str) -> Callable[[State, Frame], bool]:
        """Whether a seat holds anything unseen that moves of a group are made with, so that it might have a move."""
        table = self.machine.table
        unseen = [
            taken.zone
            for move in table.rules.moves.get(group, ())
            for _, taken in move.takes
            if isinstance(taken, m.Named) and isinstance(taken.zone, m.ZoneRef) and self._unseen(taken.zone)
        ]
        zones = [self.machine.evaluator.zone_numbers(zone) for zone in dict.fromkeys(unseen)]
        if not zones:
            return lambda s, f: False

        def bluffing(s: State, f: Frame) -> bool:
            for numbers in zones:
                for zone in numbers(s, f, -1):
                    if s.zones[zone]:
                        return True
            return False

        return bluffing

    def _unseen(self, node: m.ZoneRef) -> bool:
        parts = [part for name in node.zones for part in self.machine.table.rules.words.zone_parts(name)]
        return any(part.sight != "all" for part in parts)

    def _plans(self, group: _Group, modified: tuple[str, ...]) -> list[Plan]:
        touches, quiet = self.machine.evaluator.modifiers.touches, set(group.values) - set(modified)
        plans = [
            make_plan(self.machine, move, lambda name: touches(name) and name not in quiet) for move in group.moves
        ]
        return [plan for plan in plans if plan is not None]

    def legal(self, s: State, f: Frame, name: str) -> list[Any]:
        """Every legal move of a group: `("move", name, picks ...)`."""
        found: list[Any] = []
        group = self.groups.get(name)
        if group is None:
            return found
        modified = group.modified(s, f.you)
        plans = group.plans.get(modified)
        if plans is None:
            plans = group.plans[modified] = self._plans(group, modified)
        for plan in plans:
            plan(s, f, found)
        return found
