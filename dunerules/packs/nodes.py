"""YAML values that know where they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from dunerules.packs.source import Source
from dunerules.problems import Span

__all__ = ["STAND_IN", "Kind", "Node", "Woven", "body_of", "map_of", "plain", "whole", "woven"]

STAND_IN = "?"
"""The style of a node that stands where something was reported already, so that one mistake is one finding."""

Kind: TypeAlias = Literal["map", "list", "text", "number", "flag"]


class Node:
    """One value of a file: a map, list, text, whole number or flag, with its place.

    `value` is a dict of name to (key, value) for maps, a list of nodes for lists, else the value itself.
    Nodes are not changed once the file is read; an overlay builds new maps out of old nodes.
    """

    __slots__ = ("_offsets", "end", "kind", "source", "start", "style", "value")

    def __init__(self, source: Source, kind: Kind, value: Any, start: int, end: int, style: str = "") -> None:
        self.source = source
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.style = style
        self._offsets: list[int] | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.span}>"

    @property
    def span(self) -> Span:
        """Where the whole value stands."""
        return self.source.span(self.start, self.end)

    def get(self, name: str) -> Node | None:
        """The value of a key, if this is a map that has it."""
        if self.kind != "map":
            return None
        entry = self.value.get(name)
        return entry[1] if entry else None

    def entries(self) -> Iterator[tuple[str, Node, Node]]:
        """Name, key node and value node of every entry; nothing if this is not a map."""
        if self.kind == "map":
            for name, (key, value) in self.value.items():
                yield name, key, value

    def items(self) -> list[Node]:
        """The elements of a list; a lone value counts as a list of itself."""
        return self.value if self.kind == "list" else [self]

    def text(self, name: str, default: str = "") -> str:
        """The text under a key, or `default`."""
        node = self.get(name)
        return node.value if node is not None and node.kind == "text" else default

    def place(self, offset: int) -> int:
        """The offset in the file of a character of this text; of its last one, for those behind it."""
        if self._offsets is None:
            self._offsets = _places(self)
        return self._offsets[min(offset, len(self._offsets) - 1)]

    def offset_span(self, start: int, end: int) -> Span:
        """The place in the file of characters `start` to `end` of this text."""
        begin = self.place(start)
        return self.source.span(begin, max(begin + 1, self.place(max(end - 1, 0)) + 1))


class Woven(Node):
    """A text put together from others. Every part of it still knows where it was written."""

    __slots__ = ("parts",)

    def __init__(self, like: Node, parts: list[tuple[str, Node, int]]) -> None:
        """Texts in order, each with the node it comes from and its offset in the text there; `like` says the place."""
        super().__init__(like.source, "text", "".join(text for text, _, _ in parts), like.start, like.end)
        self.parts = parts

    def offset_span(self, start: int, end: int) -> Span:
        """The place in the file that wrote the first of these characters."""
        at = 0
        for text, node, offset in self.parts:
            if start < at + len(text):
                begin = offset + max(start - at, 0)
                return node.offset_span(begin, min(offset + end - at, offset + len(text)))
            at += len(text)
        return self.span


def woven(like: Node, *parts: str | Node | tuple[Node, int, int]) -> Woven:
    """Texts one behind the other: nodes, slices of nodes, and what is put between, which belongs to what follows."""
    found: list[tuple[str, Node, int]] = []
    glue = ""
    for part in parts:
        if isinstance(part, str):
            glue += part
            continue
        node, start, end = part if isinstance(part, tuple) else (part, 0, len(str(part.value)))
        if glue:
            found.append((glue, _spot(node, start), 0))
        found.append((str(node.value)[start:end], node, start))
        glue = ""
    if glue:
        found.append((glue, _spot(*found[-1][1:]) if found else like, 0))
    return Woven(like, found)


def _spot(node: Node, offset: int) -> Node:
    """One place in a text, for what is put beside it."""
    if isinstance(node, Woven):
        at = 0
        for text, part, start in node.parts:
            if offset < at + len(text):
                return _spot(part, start + offset - at)
            at += len(text)
        return node
    place = node.place(offset) if node.kind == "text" else node.start
    return Node(node.source, "text", node.source.text[place : place + 1], place, place + 1)


def map_of(like: Node, value: dict[str, tuple[Node, Node]]) -> Node:
    """A map in the place of another."""
    return Node(like.source, "map", value, like.start, like.end, like.style)


def body_of(node: Node, key: str) -> Node | None:
    """What a definition says: itself, if it is written in short, or what stands under a key of it."""
    return node if node.kind == "text" else node.get(key)


def whole(node: Node) -> Node:
    """An effect as one text: itself, or its named steps one after the other. A `todo` stays what it is."""
    if node.kind != "map" or "todo" in node.value:
        return node
    steps = [step for _, _, step in node.entries() if step.kind == "text"]
    parts: list[str | Node] = []
    for step in steps:
        braces = len(steps) > 1 and _has_cost(step.value)
        parts += [", " if parts else "", *(("{ ", step, " }") if braces else (step,))]
    return woven(node, *parts)


def _has_cost(text: str) -> bool:
    """Whether an arrow stands in a text outside of all brackets: what is joined to it would be paid or gained too."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "{[(") - (sign in "}])")
        if depth == 0 and text.startswith("->", at):
            return True
    return False


def plain(node: Node) -> Any:
    """The bare Python value of a node: dicts, lists, strings, ints and bools."""
    if node.kind == "map":
        return {name: plain(value) for name, _, value in node.entries()}
    if node.kind == "list":
        return [plain(item) for item in node.value]
    return node.value


_ESCAPES = {"x": 4, "u": 6, "U": 10}


def _places(node: Node) -> list[int]:
    """For every character of a text node, its offset in the file.

    YAML folds lines and drops indentation, but it never reorders characters; so walking the value and the file
    side by side finds each visible character exactly. Only escapes in double quotes need counting.
    """
    text, value, style = node.source.text, node.value, node.style
    at = node.start
    if style in "|>" and style:
        at = _after_line(text, at)
    elif style in "'\"" and style:
        at += 1
    places = []
    for character in value:
        if style == '"':
            while text[at : at + 1] == "\\" and text[at + 1 : at + 2] in "\n\r":
                at += 2
                while text[at : at + 1] in {" ", "\t", "\n"}:
                    at += 1
        if style == '"' and text[at : at + 1] == "\\":
            places.append(at)
            at += _ESCAPES.get(text[at + 1 : at + 2], 2)
        elif character in " \n\t":
            places.append(at)
            at += text[at : at + 1] == character
        else:
            found = text.find(character, at, node.end)
            at = found if found >= 0 else at
            places.append(at)
            at += 1
    return places or [node.start]


def _after_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
