"""What packs declare: every definition by section and id.

Definitions keep their nodes, so every value still knows the pack, file and line it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dunerules.packs.grids import given_by_grid, square_node, squares
from dunerules.packs.nodes import Node, map_of, plain
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, problem

__all__ = [
    "OBJECTS",
    "RULES",
    "SECTIONS",
    "Change",
    "Content",
    "Entry",
    "How",
    "Touch",
    "ability_keys",
    "declare",
    "declared_abilities",
    "key_of",
    "known_to",
    "make_places",
]

SECTIONS: dict[str, tuple[str, str]] = {
    "trait": ("words", "traits"),
    "kind": ("words", "kinds"),
    "counter": ("words", "counters"),
    "piece": ("words", "pieces"),
    "zone": ("words", "zones"),
    "verb": ("verbs", "verbs"),
    "value": ("verbs", "values"),
    "procedure": ("rules", "procedures"),
    "move": ("rules", "moves"),
    "option": ("game", "options"),
    "ring": ("board", "rings"),
    "grid": ("board", "grids"),
}
"""Sections of named definitions: how patches call them, and the file kind and key they are written under."""

OBJECTS = "object"
"""The section of objects; patches call it by the kind of the object instead."""

RULES = ("rule", "setup", "ability")
"""Further sections of rules.yaml: its single parts; the setup of each pack, by the id of the pack (another one with
`_2` behind it); abilities by their id."""

_SINGLE = ("flow", "end", "scoring")
"""Parts of rules.yaml of which a game has one. `setup`, `abilities` and `screen` of all packs add up instead."""


_SHORT = 20
"""Characters of a value that is told where changes are told."""


How: TypeAlias = Literal[
    "set", "added to", "removed", "replaced", "and", "or", "amount", "option", "clause", "before", "after"
]  # fmt: skip

_TOLD: dict[How, str] = {
    "and": "joined by `and`:", "or": "joined by `or`:", "amount": "changed the amount of",
    "option": "gave an option to",
    "clause": "gave a clause to",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Touch:
    """What a patch does to one part of a definition: the keys and names that lead to it, none for all of it."""

    how: How
    path: tuple[str, ...]
    span: Span
    value: Any = None
    before: Any = None

    @property
    def key(self) -> str:
        """The key of the definition that is changed; empty if all of it is."""
        return self.path[0] if self.path else ""

    @property
    def where(self) -> str:
        """The part, as it is told."""
        return "/".join(self.path)

    def __str__(self) -> str:
        values = [f"`{each}`" if isinstance(each, str) else str(each).lower() for each in (self.before, self.value)]
        told = f" {self.where}".rstrip()
        if self.how in {"before", "after"}:
            where, end = "/".join(self.path[:-1]), self.path[-1]
            return f"inserted {self.value} {f'at the {end} of' if end != self.how else end} {where}".rstrip()
        if self.how in {"option", "clause"}:
            told += f": {self.value}"
        elif self.before is not None and max(map(len, values)) <= _SHORT:
            told += f" from {values[0]} to {values[1]}"
        return f"{_TOLD.get(self.how, self.how)}{told}"


@dataclass(frozen=True, slots=True)
class Change:
    """One patch or replacement that shaped a definition."""

    touches: tuple[Touch, ...]
    reason: str
    span: Span
    pack: str

    @property
    def how(self) -> str:
        """What it does, in words."""
        return ", ".join(map(str, self.touches)) or "nothing"


@dataclass(frozen=True, slots=True)
class Entry:
    """One definition: where it is declared, what it says now, and how it came to say it."""

    section: str
    id: str
    kind: str
    key: Node
    node: Node
    pack: str
    changes: tuple[Change, ...] = ()

    @property
    def target(self) -> str:
        """How a patch would name it."""
        return f"{self.kind if self.section == OBJECTS else self.section}/{self.id}"


@dataclass
class Content:
    """All definitions of a selection of packs."""

    entries: dict[tuple[str, str, str], Entry] = field(default_factory=dict)
    rule_abilities: list[tuple[str, Node | str]] = field(default_factory=list)
    """The abilities of the game, in order: the pack, and the ability itself or the id it has as an entry."""
    removed: dict[tuple[str, str, str], Entry] = field(default_factory=dict)
    """What packs have taken out of the game; the last change of each tells by whom."""
    automaton: list[Node] = field(default_factory=list)
    """Those of a later pack come first: it answers its own questions before others answer all of them."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)
    squares: dict[str, Entry] = field(default_factory=dict)
    """By the id of a place that a grid has made: that grid."""
    screens: list[Node] = field(default_factory=list)
    game: Node | None = None
    ordered: list[tuple[str, str, Problem]] = field(default_factory=list)
    """A pack, one before it, and what would be a clash of them if who plays had not given the order."""
    after: dict[str, set[str]] = field(default_factory=dict)
    """By pack: those it says it comes after. What it changes of what they change, it changes knowingly."""

    @property
    def setups(self) -> list[tuple[str, Node]]:
        """The setup of every pack that has one, in order."""
        return [(entry.pack, entry.node) for entry in self.section("setup")]

    @property
    def abilities(self) -> list[tuple[str, Node]]:
        """The abilities of the game itself, in order, each with its pack."""
        found = []
        for pack, ability in self.rule_abilities:
            entry = self.entries.get(("ability", "", ability)) if isinstance(ability, str) else None
            if isinstance(ability, Node):
                found.append((pack, ability))
            elif entry is not None:
                found.append((pack, entry.node))
        return found

    def section(self, name: str) -> Iterator[Entry]:
        """The definitions of one section, in the order they were read."""
        return (entry for entry in self.entries.values() if entry.section == name)

    def find(self, target: str) -> Entry | None:
        """The definition a patch calls `target`."""
        return self.entries.get(key_of(target))


