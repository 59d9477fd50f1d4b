"""Every tree in which one name, candidate or seat is another one of its type that is known there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.walk import walk
from dunerules.text.binding import named_by, picks_one
from dunerules.text.meanings import Meanings

from .changes import Change, moved, used

__all__ = ["references"]

Reference: TypeAlias = m.Local | m.SeatRef | m.Special
YOU, OWNER, ACTOR = m.SeatRef("you", SEAT), m.SeatRef("owner", SEAT), m.Local("actor", SEAT)
_PASSED_OVER = {"span", "name_span", "type", "told", "maybe", "name", "verb"}


@dataclass(frozen=True)
class Scope:
    """What can be spoken of: by each reference, whom or what it stands for. Those with the same one are synonyms."""

    known: dict[Reference, object]
    held: bool = True
    """Whether a seat has the ability: else `you` is whoever does what it waits for."""

    def naming(self, name: str, kind: Type, of: Any = None) -> Scope:
        """The same with one more name, for something new or for what another reference stands for."""
        return self.where(m.Local(name, kind), self.known.get(of, of) if of is not None else object())

    def where(self, reference: Reference, of: object) -> Scope:
        kept = {each: what for each, what in self.known.items() if _key(each) != _key(reference)}
        return replace(self, known={**kept, reference: of})

    def others(self, reference: Reference) -> Iterator[Reference]:
        """Everything else of the type of a reference."""
        meant = self.known.get(reference)
        if meant is not None:
            for each, what in self.known.items():
                if each.type == reference.type and what != meant:
                    yield each

    def asking(self, kind: Type, of: object) -> Scope:
        """The same in a filter: its candidate is `it`, and those of the filters around are further out."""
        outer = {_further_out(each): what for each, what in self.known.items()}
        return replace(self, known=outer).where(m.Special("it", kind), of)


def _further_out(reference: Reference) -> Reference:
    it = isinstance(reference, m.Special) and reference.which == "it"
    return replace(reference, outer=reference.outer + 1) if it and isinstance(reference, m.Special) else reference


def _key(reference: Reference) -> tuple[str, str, int]:
    name = reference.name if isinstance(reference, m.Local) else reference.which
    return type(reference).__name__, name, reference.outer if isinstance(reference, m.Special) else 0


def references(
    tree: Any, meanings: Meanings, *, held: bool = True, names: tuple[m.Local, ...] = ()
) -> Iterator[Change]:
    """Every tree with one reference that is another one.

    `held` says that a seat has it, and not a place or the game; `names` are known around it.
    """
    parts = walk(tree.clause if hasattr(tree, "clause") else tree)
    known: dict[Reference, object] = {YOU: "reader", OWNER: "reader"}
    known |= {each: each.name for each in names}
    known |= {each: "this" for each in parts if isinstance(each, m.Special) and each.which in {"this", "here"}}
    yield from _in(tree, Scope(known, held=held), meanings)


def _in(node: Any, scope: Scope, meanings: Meanings) -> Iterator[Change]:
    if isinstance(node, m.Local | m.Special | m.SeatRef) and not (isinstance(node, m.SeatRef) and node.type.many):
        yield from ((f"{node.type.name}: which one", other) for other in scope.others(node))
        return
    yield from _owned(node, scope, meanings)
    for each in fields(node):
        if each.name in _PASSED_OVER and not (each.name == "verb" and not isinstance(node, m.Act)):
            continue
        value = given = getattr(node, each.name)
        if each.name == "arguments":
            value = tuple(pair for pair in given if used(node, pair[0], meanings))
        for name, changed in _inside(value, _scope_of(node, each.name, scope), meanings):
            whole = tuple({**dict(given), **dict(changed)}.items()) if each.name == "arguments" else changed
            other = replace(node, **{each.name: whole})
            if not (isinstance(node, m.Act) and moved(node, meanings) == moved(other, meanings)):
                yield name, other


def _inside(value: Any, scope: Scope, meanings: Meanings) -> Iterator[Change]:
    if isinstance(value, tuple):
        for at, element in enumerate(value):
            for name, changed in _inside(element, scope, meanings):
                yield name, (*value[:at], changed, *value[at + 1 :])
    elif is_dataclass(value) and not isinstance(value, type | Type):
        yield from _in(value, scope, meanings)


def _owned(node: Any, scope: Scope, meanings: Meanings) -> Iterator[Change]:
    """What belongs to the acting seat, because nobody is named, as somebody's who is known."""
    words = meanings.words
    match node:
        case m.CounterRef(owner=None):
            seats = "seat" in words.counters[node.counter].per
        case m.ZoneRef(owner=None):
            seats = all(words.zone_holder(each) == "seat" for each in node.zones)
        case m.WordRef(owner=None):
            seats = node.type.name == "piece"
        case _:
            seats = isinstance(node, m.PieceRef) and node.owner is None
    if seats:
        for other in scope.others(YOU):
            yield "owner: which one", replace(node, owner=other)


def _scope_of(node: Any, part: str, scope: Scope) -> Scope:
    """What is known in a part of something."""
    match node, part:
        case (m.Named(), "where"):
            return scope.asking(node.type._replace(many=False), object())
        case (m.SeatRef(), "where"):
            candidate = object()
            return scope.where(YOU, candidate).asking(SEAT, candidate)
        case (m.Over(), "of"):
            member, of = object(), node.each.type._replace(many=False)
            asked = scope.where(YOU, member) if of == SEAT else scope
            return asked.asking(of, member)
        case (m.Act(), "body") if node.name and (kind := named_by(node)) is not None:
            return scope.naming(node.name, kind)
        case (m.Pick(), "body"):
            return scope.naming(node.name, node.of.type._replace(many=not picks_one(node)))
        case (m.Each(), "body"):
            kind = node.of.type._replace(many=False)
            turn = scope.where(YOU, object()) if kind == SEAT else scope
            if not node.name:
                return turn
            return turn.naming(node.name, kind, YOU if kind == SEAT else None)
        case (m.Let(), "body"):
            return scope.naming(node.name, node.value.type, node.value)
        case (m.Clause(), "condition" | "modifier" | "body" | "sight") if node.event is not None:
            return _told(node.event, scope)
        case _:
            return scope


def _told(event: m.EventPattern, scope: Scope) -> Scope:
    """What is known behind an event: what it tells, and who did it."""
    for name, kind in event.told:
        scope = scope.naming(name, kind)
    mine = not scope.held or (isinstance(event.subject, m.SeatRef) and event.subject.which == "you")
    return scope.naming(ACTOR.name, SEAT, YOU) if mine else scope.naming(ACTOR.name, SEAT)
