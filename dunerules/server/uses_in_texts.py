"""The names in an effect: what is meant tells what they are, what is written tells where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import MOVES as MOVES_TYPE
from dunerules.dsl.types import PIECE, PROCEDURE
from dunerules.dsl.types import POOL as POOL_TYPE
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.server.names import CHOICE, FAMILY, FIELD, LABEL, LOCAL, MOVES, POOL, SLOT, Name

__all__ = ["names_in"]


def names_in(meant: object, tree: t.Root, words: Vocabulary) -> list[tuple[Name, Offsets, bool]]:
    """Every name in a text with its place, and whether it is given there."""
    written = sorted((each.span, each.text) for each in walk(tree) if isinstance(each, t.Name))
    bound = {each.name for each in walk(meant) if isinstance(each, m.Act | m.Pick | m.Each | m.Let) and each.name}
    bound |= {each.candidate.text for each in walk(tree) if isinstance(each, t.Noun) and each.candidate is not None}
    found: dict[tuple[Name, Offsets], bool] = {}
    for node in walk(meant):
        for name in _named(node, words, bound):
            place = _place(name.id, node, written)
            if place is not None:
                found.setdefault((name, place), False)
        given = getattr(node, "name", "")
        if given and isinstance(node, m.Act | m.Pick | m.Each | m.Let):
            found[Name(LOCAL, "", given), node.name_span] = True
    return [(name, place, given) for (name, place), given in found.items()]


def _place(text: str, node: Any, written: list[tuple[Offsets, str]]) -> Offsets | None:
    """The first word of what is meant that is written so."""
    start, end = node.span
    if (start, end) == (0, 0):
        return None  # nobody wrote it
    return next((span for span, word in written if start <= span[0] < end and word == text), None)


def _named(node: Any, words: Vocabulary, bound: set[str]) -> Iterator[Name]:
    """The names that a part of what is meant stands for."""
    match node:
        case m.Act():
            yield Name("procedure" if node.procedure else "verb", "", node.verb.name)
        case m.EventPattern():
            yield Name("procedure" if node.moment else "verb", "", node.verb)
        case m.CounterRef():
            yield Name("counter", "", node.counter)
        case m.PieceRef():
            yield _piece(node.piece, words)
            if node.pool:
                yield Name(POOL, "", node.pool)
        case m.FieldRef():
            yield from _of_kind(node.field, node.object.type.of, words)
        case m.SlotRef():
            yield from _of_kind(node.slot, node.object.type.of, words)
        case m.ValueRef():
            yield Name("value", "", node.value)
        case m.ObjectRef():
            yield Name(LABEL if node.kind in words.families else "object", node.kind, node.id)
        case m.Named():
            if node.kind:
                yield Name("trait" if node.kind in words.families else "kind", "", node.kind)
        case m.ZoneRef():
            yield from (Name("zone", "", zone) for zone in node.zones)
        case m.WordRef():
            yield _word(node, words)
        case m.OptionRef():
            yield from (Name("option", "", node.option), Name(CHOICE, node.option, node.value))
        case m.Each() | m.AnyOrder():
            if node.offering:
                yield Name(MOVES, "", node.offering)
        case m.Local():
            if node.name in bound:
                yield Name(LOCAL, "", node.name)


def _word(node: m.WordRef, words: Vocabulary) -> Name:
    if node.type == PIECE:
        return _piece(node.name, words)
    sections = {POOL_TYPE: POOL, MOVES_TYPE: MOVES, PROCEDURE: "procedure"}
    return Name(sections.get(node.type, "option"), "", node.name)


def _piece(name: str, words: Vocabulary) -> Name:
    return Name("piece" if name in words.pieces else FAMILY, "", name)


def _of_kind(name: str, kind: str, words: Vocabulary) -> Iterator[Name]:
    """A field or slot of a kind; of all that have it, where the kind is not known."""
    for each in words.kinds.values():
        if kind in ("", each.name) and (name in each.fields or name in each.slots):
            yield Name(FIELD if name in each.fields else SLOT, each.name, name)
