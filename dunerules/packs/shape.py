"""The shape of files: JSON Schema, compiled to checks that know lines and columns.

The schemas in `schemas/` are the only description of what a file may look like; editors read the same files. This
module understands exactly the keywords those schemas use and refuses to compile any other, so the two cannot drift.
A test holds the result against the jsonschema library on thousands of random documents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from dunerules.formats import unreadable
from dunerules.nearest import nearest
from dunerules.packs.misfits import FLAG, LIST, MAP, NUMBER, TEXT, misfit, well_formed
from dunerules.packs.nodes import STAND_IN, Node
from dunerules.problems import Problem, problem
from dunerules.resources import schema_directory

__all__ = ["FILE_KINDS", "UNKNOWN_FORMAT", "check_file", "check_shape", "schema_text", "shape_of"]

FILE_KINDS = ("pack", "game", "words", "verbs", "board", "rules", "patches", "objects")
"""Kinds of file in a pack, each with its schema."""

UNKNOWN_FORMAT = "DR107"
"""The code of a format that is not read: of such a file nothing else is worth saying."""

Found: TypeAlias = list[tuple[Problem, Node | None]]
"""What is wrong, each with the value that is wrong in itself (none for a missing or unknown key)."""
Check: TypeAlias = Callable[[Node, Found], None]
"""Adds what is wrong with a value. Nearly all values are right, and cost no more than the call."""
Keywords: TypeAlias = dict[str, Any]

_TYPES = {"object": "map", "array": "list", "string": "text", "integer": "number", "boolean": "flag"}
_SHOWN = {"object": MAP, "array": LIST, "string": TEXT, "integer": NUMBER, "boolean": FLAG}
_GUESSES = 50
"""For how many unknown keys of one map a near name is looked for; a damaged file can have tens of thousands."""

_MOST_KEYS_SHOWN = 12
"""Maps with more keys are not listed where a map is wanted."""

_LONGEST_NAME = 80
"""Longer texts that are not well formed are not guessed at."""

_SILENT = {"$schema", "$id", "$defs", "title", "description", "examples"}
_KNOWN = _SILENT | {
    "$ref", "additionalProperties", "anyOf", "enum", "items", "maxItems", "maxLength", "maxProperties", "maximum",
    "minItems", "minLength", "minProperties", "minimum", "pattern", "properties", "propertyNames", "required", "type",
}  # fmt: skip


def check_file(node: Node, schema: str, *, in_pack: bool = False) -> tuple[Node | None, list[Problem]]:
    """What `check_shape` says of a whole file, unless the file is of a format we do not read.

    For what lies `in_pack` and says no format itself its pack speaks; anything else that says none is of the oldest.
    """
    kept, problems = check_shape(node, schema)
    said = node.get("format")
    dated = "format" in _document(schema).get("properties", ()) and (said is not None or not in_pack)
    if not dated or (said is not None and said.kind != "number"):
        return kept, problems
    fault = unreadable(said.value if said is not None else 0)
    if fault is None:
        return kept, problems
    place = (said if said is not None else node).span
    return kept, [problem(UNKNOWN_FORMAT, fault[0], place, expected=fault[1])]


def check_shape(node: Node, schema: str) -> tuple[Node | None, list[Problem]]:
    """A value without the parts that are of the wrong shape, and what is wrong with them.

    What is left has the shape the schema promises, but for missing keys: later passes need not look again.
    """
    found: Found = []
    shape_of(schema)(node, found)
    bad = {id(part) for _, part in found if part is not None}
    return _pruned(node, bad), [problem for problem, _ in found if problem.code]


def _pruned(node: Node, bad: set[int]) -> Node | None:
    if id(node) in bad:
        return None
    if not bad or node.kind not in {"map", "list"}:
        return node
    if node.kind == "list":
        items = [item for item in (_pruned(each, bad) for each in node.value) if item is not None]
        return Node(node.source, "list", items, node.start, node.end, node.style)
    entries = {name: (key, _pruned(value, bad)) for name, key, value in node.entries() if id(key) not in bad}
    kept = {name: (key, value) for name, (key, value) in entries.items() if value is not None}
    return Node(node.source, "map", kept, node.start, node.end, node.style)


@cache
def schema_text(file: str) -> str:
    """The text of a schema file."""
    return (schema_directory() / file).read_text("utf-8")


@cache
def _document(file: str) -> Keywords:
    return dict(json.loads(schema_text(file)))


@cache
def shape_of(reference: str) -> Check:
    """The check for a schema, named as `file#/$defs/name` or `file`."""
    file, _, pointer = reference.partition("#/")
    schema: Any = _document(file)
    for part in filter(None, pointer.split("/")):
        schema = schema[int(part)] if isinstance(schema, list) else schema[part]
    return _compile(schema)


def _compile(schema: Keywords) -> Check:
    unknown = schema.keys() - _KNOWN
    if unknown:
        raise ValueError(f"schema keywords that dunerules does not check: {sorted(unknown)}")
    if "$ref" in schema:
        return shape_of(schema["$ref"])
    if "anyOf" in schema:
        return _any_of(schema["anyOf"])
    if "enum" in schema:
        return _enum(schema["enum"])
    return _BY_TYPE[schema["type"]](schema)


def _wrong(code: str, message: str, node: Node, wanted: str, near: tuple[str, ...] = ()) -> tuple[Problem, Node]:
    """A value that is wrong in itself. A stand-in for something already reported is wrong without a word."""
    told = code if node.style != STAND_IN else ""
    return problem(told, message, node.span, expected=wanted, nearest=near), node


def _wrong_type(node: Node, wanted: str, expected: str = "", *, quotable: bool = True) -> tuple[Problem, Node]:
    message, expected = misfit(node, wanted, expected, quotable=quotable)
    return _wrong("DR103", message, node, expected)


def _types(schema: Keywords) -> list[str]:
    """The JSON types a schema can accept."""
    if "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#/")
        target = _document(file)
        for part in pointer.split("/"):
            target = target[part]
        return _types(target)
    if "anyOf" in schema:
        return [name for part in schema["anyOf"] for name in _types(part)]
    return ["string"] if "enum" in schema else [schema["type"]]


def _any_of(parts: list[Keywords]) -> Check:
    """Alternatives are told apart by type, so the message can be about the one that was meant."""
    by_kind: dict[str, Check] = {}
    shown = []
    for part in parts:
        check = _compile(part)
        for name in _types(part):
            if _TYPES[name] in by_kind:
                raise ValueError("alternatives of one type cannot be told apart")
            by_kind[_TYPES[name]] = check
            shown.append(_SHOWN[name])
    wanted = " or ".join(shown)

    def check_any(node: Node, found: Found) -> None:
        check = by_kind.get(node.kind)
        if check is None or node.style == STAND_IN:
            found.append(_wrong_type(node, wanted))
        else:
            check(node, found)

    return check_any


def _enum(values: list[str]) -> Check:
    shown = ", ".join(values)

    def check_enum(node: Node, found: Found) -> None:
        if node.kind != "text":
            found.append(_wrong_type(node, f"one of {shown}", shown))
        elif node.value not in values:
            message = f"`{node.value[:60]}` is not allowed here"
            found.append(_wrong("DR104", message, node, shown, nearest(node.value, values)))

    return check_enum


def _map(schema: Keywords) -> Check:
    properties = {name: _compile(part) for name, part in schema.get("properties", {}).items()}
    required = schema.get("required", [])
    extra = schema.get("additionalProperties", True)
    other = _compile(extra) if isinstance(extra, dict) else None
    names = _compile(schema["propertyNames"]) if "propertyNames" in schema else None
    fewest, most = schema.get("minProperties", 0), schema.get("maxProperties", 1 << 30)
    expected = "one of " + ", ".join(sorted(properties)) if properties else "no keys"
    keys = [*required, *(name for name in properties if name not in required)]
    example = (
        f"a map with the keys {', '.join(keys)}"
        if 0 < len(keys) <= _MOST_KEYS_SHOWN
        else f"a map{_described(schema).replace(', ', ': ', 1)}"
    )
    described = {name: _described(part) for name, part in schema.get("properties", {}).items()}

    def check_map(node: Node, found: Found) -> None:
        if node.kind != "map" or node.style == STAND_IN:
            found.append(_wrong_type(node, MAP, example))
            return
        entries = node.value
        unused: set[str] | None = None
        strange = 0
        meant: set[str] = set()
        for name, (key, value) in entries.items():
            if key.style == STAND_IN:
                found.append(_wrong("DR101", "", key, ""))
                continue
            check = properties.get(name)
            if check is None and extra is False:
                unused = properties.keys() - entries.keys() if unused is None else unused
                strange += 1
                near = nearest(name, unused) or nearest(name, properties) if strange <= _GUESSES else ()
                meant.update(near)
                message = f"unknown key `{name[:60]}`"
                found.append((problem("DR101", message, key.span, expected=expected, nearest=near), key))
                continue
            if names is not None:
                of_name: Found = []
                names(_as_text(key), of_name)
                found += [(each, key) for each, _ in of_name]
            check = check or other
            if check is not None:
                check(value, found)
        for name in required:
            if name not in entries and name not in meant:
                place = node.source.span(node.start, node.start + 1)
                told = f"`{name}:`{described.get(name, '')}"
                found.append((problem("DR102", f"key `{name}` is missing", place, expected=told), None))
        if len(entries) < fewest:
            found.append(_wrong("DR104", "an empty map", node, f"at least {fewest} keys"))
        if len(entries) > most:
            found.append(_wrong("DR104", f"a map of {len(entries)}", node, f"at most {most} keys"))

    return check_map


def _described(schema: Keywords) -> str:
    """What a schema says of itself, as the end of a sentence."""
    said = str(schema.get("description", "")).partition(". ")[0].rstrip(".")
    return f", {said[:1].lower()}{said[1:]}" if said else ""


def _as_text(key: Node) -> Node:
    """A key is always text to JSON, also where YAML reads a number."""
    return key if key.kind == "text" else Node(key.source, "text", str(key.value), key.start, key.end)


def _list(schema: Keywords) -> Check:
    item = _compile(schema["items"])
    fewest, most = schema.get("minItems", 0), schema.get("maxItems", 1 << 30)

    def check_list(node: Node, found: Found) -> None:
        if node.kind != "list":
            found.append(_wrong_type(node, LIST))
            return
        for element in node.value:
            item(element, found)
        if not fewest <= len(node.value) <= most:
            wanted = f"{fewest}" if fewest == most else f"at least {fewest}"
            found.append(_wrong("DR104", f"a list of {len(node.value)}", node, f"{wanted} elements"))

    return check_list


def _text(schema: Keywords) -> Check:
    # in Python `$` also matches before a last line break, in JSON Schema it does not
    pattern = re.compile(schema["pattern"].replace("$", r"\Z")) if "pattern" in schema else None
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", 1 << 30)
    described = schema.get("description") or f"text like {schema.get('pattern')}"
    wanted = described[:1].lower() + described[1:].rstrip(".")

    def quotable(node: Node) -> bool:
        """Whether quotes would do."""
        return pattern is None or pattern.search(str(node.value)) is not None

    def check_text(node: Node, found: Found) -> None:
        if node.kind != "text":
            found.append(_wrong_type(node, TEXT, "" if pattern is None else wanted, quotable=quotable(node)))
        elif not shortest <= len(node.value) <= longest:
            limit = "some text" if len(node.value) < shortest else f"at most {longest} characters"
            found.append(_wrong("DR104", f"a text of {len(node.value)} characters", node, limit))
        elif node.style == STAND_IN or (pattern is not None and not pattern.search(node.value)):
            tries = (node.value.replace(".", "/"), well_formed(node.value)) if len(node.value) <= _LONGEST_NAME else ()
            near = tuple(each for each in tries if pattern is not None and pattern.search(each))[:1]
            found.append(_wrong("DR104", f"`{node.value[:60]}` is not well formed", node, wanted, near))

    return check_text


def _number(schema: Keywords) -> Check:
    low, high = schema.get("minimum", -(1 << 60)), schema.get("maximum", 1 << 60)

    def check_number(node: Node, found: Found) -> None:
        if node.kind != "number":
            found.append(_wrong_type(node, NUMBER))
        elif not low <= node.value <= high:
            limits = f"{low} to {high}" if "maximum" in schema else f"{low} or more"
            found.append(_wrong("DR104", f"{node.value} is out of range", node, limits))

    return check_number


def _flag(_: Keywords) -> Check:
    def check_flag(node: Node, found: Found) -> None:
        if node.kind != "flag":
            found.append(_wrong_type(node, FLAG))

    return check_flag


_BY_TYPE = {"object": _map, "array": _list, "string": _text, "integer": _number, "boolean": _flag}
