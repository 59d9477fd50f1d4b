"""The known names closest to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["nearest"]

_MOST = 3


def nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three others of `known` that a typist may have meant by `word`, best first, ties by alphabet."""
    word = word[:80]
    limit = max(1, (len(word) + 1) // 3)
    ranked: list[tuple[int, str]] = []
    for name in sorted(set(known) - {word}):
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
