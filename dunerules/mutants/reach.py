"""What every scenario comes to: found out by playing it once by the unchanged rules, on a machine of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, SupportsIndex

from dunerules.dsl.program import Program
from dunerules.game import Game
from dunerules.mutants.difference import Affected
from dunerules.mutants.rebuild import Made
from dunerules.packs.nodes import Node
from dunerules.scenarios.record import Scenario
from dunerules.scenarios.run import Outcome, play
from dunerules.scenarios.stage import Book

__all__ = ["Reached", "book_of", "watched", "without_reasons"]

_WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Reached:
    """A scenario, and what it comes to."""

    scenario: Scenario
    words: frozenset[str]
    """Every word of its file: scenarios build on each other, and on what is said for all."""
    own: frozenset[str]
    """Every word of its own."""
    programs: frozenset[int]
    groups: frozenset[str]
    things: frozenset[tuple[str, str]]
    """Objects that were moved or were somewhere to be seen, and all places and labels."""

    def notices(self, affected: Affected) -> bool:
        """Whether it could be different for a change."""
        return (
            affected.everything
            or not self.programs.isdisjoint(affected.programs)
            or not self.words.isdisjoint(affected.words)
            or not self.groups.isdisjoint(affected.groups)
            or not self.things.isdisjoint(affected.things)
        )


def book_of(made: Made) -> Book:
    """Rules to play scenarios by."""
    return Book(made.rules, made.desk, made.rules.verbs)


class _Recorded(list[Program]):
    """The programs of a machine, which remember which of them were looked at."""

    def __init__(self, programs: list[Program]) -> None:
        super().__init__(programs)
        self.seen: set[int] = set()

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, SupportsIndex):
            self.seen.add(int(number))
        return super().__getitem__(number)


def watched(scenario: Scenario, made: Made, end: int) -> tuple[Outcome, Reached]:
    """Play a scenario and see what it comes to; `end` is where the next one begins in its file."""
    seen: set[int] = set()
    things: set[tuple[str, str]] = set()
    groups: set[str] = set()

    def watch(game: Game) -> None:
        machine, programs = game.machine, game.machine.shop.programs
        if not isinstance(programs.all, _Recorded):
            programs.all = _Recorded(programs.all)
        seen.update(programs.all.seen)
        groups.update(name for name, group in machine.moves.groups.items() if group.plans)
        things.update(_exposed(game))

    outcome = play(scenario, book_of(made), watch)
    text = scenario.key.source.text
    own = frozenset(_WORD.findall(text, scenario.key.start, end))
    return outcome, Reached(scenario, _words(text), own, frozenset(seen), frozenset(groups), frozenset(things))


@lru_cache(2)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _exposed(game: Game) -> set[tuple[str, str]]:
    """Things with a copy that has left the pile it starts in, or lies where anybody sees it; places and labels."""
    layout, kinds = game.machine.table.layout, game.machine.table.rules.words.kinds
    hidden = [layout.zones[name].sight == "none" for name in layout.zone_names]
    numbers = {
        layout.objects[copy]
        for copy, zone in enumerate(game.state.where)
        if zone != layout.start_zone[copy] or not hidden[zone]
    }
    numbers.update(number for number, thing in enumerate(layout.things) if kinds[thing.kind].role != "thing")
    return {(layout.things[number].kind, layout.things[number].id) for number in numbers}


def without_reasons(node: Node) -> Node:
    """A step that does not ask why something is not offered: reasons are printed texts of the rules."""
    unoffered = node.get("not_offered")
    if unoffered is None or unoffered.kind != "map":
        return node
    names = Node(unoffered.source, "list", [key for _, key, _ in unoffered.entries()], unoffered.start, unoffered.end)
    value = {**node.value, "not_offered": (node.value["not_offered"][0], names)}
    return Node(node.source, "map", value, node.start, node.end, node.style)
