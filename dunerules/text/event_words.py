"""Events in words: what an ability waits for, and what of it is spoken of later."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, PIECE, POOL, QUANTITY, SEAT, Type
from dunerules.dsl.vocabulary import Parameter
from dunerules.dsl.walk import changed
from dunerules.language.grammar import Amount, NounPhrase, Value, fill, said
from dunerules.language.lexicon import absent
from dunerules.language.places import spoken
from dunerules.language.template import Slot, Template, slots_of
from dunerules.language.typography import second
from dunerules.text.announced import Announced
from dunerules.text.arguments import Arguments
from dunerules.text.bare import kind_key, noun_of, within
from dunerules.text.conditions import subject
from dunerules.text.context import HOLDER, Bound, Context, Name, Person
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.nouns import phrase_of

__all__ = ["anything", "called_with", "event", "is_about_owner", "is_own", "meant", "procedure_words"]

_NOTHING = Announced()


def event(pattern: m.EventPattern, context: Context, tells: Announced = _NOTHING, *, first: bool = True) -> str:
    """An event: who does what, and what is told of it later. A conjunction stands before it, if it is the `first`."""
    words, told = _event(pattern, context, tells, first=first)
    missing = [
        _lettered_any(name, kind, tells, context)
        for name, kind in tells.used.items()
        if name not in told and (tells.letter(name) or not _mentioned(kind, words, context))
    ]
    if missing:
        words = context.locale.phrase("event.about", {"event": words, "about": joined(missing, "and", context.locale)})
    letters = [
        context.locale.phrase("step.lettered_number", {"n": letter}, shape={"how": how or None}.get)
        for how, letter in (() if pattern.moment else tells.numbers(pattern.verb))
    ]
    return " ".join([words, *letters])


def _mentioned(kind: Type, words: str, context: Context) -> bool:
    """Whether the words of an event have the noun of a type in some form."""
    forms = noun_of(kind_key(kind, context), context).head.forms
    return any(form in words for cases in forms.values() for form in cases.values())


def _lettered_any(name: str, kind: Type, tells: Announced, context: Context) -> str:
    """Something that the phrase of an event does not tell."""
    noun = noun_of(kind_key(kind, context), context)
    return said(lettered(within("noun.any", noun, context), tells.letter(name), context))


def _event(pattern: m.EventPattern, context: Context, tells: Announced, *, first: bool) -> tuple[str, Collection[str]]:
    """An event, and the names of what its words tell."""
    who = pattern.subject.which if isinstance(pattern.subject, m.SeatRef) else ""
    holder = {HOLDER: Bound(m.SeatRef("you", SEAT), context, context.letter)}
    person: Person = context.person if who == "you" else "they"
    doing = replace(context.naming(holder), person=person).to(person, first=first)
    if who != "you" and context.person != "you":  # neither the reader nor the seat that has the ability
        doing = replace(doing, letter="", actor=doing.actor + 1)
    values: dict[str, Value] = {"subject": _doer(pattern, doing, who)}
    about = meant(pattern, context)
    owned = is_about_owner(pattern, context) and not _is_by_owner(pattern, context)
    if owned:  # whoever sets it
        doing = replace(doing, explicit=True).naming({_WHOSE: _whose(pattern, who, context, doing)})
        about |= {
            name: replace(each, owner=m.Local(_WHOSE, SEAT)) for name, each in _counters(about) if each.owner is None
        }
    doing, about, kept = _kept_for(about, doing, tells)
    who = person if who == "you" else who
    shapes: dict[str, str | None] = {"who": who, "procedure": pattern.verb}
    if pattern.moment:
        shapes["own"] = "own" if is_own(pattern, context) else None
        key = "game" if pattern.verb == "game" else f"procedure.{pattern.verb}"
        values |= procedure_words(key, context)
        said_so = context.locale.phrase(f"event.{pattern.moment}", values, doing.voice, shapes.get)
        return called_with(said_so, pattern, doing, tells), tells.used
    words = context.meanings.words
    parameters = words.verbs[pattern.verb].parameters if pattern.verb in words.verbs else ()
    arguments = Arguments(about, parameters, doing)
    reader = phrase_of(m.Local(HOLDER, SEAT), doing) if context.person != "you" else context.locale.noun("seat.you")
    for name, each in pattern.arguments:
        if isinstance(each, m.SeatRef) and each.which == "you" and reader is not None:
            arguments.values[name] = reader
            arguments.facts.word(name, context.person, told=False)  # a phrase about the reader is about no other seat
    arguments.values |= {name: _with_letter(each, tells.letter(name), doing) for name, each in arguments.values.items()}
    facts = arguments.facts
    facts.word("who", who or None, told=False)
    facts.word("owned", "owned" if owned else None, told=False)
    facts.word("single", "single" if _single(pattern) else None, told=False)
    template = context.locale.template(f"event.{pattern.verb}", facts.shape, facts.open)
    if template is not None:
        spoken_of = {
            name: lettered(within("noun.any", noun_of(kind_key(kind, doing), doing), doing), tells.letter(name), doing)
            for name, kind in tells.used.items()
        }
        given = {"your": _your(doing), **values, **spoken_of, **arguments.values}
        told = fill(template, given, context.locale, doing.voice)
        others = owned and who in {"you", "they", "opponent"}
        if others and any(each.owner is not None for _, each in _counters(dict(pattern.arguments))):
            whose = phrase_of(m.Local(_WHOSE, SEAT), doing)
            about_whom = said(whose) if whose is not None else absent(_WHOSE)
            told = context.locale.phrase("event.about", {"event": told, "about": about_whom})
        return _opened(told, values, doing), _slots(template) | kept
    like = context.locale.template(f"verb.{pattern.verb}", facts.shape, facts.open)
    if like is None:
        return _named(pattern.verb, parameters, arguments, values, doing, tells)
    call = _like_call(like, parameters, arguments, doing, tells)
    told = context.locale.phrase("event.call", {**values, "call": call}, doing.voice)
    return _opened(told, values, doing), _slots(like) | kept


def _opened(words: str, values: Mapping[str, Value], doing: Context) -> str:
    """An event behind its conjunction, if there is one: short words that stand second go before who does it."""
    who = said(values["subject"])
    if not doing.voice.first or not who or not words.startswith(f"{who} "):
        return words
    return second(who, words.removeprefix(f"{who} "), doing.locale.lexicon.typography)


def _kept_for(
    about: dict[str, m.Expression], doing: Context, tells: Announced
) -> tuple[Context, dict[str, m.Expression], set[str]]:
    """What is spoken of later that a counter is kept for, told with the counter: any that fits, with its letter."""
    told: dict[str, Name] = {}
    found = dict(about)
    for name, counter in _counters(about):
        written, kinds = (
            dict(counter.indexes),
            doing.meanings.words.told_of(doing.meanings.words.counters[counter.counter]),
        )
        for index in kinds.keys() & tells.used.keys():
            one = written.get(index)
            noun = phrase_of(one, doing) if one is not None else noun_of(kind_key(kinds[index], doing), doing)
            if isinstance(noun, NounPhrase):
                some = one is None or one.type.many
                noun = within("noun.any", noun, doing) if some else noun
                told[f"{_KEPT} {index}"] = lettered(noun, tells.letter(index), doing)
                written[index] = m.Local(f"{_KEPT} {index}", kinds[index])
        ordered = tuple((index, written[index]) for index in kinds if index in written)
        found[name] = replace(counter, indexes=ordered)
    return doing.naming(told), found, {name.removeprefix(f"{_KEPT} ") for name in told}


_KEPT = "kept for"
"""What the names of what a counter is kept for begin with, in the words of an event."""


_ANSWERS = {AMOUNT: ("number.lettered", "number.any"), CONDITION: ("number.answer", "number.any_answer")}
"""The phrases of what has no noun of its own: with a letter, and for any."""


def called_with(words: str, pattern: m.EventPattern, context: Context, tells: Announced = _NOTHING) -> str:
    """The start or end of a procedure, with what it is called with as far as that is asked for or spoken of later, and
    all else that this could be taken for."""
    procedure = context.meanings.words.procedures.get(pattern.verb)
    given = meant(pattern, context)
    if HOLDER not in context.names:
        context = context.naming({HOLDER: Bound(m.SeatRef("you", SEAT), context, context.letter)})
    parameters = () if procedure is None else procedure.parameters
    spoken_of = {each.types[0] for each in parameters if each.name in given or each.name in tells.names}
    told = []
    for each in parameters:
        value = phrase_of(given[each.name], context) if each.name in given else None
        letter = tells.letter(each.name)
        if isinstance(value, NounPhrase):
            value = within("noun.any", value, context) if given[each.name].type.many else value
            told.append(said(lettered(value, letter, context)))
        elif value is not None:
            told.append(said(value))
        elif each.types[0] in _ANSWERS and each.types[0] in spoken_of:
            lettered_key, any_key = _ANSWERS[each.types[0]]
            told.append(context.locale.phrase(lettered_key if letter else any_key, {"n": letter}))
        elif each.types[0] in spoken_of:
            told.append(_lettered_any(each.name, each.types[0], tells, context))
    if not told:
        return words
    return context.locale.phrase("event.about", {"event": words, "about": joined(told, "and", context.locale)})


def is_own(pattern: m.EventPattern, context: Context) -> bool:
    """Whether the procedure that starts or ends is about the seat that does it, as its turn is."""
    procedure = context.meanings.words.procedures.get(pattern.verb)
    return procedure is not None and procedure.wants_seat


def _slots(template: Template) -> set[str]:
    return {each.name for each in slots_of(template) if isinstance(each, Slot)}


def _with_letter(value: Value, letter: str, context: Context) -> Value:
    """Something that is called by a letter later."""
    return lettered(value, letter, context) if isinstance(value, NounPhrase) else value


_WHOEVER = m.SeatRef("whoever", SEAT)
"""Whose a zone or pool is that an event names without an owner: that fits everybody's."""


