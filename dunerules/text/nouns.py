"""Things in words: every expression that stands for something becomes a noun phrase or an amount."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.outer import further_in
from dunerules.dsl.types import AMOUNT, SEAT, Type
from dunerules.language.grammar import Listing, NounPhrase, Value
from dunerules.language.lexicon import Noun, absent
from dunerules.text.bare import fixed, kind_key, noun_of, object_phrase, slot_title, within
from dunerules.text.context import HOLDER, Bound, Context, Known
from dunerules.text.facts import Facts, is_acting, is_reader, single_of
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.said import bracketed

__all__ = [
    "all_of", "each_of", "part_of", "phrase_of", "pronoun", "seat_phrase",
]  # fmt: skip


_ITS_OWNER = "{owner}"
"""The phrase of a zone that has no name besides that of the place it belongs to."""


_YOU = m.SeatRef("you", SEAT)


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
            return within("noun.field", noun, context, {"object": inner})
        case m.SlotRef():
            inner = all_of(expression.object, context) or phrase_of(expression.object, context)
            name = slot_title(expression.slot, context)
            return within("noun.slot", noun_of("effect", context), context, {"object": inner, "slot": name})
        case m.ValueRef():
            return _value(expression, context, many=many)
        case m.Count():
            return phrase_of(expression.of, context, many=many)
        case m.If():
            return _one_of_two(expression, context)
        case m.Nothing() if not expression.type.many:
            sort = expression.type.name if expression.type.name in {"seat", "place"} else "thing"
            return noun_of(f"none.{sort}", context)
        case _:
            return None


def _one_of_two(either: m.If, context: Context) -> Listing | None:
    """One or the other, by a condition."""
    from dunerules.text.conditions import condition

    found = [phrase_of(each, context) for each in (either.then, either.otherwise)]
    parts = tuple(each for each in found if each is not None)
    test = condition(either.test, replace(context, relative=False).telling).strip(" ,")

    def joint(words: list[str]) -> str:
        told: dict[str, Value] = {"a": words[0], "b": words[1], "condition": test}
        return bracketed(context.locale.phrase("noun.if", told), context)

    return Listing(parts, joint) if len(parts) == len(found) else None


# ---- counters and pieces


def _counter(counter: m.CounterRef, context: Context) -> NounPhrase:
    noun = _titled(counter.counter, context) or noun_of(f"counter.{counter.counter}", context)
    values: dict[str, Value] = {}
    facts = Facts(context)
    for index, expression in counter.indexes:
        found = phrase_of(expression, context)
        if found is not None:
            values[index] = found
            facts.add(index, expression)
    if values and context.locale.template(f"counter.{counter.counter}", facts.shape, facts.open) is not None:
        return _somebodys(within(f"counter.{counter.counter}", noun, context, values, facts=facts), counter, context)
    phrases = {index: _indexed(index, context) for index in values}
    for index, key in phrases.items():
        noun = noun if key == _FOR else within(key, noun, context, {"index": values[index]})
    noun = _somebodys(noun, counter, context)
    for index, part in counter.indexes:  # whose it is comes before whom it is for
        if phrases.get(index) == _FOR:
            shapes = {"index": _whose(part, context) if part.type == SEAT else None}
            noun = within(_FOR, noun, context, {"index": values[index]}, shapes.get)
    return noun


def _somebodys(noun: NounPhrase, counter: m.CounterRef, context: Context) -> NounPhrase:
    """A counter with the seat it belongs to."""
    known = context.meanings.words.counters.get(counter.counter)
    pointer = known is not None and known.holds != AMOUNT and "seat" in known.per
    if pointer and is_acting(counter.owner, context):
        who = lettered(noun_of("seat.they", context), context.letter, context)
        return within("noun.pointer", noun, context, {"who": who}, {"person": context.person}.get)
    if pointer:
        return _of(noun, counter.counter, counter.owner, context)
    seats = known is None or "seat" in known.per
    return _owned(noun, counter.owner, context) if seats else noun


_FOR = "noun.for"
"""The phrase for the second of two of a kind."""


def _indexed(index: str, context: Context) -> str:
    """The phrase for what a counter is kept for: on a thing, for another one, or simply with it."""
    words = context.meanings.words
    kind = words.index_type(index)
    if words.index_family(index) != index:
        return _FOR
    return "noun.on" if kind is not None and kind.name == "thing" else "noun.indexed"


def _titled(counter: str, context: Context) -> NounPhrase | None:
    """A counter that is changed by its name, if its noun could be taken for what it counts."""
    general = context.locale.noun("counter") if context.changed else None
    template = context.locale.template("noun.changed", {"counter": counter}.get)
    if general is None or template is None:
        return None
    name = context.locale.text(f"counter.{counter}.name") or absent(f"counter.{counter}.name")
    return within("noun.changed", general, context, {"name": name}, {"counter": counter}.get)


def _owned(noun: NounPhrase, owner: m.Expression | None, context: Context) -> NounPhrase:
    """A noun with whose it is, unless it is the acting seat's."""
    if is_acting(owner, context):
        return noun
    found = phrase_of(owner if owner is not None else _YOU, context)
    shapes = {"owner": _whose(owner, context)}
    return within("noun.owned", noun, context, {"owner": found}, shapes.get) if found is not None else noun


