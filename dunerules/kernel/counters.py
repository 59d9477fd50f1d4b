"""Counters that change: within their bounds, with whatever follows from it."""

from __future__ import annotations

from collections.abc import Callable

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.bounds import bounds
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.kernel.amounts import ASKED, about_something, amount, plainly, replaced
from dunerules.kernel.bench import COUNT, Bench, given, origin

__all__ = ["changed", "written"]


def changed(bench: Bench, code: Do, sign: str) -> list[st.Step]:
    """Add to or take from a counter, within its bounds: as much as is said, all, or as the seat says."""
    quantity, what = given(code)["n"], given(code)["what"]
    assert isinstance(what, m.CounterRef)
    low = bench.core.cell(what).region.low
    mode = quantity.mode if isinstance(quantity, m.Quantity) else "exactly"
    if mode == "all":
        return written(bench, code, lambda _: ir.Number(low))
    said = amount(bench, code) if mode == "exactly" or _says_how_many(quantity) else None
    if mode in ASKED:
        held = ir.Held(ir.Variable("number"))
        there = plainly("-", held, ir.Number(low)) if low else held
        most = there if said is None else ir.Extreme("least", (there, said))
        ask = st.Ask("number", "count", mode, ir.Members(()), most, ir.Members(()), f"{code.verb} {what.counter}")
        return written(bench, code, lambda before: plainly("-", before, COUNT), ask=ask)
    assert said is not None
    return written(bench, code, lambda before: plainly(sign, before, said), needed=said if sign == "-" else None)


def written(
    bench: Bench,
    code: Do,
    value: Callable[[ir.Expr], ir.Expr],
    *,
    needed: ir.Expr | None = None,
    ask: st.Ask | None = None,
) -> list[st.Step]:
    """A counter gets a value; thresholds and reactions follow. So much of it may be needed."""
    what, verb = given(code)["what"], code.verb
    assert isinstance(what, m.CounterRef)
    cell = bench.core.cell(what)
    number, before, after = map(ir.Variable, ("number", "before", "value"))
    change, changes = ir.Difference(after, before), ir.Compare("!=", after, before)
    steps: list[st.Step] = [st.Let("number", cell)]
    steps += [ask] if ask is not None else []
    steps.append(st.Let("before", ir.Held(number)))
    if needed is not None:
        left = plainly("-", before, needed)
        steps.append(st.Need(ir.Compare(">=", left, ir.Number(cell.region.low))))
    steps += [st.Let("value", value(before)), _clamped(cell, value)]
    replacing = bench.functions.before_change(what.counter, verb)
    if replacing is not None:
        function = ir.Function("replacing", replacing, means=("change replaced", what.counter, verb))
        steps += replaced(code, changes, function, (number, change))
    steps.append(st.Write(cell.region, number, after))
    steps.append(_noted(bench, code, changes, (number, before, after, ir.Text(verb))))
    if code.slot >= 0:
        steps.append(st.Put(code.slot, change))
    following = bench.functions.after_change(what.counter, verb)
    if following is not None:
        function = ir.Function("following", following, means=("changed", what.counter, verb))
        steps.append(st.React(changes, ir.Call(function, (ir.Frame(), number, before, after))))
    return [about_something(code, bench.core.has_cell(what), steps, needed)]


def _noted(bench: Bench, code: Do, changes: ir.Expr, change: tuple[ir.Expr, ...]) -> st.Note:
    """What the log tells of a change; on a thing also which one and where it lies, for not all may know that."""
    what = given(code)["what"]
    assert isinstance(what, m.CounterRef)
    thing = bench.core.marked(what)
    if thing is None:
        return st.Note(changes, (ir.Text("cell"), *change), origin(code))
    number = bench.core.build(thing)
    return st.Note(changes, (ir.Text("mark"), *change, number, ir.Where(number)), origin(code))


def _clamped(cell: ir.CellNumber, value: Callable[[ir.Expr], ir.Expr]) -> st.Clamp:
    """What a counter gets is kept within its bounds, as far as it may go beyond them."""
    low, high = cell.region.low, cell.region.high
    least, most = bounds(value(ir.Read(cell.region, cell.indexes)))
    return st.Clamp("value", low, high, least < low, most > high)


def _says_how_many(quantity: m.Expression) -> bool:
    return not isinstance(quantity, m.Quantity) or quantity.amount is not None
