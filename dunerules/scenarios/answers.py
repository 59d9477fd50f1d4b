"""Answers by name: which of the offered options an author means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dunerules.nearest import nearest
from dunerules.packs.nodes import Node

__all__ = ["UnclearError", "chosen", "listed", "matching", "text_of"]

_WORD = re.compile(r"[a-z0-9_]+|[^\sa-z0-9_]+")
_MOST = 40


class UnclearError(Exception):
    """An answer that is no option, or several."""


def chosen(node: Node, options: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the options that an answer names: one, or a list of several."""
    picked: list[int] = []
    for item in node.items():
        text = text_of(item)
        found = [number for number in matching(text, options) if number not in picked]
        names = {options[number] for number in found}
        if not found:
            raise UnclearError(f"`{text}` is not offered{_near(text, options)}; offered are\n{listed(options)}")
        if len(names) > 1:
            several = [options[number] for number in found]
            raise UnclearError(f"`{text}` may be any of\n{listed(several)}")
        picked.append(found[0])
    return tuple(picked)


def matching(text: str, options: Sequence[str]) -> list[int]:
    """The options a text may mean: the whole name; or words of it that follow each other; or words of it in order."""
    exact = [number for number, option in enumerate(options) if option == text]
    if exact or text.isdecimal():
        return exact
    words = _WORD.findall(text)
    split = [_WORD.findall(option) for option in options]
    together = [number for number, parts in enumerate(split) if _run(words, parts)]
    return together or [number for number, parts in enumerate(split) if _in_order(words, parts)]


def listed(options: Sequence[str]) -> str:
    """Options one a line."""
    unique = list(dict.fromkeys(options))
    lines = [f"    {option}" for option in unique[:_MOST]]
    if len(unique) > _MOST:
        lines.append(f"    ... and {len(unique) - _MOST} more")
    return "\n".join(lines) or "    nothing"


def text_of(node: Node) -> str:
    """What one answer says: YAML reads a bare yes and no as a flag."""
    if node.kind == "flag":
        return "yes" if node.value else "no"
    return " ".join(str(node.value).split())


def _run(words: list[str], parts: list[str]) -> bool:
    return any(parts[start : start + len(words)] == words for start in range(len(parts) - len(words) + 1))


def _in_order(words: list[str], parts: list[str]) -> bool:
    left = iter(parts)
    return all(word in left for word in words)


def _near(text: str, options: Sequence[str]) -> str:
    if text.isdecimal():
        return ""
    known = {part for option in options for part in _WORD.findall(option)}
    strange = [word for word in _WORD.findall(text) if word not in known]
    near = [name for word in strange for name in nearest(word, known)] or list(nearest(text, options))
    return f" (did you mean {' or '.join(f'`{name}`' for name in near[:3])}?)" if near else ""