def key_of(target: str) -> tuple[str, str, str]:
    """Section, kind and id of what a patch calls so."""
    section, _, id_ = target.partition("/")
    return (section, "", id_) if section in SECTIONS or section in RULES else (OBJECTS, section, id_)


def ability_keys(abilities: Iterable[Node]) -> list[str]:
    """What abilities in a list are known by: their id, or their number among those without one."""
    found, number = [], 0
    for ability in abilities:
        id_ = ability.text("id")
        number += not id_
        found.append(id_ or str(number))
    return found


def known_to(pack: Pack, packs: tuple[Pack, ...]) -> set[str]:
    """The packs that one requires or calls optional, and those that these do."""
    by_id, known, waiting = {each.id: each for each in packs}, set[str](), [pack]
    while waiting:
        named = {id_ for key in ("requires", "optional") for id_ in waiting[-1].ranges(key)}
        del waiting[-1]
        new = named & by_id.keys() - known - {pack.id}
        known |= new
        waiting += [by_id[id_] for id_ in new]
    return known


# ---- declarations


def declare(content: Content, file: PackFile, pack: str, problems: list[Problem]) -> None:
    """What a file declares, put to the rest."""
    node = file.node
    assert node is not None
    if file.kind == "objects":
        _objects(content, node, pack, problems)
        return
    if file.kind == "game":
        if content.game is None:
            content.game = node
        else:
            first = content.game.get("id") or content.game
            problems.append(
                problem(
                    "DR201",
                    "the game is declared twice",
                    node.span,
                    expected="one game.yaml; an expansion patches options and rules instead",
                    related=((first.span, "first declared here"),),
                )
            )
    for section, (kind, key) in SECTIONS.items():
        if file.kind == kind:
            for name, name_node, value in _entries(node, key):
                _add(content, Entry(section, name, "", name_node, value, pack), problems)
    if file.kind == "rules":
        for name, name_node, value in _entries(node, "options"):
            _add(content, Entry("option", name, "", name_node, value, pack), problems)
        for name in _SINGLE:
            if name in node.value:
                name_node, value = node.value[name]
                _add(content, Entry("rule", name, "", name_node, value, pack), problems)
        if "setup" in node.value:
            taken = sum(entry.pack == pack for entry in content.section("setup"))
            name = f"{pack}_{taken + 1}" if taken else pack
            key, effect = node.value["setup"]
            _add(content, Entry("setup", name, "", key, effect, pack), problems)
        screen = node.get("screen")
        if screen is not None:
            content.screens.append(screen)
        abilities = node.get("abilities")
        if abilities is not None and abilities.kind == "list":
            content.rule_abilities += declared_abilities(content, abilities.value, pack, problems)
        automaton = node.get("automaton")
        if automaton is not None and automaton.kind == "list":
            content.automaton = [*automaton.value, *content.automaton]
    if file.kind == "board":
        content.edges += _pairs(node.get("edges"))
        content.paths += _pairs(node.get("paths"))


