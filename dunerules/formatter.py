"""`dunerules fmt`: one canonical form for effects and for the order of keys.

Comments, blank lines and everything else stay as they are. The result is read again before it is used: if it said
anything different, the file would be left alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, TypeAlias

from dunerules.dsl.format import show, show_lines
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.tree import Body, Root
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.garbage import uncollected
from dunerules.packs.library import Library
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.shape import schema_text
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.understanding.declared import OWN_KEYS
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import READERS
from dunerules.understanding.understand import understand

__all__ = ["WIDTH", "format_pack", "format_source"]

WIDTH = 110
"""Columns. A longer effect is folded over several lines."""


_COLLECTIONS = frozenset({"map", "list"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: its key (if it has one) and whether braces or brackets are around it."""

    key: Node | None
    flow: bool


@uncollected
def format_pack(library: Library, pack: Pack, only: Collection[str] = ()) -> list[tuple[PackFile, str | None]]:
    """The files of a pack, or `only` those with these names, each with its canonical text."""
    words = understand(library.select(pack)).words
    wanted = [file for file in (pack.manifest, *pack.files) if not only or file.name in only]
    return [(file, format_source(file, words)) for file in wanted]


def format_source(file: PackFile, words: Vocabulary) -> str | None:
    """The canonical text of a file; nothing if it cannot be formatted because it cannot be read."""
    source = file.source
    if source is None or file.node is None or any(found.code != "DR003" for found in file.problems):
        return None  # only what has the right shape has a right order
    text = source.text.replace("\r\n", "\n").rstrip() + "\n"
    node = _read(replace(source, text=text)) if text != source.text or file.problems else file.node
    for step in (_rewrite_texts, _order_keys):
        if node is None:
            return None
        before, text = text, step(node, file.kind, words)
        if text != before:
            node = _read(replace(source, text=text))
    if node is not file.node and (node is None or _said(node, file.kind, words) != _said(file.node, file.kind, words)):
        return None
    return text


def _read(source: Source) -> Node | None:
    node, problems = read_yaml(source)
    return None if problems else node


def _texts(node: Node, kind: str, words: Vocabulary) -> list[tuple[Node, Start]]:
    """Every text of the language in a file, as the checker comes across them."""
    desk = Desk(words, collecting=True)
    if kind in READERS:
        READERS[kind](node, desk)
    return desk.seen


def _said(node: Node, kind: str, words: Vocabulary) -> object:
    """What a file says, with texts of the language as trees: equal for equal meaning."""
    trees = {id(text): (start, parse(text.value, start)) for text, start in _texts(node, kind, words)}

    def value(part: Node) -> object:
        if part.kind == "map":
            return frozenset((name, value(inner)) for name, _, inner in part.entries())
        if part.kind == "list":
            return tuple(map(value, part.value))
        found = trees.get(id(part))
        return part.value if found is None or isinstance(found[1], SyntaxFault) else found

    return value(node)


# ---- effects


def _rewrite_texts(node: Node, kind: str, words: Vocabulary) -> str:
    places = _places(node, {})
    text, pieces, position = node.source.text, [], 0
    for leaf, start in sorted(_texts(node, kind, words), key=lambda each: each[0].start):
        tree = parse(leaf.value, start)
        if isinstance(tree, SyntaxFault) or leaf.start < position:
            continue
        end = leaf.start + len(text[leaf.start : leaf.end].rstrip())
        new = _scalar(tree, start, places[id(leaf)], leaf, end)
        if new is not None:
            pieces += [text[position : leaf.start], new]
            position = end
    return "".join([*pieces, text[position:]])


def _places(node: Node, into: dict[int, _Place], *, flow: bool = False) -> dict[int, _Place]:
    """Where the values of a collection stand, by `id` of their nodes."""
    flow = flow or node.style == "{"
    inside: list[tuple[Node | None, Node]] = []
    if node.kind == "map":
        inside = [(key, value) for _, key, value in node.entries()]
    elif node.kind == "list":
        inside = [(None, value) for value in node.value]
    for key, value in inside:
        into[id(value)] = _Place(key, flow)
        if value.kind in _COLLECTIONS:
            _places(value, into, flow=flow)
    return into


@lru_cache(maxsize=1 << 15)
def _shown(text: str, start: Start) -> str:
    """A text in its canonical form, on one line."""
    tree = parse(text, start)
    assert not isinstance(tree, SyntaxFault)
    return show(tree)


def _scalar(tree: Root, start: Start, place: _Place, leaf: Node, end: int) -> str | None:
    """The scalar to write: plain if it can be, quoted if it must be, folded if it is long. Nothing to leave it.

    A text that is just small enough for the language stays as it is if the canonical one would be too large.
    """
    source = leaf.source
    line_end = source.text.find("\n", end)
    rest = source.text[end : line_end if line_end >= 0 else len(source.text)]
    if leaf.style in {"|", ">"} and leaf.style:
        header = source.text[leaf.start : source.text.find("\n", leaf.start)]
        if "#" in header:
            return None
    one = _shown(leaf.value, start)
    column = source.position(leaf.start)[1]
    if (
        isinstance(tree, Body)
        and column + len(one) > WIDTH
        and not place.flow
        and place.key is not None
        and "#" not in rest
    ):
        indent = " " * (source.position(place.key.start)[1] + 1)
        lines = show_lines(tree, WIDTH - len(indent))
        if len(lines) > 1 and parse("\n".join(lines), start) == tree:
            return "\n".join(["|-", *(indent + line for line in lines)])
    if parse(one, start) != tree:
        return None
    return one if _plain(one, flow=place.flow) else json.dumps(one, ensure_ascii=False)


