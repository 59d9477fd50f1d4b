"""Making expressions: what is known beforehand is worked out at once, so that it is nowhere else asked about."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from dunerules.core import ir
from dunerules.core.analyses.bounds import ANY, LARGEST, bounds, within
from dunerules.core.analyses.bounds import joined as joined_bounds
from dunerules.core.analyses.kinds import is_group, kind_of
from dunerules.dsl.constant import SIGNS
from dunerules.dsl.walk import changed

__all__ = [
    "FALSE", "NOTHING", "ONE", "TRUE", "ZERO", "all_of", "any_of", "anything", "as_group", "choice", "column",
    "compare", "constant", "extreme", "filtered", "first", "folded", "has", "length", "negated", "over", "reckoned",
    "there",
]  # fmt: skip

TRUE, FALSE = ir.Truth(True), ir.Truth(False)
ZERO, ONE, NOTHING = ir.Number(0), ir.Number(1), ir.Number(-1)

_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
_SUMS: dict[str, Callable[[int, int], int]] = {**SIGNS, "//": operator.floordiv}

_OPPOSITES: dict[str, Any] = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "=": "!=", "!=": "="}

_IS_THERE = {(">=", 1), (">", 0)}
_IS_EMPTY = {("=", 0), ("<", 1), ("<=", 0)}


def constant(value: Any) -> ir.Expr:
    """What is known."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return ir.Number(value)
    if isinstance(value, (tuple, frozenset)):
        return ir.Members(tuple(value))
    return ir.Text(value)


# ---- truths


def all_of(parts: Iterable[ir.Expr]) -> ir.Expr:
    """Every part holds."""
    left: list[ir.Expr] = []
    for part in parts:
        if part == FALSE:
            return FALSE
        left += part.parts if isinstance(part, ir.All) else () if part == TRUE else (part,)
    return TRUE if not left else left[0] if len(left) == 1 else ir.All(tuple(left))


def any_of(parts: Iterable[ir.Expr]) -> ir.Expr:
    """Some part holds."""
    left: list[ir.Expr] = []
    for part in parts:
        if part == TRUE:
            return TRUE
        left += part.parts if isinstance(part, ir.Either) else () if part == FALSE else (part,)
    return FALSE if not left else left[0] if len(left) == 1 else ir.Either(tuple(left))


def negated(of: ir.Expr) -> ir.Expr:
    """The opposite."""
    if isinstance(of, ir.Truth):
        return FALSE if of.value else TRUE
    if isinstance(of, ir.Not) and kind_of(of.of) == "truth":
        return of.of
    if isinstance(of, ir.Compare):
        return replace(of, sign=_OPPOSITES[of.sign])
    return replace(of, wanted=not of.wanted) if isinstance(of, ir.Some) else ir.Not(of)


