"""The one list of differences that need not show in words, each with its reason."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.text.meanings import Meanings

__all__ = ["SYNONYMS", "same_answers"]

SYNONYMS: dict[str, str] = {
    "Compare: operator that never differs": "a number the counter cannot have, so that both say the same of every game",
    "Act: pool of the pieces": "pieces that are moved from a pool without an owner are moved from that of their own",
    "Body: may before a price": "whoever may pay may also decline",
    "Body: may before may": "what may be declined twice is declined once",
}
"""By the name of the change: why both mean the same."""

_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _bounds(left: m.Expression, meanings: Meanings) -> tuple[int, int] | None:
    """The numbers something can have."""
    if isinstance(left, m.Count | m.PieceRef) or (isinstance(left, m.Over) and isinstance(left.of, m.FieldRef)):
        return 0, 99
    if not isinstance(left, m.CounterRef):
        return None
    node = meanings.content.entries["counter", "", left.counter].node
    low, high = node.get("min"), node.get("max")
    return int(low.value) if low is not None else 0, int(high.value) if high is not None else 99


def same_answers(one: m.Compare, two: m.Compare, meanings: Meanings) -> bool:
    """Whether two comparisons of a number with a constant hold for the same of the numbers it can have."""
    if isinstance(one.left, m.Constant):
        return False
    bounds = _bounds(one.left, meanings)
    if not isinstance(one.right, m.Constant) or bounds is None:
        return False
    right = one.right.value

    def answers(compare: Any) -> list[bool]:
        return [_HOLDS[compare.operator](number, right) for number in range(bounds[0], bounds[1] + 1)]

    return answers(one) == answers(two)
