"""Things that a verb takes: which there are to take, and which of them, `picked`, are taken."""

from __future__ import annotations

from dataclasses import replace

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.kernel.amounts import amount
from dunerules.kernel.bench import PICKED, YOU, Bench, Builder, Given, given

_BOTTOM = 1_000_000
"""A position behind everything that may lie in a zone."""

__all__ = ["enough", "kept", "looked_in", "picked", "picked_by", "position", "seen"]


def picked(bench: Bench, code: Do) -> list[st.Step]:
    """Which objects, `picked`, a verb takes: by chance, from an end of a pile, all, one, or what the seat picks by
    name or by position."""
    about = given(code)
    quantity, what = about["n"], about["what"]
    assert isinstance(quantity, m.Quantity)
    mode, found = quantity.mode, _candidates(bench, about)
    if mode in {"top", "bottom"}:
        return _from_end(bench, code, mode, found)
    there = make.choice(_somewhere(bench, about), found, ir.Members(()))
    if mode == "all":
        return [st.Let("picked", there)]
    said = amount(bench, code) if quantity.amount is not None else None
    if mode == "exactly" and _is_one(what):
        assert said is not None
        one = isinstance(said, ir.Number) and said.value == 1
        return [st.Let("picked", there if one else ir.Leading(there, said))]
    return [st.Ask("thing", "picked", mode, there, said, looked_in(bench.core, _source(about)), code.verb)]


def enough(bench: Bench, code: Do) -> list[st.Step]:
    """As many objects as a verb takes must be there, and go somewhere."""
    about = given(code)
    quantity = about["n"]
    assert isinstance(quantity, m.Quantity)
    if quantity.mode != "exactly" and not (code.paid and quantity.mode in {"top", "bottom", "random", "blind"}):
        return []
    there: ir.Expr = make.length(_candidates(bench, about))
    if quantity.mode in {"top", "bottom"}:
        there = make.reckoned(("+", there), ("+", _behind(bench, about)))
    said = amount(bench, code)
    some = make.compare(">=", there, said)
    none = make.compare("<=", said, make.ZERO)
    return [st.Need(make.all_of((some, make.any_of((none, _somewhere(bench, about))))))]


def kept(code: Do) -> list[st.Step]:
    """The objects `picked` are the result of the verb."""
    if code.slot < 0:
        return []
    return [st.Put(code.slot, PICKED if code.many else ir.First(PICKED))]


def picked_by(bench: Bench, code: Do) -> ir.Expr | None:
    """The seat that picks objects by name, or nobody: by chance, or by a name they had before. Nothing, where everybody
    can tell which of a zone they are: those from an end of it, at positions of it, or all."""
    about = given(code)
    quantity, what = about["n"], about["what"]
    assert isinstance(quantity, m.Quantity)
    if quantity.mode == "blind":
        return None
    if quantity.mode in {"top", "bottom", "all"}:
        return None if _is_all_there(bench, what, about.get("source")) else make.NOTHING
    asked = quantity.mode != "random" and (quantity.mode != "exactly" or not _is_one(what))
    return YOU if asked else make.NOTHING


def _is_all_there(bench: Bench, what: m.Expression, source: m.Expression | None) -> bool:
    """Whether anything that lies in some zones fits what is taken there."""
    if not isinstance(what, m.Named) or what.where is not None or _lies_elsewhere(what, source):
        return False
    zones = source if what.zone is None else what.zone
    return isinstance(zones, m.ZoneRef) and (not what.kind or bench.core.holds_only(zones, what.kind))


def _lies_elsewhere(what: m.Named, source: m.Expression | None) -> bool:
    """Whether things are said to lie somewhere else than where they are taken from: `card in hand from deck`."""
    return what.zone is not None and source is not None and what.zone != source


def _is_one(what: m.Expression) -> bool:
    """Whether one thing is given, so that nothing is picked."""
    return not what.type.many and not isinstance(what, (m.Named, m.ObjectRef, m.FieldRef))


def position(bench: Bench, code: Do) -> ir.Expr | None:
    """Where in the pile that they go to objects are laid, counted from the top; nothing for the top itself."""
    at = given(code).get("at")
    if isinstance(at, m.Quantity):
        return ir.Number(_BOTTOM)
    return bench.core.build(at) if at is not None else None


