"""The names that stand in files by themselves: declared, or used outside of effects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from dunerules.dsl.vocabulary import OTHER, Vocabulary
from dunerules.packs.content import RULES, SECTIONS
from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.problems import Span
from dunerules.server.names import CHOICE, FAMILY, FIELD, LABEL, MOVES, PACK, POOL, SLOT, Name, Use

__all__ = ["ANYTHING", "names_called", "sections_at", "uses_in_file", "words_of"]

Path: TypeAlias = tuple[str, ...]
"""Keys that lead to a value; `-` stands for any place in a list."""

_WORD = re.compile(r"[a-z][a-z0-9_]*")

SCREEN = ("counter", "zone", "piece", "kind", "value", POOL, "trait")

_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "words": {
        "kinds/*/fields/*": ("kind", "trait"),
        "kinds/*/fields/*/type": ("kind", "trait"),
        "kinds/*/active": ("zone",),
        "counters/*/per": ("kind", "trait"),
        "counters/*/in": ("zone",),
        "counters/*/holds": ("kind", "trait"),
        "counters/*/reset": ("procedure",),
        "pieces/*/start": (POOL,),
        "pieces/*/home": (POOL,),
        "pieces/*/places": ("kind",),
        "zones/*/per": ("kind",),
        "zones/*/holds": ("kind",),
        "zones/*/refill": ("zone",),
        "zones/*/joins": ("zone",),
    },
    "board": {
        "edges/-": ("object",),
        "paths/-": ("object",),
        "rings/*": ("object",),
        "grids/*/kind": ("kind",),
        "grids/*/edges": ("trait",),
    },
    "rules": {
        "abilities/-/active": ("zone",),
        "automaton/-/asked": ("move", "verb", "procedure", MOVES),
        "scoring/report": SCREEN,
        "screen/hide": SCREEN,
        "screen/first": SCREEN,
        "screen/always": SCREEN,
        "screen/headings": SCREEN,
        "screen/alike": SCREEN,
    },
    "game": {"first": ("counter",)},
    "objects": {
        "kind": ("kind",),
        "objects/*/abilities/-/active": ("zone",),
        "defaults/abilities/-/active": ("zone",),
    },
}
"""By kind of file: which values are names, and of what."""

_DEFINED: dict[str, dict[str, str]] = {
    "words": {"pieces/*/pools": POOL, "pieces/*/family": FAMILY},
    "rules": {"moves/*/group": MOVES},
}
"""Values that declare a name by using it."""


def sections_at(kind: str, path: Path) -> tuple[str, ...]:
    """What the value at a place of a file is the name of."""
    found = next((sections for pattern, sections in _VALUES.get(kind, {}).items() if _fits(pattern, path)), ())
    if found:
        return found
    defined = next((section for pattern, section in _DEFINED.get(kind, {}).items() if _fits(pattern, path)), "")
    return (defined,) if defined else ()


def _fits(pattern: str, path: Path) -> bool:
    parts = pattern.split("/")
    return len(parts) == len(path) and all(part in ("*", name) for part, name in zip(parts, path, strict=True))


def names_called(id_: str, sections: tuple[str, ...], words: Vocabulary) -> list[Name]:
    """Everything of some sections that is called so."""
    return [name for section in sections for name in _called(id_, section, words)]


def _called(id_: str, section: str, words: Vocabulary) -> Iterator[Name]:
    plain: dict[str, object] = {
        "counter": words.counters, "zone": words.zones, "piece": words.pieces, "kind": words.kinds,
        "trait": words.families, "verb": words.verbs, "value": words.values, "procedure": words.procedures,
        "move": words.picks, "option": words.options, MOVES: words.groups, FAMILY: words.piece_families,
        "ring": words.rings, "grid": words.grids,
    }  # fmt: skip
    if section in plain and id_ in plain[section]:  # type: ignore[operator]
        yield Name(section, "", id_)
    elif section == POOL and id_ in words.pools():
        yield Name(POOL, "", id_)
    elif section == "object":
        yield from (Name("object", kind, id_) for kind, ids in words.objects.items() if id_ in ids)
    elif section == LABEL:
        yield from (Name(LABEL, family, id_) for family, ids in words.families.items() if id_ in ids)
    elif section in {FIELD, SLOT}:
        for kind in words.kinds.values():
            if id_ in (kind.fields if section == FIELD else kind.slots):
                yield Name(section, kind.name, id_)
    elif section == CHOICE:
        yield from (Name(CHOICE, each.name, id_) for each in words.options.values() if id_ in each.values)


ANYTHING = (
    "counter", "zone", "piece", "kind", "trait", "verb", "value", "procedure", "move", "option", MOVES, FAMILY, POOL,
    "object", LABEL, FIELD, SLOT, CHOICE, "ring", "grid",
)  # fmt: skip


# ---- files of packs


def uses_in_file(file: PackFile, words: Vocabulary) -> Iterator[Use]:
    """The names in a file, but for those in effects."""
    node = file.node
    if node is None or node.kind != "map":
        return
    if file.kind == "objects":
        yield from _objects(node, words)
    if file.kind == "pack":
        yield from _manifest(node)
    if file.kind == "patches":
        yield from _patches(node, words)
    for section, (kind, key) in SECTIONS.items():
        if kind == file.kind or (section == "option" and file.kind == "rules"):
            yield from _declared(section, node.get(key))
    yield from _values(node, (), file.kind, words)


def _entries(node: Node | None) -> Iterator[tuple[str, Node, Node]]:
    return node.entries() if node is not None else iter(())


def _declared(section: str, node: Node | None) -> Iterator[Use]:
    for id_, key, value in _entries(node):
        yield Use(Name(section, "", id_), key.span, True)
        if section == "trait":
            yield from (Use(Name(LABEL, id_, str(item.value)), item.span, True) for item in value.items())
        elif section == "kind":
            for part, inner in ((FIELD, "fields"), (SLOT, "slots")):
                yield from (Use(Name(part, id_, name), each.span, True) for name, each, _ in _entries(value.get(inner)))
        elif section == "option":
            values, default = value.get("values"), value.get("default")
            for item in values.items() if values is not None else ():
                yield Use(Name(CHOICE, id_, str(item.value)), item.span, True)
            if default is not None:
                yield Use(Name(CHOICE, id_, str(default.value)), default.span)


def _values(node: Node, path: Path, kind: str, words: Vocabulary) -> Iterator[Use]:
    if node.kind == "map":
        for name, _, value in node.entries():
            yield from _values(value, (*path, name), kind, words)
    elif node.kind == "list":
        plain = all(item.kind == "text" for item in node.value)
        for item in node.value:
            yield from _values(item, path if plain else (*path, "-"), kind, words)
    elif node.kind == "text":
        yield from _value(node, path, kind, words)


def _value(node: Node, path: Path, kind: str, words: Vocabulary) -> Iterator[Use]:
    text = str(node.value)
    if len(path) == 4 and path[2] == "takes" and path[0] in {"verbs", "values", "procedures"}:
        yield from _in_text(node, ("kind", "trait"), words)
        return
    if path[-1:] == ("limit",) and path[-2:-1] == ("-",):
        yield from _in_text(node, ("procedure",), words)
        return
    sections = sections_at(kind, path)
    defines = any(_fits(pattern, path) for pattern in _DEFINED.get(kind, {}))
    names = names_called(text.removeprefix(OTHER), sections, words) if sections else []
    yield from (Use(name, node.span, defines) for name in names)


def _in_text(node: Node, sections: tuple[str, ...], words: Vocabulary) -> Iterator[Use]:
    """Names among the words of a value."""
    for word, span in words_of(node):
        yield from (Use(name, span) for name in names_called(word, sections, words))


def words_of(node: Node) -> Iterator[tuple[str, Span]]:
    """The words of a text, each with its place."""
    for match in _WORD.finditer(str(node.value)):
        yield match[0], node.offset_span(*match.span())


def _manifest(node: Node) -> Iterator[Use]:
    id_ = node.get("id")
    if id_ is not None:
        yield Use(Name(PACK, "", str(id_.value)), id_.span, True)
    for key in ("requires", "optional", "conflicts"):
        yield from (Use(Name(PACK, "", name), each.span) for name, each, _ in _entries(node.get(key)))


# ---- objects


def _objects(node: Node, words: Vocabulary) -> Iterator[Use]:
    kind = words.kinds.get(node.text("kind"))
    if kind is None:
        return
    defaults = node.get("defaults")
    if defaults is not None:
        yield from _object(defaults, kind.name, words)
    for id_, key, value in _entries(node.get("objects")):
        yield Use(Name("object", kind.name, id_), key.span, True)
        yield from _object(value, kind.name, words)


def _object(node: Node, kind: str, words: Vocabulary) -> Iterator[Use]:
    """The keys of an object and the values of its fields."""
    declared = words.kinds[kind]
    for name, key, value in node.entries():
        if name in declared.slots:
            yield Use(Name(SLOT, kind, name), key.span)
        elif name in declared.fields:
            yield Use(Name(FIELD, kind, name), key.span)
            of = declared.fields[name].type.of
            for item in value.items() if of else ():
                section = LABEL if of in words.families else "object"
                yield Use(Name(section, of, str(item.value)), item.span)
        elif name == "start" and value.kind == "text":
            yield from _in_text(value, ("zone", "object"), words)


# ---- patches


def _patches(node: Node, words: Vocabulary) -> Iterator[Use]:
    for key in ("patches", "replace", "remove"):
        listed = node.get(key)
        for patch in listed.items() if listed is not None else ():
            target = patch.get("target")
            if target is not None and target.kind == "text":
                yield from _target(target, patch, words)


def _target(node: Node, patch: Node, words: Vocabulary) -> Iterator[Use]:
    """`card/peddler/play`: a section or kind, an id, and what is inside."""
    parts = list(words_of(node))
    (section, first), *rest = parts
    kind = section if section in words.kinds else ""
    if kind:
        yield Use(Name("kind", "", kind), first)
    if rest:
        id_, place = rest[0]
        name = Name("object", kind, id_) if kind else Name(section, "", id_)
        if kind or section in SECTIONS or section in RULES:
            yield Use(name, place)
        for inner, place in rest[1:]:
            if kind and inner in words.kinds[kind].slots:
                yield Use(Name(SLOT, kind, inner), place)
    for key in ("set", "add", "and", "or", "amounts", "options", "clauses", "before", "after", "with"):
        new = patch.get(key)
        if new is not None and new.kind == "map" and kind:
            yield from _object(new, kind, words)
        elif new is not None and section == "kind" and rest:
            for part, inner in ((FIELD, "fields"), (SLOT, "slots")):
                more = _entries(new.get(inner))
                yield from (Use(Name(part, rest[0][0], name), each.span, True) for name, each, _ in more)
        elif new is not None and section == "trait" and rest:
            yield from (Use(Name(LABEL, rest[0][0], str(item.value)), item.span, True) for item in new.items())