def _whose(owner: m.Expression | None, context: Context) -> str | None:
    """The shape of an owner: the reader is `you`, also where it is the owner of the text."""
    bound = context.names.get(owner.name) if isinstance(owner, m.Local) else None
    if isinstance(bound, Bound):
        return "lettered" if bound.letter else _whose(bound.expression, bound.context)
    if owner is None or (isinstance(owner, m.SeatRef) and owner.which == "you"):
        return "lettered" if context.another and context.letter else context.person
    return "you" if is_reader(owner, context) else context.shape(owner)


def _piece(piece: m.PieceRef, context: Context) -> NounPhrase:
    noun = noun_of(f"piece.{piece.piece}", context)
    if piece.place is not None:
        place = phrase_of(piece.place, context)
        noun = _owned(noun, piece.owner, context)
        return within("noun.placed", noun, context, {"place": place}) if place is not None else noun
    if piece.pool:
        return within("noun.placed", noun, context, {"place": _pool(piece.pool, piece.owner, context)})
    return _owned(noun, piece.owner, context)


def _pool(name: str, owner: m.Expression | None, context: Context) -> NounPhrase:
    noun = noun_of(f"pool.{name}", context)
    if is_acting(owner, context):
        return _own_place(noun, name, context)
    return _of(noun, name, owner, context)


def _of(noun: NounPhrase, name: str, owner: m.Expression | None, context: Context) -> NounPhrase:
    """A place or pointer of a seat that does not act."""
    found = all_of(owner, context) or phrase_of(owner if owner is not None else _YOU, context)
    shapes = {"zone": name, "owner": _whose(owner, context)}
    return within("zone.of", noun, context, {"owner": found}, shapes.get)


def _word(word: m.WordRef, context: Context) -> NounPhrase:
    if word.type.name == "pool":
        return _pool(word.name, word.owner, context)
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
    shapes = {"zone": name, "person": context.person, "beside": "another" if context.own else None}
    return within("zone.own", noun, context, shape=shapes.get)


def _zones(zones: m.ZoneRef, context: Context) -> NounPhrase | Listing:
    found = tuple(_zone(name, zones.owner, context) for name in zones.zones)
    if len(found) == 1:
        return found[0]
    return Listing(found, _joining("either", context), _joining("pile", context), _joining("and", context))


def _joining(how: str, context: Context) -> Callable[[list[str]], str]:
    """How zones are told: this or that one; one lying on the other; all of them."""
    return lambda parts: joined(parts, how, context.locale)


def _zone(name: str, owner: m.Expression | None, context: Context) -> NounPhrase:
    noun = noun_of(f"zone.{name}", context)
    holder = context.meanings.words.zone_holder(name)
    if holder == "game":
        return within("zone.common", noun, context, shape=lambda path: name if path == "zone" else None)
    if is_acting(owner, context):
        return _own_place(noun, name, context) if holder == "seat" else noun
    seat = holder == "seat"
    if owner is None and not seat:
        return noun
    found = all_of(owner, context) or phrase_of(owner if owner is not None else _YOU, context)
    shapes = {"zone": name, "owner": _whose(owner, context) if seat else context.shape(owner)}
    key = "zone.of" if seat else "zone.at"
    template = context.locale.template(key, shapes.get)
    if template is not None and template.text == _ITS_OWNER and isinstance(found, NounPhrase):
        return found  # what lies there is simply there
    return within(key, noun, context, {"owner": found}, shapes.get)


