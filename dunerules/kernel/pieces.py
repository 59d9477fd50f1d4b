"""Pieces that go between pools and places."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import POOL
from dunerules.kernel.amounts import ASKED, about_something, amount, plainly, replaced
from dunerules.kernel.bench import COUNT, Bench, given, origin

__all__ = ["shifted"]


def shifted(bench: Bench, code: Do, *, must: bool) -> list[st.Step]:
    """Pieces go from a pool or place to another, or home: as many as there are, or as the seat says.

    What is said plainly `must` be there, so that it can be done.
    """
    about, verb = given(code), code.verb
    quantity, what, source = about["n"], about["what"], about["source"]
    assert isinstance(quantity, m.Quantity)
    assert isinstance(what, m.WordRef)
    target = about.get("target") or m.WordRef(bench.words.pieces[what.name].home, POOL, what.owner)
    start, end = _pool(bench, what, source), _pool(bench, what, target)
    first, last = ir.Variable("start"), ir.Variable("end")
    there: ir.Expr = ir.Held(first)
    said = amount(bench, code) if quantity.amount is not None else None
    most = there if said is None else ir.Extreme("least", (there, said))
    needed = said if quantity.mode == "exactly" and must else None
    steps: list[st.Step] = [st.Let("start", start), st.Let("end", end)]
    if needed is not None:
        steps.append(st.Need(ir.Compare(">=", plainly("-", there, needed), make.ZERO)))
    if quantity.mode in ASKED:
        none = ir.Members(())
        steps.append(st.Ask("number", "count", quantity.mode, none, most, none, f"{verb} {what.name}"))
    else:
        steps.append(st.Let("count", most))
    replacing = bench.functions.before_pieces(what.name, verb)
    if replacing is not None:
        function = ir.Function("replacing", replacing, means=("pieces replaced", what.name, verb))
        steps += replaced(code, COUNT, function, (first, last, COUNT))
    steps += [
        st.Write(start.region, first, plainly("-", ir.Held(first), COUNT)),
        st.Write(end.region, last, plainly("+", ir.Held(last), COUNT)),
        st.Note(COUNT, (ir.Text("pieces"), first, last, COUNT), origin(code)),
    ]
    if code.slot >= 0:
        steps.append(st.Put(code.slot, COUNT))
    following = bench.functions.after_pieces(what.name, verb)
    if following is not None:
        told = (ir.Frame(), first, last, COUNT)
        function = ir.Function("following", following, means=("pieces moved", what.name, verb))
        steps.append(st.React(COUNT, ir.Call(function, told)))
    parts = [part for spot in (source, target) for part in _parts(what, spot)]
    return [about_something(code, bench.core.sure(parts), steps, needed)]


def _pool(bench: Bench, what: m.WordRef, spot: m.Expression) -> ir.CellNumber:
    """The cell that counts pieces somewhere."""
    if isinstance(spot, m.WordRef):
        return bench.core.pool(what.name, spot.name, spot.owner or what.owner, None)
    return bench.core.pool(what.name, "", what.owner, spot)


def _parts(what: m.WordRef, spot: m.Expression) -> list[m.Expression | None]:
    """What must be somebody or somewhere, so that there are pieces."""
    return [spot.owner or what.owner] if isinstance(spot, m.WordRef) else [what.owner, spot]
