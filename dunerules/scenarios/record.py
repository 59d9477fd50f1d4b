"""Scenario files as records: what an author wrote, opened up, with every place in the file kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dunerules.nearest import nearest
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import find_pack_root
from dunerules.packs.shape import check_file
from dunerules.packs.source import decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import Problem, Span, problem

__all__ = ["Act", "FaultError", "Line", "Scenario", "ScenarioFile", "lines_of", "read_scenarios", "scenarios_of"]

SEAT = re.compile(r"seat ([1-9][0-9]?)\Z")


class FaultError(Exception):
    """What is wrong with a scenario or with what came of it, and where that is written."""

    def __init__(self, message: str, span: Span, code: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.code = code
        """The rule that the text alone breaks; nothing where it is only not so."""


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
class Act:
    """What is run, and the answers and checks on the way."""

    starts: tuple[Node, ...]
    steps: tuple[Node, ...]


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
    ignore: tuple[Node, ...]
    earlier: tuple[Act, ...] = ()
    """The acts of the scenario it is like, which are played before its own."""
    worlds: tuple[tuple[Line, ...], ...] = ()
    """Positions between which some seats must see no difference."""
    watching: tuple[Node, ...] = ()
    """These seats."""
    wrong: FaultError | None = None
    """Why it cannot be played at all: it is like a scenario that is not there, or like itself."""

    @property
    def ignored(self) -> frozenset[str]:
        """The counters that need no mention."""
        return frozenset(str(node.value) for node in self.ignore)

    @property
    def acts(self) -> tuple[Act, ...]:
        """All that is played, in order."""
        return (*self.earlier, Act(self.starts, self.steps))

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
    return ScenarioFile(path, name, chosen, tuple(scenarios_of(node)), tuple(problems))


def scenarios_of(node: Node) -> list[Scenario]:
    """The scenarios of a file that is well formed."""
    entries = node.get("scenarios")
    reader = _Reader(node, {name: (key, own) for name, key, own in entries.entries()} if entries is not None else {})
    return [reader.scenario(name) for name in reader.entries]


@dataclass
class _Reader:
    """Opens up the scenarios of one file; one that is like another is read after it."""

    file: Node
    entries: dict[str, tuple[Node, Node]]
    read: dict[str, Scenario] = field(default_factory=dict)
    reading: list[str] = field(default_factory=list)

    def scenario(self, name: str) -> Scenario:
        if name not in self.read:
            self.reading.append(name)
            self.read[name] = self._scenario(name)
            self.reading.pop()
        return self.read[name]

    def _scenario(self, name: str) -> Scenario:
        key, own = self.entries[name]
        like, wrong = self._like(own)
        start = own.get("start") or (self.file.get("start") if like is None else None)
        options = dict(like.options) if like is not None else _plain(self.file, "options")
        options |= _plain(own, "options")
        given = like.given if like is not None else tuple(lines_of(self.file.get("given")))
        worlds = own.get("worlds")
        return Scenario(
            name,
            key,
            *self._table(own, like),
            _number(own, "seed", like.seed if like is not None else _number(self.file, "seed", 1)),
            tuple(sorted(options.items())),
            (*given, *lines_of(own.get("given"))),
            tuple(start.items()) if start is not None else (),
            own.get("this") or (like.this if like is not None else None),
            tuple(steps.items()) if (steps := own.get("do")) is not None else (),
            tuple(lines_of(own.get("expect"))),
            _flag(own, "strict", worlds is None),
            _flag(own, "open", False),
            (*(like.ignore if like is not None else _items(self.file, "ignore")), *_items(own, "ignore")),
            like.acts if like is not None else (),
            tuple(tuple(lines_of(each)) for each in _items(worlds, "given")),
            tuple(_items(worlds, "for")),
            wrong,
        )

    def _like(self, own: Node) -> tuple[Scenario | None, FaultError | None]:
        node = own.get("like")
        if node is None:
            return None, None
        if node.value in self.reading:
            circle = " -> ".join([*self.reading[self.reading.index(node.value) :], node.value])
            return None, FaultError(f"`like` goes in a circle: {circle}", node.span, "DR904")
        if node.value not in self.entries:
            near = nearest(str(node.value), self.entries)
            hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
            return None, FaultError(f"there is no scenario `{node.value}` in this file{hint}", node.span, "DR901")
        found = self.scenario(node.value)
        return found, found.wrong

    def _table(self, own: Node, like: Scenario | None) -> tuple[int, int]:
        """Seats and players of a scenario: what it says itself goes before what its file says."""
        for each in (own,) if like is not None else (own, self.file):
            if each.get("seats") is not None or each.get("players") is not None:
                return _number(each, "seats", 0), _number(each, "players", 0)
        return (like.seats, like.players) if like is not None else (0, 0)


def lines_of(node: Node | None, seat: str = "") -> Iterator[Line]:
    """The lines of a map; the block of a seat is opened. The map may be the block of a seat itself."""
    for name, key, value in node.entries() if node is not None else ():
        if SEAT.match(name) and value.kind == "map":
            for inner, inner_key, inner_value in value.entries():
                yield Line(inner, name, inner_key, inner_value)
        else:
            yield Line(name, seat, key, value)


def shown_value(node: Node) -> str:
    """A value on one line, as it could be written."""
    if node.kind == "map":
        return "{" + ", ".join(f"{name}: {shown_value(value)}" for name, _, value in node.entries()) + "}"
    if node.kind == "list":
        return "[" + ", ".join(map(shown_value, node.value)) + "]"
    return str(node.value).lower() if node.kind == "flag" else str(node.value)


def _items(node: Node | None, name: str) -> list[Node]:
    found = node.get(name) if node is not None else None
    return list(found.items()) if found is not None else []


def _plain(node: Node, name: str) -> dict[str, str]:
    found = node.get(name)
    return dict(plain(found)) if found is not None else {}


def _number(node: Node, name: str, default: int) -> int:
    found = node.get(name)
    return int(found.value) if found is not None else default


def _flag(node: Node, name: str, default: bool) -> bool:
    found = node.get(name)
    return bool(found.value) if found is not None else default
