"""Things in words: every expression that stands for something becomes a noun phrase or an amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from dunerules.text.context import Bound, Context
from dunerules.text.facts import Facts, is_you
from dunerules.text.grammar import Listing, NounPhrase, Value, fill
from dunerules.text.lexicon import Noun, absent
from dunerules.text.lists import joined
from dunerules.text.phrases import Shape
from dunerules.text.places import SOURCE_LANGUAGE, spoken

__all__ = [
    "fixed", "noun_of", "object_phrase", "ordinal", "phrase_of", "pronoun", "seat_phrase", "slot_title",
]  # fmt: skip


_ITS_OWNER = "{owner}"
"""The phrase of a zone that has no name besides that of the place it belongs to."""


_NONE: Mapping[str, Value | None] = MappingProxyType({})


def _nothing(_: str) -> str | None:
    return None


def noun_of(key: str, context: Context) -> NounPhrase:
    """A noun of the lexicon; else the translated name, which has one form; else its absence."""
    locale = context.locale
    found = locale.noun(key)
    if found is not None:
        return found
    name = locale.text(f"{key}.name") or absent(key)
    return fixed(name, context, key)


def fixed(text: str, context: Context, key: str = "") -> NounPhrase:
    """A text that is the same in every case."""
    lexicon = context.locale.lexicon
    forms = {number: dict.fromkeys(lexicon.cases, text) for number in lexicon.numbers}
    return NounPhrase(context.locale, Noun(key or text, "", forms))


def _with(
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


def phrase_of(expression: m.Expression | None, context: Context, *, many: bool = False) -> NounPhrase | Listing | None:
    """The words for a thing, place, seat, zone or counter; nothing for what is none of these."""
    match expression:
        case m.CounterRef():
            return _counter(expression, context)
        case m.PieceRef():
            return _piece(expression, context)
        case m.WordRef():
            return _word(expression, context)
        case m.Named():
            return _named(expression, context, many=many)
        case m.ObjectRef():
            return object_phrase(expression.kind, expression.id, context)
        case m.SeatRef():
            return seat_phrase(expression, context, many=many)
        case m.ZoneRef():
            return _zones(expression, context)
        case m.Special():
            return _special(expression, context)
        case m.Local():
            return _local(expression, context, many=many)
        case m.FieldRef():
            inner = phrase_of(expression.object, context)
            noun = noun_of(f"field.{expression.field}", context)
            return _with("noun.field", noun, context, {"object": inner})
        case m.SlotRef():
            inner = phrase_of(expression.object, context)
            name = slot_title(expression.slot, context)
            return _with("noun.slot", noun_of("effect", context), context, {"object": inner, "slot": name})
        case m.ValueRef():
            return _value(expression, context, many=many)
        case m.Count():
            return phrase_of(expression.of, context, many=many)
        case _:
            return None


def slot_title(slot: str, context: Context, kind: str = "") -> str:
    """The title of a slot; in the language of packs the name of the slot itself will do."""
    for key in (f"slot.{kind}.{slot}", f"slot.{slot}"):
        template = context.locale.template(key)
        if template is not None:
            return fill(template, {}, context.locale)
    return spoken(slot) if context.locale.code == SOURCE_LANGUAGE else absent(f"slot.{slot}")


# ---- counters and pieces


def _counter(counter: m.CounterRef, context: Context) -> NounPhrase:
    noun = noun_of(f"counter.{counter.counter}", context)
    values: dict[str, Value] = {}
    facts = Facts(context)
    for index, expression in counter.indexes:
        found = phrase_of(expression, context)
        if found is not None:
            values[index] = found
            facts.add(index, expression)
    if values and context.locale.template(f"counter.{counter.counter}", facts.shape, facts.open) is not None:
        noun = _with(f"counter.{counter.counter}", noun, context, values, facts=facts)
    else:
        for each in values.values():
            noun = _with("noun.indexed", noun, context, {"index": each})
    return _owned(noun, counter.owner, context)


def _owned(noun: NounPhrase, owner: m.Expression | None, context: Context) -> NounPhrase:
    """A noun with whose it is, unless it is the acting seat's."""
    if owner is None or _acting(owner, context):
        return noun
    found = phrase_of(owner, context)
    shapes = {"owner": "you" if _reader(owner, context) else context.shape(owner)}
    return _with("noun.owned", noun, context, {"owner": found}, shapes.get) if found is not None else noun


