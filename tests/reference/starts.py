"""A text run from a position, as scenarios do it: the position for both, and the reference begun from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from dunerules.game import Rules
from dunerules.loading import load_packs
from dunerules.packs.nodes import Node
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import CannotRunError
from dunerules.runtime.state import State as EngineState
from dunerules.scenarios.addresses import Addresses, UnknownNameError, item_named
from dunerules.scenarios.position import set_position
from dunerules.scenarios.record import FaultError, Scenario, lines_of
from dunerules.scenarios.stage import Book as EngineBook
from dunerules.scenarios.stage import set_stage
from dunerules.understanding.objects import object_scope
from dunerules.understanding.ruleset import build_ruleset
from dunerules.understanding.understand import understand
from tests.reference import load
from tests.reference.matching import matching_of
from tests.reference.shadow import Shadow
from tests.reference.state import Context, Label

__all__ = ["Book", "Given", "Start", "scenario_of", "take_position"]

Given: TypeAlias = Mapping[str, Any]
"""A position as scenarios give it: `{"gold of seat 1": 3, "hand of seat 1": ["coin", "ring"], "leading": "seat 2"}`."""

MOST_LEARNED = 2000
"""Texts that machines keep before they are made anew."""


class Book:
    """The rules of some packs, for the engine and for the reference."""

    def __init__(self, *packs: str | Path) -> None:
        selection = load_packs(*packs)
        self.reference = load.load_rules(selection)
        self.rules = build_ruleset(understand(selection))
        self.engine = EngineBook(self.rules, self.reference.desk, self.rules.verbs)
        self.playable = Rules(self.rules, {})
        self.quiet = Rules(replace(self.rules, setups=[], flow=-1), {})
        """The same without setup and flow, for effects."""

        self._addresses: dict[int, Addresses] = {}

    def addresses(self, seats: int) -> Addresses:
        """The names of a table at which effects are run."""
        if seats not in self._addresses:
            self._addresses[seats] = Addresses(self.quiet.machine(seats, {})[1])
        return self._addresses[seats]


def scenario_of(text: str, *, seat: int, seats: int, seed: int, given: Given, this: str) -> Scenario:
    """A start as a scenario without answers."""
    start = _node(text if seat < 0 else f"{text} of seat {seat + 1}")
    lines = tuple(lines_of(_node(dict(given))))
    key, standing = _node("compared"), _node(this) if this else None
    return Scenario("", key, seats, 0, seed, (), lines, (start,), standing, (), (), True, False, ())


def _node(value: Any) -> Node:
    """A value as the reader of packs would give it."""
    found, problems = read_yaml(Source("given", json.dumps(value)))
    if found is None or problems:
        raise CannotRunError(f"cannot be written in YAML: {value!r}")
    return found


def take_position(state: EngineState, given: Given, addresses: Addresses) -> None:
    """Make a state as a position says."""
    set_position(state, tuple(lines_of(_node(dict(given)))), addresses)


class Start:
    """A scenario about to begin: its position, and what is run from there."""

    def __init__(self, book: Book, scenario: Scenario) -> None:
        if sum(len(hall.programs) for hall in book.engine.halls.values()) > MOST_LEARNED:
            book.engine.halls.clear()
        self.book = book
        self.scenario = scenario
        stage = set_stage(book.engine, scenario)
        set_position(stage.game.state, scenario.given, stage.addresses)
        self.position: EngineState = stage.game.state
        self.addresses: Addresses = stage.addresses
        self.matching = matching_of(book.reference, stage.game.names)

    def shadow(self) -> Shadow:
        """The reference, run to its first question."""
        table = self.matching.table
        [start] = self.scenario.starts
        text, _, seat = str(start.value).rpartition(" of seat ")
        you = int(seat) - 1 if text else None
        this = self._this()
        place = isinstance(this, Label) and table.words.kinds[this.kind].role == "place"
        here = this if isinstance(this, Label) and place else None
        desk, scope = self.book.reference.desk, self.book.reference.desk.scope()
        if this is not None:
            kind = (this if isinstance(this, Label) else table.label(this)).kind
            scope = object_scope(table.words.kinds[kind], desk)
        body = desk.effect(_node(text or str(start.value)), scope)
        assert body is not None
        return Shadow.of_effect(self.matching, self.position, body, Context(you, you, this, here))

    def _this(self) -> int | Label | None:
        """What the text stands on: a copy of a thing, or a place."""
        if self.scenario.this is None:
            return None
        name, _, where = str(self.scenario.this.value).partition(" in ")
        if not where:
            words = self.book.rules.words
            kinds = [kind for kind, ids in words.objects.items() if name in ids and words.kinds[kind].role != "thing"]
            return Label(kinds[0], name)
        try:
            zone = self.addresses.zone(where)
            copies = self.addresses.copies(item_named(name), zone)
        except UnknownNameError as error:
            raise FaultError(str(error), self.scenario.span) from None
        lying = [each for each in self.position.zones[zone] if each in copies]
        if not lying:
            raise FaultError(f"there is no `{name}` in `{where}`", self.scenario.span)
        return lying[0]
