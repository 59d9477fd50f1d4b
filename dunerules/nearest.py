"""The known names closest to a mistyped one, or another word for it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources

__all__ = ["nearest"]

_MOST = 3
_MOST_SYNONYMS = 2


def nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three others of `known` that somebody may have meant by `word`, best first.

    Words that mean the same (`synonyms.toml`) come before those that only look alike, and of these the nearest first.
    """
    word, known = word[:80], set(known)
    same = [name for row in _synonyms().get(word.lower(), ()) for name in row if name in known and name != word]
    if same:
        return tuple(dict.fromkeys(same))[:_MOST_SYNONYMS]
    limit = max(1, (len(word) + 1) // 3)
    ranked: list[tuple[int, str]] = []
    for name in sorted(known - {word}):
        if abs(len(name) - len(word)) > limit:
            if len(word) >= 4 and (name.startswith(word) or (word.startswith(name) and len(name) >= 4)):
                ranked.append((limit, name))
            continue
        distance = _distance(word, name, limit)
        if distance <= limit:
            ranked.append((distance, name))
    ranked.sort()
    if not ranked:
        return ()
    best = ranked[0][0]
    return tuple(name for distance, name in ranked if distance <= best + 1)[:_MOST]


@cache
def _synonyms() -> dict[str, list[list[str]]]:
    """By word: the rows it stands in."""
    found: dict[str, list[list[str]]] = {}
    for row in tomllib.loads(resources.files("dunerules").joinpath("synonyms.toml").read_text("utf-8"))["words"]:
        for word in row:
            found.setdefault(word, []).append(row)
    return found


def _distance(left: str, right: str, limit: int) -> int:
    """Edits (insert, delete, change, swap of neighbours) between two words, or more than `limit` early."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
