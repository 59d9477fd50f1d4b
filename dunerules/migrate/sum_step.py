"""Texts of format 1: a field of a group was added up by `sum(cost of (card in hand))`, and blanks could stand around
the `/` between zones. Now something is asked of each of a group, and `/` between blanks divides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.packs.nodes import Node
from dunerules.problems import Edit

__all__ = ["asked_of_each"]

_SUM = re.compile(r"\bsum\s*\(\s*([a-z][a-z0-9_]*)(\s+of\s*)")
_PATH = re.compile(r"(?<=[a-z0-9_])(?:\s+/\s*|/\s+)(?=[a-z])")
_PROSE = frozenset({"name", "title", "text", "texts", "note", "todo", "flavour", "authors", "licence"})
"""Keys of what is no rule, whatever it looks like."""


def asked_of_each(node: Node | None) -> Iterator[Edit]:
    """What writes every such sum, and every path of zones, as it is written now."""
    if node is not None:
        named = set(_parameters(node))
        for text in _texts(node):
            yield from _edits(text, named)


def _texts(node: Node) -> Iterator[Node]:
    """Every text in a file that may be a rule."""
    if node.kind == "map":
        for name, key, value in node.entries():
            if name not in _PROSE:
                yield key
                yield from _texts(value)
    elif node.kind == "list":
        for each in node.items():
            yield from _texts(each)
    elif node.kind == "text":
        yield node


def _parameters(node: Node) -> Iterator[str]:
    """All names under `takes` in a file."""
    for key, _, value in node.entries() if node.kind == "map" else ():
        if key == "takes" and value.kind == "map":
            yield from value.value
        yield from _parameters(value)


def _edits(node: Node, named: set[str]) -> Iterator[Edit]:
    text = str(node.value)
    changes = sorted([*_sums(text, named), *((*found.span(), "/") for found in _PATH.finditer(text))])
    after, done = "", 0
    for start, end, written in changes:
        after, done = after + text[done:start] + written, end
    if not changes or not _is_rule(after + text[done:]):
        return
    for start, end, written in changes:
        # what is around a change is no blank, of which YAML keeps no place
        behind = node.place(end) if end < len(text) else node.place(end - 1) + 1
        yield Edit(node.place(start - 1) + 1, behind, written)


def _is_rule(text: str) -> bool:
    """Whether a text is in the language; in a scenario it says behind it whose it is."""
    starts: tuple[Start, ...] = get_args(Start)
    shorter = re.sub(r"\s+of seat [0-9]+\s*$", "", text)
    return any(not isinstance(parse(each, start), SyntaxFault) for start in starts for each in (text, shorter))


def _sums(text: str, named: set[str]) -> Iterator[tuple[int, int, str]]:
    """The parts of old sums that are written otherwise."""
    for found in _SUM.finditer(text):
        field, group = found[1], found.end()
        local = field in named or re.search(rf"\b(?:as|let)\s+{field}\b", text) is not None
        yield found.start(2), group, " of it each " if local else " each "
        if text[group] == "(":
            end = _closing(text, group)
            yield group, group + len(re.match(r"\(\s*", text[group:])[0]), ""  # type: ignore[index]
            inner = text[:end].rstrip()
            yield len(inner), end + 1, ""


def _closing(text: str, start: int) -> int:
    """Where the parenthesis that is opened at a place is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text) - 1
