"""Events, modifiers and abilities in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

from dunerules.dsl import meaning as m
from dunerules.dsl.types import CONDITION, SEAT, Type
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.language.grammar import NounPhrase, Value, fill
from dunerules.language.lexicon import absent
from dunerules.text.amounts import amount, known_number, number_words
from dunerules.text.announced import ACTOR, Announced, announced, is_another
from dunerules.text.arguments import Arguments, named_value
from dunerules.text.bare import kind_key, noun_of, value_name, value_title, within
from dunerules.text.binding import written_out
from dunerules.text.conditions import also, condition, subject
from dunerules.text.context import Bound, Context, Known, Name
from dunerules.text.event_words import anything, called_with, event, is_about_owner, is_own, meant, procedure_words
from dunerules.text.facts import Facts, is_default
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.meanings import AbilityMeaning
from dunerules.text.said import apart, bracketed, follows_subject, inner

__all__ = ["ability", "change", "clause_words", "following", "is_held", "limit_words", "until_words"]

_WAYS = {"+": "plus", "-": "minus", "*": "times", "=": "is", "yes": "yes", "no": "no"}


def ability(found: AbilityMeaning, context: Context) -> str:
    """An ability as one sentence. What belongs to nobody acts for whoever sets it off."""
    return clause_words(found.clause, context, limit_words(found.limit, context), held=is_held(context))


def is_held(context: Context) -> bool:
    """Whether the object a text stands on belongs to a seat, as places and labels do not."""
    kind = context.meanings.words.kinds.get(context.this[0]) if context.this is not None else None
    return kind is not None and kind.role == "thing"


def limit_words(limit: tuple[int, str] | None, context: Context) -> str:
    """How often an ability can be used."""
    if limit is None:
        return ""
    count, procedure = limit
    noun = noun_of("game" if procedure == "game" else f"procedure.{procedure}", context)
    shapes = {"n": str(count), "procedure": procedure}
    values: dict[str, Value] = {"n": count, "procedure": noun}
    return context.locale.phrase("ability.limit", values, shape=shapes.get)


def clause_words(
    clause: m.Clause, context: Context, limit: str = "", *, held: bool = True, lasting: bool = False
) -> str:
    """A clause: what changes while it lasts, or what happens when something else does; `held` by a seat.

    Where one is `lasting`, another event has been told before it.
    """
    values: dict[str, Value] = {"limit": limit} if limit else {}
    where = context
    facts = Facts(context)
    if limit:
        facts.word("limit", "limit")
    if clause.event is not None:
        where, tells = following(clause, clause.event, context, held=held, lasting=lasting)
        values["event"] = event(clause.event, context, tells)
        _pattern(clause.event, facts)
    if clause.condition is not None:
        told = also if clause.event is not None else condition  # behind an event, or alone
        values["condition"] = told(clause.condition, where.telling)
    if clause.sight is not None:
        where = context.to("do") if held else replace(context, person="they").to("they")
        values["body"] = _reaction(_looking(clause.sight), where)
        return _clause("sees", values, facts, context)
    if clause.modifier is not None:
        values["change"] = change(clause.modifier, context, held=held)
        return _clause("while", values, facts, context)
    values["body"] = _reaction(clause.body, where) if clause.body is not None else absent("do")
    if clause.window == "instead" and clause.body is not None:
        facts.word("free", "free" if _declined(clause.body, context) else None, told=False)
        behind = _reaction(clause.body, where.to(where.voice.mood, first=True))
        values["body"] = values["body"] if behind.startswith("(") else behind
    return _clause(clause.window, values, facts, context)


def following(
    clause: m.Clause, pattern: m.EventPattern, context: Context, *, held: bool, lasting: bool = False
) -> tuple[Context, Announced]:
    """Where what follows an event is told, and what the event tells to it."""
    where = context.to("do") if held else _reacting(pattern, context)
    where = where.naming(_actor(pattern, clause, where, held=held, others=lasting))
    tells = announced(clause, where)
    return where.naming(tells.names), tells


def _actor(pattern: m.EventPattern, clause: m.Clause, where: Context, *, held: bool, others: bool) -> dict[str, Name]:
    """How the seat is called that did it: `that player` only where no other one is told of."""
    who = pattern.subject.which if isinstance(pattern.subject, m.SeatRef) else ""
    if not held:  # it acts itself
        return {}
    if who == "you":
        return {ACTOR: Bound(m.SeatRef("you", SEAT), where)}
    if pattern.moment and not who:
        return {ACTOR: Bound(m.SeatRef("acting", SEAT), where)}
    about = meant(pattern, where).values()
    told = [each for part in (clause.condition, clause.body, *about) for each in written_out(part, where)]
    several = others or any(map(is_another, told))
    seat = "concerned" if is_about_owner(pattern, where) else ACTOR
    return {ACTOR: Bound(m.SeatRef(seat, SEAT), where)} if several else {}


def _declined(body: m.Body | None, context: Context) -> bool:
    """Whether a body begins with what may be declined or hangs on an `if`, as what it replaces then could seem to."""
    if body is None or body.cost is not None:
        return body is not None
    match body.steps[0] if body.steps else None:
        case m.May():
            return True
        case m.Branch(arms=arms, otherwise=otherwise):
            return otherwise is None or any(_declined(each, context) for each in (otherwise, *(arm for _, arm in arms)))
        case m.Body() as first:
            return _declined(first, context)
        case m.Let(body=first):
            return _declined(first, context)
        case m.Act(verb=verb, procedure=False) if not verb.kernel:  # its words may begin so too
            return _declined(context.meanings.verb(verb.name)[1], context)
        case _:
            return False


def _looking(sight: m.Sight) -> m.Body:
    """What a seat sees, as something it may do."""
    what, source = sight.of, None
    if isinstance(what, m.Named):
        what, source = replace(what, zone=None), what.zone
    given = {"n": sight.quantity, "what": what, "source": source}
    act = m.Act(KERNEL_VERBS["look"], tuple((name, each) for name, each in given.items() if each is not None))
    return m.Body((m.May(m.Body((act,))),))


def _clause(window: str, values: dict[str, Value], facts: Facts, context: Context) -> str:
    key = f"ability.{window}_if" if "condition" in values else f"ability.{window}"
    template = context.locale.template(key, facts.shape, facts.open)
    return fill(template, values, context.locale) if template is not None else absent(key)


def _pattern(pattern: m.EventPattern, facts: Facts) -> None:
    """What must be told of an event: who, which verb or procedure with what, and whether it is its start or end."""
    who = pattern.subject if isinstance(pattern.subject, m.SeatRef) else None
    facts.word("who", who.which if who is not None else None)
    facts.word("procedure" if pattern.moment else "verb", pattern.verb)
    facts.word("moment", pattern.moment or None)
    parts = ["who", "procedure", "verb", "moment"]
    if who is not None and who.where is not None:
        facts.word("of", "other")
    if pattern.arguments:
        facts.word("with", "other")
    for name in (*parts, "of", "with"):
        facts.also(name, "event")


def _reaction(body: m.Body, context: Context) -> str:
    """What happens; if somebody else does it, that seat is named."""
    from dunerules.text.steps import body_said, body_words

    if context.person == "you":
        return body_words(body, context)
    who = lettered(noun_of("seat.they", context), context.letter, context)
    told = body_said(body, context.to("they", first=bool(context.letter)))
    values: dict[str, Value] = {"who": who, "body": inner(told, context)}
    key = "ability.doer" if follows_subject(told) else "ability.doer_long"
    return context.locale.phrase(key, values, shape={"letter": context.letter or None}.get)


def _reacting(pattern: m.EventPattern, context: Context) -> Context:
    """Where nobody holds the ability, what follows an event is told of the seat that did it."""
    who = pattern.subject
    if isinstance(who, m.SeatRef) and who.which != "you":
        return replace(context, person="they").to("they")
    return context.to("do")


def change(modifier: m.Modifier, context: Context, *, held: bool) -> str:
    """How a value changes, for the seat that has it if it is `held`. A place that is not written fits anywhere."""
    written = tuple((name, each) for name, each in modifier.value.arguments if not m.is_implied(each))
    value = replace(modifier.value, arguments=written)
    parameters, _ = context.meanings.value(value.value)
    arguments = Arguments(dict(value.arguments), parameters, context)
    left = {each.name: anything(each, context) for each in parameters if not each.default}
    open_ones: dict[str, Value] = {name: each for name, each in left.items() if isinstance(each, NounPhrase)}
    who = lettered(noun_of("seat.they", context), context.letter, context)
    values: dict[str, Value] = {"subject": subject(context), "who": who, **open_ones, **arguments.values}
    facts = arguments.facts
    facts.word("op", _WAYS[modifier.operator])
    if context.person != "you":  # a phrase that speaks to the reader says it of the wrong seat
        facts.word("person", context.person)
        facts.also("person", "subject", "who")
    if modifier.amount is not None:
        values["by"] = amount(modifier.amount, context)
        facts.add("by", modifier.amount)
        number = known_number(modifier.amount, context)
        facts.word("worked_out", "asked" if number is None else None, told=False)
    told = context.to("you").voice
    template = context.locale.template(f"change.{value.value}", facts.shape, facts.open)
    if template is not None:
        return fill(template, values, context.locale, told)
    words = context.locale.phrase("change", {**values, "value": _changed(value, context)}, told, facts.shape)
    seats = {each.name: each for each in parameters if SEAT in each.types}
    others = [name for name, each in written if name in seats and not is_default(each, seats[name])]
    whose = others or _tells_whose(value.value, seats, context)
    if not held or whose:
        return words
    shapes = {"person": context.person}
    return context.locale.phrase("change.for_whom", {"value": words, "who": who}, shape=shapes.get)


def _tells_whose(value: str, seats: Collection[str], context: Context) -> bool:
    """Whether a value is told as what it is defined as, and that is about its seat."""
    if value_name(value, context) is not None:
        return False
    if any(f"{key}.{value}" in context.locale.phrases for key in ("number", "if", "noun.value")):
        return bool(seats)
    _, body = context.meanings.value(value)
    return any(isinstance(each, m.Local) and each.name in seats for each in walk(body))


def _changed(value: m.ValueRef, context: Context) -> Value:
    """What a modifier changes, with everything it is about: by its noun, or as what it is defined as."""
    name = value_name(value.value, context)
    if name is None:
        defined = _defined(value, context)
        if defined is not None:
            return defined
        name = value_title(value.value, context) or absent(f"value.{value.value}")
    return named_value(name, value, context)


def _defined(value: m.ValueRef, context: Context) -> str | None:
    """A value by its phrase or as what it is defined as, about anything where it says nothing; not as a constant."""
    parameters, body = context.meanings.value(value.value)
    given = {name for name, _ in value.arguments}
    left = [each for each in parameters if each.name not in given]
    names: dict[str, Name] = {f"any {each.name}": anything(each, context) for each in left}
    condition_like = value.type == CONDITION
    every = [each for each in left if isinstance(names[f"any {each.name}"], NounPhrase)]
    seat = next((each.name for each in parameters if SEAT in each.types), "")
    if f"any {seat}" in names:  # whose it is, is not left open
        names[f"any {seat}"] = Bound(m.SeatRef("you", SEAT), context)
        every = [each for each in every if each.name != seat]
    letters = _letters([each.types[0] for each in every])
    names |= {f"any {each.name}": Known(each.types[0], letter) for each, letter in zip(every, letters, strict=True)}
    phrased = f"{'if' if condition_like else 'number'}.{value.value}" in context.locale.phrases
    asked = {each.name for each in walk(body) if isinstance(each, m.Local)}
    told_of = [each for each in left if phrased or each.name in asked]
    more = tuple((each.name, m.Local(f"any {each.name}", each.types[0])) for each in told_of)
    whole, where = replace(value, arguments=(*value.arguments, *more)), context.naming(names)
    if not phrased:
        constant = isinstance(body.part if isinstance(body, m.Not) else body, m.Always) if condition_like else False
        if body is None or constant or (not condition_like and known_number(body, where) is not None):
            return None
    told = condition(whole, where.alone) if condition_like else number_words(whole, where)
    for each, letter in zip(every, letters, strict=True):
        noun = within("noun.each", noun_of(kind_key(each.types[0], context), context), context)
        noun = lettered(noun, letter, context)
        told = context.locale.phrase("change.for_each", {"value": told, "about": noun})
    return told


def _beside(clauses: tuple[m.Clause, ...], told: list[str], context: Context) -> list[str]:
    """Clauses beside each other: in brackets what has parts, or begins with what could be about the next one too."""
    if len(told) < 2:
        return told
    leads = [_leads(each, behind) for each, behind in pairwise(clauses)]
    return [
        bracketed(words, context) if begins else apart(words, context)
        for words, begins in zip(told, [*leads, False], strict=True)
    ]


def _letters(types: list[Type]) -> list[str]:
    """Letters for what is left open of a value, where two of a type could be taken for one."""
    return [chr(ord("A") + at) if types.count(each) > 1 else "" for at, each in enumerate(types)]


def _leads(clause: m.Clause, behind: m.Clause) -> bool:
    """Whether the beginning of a clause could be taken to be about the next one too; two events are told apart."""
    return clause.condition is not None if clause.event is None else behind.event is None


def until_words(step: m.Until, context: Context) -> str:
    """Abilities that last until an event."""
    pattern = step.event
    who = pattern.subject.which if isinstance(pattern.subject, m.SeatRef) else None
    shapes = {"who": who, "procedure": pattern.verb}
    own = who == "you" and context.person == "you" and is_own(pattern, context)
    named = pattern.moment and (own or pattern.subject is None)
    key = f"until.{pattern.moment}" if named else "until.event"
    values: dict[str, Value] = {}
    if named:
        values |= procedure_words("game" if pattern.verb == "game" else f"procedure.{pattern.verb}", context)
    else:
        values["event"] = event(pattern, context)
    until = context.locale.phrase(key, values, shape=shapes.get)
    until = called_with(until, pattern, context) if named else until
    told = [clause_words(each, context, lasting=True) for each in step.clauses]
    beside = _beside(step.clauses, told, context)
    clauses = joined(beside, "inner", context.locale)
    values = {"until": until, "clauses": clauses if beside[:1] == told[:1] else bracketed(clauses, context)}
    first = step.clauses[0] if step.clauses else None
    window = "" if first is None else f"{first.window}_if" if first.condition is not None else first.window
    return context.locale.phrase("step.until", values, shape={"window": window}.get)
