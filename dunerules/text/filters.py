"""Filters in words: what stands in brackets behind a noun becomes an attribute or a relative clause."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.text.arguments import Arguments
from dunerules.text.conditions import condition, opposite, sides
from dunerules.text.context import Context
from dunerules.text.grammar import Listing, NounPhrase, Value, fill
from dunerules.text.lexicon import absent
from dunerules.text.lists import joined
from dunerules.text.nouns import amount, object_phrase, phrase_of, pronoun
from dunerules.text.phrases import Shape

__all__ = ["filter_words"]


def filter_words(
    where: m.Expression, noun: NounPhrase, kind: str, context: Context, *, many: bool
) -> tuple[NounPhrase, str]:
    """The noun, perhaps a narrower one, and the words that follow it."""
    which = pronoun(noun, "which", context, many=many)
    words: list[str] = []
    for part in where.parts if isinstance(where, m.All) else (where,):
        narrower = _narrower(part, kind, context)
        if narrower is not None:
            noun = narrower
            continue
        attribute = _attribute(part, which, context)
        words.append(attribute if attribute is not None else _clause(part, noun, which, context))
    return noun, " ".join(words)


def _narrower(part: m.Expression, kind: str, context: Context) -> NounPhrase | None:
    """A noun of its own for what passes the filter: one object, or a kind of thing with a name."""
    if (
        isinstance(part, m.Compare)
        and part.operator == "="
        and _is_it(part.left)
        and isinstance(part.right, m.ObjectRef)
    ):
        return object_phrase(part.right.kind, part.right.id, context)
    if isinstance(part, m.Has) and isinstance(part.member, m.ObjectRef):
        return context.locale.noun(f"kind.{kind}[{part.member.id}]")
    return None


def _is_it(expression: m.Expression) -> bool:
    return isinstance(expression, m.Special) and expression.which == "it"


def _attribute(part: m.Expression, which: NounPhrase, context: Context) -> str | None:
    """The words of a phrase for this filter, if the language or the pack has one."""
    negative = isinstance(part, m.Not)
    asked = part.part if isinstance(part, m.Not) else part
    if negative and isinstance(asked, m.Compare):
        negative, asked = False, opposite(asked)
    word, values, shapes = _asked(asked, replace(context, which=which))
    if not word:
        return None
    key = f"filter.{'not_' if negative else ''}{word}"
    shape: Shape = shapes.get
    template = context.locale.template(key, shape)
    if template is None and not negative:
        template = context.locale.template(_general(asked), shape)
        noun = context.locale.noun(f"field.{word}")
        values = {**values, "field": noun if noun is not None else absent(f"field.{word}")}
    if template is None:
        return None
    return fill(template, {"which": which, **values}, context.locale, context.telling.voice)


def _asked(part: m.Expression, context: Context) -> tuple[str, dict[str, Value], dict[str, str | None]]:
    """What a filter asks about: a word, and what else it says."""
    match part:
        case m.Compare():
            return _compared(part, context)
        case m.Has() if isinstance(part.group, m.FieldRef):
            return part.group.field, _value(part.member, context), {"value": context.shape(part.member)}
        case m.Any():
            return _either(part, context)
        case m.Exists() if isinstance(part.of, m.FieldRef):
            return part.of.field, {}, {}
        case m.FieldRef():
            return part.field, {}, {}
        case m.ValueRef():
            parameters, _ = context.meanings.value(part.value)
            arguments = Arguments(dict(part.arguments), parameters, context)
            shapes = {each.name: arguments.shape(each.name) for each in parameters}
            return part.value, arguments.values, shapes
        case m.Special():
            return part.which, {}, {}
        case _:
            return "", {}, {}


def _general(asked: m.Expression) -> str:
    """The phrase for filters of a sort, where there is none for the very field."""
    if isinstance(asked, m.Has):
        return "filter.any_tag"
    if isinstance(asked, m.FieldRef | m.Exists):
        return "filter.any_flag"
    if isinstance(asked, m.Compare) and isinstance(asked.left, m.FieldRef):
        return "filter.any_number" if asked.right.type.name == "amount" else "filter.any_label"
    return ""


def _value(expression: m.Expression, context: Context) -> dict[str, Value]:
    found = phrase_of(expression, context)
    return {"value": found} if found is not None else {}


def _compared(part: m.Compare, context: Context) -> tuple[str, dict[str, Value], dict[str, str | None]]:
    left, operator, right = sides(part)
    word = context.shape(left) or ""
    values: dict[str, Value] = {"n": amount(right, context)} if right.type.name == "amount" else {}
    values |= _value(right, context)
    shapes = {"op": operator, "n": context.shape(right), "value": context.shape(right)}
    if isinstance(left, m.FieldRef | m.ValueRef):
        return word, values, shapes
    if isinstance(left, m.CounterRef):
        about_it = any(_is_it(inner) for _, inner in left.indexes)
        owner = phrase_of(left.owner, context)
        if owner is not None:
            values["owner"] = owner
        return (word, values, {**shapes, "owner": context.shape(left.owner)}) if about_it else ("", {}, {})
    if _is_it(left) and isinstance(right, m.Special | m.Local | m.SeatRef):
        return f"same_{'' if operator == '=' else 'not_'}{context.shape(right)}", values, shapes
    return "", {}, {}


def _either(part: m.Any, context: Context) -> tuple[str, dict[str, Value], dict[str, str | None]]:
    """The same question about several values: `icon = a or icon = b`."""
    asked = [_asked(each, context) for each in part.parts]
    words = {word for word, _, _ in asked}
    found = [values.get("value") for _, values, _ in asked]
    phrases = tuple(each for each in found if isinstance(each, NounPhrase))
    if len(words) != 1 or len(phrases) < len(asked):
        return "", {}, {}
    listing = Listing(phrases, lambda parts: joined(parts, "either", context.locale))
    return words.pop(), {"value": listing}, {"op": "=", "value": "several"}


def _clause(part: m.Expression, noun: NounPhrase, which: NounPhrase, context: Context) -> str:
    """A relative clause: `who has two`. Of seats the pronoun is the subject, of things it is not."""
    seats = noun.head.key.startswith("seat.")
    inner = replace(context, which=which, person="they" if seats else context.person, relative=seats)
    key = "filter.clause_seat" if seats else "filter.clause"
    return context.locale.phrase(key, {"which": which, "condition": condition(part, inner.telling)})
