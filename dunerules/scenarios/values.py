"""Values that are expected: what an expression of the language comes to for a seat, before and after."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from dunerules.catalog import severity_of
from dunerules.dsl import meaning as m
from dunerules.packs.nodes import Node
from dunerules.runtime.state import Frame, State
from dunerules.scenarios.addresses import UnknownNameError
from dunerules.scenarios.record import FaultError, Line
from dunerules.scenarios.stage import Stage

__all__ = ["Value", "Values", "Worth"]

_SEAT = re.compile(r"(?P<text>.*?)(?: of seat (?P<seat>[1-9][0-9]?))?\Z")

Worth: TypeAlias = "Callable[[Line], Value | None]"
"""What an expectation's name comes to, if it is that of a value."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number, a truth, or the name of something; groups are lists of names. Before and now."""

    kind: str
    before: Any
    now: Any


class Values:
    """Asks values of a game."""

    def __init__(self, stage: Stage, this: int = -1, here: int = -1) -> None:
        self.stage = stage
        self.this = this
        self.here = here

    def of(self, before: State) -> Worth:
        """Values now, and as they were before."""

        def worth(line: Line) -> Value | None:
            found = self.meant(line)
            if found is None:
                return None
            meant, seat = found
            asked = self.stage.game.machine.evaluator.compile(meant)
            frame = Frame(-1, seat, seat, self.this, self.here, [])
            states = map(_fresh, (before, self.stage.game.state))
            old, new = (self._shown(meant, asked(state, frame, -1)) for state in states)
            return Value("group" if meant.type.many else meant.type.name, old, new)

        return worth

    def meant(self, line: Line) -> tuple[m.Expression, int] | None:
        """The expression that a name is, and for whom it is asked; nothing if it does not begin with a value."""
        words, desk = self.stage.addresses.words, self.stage.book.desk
        match = _SEAT.match(line.name)
        assert match is not None
        head = re.split(r"[ (]", match["text"], maxsplit=1)[0]
        if head not in words.values and head not in {"count", "sum", "most", "least"}:
            return None
        seat = int(match["seat"] or (line.seat.split()[1] if line.seat else 0)) - 1
        if seat >= self.stage.game.seats:
            raise UnknownNameError(f"there is no seat {seat + 1}")
        key = line.key
        text = Node(key.source, "text", match["text"], key.start, key.end, key.style)
        before = len(desk.findings.problems)
        meant = desk.expression(text, self.stage.scope)
        found = [each for each in desk.findings.problems[before:] if severity_of(each.code) == "error"]
        del desk.findings.problems[before:]
        if found or meant is None:
            said = "; ".join(filter(None, [found[0].message, found[0].hint])) if found else "no value"
            raise FaultError(f"`{line.name}`: {said}", found[0].span if found else key.span, found[0].code)
        return meant, seat

    def _shown(self, meant: m.Expression, value: Any) -> Any:
        if meant.type.many:
            return sorted(self._name(meant, each) for each in value)
        if meant.type.name == "condition":
            return bool(value)
        return value if meant.type.name == "amount" else self._name(meant, value)

    def _name(self, meant: m.Expression, number: int) -> str:
        names = self.stage.game.names
        return names.option(number, names.table.option_kind(meant.type)) if number >= 0 else "nothing"


def _fresh(state: State) -> State:
    state.fuel = state.looks = 0
    return state