# ---- objects, seats and names


def seat_phrase(seat: m.SeatRef, context: Context, *, many: bool = False) -> NounPhrase:
    """A seat, or seats that pass a filter."""
    which = {"anyone": "seat"}.get(seat.which, seat.which)
    if which == "owner":
        which = "you" if context.owner == "you" else "owner"
    if which == "you" and seat.which == "you" and context.person != "you":
        which = "they"
    noun = noun_of(f"seat.{which}", context)
    if which == "they" and context.another:
        noun = lettered(noun, context.letter, context)
    if which == "opponent":
        noun = _opponent(noun, context, filtered=seat.where is not None)
    return _filtered(noun, seat.where, None, context, many=many)


def _opponent(noun: NounPhrase, context: Context, *, filtered: bool) -> NounPhrase:
    """Opponents of the reader, or of the seat that acts or has the ability: then with whose they are."""
    holder = context.names.get(HOLDER)
    where = holder.context if isinstance(holder, Bound) else context
    if where.person == "you":
        return noun
    who = lettered(noun_of("seat.they", context), where.letter, context)
    return within("noun.opponent", noun, context, {"who": who}, {"where": "filter" if filtered else None}.get)


def _special(special: m.Special, context: Context) -> NounPhrase:
    candidate = (context.which, *context.outer)[special.outer] if special.which == "it" else None
    if candidate is not None:
        return candidate
    kind = special.type.of or (context.this[0] if context.this is not None else "")
    noun = noun_of(f"kind.{kind}" if kind else special.type.name, context)
    others = any(isinstance(each, Known) and each.type.of == kind for each in context.names.values())
    shapes = {"kind": kind, "others": "named" if others else None}  # one that was named could be taken for it
    return within(f"noun.{special.which}", noun, context, shape=shapes.get)


def _local(local: m.Local, context: Context, *, many: bool = False) -> NounPhrase | Listing | None:
    bound = context.names.get(local.name)
    if isinstance(bound, Bound):
        meant = phrase_of(bound.expression, bound.told_in(context), many=many)
        return lettered(meant, bound.letter, context) if isinstance(meant, NounPhrase) else meant
    if isinstance(bound, NounPhrase):
        return bound
    found = that(local.type, context)
    return lettered(found, bound.letter, context) if found is not None and bound is not None else found


def part_of(group: NounPhrase, context: Context) -> NounPhrase:
    """Some of a group that was named."""
    return within("noun.part", group, context)


def each_of(group: m.Expression, context: Context, *, counted: bool = False) -> NounPhrase | Listing | None:
    """Every single one of a group, also of one that was named before; where they are `counted`, there may be one."""
    group = group.of if isinstance(group, m.Count) else group
    single = _is_single(group, context)
    found = phrase_of(group, context, many=single and counted)
    if not isinstance(found, NounPhrase):
        return found
    if not _is_named(group, context):
        return found if single and not counted else within("noun.each", found, context)
    return within("noun.each_of", found, context) if group.type.many else found


def _is_single(group: m.Expression, context: Context) -> bool:
    """Whether a group is one place or label, called by its name."""
    where = group.where if isinstance(group, m.Named) else None
    declared = context.meanings.words.kinds.get(group.kind) if isinstance(group, m.Named) else None
    named = isinstance(where, m.Compare) and where.operator == "=" and isinstance(where.right, m.ObjectRef)
    return named and (declared is None or declared.role != "thing")


def all_of(group: m.Expression | None, context: Context) -> NounPhrase | None:
    """All of a group that is described, and not named; nothing for what is one thing, and for what has a noun."""
    if not isinstance(group, m.Named | m.SeatRef | m.ValueRef) or not group.type.many:
        return None
    if isinstance(group, m.ValueRef) and context.locale.noun(f"value.{group.value}") is not None:
        return None
    if context.picking and isinstance(group, m.SeatRef) and (one := phrase_of(group, context)) is not None:
        return within("noun.any", one, context) if isinstance(one, NounPhrase) else None
    found = phrase_of(group, context, many=True)
    return within("noun.all", found.together, context) if isinstance(found, NounPhrase) else None


