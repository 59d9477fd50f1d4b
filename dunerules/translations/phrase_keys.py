"""Every phrase that a language can have: its key, its slots, and what its variants can ask for in `when`.

Constructs of the language stand here one by one. What is said of words of packs (their verbs, values, counters, fields)
follows from their declarations. Checks, the template of a new language and the page `docs/phrases.md` read this table;
a test prints many texts and compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dunerules.dsl.vocabulary import Vocabulary

__all__ = ["BEGINNINGS", "CONSTRUCTS", "FAMILIES", "OPTIONAL", "About", "about", "is_optional", "known_keys"]


@dataclass(frozen=True, slots=True)
class About:
    """What a phrase can tell: its slots, and what its variants can ask for."""

    slots: frozenset[str]
    shapes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Family:
    """Phrases about words of packs: what they are about, and their slots and shapes besides those of the word."""

    words: str
    slots: str = ""
    shapes: str = ""


_ALWAYS = frozenset({"as", "person", "this"})
"""What every variant can ask for."""

FAMILIES: dict[str, Family] = {
    "verb": Family("verbs", "your this least", "number single"),
    "cost": Family("verbs", "your this least", "number single"),
    "log": Family("verbs of packs", "your this least", "number single"),
    "event": Family("verbs", "subject your", "owned single who"),
    "icon.verb": Family("verbs", "", "number single"),
    "procedure": Family("procedures", "your"),
    "if": Family("values", "subject"),
    "if.not": Family("values", "subject"),
    "change": Family("values", "by subject who", "op worked_out"),
    "number": Family("values"),
    "noun.value": Family("values", "noun"),
    "have": Family("counters and values", "n subject what owner", "op worded sort where zone"),
    "counter": Family("counters", "noun"),
    "filter": Family("values, counters and fields", "which value n field subject condition", "op many"),
    "filter.not": Family("values, counters and fields", "which value n field subject condition", "op many"),
    "if.field": Family("fields and slots", "object"),
    "field": Family("fields of a kind, as `field.KIND.NAME`", "value"),
    "slot": Family("slots, as `slot.NAME` or `slot.KIND.NAME`"),
    "doer": Family("slots"),
    "object": Family("kinds and families of traits", "noun name"),
}
"""By how a key begins: what may follow, behind a dot (behind `not` a line)."""


CONSTRUCTS: dict[str, tuple[str, str]] = {
    "ability.doer": ("body who", "letter"),
    "ability.doer_long": ("body who", "letter"),
    "ability.instead": ("body event limit", "free"),
    "ability.instead_if": ("body condition event limit", "free"),
    "ability.limit": ("n procedure", ""),
    "ability.sees": ("body", ""),
    "ability.sees_if": ("body condition", ""),
    "ability.when": ("body event limit", ""),
    "ability.when_if": ("body condition event limit", "moment procedure who"),
    "ability.while": ("change", ""),
    "ability.while_if": ("change condition", ""),
    "change": ("by value", "op worked_out"),
    "change.about": ("about value", ""),
    "change.for_each": ("about value", ""),
    "change.for_whom": ("value who", ""),
    "event.about": ("about event", ""),
    "event.call": ("call subject", ""),
    "event.end": ("next own procedure subject", "who"),
    "event.named": ("call subject", ""),
    "event.start": ("next own procedure subject", "who"),
    "filter.any_flag": ("field", "many op"),
    "filter.any_label": ("field value", "many op"),
    "filter.any_number": ("field n", "many op"),
    "filter.any_tag": ("value", "many op"),
    "filter.clause": ("condition which", "many op"),
    "filter.clause_for_seat": ("condition which", "many op"),
    "filter.clause_seat": ("condition which", "many op"),
    "filter.not_any_flag": ("field", "many op"),
    "filter.not_any_tag": ("value", "many op"),
    "filter.not_this": ("", "many op"),
    "filter.same_any": ("field subject value which", "many op"),
    "filter.same_not_any": ("value", "many op"),
    "filter.same_not_this": ("value", "many op"),
    "filter.same_this": ("value which", "many op"),
    "have": ("n subject what", "op sort where worded zone"),
    "have.than": ("owner subject what", "op"),
    "icon.arrow": ("body cost", ""),
    "icon.choose": ("n options", ""),
    "icon.condition": ("condition", ""),
    "icon.each": ("body each", "of"),
    "icon.else": ("body", ""),
    "icon.else_if": ("body condition", ""),
    "icon.group": ("body", ""),
    "icon.if": ("body condition", ""),
    "icon.list": ("a b", ""),
    "icon.may": ("body", ""),
    "icon.or": ("a b", ""),
    "icon.per": ("body n of", "many"),
    "icon.when": ("body event limit", ""),
    "icon.when_if": ("body condition event limit", ""),
    "icon.while": ("change", ""),
    "icon.words": ("body", ""),
    "if.all_each": ("condition each", ""),
    "if.always": ("", ""),
    "if.any": ("", ""),
    "if.compare": ("left right", "number op"),
    "if.field": ("field object", ""),
    "if.has": ("group member subject", ""),
    "if.has_slot": ("object slot", ""),
    "if.modified": ("condition", ""),
    "if.never": ("", ""),
    "if.no_seat": ("condition least n subject what", "where"),
    "if.none": ("left", "op sort"),
    "if.not": ("condition", ""),
    "if.not_value": ("value", ""),
    "if.one_of": ("left right", "op"),
    "if.option": ("value", ""),
    "if.same": ("left right subject", "op"),
    "if.seats": ("condition least n subject what", "op"),
    "if.slot": ("object slot", ""),
    "if.that": ("n", "letter"),
    "if.there_are": ("least n subject what zone", "op where worded"),
    "if.value": ("value", ""),
    "list.and.last": ("a b", ""),
    "list.and.more": ("a b", ""),
    "list.and.two": ("a b", ""),
    "list.branches.last": ("a b", ""),
    "list.branches.more": ("a b", ""),
    "list.branches.two": ("a b", ""),
    "list.comma.last": ("a b", ""),
    "list.comma.more": ("a b", ""),
    "list.comma.two": ("a b", ""),
    "list.either.last": ("a b", ""),
    "list.either.more": ("a b", ""),
    "list.either.two": ("a b", ""),
    "list.inner.last": ("a b", ""),
    "list.inner.more": ("a b", ""),
    "list.inner.two": ("a b", ""),
    "list.options.last": ("a b", ""),
    "list.options.more": ("a b", ""),
    "list.options.two": ("a b", ""),
    "list.or.last": ("a b", ""),
    "list.or.more": ("a b", ""),
    "list.or.two": ("a b", ""),
    "list.pile.last": ("a b", ""),
    "list.pile.more": ("a b", ""),
    "list.pile.two": ("a b", ""),
    "list.then.last": ("a b", ""),
    "list.then.more": ("a b", ""),
    "list.then.two": ("a b", ""),
    "log.does": ("body who", ""),
    "noun.alike": ("noun number", ""),
    "noun.all": ("noun", ""),
    "noun.any": ("noun", ""),
    "noun.candidate": ("noun", ""),
    "noun.changed": ("name noun", "counter"),
    "noun.each": ("noun", ""),
    "noun.each_of": ("noun", ""),
    "noun.field": ("noun object", ""),
    "noun.filtered": ("filter noun", ""),
    "noun.for": ("index noun", ""),
    "noun.here": ("noun", "others"),
    "noun.if": ("a b condition", ""),
    "noun.indexed": ("index noun", ""),
    "noun.it": ("noun", ""),
    "noun.lettered": ("n noun", ""),
    "noun.next": ("noun", ""),
    "noun.numbered": ("n noun", ""),
    "noun.on": ("index noun", ""),
    "noun.opponent": ("noun who", "where"),
    "noun.own": ("noun", ""),
    "noun.owned": ("noun owner", ""),
    "noun.part": ("noun", ""),
    "noun.placed": ("noun place", ""),
    "noun.pointer": ("noun who", ""),
    "noun.slot": ("noun object slot", ""),
    "noun.that": ("noun", "like"),
    "noun.this": ("noun", "kind others"),
    "noun.those": ("noun", "like"),
    "noun.titled": ("name noun", ""),
    "noun.titled_pointer": ("name noun", "held"),
    "number.answer": ("n", ""),
    "number.any": ("", ""),
    "number.any_answer": ("", ""),
    "number.count": ("of", ""),
    "number.divided": ("a b", ""),
    "number.field": ("of", ""),
    "number.if": ("a b condition", ""),
    "number.least": ("of", ""),
    "number.least_each": ("each of", ""),
    "number.lettered": ("n", ""),
    "number.minus": ("a b", ""),
    "number.modified": ("name of", ""),
    "number.most": ("of", ""),
    "number.most_each": ("each of", ""),
    "number.plus": ("a b", ""),
    "number.sum_each": ("each of", ""),
    "number.that": ("", ""),
    "number.times": ("a b", ""),
    "number.total": ("noun of", ""),
    "object": ("name noun", ""),
    "object.card": ("name noun", ""),
    "object.trait": ("name noun", ""),
    "quantity.all": ("n noun", "case filtered part"),
    "quantity.any": ("n noun", "case filtered part"),
    "quantity.blind": ("n noun", "case filtered part"),
    "quantity.blind_expression": ("n noun", "case filtered part"),
    "quantity.blind_that": ("noun", "case filtered part"),
    "quantity.bottom": ("n noun", "case filtered part"),
    "quantity.bottom_expression": ("n noun", "case filtered part"),
    "quantity.bottom_that": ("noun", "case filtered part"),
    "quantity.exactly": ("n noun", "case filtered part"),
    "quantity.expression": ("n noun", "case filtered part"),
    "quantity.one": ("noun", "case filtered part"),
    "quantity.random": ("n noun", "case filtered part"),
    "quantity.random_expression": ("n noun", "case filtered part"),
    "quantity.random_that": ("noun", "case filtered part"),
    "quantity.some": ("noun", "case filtered part"),
    "quantity.that": ("noun", "case filtered part"),
    "quantity.top": ("n noun", "case filtered part"),
    "quantity.top_expression": ("n noun", "case filtered part"),
    "quantity.top_that": ("noun", "case filtered part"),
    "quantity.up_to": ("n noun", "case filtered part"),
    "quantity.up_to_expression": ("n noun", "case filtered part"),
    "quantity.up_to_that": ("n noun", "case filtered part"),
    "requirement": ("condition", "slot"),
    "slot.ability": ("", ""),
    "step.any_order": ("offering options", ""),
    "step.any_order_each": ("body each offering", ""),
    "step.any_order_seats": ("offering told", ""),
    "step.around": ("told", ""),
    "step.arrow": ("body cost then", ""),
    "step.arrow_long": ("body cost", ""),
    "step.arrow_option": ("body cost then", ""),
    "step.arrow_option_long": ("body cost", ""),
    "step.arrow_then": ("body cost", ""),
    "step.become": ("who", "letter"),
    "step.caused": ("body who", ""),
    "step.choose": ("n options", ""),
    "step.done_by": ("body who", ""),
    "step.each": ("body each", "about of"),
    "step.each_seat": ("body each told", ""),
    "step.each_seat_long": ("body each", ""),
    "step.else": ("body", ""),
    "step.else_if": ("body condition", ""),
    "step.if": ("body condition", ""),
    "step.if_there": ("body what", "price"),
    "step.lettered": ("n", ""),
    "step.lettered_number": ("n", "how"),
    "step.may": ("body", ""),
    "step.may_long": ("body", ""),
    "step.note": ("value", ""),
    "step.note_whether": ("value", ""),
    "step.offering": ("group", ""),
    "step.per": ("n what", ""),
    "step.per_kinds": ("n what", ""),
    "step.per_many": ("n what", ""),
    "step.pick": ("n what", ""),
    "step.pick_and": ("body pick", ""),
    "step.pick_then": ("body pick", "of one"),
    "step.procedure": ("about procedure", ""),
    "step.repeat": ("body n", "mode times"),
    "step.repeat_while": ("body condition n", "mode times"),
    "step.says_how_many": ("", ""),
    "step.scope": ("body", ""),
    "step.secretly": ("told", ""),
    "step.unsaid": ("about name", ""),
    "step.until": ("clauses until", "window"),
    "subject.anyone": ("who", "letter"),
    "subject.opponent": ("who", "letter"),
    "subject.seat": ("", ""),
    "subject.some": ("who", ""),
    "subject.counted": ("nobody", ""),
    "subject.many": ("nobody", ""),
    "subject.they": ("nobody", ""),
    "subject.you": ("nobody", ""),
    "until.end": ("next own procedure", "who"),
    "until.event": ("event", ""),
    "until.start": ("next own procedure", "who"),
    "word.your": ("", ""),
    "zone.at": ("noun owner", "zone"),
    "zone.common": ("noun", ""),
    "zone.of": ("noun owner", "zone"),
    "zone.own": ("noun", "beside zone"),
}
"""By key: its slots, and what else can be asked for besides these, `person` and `this`."""

BEGINNINGS = frozenset(key.partition(".")[0] for key in (*CONSTRUCTS, *FAMILIES))
"""How keys of phrases begin."""


OPTIONAL = frozenset({
    "filter.clause_for_seat", "noun.changed", "noun.numbered", "noun.titled", "noun.titled_pointer", "object.card",
    "requirement", "subject.counted", "subject.many", "word.your",
})  # fmt: skip
"""Constructs that a language may do without: what they say is then said by a more general phrase."""

_OPTIONAL_FAMILIES = ("event.", "have.", "object.")
"""Beginnings of phrases about words of packs that are told by general phrases as well."""


def is_optional(key: str) -> bool:
    """Whether a language may do without a phrase that the English has."""
    return key in OPTIONAL or (key not in CONSTRUCTS and key.startswith(_OPTIONAL_FAMILIES))


def about(key: str, words: Vocabulary) -> About | None:
    """What a phrase can tell for packs with these words; nothing if nothing is said by its key."""
    own = [CONSTRUCTS[key]] if key in CONSTRUCTS else []
    slots = {slot for said, _ in own for slot in said.split()}
    shapes = {shape for _, asked in own for shape in asked.split()}
    found = bool(own)
    for beginning, family in FAMILIES.items():
        joint = "_" if beginning.endswith(".not") else "."
        name = key.removeprefix(f"{beginning}{joint}")
        parts = _parts(beginning, name, words) if name != key else None
        if parts is not None:
            found = True
            slots |= {*family.slots.split(), *parts}
            shapes |= {*family.shapes.split(), *(_fields(name, words) if beginning == "field" else ())}
    return About(frozenset(slots), frozenset(slots | shapes | _ALWAYS)) if found else None


def known_keys(words: Vocabulary) -> list[str]:
    """Every key of a phrase for packs with these words."""
    found = list(CONSTRUCTS)
    for beginning in FAMILIES:
        joint = "_" if beginning.endswith(".not") else "."
        found += [f"{beginning}{joint}{name}" for name in _names(beginning, words)]
    return found


def _names(beginning: str, words: Vocabulary) -> Iterator[str]:
    """The words that a family is about."""
    if beginning in {"verb", "cost", "event", "icon.verb"}:
        yield from words.verbs
    elif beginning == "log":
        yield from (name for name, verb in words.verbs.items() if not verb.kernel)
    elif beginning == "procedure":
        yield from words.procedures
    elif beginning == "counter":
        yield from words.counters
    elif beginning == "field":
        yield from (f"{kind.name}.{name}" for kind in words.kinds.values() for name in kind.fields)
    elif beginning == "object":
        yield from (*words.kinds, *words.families)
    else:
        of_kinds = [name for kind in words.kinds.values() for name in (*kind.fields, *kind.slots)]
        if beginning in {"slot", "doer", "if.field"}:
            yield from of_kinds
            yield from (f"{kind.name}.{name}" for kind in words.kinds.values() for name in (*kind.fields, *kind.slots))
        else:
            yield from words.values
        if beginning in {"have", "filter", "filter.not", "if", "if.not", "number", "change"}:
            yield from words.counters
        if beginning in {"filter", "filter.not"}:
            yield from of_kinds


def _parts(beginning: str, name: str, words: Vocabulary) -> Iterable[str] | None:
    """The arguments of the word that a key is about; nothing if there is no such word."""
    if name not in _names(beginning, words):
        return None
    found: set[str] = set()
    if beginning in {"verb", "cost", "event", "icon.verb", "log"}:
        found |= {each.name for each in words.verbs[name].parameters}
    elif beginning == "procedure":
        found |= {each.name for each in words.procedures[name].parameters}
    else:
        found |= {each.name for each in words.values[name].parameters} if name in words.values else set()
        found |= {*words.counters[name].per, "owner"} if name in words.counters else set()
    return found


def _fields(name: str, words: Vocabulary) -> Iterable[str]:
    """The fields of the kind that a phrase about one of them is for."""
    return words.kinds[name.partition(".")[0]].fields
