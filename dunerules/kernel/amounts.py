"""How much a verb says, and what it comes to where it is about nobody or something happens instead."""

from __future__ import annotations

from collections.abc import Iterable

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.bounds import bounds
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.kernel.bench import Bench, given

__all__ = ["ASKED", "about_something", "amount", "plainly", "replaced"]

ASKED = frozenset({"up to", "any"})
"""Quantities of which the acting seat says how many."""


def amount(bench: Bench, code: Do) -> ir.Expr:
    """How much or how many a verb says, never below zero: its number, as often as `per` counts."""
    number = _at_least_zero(bench, given(code)["n"])
    if code.per is None:
        return number
    each, counted = code.per
    often = _at_least_zero(bench, counted)
    often = often if each == 1 else make.reckoned(("+", often), ("//", ir.Number(each)))
    return ir.Arithmetic((ir.Term("+", number), ir.Term("*", often)))


def _at_least_zero(bench: Bench, node: m.Expression) -> ir.Expr:
    built = bench.core.build(node)
    return built if bounds(built)[0] >= 0 else ir.Extreme("most", (make.ZERO, built))


def plainly(sign: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """A sum that cannot go beyond the limit, for cells have bounds of their own."""
    return ir.Arithmetic((ir.Term("+", left), ir.Term(sign, right)))


def about_something(code: Do, sure: ir.Expr, steps: Iterable[st.Step], needed: ir.Expr | None) -> st.Step:
    """Steps that are done unless the verb is about nobody, nothing or nowhere; then so much must not be needed."""
    otherwise: list[st.Step] = [] if needed is None else [st.Need(make.compare("<=", needed, make.ZERO))]
    if code.slot >= 0:
        otherwise.append(st.Put(code.slot, make.ZERO))
    return st.When(sure, tuple(steps), tuple(otherwise))


def replaced(code: Do, changes: ir.Expr, function: ir.Function, told: tuple[ir.Expr, ...]) -> list[st.Step]:
    """Something else may be done in place of a change. Then the verb gives nothing."""
    kept: list[st.Step] = [st.Put(code.slot, make.ZERO)] if code.slot >= 0 else []
    return [*kept, st.Replace(changes, ir.Call(function, (ir.Frame(), *told)))]