def _is_named(group: m.Expression, context: Context) -> bool:
    return isinstance(group, m.Local) and isinstance(context.names.get(group.name), Known)


def that(kind: Type, context: Context) -> NounPhrase | None:
    """Something that was named before: that one, or those."""
    if kind.name in {"amount", "quantity", "condition"}:
        return None
    noun = noun_of(kind_key(kind, context), context)
    this = "this" if context.this is not None and kind.of == context.this[0] else None  # it could be taken for this one
    return within("noun.those" if kind.many else "noun.that", noun, context, shape={"like": this}.get)


def _value(value: m.ValueRef, context: Context, *, many: bool = False) -> NounPhrase | Listing | None:
    """A value that stands for something: its noun, or what it is defined as."""
    from dunerules.text.arguments import Arguments

    _, body = context.meanings.value(value.value)
    known = context.meanings.words.values.get(value.value)
    noun = context.locale.noun(f"value.{value.value}")
    key = f"noun.value.{value.value}"
    if noun is not None or body is None:
        arguments = Arguments(dict(value.arguments), known.parameters if known is not None else (), context)
        head = noun if noun is not None else noun_of(kind_key(value.type, context), context)
        facts = arguments.facts
        if body is None or not facts.open("") or context.locale.template(key, facts.shape, facts.open) is not None:
            return within(key, head, context, arguments.values, facts=facts)
    names = {name: Bound(expression, context) for name, expression in value.arguments}
    return phrase_of(body, replace(context, names=names), many=many)


# ---- groups with filters


def _named(group: m.Named, context: Context, *, many: bool = False) -> NounPhrase:
    known = group.type.name == SEAT.name or _is_line(group.zone, context)
    those = phrase_of(group.zone, context, many=many) if known else None
    if isinstance(those, NounPhrase):  # some of those that a value or a name stands for
        return _filtered(those, group.where, None, context, many=many, kind=group.type.of)
    single = single_of(group)
    if single is not None:  # nothing lies in it
        same = m.Compare("=", m.Special("it", single.type), further_in(single))
        where = m.All((group.where, same)) if group.where is not None else same
        group = replace(group, kind=group.kind or single.type.of, where=where, zone=None)
    kind = group.kind or _held(group.zone, context)
    family = kind in context.meanings.words.families
    noun = noun_of(f"{'trait' if family else 'kind'}.{kind}" if kind else "thing", context)
    return _filtered(noun, group.where, group.zone, context, many=many, kind=kind)


def _is_line(zone: m.Expression | None, context: Context) -> bool:
    """Whether this is a group of places that nothing but its own phrase can tell."""
    return isinstance(zone, m.ValueRef) and zone.type.many and context.meanings.value(zone.value)[1] is None


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
            noun = within("noun.filtered", noun, context, {"filter": words})
    place = phrase_of(zone, context)
    if place is None or zone is None:
        return noun
    facts = Facts(context)
    facts.add("place", _with_owner(zone, context))
    return within("noun.placed", noun, context, {"place": place}, facts=facts)


def _with_owner(zone: m.Expression, context: Context) -> m.Expression:
    """A zone of the acting seat where that must be told."""
    if not context.explicit or not isinstance(zone, m.ZoneRef) or zone.owner is not None:
        return zone
    seats = any(context.meanings.words.zone_holder(name) == SEAT.name for name in zone.zones)
    return replace(zone, owner=_YOU) if seats else zone


def pronoun(noun: NounPhrase, word: str, context: Context, *, many: bool) -> NounPhrase:
    """A pronoun that agrees with a noun, as `which` does, and takes its prepositions."""
    lexicon = context.locale.lexicon
    number = lexicon.numbers[-1] if many else lexicon.numbers[0]
    gender = noun.head.gender
    forms = {case: lexicon.agreeing(word, gender, case, None, number) for case in lexicon.cases}
    return NounPhrase(
        context.locale, Noun(word, gender, dict.fromkeys(lexicon.numbers, forms), {}, noun.head.relations)
    )