def seen(bench: Bench, code: Do) -> list[st.Step]:
    """Whoever waits for it is told that the objects `picked` have been seen."""
    return bench.told(code.verb, "", PICKED, bench.functions.things_seen, [PICKED])


def looked_in(core: Builder, node: m.Expression | None) -> ir.Expr:
    """The zones that objects are picked from, if any are named."""
    zone = node.zone if isinstance(node, m.Named) else node
    if zone is None or zone.type.name != "zone":
        return ir.Members(())
    return core.zone_numbers(zone)


# ---- what there is to take


def _candidates(bench: Bench, about: Given) -> ir.Expr:
    """The objects a verb may take: of a kind, that pass the filter, where they lie."""
    what, source, core = about["what"], about.get("source"), bench.core
    if isinstance(what, m.Named) and what.zone is None and source is not None:
        return core.build(m.Named(what.kind, what.where, source, what.type))
    if isinstance(what, m.ObjectRef) or (isinstance(what, m.FieldRef) and not what.type.many):
        # a copy of a declared thing, wherever the verb takes it from
        same = m.Compare("=", m.Special("it", what.type), what)
        return core.build(m.Named(what.type.of, same, source, what.type))
    if source is None:
        return core.group(what)
    thing = ir.Variable("thing")
    lies_there = ir.Contains(core.zone_numbers(source), ir.Where(thing))
    if what.type.many:
        return ir.Filter("thing", core.build(what), lies_there)
    one = make.choice(lies_there, ir.Group((thing,)), ir.Members(()))
    return ir.Given("thing", core.build(what), one, ir.Members(()))


def _source(about: Given) -> m.Expression | None:
    """Where a verb takes objects from: what follows `from`, or where they are said to lie."""
    what = about["what"]
    named = what.zone if isinstance(what, m.Named) else None
    return about.get("source") or (named if named is not None and named.type.name == "zone" else None)


def _somewhere(bench: Bench, about: Given) -> ir.Expr:
    """Whether there is a zone that objects would go to."""
    target = about.get("target")
    if target is None or not bench.core.maybe_nowhere(target):
        return make.TRUE
    return make.there(bench.core.zone_number(target))


def _behind(bench: Bench, about: Given) -> ir.Expr:
    """How many more objects a verb could take if piles were made anew."""
    what, source = about["what"], _source(about)
    assert source is not None
    if isinstance(source, m.ZoneRef) and not bench.core.is_made_anew(source):
        return make.ZERO
    if isinstance(what, m.Named):
        what = replace(what, zone=None)
    return make.length(_candidates(bench, {**about, "what": what, "source": m.Refill(source)}))


# ---- from an end of a pile


def _from_end(bench: Bench, code: Do, mode: str, found: ir.Expr) -> list[st.Step]:
    """The first from one end of the zones that are named, read as one pile; a pile that is too small is made anew
    first, if it can be. Where they go nowhere nothing is drawn, and no pile made anew."""
    about, said, core, functions = given(code), amount(bench, code), bench.core, bench.functions
    what, source, somewhere = about["what"], _source(about), _somewhere(bench, about)
    assert source is not None
    zones = core.zone_numbers(source)
    if _is_whole_pile(core, what, source):
        pile = ir.Call(functions.from_pile, (ir.Variable("zone"), said, ir.Text(mode)))
        drawn = ir.Given("zone", core.zone_number(source), pile, ir.Members(()))
        return [st.Draw("picked", make.choice(somewhere, drawn, ir.Members(())))]
    wanted = ir.Variable("wanted")
    short = ir.Compare("<", ir.Length(PICKED), wanted)
    renewed = ir.All((short, ir.Call(functions.renew, (zones,))))
    first = ir.Leading(PICKED if mode == "top" else ir.Reversed(PICKED), wanted)
    return [
        st.When(
            somewhere,
            (
                st.Let("wanted", said),
                st.Let("picked", found),
                st.When(renewed, (st.Draw("picked", found),)),
                st.Let("picked", first),
            ),
            (st.Let("picked", ir.Members(())),),
        )
    ]


def _is_whole_pile(core: Builder, what: m.Expression, source: m.Expression) -> bool:
    """Whether anything that lies in one zone may be taken."""
    if not isinstance(source, m.ZoneRef) or not isinstance(what, m.Named) or what.where is not None:
        return False
    if _lies_elsewhere(what, source):
        return False
    return core.is_one_zone(source) and (not what.kind or core.holds_only(source, what.kind))
