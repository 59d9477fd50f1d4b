"""What a selection of packs says, merged: every definition by section and id, with patches applied.

Definitions keep their nodes, so every value still knows the pack, file and line it came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dunerules.nearest import nearest
from dunerules.packs.grids import given_by_grid, square_node, squares
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, problem

__all__ = ["OBJECTS", "SECTIONS", "Change", "Content", "Entry", "Touch", "merge", "target_names"]

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

_SINGLE = ("flow", "end", "scoring")
"""Parts of rules.yaml of which a game has one. `setup`, `abilities` and `screen` of all packs add up instead."""


_SHORT = 20
"""Characters of a value that is told where changes are told."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a patch does to one key of a definition; without a key, to all of it."""

    how: Literal["set", "added to", "removed", "replaced"]
    key: str
    span: Span
    value: Any = None
    before: Any = None

    def __str__(self) -> str:
        values = [f"`{each}`" if isinstance(each, str) else str(each).lower() for each in (self.before, self.value)]
        told = (
            f" from {values[0]} to {values[1]}" if self.before is not None and max(map(len, values)) <= _SHORT else ""
        )
        return f"{self.how} {self.key}{told}".strip()


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
    setups: list[tuple[str, Node]] = field(default_factory=list)
    abilities: list[tuple[str, Node]] = field(default_factory=list)
    automaton: list[Node] = field(default_factory=list)
    """Those of a later pack come first: it answers its own questions before others answer all of them."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)
    squares: dict[str, Entry] = field(default_factory=dict)
    """By the id of a place that a grid has made: that grid."""
    screens: list[Node] = field(default_factory=list)
    game: Node | None = None
    after: dict[str, set[str]] = field(default_factory=dict)
    """By pack: those it says it comes after. What it changes of what they change, it changes knowingly."""

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
    content = Content(after={pack.id: _known_to(pack, packs) for pack in packs})
    problems: list[Problem] = []
    for pack in packs:
        for file in pack.files:
            if file.node is not None:
                _declare(content, file, pack.id, problems)
        for grid in [entry for entry in content.section("grid") if entry.pack == pack.id]:
            _make_places(content, grid, problems)
        for file in pack.files:
            if file.node is not None and file.kind == "patches":
                _patch(content, file.node, pack.id, problems)
    return content, problems


def _known_to(pack: Pack, packs: tuple[Pack, ...]) -> set[str]:
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
            touch = Touch("replaced", "", patch.span)
            _store(content, entry, new, Change((touch,), patch.text("reason"), patch.span, pack), problems)


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
    if entry is not None and entry.section == "grid":
        message = f"`{entry.target}` is laid out already, and cannot be changed"
        problems.append(problem("DR207", message, target.span, expected="patches of its places, kind/id"))
        return None
    return entry


def _store(content: Content, entry: Entry, node: Node, change: Change, problems: list[Problem]) -> None:
    """Keep a changed definition. Two packs that know nothing of each other cannot both have the last word."""
    for earlier in entry.changes:
        if earlier.pack not in content.after[change.pack]:
            problems += _clashes(entry, earlier, change)
    changed = replace(entry, node=node, changes=(*entry.changes, change))
    content.entries[(entry.section, entry.kind, entry.id)] = changed


def _clashes(entry: Entry, earlier: Change, change: Change) -> Iterator[Problem]:
    own = earlier.pack == change.pack
    for touch in change.touches:
        for other in earlier.touches:
            adding = touch.how == "added to" and (own or other.how == "added to")
            agreed = not own and (touch.how, touch.value) == (other.how, other.value) and touch.how != "replaced"
            if (touch.key == other.key or not touch.key or not other.key) and not adding and not agreed:
                what = (
                    f"`{touch.key or other.key}` of `{entry.target}`" if touch.key or other.key else f"`{entry.target}`"
                )
                done = {"set": "set", "added to": "added to", "removed": "removed", "replaced": "replaced whole"}
                message = (
                    f"{what} is {done[touch.how]} here, and {done[other.how]} by pack `{earlier.pack}`, {other.span}"
                )
                expected = (
                    "one change of it" if own else f"`optional` or `requires` for `{earlier.pack}`, or the other way"
                )
                related = ((other.span, f"by pack `{earlier.pack}`"),)
                yield problem("DR212", message, touch.span, expected=expected, related=related)


def _agreed(content: Content, entry: Entry, pack: str, how: str, key: str) -> bool:
    """Whether a pack that this one knows nothing of has done the same."""
    others = [each for each in entry.changes if each.pack != pack and each.pack not in content.after[pack]]
    return any((touch.how, touch.key) == (how, key) for each in others for touch in each.touches)


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
    touches: list[Touch] = []
    for name in patch.get("remove").items() if patch.get("remove") is not None else []:  # type: ignore[union-attr]
        if value.pop(name.value, None) is None and not _agreed(content, entry, pack, "removed", str(name.value)):
            near = nearest(str(name.value), value)
            problems.append(
                problem("DR207", f"`{entry.target}` has no `{name.value}` to remove", name.span, nearest=near)
            )
        touches.append(Touch("removed", str(name.value), name.span))
    for name, key, new in _entries(patch, "set"):
        old = value.get(name)
        same = old is not None and plain(old[1]) == plain(new)
        if same and not _agreed(content, entry, pack, "set", name):
            problems.append(
                problem("DR207", f"`{name}` of `{entry.target}` is already so", new.span, expected="a change")
            )
        value[name] = (key, new)
        touches.append(Touch("set", name, key.span, plain(new), plain(old[1]) if old is not None else None))
    for name, key, new in _entries(patch, "add"):
        value[name] = (key, _joined(value.get(name), new, entry, problems))
        touches.append(Touch("added to", name, key.span))
    change = Change(tuple(touches), patch.text("reason"), patch.span, pack)
    if not touches:
        problems.append(problem("DR207", "the patch says nothing", patch.span, expected="`set`, `add` or `remove`"))
    _store(content, entry, _map(entry.node, value), change, problems)


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
    touch = Touch("added to", "members", patch.span)
    _store(content, entry, joined, Change((touch,), patch.text("reason"), patch.span, pack), problems)


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
