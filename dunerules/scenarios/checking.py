"""Scenario files as `dunerules check` reads them: every name and form in them, and nothing that must be played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ParamSpec

from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.problems import CannotRunError, Problem, problem
from dunerules.scenarios.addresses import Addresses, UnknownNameError, item_named
from dunerules.scenarios.answers import text_of
from dunerules.scenarios.expect import KEYS, way_of
from dunerules.scenarios.offers import named_options
from dunerules.scenarios.position import MORE, pointed_at
from dunerules.scenarios.prepared import Prepared, prepare
from dunerules.scenarios.record import FaultError, Line, Scenario, lines_of, scenarios_of
from dunerules.scenarios.sound import asserts_nothing
from dunerules.scenarios.stage import Book

__all__ = ["check_scenarios"]

P = ParamSpec("P")

_NO_PLACES = ("moved", "lasting", "winners")


def check_scenarios(file: PackFile, book: Book) -> list[Problem]:
    """What is wrong with the scenarios of a file that is well formed."""
    scenarios = scenarios_of(file.node) if file.node is not None else []
    faults = [fault for scenario in scenarios for fault in _faults(scenario, book)]
    return [problem(fault.code or "DR904", str(fault).partition("\n")[0], fault.span) for fault in faults]


def _faults(scenario: Scenario, book: Book) -> Iterator[FaultError]:
    wrong = scenario.wrong or asserts_nothing(scenario)
    if wrong is not None:
        yield wrong
        if wrong is scenario.wrong:
            return
    try:
        prepared = prepare(scenario, book)
        for lines in scenario.worlds:
            prepare(replace(scenario, given=(*scenario.given, *lines)), book)
    except FaultError as fault:
        yield fault
        return
    except CannotRunError as error:
        yield FaultError(str(error), scenario.span, "DR904")
        return
    reading = _Reading(prepared)
    for node in scenario.watching:
        yield from reading.seat(str(node.value), node)
    for step in scenario.steps:
        yield from reading.step(step)
    yield from reading.lines(scenario.expect)


class _Reading:
    """Looks up what a scenario names at its table."""

    def __init__(self, prepared: Prepared) -> None:
        self.stage = prepared.stage
        self.addresses: Addresses = prepared.stage.addresses
        self.values = prepared.values

    def seat(self, name: str, node: Node) -> Iterator[FaultError]:
        if int(name.split()[1]) > self.stage.game.seats:
            yield FaultError(f"there is no {name} in a game of {self.stage.game.seats}", node.span, "DR901")

    # ---- steps

    def step(self, node: Node) -> Iterator[FaultError]:
        if node.kind != "map":
            yield from self._answer(node)
            return
        for name, key, value in node.entries():
            if not name.startswith("seat "):
                yield from self._check(name, value, "")
                continue
            if value.kind != "map":
                yield from self._answer(value)
            strangers = list(self.seat(name, key))
            yield from strangers
            for inner, _, said in value.entries() if not strangers else ():
                yield from self._check(inner, said, name)

    def _answer(self, node: Node) -> Iterator[FaultError]:
        for item in node.items():
            yield from self._option(text_of(item), item)

    def _option(self, text: str, node: Node) -> Iterator[FaultError]:
        unknown = self.stage.known.unknown(text)
        if unknown:
            yield FaultError(unknown, node.span, "DR901")

    def _check(self, name: str, value: Node, seat: str) -> Iterator[FaultError]:
        if name == "check":
            yield from self.lines(tuple(lines_of(value, seat)))
        elif name in {"sees", "hides"}:
            for who, key, said in [(seat, value, value)] if seat else value.entries():
                yield from self.seat(who, key)
                for node, text in [(key, name) for name, key, _ in said.entries()] or _texts(said):
                    yield from self._found(node, self.addresses.find, text, who)
        elif name != "pass_forced":
            for text, node, _ in named_options(value):
                yield from self._option(text, node)

    def _found(
        self, node: Node, look_up: Callable[P, object], *given: P.args, **named: P.kwargs
    ) -> Iterator[FaultError]:
        """What a look-up complains about, at a place."""
        try:
            look_up(*given, **named)
        except FaultError as fault:
            yield fault
        except UnknownNameError as error:
            yield FaultError(str(error), node.span, error.code)

    # ---- expectations

    def lines(self, lines: Sequence[Line]) -> Iterator[FaultError]:
        for line in lines:
            if line.name == "moved":
                yield from self._moved(line)
            elif line.name not in _NO_PLACES:
                yield from self._line(line)

    def _line(self, line: Line) -> Iterator[FaultError]:
        try:
            address = self.addresses.find(line.name, line.seat)
        except UnknownNameError as error:
            yield from self._value(line, error)
            return
        if address.zone:
            yield from self._zone(line.value, address.number)
        else:
            counter = self.addresses.counters.get(address.number)
            if counter is not None and self.addresses.words.counters[counter].holds.name != "amount":
                for part in str(line.value.value).split("->"):
                    yield from self._found(line.value, pointed_at, counter, part.strip(), self.addresses)

    def _value(self, line: Line, error: UnknownNameError) -> Iterator[FaultError]:
        faults = list(self._found(line.key, self.values.meant, line))
        if not faults and self.values.meant(line) is None:
            faults = [FaultError(str(error), line.key.span, error.code)]
        yield from faults

    def _zone(self, node: Node, zone: int) -> Iterator[FaultError]:
        for key, key_node, value in node.entries():
            if key not in KEYS:
                yield FaultError(f"`{key}` of a zone: expected {', '.join(KEYS)}", key_node.span, "DR904")
            elif value.kind == "list":
                yield from self._zone(value, zone)
        for item in node.value if node.kind == "list" else ():
            if item.value != MORE:
                yield from self._found(item, self._copies, str(item.value), zone)

    def _copies(self, text: str, zone: int) -> list[int]:
        return self.addresses.copies(item_named(text), zone)

    def _moved(self, line: Line) -> Iterator[FaultError]:
        for text, key, value in line.value.entries():
            for route in value.items():
                yield from self._found(key, self._way, text, route, line.seat)

    def _way(self, text: str, route: Node, seat: str) -> None:
        name, _, source, target = way_of(text, route)
        try:
            if name in self.addresses.words.pieces:
                for each in (source, target):
                    self.addresses.pool(name, each, seat)
                return
            for each in (source, target):
                self._copies(name, self.addresses.zone(each, seat))
        except UnknownNameError as error:
            raise FaultError(str(error), route.span, error.code) from None


def _texts(node: Node) -> list[tuple[Node, str]]:
    return [(item, str(item.value)) for item in node.items()]
