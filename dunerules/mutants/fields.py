"""Operators on what packs say beside effects: numbers, flags, labels, zones, lists, and whole keys left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dunerules.dsl.types import Type
from dunerules.dsl.vocabulary import Kind, Vocabulary
from dunerules.mutants.alike import next_member, zone_alike
from dunerules.mutants.edits import Edited, dropped_item, dropped_key, put
from dunerules.packs.content import SECTIONS
from dunerules.packs.nodes import Node
from dunerules.packs.starts import Start, start_of

__all__ = ["FIELD_READERS"]

_SIGHTS = {"all": "owner", "owner": "none", "none": "all", "others": "owner"}

Found = Iterator[Edited]


def _number(key: str, node: Node) -> Found:
    yield put("one more", key, node, str(node.value + 1))
    if node.value > 0:
        yield put("one less", key, node, str(node.value - 1))


def _flag(key: str, node: Node) -> Found:
    yield put("flag", key, node, "false" if node.value else "true")


def _numbers(node: Node | None, *names: str) -> Found:
    """The numbers under some keys of a map."""
    for name in names if node is not None else ():
        found = node.get(name) if node is not None else None
        if found is not None and found.kind == "number":
            yield from _number(name, found)


def _without(node: Node, *names: str) -> Found:
    """Some keys of a map, left out one at a time."""
    for name in names:
        if node.kind == "map" and name in node.value:
            found = dropped_key(node, name)
            if found is not None:
                yield found


def _items(key: str, node: Node | None) -> Found:
    """The items of a list, left out one at a time."""
    if node is not None and node.kind == "list":
        dropped = (dropped_item(node, item, key) for item in node.value)
        yield from (each for each in dropped if each is not None)


# ---- objects


def _field(key: str, node: Node, type_: Type, words: Vocabulary) -> Found:
    if node.kind == "number":
        yield from _number(key, node)
    elif node.kind == "flag":
        yield from _flag(key, node)
    elif node.kind == "list":
        yield from _items(key, node)
        taken = {item.value for item in node.value}
        for item in node.value:
            other = next_member(type_.of, str(item.value), words)
            if other and other not in taken:
                yield put("label", key, item, other)
    elif node.kind == "text":
        other = next_member(type_.of, node.value, words)
        if other:
            yield put("label", key, node, other)


def _object(node: Node, kind: Kind, words: Vocabulary) -> Found:
    for name, _, value in node.entries():
        if name in kind.slots:
            yield from _without(node, name)
            if value.kind == "number":
                yield from _number(name, value)
        elif name in kind.fields:
            yield from _field(name, value, kind.fields[name].type, words)
            if kind.fields[name].type.name != "flag":
                yield from _without(node, name)
        elif name == "copies" and value.kind == "number":
            yield from _number(name, value)
        elif name == "start" and value.kind == "text":
            yield from _start(value, start_of(node), words)
        elif name == "abilities":
            yield from _abilities(value, words)
            yield from _without(node, name)


def _start(node: Node, start: Start, words: Vocabulary) -> Found:
    """Another zone, or the zone of another place."""
    other = zone_alike(start.zone, words) if start.zone in words.zones else ""
    if other:
        yield put("zone", "start", node, f"{other} of {start.place}" if start.place else other)
    places = words.members(words.zones[start.zone].per) if start.zone in words.zones and start.place else ()
    if start.place in places and len(places) > 1:
        place = places[(places.index(start.place) + 1) % len(places)]
        yield put("place", "start", node, f"{start.zone} of {place}")


def _zone(key: str, node: Node, words: Vocabulary) -> Found:
    other = zone_alike(node.value, words) if node.value in words.zones else ""
    if other:
        yield put("zone", key, node, other)


def _abilities(node: Node | None, words: Vocabulary) -> Found:
    yield from _items("abilities", node)
    for ability in node.value if node is not None and node.kind == "list" else ():
        yield from _without(ability, "if", "limit")
        limit, active = ability.get("limit"), ability.get("active")
        if limit is not None and limit.kind == "text":
            number, _, rest = limit.value.partition(" ")
            if number.isdecimal():
                yield put("one more", "limit", limit, f"{int(number) + 1} {rest}")
        for zone in active.items() if active is not None else ():
            yield from _zone("active", zone, words)
        yield from _items("active", active)


def _objects(node: Node, words: Vocabulary) -> Found:
    kind = words.kinds.get(node.text("kind"))
    objects, defaults = node.get("objects"), node.get("defaults")
    if kind is None:
        return
    if defaults is not None:
        yield from _object(defaults, kind, words)
    for _, _, value in objects.entries() if objects is not None else ():
        yield from _object(value, kind, words)


# ---- definitions, one reader for each section


def _counter(node: Node, words: Vocabulary) -> Found:
    yield from _numbers(node, "min", "max", "start")
    yield from _without(node, "reset", "hidden", "in")
    zones = node.get("in")
    for zone in zones.items() if zones is not None else ():
        yield from _zone("in", zone, words)
    yield from _items("in", zones)
    thresholds = node.get("thresholds")
    yield from _items("thresholds", thresholds)
    for threshold in thresholds.value if thresholds is not None else ():
        yield from _numbers(threshold, "at")
        yield from _without(threshold, "up", "down")


def _piece(node: Node, _: Vocabulary) -> Found:
    yield from _numbers(node, "count")


def _zone_declared(node: Node, _: Vocabulary) -> Found:
    yield from _numbers(node, "capacity")
    sight = node.get("sight")
    if sight is not None and sight.value in _SIGHTS:
        yield put("sight", "sight", sight, _SIGHTS[sight.value])
    yield from _without(node, "refill", "capacity")
    yield from _items("joins", node.get("joins"))


def _kind(node: Node, words: Vocabulary) -> Found:
    active = node.get("active")
    yield from _items("active", active)
    for zone in active.items() if active is not None else ():
        yield from _zone("active", zone, words)


def _move(node: Node, _: Vocabulary) -> Found:
    yield from _without(node, "if", "cost")


def _option(node: Node, _: Vocabulary) -> Found:
    default, values = node.get("default"), node.get("values")
    names = [item.value for item in values.value] if values is not None and values.kind == "list" else []
    if default is not None and default.value in names and len(names) > 1:
        yield put("default", "default", default, names[(names.index(default.value) + 1) % len(names)])


def _rule(node: Node, _: Vocabulary) -> Found:
    yield from _without(node, "among", "ties", "do")
    yield from _items("ties", node.get("ties"))


_DEFINED: dict[str, Callable[[Node, Vocabulary], Found]] = {
    "counter": _counter,
    "piece": _piece,
    "zone": _zone_declared,
    "kind": _kind,
    "move": _move,
    "option": _option,
    "rule": _rule,
}


def _sections(node: Node, words: Vocabulary) -> Found:
    """Every definition of a file."""
    for section, (_, key) in SECTIONS.items():
        inner = node.get(key)
        if section in _DEFINED:
            for _, _, value in inner.entries() if inner is not None else ():
                yield from _DEFINED[section](value, words)


def _rules(node: Node, words: Vocabulary) -> Found:
    yield from _sections(node, words)
    for name in ("end", "scoring"):
        found = node.get(name)
        if found is not None:
            yield from _rule(found, words)
    for effect in (node.get("setup"), node.get("flow"), *_bodies(node.get("procedures")), *_bodies(node.get("moves"))):
        yield from _steps(effect)
    yield from _abilities(node.get("abilities"), words)
    automaton = node.get("automaton")
    yield from _items("automaton", automaton)
    for preference in automaton.value if automaton is not None else ():
        for name, _, value in preference.entries():
            if value.kind == "flag":
                yield from _flag(name, value)


def _bodies(node: Node | None) -> list[Node | None]:
    """What definitions do."""
    return [value.get("do") for _, _, value in node.entries()] if node is not None else []


def _steps(node: Node | None) -> Found:
    """An effect in named steps without one of them."""
    if node is not None and node.kind == "map" and len(node.value) > 1:
        yield from _without(node, *node.value)


def _game(node: Node, words: Vocabulary) -> Found:
    yield from _sections(node, words)
    yield from _numbers(node.get("seats"), "min", "max")
    tables = node.get("tables")
    for table in tables.value if tables is not None else ():
        yield from _numbers(table, "players", "seats", "automated")


def _patches(node: Node, words: Vocabulary) -> Found:
    for part in ("patches", "replace"):
        listed = node.get(part)
        yield from _items(part, listed)
        for patch in listed.value if listed is not None and listed.kind == "list" else ():
            section, _, inner = patch.text("target").partition("/")
            kind = words.kinds.get(section) if "/" not in inner else None
            yield from _amounts(patch.get("amounts"))
            for name in ("set", "add", "with"):
                value = patch.get(name)
                if value is not None and kind is not None:
                    yield from _object(value, kind, words)
                elif value is not None and section in _DEFINED and "/" not in inner:
                    yield from _DEFINED[section](value, words)
            yield from _items("remove", patch.get("remove"))
    yield from _items("remove", node.get("remove"))


def _amounts(node: Node | None) -> Found:
    """New amounts that are numbers; those that are texts are read with the rest."""
    for name, _, value in node.entries() if node is not None else ():
        if value.kind == "map":
            yield from _amounts(value)
        elif value.kind == "number":
            yield from _number(name, value)


FIELD_READERS: dict[str, Callable[[Node, Vocabulary], Found]] = {
    "objects": _objects,
    "words": _sections,
    "rules": _rules,
    "game": _game,
    "patches": _patches,
}
"""By kind of file: every change of what is said beside effects."""
