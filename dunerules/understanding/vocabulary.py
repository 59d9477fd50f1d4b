"""From merged definitions to the vocabulary of the language. Tolerant: what is wrong is reported elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from dunerules.dsl.types import AMOUNT, CONDITION, LABEL, SEAT, TEXT, UNKNOWN, Type, label, many
from dunerules.dsl.vocabulary import (
    OTHER,
    Counter,
    Field,
    Grid,
    Group,
    Kind,
    Option,
    Parameter,
    Piece,
    Procedure,
    ValueWord,
    Verb,
    Vocabulary,
    Zone,
)  # fmt: skip
from dunerules.dsl.words import PREPOSITIONS
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.kernel.values import KERNEL_VALUES
from dunerules.packs.content import Content, Entry
from dunerules.packs.grids import sides, squares
from dunerules.packs.nodes import Node, plain

__all__ = ["ROLES", "field_type", "parameter_of", "parameter_parts", "vocabulary_of"]

ROLES = ("thing", "place", "label")

_PARAMETER = re.compile(r"(?:(?P<by>[a-z]+) )?(?P<type>[a-z][a-z0-9_]*)(?: *= *(?P<default>[a-z0-9_]{1,60}))?\Z")


def vocabulary_of(content: Content) -> Vocabulary:
    """The vocabulary of merged content."""
    words = Vocabulary()
    for entry in content.section("trait"):
        words.families[entry.id] = _names(entry.node)
    _kinds(content, words)
    for entry in content.section("object"):
        if entry.kind not in words.kinds:
            continue  # reported where the file says its kind
        words.objects.setdefault(entry.kind, {})[entry.id] = None
    for entry in content.section("counter"):
        words.counters[entry.id] = _counter(entry, words)
    for entry in content.section("piece"):
        node = entry.node
        family = node.text("family")
        words.pieces[entry.id] = Piece(
            entry.id, _names(node.get("pools")), node.text("home"), node.text("places"), family
        )
        if family:
            words.piece_families[family] = (*words.piece_families.get(family, ()), entry.id)
    for entry in content.section("zone"):
        node = entry.node
        words.zones[entry.id] = Zone(
            entry.id,
            node.text("per", "game"),
            _names(node.get("holds")),
            node.text("sight", "all"),
            _names(node.get("joins")),
        )
    for entry in content.section("option"):
        words.options[entry.id] = Option(entry.id, _names(entry.node.get("values")))
    for entry in content.section("ring"):
        words.rings[entry.id] = _names(entry.node)
    for entry in content.section("grid"):
        words.grids[entry.id] = _grid(entry, words)
    for entry in content.section("move"):
        words.picks[entry.id] = tuple((name, node.value) for name, _, node in _inner(entry.node, "takes"))
        for name in _names(entry.node.get("group")):
            words.groups[name] = Group(name)
    for entry in content.section("procedure"):
        words.procedures[entry.id] = Procedure(entry.id, _parameters(entry.node, words))
    words.verbs = {**KERNEL_VERBS}
    for entry in content.section("verb"):
        words.verbs.setdefault(entry.id, Verb(entry.id, _parameters(entry.node, words)))
    words.values = {name: _along(value, words) for name, value in KERNEL_VALUES.items()}
    for entry in content.section("value"):
        words.values.setdefault(entry.id, ValueWord(entry.id, _parameters(entry.node, words)))
    return words


def _grid(entry: Entry, words: Vocabulary) -> Grid:
    """A grid with the directions that are directions: members of families, each with a step."""
    node = entry.node
    said = plain(node).get("directions") if node.kind == "map" else None
    directions: dict[str, dict[str, tuple[int, int]]] = {}
    for family, members in said.items() if isinstance(said, dict) else ():
        if family in words.families and isinstance(members, dict):
            steps = ((each, step) for each, step in members.items() if words.is_member(each, family))
            directions[family] = {each: (step[0], step[1]) for each, step in steps if _is_step(step)}
    joined = node.get("edges")
    families = _names(joined) if joined is not None else tuple(directions)
    places = tuple(each.id for each in squares(node))
    return Grid(entry.id, node.text("kind"), sides(node)[0], places, directions, families)


def _is_step(step: object) -> bool:
    return isinstance(step, list) and len(step) == 2 and all(type(each) is int for each in step)


def _along(value: ValueWord, words: Vocabulary) -> ValueWord:
    """A value of the kernel, with the families that are directions where it takes one."""
    families = dict.fromkeys(family for grid in words.grids.values() for family in grid.directions)
    if not families:
        return value
    types = tuple(map(label, families))
    return replace(
        value,
        parameters=tuple(replace(each, types=types) if each.types == (LABEL,) else each for each in value.parameters),
    )


def _kinds(content: Content, words: Vocabulary) -> None:
    """Kinds first without their fields, because fields may be of any kind."""
    for entry in content.section("kind"):
        role = entry.node.text("role", "thing")
        slots = {name: value.value for name, _, value in _inner(entry.node, "slots") if value.kind == "text"}
        active = _names(entry.node.get("active"))
        own_backs = entry.node.text("backs") == "own"
        words.kinds[entry.id] = Kind(
            entry.id,
            role if role in ROLES else "thing",  # type: ignore[arg-type]
            {},
            slots,
            active,
            own_backs,
        )
    for entry in content.section("kind"):
        fields = {name: _field(name, value, words) for name, _, value in _inner(entry.node, "fields")}
        words.kinds[entry.id] = replace(words.kinds[entry.id], fields=fields)


def _field(name: str, node: Node, words: Vocabulary) -> Field:
    if node.kind == "text":
        return Field(name, field_type(node.value, words) or TEXT)
    kind = field_type(node.text("type"), words) or TEXT
    return Field(name, many(kind) if _flag(node, "many") else kind, _flag(node, "tag"), _flag(node, "required"))


def field_type(name: str, words: Vocabulary) -> Type | None:
    """The type of a field by its name in words.yaml."""
    basic = {"number": AMOUNT, "text": TEXT, "flag": CONDITION}
    if name in basic:
        return basic[name]
    found = words.type_named(name)
    return found if found is not None and (name in words.families or name in words.kinds) else None


def _counter(entry: Entry, words: Vocabulary) -> Counter:
    node = entry.node
    holds = node.text("holds", "number")
    kind = AMOUNT if holds == "number" else SEAT if holds == "seat" else words.type_named(holds) or AMOUNT
    per = _names(node.get("per")) or ("game",)
    indexes = tuple(f"{OTHER}{index}" if index in per[:place] else index for place, index in enumerate(per))
    return Counter(entry.id, indexes, kind, _flag(node, "hidden"), _names(node.get("in")))


def _parameters(node: Node, words: Vocabulary) -> tuple[Parameter, ...]:
    found = []
    for name, _, value in _inner(node, "takes"):
        if value.kind == "text":
            found.append(parameter_of(name, value.value, words) or Parameter(name, (UNKNOWN,)))
    return tuple(found)


def parameter_parts(text: str) -> tuple[str, str, str] | None:
    """Preposition, type and default of a parameter as written: `at place`, `amount = 1`."""
    match = _PARAMETER.match(text.strip())
    if match is None or (match["by"] and match["by"] not in (*PREPOSITIONS, "of")):
        return None
    return match["by"] or "", match["type"], match["default"] or ""


def parameter_of(name: str, text: str, words: Vocabulary) -> Parameter | None:
    """A parameter as written, if it is one."""
    parts = parameter_parts(text)
    kind = words.type_named(parts[1]) if parts is not None else None
    return Parameter(name, (kind,), parts[0], parts[2]) if parts is not None and kind is not None else None


def _inner(node: Node, key: str) -> Iterable[tuple[str, Node, Node]]:
    inner = node.get(key)
    return inner.entries() if inner is not None else ()


def _names(node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple(str(item.value) for item in node.items() if item.kind in {"text", "number"})


def _flag(node: Node, key: str) -> bool:
    found = node.get(key)
    return found is not None and found.value is True