def compare(sign: Any, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two compared. Whether a group has any member is asked as such."""
    if isinstance(left, ir.Number) and isinstance(right, ir.Number):
        return constant(_TESTS[sign](left.value, right.value))
    if isinstance(left, ir.Length) and isinstance(right, ir.Number):
        if (sign, right.value) in _IS_THERE:
            return anything(left.of)
        if (sign, right.value) in _IS_EMPTY:
            return negated(anything(left.of))
    return ir.Compare(sign, left, right)


def there(of: ir.Expr) -> ir.Expr:
    """Whether something is not nobody, nothing or nowhere."""
    return compare(">=", of, ZERO)


def anything(of: ir.Expr) -> ir.Expr:
    """Whether a group has any member: of a filter the first one is enough."""
    if isinstance(of, ir.Members):
        return constant(bool(of.numbers))
    if isinstance(of, ir.Filter):
        return ir.Some(of.variable, of.over, of.test, True, of.counted)
    return ir.Anything(of)


def has(group: ir.Expr, member: ir.Expr) -> ir.Expr:
    """Whether a group has a member."""
    if isinstance(group, ir.Members) and isinstance(member, ir.Number):
        return constant(member.value in group.numbers)
    return ir.Contains(group, member)


def choice(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    """One of two, by a condition."""
    if isinstance(test, ir.Truth):
        return then if test.value else otherwise
    if then == otherwise:
        return then
    if then == FALSE and otherwise == TRUE:
        return negated(test)
    return ir.If(test, then, otherwise)


# ---- numbers


def reckoned(*joined: tuple[str, ir.Expr]) -> ir.Expr:
    """Numbers joined from left to right; within the limit, or the game ends."""
    terms: list[ir.Term] = []
    reach = (0, 0)
    for written, of in joined:
        sign = "//" if written == "/" and not _may_be_zero(of) else written
        if not terms:
            terms, reach = [ir.Term("+", of)], bounds(of)
            continue
        if sign == "//" and of == ONE:
            continue
        before = terms[0].of
        if len(terms) == 1 and isinstance(before, ir.Number) and isinstance(of, ir.Number):
            found = _SUMS[sign](before.value, of.value)
            if abs(found) <= LARGEST:
                terms, reach = [ir.Term("+", ir.Number(found))], (found, found)
                continue
        after = joined_bounds(reach, sign, bounds(of))
        reach = within(after)
        terms.append(ir.Term(sign, of, checked=reach != after))
    return terms[0].of if len(terms) == 1 else ir.Arithmetic(tuple(terms))


def _may_be_zero(of: ir.Expr) -> bool:
    low, high = bounds(of)
    return low <= 0 <= high


def extreme(which: Any, parts: tuple[ir.Expr, ...]) -> ir.Expr:
    """The most or the least of some numbers."""
    if all(isinstance(part, ir.Number) for part in parts):
        farthest = max if which == "most" else min
        return ir.Number(farthest(part.value for part in parts if isinstance(part, ir.Number)))
    return parts[0] if len(parts) == 1 else ir.Extreme(which, parts)


def over(which: Any, variable: str, group: ir.Expr, of: ir.Expr, counted: int = -1) -> ir.Expr:
    """A number asked of each of a group: all of them added up within the limit, or the game ends; or one of them."""
    if group == ir.Members(()):
        return ZERO
    if which != "sum":
        return ir.Over(which, variable, group, of, counted)
    if isinstance(of, ir.Column) and of.index == ir.Variable(variable):
        total = ir.Total(of.table, group)
        return total if sum(map(abs, of.table.values)) <= LARGEST else ir.Bounded(total)
    found = ir.Over(which, variable, group, of, counted)
    return found if bounds(found) != ANY else ir.Bounded(found)


def column(table: ir.Table, index: ir.Expr) -> ir.Expr:
    """What never changes about something."""
    return constant(table.values[index.value]) if isinstance(index, ir.Number) else ir.Column(table, index)


def length(of: ir.Expr) -> ir.Expr:
    """How many a group has."""
    return ir.Number(len(of.numbers)) if isinstance(of, ir.Members) else ir.Length(of)


def first(of: ir.Expr) -> ir.Expr:
    """The first of a group, or -1."""
    if isinstance(of, ir.Group) and of.parts:
        return of.parts[0]
    if isinstance(of, ir.Members):
        return ir.Number(of.numbers[0]) if of.numbers else NOTHING
    return ir.First(of)


# ---- groups


def as_group(of: ir.Expr) -> ir.Expr:
    """One as a group of one, nothing as an empty group."""
    if isinstance(of, ir.Number):
        return ir.Members((of.value,) if of.value >= 0 else ())
    return of if is_group(of) else ir.AsGroup(of)


def filtered(variable: str, over: ir.Expr, test: ir.Expr, counted: int = -1) -> ir.Expr:
    """Those of a group that pass a test."""
    if isinstance(test, ir.Truth):
        return over if test.value else ir.Members(())
    return ir.Filter(variable, over, test, counted)


# ---- all of it once more


def folded(node: Any, given: dict[ir.Expr, ir.Expr] | None = None) -> Any:
    """An expression with what is known worked out; or with other expressions in place of some, and what is known by
    that: the rest of it was made here."""
    put_in = given or {}
    kinds = {type(each) for each in put_in}

    def work_out(part: Any) -> Any:
        kind = type(part)
        if kind in kinds and part in put_in:
            return put_in[part]
        inner = changed(part, work_out)
        if inner is part and given is not None:
            return part
        fold = _FOLDED.get(kind)
        return inner if fold is None else fold(inner)

    return node if given is not None and not given else work_out(node)


def _bounded(node: ir.Bounded) -> ir.Expr:
    return node.of if isinstance(node.of, ir.Number) and abs(node.of.value) <= LARGEST else node


def _held(node: ir.Held) -> ir.Expr:
    return ir.Read(node.cell.region, node.cell.indexes) if isinstance(node.cell, ir.CellNumber) else node


_FOLDED: dict[type, Callable[[Any], ir.Expr]] = {
    ir.All: lambda node: all_of(node.parts),
    ir.Either: lambda node: any_of(node.parts),
    ir.Not: lambda node: negated(node.of),
    ir.Compare: lambda node: compare(node.sign, node.left, node.right),
    ir.Contains: lambda node: has(node.group, node.member),
    ir.If: lambda node: choice(node.test, node.then, node.otherwise),
    ir.Arithmetic: lambda node: reckoned(*((term.sign, term.of) for term in node.terms)),
    ir.Bounded: _bounded,
    ir.Over: lambda node: over(node.which, node.variable, node.over, node.of, node.counted),
    ir.Extreme: lambda node: extreme(node.which, node.parts),
    ir.Column: lambda node: column(node.table, node.index),
    ir.Held: _held,
    ir.Length: lambda node: length(node.of),
    ir.First: lambda node: first(node.of),
    ir.Anything: lambda node: anything(node.of),
    ir.AsGroup: lambda node: as_group(node.of),
    ir.Filter: lambda node: filtered(node.variable, node.over, node.test, node.counted),
}
"""By kind of record: how it is made anew, when its parts are others."""
