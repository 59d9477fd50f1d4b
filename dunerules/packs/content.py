"""What a selection of packs says, merged: every definition by section and id, with patches applied.

Definitions keep their nodes, so every value still knows the pack, file and line it came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dunerules.nearest import nearest
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, problem

__all__ = ["OBJECTS", "SECTIONS", "Change", "Content", "Entry", "merge", "target_names"]

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
}
"""Sections of named definitions: how patches call them, and the file kind and key they are written under."""

OBJECTS = "object"
"""The section of objects; patches call it by the kind of the object instead."""

_SINGLE = ("flow", "end", "scoring")
"""Parts of rules.yaml of which a game has one. `setup`, `abilities` and `screen` of all packs add up instead."""


@dataclass(frozen=True, slots=True)
class Change:
    """One patch or replacement that shaped a definition."""

    how: str
    reason: str
    span: Span
    pack: str


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
    setups: list[tuple[str, Node]] = field(default_factory=list)
    abilities: list[tuple[str, Node]] = field(default_factory=list)
    automaton: list[Node] = field(default_factory=list)
    """Those of a later pack come first: it answers its own questions before others answer all of them."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)
    screens: list[Node] = field(default_factory=list)
    game: Node | None = None

    def section(self, name: str) -> Iterator[Entry]:
        """The definitions of one section, in the order they were read."""
        return (entry for entry in self.entries.values() if entry.section == name)

    def find(self, target: str) -> Entry | None:
        """The definition a patch calls `target`."""
        section, _, id_ = target.partition("/")
        if section in SECTIONS or section == "rule":
            return self.entries.get((section, "", id_))
        return self.entries.get((OBJECTS, section, id_))


def target_names(content: Content) -> list[str]:
    """Every name a patch could use."""
    return [entry.target for entry in content.entries.values()]


def merge(packs: tuple[Pack, ...]) -> tuple[Content, list[Problem]]:
    """The content of packs in order, and what is wrong with putting them together."""
    content = Content()
    problems: list[Problem] = []
    for pack in packs:
        for file in pack.files:
            if file.node is not None:
                _declare(content, file, pack.id, problems)
        for file in pack.files:
            if file.node is not None and file.kind == "patches":
                _patch(content, file.node, pack.id, problems)
    return content, problems


# ---- declarations


def _declare(content: Content, file: PackFile, pack: str, problems: list[Problem]) -> None:
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
        setup = node.get("setup")
        if setup is not None:
            content.setups.append((pack, setup))
        screen = node.get("screen")
        if screen is not None:
            content.screens.append(screen)
        abilities = node.get("abilities")
        if abilities is not None and abilities.kind == "list":
            content.abilities += [(pack, ability) for ability in abilities.value]
        automaton = node.get("automaton")
        if automaton is not None and automaton.kind == "list":
            content.automaton = [*automaton.value, *content.automaton]
    if file.kind == "board":
        content.edges += _pairs(node.get("edges"))
        content.paths += _pairs(node.get("paths"))


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
        whole = _map(value, {**inherited, **value.value}) if inherited and value.kind == "map" else value
        _add(content, Entry(OBJECTS, name, kind, key, whole, pack), problems)


def _add(content: Content, entry: Entry, problems: list[Problem]) -> None:
    place = (entry.section, entry.kind, entry.id)
    first = content.entries.get(place)
    if first is None:
        content.entries[place] = entry
        return
    problems.append(
        problem(
            "DR201",
            f"`{entry.target}` is declared twice",
            entry.key.span,
            expected="another id, or a patch with a reason",
            related=((first.key.span, f"first declared here, by pack `{first.pack}`"),),
        )
    )


def _map(like: Node, value: dict[str, tuple[Node, Node]]) -> Node:
    return Node(like.source, "map", value, like.start, like.end, like.style)


# ---- patches


def _patch(content: Content, node: Node, pack: str, problems: list[Problem]) -> None:
    for patch in _items(node, "patches"):
        entry = _target(content, patch, problems)
        if entry is not None:
            _apply(content, entry, patch, pack, problems)
    for patch in _items(node, "replace"):
        entry = _target(content, patch, problems)
        new = patch.get("with")
        if entry is not None and new is not None:
            change = Change("replaced", patch.text("reason"), patch.span, pack)
            _store(content, replace(entry, node=new, changes=(*entry.changes, change)))


