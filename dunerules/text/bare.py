"""Nouns by their keys, before anything is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dunerules.dsl.types import AMOUNT, Type
from dunerules.language.grammar import NounPhrase, Value, fill
from dunerules.language.lexicon import Noun, absent
from dunerules.language.phrases import Shape
from dunerules.language.places import SOURCE_LANGUAGE, spoken
from dunerules.text.context import Context
from dunerules.text.facts import Facts

__all__ = [
    "by_name",
    "called",
    "fixed",
    "kind_key",
    "noun_of",
    "object_phrase",
    "slot_title",
    "that_one",
    "value_name",
    "value_title",
    "within",
]

_BREAKS = ",;:"
"""Marks that a name could be taken to end before, in every language."""

_NONE: Mapping[str, Value | None] = MappingProxyType({})


def _nothing(_: str) -> str | None:
    return None


def noun_of(key: str, context: Context) -> NounPhrase:
    """A noun of the lexicon; else the translated name, which has one form and stands beside a noun that has all."""
    locale = context.locale
    found = locale.noun(key)
    if found is not None:
        return found
    section, _, word = key.partition(".")
    name = locale.text(f"{key}.name")
    if name is None and section == "field":
        name = slot_title(word, context) if f"slot.{word}" in locale.phrases else None
    general = locale.noun("thing" if section == "kind" else section)
    counter = context.meanings.words.counters.get(word) if section == "counter" else None
    if name is not None and counter is not None and counter.holds != AMOUNT:  # it is told as what it points at
        held = {"held": "seat" if "seat" in counter.per else None}
        key = "noun.titled_pointer" if "noun.titled_pointer" in locale.phrases else "noun.titled"
        pointed_at = locale.noun(kind_key(counter.holds, context))
        if pointed_at is not None and key in locale.phrases:
            return within(key, pointed_at, context, {"name": name}, held.get)
    if name is not None and general is not None and "noun.titled" in locale.phrases:
        return within("noun.titled", general, context, {"name": name})
    if name is None and section == "field" and locale.code == SOURCE_LANGUAGE:
        name = spoken(word)
    return fixed(_apart(name, context) if name else absent(key), context, key)


def _apart(name: str, context: Context) -> str:
    """A name in quotation marks if only a part of it could be taken for it."""
    opening, closing = context.locale.lexicon.typography.quotes
    return f"{opening}{name}{closing}" if any(mark in name for mark in _BREAKS) else name


def fixed(text: str, context: Context, key: str = "") -> NounPhrase:
    """A text that is the same in every case."""
    lexicon = context.locale.lexicon
    forms = {number: dict.fromkeys(lexicon.cases, text) for number in lexicon.numbers}
    return NounPhrase(context.locale, Noun(key or text, "", forms))


def within(
    key: str,
    noun: NounPhrase,
    context: Context,
    values: Mapping[str, Value | None] = _NONE,
    shape: Shape = _nothing,
    facts: Facts | None = None,
) -> NounPhrase:
    """A noun inside the template of a phrase with what there is of some values; alone if there is no such phrase."""
    template = (
        context.locale.template(key, shape) if facts is None else context.locale.template(key, facts.shape, facts.open)
    )
    if template is None:
        return noun
    return NounPhrase(context.locale, noun, template, {name: each for name, each in values.items() if each is not None})


def object_phrase(kind: str, id_: str, context: Context, *, alone: bool = False) -> NounPhrase:
    """One object by its id: by its name; of several with the same name, in their order, by its number too.

    Where it stands `alone` nothing of what is around could be taken for a part of its name.
    """
    named, name = by_name(kind, id_, context, alone=alone), called(kind, id_, context)
    alike = [each for each in context.meanings.words.members(kind) if name and called(kind, each, context) == name]
    if len(alike) < 2 or id_ not in alike:
        return named
    return within("noun.alike", named, context, {"number": alike.index(id_) + 1})


def called(kind: str, id_: str, context: Context) -> str | None:
    """What an object is called."""
    noun = context.locale.noun(f"{kind}.{id_}")
    return noun.form() if noun is not None else context.locale.name(kind, id_)


def by_name(kind: str, id_: str, context: Context, *, alone: bool = False) -> NounPhrase:
    """An object by what is printed on it: a noun of the lexicon, or its name with the noun of its kind."""
    locale = context.locale
    own = locale.noun(f"{kind}.{id_}")
    if own is not None:
        return own
    name = locale.name(kind, id_) or absent(f"{kind}.{id_}.name")
    general = "object.trait" if kind in context.meanings.words.families else "object"
    key = f"object.{kind}" if f"object.{kind}" in locale.phrases else general
    template, quote = locale.template(key), locale.lexicon.typography.quotes[0]
    if not alone and template is not None and f"{quote}{{name}}" not in template.text:
        name = _apart(name, context)
    return within(key, noun_of(f"kind.{kind}", context), context, {"name": name})


def slot_title(slot: str, context: Context, kind: str = "") -> str:
    """The title of a slot; in the language of packs the name of the slot itself will do."""
    for key in (f"slot.{kind}.{slot}", f"slot.{slot}"):
        template = context.locale.template(key)
        if template is not None:
            return fill(template, {}, context.locale)
    return spoken(slot) if context.locale.code == SOURCE_LANGUAGE else absent(f"slot.{slot}")


def value_name(value: str, context: Context) -> Value | None:
    """What a value is called, which does not tell whose it is."""
    noun = context.locale.noun(f"value.{value}")
    return noun if noun is not None else context.locale.text(f"value.{value}.name")


def value_title(value: str, context: Context) -> Value | None:
    """What a value is called, in the language of packs at least by its own name."""
    english = context.locale.code == SOURCE_LANGUAGE
    return value_name(value, context) or (spoken(value) if english else None)


def kind_key(kind: Type, context: Context) -> str:
    """The key of the noun for anything of a type."""
    if kind.name == "label" and kind.of in context.meanings.words.families:
        return f"trait.{kind.of}"
    return "seat.seat" if kind.name == "seat" else f"kind.{kind.of}" if kind.of else kind.name


def that_one(noun: NounPhrase, context: Context) -> NounPhrase:
    """One of what a noun stands for, without anything else that was said of it."""
    return within("noun.candidate", NounPhrase(context.locale, noun.head), context)
