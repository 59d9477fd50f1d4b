"""The words of effects by what they are: for colours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from dunerules.dsl.parse import tokens
from dunerules.dsl.tables import load_tables
from dunerules.dsl.words import BUILT_IN, KEYWORDS
from dunerules.packs.nodes import Node, Woven
from dunerules.server.index import place_uses
from dunerules.server.names import CHOICE, FIELD, LABEL, LOCAL, POOL, SLOT
from dunerules.server.place import Place
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import READERS

__all__ = ["LEGEND", "semantic_tokens"]

_TYPES = ("keyword", "function", "variable", "property", "enumMember", "type", "number", "operator", "parameter",
          "namespace", "class")  # fmt: skip

LEGEND = lsp.SemanticTokensLegend(list(_TYPES), ["declaration"])

_SECTIONS = {
    "verb": "function", "procedure": "function", "value": "function", "counter": "variable", "zone": "namespace",
    POOL: "namespace", FIELD: "property", SLOT: "property", LABEL: "enumMember", CHOICE: "enumMember",
    "kind": "type", "trait": "type", "piece": "type", "object": "class", LOCAL: "parameter",
}  # fmt: skip


def semantic_tokens(place: Place) -> lsp.SemanticTokens:
    """All tokens of a file, as the protocol packs them."""
    found: dict[tuple[int, int], tuple[str, bool]] = {}
    for start, end, kind in _in_texts(place):
        found[start, end] = (kind, False)
    for use in place_uses(place):
        if Path(use.span.file).absolute() == place.path and use.name.section in _SECTIONS:
            found[place.text.offsets(use.span)] = (_SECTIONS[use.name.section], use.defines)
    data: list[int] = []
    line = character = 0
    for (start, end), (kind, declares) in sorted(found.items()):
        first, last = place.text.position(start), place.text.position(end)
        if first.line != last.line or last.character <= first.character:
            continue
        further = first.character - (character if first.line == line else 0)
        data += [first.line - line, further, last.character - first.character, _TYPES.index(kind), int(declares)]
        line, character = first.line, first.character
    return lsp.SemanticTokens(data)


def _in_texts(place: Place) -> Iterator[tuple[int, int, str]]:
    """The words of the language itself, numbers and signs."""
    file, understanding = place.file, place.understanding
    if file is None or file.node is None or understanding is None or file.kind not in READERS:
        return
    desk = Desk(understanding.words, collecting=True)
    READERS[file.kind](file.node, desk)
    terminals = load_tables()["terminals"]
    for node, _ in desk.seen:
        if not isinstance(node, Woven):
            yield from _in_text(node, terminals)


def _in_text(node: Node, terminals: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    text = str(node.value)
    for kind, value, at in tokens(text, terminals):
        word = str(value) if not hasattr(value, "text") else value.text
        place = node.place(at)
        if kind == "INT":
            yield place, place + len(str(value.value)), "number"
        elif word in KEYWORDS or (kind == "NAME" and word in BUILT_IN):
            yield place, place + len(word), "keyword"
        elif word in {"->", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "|"}:
            yield place, place + len(word), "operator"