def _items(node: Node, key: str) -> list[Node]:
    found = node.get(key)
    return [item for item in found.value if item.kind == "map"] if found is not None and found.kind == "list" else []


def _target(content: Content, patch: Node, problems: list[Problem]) -> Entry | None:
    target = patch.get("target")
    if target is None or target.kind != "text":
        return None
    entry = content.find(target.value)
    if entry is None:
        near = nearest(target.value, target_names(content))
        message = f"the patch matches nothing: there is no `{target.value[:80]}`"
        problems.append(problem("DR207", message, target.span, expected="kind/id or section/id", nearest=near))
    return entry


def _store(content: Content, entry: Entry) -> None:
    content.entries[(entry.section, entry.kind, entry.id)] = entry


def _apply(content: Content, entry: Entry, patch: Node, pack: str, problems: list[Problem]) -> None:
    """One patch: `remove`, then `set`, then `add`. What changes nothing is reported."""
    if entry.section == "trait" and entry.node.kind == "list":
        _extend(content, entry, patch, pack, problems)
        return
    if entry.node.kind != "map":
        message = f"`{entry.target}` is written in the short form and cannot be patched by key"
        problems.append(problem("DR207", message, patch.span, expected="`replace` with a whole new definition"))
        return
    value = dict(entry.node.value)
    how = []
    for name in patch.get("remove").items() if patch.get("remove") is not None else []:  # type: ignore[union-attr]
        if value.pop(name.value, None) is None:
            near = nearest(str(name.value), value)
            problems.append(
                problem("DR207", f"`{entry.target}` has no `{name.value}` to remove", name.span, nearest=near)
            )
        how.append(f"removed {name.value}")
    for name, key, new in _entries(patch, "set"):
        old = value.get(name)
        if old is not None and plain(old[1]) == plain(new):
            problems.append(
                problem("DR207", f"`{name}` of `{entry.target}` is already so", new.span, expected="a change")
            )
        value[name] = (key, new)
        how.append(f"set {name}")
    for name, key, new in _entries(patch, "add"):
        value[name] = (key, _joined(value.get(name), new, entry, problems))
        how.append(f"added to {name}")
    change = Change(", ".join(how) or "nothing", patch.text("reason"), patch.span, pack)
    if not how:
        problems.append(problem("DR207", "the patch says nothing", patch.span, expected="`set`, `add` or `remove`"))
    _store(content, replace(entry, node=_map(entry.node, value), changes=(*entry.changes, change)))


def _extend(content: Content, entry: Entry, patch: Node, pack: str, problems: list[Problem]) -> None:
    """A trait family is a plain list; the only patch for it is `add: {members: [...]}`."""
    added = patch.get("add")
    members = added.get("members") if added is not None else None
    if members is None or "set" in patch.value or "remove" in patch.value:
        expected = "`add: {members: [...]}`, or `replace` with a whole list"
        problems.append(problem("DR207", f"`{entry.target}` is a list of members", patch.span, expected=expected))
        return
    joined = Node(
        entry.node.source, "list", [*entry.node.value, *members.items()], entry.node.start, entry.node.end, "{"
    )
    change = Change("added members", patch.text("reason"), patch.span, pack)
    _store(content, replace(entry, node=joined, changes=(*entry.changes, change)))


def _joined(old: tuple[Node, Node] | None, new: Node, entry: Entry, problems: list[Problem]) -> Node:
    """Lists and maps joined, numbers added, a missing value taken as it is."""
    if old is None:
        return new
    before = old[1]
    if before.kind == "list" or new.kind == "list":
        return Node(new.source, "list", [*before.items(), *new.items()], new.start, new.end, "{")
    if before.kind == new.kind == "map":
        for name, (key, _) in new.value.items():
            if name in before.value:
                message = f"`{name}` is already there; `add` only adds"
                problems.append(problem("DR207", message, key.span, expected="a new key, or `set`"))
        return _map(new, {**before.value, **new.value})
    if before.kind == new.kind == "number":
        return Node(new.source, "number", before.value + new.value, new.start, new.end)
    message = f"nothing can be added to this part of `{entry.target}`"
    problems.append(problem("DR207", message, new.span, expected="`set`, for a text or flag"))
    return new
