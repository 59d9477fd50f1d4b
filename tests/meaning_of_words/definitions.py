"""Values of packs that are written out: what they are about, and each other one, must show where they are asked."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.vocabulary import Parameter
from dunerules.text.context import Context
from dunerules.text.meanings import Meanings
from dunerules.text.render import condition_text

from .changes import NEIGHBOUR
from .references import references
from .units import LANGUAGES, Book

__all__ = ["same_definitions"]


def same_definitions(book: Book) -> Iterator[str]:
    """Changes of what values are defined as that do not show in a filter that asks them about its candidate."""
    for name, value in book.meanings.words.values.items():
        parameters, body = book.meanings.value(name)
        if body is None or value.type not in {CONDITION, AMOUNT} or _has_words(name, book):
            continue
        probes = [*_probes(name, value.type, parameters, book.meanings)]
        names = tuple(m.Local(each.name, each.types[0]) for each in parameters)
        for change, other in references(body, book.meanings, names=names) if probes else ():
            meanings = copy.copy(book.meanings)
            meanings._values = {**book.meanings._values, name: (parameters, other)}
            for probe in probes:
                for code in LANGUAGES:
                    text, now = (
                        condition_text(probe, Context(book.locales[code], each)) for each in (book.meanings, meanings)
                    )
                    if text == now:
                        yield f"{code} {name} {change}: {text}"


def _has_words(value: str, book: Book) -> bool:
    """Whether a value is told by a phrase or a noun."""
    words = (*((key, each.phrases) for each in book.locales.values() for key in ("if", "filter", "number", "have")),)
    named = any(each.noun(f"value.{value}") is not None for each in book.locales.values())
    return named or any(f"{key}.{value}" in phrases for key, phrases in words)


def _probes(name: str, kind: Type, parameters: tuple[Parameter, ...], meanings: Meanings) -> Iterator[m.Expression]:
    """The value about the candidate of a filter, for each parameter that can be one, and about others beside it."""
    given = {each.name: found for each in parameters if (found := _some(each, parameters, meanings)) is not None}
    if len(given) < len(parameters):
        return
    for each in parameters:
        of = each.types[0]
        if of.of:
            asked = tuple({**given, each.name: m.Special("it", of)}.items())
            value = m.ValueRef(name, asked, kind)
            where = value if kind == CONDITION else m.Compare(">=", value, m.Constant(3))
            yield m.Exists(m.Named(of.of, where, None, of._replace(many=True)))


def _some(parameter: Parameter, parameters: tuple[Parameter, ...], meanings: Meanings) -> m.Expression | None:
    """Something that a parameter can stand for, another one for each of a type."""
    kind = parameter.types[0]
    number = [each.name for each in parameters if each.types[0] == kind].index(parameter.name)
    if kind == SEAT:
        found = NEIGHBOUR
        for _ in range(number):
            found = m.ValueRef("next", (("s", found),), SEAT)
        return found
    members = sorted(meanings.words.members(kind.of)) if kind.of else []
    return m.ObjectRef(kind.of, members[number], kind) if len(members) > number else None