def _reader(owner: m.Expression, context: Context) -> bool:
    """Whether the seat is meant that reads the text, because the effect is its own."""
    return isinstance(owner, m.SeatRef) and owner.which == "owner" and context.owner == "you"


def _acting(owner: m.Expression | None, context: Context) -> bool:
    """Whether the acting seat is meant."""
    return is_you(owner) or (owner is not None and _reader(owner, context) and context.person == "you")


def _piece(piece: m.PieceRef, context: Context) -> NounPhrase:
    noun = noun_of(f"piece.{piece.piece}", context)
    if piece.place is not None:
        place = phrase_of(piece.place, context)
        noun = _with("noun.placed", noun, context, {"place": place}) if place is not None else noun
    elif piece.pool:
        pool = noun_of(f"pool.{piece.pool}", context)
        pool = _own_place(pool, piece.pool, context) if _acting(piece.owner, context) else pool
        noun = _with("noun.placed", noun, context, {"place": pool})
    return _owned(noun, piece.owner, context)


def _word(word: m.WordRef, context: Context) -> NounPhrase:
    if word.type.name == "pool":
        noun = noun_of(f"pool.{word.name}", context)
        own = _acting(word.owner, context)
        return _own_place(noun, word.name, context) if own else _owned(noun, word.owner, context)
    if word.type.name == "moves":
        return fixed(_moves(word.name, context), context)
    return _owned(noun_of(f"{word.type.name}.{word.name}", context), word.owner, context)


def _moves(group: str, context: Context) -> str:
    """The moves of a group by their names."""
    names = [name for name, entry in context.meanings.moves if entry == group]
    return joined(
        [context.locale.name("move", name) or absent(f"move.{name}") for name in names], "comma", context.locale
    )


# ---- zones


def _own_place(noun: NounPhrase, name: str, context: Context) -> NounPhrase:
    shapes = {"zone": name, "person": context.person}
    return _with("zone.own", noun, context, shape=shapes.get)


def _zones(zones: m.ZoneRef, context: Context) -> NounPhrase | Listing:
    found = tuple(_zone(name, zones.owner, context) for name in zones.zones)
    if len(found) == 1:
        return found[0]
    return Listing(found, lambda parts: joined(parts, "either", context.locale))


def _zone(name: str, owner: m.Expression | None, context: Context) -> NounPhrase:
    noun = noun_of(f"zone.{name}", context)
    holder = context.meanings.words.zone_holder(name)
    if holder == "game":
        return _with("zone.common", noun, context, shape=lambda path: name if path == "zone" else None)
    if owner is None or _acting(owner, context):
        return _own_place(noun, name, context) if holder == "seat" else noun
    found = phrase_of(owner, context)
    seat = holder == "seat"
    shapes = {"zone": name, "owner": "you" if seat and _reader(owner, context) else context.shape(owner)}
    key = "zone.of" if seat else "zone.at"
    template = context.locale.template(key, shapes.get)
    if template is not None and template.text == _ITS_OWNER and isinstance(found, NounPhrase):
        return found  # what lies there is simply there
    return _with(key, noun, context, {"owner": found}, shapes.get)


# ---- objects, seats and names


def object_phrase(kind: str, id_: str, context: Context) -> NounPhrase:
    """One object by its id: a noun of the lexicon, or its name with the noun of its kind."""
    locale = context.locale
    own = locale.noun(f"{kind}.{id_}")
    if own is not None:
        return own
    name = locale.name(kind, id_) or absent(f"{kind}.{id_}.name")
    general = "object.trait" if kind in context.meanings.words.families else "object"
    key = f"object.{kind}" if f"object.{kind}" in locale.phrases else general
    return _with(key, noun_of(f"kind.{kind}", context), context, {"name": name})


def seat_phrase(seat: m.SeatRef, context: Context, *, many: bool = False) -> NounPhrase:
    """A seat, or seats that pass a filter."""
    which = {"anyone": "seat"}.get(seat.which, seat.which)
    if which == "owner":
        which = "you" if context.owner == "you" else "owner"
    if which == "you" and seat.which == "you" and context.person != "you":
        which = "they"
    return _filtered(noun_of(f"seat.{which}", context), seat.where, None, context, many=many)


def _special(special: m.Special, context: Context) -> NounPhrase:
    if special.which == "it" and context.which is not None:
        return context.which
    kind = special.type.of or (context.this[0] if context.this is not None else "")
    noun = noun_of(f"kind.{kind}" if kind else special.type.name, context)
    return _with(f"noun.{special.which}", noun, context, shape=lambda path: kind if path == "kind" else None)


