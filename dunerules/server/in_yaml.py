"""What can be written in a file outside of effects: keys and values that its schema and the words of packs allow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from dunerules.dsl.vocabulary import Kind, Vocabulary
from dunerules.packs.content import RULES, SECTIONS
from dunerules.packs.library import Library
from dunerules.packs.nodes import Node
from dunerules.packs.shape import schema_text
from dunerules.server.cursor import STAND_IN_NAME, Cursor, Step
from dunerules.server.names import CHOICE, FAMILY, FIELD, LABEL, MOVES, POOL, SLOT
from dunerules.server.uses_in_files import sections_at
from dunerules.understanding.declared import OWN_KEYS

__all__ = ["keys_at", "values_at"]


@cache
def _document(file: str) -> dict[str, Any]:
    return dict(json.loads(schema_text(file)))


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#/")
        found: Any = _document(file)
        for part in filter(None, pointer.split("/")):
            found = found[part]
        schema = {**found, **{key: value for key, value in schema.items() if key == "description"}}
    return schema


def _alternatives(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    schema = _resolved(schema)
    for part in schema.get("anyOf", ()):
        yield from _alternatives(part)
    if "anyOf" not in schema:
        yield schema


def _schemas(kind: str, path: tuple[Step, ...]) -> list[dict[str, Any]]:
    """What a schema says of a place of a file."""
    found = list(_alternatives(_document(f"{kind}.schema.json")))
    for step in path:
        inner: list[dict[str, Any]] = []
        for schema in found:
            if isinstance(step, int):
                inner += _alternatives(schema["items"]) if "items" in schema else []
            elif step in schema.get("properties", ()):
                inner += _alternatives(schema["properties"][step])
            elif isinstance(schema.get("additionalProperties"), dict):
                inner += _alternatives(schema["additionalProperties"])
        found = inner
    return found


# ---- keys

_OF_OBJECTS = frozenset({"set", "add", "and", "or", "amounts", "options", "clauses", "before", "after"})
"""What a patch does to keys of an object."""


def keys_at(cursor: Cursor, kind: str, words: Vocabulary, library: Library) -> dict[str, str]:
    """The keys that a map can have still, each with what it is for."""
    written = {name for name, _, _ in cursor.node.entries()}
    found = {
        name: str(_resolved(part).get("description", ""))
        for schema in _schemas(kind, cursor.path)
        for name, part in schema.get("properties", {}).items()
    }
    if _is_object(kind, cursor.path):
        found = {**found, **_object_keys(words.kinds.get(cursor.root.text("kind")))}
    if kind == "patches" and len(cursor.path) == 3 and cursor.path[-1] in _OF_OBJECTS:
        target = _at(cursor.root, cursor.path[:2])
        found = {**found, **_object_keys(words.kinds.get(target.text("target").partition("/")[0]))}
    if kind == "scenario":
        found |= _in_scenarios(cursor, words)
    if kind == "pack" and cursor.path in {("requires",), ("optional",), ("conflicts",)}:
        found = {id_: pack.title for id_, pack in library.packs.items()}
    return {name: what for name, what in found.items() if name not in written}


def _is_object(kind: str, path: tuple[Step, ...]) -> bool:
    return kind == "objects" and (path == ("defaults",) or (len(path) == 2 and path[0] == "objects"))


def _object_keys(kind: Kind | None) -> dict[str, str]:
    if kind is None:
        return {}
    fields = {name: f"field of every {kind.name}: {each.type}" for name, each in kind.fields.items()}
    slots = {name: f"slot: {sort}" for name, sort in kind.slots.items()}
    return {**dict.fromkeys(OWN_KEYS, "key of every object"), **fields, **slots}


def _at(node: Node, path: tuple[Step, ...]) -> Node:
    for step in path:
        inner = node.value[step] if isinstance(step, int) else node.get(step)
        node = inner if inner is not None else node
    return node


# ---- values


def values_at(cursor: Cursor, kind: str, words: Vocabulary) -> dict[str, str]:
    """The values that can stand at a place, each with what it is."""
    found: dict[str, str] = {}
    path = tuple(step if isinstance(step, str) else "-" for step in cursor.path)
    for schema in _schemas(kind, cursor.path):
        found |= dict.fromkeys(map(str, schema.get("enum", ())), "")
        if schema.get("type") == "boolean":
            found |= {"true": "", "false": ""}
    named = tuple(step for step in path if step != "-") if path[-1:] == ("-",) else path
    for section in (*sections_at(kind, path), *sections_at(kind, named)):
        found |= dict.fromkeys(_known(section, words), section)
    if kind == "objects":
        found |= _field_values(cursor, words)
    if kind == "scenario":
        found |= _in_scenarios(cursor, words)
    if kind == "patches" and path[-1:] == ("target",):
        found |= _targets(cursor, words)
    if "takes" in path and path[0] in {"verbs", "values", "procedures"}:
        found |= dict.fromkeys(words.type_names(), "type")
    return found


def _in_scenarios(cursor: Cursor, words: Vocabulary) -> dict[str, str]:
    """Whatever a position, an answer or an expectation may speak of."""
    if not {"given", "expect", "do", "start", "this"} & {*cursor.path}:
        return {}
    sections = ("object", "counter", "piece", "zone", POOL, "move", "procedure", "verb")
    return {name: section for section in sections for name in sorted(_known(section, words))}


def _known(section: str, words: Vocabulary) -> set[str]:
    """Every name of a section."""
    plain: dict[str, Any] = {
        "counter": words.counters, "zone": words.zones, "piece": words.pieces, "kind": words.kinds,
        "trait": words.families, "verb": words.verbs, "value": words.values, "procedure": words.procedures,
        "move": words.picks, "option": words.options, MOVES: words.groups, FAMILY: words.piece_families,
        POOL: words.pools(), "object": {id_ for ids in words.objects.values() for id_ in ids},
        LABEL: {each for members in words.families.values() for each in members},
        FIELD: {name for kind in words.kinds.values() for name in kind.fields}, SLOT: words.slots(),
        CHOICE: {value for option in words.options.values() for value in option.values},
    }  # fmt: skip
    return {*plain.get(section, ())}


def _field_values(cursor: Cursor, words: Vocabulary) -> dict[str, str]:
    """Members of what a field is of; zones, for where an object starts."""
    keys = [step for step in cursor.path if isinstance(step, str)]
    kind = words.kinds.get(cursor.root.text("kind"))
    if kind is None or not keys or keys[0] not in {"objects", "defaults"}:
        return {}
    name = keys[-1]
    field = kind.fields.get(name)
    if field is not None and field.type.of:
        return dict.fromkeys(words.members(field.type.of), field.type.of)
    if field is not None and field.type.name == "condition":
        return {"true": "", "false": ""}
    if name == "start":
        return {zone.name: "zone" for zone in words.zones.values() if not zone.holds or kind.name in zone.holds}
    return {}


def _targets(cursor: Cursor, words: Vocabulary) -> dict[str, str]:
    """The part of a target that is being written: a section or kind, or an id."""
    section, slash, _ = str(cursor.node.value).partition(STAND_IN_NAME)[0].partition("/")
    if not slash:
        return {**dict.fromkeys((*SECTIONS, *RULES), "section"), **dict.fromkeys(words.kinds, "kind")}
    return dict.fromkeys(words.objects.get(section, ()) if section in words.kinds else _known(section, words), section)
