"""Answers by name: which of the offered options an author means."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.runtime.names import WHICH

__all__ = [
    "UnclearError", "chosen", "fitting", "in_one_piece", "listed", "matching", "text_of", "tokens",
    "without_more", "without_number",
]  # fmt: skip

_WORD = re.compile(r"[a-z0-9_]+|[^\sa-z0-9_]+")
_MOST = 40
_MORE = " ..."
"""At the end of a name: all options that fit it are meant."""


class UnclearError(Exception):
    """An answer that is no option, or several."""


def chosen(node: Node, options: Sequence[str], moves: Collection[str] = ()) -> tuple[int, ...]:
    """The numbers of the options that an answer names: one, or a list of several."""
    picked: list[int] = []
    for item in node.items():
        text = text_of(item)
        found = [number for number in matching(text, options, moves) if number not in picked]
        names = {options[number] for number in found}
        if not found:
            raise UnclearError(f"`{text}` is not offered{_near(text, options)}; offered are\n{listed(options)}")
        if len(names) > 1:
            several = [options[number] for number in found]
            raise UnclearError(f"`{text}` may be any of\n{listed(several)}")
        picked.append(found[0])
    return tuple(picked)


def fitting(text: str, options: Sequence[str], moves: Collection[str] = ()) -> list[int]:
    """The options that a check names: all copies of one, or, if the name ends with `...`, every one that fits."""
    found = matching(without_more(text), options, moves)
    several = list(dict.fromkeys(options[number] for number in found))
    if len(several) > 1 and not text.endswith(_MORE):
        raise UnclearError(
            f"`{text}` fits {len(several)} options: name the one that is meant, or write `{text}{_MORE}`"
            f" for all of them\n{listed(several)}"
        )
    return found


def matching(text: str, options: Sequence[str], moves: Collection[str] = ()) -> list[int]:
    """The options a text may mean: the whole name; or words of it that follow each other; or a move and its picks with
    some of them left out. Of options that look alike, `coin #2` is the second."""
    which = WHICH.search(text)
    if which is not None:
        place = int(which[1]) - 1
        return matching(text[: which.start()], options, moves)[place : place + 1]
    exact = [number for number, option in enumerate(options) if option == text]
    if exact or text.isdecimal():
        return exact
    words = tokens(text)
    split = [tokens(option) for option in options]
    together = [number for number, parts in enumerate(split) if in_one_piece(words, parts)]
    return together or [
        number for number, parts in enumerate(split) if parts and parts[0] in moves and _in_order(words, parts)
    ]


def without_more(text: str) -> str:
    """A name without the mark that says that it is meant for many."""
    return text.removesuffix(_MORE)


def without_number(text: str) -> str:
    """A name without which one of those that look alike is meant."""
    return WHICH.sub("", text)


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


def tokens(text: str) -> list[str]:
    """The words and signs of a text."""
    return _WORD.findall(text)


def in_one_piece(words: list[str], parts: list[str]) -> bool:
    """Whether words follow each other somewhere in others."""
    return any(parts[start : start + len(words)] == words for start in range(len(parts) - len(words) + 1))


def _in_order(words: list[str], parts: list[str]) -> bool:
    left = iter(parts)
    return all(word in left for word in words)


def _near(text: str, options: Sequence[str]) -> str:
    if text.isdecimal():
        return ""
    known = {part for option in options for part in tokens(option)}
    strange = [word for word in tokens(text) if word not in known]
    near = [name for word in strange for name in nearest(word, known)] or list(nearest(text, options))
    return f" (did you mean {' or '.join(f'`{name}`' for name in near[:3])}?)" if near else ""
