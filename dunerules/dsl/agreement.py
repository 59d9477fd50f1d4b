"""Whether the arguments of a kernel verb go together: pieces with pools, objects with zones, counters with values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Fault
from dunerules.dsl.types import AMOUNT, accepts
from dunerules.dsl.vocabulary import Piece, Vocabulary
from dunerules.dsl.walk import changed, walk

__all__ = ["acts_inside", "arguments_agree", "standing"]


def arguments_agree(act: m.Act, words: Vocabulary) -> Iterator[Fault]:
    """Every argument of a kernel verb fits the others; for a verb of a pack, in each verb of the kernel inside."""
    if not act.verb.kernel:
        given = dict(act.arguments)
        found = [fault for inner in act.verb.inside for fault in arguments_agree(substituted(inner, given), words)]
        for fault in dict.fromkeys(replace(fault, span=act.span) for fault in found):
            yield replace(fault, message=f"{fault.message}, inside `{act.verb.name}`")
        return
    given = dict(act.arguments)
    what = given.get("what")
    if isinstance(what, m.CounterRef):
        yield from _counter(what, given)
    elif isinstance(what, m.WordRef) and what.type.name == "piece" and what.name in words.pieces:
        yield from _pieces(what, given, words)
    elif what is not None and what.type.name == "thing":
        yield from _objects(what, given, words)


def acts_inside(body: m.Body) -> tuple[m.Act, ...]:
    """Acts of the kernel that the parameters of a verb with this body are used in."""
    found: dict[m.Act, None] = {}
    for act in walk(body):
        if isinstance(act, m.Act):
            given = dict(act.arguments)
            inner = (act,) if act.verb.kernel else (substituted(each, given) for each in act.verb.inside)
            found |= {replace(each, per=None, name="", body=None): None for each in inner if _is_open(each)}
    return tuple(found)


def _is_open(act: m.Act) -> bool:
    """Whether an argument is known only when the verb around is called."""
    return any(isinstance(value, m.Local) for _, value in act.arguments)


def substituted(node: Any, given: Mapping[str, m.Expression]) -> Any:
    """A record with arguments for parameters."""
    if isinstance(node, m.Local):
        return given.get(node.name, node)
    return changed(node, lambda each: substituted(each, given))


def _counter(what: m.CounterRef, given: dict[str, m.Expression]) -> Iterator[Fault]:
    source, value = given.get("source"), given.get("value")
    if source is not None:
        yield Fault("DR503", f"counter `{what.counter}` is taken from nowhere", source.span, "no `from`")
    if value is None:
        if what.type != AMOUNT:
            expected = "`set`, for a counter that points at something"
            yield Fault("DR504", f"`{what.counter}` is no number: it holds a {what.type}", what.span, expected)
    elif not accepts(what.type, value.type) or value.type.many:
        yield Fault("DR504", f"`{what.counter}` holds {_a(str(what.type))}", value.span, f"one {what.type}, after `to`")


def _pieces(what: m.WordRef, given: dict[str, m.Expression], words: Vocabulary) -> Iterator[Fault]:
    piece = words.pieces[what.name]
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
