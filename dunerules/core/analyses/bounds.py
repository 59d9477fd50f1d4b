"""What a number is at least and at most, as far as that is known beforehand."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TypeAlias

from dunerules.core import ir

__all__ = ["ANY", "LARGEST", "Bounds", "bounds", "joined", "within"]

Bounds: TypeAlias = tuple[int, int]

LARGEST = 1_000_000_000
"""A number of an expression, either way."""

_MOST_MEMBERS = 100_000
"""More than any group has."""

_STEPS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

_DIVIDING = frozenset({"/", "//"})

ANY: Bounds = (-LARGEST, LARGEST)
"""Of a number of which nothing is known."""


def bounds(node: ir.Expr) -> Bounds:
    """The least and the most a number can be."""
    match node:
        case ir.Number():
            return node.value, node.value
        case ir.Read():
            return node.region.low, node.region.high
        case ir.Length():
            return 0, _MOST_MEMBERS
        case ir.Column():
            return node.table.bounds
        case ir.Extreme():
            lows, highs = zip(*map(bounds, node.parts), strict=True)
            farthest = max if node.which == "most" else min
            return farthest(lows), farthest(highs)
        case ir.Over():
            low, high = bounds(node.of)
            times = _MOST_MEMBERS if node.which == "sum" else 1
            return within((min(low, 0) * times, max(high, 0) * times))
        case ir.If():
            (low, high), (other_low, other_high) = bounds(node.then), bounds(node.otherwise)
            return min(low, other_low), max(high, other_high)
        case ir.Arithmetic():
            found = bounds(node.terms[0].of)
            for term in node.terms[1:]:
                found = within(joined(found, term.sign, bounds(term.of)))
            return found
    return ANY


def joined(one: Bounds, sign: str, other: Bounds) -> Bounds:
    """The least and the most that two numbers make together."""
    if sign in _DIVIDING:
        found = [left // right for left in one for right in (*other, -1, 1) if right and other[0] <= right <= other[1]]
        found += [0] if other[0] <= 0 <= other[1] else []
        return min(found), max(found)
    corners = [_STEPS[sign](left, right) for left in one for right in other]
    return min(corners), max(corners)


def within(found: Bounds) -> Bounds:
    """The same, where what goes beyond the limit ends the game."""
    low, high = found
    return found if low >= -LARGEST and high <= LARGEST else ANY
