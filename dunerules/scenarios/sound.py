"""Whether a scenario says anything that could turn out to be wrong."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.packs.nodes import Node
from dunerules.scenarios.record import FaultError, Line, Scenario

__all__ = ["asserts_nothing"]

_CHECKS = ("check", "offered", "only_offered", "not_offered", "sees", "hides")


def asserts_nothing(scenario: Scenario) -> FaultError | None:
    """The fault of a scenario, or of a part of it, that holds whatever happens."""
    empty = next(_empty(scenario), None)
    if empty is not None:
        return FaultError("this asserts nothing: say what is expected, or leave it out", empty.span, "DR902")
    checks = any(name in _CHECKS for step in scenario.steps for name in _keys(step))
    said = any(not _whatever(line) for line in scenario.expect)
    if scenario.strict or scenario.open or checks or said or scenario.worlds:
        return None
    message = "the scenario asserts nothing: with `strict: false` it must expect something, or check it on the way"
    return FaultError(message, scenario.span, "DR902")


def _keys(step: Node) -> Iterator[str]:
    for name, _, value in step.entries():
        yield name
        if name.startswith("seat "):
            yield from (inner for inner, _, _ in value.entries())


def _empty(scenario: Scenario) -> Iterator[Node]:
    """Places where something should be said and nothing is."""
    for line in scenario.expect:
        yield from _empty_line(line.value)
    for step in scenario.steps:
        for name, key, value in step.entries():
            inner = value.entries() if name.startswith("seat ") else [(name, key, value)]
            for check, check_key, said in inner:
                if check in _CHECKS:
                    yield from _empty_check(check, check_key, said)


def _empty_check(name: str, key: Node, value: Node) -> Iterator[Node]:
    if value.kind in {"map", "list"} and not value.value and name != "only_offered":
        yield key
    for inner, inner_key, said in value.entries():
        if name == "check":
            yield from _empty_line(said)
        elif inner.startswith("seat ") and not said.value:
            yield inner_key


def _empty_line(value: Node) -> Iterator[Node]:
    """Maps of an expectation must say something. An empty list is an empty zone, no gain or no loss, but no top."""
    if value.kind == "map" and not value.value:
        yield value
    for inner, _, said in value.entries():
        if said.kind == "map":
            yield from _empty_line(said)
        elif said.kind == "list" and not said.value and inner == "top":
            yield said


def _whatever(line: Line) -> bool:
    """Whether a line only says that a zone may be anything."""
    return line.value.kind == "map" and set(line.value.value) == {"mixed"}