def _plain(text: str, *, flow: bool) -> bool:
    """Whether a text of the language reads the same without quotes."""
    if text[0] in "{[(>|*&!%@`'\"-?:," or text.isdigit():
        return False
    return not (flow and any(sign in text for sign in ",[]{}"))


# ---- the order of keys


def _order_keys(node: Node, kind: str, words: Vocabulary) -> str:
    order, text = _orders(kind, node, words), node.source.text
    return text if _in_order(node, order) else _render(text, 0, len(text), [(node, order)])


_Order: TypeAlias = dict[str, Any]
"""What is known of a map: `keys`, the order of its keys, and the orders of values by key (`*` for any other)."""


def _orders(kind: str, node: Node, words: Vocabulary) -> _Order:
    if kind != "objects":
        return _schema_order(f"{kind}.schema.json")
    declared = words.kinds.get(node.text("kind"))
    keys = ["name"]
    if declared is not None:
        keys += [*declared.fields, "copies", "start", *declared.slots]
    keys += [key for key in OWN_KEYS if key not in keys]
    one: _Order = {"keys": keys, "abilities": {"item": _schema_order("common.schema.json", "#/$defs/ability")}}
    return {"keys": ["kind", "defaults", "objects"], "defaults": one, "objects": {"keys": [], "*": one}}


@cache
def _schema_order(file: str, pointer: str = "") -> _Order:
    """The order of keys as the schema lists them."""
    schema = json.loads(schema_text(file))
    for part in pointer.removeprefix("#/").split("/") if pointer else ():
        schema = schema[int(part)] if isinstance(schema, list) else schema[part]
    if "$ref" in schema:
        target, _, inner = schema["$ref"].partition("#")
        return _schema_order(target, "#" + inner)
    if "anyOf" in schema:
        orders = [_schema_order(file, f"{pointer or '#'}/anyOf/{i}") for i in range(len(schema["anyOf"]))]
        return next((order for order in orders if order.get("keys")), {})
    order: _Order = {"keys": list(schema.get("properties", {}))}
    for key in schema.get("properties", {}):
        order[key] = _schema_order(file, f"{pointer or '#'}/properties/{key}")
    if isinstance(schema.get("additionalProperties"), dict):
        order["*"] = _schema_order(file, f"{pointer or '#'}/additionalProperties")
    if isinstance(schema.get("items"), dict):
        order["item"] = _schema_order(file, f"{pointer or '#'}/items")
    return order


def _in_order(node: Node, order: _Order) -> bool:
    """Whether all keys of a collection and inside of it stand in their order; what stands in braces has none."""
    if node.kind not in _COLLECTIONS or node.style == "{":
        return True
    if node.kind == "list":
        inner = order.get("item", {})
        return all(_in_order(item, inner) for item in node.value)
    rank, last, other = _ranks(order), -1, order.get("*") or {}
    for name, _, value in node.entries():
        place = rank.get(name, len(rank))
        if place < last or not _in_order(value, order.get(name) or other):
            return False
        last = place
    return True


def _ranks(order: _Order) -> dict[str, int]:
    return {key: index for index, key in enumerate(order.get("keys", ()))}


def _render(text: str, start: int, end: int, inside: list[tuple[Node, _Order]]) -> str:
    """The text from `start` to `end` with the collections inside it put in order."""
    pieces = []
    for node, order in inside:
        node_end = _line_end(text, node)
        if node.kind in _COLLECTIONS and node.style != "{" and node.value and node_end <= end:
            pieces += [text[start : node.start], _collection(text, node, order, node_end)]
            start = node_end
    return "".join([*pieces, text[start:end]])


def _collection(text: str, node: Node, order: _Order, end: int) -> str:
    if node.kind == "list":
        inner = order.get("item", {})
        return _render(text, node.start, end, [(item, inner) for item in node.value])
    entries = []
    before = node.start
    for name, key, value in node.entries():
        gap = text[before : key.start]
        before = max(_line_end(text, value), _line_end(text, key))
        inner = order.get(name) or order.get("*") or {}
        entries.append((name, gap, _render(text, key.start, before, [(value, inner)])))
    rank = _ranks(order)
    placed = sorted(entries, key=lambda each: rank.get(each[0], len(rank))) if rank else entries
    if placed[0] is not entries[0] and placed[0][1].strip():
        placed = entries  # the first entry may share its line with a dash: no comment can be put before it
    indent = " " * (node.start - _line_start(text, node.start))
    (_, _, first), *rest = placed
    return first + "".join((gap or indent) + core for _, gap, core in rest)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, node: Node) -> int:
    """After the line break of the last line of a node."""
    last = node.start + max(len(text[node.start : node.end].rstrip()) - 1, 0)
    found = text.find("\n", last)
    return len(text) if found < 0 else found + 1
