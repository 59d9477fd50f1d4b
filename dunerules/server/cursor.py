"""What is being written at a place of a file, also while the file cannot be read: a stand-in is put there, and the part
of the file around it is read with that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dunerules.packs.nodes import Node
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml

__all__ = ["STAND_IN_NAME", "Cursor", "Step", "find_cursor"]

STAND_IN_NAME = "what_is_written_here"
"""Stands for the word at the cursor, in files and in effects. It is a good name that nobody has."""

_WORD_BEFORE = re.compile(r"[A-Za-z0-9_]*\Z")
_WORD_AFTER = re.compile(r"[A-Za-z0-9_]*")
_BLOCK = re.compile(r"[|>][+-]?[0-9]?\s*(#.*)?$")

Step: TypeAlias = str | int
"""A key of a map, or a place in a list."""


@dataclass(frozen=True)
class Cursor:
    """A word that is being written: where it stands, and the file around it with a stand-in in its place."""

    start: int
    end: int
    """The word, as offsets into the text of the editor."""
    root: Node
    path: tuple[Step, ...]
    """What leads to the map or list that it is in, or to the value."""
    node: Node
    """The value that has the stand-in in it, or the map in which it is a key."""
    key: bool
    """Whether it is a key."""

    @property
    def before(self) -> str:
        """In a text: what stands in it before the word."""
        return str(self.node.value).partition(STAND_IN_NAME)[0]


def find_cursor(text: str, offset: int) -> Cursor | None:
    """What is written at an offset; nothing where nobody can tell."""
    start = offset - len(_WORD_BEFORE.search(text[:offset])[0])  # type: ignore[index]
    end = offset + len(_WORD_AFTER.match(text, offset)[0])  # type: ignore[index]
    before = text[text.rfind("\n", 0, start) + 1 : start]
    break_ = text.find("\n", end)
    after = text[end : break_ if break_ >= 0 else len(text)].rstrip("\r")
    lines = text[: start - len(before)].split("\n")[:-1]
    below = text[break_ + 1 :].split("\n") if break_ >= 0 else []
    around = _around(lines, before, below)
    for line in _attempts(before, after, in_block=_in_block(lines, before)):
        read = "\n".join([*around[0], line, *around[1]])
        root, _ = read_yaml(Source("", read))
        found = _find(root, ()) if root is not None else None
        if root is not None and found is not None:
            return Cursor(start, end, root, *found)
    return None


def _attempts(before: str, after: str, *, in_block: bool) -> Iterator[str]:
    """The line as it may be meant."""
    if not in_block and not before.strip(" -") and not after.strip():
        yield f"{before}{STAND_IN_NAME}: {STAND_IN_NAME[::-1]}"
    yield f"{before}{STAND_IN_NAME}{after}"
    yield f"{before}{STAND_IN_NAME}{_closing(before)}"
    if not in_block and before.lstrip(" -")[:1] not in {"'", '"'}:
        yield f"{before}{STAND_IN_NAME}: {STAND_IN_NAME[::-1]}{_closing(before)}"


def _closing(text: str) -> str:
    """What closes the brackets and quotes that a line opens."""
    waiting: list[str] = []
    for sign in text:
        if waiting and sign == waiting[-1]:
            waiting.pop()
        elif waiting and waiting[-1] in "'\"":
            continue
        elif sign in "[{'\"":
            waiting.append({"[": "]", "{": "}"}.get(sign, sign))
    return "".join(reversed(waiting))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _in_block(lines: list[str], before: str) -> bool:
    """Whether a line is one of a text of several lines."""
    indent = _indent(before + "x")
    for line in reversed(lines):
        if line.strip() and _indent(line) < indent:
            return _BLOCK.search(line) is not None
    return False


def _around(above: list[str], before: str, below: list[str]) -> tuple[list[str], list[str]]:
    """The lines that are read with the one at the cursor: the entry it belongs to, and the keys above that.

    What other entries say does not matter, nor whether it can be read.
    """
    top = next((i for i in range(len(above) - 1, -1, -1) if _is_top(above[i])), -1)
    indent = _indent(before + "x")
    if indent == 0 and not before.startswith("-"):
        top = len(above)
    inside = [i for i in range(top + 1, len(above)) if _says(above[i])]
    level = min((_indent(above[i]) for i in inside), default=indent)
    starts = [i for i in inside if _indent(above[i]) == level]
    own = starts[-1] if starts and indent > level else len(above)  # what is less indented begins an entry itself
    kept = [line for i, line in enumerate(above) if i == top or i >= own]
    short = [line for line in above[: max(top, 0)] if _is_top(line) and re.search(r":\s+[^\s#|>]", line)]
    rest = []
    for line in below:
        if _says(line) and _indent(line) <= level:
            break
        rest.append(line)
    short += [line for line in below[len(rest) :] if _is_top(line) and re.search(r":\s+[^\s#|>]", line)]
    return [*(line for line in short if line not in kept), *kept], rest


def _is_top(line: str) -> bool:
    return _says(line) and _indent(line) == 0 and not line.startswith("-")


def _find(node: Node, path: tuple[Step, ...]) -> tuple[tuple[Step, ...], Node, bool] | None:
    """The way to the stand-in."""
    if node.kind == "map":
        for name, _, value in node.entries():
            if STAND_IN_NAME in name:
                return path, node, True
            found = _find(value, (*path, name))
            if found is not None:
                return found
    elif node.kind == "list":
        for number, item in enumerate(node.value):
            found = _find(item, (*path, number))
            if found is not None:
                return found
    elif node.kind == "text" and STAND_IN_NAME in node.value:
        return path, node, False
    return None
