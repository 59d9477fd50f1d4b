"""Counting and comparing, compiled to closures: the part of the evaluator that judges.

What is asked most often has a closure of its own: a comparison with a number, a group that only needs one member, a
sum of two. The others go through the general ones beside them.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["TESTS", "Conditions"]

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
_SUMS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Conditions:
    """Compiles amounts and conditions made of other expressions."""

    table: Table

    @abstractmethod
    def compile(self, node: m.Expression) -> Asked:
        """The closure of an expression."""

    @abstractmethod
    def some(self, node: m.Expression, wanted: bool = True) -> Asked:
        """Whether a group has any member, or none."""

    # ---- amounts

    def _count(self, node: m.Count) -> Asked:
        group = self.compile(node.of)
        return lambda s, f, it: len(group(s, f, it))

    def _total(self, node: m.Total) -> Asked:
        group, column = self.compile(node.of), self.table.fields[node.field]
        objects, kind = self.table.layout.objects, node.of.type.name

        def total(s: State, f: Frame, it: int) -> int:
            things = (objects[each] if kind == "thing" else each for each in group(s, f, it))
            return sum(column[thing] or 0 for thing in things)

        return total

    def _extreme(self, node: m.Extreme) -> Asked:
        parts = [self.compile(part) for part in node.of]
        if node.which == "per":
            counted, each = parts
            return lambda s, f, it: counted(s, f, it) // each(s, f, it)
        choose = max if node.which == "most" else min
        if len(parts) == 2:
            one, other = parts
            if isinstance(node.of[0], m.Constant):
                bound = node.of[0].value
                return lambda s, f, it: choose(bound, other(s, f, it))
            return lambda s, f, it: choose(one(s, f, it), other(s, f, it))
        return lambda s, f, it: choose([part(s, f, it) for part in parts])

    def _arithmetic(self, node: m.Arithmetic) -> Asked:
        (_, first), *rest = [(sign, self.compile(term)) for sign, term in node.terms]
        if len(rest) == 1:
            start = node.terms[0][1]
            if isinstance(start, m.Constant) and rest[0][0] == "*":
                times, amount = start.value, rest[0][1]
                return lambda s, f, it: times * amount(s, f, it)
            return self._sum_of_two(rest[0][0], first, rest[0][1])
        joins = [(_SUMS[sign], term) for sign, term in rest]

        def total(s: State, f: Frame, it: int) -> int:
            value: int = first(s, f, it)
            for join, term in joins:
                value = join(value, term(s, f, it))
            return value

        return total

    def _sum_of_two(self, sign: str, first: Asked, second: Asked) -> Asked:
        if sign == "+":
            return lambda s, f, it: first(s, f, it) + second(s, f, it)
        if sign == "-":
            return lambda s, f, it: first(s, f, it) - second(s, f, it)
        return lambda s, f, it: first(s, f, it) * second(s, f, it)

    # ---- conditions

    def _compare(self, node: m.Compare) -> Asked:
        if isinstance(node.right, m.Constant):
            return self._compare_number(node, node.right.value)
        left, right = self._comparable(node.left, node.right), self._comparable(node.right, node.left)
        test = TESTS[node.operator]
        return lambda s, f, it: test(left(s, f, it), right(s, f, it))

    def _compare_number(self, node: m.Compare, bound: int) -> Asked:
        if isinstance(node.left, m.Count) and _is_one_or_more(node):
            return self.some(node.left.of)
        if isinstance(node.left, m.Count) and node.operator == "=" and bound == 0:
            return self.some(node.left.of, False)
        left, test = self.compile(node.left), TESTS[node.operator]
        if node.operator == ">=":
            return lambda s, f, it: left(s, f, it) >= bound
        if node.operator == "=":
            return lambda s, f, it: left(s, f, it) == bound
        return lambda s, f, it: test(left(s, f, it), bound)

    def _comparable(self, node: m.Expression, other: m.Expression) -> Asked:
        """A side of a comparison: an object is compared with an id by what it is a copy of."""
        found = self.compile(node)
        objects = self.table.layout.objects
        if node.type.name == "thing" and not isinstance(node, m.ObjectRef) and isinstance(other, m.ObjectRef):
            return lambda s, f, it: objects[found(s, f, it)]
        if isinstance(node, m.FieldRef) and node.type.name == "thing":
            return found
        if node.type.name == "thing" and isinstance(other, m.FieldRef):
            return lambda s, f, it: objects[found(s, f, it)]
        return found

    def _exists(self, node: m.Exists) -> Asked:
        if isinstance(node.of, m.SlotRef):
            return self._has_slot(node.of)
        if node.of.type.many:
            return self.some(node.of)
        inner = self.compile(node.of)
        return lambda s, f, it: inner(s, f, it) is not None

    def _has_slot(self, node: m.SlotRef) -> Asked:
        column, thing = self.table.programs[node.slot], self.compile(node.object)
        objects, kind = self.table.layout.objects, node.object.type.name
        if kind == "thing":
            return lambda s, f, it: column[objects[thing(s, f, it)]] >= 0
        return lambda s, f, it: column[thing(s, f, it)] >= 0

    def _has(self, node: m.Has) -> Asked:
        group, member = self.compile(node.group), self.compile(node.member)

        def test(s: State, f: Frame, it: int) -> bool:
            found = group(s, f, it)
            wanted = member(s, f, it)
            return wanted in found if isinstance(found, tuple) else wanted == found

        return test

    def _not(self, node: m.Not) -> Asked:
        part = node.part
        if isinstance(part, m.Compare) and isinstance(part.left, m.Count) and _is_one_or_more(part):
            return self.some(part.left.of, False)
        inner = self.compile(part)
        return lambda s, f, it: not inner(s, f, it)

    def _all(self, node: m.All) -> Asked:
        parts = [self.compile(part) for part in node.parts]
        if len(parts) == 2:
            first, second = parts
            return lambda s, f, it: first(s, f, it) and second(s, f, it)

        def every(s: State, f: Frame, it: int) -> bool:
            for part in parts:
                if not part(s, f, it):
                    return False
            return True

        return every

    def _any(self, node: m.Any) -> Asked:
        parts = [self.compile(part) for part in node.parts]
        if len(parts) == 2:
            first, second = parts
            return lambda s, f, it: first(s, f, it) or second(s, f, it)
        return lambda s, f, it: any(part(s, f, it) for part in parts)


def _is_one_or_more(node: m.Compare) -> bool:
    return node.operator == ">=" and isinstance(node.right, m.Constant) and node.right.value == 1
