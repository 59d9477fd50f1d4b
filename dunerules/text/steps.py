"""Effects in words: steps become clauses, clauses sentences. Calls are told by `calls`."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import MOVES, SEAT
from dunerules.dsl.walk import walk
from dunerules.language.grammar import NounPhrase, Value, fill
from dunerules.language.lexicon import INFINITIVES, PURPOSE, absent
from dunerules.language.typography import second
from dunerules.text.about import is_about, needs
from dunerules.text.amounts import amount, counts_one
from dunerules.text.announced import waits_for_seats
from dunerules.text.arguments import Arguments
from dunerules.text.binding import known, picks_one, turns
from dunerules.text.calls import act_words, noted
from dunerules.text.conditions import condition
from dunerules.text.context import Bound, Context, Known, Name, Person
from dunerules.text.facts import Facts, is_reader
from dunerules.text.hands import is_anothers, told_of_another
from dunerules.text.happenings import until_words
from dunerules.text.letters import lettered
from dunerules.text.lists import Clause, joined, joined_clauses
from dunerules.text.noting import as_given, bound
from dunerules.text.nouns import each_of, part_of, phrase_of
from dunerules.text.said import (
    Said,
    Sentence,
    after_another,
    apart,
    bracketed,
    clauses,
    closed,
    firm,
    follows_subject,
    inner,
    repeated,
    row,
    sentences,
    whole,
)

__all__ = ["body_said", "body_words", "cost_words", "going_through", "sentences_of", "wished_words"]


_FREE = {"up to", "any"}
"""Quantities of which nothing may be taken."""

_MODES = {"secretly": "step.secretly", "around": "step.around", "any order": "step.any_order_seats"}
"""How seats do something, if not in turn."""


def sentences_of(body: m.Body, context: Context) -> list[str]:
    """An effect as sentences, without capital letters and stops."""
    return [each.text for each in sentences(body_said(body, context), context)]


def body_words(body: m.Body, context: Context) -> str:
    """An effect as a part of another sentence."""
    return inner(body_said(body, context), context)


def wished_words(body: m.Body, context: Context) -> str:
    """An effect as something that one may want: what is paid and what it buys is told without a *may*."""
    context = context.to("inf")
    return body_words(body, context) if body.cost is None else _arrow(body, context, option=True).text


def cost_words(body: m.Body, context: Context) -> str:
    """What something costs, as a list of things where the language has phrases for that."""
    context = replace(context, price=True)
    parts: list[str] = []
    for step in body.steps:
        template = None
        if isinstance(step, m.Act) and step.per is None and step.body is None:
            arguments = Arguments(dict(step.arguments), step.verb.parameters, context)
            facts = arguments.facts
            template = context.locale.template(f"cost.{step.verb.name}", facts.shape, facts.open)
        if template is None:
            return body_words(body, context)
        parts.append(fill(template, arguments.values, context.locale, context.voice))
    return joined(parts, "and", context.locale)


def _clauses(body: m.Body, context: Context) -> str | None:
    """A body as one clause; nothing if it needs sentences of its own."""
    return clauses(body_said(body, context), context)


def body_said(body: m.Body, context: Context, *, after: list[Said] | None = None) -> list[Said]:
    """What a body says; `after` something that was said already.

    It is remembered: whoever looks for the form that fits asks for several, and so does everybody inside.
    """
    before = after or []
    key = (tuple(map(id, (*(body.cost or (None,)), *body.steps))), context.mark, bool(before), _another(before))
    found = context.told.get(key)
    if found is None:  # the key holds as long as what it is made of
        found = context.told[key] = (body, context, _body_said(body, context, before))
    return list(found[2])


def _body_said(body: m.Body, context: Context, after: list[Said]) -> list[Said]:
    if body.cost is not None:
        return _next([_arrow(body, context)], after, context)
    told: list[Said] = list(after)
    given = len(told)
    for step in body.steps:
        another = _another(told) and context.person == "they"
        found = _step(step, context.to(context.voice.mood, first=another) if told else context)
        told += _next(found, told, context)
    return told[given:]


def _next(found: list[Said], told: list[Said], context: Context) -> list[Said]:
    another = _another(told) and context.person == "they"
    return after_another(found, context) if another else found


def _another(told: list[Said]) -> bool:
    return bool(told) and isinstance(told[-1], Sentence) and told[-1].another


_PAID = (m.Act, m.Body, m.Branch, m.Choice, m.Let)
"""Steps of a price all of which must be possible; of the others what cannot be done is left out there too."""


def _step(step: m.Step, context: Context) -> list[Said]:
    step, context = as_given(step, context)
    if context.price and not isinstance(step, _PAID):
        context = replace(context, price=False)
    match step:
        case m.Act():
            return act_words(step, context)
        case m.Body():
            return body_said(step, context)
        case m.Choice():
            return [_choice(step, context)]
        case m.Pick():
            return _pick(step, context)
        case m.May():
            return [_may(step.body, context)]
        case m.Branch():
            return [_branch(step, context)]
        case m.Each():
            return [_each(step, context)]
        case m.AnyOrder():
            parts = [body_said(each, context) for each in step.bodies]
            values: dict[str, Value] = {"options": row(parts, "inner", context), **_offering(step.offering, context)}
            return [Sentence(_say("step.any_order", context, values), listing=True)]
        case m.Repeat():
            times = amount(step.quantity, context)
            number = str(times.count) if times.count is not None and times.mode == "exactly" else None
            body = repeated(whole(body_said(step.body, context.to(_plain(context))), context), context)
            told: dict[str, Value] = {"n": times, "body": body}
            key = "step.repeat"
            if step.condition is not None:
                key, told["condition"] = "step.repeat_while", condition(step.condition, context.telling).strip(" ,")
            return [Sentence(_say(key, context, told, times=number, mode=times.mode))]
        case m.Let():
            notes, within = bound({step.name: step.value}, step.body, context)
            said = noted(notes, within, context)
            return [*said, *body_said(step.body, within, after=said)]
        case m.Until():
            return [Sentence(until_words(step, context))]


def _plain(context: Context) -> str:
    """The form of verbs in a sentence of its own."""
    return "do" if context.person == "you" else "they"


def _say(key: str, context: Context, values: dict[str, Value], **shapes: str | None) -> str:
    """A phrase of a construct; its variants can ask for the person."""
    given = {"person": context.person, **shapes}
    return context.locale.phrase(key, values, context.voice, given.get)


def _exactly(key: str, context: Context, values: dict[str, Value], facts: Facts) -> str:
    """The phrase of a construct that tells all of it."""
    template = context.locale.template(key, facts.shape, facts.open)
    return fill(template, values, context.locale, context.voice) if template is not None else absent(key)


# ---- costs and choices


def _arrow(body: m.Body, context: Context, *, option: bool = False) -> Said:
    """What is paid, and what it buys. Among options the choice is free already, so nobody `may`."""
    assert body.cost is not None
    cost, bought = m.Body(body.cost), m.Body(body.steps)
    to_pay, context = replace(context, price=True), replace(context, price=False) if context.price else context
    paid = _clauses(cost, to_pay.to(context.voice.mood if option else "inf", first=not option))
    gained = _clauses(bought, context.to(PURPOSE))
    if paid is not None and gained is not None and (option or not _ends_open(cost.steps[-1], context)):
        key = "step.arrow_option" if option else "step.arrow"
        then = body_words(bought, context.to(context.voice.mood if option else _plain(context), first=option))
        then = apart(then, context) if option else then
        text = _say(key, context, {"cost": paid, "body": gained, "then": then})
        return Clause((text,)) if option else Sentence(text, open="{then}" in _template(key, context), bare=True)
    told = firm(whole(body_said(bought, context.to(_plain(context))), context), context)
    if option:
        paid = closed(body_said(cost, to_pay.to(_plain(context))), context)
        return Sentence(_say("step.arrow_option_long", context, {"cost": paid, "body": told}), bare=True)
    if paid is not None:
        return Sentence(_say("step.arrow_then", context, {"cost": paid, "body": told}), bare=True)
    only = cost.steps[0] if len(cost.steps) == 1 else None
    if isinstance(only, m.Choice) and only.quantity.mode not in _FREE:
        paid = body_words(cost, to_pay.to("inf", first=True))
        return Sentence(_say("step.arrow_then", context, {"cost": paid, "body": told}), bare=True)
    paid = closed(body_said(cost, to_pay.to(_plain(context))), context)
    return Sentence(_say("step.arrow_long", context, {"cost": paid, "body": told}), bare=True)


def _ends_open(step: m.Step, context: Context) -> bool:
    """Whether the end of a price could be taken for the beginning of what it buys: *for each first player to ...*."""
    if not isinstance(step, m.Act):
        return False
    seats = (each for each in walk((step.arguments, step.per)) if isinstance(each, m.Expression) and each.type == SEAT)
    own = {"you", "owner"} if context.owner == "you" else {"you"}
    others = (each for each in seats if not (isinstance(each, m.SeatRef) and each.which in own))
    return step.per is not None or any(True for _ in others)


def _template(key: str, context: Context) -> str:
    """The text of a template: what a language says with its verbs in the form of a new sentence is open."""
    template = context.locale.template(key, {"person": context.person}.get)
    return template.text if template is not None else ""


def _may(body: m.Body, context: Context) -> Said:
    if body.cost is not None:
        return _arrow(body, context)
    clause = _clauses(body, context.to("inf", first=True))
    if clause is not None:
        words, typography = _say("step.may", context, {"body": clause}), context.locale.lexicon.typography
        may = words.removesuffix(clause).strip()
        if context.voice.first and may != words:
            words = second(may, clause, typography)
        return Sentence(words, open=False, bare=True)
    told = body_words(body, context.to(_plain(context)))
    return Sentence(_say("step.may_long", context, {"body": told}), bare=True)


def _option(body: m.Body, context: Context) -> Clause | None:
    """One option as a clause, if it can be one."""
    if body.cost is not None:
        found = _arrow(body, context, option=True)
        return found if isinstance(found, Clause) else None
    said = body_said(body, context)
    if len(said) == 1 and isinstance(said[0], Clause):
        return said[0]
    words = clauses(said, context)
    return Clause((words,), alone=True) if words is not None else None


def _long_option(body: m.Body, context: Context) -> list[Said]:
    """An option that needs sentences of its own."""
    return body_said(body, context) if body.cost is None else [_arrow(body, context, option=True)]


def _choice(choice: m.Choice, context: Context) -> Said:
    first = [_option(choice.bodies[0], context)]
    later = context.to(context.voice.mood, first=True)  # behind a conjunction
    found = [*first, *(_option(body, later) for body in choice.bodies[1:])]
    plain = [each for each in found if each is not None and not each.alone]
    one = counts_one(choice.quantity, context) and choice.quantity.mode == "exactly"
    if one and len(plain) == len(found):
        bare = all(body.cost is None for body in choice.bodies)
        same = len({each.head for each in plain}) == 1 and bool(plain[0].head)
        if bare and (len(plain) == 2 or same):
            return Clause((joined_clauses(plain, "or", context.locale),), alone=True)
    parts: list[list[Said]] = []
    for body in choice.bodies:
        within = context.to(_plain(context), first=body is choice.bodies[-1])  # behind a conjunction
        option = _option(body, within)
        parts.append([option] if option is not None else _long_option(body, context.to(_plain(context))))
    values: dict[str, Value] = {"n": amount(choice.quantity, context), "options": row(parts, "options", context)}
    return Sentence(_say("step.choose", context, values, n=context.shape(choice.quantity)), bare=True, listing=True)


def _pick(pick: m.Pick, context: Context) -> list[Said]:
    """A thing is chosen and then something is done with it: one clause if it can be."""
    one = counts_one(pick.quantity, context)
    picking = replace(context, picking=one and pick.quantity.mode == "exactly")
    of = phrase_of(pick.of, picking, many=not one)
    part = isinstance(pick.of, m.Local) and isinstance(context.names.get(pick.of.name), Known)
    of = part_of(of, context) if part and isinstance(of, NounPhrase) else of
    name = known(pick.of.type._replace(many=not picks_one(pick)), pick.body, context, pick.name)
    of = lettered(of, name.letter, context) if isinstance(of, NounPhrase) else of
    of = of.together if of is not None and pick.quantity.mode == "all" else of
    values: dict[str, Value] = {"n": amount(pick.quantity, context), "what": of if of is not None else absent("group")}
    within = context.naming({pick.name: name}).to(context.voice.mood)
    within = replace(within, beside=within.beside or is_anothers(pick.of, context))
    facts = Facts(context)
    facts.add("n", pick.quantity)
    facts.add("what", pick.of)
    if part and pick.quantity.mode == "exactly":
        facts.word("n", "part", told=False)
    chosen = _exactly("step.pick", context, values, facts)
    said = body_said(pick.body, within)
    if not needs(pick):  # without a choice it would be done all the same
        told = firm(whole(body_said(pick.body, within.to(_plain(context))), context), context)
        shapes = {
            "one": "one" if one and pick.quantity.mode in {"exactly", "random", "blind"} else None,
            "of": pick.of.type.name,
        }
        return [Sentence(_say("step.pick_then", context, {"pick": chosen, "body": told}, **shapes), bare=True)]
    clause = clauses(said, context)
    if clause is not None and (len(said) == 1 or context.voice.mood in INFINITIVES):
        both = context.locale.phrase("step.pick_and", {"pick": chosen, "body": clause})
        return [Clause((both,), alone=True, open=True)]  # what follows is done without a choice too
    return [Clause((chosen,), alone=True), *said]


def _branch(branch: m.Branch, context: Context) -> Sentence:
    """Conditions in turn; a body with conditions of its own stands in brackets if another one follows."""
    parts = []
    plain = context.to(_plain(context))
    for at, (test, body) in enumerate(branch.arms):
        last = at == len(branch.arms) - 1 and branch.otherwise is None
        said = body_said(body, plain)
        words = firm(whole(said, plain), plain) if last else closed(said, plain)
        words = repeated(apart(words, context), context) if last and at else words
        told = {"condition": condition(test, context.telling), "body": words}
        parts.append(context.locale.phrase("step.if" if at == 0 else "step.else_if", dict(told)))
    if branch.otherwise is not None:
        rest = body_words(branch.otherwise, context.to(_plain(context), first=True))
        rest = body_words(branch.otherwise, plain) if rest.startswith("(") else rest
        parts.append(context.locale.phrase("step.else", {"body": repeated(apart(rest, context), context)}))
    return Sentence(joined(parts, "branches", context.locale))


# ---- going through things


def _only(group: m.Expression) -> m.Expression | None:
    """The seat that a filter leaves of all: `seat[it = s]` is that seat."""
    where = group.where if isinstance(group, m.SeatRef) else None
    if isinstance(where, m.Compare) and where.operator == "=" and isinstance(where.left, m.Special):
        return where.right if where.left.which == "it" and isinstance(where.right, m.Local | m.SeatRef) else None
    return None


def _offering(group: str, context: Context) -> dict[str, Value]:
    """The moves that may be made in between."""
    if not group:
        return {}
    moves = phrase_of(m.WordRef(group, MOVES), context)
    return {"offering": context.locale.phrase("step.offering", {"group": moves or absent("moves")})}


def _each(each: m.Each, context: Context) -> Sentence:
    only = _only(each.of)
    group = phrase_of(only, context) if only is not None else each_of(each.of, context)
    names, within = going_through(each, context)
    letter = next((found.letter for found in names.values() if isinstance(found, Bound | Known)), "")
    if each.of.type.name == "seat":
        letter = letter or within.letter
    if isinstance(group, NounPhrase):
        group = lettered(group, letter, context)
    values: dict[str, Value] = {"each": group if group is not None else absent("each")}
    values |= _offering(each.offering, context)
    if each.of.type.name == "seat":
        said = body_said(each.body, within)
        others = any(isinstance(part, Sentence) and not part.bare for part in said[1:])  # with a subject of their own
        values["body"] = bracketed(inner(said, within), within) if others else inner(said, within)
        follows = follows_subject(said) and not (within.person == "you" and isinstance(said[0], Sentence))
        plain = "step.each_seat" if follows else "step.each_seat_long"
        values["told"] = _say(plain, context, values)
        key = _MODES.get(each.mode, plain)
    else:
        values["body"] = repeated(whole(body_said(each.body, within), within), context)
        key = "step.any_order_each" if each.mode == "any order" else "step.each"
    facts = Facts(context)
    facts.add("of", each.of, None, "each", "told")
    about = each.body.cost is None and all(is_about(step, each.name) for step in each.body.steps)
    facts.word("about", "all" if about else None, told=False)
    return Sentence(_exactly(key, context, values, facts))


def going_through(each: m.Each, context: Context) -> tuple[dict[str, Name], Context]:
    """What the body calls its member, and where the body is told: seats act themselves."""
    names = _named_in(each, context)
    if each.of.type.name == "seat":
        person: Person = "you" if is_reader(_only(each.of), context) else "they"
        within = context.acting(person).naming(names).to(person, first=True)
        several = told_of_another(each.body, within) or waits_for_seats(each.body, within)
        letter = _letter(context) if several else ""
        if letter:  # by its name it is the same seat
            within = within.naming(
                {name: replace(it, letter=letter) for name, it in names.items() if isinstance(it, Bound)}
            )
        return names, replace(within, letter=letter)
    return names, context.naming(names).to(_plain(context))


def _letter(context: Context) -> str:
    """The letter of seats that act inside this."""
    return chr(ord("A") + context.actor)


def _used_by_others(name: str, body: m.Body, context: Context) -> bool:
    """Whether a seat is spoken of where another one acts."""
    within = [each for part in walk(body) if (each := _of_others(part, context)) is not None]
    return any(isinstance(part, m.Local) and part.name == name for each in within for part in walk(each))


def _of_others(part: object, context: Context) -> object:
    """What is told of other seats: what each of them does, or what is asked of them."""
    if isinstance(part, m.Act):
        return part.arguments if turns(part, context) else None
    if isinstance(part, m.Each) and part.of.type.name == "seat":
        return part.body
    asked = m.asked_of_each(part)
    return asked[0] if asked is not None and asked[1].name == "seat" else None


def _named_in(each: m.Each, context: Context) -> dict[str, Name]:
    """What the body calls a thing that is gone through: by the noun of a value that has one, else as that thing."""
    if not each.name:
        return {}
    if each.of.type.name == "seat":
        letter = _letter(context) if _used_by_others(each.name, each.body, context) else ""
        return {each.name: Bound(m.SeatRef("you", SEAT), context.acting("they"), letter)}
    noun = context.locale.noun(f"value.{each.of.value}") if isinstance(each.of, m.ValueRef) else None
    kind = each.of.type._replace(many=False)
    return {each.name: noun if noun is not None else known(kind, each.body, context, each.name)}