def declared_abilities(
    content: Content, abilities: Iterable[Node], pack: str, problems: list[Problem]
) -> list[tuple[str, Node | str]]:
    """Abilities of the game as they are listed; those with an id become definitions that patches can name."""
    listed: list[tuple[str, Node | str]] = []
    for ability in abilities:
        id_ = ability.get("id")
        if id_ is None or id_.kind != "text":
            listed.append((pack, ability))
        elif _add(content, Entry("ability", id_.value, "", id_, ability, pack), problems):
            listed.append((pack, id_.value))
    return listed


def _entries(node: Node, key: str) -> Iterator[tuple[str, Node, Node]]:
    inner = node.get(key)
    return inner.entries() if inner is not None else iter(())


def _pairs(node: Node | None) -> list[tuple[str, str]]:
    if node is None or node.kind != "list":
        return []
    pairs = (plain(pair) for pair in node.value)
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def _objects(content: Content, node: Node, pack: str, problems: list[Problem]) -> None:
    kind = node.text("kind")
    objects, defaults = node.get("objects"), node.get("defaults")
    if not kind or objects is None:
        return
    inherited = defaults.value if defaults is not None and defaults.kind == "map" else {}
    for name, key, value in objects.entries():
        whole = map_of(value, {**inherited, **value.value}) if inherited and value.kind == "map" else value
        _add(content, Entry(OBJECTS, name, kind, key, whole, pack), problems)


def _add(content: Content, entry: Entry, problems: list[Problem]) -> bool:
    place = (entry.section, entry.kind, entry.id)
    first = content.entries.get(place)
    if first is None:
        content.entries[place] = entry
        return True
    problems.append(
        problem(
            "DR201",
            f"`{entry.target}` is declared twice",
            entry.key.span,
            expected="another id, or a patch with a reason",
            related=((first.key.span, f"first declared here, by pack `{first.pack}`"),),
        )
    )
    return False


def make_places(content: Content, pack: str, problems: list[Problem]) -> None:
    """Make the places of the grids of a pack."""
    for grid in [entry for entry in content.section("grid") if entry.pack == pack]:
        _make_places(content, grid, problems)


def _make_places(content: Content, grid: Entry, problems: list[Problem]) -> None:
    """Make the places of a grid. What the same pack says of one of them in a file of objects is said of that place."""
    kind = grid.node.text("kind")
    declared = content.entries.get(("kind", "", kind))
    if declared is None or declared.node.text("role") != "place":
        return  # reported where the file is read
    fields = given_by_grid(declared.node)
    clash: tuple[str, Entry] | None = None
    for square in squares(grid.node):
        place = (OBJECTS, kind, square.id)
        written = content.entries.get(place)
        other = content.squares.get(square.id)
        if other is not None or (written is not None and written.pack != grid.pack):
            clash = clash or (square.id, other or written or grid)
            continue
        if written is not None:
            problems += _given_twice(written, fields)
            del content.entries[place]  # it lies where the grid says
        node = square_node(square, grid.key, fields, written.node if written is not None else None)
        key = written.key if written is not None else grid.key
        content.entries[place] = Entry(OBJECTS, square.id, kind, key, node, grid.pack)
        content.squares[square.id] = grid
    if clash is not None:
        related = ((clash[1].key.span, "first declared here"),)
        expected = "`prefix:` with a word that goes before its ids"
        message = f"a place of the grid `{grid.id}` would be called `{clash[0]}` like another one"
        problems.append(problem("DR201", message, grid.key.span, expected=expected, related=related))


def _given_twice(written: Entry, fields: tuple[str, ...]) -> Iterator[Problem]:
    """What the grid says of a place nobody else does."""
    for name, key, _ in written.node.entries():
        if name in fields:
            yield problem("DR201", f"the grid says the `{name}` of `{written.id}`", key.span, expected="no such key")