_WHOSE = "whose counter it is"
"""The name of the seat whose counter is set."""


def is_about_owner(pattern: m.EventPattern, context: Context) -> bool:
    """Whether who an event is about is not who acts, but whose counter or pieces it changes."""
    verb = context.meanings.words.verbs.get(pattern.verb)
    if pattern.moment or verb is None or verb.kernel is None or not verb.takes(COUNTER):
        return False
    counters = [each for _, each in _counters(dict(pattern.arguments))]
    if counters:
        return any(_has_seat(each, context) for each in counters)
    return verb.kernel.by_owner and verb.takes(PIECE)


def _is_by_owner(pattern: m.EventPattern, context: Context) -> bool:
    """Whether whose counter or pieces it is about is who does it."""
    verb = None if pattern.moment else context.meanings.words.verbs.get(pattern.verb)
    return verb is not None and verb.kernel is not None and verb.kernel.by_owner


def _counters(about: Mapping[str, m.Expression]) -> list[tuple[str, m.CounterRef]]:
    return [(name, each) for name, each in about.items() if isinstance(each, m.CounterRef)]


def _whose(pattern: m.EventPattern, who: str, context: Context, doing: Context) -> Name:
    """The seat whose counter an event is about: that of the ability, or any that fits."""
    if who == "you":
        return Bound(m.SeatRef("you", SEAT), doing, context.letter)
    seat = phrase_of(pattern.subject if pattern.subject is not None else m.SeatRef("seat", SEAT), doing)
    return within("noun.any", seat, doing) if isinstance(seat, NounPhrase) else noun_of("seat.whoever", doing)


