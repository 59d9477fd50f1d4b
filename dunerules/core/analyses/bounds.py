"""What a number is at least and at most, as far as that is known beforehand."""

from __future__ import annotations

import operator
from collections.abc import Callable

from dunerules.core import ir

__all__ = ["LARGEST", "bounds", "may_go_beyond"]

LARGEST = 1_000_000_000
"""A number of an expression, either way."""

_MOST_MEMBERS = 100_000
"""More than any group has."""

_STEPS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

_ANY = (-LARGEST, LARGEST)


def bounds(node: ir.Expr) -> tuple[int, int]:
    """The least and the most a number can be."""
    match node:
        case ir.Number():
            return node.value, node.value
        case ir.Read():
            return node.region.low, node.region.high
        case ir.Length():
            return 0, _MOST_MEMBERS
        case ir.Column():
            numbers = [each for each in node.table.values if isinstance(each, int)]
            return min(numbers, default=0), max(numbers, default=0)
        case ir.Extreme():
            lows, highs = zip(*map(bounds, node.parts), strict=True)
            farthest = max if node.which == "most" else min
            return farthest(lows), farthest(highs)
        case ir.If():
            (low, high), (other_low, other_high) = bounds(node.then), bounds(node.otherwise)
            return min(low, other_low), max(high, other_high)
        case ir.Arithmetic():
            low, high = _reach(node)
            return (low, high) if -LARGEST <= low and high <= LARGEST else _ANY
    return _ANY


def may_go_beyond(node: ir.Arithmetic) -> bool:
    """Whether a sum or product may go beyond the limit."""
    low, high = _reach(node)
    return low < -LARGEST or high > LARGEST


def _reach(node: ir.Arithmetic) -> tuple[int, int]:
    step = _STEPS.get(node.sign)
    if step is None:  # rounded down, a number does not grow
        return bounds(node.left)
    corners = [step(one, other) for one in bounds(node.left) for other in bounds(node.right)]
    return min(corners), max(corners)
