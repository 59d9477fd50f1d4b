"""Counting and comparing, written as Python: the part of the evaluator that judges."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, Type
from dunerules.runtime.limits import LARGEST, look, too_large
from dunerules.runtime.source import Source
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["TESTS", "Conditions", "comparison"]

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip

_STEPS: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}

_MOST_LABELS = 100_000
"""More than any family has members."""


def comparison(sign: str, left: str, right: str) -> str:
    """Two texts compared."""
    return f"({left} {'==' if sign == '=' else sign} {right})"


class Conditions:
    """Writes amounts and conditions made of other expressions."""

    table: Table
    source: Source

    @abstractmethod
    def text(self, node: m.Expression) -> str:
        """An expression as Python."""

    @abstractmethod
    def declared(self, node: m.Expression) -> str:
        """What something is a copy of."""

    @abstractmethod
    def some(self, node: m.Expression, wanted: bool = True) -> str:
        """Whether a group has any member, or none."""

    @abstractmethod
    def group(self, node: m.Expression) -> str:
        """An expression as a group."""

    @abstractmethod
    def asked_slot(self, slot: str, kind: str, wanted: Type) -> Asked:
        """The function of a slot that is a condition or a number."""

    # ---- amounts

    def _count(self, node: m.Count) -> str:
        return f"len({self.group(node.of)})"

    def _total(self, node: m.Total) -> str:
        """The sum of a field, or of a slot that is asked; what lacks it counts 0."""
        kind, group = node.of.type.name, self.group(node.of)
        if node.field in self.table.fields:
            column = [value or 0 for value in self.table.column(node.field, kind)]
            text = f"sum(map({self.source.name(column.__getitem__)}, {group}))"
            return text if sum(map(abs, column)) <= LARGEST else self.bounded(text)
        each = self.asked_slot(node.field, kind, AMOUNT)

        def total(s: State, f: Frame, things: tuple[int, ...]) -> int:
            look(s, len(things))
            return sum([each(s, f, thing) for thing in things])

        return self.bounded(f"{self.source.name(total)}(s, f, {group})")

    def bounded(self, text: str) -> str:
        """A number that ends the game if it is beyond the limit."""
        value, over = self.source.variable(), self.source.name(too_large)
        return f"({value} if -{LARGEST} <= ({value} := {text}) <= {LARGEST} else {over}(s))"

    def _bounds(self, node: m.Expression) -> tuple[int, int]:
        """What a number is at least and at most, as far as that is known beforehand."""
        layout = self.table.layout
        if isinstance(node, m.Constant):
            return node.value, node.value
        if isinstance(node, m.CounterRef):
            return layout.cells[node.counter].low, layout.cells[node.counter].high
        if isinstance(node, m.PieceRef):
            return 0, layout.pools[node.piece, node.pool or "@"].high
        if isinstance(node, m.Count):
            return 0, max(len(layout.objects), len(layout.things), _MOST_LABELS)
        if isinstance(node, m.FieldRef) and node.field in self.table.fields:
            numbers = [each for each in self.table.fields[node.field] if isinstance(each, int)]
            return min(numbers, default=0), max(numbers, default=0)
        if isinstance(node, m.Extreme) and node.which != "per":
            lows, highs = zip(*map(self._bounds, node.of), strict=True)
            farthest = max if node.which == "most" else min
            return farthest(lows), farthest(highs)
        if isinstance(node, m.Arithmetic):
            return self._reach(node)[-1][:2]
        return -LARGEST, LARGEST

    def _reach(self, node: m.Arithmetic) -> list[tuple[int, int, bool]]:
        """What a sum or product is at least and at most after every step, and whether that may go beyond the limit."""
        found = [(*self._bounds(node.terms[0][1]), False)]
        for sign, term in node.terms[1:]:
            corners = [_STEPS[sign](one, other) for one in found[-1][:2] for other in self._bounds(term)]
            low, high = min(corners), max(corners)
            beyond = low < -LARGEST or high > LARGEST
            found.append((-LARGEST, LARGEST, True) if beyond else (low, high, False))
        return found

    def _extreme(self, node: m.Extreme) -> str:
        parts = [self.text(part) for part in node.of]
        if node.which == "per":
            counted, each = parts
            return f"({counted} // {each})"
        if len(parts) == 1:
            return parts[0]
        if len(parts) == 2 and isinstance(node.of[0], m.Constant):
            bound, other = parts
            value, sign = self.source.variable(), ">" if node.which == "most" else "<"
            return f"({value} if ({value} := {other}) {sign} {bound} else {bound})"
        return f"{'max' if node.which == 'most' else 'min'}({', '.join(parts)})"

    def _arithmetic(self, node: m.Arithmetic) -> str:
        """From left to right, whatever the signs: only a change of sign needs parentheses.

        What may go beyond the limit is looked at after every step.
        """
        (_, first), *rest = node.terms
        text, before = self.text(first), "*"
        for (sign, term), (*_, beyond) in zip(rest, self._reach(node)[1:], strict=True):
            if sign == "*" and before != "*":
                text = f"({text})"
            text, before = f"{text} {sign} {self.text(term)}", sign
            if beyond:
                text, before = self.bounded(text), "*"
        return f"({text})"

    # ---- conditions

    def _compare(self, node: m.Compare) -> str:
        if isinstance(node.left, m.Count) and isinstance(node.right, m.Constant):
            if _is_one_or_more(node):
                return self.some(node.left.of)
            if node.operator == "=" and node.right.value == 0:
                return self.some(node.left.of, False)
        left, right = self._comparable(node.left, node.right), self._comparable(node.right, node.left)
        return comparison(node.operator, left, right)

    def _comparable(self, node: m.Expression, other: m.Expression) -> str:
        """A side of a comparison: an object is compared with an id by what it is a copy of."""
        by_kind = node.type.name == "thing" and any(
            isinstance(each, (m.ObjectRef, m.FieldRef)) for each in (node, other)
        )
        return self.declared(node) if by_kind else self.text(node)

    def _exists(self, node: m.Exists) -> str:
        if isinstance(node.of, m.SlotRef):
            return self._has_slot(node.of)
        if node.of.type.many:
            return self.some(node.of)
        return f"({self.text(node.of)} >= 0)"

    def _has_slot(self, node: m.SlotRef) -> str:
        column = self.table.programs_of(node.slot, node.object.type.name)
        return f"({self.source.name(column)}[{self.text(node.object)}] >= 0)"

    def _has(self, node: m.Has) -> str:
        found = self.source.variable()
        by_kind = isinstance(node.group, m.FieldRef) and node.group.type.name == "thing"
        group, member = map(self.declared if by_kind else self.text, (node.group, node.member))
        return f"({member} in {found} if isinstance({found} := {group}, tuple) else {member} == {found})"

    def _not(self, node: m.Not) -> str:
        part = node.part
        if isinstance(part, m.Compare) and isinstance(part.left, m.Count) and _is_one_or_more(part):
            return self.some(part.left.of, False)
        return f"(not {self.text(part)})"

    def _all(self, node: m.All) -> str:
        return f"({' and '.join(map(self.text, node.parts))})" if node.parts else "True"

    def _any(self, node: m.Any) -> str:
        return f"({' or '.join(map(self.text, node.parts))})" if node.parts else "False"


def _is_one_or_more(node: m.Compare) -> bool:
    return node.operator == ">=" and isinstance(node.right, m.Constant) and node.right.value == 1