def meant(pattern: m.EventPattern, context: Context) -> dict[str, m.Expression]:
    """What an event is about, with whose that is."""
    found = {name: _anywhere(each, context) for name, each in pattern.arguments}
    if _is_by_owner(pattern, context):  # who loses pieces has them there
        found |= {name: each for name, each in pattern.arguments if isinstance(each, m.WordRef) and each.owner is None}
    return found


def _anywhere(argument: m.Expression, context: Context) -> m.Expression:
    """An argument of an event as it is meant: what is not written fits anything, and `you` has the ability."""
    match argument:
        case m.Named():
            where = _of_holder(argument.where, context) if argument.where is not None else None
            zone = _anywhere(argument.zone, context) if argument.zone is not None else None
            return replace(argument, where=where, zone=zone)
        case m.ZoneRef() | m.WordRef() if argument.owner is None and _has_seat(argument, context):
            return replace(argument, owner=_WHOEVER)
        case m.CounterRef():
            written = tuple((name, each) for name, each in argument.indexes if not m.is_implied(each))
            held: m.CounterRef = changed(replace(argument, indexes=written), lambda part: _of_holder(part, context))
            return held
        case _:
            found: m.Expression = changed(argument, lambda part: _of_holder(part, context))
            return found


def _of_holder(part: Any, context: Context) -> Any:
    """What an event is about, with the seat that has the ability where `you` is said or meant."""
    holder = m.SeatRef("owner", SEAT) if context.person == "you" else m.Local(HOLDER, SEAT)
    if isinstance(part, m.SeatRef):
        return holder if part.which == "you" else part
    part = changed(part, lambda each: _of_holder(each, context))
    counted = isinstance(part, m.CounterRef | m.PieceRef | m.ZoneRef) and part.owner is None
    return replace(part, owner=holder) if counted and _has_seat(part, context) else part


