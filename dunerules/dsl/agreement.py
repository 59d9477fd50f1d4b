"""Whether the arguments of a verb go together: pieces with pools, objects with zones, counters with values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.quantities import act_quantities_fit, quantities_fit
from dunerules.dsl.scope import Fault
from dunerules.dsl.types import AMOUNT, COUNTER, PIECE, accepts
from dunerules.dsl.vocabulary import Piece, Vocabulary
from dunerules.dsl.walk import changed, walk

__all__ = ["arguments_agree", "parts_inside", "standing", "substituted"]

Open: TypeAlias = m.Act | m.Choice | m.Pick | m.Local
"""A part of a verb that depends on its parameters; a local is a counter that is read as a number."""


def arguments_agree(act: m.Act, words: Vocabulary) -> Iterator[Fault]:
    """Every argument of a kernel verb fits the others; for a verb of a pack, in each verb of the kernel inside."""
    given = dict(act.arguments)
    yield from act_quantities_fit(act, given)
    what = given.get("what")
    if not act.verb.kernel:
        found = [fault for inner in act.verb.inside for fault in _fits_inside(substituted(inner, given), words)]
        for fault in dict.fromkeys(replace(fault, span=act.span) for fault in found):
            yield replace(fault, message=f"{fault.message}, inside `{act.verb.name}`")
    elif isinstance(what, m.CounterRef):
        yield from _counter(what, given)
    elif isinstance(what, m.WordRef) and what.type == PIECE:
        faults = (list(_pieces(words.pieces[kind], what, given, words)) for kind in words.kinds_of_piece(what.name))
        yield from next(filter(None, faults), [])
    elif what is not None and what.type.name == "thing":
        yield from _objects(what, given, words)


# ---- verbs of packs: what depends on their arguments


def parts_inside(body: m.Body) -> tuple[Open, ...]:
    """Parts of the body of a verb that depend on what it is called with."""
    found: dict[Open, None] = {}
    for node in walk(body):
        if isinstance(node, m.Act):
            given = dict(node.arguments)
            inner = (node,) if node.verb.kernel else (substituted(each, given) for each in node.verb.inside)
            found |= {_head(each): None for each in inner if _is_open(each)}
        elif isinstance(node, (m.Choice, m.Pick)) and _is_open(node):
            found[_head(node)] = None
    found |= dict.fromkeys(_read(body))
    return tuple(found)


def _read(body: m.Body) -> Iterator[m.Local]:
    """Counters that are read as numbers, not given on."""
    given = {id(value) for act in walk(body) if isinstance(act, m.Act) for _, value in act.arguments}
    for node in walk(body):
        if isinstance(node, m.Local) and node.type == COUNTER and id(node) not in given:
            yield node


def _head(part: Open) -> Open:
    """A part without what is inside it."""
    if isinstance(part, m.Act):
        return replace(part, name="", body=None)
    if isinstance(part, m.Choice):
        return replace(part, bodies=())
    return replace(part, body=m.Body(())) if isinstance(part, m.Pick) else part


def _is_open(part: Open) -> bool:
    """Whether a part depends on parameters in a way that matters to what it goes with."""
    if not isinstance(part, (m.Act, m.Choice, m.Pick)):
        return isinstance(part, m.Local)  # else a counter that was given for one
    values = [value for _, value in part.arguments] if isinstance(part, m.Act) else [part.quantity]
    values += [value.amount for value in values if isinstance(value, m.Quantity) and value.amount is not None]
    return any(isinstance(value, m.Local) for value in values)


def substituted(node: Any, given: Mapping[str, m.Expression]) -> Any:
    """A record with arguments for parameters. A quantity that is given stands for the whole quantity."""
    if isinstance(node, m.Local):
        return given.get(node.name, node)
    if isinstance(node, m.Quantity) and isinstance(node.amount, m.Local):
        value = given.get(node.amount.name)
        return value if isinstance(value, m.Quantity) else node
    return changed(node, lambda each: substituted(each, given))


def _fits_inside(part: Open | m.Expression, words: Vocabulary) -> Iterator[Fault]:
    if isinstance(part, m.Act):
        yield from arguments_agree(part, words)
    elif isinstance(part, (m.Choice, m.Pick)):
        yield from quantities_fit(part)
    elif isinstance(part, m.CounterRef) and part.type != AMOUNT:
        message = f"`{part.counter}` is no number: it holds a {part.type}"
        yield Fault("DR504", message, part.span, "a counter that holds a number")


# ---- verbs of the kernel


def _counter(what: m.CounterRef, given: dict[str, m.Expression]) -> Iterator[Fault]:
    source, value = given.get("source"), given.get("value")
    if source is not None:
        yield Fault("DR503", f"counter `{what.counter}` is taken from nowhere", source.span, "no `from`")
    if value is None:
        if what.type != AMOUNT:
            expected = "`set`, for a counter that points at something"
            yield Fault("DR504", f"`{what.counter}` is no number: it holds a {what.type}", what.span, expected)
    elif isinstance(value, m.Nothing) and what.type != AMOUNT:
        return
    elif not accepts(what.type, value.type) or value.type.many:
        yield Fault("DR504", f"`{what.counter}` holds {_a(str(what.type))}", value.span, f"one {what.type}, after `to`")


def _pieces(piece: Piece, what: m.WordRef, given: dict[str, m.Expression], words: Vocabulary) -> Iterator[Fault]:
    if "source" not in given:
        shown = " or ".join(f"`from {pool}`" for pool in piece.pools)
        yield Fault("DR502", f"it is not said from where the `{piece.name}` are taken", what.span, shown)
    if "at" in given:
        yield Fault("DR503", f"`{piece.name}` lie in no order", given["at"].span, "no `at`")
    for name in ("source", "target"):
        spot = given.get(name)
        if isinstance(spot, m.WordRef) and spot.type.name == "pool":
            if spot.name not in piece.pools:
                expected = "one of " + ", ".join(piece.pools)
                yield Fault("DR409", f"`{piece.name}` has no pool `{spot.name}`", spot.span, expected)
        elif spot is not None and spot.type.name == "place":
            yield from standing(piece, spot, words)
        elif spot is not None and spot.type.name == "zone":
            yield Fault("DR504", f"`{piece.name}` are counted in pools, not laid in zones", spot.span, "a pool")


def standing(piece: Piece, spot: m.Expression, words: Vocabulary) -> Iterator[Fault]:
    """Whether pieces can stand on a place."""
    if not piece.places:
        yield Fault("DR504", f"`{piece.name}` cannot stand on places", spot.span, "a pool, or `places:` of the piece")
    elif not accepts(spot.type, words.kinds[piece.places].type if piece.places in words.kinds else spot.type):
        yield Fault("DR504", f"`{piece.name}` stands on {piece.places}", spot.span, f"a {piece.places}")


def _objects(what: m.Expression, given: dict[str, m.Expression], words: Vocabulary) -> Iterator[Fault]:
    for name in ("source", "target"):
        spot = given.get(name)
        if spot is None or spot.type.name == "unknown":
            continue
        if isinstance(spot, m.ZoneRef):
            for zone in spot.zones:
                holds = words.zone_kinds(zone)
                if what.type.of and holds and what.type.of not in holds:
                    expected = f"a zone that holds {what.type.of}"
                    yield Fault("DR504", f"a {what.type.of} never lies in `{zone}`", spot.span, expected)
        elif spot.type.name != "zone":
            yield Fault("DR504", "objects lie in zones", spot.span, "a zone; of a place, as in `stack of here`")
        if (
            name == "target"
            and isinstance(spot, m.ZoneRef)
            and len(spot.zones) + len(words.zone_parts(spot.zones[0])) > 2
        ):
            yield Fault("DR504", "an object can only go to one zone", spot.span, "one zone")


def _a(word: str) -> str:
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"
