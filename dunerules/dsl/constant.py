"""Expressions whose value does not depend on the game."""

from __future__ import annotations

import operator
from collections.abc import Callable

from dunerules.dsl import meaning as m

__all__ = ["SIGNS", "constant"]

_TESTS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
SIGNS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": lambda one, other: one // other if other else 0,
}  # fmt: skip
"""What signs between numbers come to: a quotient is rounded down, and by zero it is 0."""


def constant(node: m.Expression) -> int | bool | None:
    """The value of an expression if it is the same in every game, else nothing."""
    match node:
        case m.Constant():
            return node.value
        case m.Always():
            return True
        case m.Arithmetic():
            return _arithmetic(node)
        case m.If():
            test = constant(node.test)
            return None if test is None else constant(node.then if test else node.otherwise)
        case m.Compare():
            left, right = constant(node.left), constant(node.right)
            if left is None or right is None:
                same = node.left == node.right and not isinstance(node.left, m.Unknown)
                return _TESTS[node.operator](0, 0) if same else None
            return _TESTS[node.operator](left, right)
        case m.Not():
            value = constant(node.part)
            return None if value is None else not value
        case m.All():
            values = [constant(part) for part in node.parts]
            return False if False in values else True if all(value is True for value in values) else None
        case m.Any():
            values = [constant(part) for part in node.parts]
            return True if True in values else False if all(value is False for value in values) else None
    return None


def _arithmetic(node: m.Arithmetic) -> int | None:
    total = 0
    for index, (sign, term) in enumerate(node.terms):
        value = constant(term)
        if value is None:
            return None
        total = SIGNS[sign](total, value) if index else int(value)
    return total