def _has_seat(part: m.CounterRef | m.PieceRef | m.ZoneRef | m.WordRef, context: Context) -> bool:
    """Whether every seat has such a counter, zone or pool of its own."""
    words = context.meanings.words
    match part:
        case m.CounterRef():
            return "seat" in words.counters[part.counter].per
        case m.ZoneRef():
            return all(words.zone_holder(name) == "seat" for name in part.zones)
        case m.WordRef():
            return part.type == POOL
        case _:
            return True


def _like_call(
    template: Template,
    parameters: tuple[Parameter, ...],
    arguments: Arguments,
    context: Context,
    tells: Announced,
) -> str:
    """An event without a phrase of its own is told like a call, of some amount."""
    mode = "one" if any(_is_one(each) for each in arguments.given.values()) else "some"
    some: dict[str, Value] = {"your": _your(context)}
    for each in parameters:
        left = anything(each, context)
        if {AMOUNT, QUANTITY} & set(each.types):
            some[each.name] = Amount(None, "", mode)
        elif isinstance(left, NounPhrase) and not each.default:
            some[each.name] = lettered(left, tells.letter(each.name), context)
    return fill(template, {**some, **arguments.values}, context.locale, context.voice)


def _your(context: Context) -> str:
    """How a language says whose something is, if it does."""
    if "word.your" not in context.locale.phrases:
        return ""
    return context.locale.phrase("word.your", {}, shape={"person": context.person}.get)


def _named(
    verb: str,
    parameters: tuple[Parameter, ...],
    arguments: Arguments,
    values: dict[str, Value],
    context: Context,
    tells: Announced,
) -> tuple[str, Collection[str]]:
    """A verb of a pack that has no phrase at all is told by its name: what it does may be done without it, and that is
    no such event."""
    words = context.locale.phrase("event.named", {**values, "call": spoken(verb)}, context.voice)
    about = [said(each) for name, each in arguments.values.items() if name in arguments.given]
    if not tells.numbers(verb):  # of which one may be spoken as that many
        numbers = [each for each in parameters if {AMOUNT, QUANTITY} & set(each.types)]
        about += [context.locale.phrase("number.any", {}) for each in numbers if each.name not in arguments.given]
    left = {name: kind for name, kind in tells.used.items() if name not in arguments.given}
    about += [_lettered_any(name, kind, tells, context) for name, kind in left.items()]
    if about:
        words = context.locale.phrase("event.about", {"event": words, "about": joined(about, "and", context.locale)})
    return words, {*arguments.given, *left}


_LEFT_OPEN = "left open"
"""The name of a condition that nothing is known of."""


def anything(parameter: Parameter, context: Context) -> Name:
    """What an event leaves open: some amount, or anything of a type."""
    kind = parameter.types[0]
    if kind in {AMOUNT, QUANTITY}:
        return Bound(m.Quantity("some", None), context)
    if kind == CONDITION:
        return Bound(m.Local(_LEFT_OPEN, CONDITION), context)
    noun = noun_of(kind_key(kind, context), context)
    template = context.locale.template("noun.any")
    return NounPhrase(context.locale, noun, template) if template is not None else noun


def _single(pattern: m.EventPattern) -> bool:
    """Whether an event is about one thing and not about any of a kind."""
    return any(_is_one(value) for _, value in pattern.arguments)


def _is_one(value: m.Expression) -> bool:
    one = isinstance(value, m.Special | m.Local | m.ObjectRef)
    return one and value.type.name == "thing" and not value.type.many


def procedure_words(key: str, context: Context) -> dict[str, Value]:
    """A procedure, as such and as the reader's own, this one and the next."""
    noun = noun_of(key, context)
    found: dict[str, Value] = {"procedure": noun}
    for name in ("own", "next"):
        template = context.locale.template(f"noun.{name}")
        found[name] = NounPhrase(context.locale, noun, template) if template is not None else noun
    return found


def _doer(pattern: m.EventPattern, context: Context, who: str) -> str:
    if who == "you" or pattern.subject is None or not isinstance(pattern.subject, m.SeatRef):
        return subject(context) if who == "you" else context.locale.phrase("subject.anyone", {})
    found = phrase_of(pattern.subject, context)
    if pattern.subject.where is not None:
        return context.locale.phrase("subject.some", {"who": found if found is not None else absent(who)})
    holder = context.names[HOLDER]
    whose = phrase_of(m.Local(HOLDER, SEAT), context)
    shapes = {"letter": holder.letter or None if isinstance(holder, Bound) else None}
    return context.locale.phrase(
        f"subject.{who}", {"who": whose if whose is not None else absent(who)}, shape=shapes.get
    )
