"""Conditions in words."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, SEAT
from dunerules.dsl.walk import walk
from dunerules.language.grammar import Amount, Value, fill, said
from dunerules.language.lexicon import absent
from dunerules.text.amounts import amount, known_number, number_words, of_each
from dunerules.text.arguments import Arguments, named_value, with_the_rest
from dunerules.text.bare import noun_of
from dunerules.text.context import Bound, Context, Known, Person
from dunerules.text.facts import Facts, is_acting, is_reader, single_of
from dunerules.text.fields import has_field, has_slot, is_one_of
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.nouns import phrase_of
from dunerules.text.said import bracketed

__all__ = ["also", "condition", "of_owner", "opposite", "relative_words", "sides", "subject"]

_HERE = "\0"
"""Stands in the place of a subject that a relative pronoun has said already."""

_OPPOSITES = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "=": "!=", "!=": "="}
_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "!="}


def condition(expression: m.Expression, context: Context) -> str:
    """A condition as a clause: what the acting seat has, or how things are."""
    match expression:
        case m.All():
            return joined([_part(each, context) for each in expression.parts], "and", context.locale)
        case m.Any():
            return joined([_part(each, context) for each in expression.parts], "either", context.locale)
        case m.Not():
            return _not(expression.part, context)
        case m.Compare():
            return _compare(expression, context)
        case m.ValueRef():
            return _value(expression, context)
        case m.Exists():
            return _exists(expression, context)
        case m.Has() if not expression.group.type.many:
            return _plain(expression.group, "=", expression.member, context)
        case m.Has():
            parts = {"group": phrase_of(expression.group, context), "member": phrase_of(expression.member, context)}
            return _said("if.has", context, {name: part for name, part in parts.items() if part is not None})
        case m.Over():
            each, inner = of_each(expression, context)
            told = bracketed(condition(expression.of, inner.alone), context)
            return _said("if.all_each", context, {"each": each, "condition": told})
        case m.OptionRef():
            name = context.locale.text(f"option.{expression.option}.{expression.value}.name")
            return _said(
                "if.option", context, {"value": name or absent(f"option.{expression.option}.{expression.value}")}
            )
        case m.Local():
            bound = context.names.get(expression.name)
            if isinstance(bound, Bound):
                return condition(bound.expression, bound.told_in(context))
            if bound is None:  # an event leaves it open
                return _said("if.any", context, {})
            letter = bound.letter if isinstance(bound, Known) else ""
            values: dict[str, Value] = {"n": letter}
            return context.locale.phrase("if.that", values, shape={"letter": letter or None}.get)
        case m.FieldRef():
            return has_field(expression, context)
        case m.Always():
            return _said("if.always", context, {})
        case _:
            return absent("condition")


def _part(expression: m.Expression, context: Context) -> str:
    """A part of a list: in brackets if it is a list itself, or would swallow what follows."""
    words = condition(expression, context)
    denied = context.locale.phrase("if.not", {"condition": ""}).strip()
    swallows = words.startswith(denied) or _is_list(expression, context)
    return bracketed(words, context) if swallows else words


def also(expression: m.Expression, context: Context) -> str:
    """A condition behind `and`: in brackets if it says `or`."""
    words = condition(expression, context)
    return bracketed(words, context) if _is_list(expression, context, only_or=True) else words


def _is_list(expression: m.Expression, context: Context, *, only_or: bool = False) -> bool:
    match expression:
        case m.All() | m.Any():
            return not only_or or isinstance(expression, m.Any)
        case m.Not():
            part = expression.part
            return not isinstance(part, m.Compare | m.Always) and _is_list(part, context, only_or=only_or)
        case m.Local():
            bound = context.names.get(expression.name)
            return isinstance(bound, Bound) and _is_list(bound.expression, bound.context, only_or=only_or)
        case m.ValueRef() if f"if.{expression.value}" not in context.locale.phrases:
            _, body = context.meanings.value(expression.value)
            return body is not None and _is_list(body, context, only_or=only_or)
        case _:
            return False


def relative_words(expression: m.Expression, context: Context) -> str | None:
    """A condition on seats as the rest of a clause that begins with `who`; nothing if it is not about them."""
    if isinstance(expression, m.All | m.Any):
        if any(relative_words(each, context) is None for each in expression.parts):
            return None
    elif not condition(expression, context).startswith(_HERE):
        return None
    return condition(expression, context).replace(f"{_HERE} ", "").replace(_HERE, "")


def subject(context: Context) -> str:
    """Who has or does it, where a language says so; a relative pronoun has said it already."""
    if context.relative:
        return _HERE
    if context.letter and context.person == "they":
        return said(lettered(noun_of("seat.they", context), context.letter, context))
    return context.locale.phrase(f"subject.{context.person}", {})


def _said(key: str, context: Context, values: dict[str, Value], facts: Facts | None = None) -> str:
    """A phrase about the acting seat; with facts, the one that tells all of them."""
    told = {"subject": subject(context), **values}
    if facts is None:
        return context.locale.phrase(key, told, context.telling.voice)
    template = context.locale.template(key, facts.shape, facts.open)
    return fill(template, told, context.locale, context.telling.voice) if template is not None else absent(key)


def _tells(key: str, context: Context, facts: Facts) -> bool:
    return context.locale.template(key, facts.shape, facts.open) is not None


def opposite(expression: m.Compare) -> m.Compare:
    """The comparison that holds when this one does not."""
    return replace(expression, operator=_OPPOSITES[expression.operator])


def _not(part: m.Expression, context: Context) -> str:
    if isinstance(part, m.Compare):
        counted = part.left
        one = part.operator == ">=" and part.right == m.Constant(1)
        if one and isinstance(counted, m.Count) and isinstance(counted.of, m.SeatRef):
            found = _seats(part, counted.of, context, "if.no_seat")
            return found if found is not None else _counted(counted, "=", m.Constant(0), context)
        return _compare(opposite(part), context)
    if isinstance(part, m.ValueRef):
        told = _phrase_of_value(part, context, "not_")
        told = told if told is not None else _granted(part, context, "if.not_value")
        if told is not None:
            return told
    if isinstance(part, m.Not):
        return condition(part.part, context)
    if isinstance(part, m.Exists) and single_of(part.of) is not None:
        return _compare(m.Compare("=", m.Count(part.of), m.Constant(0)), context)
    if isinstance(part, m.Always):
        return _said("if.never", context, {})
    words = condition(part, context)
    return _said("if.not", context, {"condition": bracketed(words, context) if _is_list(part, context) else words})


# ---- comparisons


def sides(expression: m.Compare, context: Context | None = None) -> tuple[m.Expression, str, m.Expression]:
    """A comparison with the number, if there is one, on the right; `>` and `<` of numbers as `>=` and `<=`."""
    left, operator, right = expression.left, expression.operator, expression.right
    if context is not None:
        left, right = _worked_out(left, context), _worked_out(right, context)
    if isinstance(left, m.Constant) and not isinstance(right, m.Constant):
        left, operator, right = right, _MIRRORED[operator], left
    if isinstance(right, m.Constant) and operator in {"<", ">"}:
        step = 1 if operator == ">" else -1
        right, operator = m.Constant(right.value + step), f"{operator}="
    return left, operator, right


def _worked_out(side: m.Expression, context: Context) -> m.Expression:
    found = known_number(side, context)
    return m.Constant(found) if found is not None else side


def _compare(expression: m.Compare, context: Context) -> str:
    left, operator, right = sides(expression, context)
    if isinstance(right, m.Nothing):
        return _none(left, operator, context)
    if operator == "<=" and right == m.Constant(0) and _counts(left, context):
        operator = "="
    number = isinstance(right, m.Constant) or (isinstance(right, m.Local) and right.type.name == "amount")
    if number and isinstance(left, m.Count) and isinstance(left.of, m.SeatRef):
        found = _seats(expression, left.of, context, "if.seats")
        return found if found is not None else _counted(left, operator, right, context)
    if number and isinstance(left, m.CounterRef | m.PieceRef):
        return _have(left, operator, right, context)
    one = _one(left, operator, right)
    if one and isinstance(left, m.Count) and isinstance(left.of, m.Named):
        return is_one_of(left.of, one, context)
    if number and isinstance(left, m.Count):
        return _counted(left, operator, right, context)
    if isinstance(left, m.ValueRef | m.FieldRef):
        found = _asked(left, operator, right, context)
        if found is not None:
            return found
    if _same_of_another(left, right):
        return _than(left, operator, right, context)
    if _of_another(left, context) or (
        isinstance(right, m.Over) and _of_another(right, context)
    ):  # what belongs to the acting seat could be taken for that seat's too
        context = replace(context, explicit=True)
    return _plain(left, operator, right, context)


def _none(left: m.Expression, operator: str, context: Context) -> str:
    """Whether there is somebody or something that is pointed at."""
    found = phrase_of(left, context)
    facts = Facts(context)
    facts.word("op", operator)
    facts.add("left", left)
    facts.word("sort", left.type.name, told=False)
    return _said("if.none", context, {"left": found if found is not None else absent("left")}, facts)


def _one(left: m.Expression, operator: str, right: m.Expression) -> str:
    """How a single thing is told of which is asked whether it passes a filter: that it is one, or is not."""
    if not isinstance(left, m.Count) or single_of(left.of) is None or not isinstance(right, m.Constant):
        return ""
    return {(">=", 1): "=", ("=", 1): "=", ("=", 0): "!=", ("<=", 0): "!="}.get((operator, right.value), "")


def _of_another(side: m.Expression, context: Context) -> bool:
    """Whether a number is, in some part, how much somebody else has."""
    if any(isinstance(each, m.Over) and each.each.type.name == SEAT.name for each in walk(side)):
        return True
    owners = [each.owner for each in walk(side) if isinstance(each, m.CounterRef | m.PieceRef)]
    return side.type == AMOUNT and not all(m.is_it(owner) or is_acting(owner, context) for owner in owners)


def _counts(left: m.Expression, context: Context) -> bool:
    """Whether a number is never below nothing."""
    if isinstance(left, m.CounterRef):
        return context.meanings.least(left.counter) >= 0
    return isinstance(left, m.PieceRef | m.Count)


def _same_of_another(left: m.Expression, right: m.Expression) -> bool:
    """Whether a counter or pieces of the acting seat stand beside the same of another."""
    if not isinstance(left, m.CounterRef | m.PieceRef) or not isinstance(right, m.CounterRef | m.PieceRef):
        return False
    if left.type.name != AMOUNT.name:  # a seat, place or thing that a counter points at
        return False
    return left.owner is None and right.owner is not None and replace(right, owner=None) == left


def _operator(facts: Facts, operator: str, right: m.Expression, *also: str) -> Facts:
    """What every comparison must tell: how, and with what."""
    facts.word("op", operator)
    facts.add("n", right, None, *also)
    return facts


def of_owner(owner: m.Expression | None, context: Context) -> tuple[Context, dict[str, Value]]:
    """Where something of a seat is told: of the acting seat nothing is said, any other one is the subject."""
    if is_acting(owner, context) or (context.relative and m.is_it(owner)):
        return context, {}
    if owner is None or (isinstance(owner, m.SeatRef) and owner.which == "you"):  # told as its own: by the subject
        return replace(context, explicit=False), {}
    who = phrase_of(owner, context)
    if is_reader(owner, context):
        return context.acting("you").to("you"), {}
    theirs = replace(context.acting("they"), explicit=False)  # whose it is, is told by the subject
    return theirs.to("they"), {"subject": who if who is not None else absent("owner")}


def _have(left: m.CounterRef | m.PieceRef, operator: str, right: m.Expression, context: Context) -> str:
    """How much of something there is: with a phrase of its own, or as what a seat has."""
    many = not (isinstance(right, m.Constant) and right.value == 1)
    word = left.counter if isinstance(left, m.CounterRef) else left.piece
    inner, values = of_owner(left.owner, context)
    pieces = isinstance(left, m.PieceRef) and left.place is None
    plain = replace(context, explicit=False)  # whose it is, is told by the subject
    what = phrase_of(replace(left, owner=None), inner if pieces else plain, many=many)
    values |= {"n": amount(right, context), "what": what if what is not None else absent(word)}
    facts = _operator(Facts(inner), operator, right)
    facts.word("worded", _worded(values["n"]), told=False)
    facts.word("sort", "counter" if isinstance(left, m.CounterRef) else "other", told=False)
    facts.word("person", inner.person, told=inner.person != "you")
    facts.also("person", "subject")
    if isinstance(left, m.CounterRef):
        for index, part in left.indexes:
            found = phrase_of(part, context)
            facts.add(index, part, context, "what")
            if found is not None:
                values[index] = found
    elif left.place is not None:
        facts.add("place", left.place, context, "what")
    else:
        facts.word("zone", left.pool)
        facts.also("zone", "what")
    own = f"have.{word}"
    key = own if _tells(own, inner, facts) else "have"
    if key == "have" and isinstance(left, m.CounterRef) and "seat" not in context.meanings.words.counters[word].per:
        return _plain(left, operator, right, context)
    facts.word("what", word, told=key == "have")
    return _said(key, inner, values, facts)


def _worded(number: Value) -> str | None:
    """Whether a number is told in words: by its letter, or as one that was told before."""
    told = isinstance(number, Amount) and number.count is None and number.words
    return ("that" if number.mode == "that" else "letter") if told and isinstance(number, Amount) else None


def _asked(left: m.ValueRef | m.FieldRef, operator: str, right: m.Expression, context: Context) -> str | None:
    """How much something is that a language has a phrase for."""
    word = left.value if isinstance(left, m.ValueRef) else left.field
    if f"have.{word}" not in context.locale.phrases:
        return None
    values: dict[str, Value] = {"n": amount(right, context)}
    if isinstance(left, m.ValueRef):
        parameters, _ = context.meanings.value(left.value)
        arguments = Arguments(dict(left.arguments), parameters, context)
        values, facts = {**arguments.values, **values}, arguments.facts
    else:
        facts = Facts(context)
        facts.add("object", left.object, told=not m.is_it(left.object))
        what = phrase_of(left.object, context)
        values |= {"object": what if what is not None else absent(word)}
    _operator(facts, operator, right)
    return _said(f"have.{word}", context, values, facts) if _tells(f"have.{word}", context, facts) else None


def _counted(left: m.Count, operator: str, right: m.Expression, context: Context) -> str:
    group = left.of
    many = not (isinstance(right, m.Constant) and right.value == 1)
    what = phrase_of(group, context, many=many)
    values: dict[str, Value] = {"n": amount(right, context), "what": what if what is not None else absent("group")}
    where = group.where if isinstance(group, m.Named) else None
    zone = group.zone if isinstance(group, m.Named) else group
    facts = _operator(Facts(context), operator, right)
    facts.word("worded", _worded(values["n"]), told=False)
    facts.add("what", replace(group, where=None, zone=None) if isinstance(group, m.Named) else group)
    if where is not None and group is not zone:
        values |= _filter(facts, where, context.asking(None))
    own = _own_zone(zone, context)
    if zone is not None and isinstance(group, m.Named):
        facts.add("zone", zone, None, "what")
        owner = phrase_of(zone.owner, context) if isinstance(zone, m.ZoneRef) else None
        values |= {"zone.owner": owner} if owner is not None else {}
    return _said("have" if own else "if.there_are", context, values, facts)


def _own_zone(zone: m.Expression | None, context: Context) -> bool:
    return (
        isinstance(zone, m.ZoneRef)
        and zone.owner is None
        and all(context.meanings.words.zone_holder(name) == "seat" for name in zone.zones)
    )


def _filter(
    facts: Facts, where: m.Expression, context: Context, also: str = "what", within: Context | None = None
) -> dict[str, Value]:
    """What a filter asks about, as facts, `within` what it asks it of; the number it compares with is the slot
    `least`."""
    if not isinstance(where, m.Compare):
        facts.add("where", where, within, also)
        return {}
    left, operator, right = sides(where, context)
    facts.add("where", m.Compare(operator, left, right), within, also)
    facts.also("where.n", "least")
    return {"least": amount(right, context)}


def _seats(expression: m.Compare, seats: m.SeatRef, context: Context, key: str) -> str | None:
    """How many seats there are that do or have something; nothing if the condition is not about what they do."""
    _, operator, right = sides(expression, context)
    inner = context.asking(context.which).acting(_so_many(right, seats, context), relative=True)
    told = relative_words(seats.where, inner.telling) if seats.where is not None else None
    if told is None:
        return None
    values: dict[str, Value] = {"n": amount(right, context), "condition": told}
    what = phrase_of(replace(seats, where=None), context)
    values["what"] = what if what is not None else absent("seat")
    facts = Facts(context)
    if key != "if.no_seat":
        _operator(facts, operator, right)
    facts.word("what", seats.which)
    if seats.where is not None:
        values |= _filter(facts, seats.where, inner, "condition", inner)
    return _said(key, context, values, facts)


def _so_many(number: m.Expression, seats: m.SeatRef, context: Context) -> Person:
    """How verbs stand of so many seats: as of several, unless the number puts their noun into another case."""
    if not _more(number):
        return "they"
    lexicon, noun = context.locale.lexicon, context.locale.noun(f"seat.{seats.which}")
    if noun is None or not isinstance(number, m.Constant):
        return "counted"
    _, case = lexicon.standing(noun.head.gender, lexicon.plain, number.value, "")
    return "many" if case == lexicon.plain else "counted"


def _than(left: m.Expression, operator: str, right: m.Expression, context: Context) -> str:
    """Whether a seat has more of something than another one."""
    assert isinstance(right, m.CounterRef | m.PieceRef)
    assert right.owner is not None
    values: dict[str, Value] = {}
    facts = Facts(context)
    facts.word("op", operator)
    plain = replace(context, explicit=False)  # whose it is, is told by the subject
    for name, side, where in (("what", left, plain), ("owner", right.owner, context)):
        found = phrase_of(side, where, many=True)
        values[name] = found if found is not None else absent(name)
        facts.add(name, side)
    return _said("have.than", context, values, facts)


def _more(number: m.Expression) -> bool:
    return not (isinstance(number, m.Constant) and number.value == 1)


def _plain(left: m.Expression, operator: str, right: m.Expression, context: Context) -> str:
    """A comparison of two numbers or of two things."""
    numbers = left.type.name == "amount"
    values: dict[str, Value] = {}
    facts = Facts(context)
    facts.word("op", operator)
    for name, side in (("left", left), ("right", right)):
        found: Value | None = number_words(side, context) if numbers else phrase_of(side, context)
        values[name] = found if found is not None else absent(name)
        facts.add(name, side)
    facts.word("number", context.shape(right) if isinstance(right, m.Constant) else None, told=False)
    return _said("if.compare" if numbers else "if.same", context, values, facts)


# ---- values, fields, groups


def _phrase_of_value(value: m.ValueRef, context: Context, how: str = "") -> str | None:
    """A value by the phrase that a language has for it, if one tells all of its arguments."""
    key = f"if.{how}{value.value}"
    if key not in context.locale.phrases:
        return None
    known = context.meanings.words.values.get(value.value)
    arguments = Arguments(dict(value.arguments), known.parameters if known is not None else (), context)
    values: dict[str, Value] = {"subject": subject(context), **arguments.values}
    template = context.locale.template(key, arguments.facts.shape, arguments.facts.open)
    return fill(template, values, context.locale, context.telling.voice) if template is not None else None


def _value(value: m.ValueRef, context: Context) -> str:
    found = _phrase_of_value(value, context)
    if found is not None:
        return found
    _, body = context.meanings.value(value.value)
    if body is None:
        return absent(f"if.{value.value}")
    granted = _granted(value, context, "if.value")
    if granted is not None:
        return granted
    names = {name: Bound(expression, context) for name, expression in value.arguments}
    told = condition(body, replace(context, names=names))
    if value.value not in context.meanings.modified:
        return told
    return with_the_rest(_said("if.modified", context, {"condition": told}), value, body, context)


def _granted(value: m.ValueRef, context: Context, key: str) -> str | None:
    """A condition that only abilities change, by its noun; nothing for one that says more, or has none."""
    _, body = context.meanings.value(value.value)
    noun = context.locale.noun(f"value.{value.value}")
    constant = isinstance(body.part if isinstance(body, m.Not) else body, m.Always)
    return _said(key, context, {"value": named_value(noun, value, context)}) if noun is not None and constant else None


def _exists(expression: m.Exists, context: Context) -> str:
    if isinstance(expression.of, m.FieldRef):
        return has_field(expression.of, context)
    if isinstance(expression.of, m.SlotRef):
        return has_slot(expression.of, context)
    return _compare(m.Compare(">=", m.Count(expression.of), m.Constant(1)), context)
