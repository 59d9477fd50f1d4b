"""Scenario files as records: what an author wrote, opened up, with every place in the file kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import find_pack_root
from dunerules.packs.shape import check_file
from dunerules.packs.source import decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import Problem, Span, problem

__all__ = ["FaultError", "Line", "Scenario", "ScenarioFile", "lines_of", "read_scenarios"]

SEAT = re.compile(r"seat ([1-9][0-9]?)\Z")


class FaultError(Exception):
    """What is wrong with a scenario or with what came of it, and where that is written."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@dataclass(frozen=True, slots=True)
class Line:
    """One named thing and what is said of it. `seat` is set inside the block of a seat."""

    name: str
    seat: str
    key: Node
    value: Node

    @property
    def shown(self) -> str:
        """The whole line for a message."""
        return f"{self.name}{f' ({self.seat})' if self.seat else ''}: {shown_value(self.value)}"


@dataclass(frozen=True)
class Scenario:
    """One test: a position, what is run from there, the answers, and the difference it must make."""

    name: str
    key: Node
    seats: int
    players: int
    """Instead of seats: the table for so many."""
    seed: int
    options: tuple[tuple[str, str], ...]
    given: tuple[Line, ...]
    starts: tuple[Node, ...]
    this: Node | None
    steps: tuple[Node, ...]
    expect: tuple[Line, ...]
    strict: bool
    open: bool
    ignore: frozenset[str]

    @property
    def span(self) -> Span:
        """Where the scenario begins."""
        return self.key.span


@dataclass(frozen=True)
class ScenarioFile:
    """A file of scenarios with the packs they are played with, and what is wrong with the file itself."""

    path: Path
    name: str
    packs: tuple[str, ...]
    """Ids of packs, or the directory of the pack the file lies in."""
    scenarios: tuple[Scenario, ...]
    problems: tuple[Problem, ...] = ()


def read_scenarios(path: Path) -> ScenarioFile:
    """The scenarios of a file. Never raises."""
    name = shown_path(path.absolute())
    data, problems = read_bytes(path, name)
    source, more = decode(data, name) if data is not None else (None, [])
    problems = [*problems, *more]
    node: Node | None = None
    if source is not None:
        node, more = read_yaml(source)
        problems += more
        if node is None and not problems:
            problems.append(problem("DR102", "the file is empty", Span(name), expected="a map"))
    if node is not None:
        in_pack = find_pack_root(path.absolute().parent) is not None
        node, more = check_file(node, "scenario.schema.json", in_pack=in_pack)
        problems += more
    if problems or node is None:
        return ScenarioFile(path, name, (), (), tuple(problems))
    packs = node.get("packs")
    root = find_pack_root(path.absolute().parent)
    if packs is None and root is None:
        problems.append(
            problem("DR102", "the file lies in no pack and names none", Span(name), expected="`packs: [an_id]`")
        )
    chosen = tuple(item.value for item in packs.items()) if packs is not None else (str(root),)
    return ScenarioFile(path, name, chosen, tuple(_scenarios(node)), tuple(problems))


def _scenarios(node: Node) -> Iterator[Scenario]:
    entries = node.get("scenarios")
    for name, key, own in entries.entries() if entries is not None else ():
        options = {**_plain(node, "options"), **_plain(own, "options")}
        start = own.get("start") or node.get("start")
        yield Scenario(
            name,
            key,
            *_table(node, own),
            _number(own, "seed", _number(node, "seed", 1)),
            tuple(sorted(options.items())),
            (*lines_of(node.get("given")), *lines_of(own.get("given"))),
            tuple(start.items()) if start is not None else (),
            own.get("this"),
            tuple(steps.items()) if (steps := own.get("do")) is not None else (),
            tuple(lines_of(own.get("expect"))),
            _flag(own, "strict", True),
            _flag(own, "open", False),
            frozenset(item.value for each in (node, own) if (list_ := each.get("ignore")) for item in list_.items()),
        )


def _table(node: Node, own: Node) -> tuple[int, int]:
    """Seats and players of a scenario: what it says itself goes before what its file says."""
    for each in (own, node):
        if each.get("seats") is not None or each.get("players") is not None:
            return _number(each, "seats", 0), _number(each, "players", 0)
    return 0, 0


def lines_of(node: Node | None) -> Iterator[Line]:
    """The lines of a map; the block of a seat is opened."""
    for name, key, value in node.entries() if node is not None else ():
        if SEAT.match(name) and value.kind == "map":
            for inner, inner_key, inner_value in value.entries():
                yield Line(inner, name, inner_key, inner_value)
        else:
            yield Line(name, "", key, value)


def shown_value(node: Node) -> str:
    """A value on one line, as it could be written."""
    if node.kind == "map":
        return "{" + ", ".join(f"{name}: {shown_value(value)}" for name, _, value in node.entries()) + "}"
    if node.kind == "list":
        return "[" + ", ".join(map(shown_value, node.value)) + "]"
    return str(node.value).lower() if node.kind == "flag" else str(node.value)


def _plain(node: Node, name: str) -> dict[str, str]:
    found = node.get(name)
    return dict(plain(found)) if found is not None else {}


def _number(node: Node, name: str, default: int) -> int:
    found = node.get(name)
    return int(found.value) if found is not None else default


def _flag(node: Node, name: str, default: bool) -> bool:
    found = node.get(name)
    return bool(found.value) if found is not None else default
