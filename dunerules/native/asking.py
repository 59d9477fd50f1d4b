"""Questions printed as C: which function of the runtime asks, and what its answer is."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.native import moves
from dunerules.native.ops import FORMS, Kind, UnsupportedError, converted
from dunerules.native.steps import StepWriter

__all__ = ["asking"]


def asking(w: StepWriter, call: ir.Call) -> tuple[Kind, str]:
    """What an answer is, and the call that asks for it, with `@` for where the answer goes. It gives 0 while somebody
    is asked."""
    word, *about = call.function.means or ("",)
    if word == "offer":
        return "rows", f"{moves.offer(w.unit, about[0], may=about[1])}(x, {w.frame}, &@)"
    if word == "next":
        waiting = converted(w.expr(call.arguments[1]), "rows")
        return "rows", f"{moves.following(w.unit, about[0])}(x, {w.frame}, {waiting}, &@)"
    if word == "pick objects":
        return "group", _pick_objects(w, call.arguments)
    if word == "pick positions":
        _, things, count, verb = call.arguments
        told = f"{w.group(things)}, {w.number(count)}, {w.expr(verb).text}"
        return "group", f"pick_positions(x, {w.frame}, {told}, &@)"
    if word == "question":
        return _question(w, call.arguments)
    raise UnsupportedError(f"the question `{word or call.function.name}`")


def _pick_objects(w: StepWriter, given: tuple[ir.Expr, ...]) -> str:
    _, things, low, high, verb, wanted, zones = given
    parts = [w.group(things), w.number(low), w.number(high), w.expr(verb).text, w.number(wanted), w.group(zones)]
    return f"pick_objects(x, {w.frame}, {', '.join(parts)}, &@)"


def _question(w: StepWriter, given: tuple[ir.Expr, ...]) -> tuple[Kind, str]:
    _, what, low, high, options, prompt, _, about = given
    listed = w.expr(options)
    kind: Kind = listed.kind if listed.kind in FORMS else "group"
    some = w.temp(kind, converted(listed, kind)).text
    told = [w.expr(what).text, w.number(low), w.number(high), FORMS[kind], some, w.expr(prompt).text, "0"]
    return kind, f"question(x, {w.frame}, {', '.join(told)}, {w.expr(about).text}, &@)"
