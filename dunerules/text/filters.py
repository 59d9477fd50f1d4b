"""Filters in words: what stands in brackets behind a noun becomes an attribute or a relative clause."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dunerules.dsl import meaning as m
from dunerules.dsl.outer import spoken_of_within
from dunerules.dsl.types import SEAT
from dunerules.language.grammar import Listing, NounPhrase, Value, fill
from dunerules.text.amounts import amount
from dunerules.text.arguments import Arguments
from dunerules.text.bare import called, noun_of, object_phrase
from dunerules.text.candidates import asked_about, candidate_letter
from dunerules.text.conditions import condition, opposite, relative_words, sides, subject
from dunerules.text.context import Context, Person
from dunerules.text.facts import Facts, inner_parts
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.nouns import phrase_of, pronoun

__all__ = ["filter_words"]


def filter_words(
    where: m.Expression, noun: NounPhrase, kind: str, context: Context, *, many: bool
) -> tuple[NounPhrase, str]:
    """The noun, perhaps a narrower one, and the words that follow it."""
    which = pronoun(noun, "which", context, many=many)
    seats = noun.head.key.startswith("seat.")
    asked = context.acting("many" if many else "they") if seats else context
    words: list[str] = []
    clauses: list[m.Expression] = []
    for part in where.parts if isinstance(where, m.All) else (where,):
        narrower = _narrower(part, noun, kind, context, many=many)
        if narrower is not None:
            noun = narrower
            continue
        brief = not spoken_of_within(part) and (seats or _about_it(part))
        attribute = _attribute(part, which, asked, many=many) if brief else None
        if attribute is None:
            clauses.append(part)
        else:
            words.append(attribute)
    if clauses:
        whole = clauses[0] if len(clauses) == 1 else m.All(tuple(clauses))
        told = _relative(whole, which, context, many=many) if seats and not spoken_of_within(whole) else None
        kind = SEAT.name if seats else kind
        letter = candidate_letter(whole, kind, context) if told is None else ""
        words.append(told if told is not None else _clause(whole, noun, which, context, (kind, letter)))
        noun = lettered(noun, letter, context)
    return noun, " ".join(words)


def _narrower(part: m.Expression, noun: NounPhrase, kind: str, context: Context, *, many: bool) -> NounPhrase | None:
    """A noun of its own for what passes the filter: one object, or a kind of thing with a name."""
    declared = context.meanings.words.kinds.get(kind)
    single = declared is None or declared.role != "thing"  # there is one of it, so that it cannot be counted
    if (
        isinstance(part, m.Compare)
        and part.operator == "="
        and m.is_it(part.left)
        and isinstance(part.right, m.ObjectRef)
        and not (single and many)
    ):
        found = object_phrase(part.right.kind, part.right.id, context)
        return found if found.form() != noun.form() else None  # what is called like its kind is told as an attribute
    if isinstance(part, m.Has) and isinstance(part.group, m.FieldRef) and m.is_it(part.group.object):
        member = part.member if _is_tag(part, context) else None
        return context.locale.noun(f"kind.{kind}[{member.id}]") if isinstance(member, m.ObjectRef) else None
    return None


def _about_it(part: m.Expression) -> bool:
    """Whether a value is asked about the candidate, and not about the acting seat."""
    asked = part.part if isinstance(part, m.Not) else part
    return not isinstance(asked, m.ValueRef) or any(m.is_it(each) for _, each in asked.arguments)


@dataclass
class _Asked:
    """What a filter asks about: a word, what else is said of it, and what must be."""

    word: str
    values: dict[str, Value]
    facts: Facts


def _attribute(part: m.Expression, which: NounPhrase, context: Context, *, many: bool) -> str | None:
    """The words of a phrase for this filter, if the language or the pack has one that tells all of it."""
    negative = isinstance(part, m.Not)
    asked = part.part if isinstance(part, m.Not) else part
    if negative and isinstance(asked, m.Compare):
        negative, asked = False, opposite(asked)
    found = _asked(asked, context.asking(which))
    if found is None:
        return None
    values, facts = found.values, found.facts
    facts.word("many", "many" if many else None, told=False)
    template = context.locale.template(f"filter.{'not_' if negative else ''}{found.word}", facts.shape, facts.open)
    if template is None:
        general = _general(asked, context)
        general = general.replace("filter.", "filter.not_") if negative else general
        template = context.locale.template(general, facts.shape, facts.open)
        values = {**values, "field": noun_of(f"field.{found.word}", context)}
    if template is None:
        return None
    acting = subject(replace(context, relative=False))
    return fill(template, {"which": which, "subject": acting, **values}, context.locale, context.telling.voice)


def _asked(part: m.Expression, context: Context) -> _Asked | None:
    """What a filter asks about, if phrases can be about that."""
    facts = Facts(context)
    match part:
        case m.Compare():
            return _compared(part, context)
        case m.Has() if isinstance(part.group, m.FieldRef) and m.is_it(part.group.object):
            facts.add("value", part.member)
            return _Asked(part.group.field, _value(part.member, context), facts)
        case m.Any():
            return _either(part, context)
        case m.Exists() if isinstance(part.of, m.FieldRef) and m.is_it(part.of.object):
            return _Asked(part.of.field, {}, facts)
        case m.FieldRef() if m.is_it(part.object):
            return _Asked(part.field, {}, facts)
        case m.ValueRef():
            parameters, _ = context.meanings.value(part.value)
            arguments = Arguments(dict(part.arguments), parameters, context)
            return _Asked(part.value, arguments.values, arguments.facts)
        case m.Special():
            return _Asked(part.which, {}, facts)
        case _:
            return None


def _is_slot(field: m.FieldRef, context: Context) -> bool:
    """Whether a condition of an object is asked, and not a flag."""
    kind = context.meanings.words.kinds.get(field.object.type.of)
    return kind is not None and field.field in kind.slots


def _general(asked: m.Expression, context: Context) -> str:
    """The phrase for filters of a sort, where there is none for the very field. A condition is asked in a clause."""
    if isinstance(asked, m.Has):
        return "filter.any_tag" if _is_tag(asked, context) and not _shares_name(asked, context) else ""
    if isinstance(asked, m.FieldRef | m.Exists):
        return "" if isinstance(asked, m.FieldRef) and _is_slot(asked, context) else "filter.any_flag"
    if isinstance(asked, m.Compare) and m.is_it(asked.left):
        if asked.operator == "=" and isinstance(asked.right, m.ObjectRef):
            return "filter.any_tag"
        return f"filter.same_{'' if asked.operator == '=' else 'not_'}any"
    if isinstance(asked, m.Compare) and isinstance(asked.left, m.FieldRef):
        return "filter.any_number" if asked.right.type.name == "amount" else "filter.any_label"
    return ""


def _is_tag(asked: m.Has, context: Context) -> bool:
    """Whether what a list has says by itself which list that is: a label that no other field of the kind can have."""
    group, member = asked.group, asked.member
    if not isinstance(group, m.FieldRef) or isinstance(member, m.FieldRef | m.ValueRef):
        return False
    return _families(group, context).count(group.type.of) <= 1


def _shares_name(asked: m.Has, context: Context) -> bool:
    """Whether another field of the kind can have a label of the same name."""
    group, member, words = asked.group, asked.member, context.meanings.words
    if not isinstance(group, m.FieldRef) or not isinstance(member, m.ObjectRef):
        return False
    name = called(member.kind, member.id, context)
    others = {each for each in _families(group, context) if each and each != group.type.of}
    return any(called(each, label, context) == name for each in others for label in words.members(each))


def _families(group: m.FieldRef, context: Context) -> list[str]:
    """What the fields of a kind hold labels of."""
    kind = context.meanings.words.kinds.get(group.object.type.of)
    return [each.type.of for each in kind.fields.values()] if kind is not None else []


def _value(expression: m.Expression, context: Context) -> dict[str, Value]:
    found = phrase_of(expression, context)
    return {"value": found} if found is not None else {}


def _compared(part: m.Compare, context: Context) -> _Asked | None:
    left, operator, right = sides(part, context)
    word = context.shape(left) or ""
    values: dict[str, Value] = {"n": amount(right, context)} if right.type.name == "amount" else {}
    values |= _value(right, context)
    facts = Facts(context)
    if isinstance(left, m.ValueRef):
        known = context.meanings.words.values.get(left.value)
        arguments = Arguments(dict(left.arguments), known.parameters if known is not None else (), context)
        values, facts = {**arguments.values, **values}, arguments.facts
    elif isinstance(left, m.CounterRef):
        if not any(m.is_it(inner) for _, inner in left.indexes):
            return None
        facts.word("owner", None, told=False)
        for name, inner, where in inner_parts(left, context):
            found = phrase_of(inner, where) if not isinstance(inner, str) else None
            if found is not None and not isinstance(inner, str):
                facts.add(name, inner, where)
                values[name] = found
    elif m.is_it(left) and m.is_it(right):
        return None
    elif m.is_it(left):
        facts.add("value", right)
        return _Asked(f"same_{'' if operator == '=' else 'not_'}{context.shape(right)}", values, facts)
    elif not (isinstance(left, m.FieldRef) and m.is_it(left.object)):
        return None
    facts.word("op", operator)
    facts.add("n", right, None, "value")
    facts.word("value", context.shape(right), told=False)
    return _Asked(word, values, facts)


def _either(part: m.Any, context: Context) -> _Asked | None:
    """The same question about several values: `icon = a or icon = b`."""
    asked = [_asked(each, context) for each in part.parts]
    known = [each for each in asked if each is not None]
    found = [each.values.get("value") for each in known]
    phrases = tuple(each for each in found if isinstance(each, NounPhrase))
    same = {(each.word, each.facts.shape("op")) for each in known}
    if len(same) != 1 or len(phrases) < len(asked) or known[0].facts.shape("op") not in {None, "="}:
        return None
    listing = Listing(phrases, lambda parts: joined(parts, "either", context.locale))
    facts = Facts(context)
    if known[0].facts.shape("op") is not None:
        facts.word("op", "=")
    facts.word("value", "several")
    return _Asked(known[0].word, {"value": listing}, facts)


def _relative(part: m.Expression, which: NounPhrase, context: Context, *, many: bool) -> str | None:
    """A relative clause about seats of which they are the subject: `who has two`."""
    person: Person = "many" if many else "they"
    told = relative_words(part, context.asking(which).acting(person, relative=True).telling)
    return (
        context.locale.phrase("filter.clause_seat", {"which": which, "condition": told}) if told is not None else None
    )


def _clause(part: m.Expression, noun: NounPhrase, which: NounPhrase, context: Context, named: tuple[str, str]) -> str:
    """Any other relative clause: `for which it is so`, with the kind of the candidate and its letter."""
    seats = noun.head.key.startswith("seat.")
    inner = asked_about(noun, *named, context)
    key = "filter.clause_for_seat" if seats and "filter.clause_for_seat" in context.locale.phrases else "filter.clause"
    return context.locale.phrase(key, {"which": which, "condition": condition(part, inner.telling)})
