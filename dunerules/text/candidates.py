"""Candidates of filters: by a letter where one could be taken for what was named, or for that of another filter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from string import ascii_uppercase
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.walk import parts, walk
from dunerules.language.grammar import NounPhrase
from dunerules.text.bare import noun_of, that_one
from dunerules.text.context import Bound, Context, Known
from dunerules.text.letters import lettered

__all__ = ["asked_about", "candidate_letter"]

_ABOUT_VALUES = ("if", "filter", "noun.value")
"""Phrases by which a value is told, and not written out."""


def candidate_letter(where: m.Expression, kind: str, context: Context) -> str:
    """The letter of the candidate of a filter; none if nothing could be taken for it, or it is not spoken of.

    A seat is spoken of by everything it has.
    """
    seats = kind == SEAT.name
    if not kind or not (seats or any(isinstance(each, m.Special) and each.which == "it" for each in walk(where))):
        return ""
    taken = {each.letter or "A" for each in _named(context) if _sort(each.type) == kind and not each.type.many}
    taken |= {letter for of, letter in context.among if of == kind}
    if not taken and not _is_within_another(where, kind, context):
        return ""
    taken |= {context.letter} if seats else set()
    return next((letter for letter in ascii_uppercase if letter not in taken), ascii_uppercase[-1])


def asked_about(noun: NounPhrase, kind: str, letter: str, context: Context) -> Context:
    """Where something is told of a candidate: of that one, by its letter if it has one. A seat acts there."""
    seats = noun.head.key.startswith("seat.")
    one = noun_of("seat.they", context) if seats else that_one(noun, context)
    among = (*context.among, (kind, letter)) if letter else context.among
    inner = replace(context.asking(lettered(one, letter, context)), among=among)
    return replace(inner.acting("they"), explicit=True, another=bool(letter), letter=letter) if seats else inner


def _sort(kind: Type) -> str:
    return kind.of or kind.name


def _named(context: Context) -> Iterator[Known]:
    """What was named, also around a value that is written out."""
    yield from (each for each in context.names.values() if isinstance(each, Known))
    around = {id(each.context): each.context for each in context.names.values() if isinstance(each, Bound)}
    for each in around.values():
        yield from _named(each)


Meant: TypeAlias = Callable[[object, int], bool]
"""Whether a part is the candidate, so many filters further in."""


def _is_within_another(
    part: Any, kind: str, context: Context, meant: Meant = m.is_it, depth: int = 0, *, between: bool = False
) -> bool:
    """Whether a candidate is spoken of in the filter of another one of its kind: by its name, or because a value that
    is written out was given it."""
    if meant(part, depth):
        return between
    if isinstance(part, m.ValueRef) and (body := _written_out(part, context)) is not None:
        given = {name for name, value in part.arguments if _speaks_of_it(value, meant, depth)}
        if given and _is_within_another(body, kind, context, _one_of(given), between=between):
            return True
    asked = m.asked_of_each(part)
    for each in parts(part):
        inside = asked is not None and each is asked[0]
        other = inside and asked is not None and _sort(asked[1]) == kind
        if _is_within_another(each, kind, context, meant, depth + inside, between=between or other):
            return True
    return False


def _speaks_of_it(part: Any, meant: Meant, depth: int) -> bool:
    asked = m.asked_of_each(part)
    inner = asked[0] if asked is not None else None
    return meant(part, depth) or any(_speaks_of_it(each, meant, depth + (each is inner)) for each in parts(part))


def _one_of(names: Collection[str]) -> Meant:
    return lambda part, _: isinstance(part, m.Local) and part.name in names


def _written_out(value: m.ValueRef, context: Context) -> m.Expression | None:
    """What a value is defined as, if no phrase is about it."""
    phrases = context.locale.phrases
    if any(f"{key}.{value.value}" in phrases for key in _ABOUT_VALUES):
        return None
    return context.meanings.value(value.value)[1]
