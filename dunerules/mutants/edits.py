"""Edits of a file by offset, as operators propose them: of effect texts, of values, of whole keys and list items."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from dunerules.packs.nodes import Node

__all__ = ["Draft", "Edited", "dropped_item", "dropped_key", "edited", "in_file", "put"]

_FLOW = frozenset("{}[],")
"""What a plain text inside brackets cannot contain."""

_BLANKS = re.compile(r"\s+")
_PLAIN_STARTS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789(")


@dataclass(frozen=True, slots=True)
class Draft:
    """A change of an effect text: what stands from `start` to `end` of it becomes `new`."""

    operator: str
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A change of a file: what stands from `start` to `end` of it becomes `new`; `at` is where the mistake is."""

    operator: str
    start: int
    end: int
    new: str
    at: int
    before: str
    after: str
    """What it was and became, in few words."""


def edited(text: str, draft: Draft) -> str:
    """A text with a change made."""
    return text[: draft.start] + draft.new + text[draft.end :]


def in_file(node: Node, draft: Draft) -> Edited:
    """A change of the text of a node, as a change of its file."""
    said = str(node.value)
    draft = replace(draft, new=_BLANKS.sub(" ", draft.new))  # a line break would need its indentation
    after = edited(said, draft)
    shown = _shortly(said, draft.start, draft.end), _shortly(after, draft.start, draft.start + len(draft.new))
    spot = node.place(draft.start)
    quoted = node.style == "" and (after[:1] not in _PLAIN_STARTS or bool(_FLOW & {*after} and not _FLOW & {*said}))
    if quoted or node.style == '"':
        return Edited(draft.operator, node.start, node.end, json.dumps(after, ensure_ascii=False), spot, *shown)
    if draft.start == draft.end:
        return Edited(draft.operator, spot, spot, draft.new, spot, *shown)
    end = node.place(draft.end) if draft.end < len(said) else node.place(draft.end - 1) + 1
    return Edited(draft.operator, spot, end, draft.new, spot, *shown)


_AROUND = 24
"""Characters that are shown beside a change."""

_WIDEST = 100
"""Characters that are shown of it at most, or a few more."""


def _shortly(text: str, start: int, end: int) -> str:
    """A part of a text with a little of what stands around it, on one line."""
    low, high = max(0, start - _AROUND), min(len(text), end + _AROUND)
    while 0 < low < start and text[low - 1] != " ":
        low += 1
    while end < high < len(text) and text[high] != " ":
        high -= 1
    shown = " ".join(text[low:high].split())
    if len(shown) > _WIDEST:
        shown = f"{shown[: _WIDEST // 2]} ... {shown[-_WIDEST // 2 :]}"
    return f"{'... ' if low > 0 else ''}{shown}{' ...' if high < len(text) else ''}"


def put(operator: str, key: str, node: Node, new: str) -> Edited:
    """A plain value that becomes another."""
    old = node.source.text[node.start : node.end]
    return Edited(operator, node.start, node.end, new, node.start, f"{key}: {old}", f"{key}: {new}")


# ---- whole keys and items


def dropped_key(parent: Node, name: str) -> Edited | None:
    """A key with its value that is not there any more; nothing where that would leave no map."""
    if len(parent.value) < 2:
        return None
    key, value = parent.value[name]
    told = "key dropped", key.start, f"{name}: {_first_line(value)}", f"no {name}"
    if parent.style == "{":
        return _out_of_brackets([(each[0].start, each[1].end) for each in parent.value.values()], key.start, *told)
    names = list(parent.value)
    following = names[names.index(name) + 1 :]
    next_start = parent.value[following[0]][0].start if following else 0
    return _lines(parent, key.start, value, next_start, *told)


def dropped_item(parent: Node, item: Node, key: str) -> Edited | None:
    """An item of a list that is not there any more; the last one of a list in brackets too."""
    told = "item dropped", item.start, f"{key}: {_first_line(item)}", f"{key} without it"
    items = parent.value
    if parent.style == "{":
        if len(items) == 1:
            return Edited("item dropped", parent.start, parent.end, "[]", *told[1:])
        return _out_of_brackets([(each.start, each.end) for each in items], item.start, *told)
    if len(items) < 2:
        return None
    dash = item.source.text.rfind("-", 0, item.start)
    return _lines(parent, dash, item, 0, *told)


def _out_of_brackets(
    spans: list[tuple[int, int]], start: int, operator: str, at: int, before: str, after: str
) -> Edited:
    place = next(number for number, span in enumerate(spans) if span[0] == start)
    if place > 0:
        return Edited(operator, spans[place - 1][1], spans[place][1], "", at, before, after)
    return Edited(operator, start, spans[1][0], "", at, before, after)


def _lines(
    parent: Node, start: int, value: Node, following: int, operator: str, at: int, before: str, after: str
) -> Edited | None:
    """All lines of something in a block."""
    text = parent.source.text
    begin = text.rfind("\n", 0, start) + 1
    if text[begin:start].strip():  # the first key of a list item: the next one takes its place
        return Edited(operator, start, following, "", at, before, after) if following else None
    end = value.start + len(text[value.start : value.end].rstrip())
    newline = text.find("\n", end)
    return Edited(operator, begin, newline + 1 if newline >= 0 else len(text), "", at, before, after)


def _first_line(node: Node) -> str:
    lines = node.source.text[node.start : node.end].strip().splitlines() or [""]
    first = lines[1].strip() if lines[0] in {"|-", "|", ">-", ">"} and len(lines) > 1 else lines[0].strip()
    return first if len(lines) == 1 else f"{first} ..."
