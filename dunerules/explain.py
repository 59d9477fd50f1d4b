"""A definition and where every part of it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.dsl import tree as t
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.dsl.vocabulary import Parameter, ValueWord, Verb
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.kernel.values import KERNEL_VALUES
from dunerules.packs.content import Entry
from dunerules.packs.nodes import Node
from dunerules.understanding.understand import Understanding

__all__ = ["explained", "known_names", "signature"]

_COLUMN = 64


def known_names(understanding: Understanding) -> set[str]:
    """Every name that can be explained."""
    entries = understanding.content.entries.values()
    families = understanding.words.piece_families
    return {
        *KERNEL_VERBS,
        *KERNEL_VALUES,
        *families,
        *(entry.id for entry in entries),
        *(entry.target for entry in entries),
    }


def explained(name: str, understanding: Understanding) -> Iterator[list[str]]:
    """Everything with this name (or this target), each as lines."""
    for word in (KERNEL_VERBS.get(name), KERNEL_VALUES.get(name)):
        if word is not None:
            kind = "verb" if isinstance(word, Verb) else "value"
            yield [signature(word), f"  {word.summary}", f"  a {kind} of the kernel"]
    kinds = understanding.words.piece_families.get(name, ())
    if kinds:
        yield [name, f"  a family of pieces: {', '.join(kinds)}"]
    for entry in understanding.content.entries.values():
        if name in (entry.id, entry.target):
            yield list(_lines(entry, understanding))


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
    if entry.node.kind == "map":
        for name, _, part in entry.node.entries():
            yield from _value(name, part, 1)
    else:
        yield from _value("=", entry.node, 1)
    for change in entry.changes:
        yield f"  patched by {change.pack} ({change.span}): {change.how}; {change.reason}"


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
    pack = f"{node.source.pack}, " if node.source.pack else ""
    yield f"{indent}{name if name == '-' else name + ':'} {first}".ljust(_COLUMN) + f"  # {pack}{node.span}"
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


def _plain(node: Node) -> str:
    return str(node.value).lower() if node.kind == "flag" else str(node.value)