def _local(local: m.Local, context: Context, *, many: bool = False) -> NounPhrase | Listing | None:
    bound = context.names.get(local.name)
    if isinstance(bound, Bound):
        return phrase_of(bound.expression, bound.context, many=many)
    if isinstance(bound, NounPhrase):
        return bound
    found = that(local.type, context)
    place = ordinal(local, context)
    return _with("noun.numbered", found, context, {"n": str(place)}) if found is not None and place > 1 else found


def ordinal(local: m.Local, context: Context) -> int:
    """Which of the names for something of its type it is, in the order they were given."""
    kind = context.names.get(local.name)
    if not isinstance(kind, Type):
        return 1
    alike = [name for name, each in context.names.items() if isinstance(each, Type) and each == kind]
    return alike.index(local.name) + 1


def _kind_key(kind: Type) -> str:
    """The key of the noun for anything of a type."""
    return "seat.seat" if kind.name == "seat" else f"kind.{kind.of}" if kind.of else kind.name


def that(kind: Type, context: Context) -> NounPhrase | None:
    """Something that was named before: that one, or those."""
    if kind.name in {"amount", "quantity", "condition"}:
        return None
    key = _kind_key(kind)
    if kind.name == "label" and kind.of in context.meanings.words.families:
        key = f"trait.{kind.of}"
    return _with("noun.those" if kind.many else "noun.that", noun_of(key, context), context)


def _value(value: m.ValueRef, context: Context, *, many: bool = False) -> NounPhrase | Listing | None:
    """A value that stands for something: its noun, or what it is defined as."""
    from dunerules.text.arguments import Arguments

    _, body = context.meanings.value(value.value)
    known = context.meanings.words.values.get(value.value)
    noun = context.locale.noun(f"value.{value.value}")
    key = f"noun.value.{value.value}"
    if noun is not None or body is None:
        arguments = Arguments(dict(value.arguments), known.parameters if known is not None else (), context)
        head = noun if noun is not None else noun_of(_kind_key(value.type), context)
        facts = arguments.facts
        if body is None or not facts.open("") or context.locale.template(key, facts.shape, facts.open) is not None:
            return _with(key, head, context, arguments.values, facts=facts)
    names = {name: Bound(expression, context) for name, expression in value.arguments}
    return phrase_of(body, replace(context, names=names), many=many)


# ---- groups with filters


def _named(group: m.Named, context: Context, *, many: bool = False) -> NounPhrase:
    kind = group.kind or _held(group.zone, context)
    family = kind in context.meanings.words.families
    noun = noun_of(f"{'trait' if family else 'kind'}.{kind}" if kind else "thing", context)
    return _filtered(noun, group.where, group.zone, context, many=many, kind=kind)


def _held(zone: m.Expression | None, context: Context) -> str:
    """What lies in a zone or group, if it is of one kind."""
    if not isinstance(zone, m.ZoneRef):
        return zone.type.of if zone is not None and zone.type.name in {"thing", "place"} else ""
    kinds = {kind for name in zone.zones for kind in context.meanings.words.zone_kinds(name)}
    return kinds.pop() if len(kinds) == 1 else ""


def _filtered(
    noun: NounPhrase,
    where: m.Expression | None,
    zone: m.Expression | None,
    context: Context,
    *,
    many: bool,
    kind: str = "",
) -> NounPhrase:
    from dunerules.text.filters import filter_words

    if where is not None:
        noun, words = filter_words(where, noun, kind, context, many=many)
        if words:
            noun = _with("noun.filtered", noun, context, {"filter": words})
    place = phrase_of(zone, context)
    if place is None or zone is None:
        return noun
    facts = Facts(context)
    facts.add("place", zone)
    return _with("noun.placed", noun, context, {"place": place}, facts=facts)


def pronoun(noun: NounPhrase, word: str, context: Context, *, many: bool) -> NounPhrase:
    """A pronoun that agrees with a noun, as `which` does, and takes its prepositions."""
    lexicon = context.locale.lexicon
    number = lexicon.numbers[-1] if many else lexicon.numbers[0]
    gender = noun.head.gender
    forms = {case: lexicon.agreeing(word, gender, case, None, number) for case in lexicon.cases}
    return NounPhrase(
        context.locale, Noun(word, gender, dict.fromkeys(lexicon.numbers, forms), {}, noun.head.relations)
    )
