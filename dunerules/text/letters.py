"""Letters by which things and seats are told apart that could be taken for each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dunerules.language.grammar import NounPhrase, Value
from dunerules.language.template import Slot, Template, slots_of
from dunerules.text.bare import within
from dunerules.text.context import Context

__all__ = ["lettered"]


def lettered(noun: NounPhrase, letter: str, context: Context) -> NounPhrase:
    """A noun with the letter of what it stands for, if that has one: before everything else that is said of it."""
    if not letter or _has_been(noun, letter, context):
        return noun
    inner = noun.noun
    if isinstance(inner, NounPhrase) and noun.template is not None and _has_noun(noun.template, noun.values):
        named = context.locale.template("noun.lettered")
        if noun.template != named and not inner.has(named):  # some of a group that has one itself
            return replace(noun, noun=lettered(inner, letter, context))
    return within("noun.lettered", noun, context, {"n": letter})


def _has_been(noun: NounPhrase, letter: str, context: Context) -> bool:
    """Whether the candidate of its filter has the letter already: it is what passed."""
    inner = noun.noun
    if not isinstance(inner, NounPhrase):
        return False
    filtered, named = (context.locale.template(key) for key in ("noun.filtered", "noun.lettered"))
    found = noun.template == filtered and inner.template == named and inner.values.get("n") == letter
    return found or _has_been(inner, letter, context)


def _has_noun(template: Template, values: Mapping[str, Value]) -> bool:
    """Whether a phrase is about its noun, and not about the name or number of a thing or somebody's."""
    named = "name" in values or "number" in values
    return not named and any(isinstance(each, Slot) and each.name == "noun" for each in slots_of(template))
