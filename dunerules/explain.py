"""A definition and where every part of it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.types import AMOUNT, CONDITION, one
from dunerules.dsl.vocabulary import Field, Parameter, ValueWord, Verb, Vocabulary
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.kernel.values import KERNEL_VALUES
from dunerules.packs.content import Entry
from dunerules.packs.nodes import Node, Woven
from dunerules.patching.parts import Spot, find, inner_names, long_form, part_at
from dunerules.understanding.understand import Understanding

__all__ = ["explained", "known_names", "signature"]

_COLUMN = 64


def known_names(understanding: Understanding) -> set[str]:
    """Every name that can be explained."""
    entries = _entries(understanding)
    inner = (f"{entry.target}/{name}" for entry in entries for name in inner_names(long_form(entry)))
    names = (name for entry in entries for name in (entry.id, entry.target))
    parts = _parts(understanding.words)
    return {*KERNEL_VERBS, *KERNEL_VALUES, *understanding.words.piece_families, *names, *inner, *parts}


def _parts(words: Vocabulary) -> dict[str, list[str]]:
    """Names that are declared inside a definition: what each is, and what of."""
    found: dict[str, list[str]] = {}
    for piece in words.pieces.values():
        for pool in piece.pools:
            found.setdefault(pool, []).append(f"a pool of piece/{piece.name}")
    for family, members in words.families.items():
        for member in members:
            found.setdefault(member, []).append(f"a label of trait/{family}")
    for kind in words.kinds.values():
        for field in kind.fields.values():
            found.setdefault(field.name, []).append(f"a field of kind/{kind.name}: {_type_of(field)}")
        for slot, what in kind.slots.items():
            found.setdefault(slot, []).append(f"a slot of kind/{kind.name}: {what}")
    return found


def _type_of(field: Field) -> str:
    """The type of a field as packs write it."""
    single = one(field.type)
    shown = single.of or {AMOUNT: "number", CONDITION: "flag"}.get(single, single.name)
    return f"{shown}, many" if field.type.many else shown


def explained(name: str, understanding: Understanding) -> Iterator[list[str]]:
    """Everything with this name (or this target), each as lines."""
    for word in (KERNEL_VERBS.get(name), KERNEL_VALUES.get(name)):
        if word is not None:
            kind = "verb" if isinstance(word, Verb) else "value"
            yield [signature(word), f"  {word.summary}", f"  a {kind} of the kernel"]
    kinds = understanding.words.piece_families.get(name, ())
    if kinds:
        yield [name, f"  a family of pieces: {', '.join(kinds)}"]
    for entry in _entries(understanding):
        if name in (entry.id, entry.target):
            yield list(_lines(entry, understanding))
    inside = _parts(understanding.words).get(name, [])
    if inside:
        yield [name, *(f"  {each}" for each in inside)]
    spot, _ = find(understanding.content, name) if name.count("/") > 1 else (None, [])
    if spot is not None:
        yield list(_inside(name, spot))


def _entries(understanding: Understanding) -> list[Entry]:
    """All definitions, also those that packs have taken out."""
    content = understanding.content
    return [*content.entries.values(), *content.removed.values()]


def _inside(name: str, spot: Spot) -> Iterator[str]:
    """An ability or a step, and what packs have done to it."""
    part = part_at(long_form(spot.entry), spot.path)
    yield f"{name}  (pack {part.source.pack}, {part.span})"
    if part.kind == "map":
        for key, _, value in part.entries():
            yield from _value(key, value, 1)
    else:
        yield from _value(str(spot.path[-1]), part, 1)
    for change in spot.entry.changes:
        touches = [touch for touch in change.touches if touch.path[: len(spot.path)] == spot.path]
        if touches:
            yield f"  patched by {change.pack} ({change.span}): {', '.join(map(str, touches))}; {change.reason}"


def signature(word: Verb | ValueWord) -> str:
    """A verb or value with its parameters, as it is written in a text."""
    # `of` belongs to the name before it, so it is written first whatever place it was declared in
    ordered = sorted(word.parameters, key=lambda each: each.preposition != "of")
    return " ".join([word.name, *map(_parameter, ordered)])


def _parameter(parameter: Parameter) -> str:
    shown = f"{parameter.preposition} <{parameter.name}: {' or '.join(map(str, parameter.types))}>".strip()
    return f"[{shown}]" if parameter.default else shown


def _lines(entry: Entry, understanding: Understanding) -> Iterator[str]:
    yield f"{entry.target}  (pack {entry.pack}, {entry.key.span})"
    words = understanding.words
    if entry.section == "verb" and entry.id in words.verbs:
        verb = words.verbs[entry.id]
        gives = f", gives {verb.gives}" if verb.gives is not None else ""
        yield f"  {signature(verb)}  -- use: {verb.use}{gives}"
    if entry.section == "value" and entry.id in words.values:
        value = words.values[entry.id]
        yield f"  {signature(value)}  -- {value.type}"
    whole = long_form(entry)
    if whole.kind == "map":
        for name, _, part in whole.entries():
            yield from _value(name, part, 1)
    else:
        yield from _value("members" if whole.kind == "list" else entry.id, whole, 1)
    gone = entry.target not in map(_target, understanding.content.entries.values())
    for change in entry.changes:
        if gone and change is entry.changes[-1]:
            yield f"  removed by {change.pack} ({change.span}); {change.reason}"
            return
        yield f"  patched by {change.pack} ({change.span}): {change.how}; {change.reason}"


def _target(entry: Entry) -> str:
    return entry.target


def _value(name: str, node: Node, depth: int) -> Iterator[str]:
    """A key and its value, with its place on the right; the place is told where the value is written."""
    indent = "  " * depth
    if node.kind == "map" and node.value:
        yield f"{indent}{name}:"
        for inner, _, value in node.entries():
            yield from _value(inner, value, depth + 1)
        return
    if node.kind == "list" and any(item.kind == "map" for item in node.value):
        yield f"{indent}{name}:"
        for item in node.value:
            yield from _value("-", item, depth + 1)
        return
    if node.kind == "list" and len({item.source.name for item in node.value}) > 1:
        yield f"{indent}{name}:"
        for item in node.value:
            yield from _value("-", item, depth + 1)
        return
    shown = "[" + ", ".join(str(item.value) for item in node.value) + "]" if node.kind == "list" else _plain(node)
    first, *rest = shown.rstrip("\n").split("\n") if node.style in {"|", ">"} else [shown]
    yield f"{indent}{name if name == '-' else name + ':'} {first}".ljust(_COLUMN) + f"  # {_written(node)}"
    yield from (f"{indent}  {line}" for line in rest)
    for names in _options(node):
        yield f"{indent}  options: {' | '.join(names)}"


def _options(node: Node) -> Iterator[list[str]]:
    """What the options of every choice in an effect are called: by their name, or else by their text."""
    tree = parse(node.value, "effect") if node.kind == "text" and "{" in node.value else None
    if tree is None or isinstance(tree, SyntaxFault):
        return
    for step in walk(tree):
        if isinstance(step, (t.Options, t.AnyOrder)):
            yield [
                body.label.text if body.label is not None else " ".join(node.value[slice(*body.span)].split())
                for body in step.bodies
            ]


def _written(node: Node) -> str:
    """The pack and the place of a value; of one put together from several, all of them in order."""
    if isinstance(node, Woven):
        lines: dict[object, str] = {}
        for _, part, _ in node.parts:
            lines.setdefault((part.source.name, part.span.line), _written(part))
        return " + ".join(lines.values())
    return f"{node.source.pack}, {node.span}" if node.source.pack else str(node.span)


def _plain(node: Node) -> str:
    if isinstance(node, Woven):
        return _canonical(str(node.value))
    return str(node.value).lower() if node.kind == "flag" else str(node.value)


def _canonical(text: str) -> str:
    """A text of the language as it would be written by itself."""
    trees = (parse(text, start) for start in get_args(Start))
    return next((show(tree) for tree in trees if not isinstance(tree, SyntaxFault)), text)
