"""What a patch can name: a definition, an ability in it, or a named step; and how a part is put in its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from dunerules.packs.content import Content, Entry
from dunerules.packs.nodes import Node, map_of

__all__ = [
    "ORIGINAL",
    "Path",
    "Spot",
    "beside",
    "find",
    "inner_names",
    "is_steps",
    "long_form",
    "part_at",
    "put",
    "short_again",
]

Path: TypeAlias = tuple[str, ...]
"""Keys, ids of abilities and names of steps that lead to a part of a definition in its long form."""

ORIGINAL = "original"
"""The step that a text becomes when others are put before or after it."""

_SHORT = {"verb": "do", "procedure": "do", "value": "is"}
"""Sections with a short form, and the key that it is short for."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What a target means: a definition, and where in it; nowhere for all of it."""

    entry: Entry
    path: Path = ()

    @property
    def is_step(self) -> bool:
        """Whether it is a named step: a text, which has no keys."""
        return bool(self.path) and self.path[-2:-1] != ("abilities",)


def long_form(entry: Entry) -> Node:
    """A definition as a map: what is an effect alone has it under `do`, a value in short what it is under `is`."""
    key = _SHORT.get(entry.section, "")
    if _bare(entry):
        key = "do"
    elif not key or entry.node.kind != "text":
        return entry.node
    name = Node(entry.node.source, "text", key, entry.node.start, entry.node.start)
    return map_of(entry.node, {key: (name, entry.node)})


def short_again(entry: Entry, node: Node) -> Node | None:
    """A changed map as the definition that it stands for."""
    return node.get("do") if _bare(entry) else node


def _bare(entry: Entry) -> bool:
    """Whether a definition is an effect and nothing else."""
    return entry.section == "setup" or (entry.section, entry.id) == ("rule", "flow")


def is_steps(node: Node | None) -> bool:
    """Whether an effect is written in named steps."""
    return node is not None and node.kind == "map" and "todo" not in node.value


# ---- finding


def find(content: Content, target: str) -> tuple[Spot | None, list[str]]:
    """What a target means; or nothing, and what it could have been."""
    section, _, rest = target.partition("/")
    id_, _, inner = rest.partition("/")
    entry = content.find(f"{section}/{id_}")
    if entry is None:
        return None, [each.target for each in content.entries.values()]
    path = _path(long_form(entry), inner.split("/")) if inner else ()
    if path is None:
        return None, [f"{entry.target}/{name}" for name in inner_names(long_form(entry))]
    return Spot(entry, path), []


def _path(node: Node, names: list[str]) -> Path | None:
    """Where names lead: to an ability, to a step of `do`, or to a step under another key."""
    name, *rest = names
    abilities = node.get("abilities")
    ability = _listed(abilities, name) if abilities is not None else None
    if ability is not None:
        inner = _path(ability, rest) if rest else ()
        return None if inner is None else ("abilities", name, *inner)
    key, steps = ("do", names) if not rest else (name, rest)
    effect = node.get(key)
    if effect is not None and is_steps(effect) and len(steps) == 1 and steps[0] in effect.value:
        return key, steps[0]
    return None


def inner_names(node: Node) -> list[str]:
    """The names of all abilities and steps of a definition, as they stand behind its own."""
    found = []
    for key, _, value in node.entries():
        if key == "abilities" and value.kind == "list":
            for ability in value.value:
                if ability.text("id"):
                    found += [ability.text("id"), *(f"{ability.text('id')}/{name}" for name in inner_names(ability))]
        elif key != "takes" and is_steps(value):
            steps = [name for name, _, step in value.entries() if step.kind == "text"]
            found += [name if key == "do" else f"{key}/{name}" for name in steps]
    return found


def _listed(abilities: Node, id_: str) -> Node | None:
    return next((each for each in abilities.items() if each.text("id") == id_), None)


# ---- changing


def part_at(node: Node, path: Path) -> Node:
    """The part of a definition that a path leads to; paths are those that were found in it."""
    for name in path:
        found = _listed(node, name) if node.kind == "list" else node.get(name)
        assert found is not None
        node = found
    return node


def put(node: Node, path: Path, new: Node | None) -> Node:
    """A definition with another part in the place of one, or without it."""
    if not path:
        assert new is not None
        return new
    name, *rest = path
    inside = part_at(node, (name,)) if rest else node
    part = put(inside, tuple(rest), new) if rest else new
    if node.kind == "list":
        items = [part if each.text("id") == name else each for each in node.value]
        return _list_of(node, [each for each in items if each is not None])
    value = {key: (label, part if key == name else each) for key, label, each in node.entries()}
    return map_of(node, {key: (label, each) for key, (label, each) in value.items() if each is not None})


def beside(node: Node, path: Path, new: Node, *, after: bool) -> Node:
    """A definition with abilities (a list) or steps (a map) put beside the one that a path leads to."""
    *around, name = path
    inside = part_at(node, tuple(around))
    changed: Node
    if inside.kind == "list":
        at = next(index for index, each in enumerate(inside.value) if each.text("id") == name) + after
        changed = _list_of(inside, [*inside.value[:at], *new.items(), *inside.value[at:]])
    else:
        steps = list(inside.value.items())
        at = next(index for index, (each, _) in enumerate(steps) if each == name) + after
        changed = map_of(inside, dict([*steps[:at], *new.value.items(), *steps[at:]]))
    return put(node, tuple(around), changed)


def _list_of(like: Node, items: Iterable[Node]) -> Node:
    return Node(like.source, "list", list(items), like.start, like.end, "{")
