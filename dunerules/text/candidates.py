"""Candidates of filters: by a letter where one could be taken for what was named, or for that of another filter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_uppercase

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.walk import walk
from dunerules.text.bare import noun_of, that_one
from dunerules.text.context import Bound, Context, Known
from dunerules.text.facts import is_it
from dunerules.text.grammar import NounPhrase
from dunerules.text.letters import lettered

__all__ = ["asked_about", "candidate_letter"]

_ABOUT_VALUES = ("if", "filter", "noun.value")
"""Phrases by which a value is told, and not written out."""


def candidate_letter(where: m.Expression, kind: str, context: Context) -> str:
    """The letter of the candidate of a filter; none if nothing could be taken for it, or it is not spoken of.

    A seat is spoken of by everything it has.
    """
    seats = kind == SEAT.name
    if not kind or not (seats or any(map(is_it, walk(where)))):
        return ""
    taken = {each.letter or "A" for each in _named(context) if _sort(each.type) == kind and not each.type.many}
    taken |= {letter for of, letter in context.among if of == kind}
    if not taken and not _is_within_another(where, kind, frozenset(), context):
        return ""
    taken |= {context.letter} if seats else set()
    return next((letter for letter in ascii_uppercase if letter not in taken), ascii_uppercase[-1])


def asked_about(noun: NounPhrase, kind: str, letter: str, context: Context) -> Context:
    """Where something is told of a candidate: of that one, by its letter if it has one. A seat acts there."""
    seats = noun.head.key.startswith("seat.")
    one = noun_of("seat.they", context) if seats else that_one(noun, context)
    among = (*context.among, (kind, letter)) if letter else context.among
    inner = replace(context, which=lettered(one, letter, context), among=among)
    return replace(inner.acting("they"), explicit=True, another=bool(letter), letter=letter) if seats else inner


def _sort(kind: Type) -> str:
    return kind.of or kind.name


def _named(context: Context) -> Iterator[Known]:
    """What was named, also around a value that is written out."""
    yield from (each for each in context.names.values() if isinstance(each, Known))
    around = {id(each.context): each.context for each in context.names.values() if isinstance(each, Bound)}
    for each in around.values():
        yield from _named(each)


def _is_within_another(part: m.Expression, kind: str, given: frozenset[str], context: Context) -> bool:
    """Whether a candidate is spoken of in the filter of another one: a value that is written out was given it.

    `given` are the parameters that stand for it; none of them where it is `it` itself.
    """
    for each in walk(part):
        asked = m.asked_of_each(each) if given else None
        if asked is not None and _sort(asked[1]) == kind and any(_is_given(inner, given) for inner in walk(asked[0])):
            return True
        if isinstance(each, m.ValueRef) and (body := _written_out(each, context)) is not None:
            stands = {name for name, value in each.arguments if any(_is_given(inner, given) for inner in walk(value))}
            if stands and _is_within_another(body, kind, frozenset(stands), context):
                return True
    return False


def _is_given(part: object, given: frozenset[str]) -> bool:
    if given:
        return isinstance(part, m.Local) and part.name in given
    return isinstance(part, m.Special) and part.which == "it"


def _written_out(value: m.ValueRef, context: Context) -> m.Expression | None:
    """What a value is defined as, if no phrase is about it."""
    phrases = context.locale.phrases
    if any(f"{key}.{value.value}" in phrases for key in _ABOUT_VALUES):
        return None
    return context.meanings.value(value.value)[1]
