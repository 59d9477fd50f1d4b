"""Who acts: parts of an effect that are about the acting seat, where there is none.

Setup, flow and the end of a game belong to nobody. Inside `each seat` or `around` a seat acts; whose effect it is stays
nobody, so `owner` means nothing anywhere in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import SEAT
from dunerules.dsl.vocabulary import Kernel, Vocabulary
from dunerules.dsl.walk import parts

__all__ = ["ability_wants_seat", "wants_seat"]

Wanting: TypeAlias = tuple[str, Offsets]
"""What wants a seat, and where it stands."""


def wants_seat(node: Any, words: Vocabulary, *, acting: bool = False) -> Iterator[Wanting]:
    """Parts that are about the acting seat while none acts, or about the owner of an effect that nobody has."""
    if isinstance(node, m.Until):
        if not acting:
            yield "`until`", node.span
        return  # what lasts acts for whoever it is about
    if isinstance(node, m.SeatRef) and (node.which == "owner" or (node.which == "you" and not acting)):
        yield f"`{node.which}`", node.span
    yield from _used(node, words, acting)
    if not acting:
        yield from _implied(node, words)
    if isinstance(node, m.Each) and node.of.type.name == SEAT.name:
        yield from wants_seat(node.of, words, acting=acting)
        yield from wants_seat(node.body, words, acting=True)
        return
    inner = parts(node)
    asked = m.asked_of_each(node)
    if asked is not None and asked[1].name == SEAT.name:
        yield from wants_seat(asked[0], words, acting=True)
        inner = [part for part in inner if part is not asked[0]]
    elif isinstance(node, m.Act) and _says_whose(node):
        inner = [part for part in inner if part is not dict(node.arguments)["what"]]
    for part in inner:
        yield from wants_seat(part, words, acting=acting)


def ability_wants_seat(clause: m.Clause, words: Vocabulary) -> bool:
    """Whether an ability is about the seat that acts, so that it means nothing where nobody does."""
    inside: list[Any] = [clause.condition, clause.body, clause.sight]
    if clause.event is not None:
        inside += [clause.event.subject, *_patterns(clause.event.arguments)]
    if clause.modifier is not None:
        inside += [clause.modifier.amount, *_patterns(clause.modifier.value.arguments)]
    return any(True for part in inside if part is not None for _ in wants_seat(part, words))


def _patterns(arguments: tuple[tuple[str, m.Expression], ...]) -> Iterator[Any]:
    """What is asked to match arguments: a counter, piece or zone is only compared, what stands in it is asked."""
    for _, argument in arguments:
        if isinstance(argument, (m.CounterRef, m.WordRef, m.ZoneRef)):
            yield from parts(argument)
        else:
            yield argument


def _used(node: Any, words: Vocabulary, acting: bool) -> Iterator[Wanting]:
    """Verbs, values and procedures of packs that want a seat inside."""
    if isinstance(node, m.ValueRef) and node.value in words.values:
        value = words.values[node.value]
        if value.wants_owner or (value.wants_seat and not acting):
            yield f"value `{node.value}`", node.span
    if isinstance(node, m.Act):
        name = node.verb.name
        if node.procedure:
            if words.procedures[name].wants_seat and not acting:
                yield f"procedure `{name}`", _verb(node)
        elif name in words.verbs:
            verb = words.verbs[name]
            if verb.wants_owner or (verb.wants_seat and not acting):
                yield f"verb `{name}`", _verb(node)


def _implied(node: Any, words: Vocabulary) -> Iterator[Wanting]:
    """What belongs to the acting seat without saying so, and what asks it."""
    if isinstance(node, m.CounterRef) and node.owner is None and "seat" in words.counters[node.counter].per:
        yield f"counter `{node.counter}`", node.span
    elif isinstance(node, m.PieceRef) and node.owner is None:
        yield f"`{node.piece}`", node.span
    elif isinstance(node, m.WordRef) and node.owner is None and node.type.name == "piece":
        yield f"`{node.name}`", node.span
    elif isinstance(node, m.ZoneRef) and node.owner is None:
        if any(part.per == "seat" for name in node.zones for part in words.zone_parts(name)):
            yield f"zone `{'/'.join(node.zones)}`", node.span
    elif isinstance(node, m.FieldRef) and node.field in words.asked_slots():
        yield f"slot `{node.field}`", node.span
    elif isinstance(node, (m.May, m.AnyOrder)) or (
        isinstance(node, (m.Choice, m.Pick)) and node.quantity.mode != "random"
    ):
        yield "a choice", node.span
    elif isinstance(node, m.Each) and node.mode == "any order":
        yield "an order", node.span
    elif isinstance(node, m.Act) and node.verb.kernel is not None:
        yield from _asking(node, node.verb.kernel)


def _asking(act: m.Act, facts: Kernel) -> Iterator[Wanting]:
    given = dict(act.arguments)
    quantity, what = given.get("n"), given.get("what")
    if facts.acting:
        yield facts.acting, _verb(act)
    elif isinstance(quantity, m.Quantity) and what is not None:
        some = quantity.mode in {"up to", "any", "blind"}
        if some or (quantity.mode == "exactly" and what.type.name == "thing" and what.type.many):
            yield "a choice", _verb(act)


def _says_whose(act: m.Act) -> bool:
    """Whether pieces are moved between pools that both say whose they are, so that nothing else need say it."""
    given = dict(act.arguments)
    if not isinstance(given.get("what"), m.WordRef):
        return False
    spots = [given.get("source"), given.get("target")]
    return all(isinstance(spot, m.WordRef) and spot.owner is not None for spot in spots)


def _verb(act: m.Act) -> Offsets:
    """The verb of an act, without its arguments."""
    start, _ = act.span
    return start, start + len(act.verb.name)
