"""Effects in words: steps become clauses, clauses sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import CONDITION, Type
from dunerules.text.amounts import amount, counts_one, number_words
from dunerules.text.arguments import Arguments
from dunerules.text.binding import bound
from dunerules.text.conditions import condition, of_owner
from dunerules.text.context import Bound, Context
from dunerules.text.facts import Facts, is_you
from dunerules.text.grammar import NounPhrase, Value, Voice, fill, fill_segments, said
from dunerules.text.happenings import until_words
from dunerules.text.lexicon import absent
from dunerules.text.lists import Clause, joined, joined_clauses
from dunerules.text.nouns import object_phrase, phrase_of
from dunerules.text.template import VerbForm

__all__ = ["act_clause", "body_words", "cost_words", "named_in", "sentences_of"]

_LONGEST = 1000
"""Characters to which a verb of a pack is written out; a longer one needs a phrase, and the lack of it shows."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Words that make a sentence of their own."""

    text: str


_Said = Clause | _Sentence


def sentences_of(body: m.Body, context: Context) -> list[str]:
    """An effect as sentences, without capital letters and stops."""
    return _sentences(_body(body, context), context)


def body_words(body: m.Body, context: Context) -> str:
    """An effect as a part of another sentence."""
    return joined(_sentences(_body(body, context), context), "inner", context.locale)


def cost_words(body: m.Body, context: Context) -> str:
    """What something costs, as a list of things where the language has phrases for that."""
    parts = []
    for step in body.steps:
        template = None
        if isinstance(step, m.Act) and step.per is None and step.body is None:
            arguments = Arguments(dict(step.arguments), step.verb.parameters, context)
            facts = arguments.facts
            template = context.locale.template(f"cost.{step.verb.name}", facts.shape, facts.open)
        if template is None:
            parts.append(body_words(m.Body((step,)), context))
        else:
            parts.append(fill(template, arguments.values, context.locale, context.voice))
    return joined(parts, "and", context.locale)


def _sentences(said: list[_Said], context: Context) -> list[str]:
    """Neighbouring clauses become one sentence."""
    found: list[str] = []
    run: list[Clause] = []
    for each in [*said, None]:
        if isinstance(each, Clause) and not each.alone:
            run.append(each)
            continue
        if run:
            found.append(joined_clauses(run, "and", context.locale))
            run = []
        if each is not None:
            found.append(each.text)
    return [text for text in found if text]


def _simple(said: list[_Said]) -> bool:
    return all(isinstance(each, Clause) and (len(said) == 1 or not each.alone) for each in said)


def _clauses(body: m.Body, context: Context, how: str = "and") -> str | None:
    """A body as one clause; nothing if it needs sentences of its own."""
    said = _body(body, context)
    if not said or not _simple(said):
        return None
    return joined_clauses([each for each in said if isinstance(each, Clause)], how, context.locale)


def _body(body: m.Body, context: Context) -> list[_Said]:
    if body.cost is not None:
        return [_arrow(body, context)]
    return _steps(body.steps, context)


def _steps(steps: tuple[m.Step, ...], context: Context) -> list[_Said]:
    said: list[_Said] = []
    for step in steps:
        said += _step(step, context.to(context.voice.mood) if said else context)
    return said


def _step(step: m.Step, context: Context) -> list[_Said]:
    match step:
        case m.Act():
            return _act(step, context)
        case m.Body():
            return _body(step, context)
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
            parts = [body_words(each, context) for each in step.bodies]
            return [_told("step.any_order", context, options=joined(parts, "inner", context.locale))]
        case m.Repeat():
            times = amount(step.quantity, context)
            known = str(times.count) if times.count is not None and times.mode == "exactly" else None
            told: dict[str, Value] = {"n": times, "body": body_words(step.body, context.to(_plain(context)))}
            return [_Sentence(_say("step.repeat", context, told, times=known))]
        case m.Let():
            noted, inner = bound({step.name: step.value}, step.body, context)
            return [*_noted(noted, context), *_body(step.body, inner)]
        case m.Until():
            return [_Sentence(until_words(step, context))]


def _plain(context: Context) -> str:
    """The form of verbs in a sentence of its own."""
    return "do" if context.person == "you" else "they"


def _told(key: str, context: Context, /, **values: Value) -> _Sentence:
    return _Sentence(_say(key, context, dict(values)))


def _say(key: str, context: Context, values: dict[str, Value], **shapes: str | None) -> str:
    """A phrase of a construct; its variants can ask for the person."""
    known = {"person": context.person, **shapes}
    return context.locale.phrase(key, values, context.voice, known.get)


def _exactly(key: str, context: Context, values: dict[str, Value], facts: Facts) -> str:
    """The phrase of a construct that tells all of it."""
    template = context.locale.template(key, facts.shape, facts.open)
    return fill(template, values, context.locale, context.voice) if template is not None else absent(key)


# ---- calls


def _act(act: m.Act, context: Context) -> list[_Said]:
    said = act_clause(act, context)
    if act.body is not None:
        kind = act.verb.gives
        inner = context.naming({act.name: kind}) if act.name and kind is not None else context
        said += _body(act.body, inner.to(context.voice.mood))
    return said


def _for_another(act: m.Act, context: Context) -> list[_Said] | None:
    """A counter of another seat: then that seat gains, loses or pays."""
    what = dict(act.arguments).get("what")
    if not act.verb.kernel or not isinstance(what, m.CounterRef) or is_you(what.owner):
        return None
    if act.verb.name not in {"gain", "lose", "pay"}:
        return None
    inner, values = of_owner(what.owner, context)
    who = values.get("subject") or context.locale.noun("seat.you") or absent("seat.you")
    given = {**dict(act.arguments), "what": replace(what, owner=None)}
    own = replace(act, arguments=tuple(given.items()), body=None, name="")
    told = joined_clauses(
        [each for each in act_clause(own, inner.to(inner.person, first=True)) if isinstance(each, Clause)],
        "and",
        context.locale,
    )
    key = "step.caused" if context.voice.mood == "inf" else "step.done_by"
    return [Clause((context.locale.phrase(key, {"who": who, "body": told}),))]


def act_clause(act: m.Act, context: Context) -> list[_Said]:
    """A call in words: its phrase, or what it is defined as."""
    another = _for_another(act, context)
    if another is not None:
        return another
    arguments = Arguments(dict(act.arguments), act.verb.parameters, context)
    if "word.your" in context.locale.phrases:  # for languages that say whose it is
        arguments.values["your"] = _say("word.your", context, {})
    what = dict(act.arguments).get("what")
    if isinstance(what, m.Special) and what.which == "this":  # for languages in which "this" could be another one
        arguments.values["this"] = object_phrase(*context.this, context) if context.this else arguments.values["what"]
    section = "procedure" if act.procedure else "verb"
    template = context.locale.template(f"{section}.{act.verb.name}", arguments.facts.shape, arguments.facts.open)
    if template is not None:
        segments = fill_segments(template, arguments.values, context.locale, context.voice)
        if act.per is not None:
            segments = (*segments, _per(act.per, context))
        first = template.segments[0]
        head = first[0].verb if len(first) == 1 and isinstance(first[0], VerbForm) and len(segments) > 1 else ""
        return [Clause(segments, head)]
    if act.procedure or act.verb.kernel:
        return [Clause((_unsaid(f"{section}.{act.verb.name}", arguments, context),))]
    return _written_out(act, arguments, context)


def _unsaid(key: str, arguments: Arguments, context: Context) -> str:
    """What a language has no phrase for: its absence, with everything it is about."""
    about = [said(value) for name, value in arguments.values.items() if name in arguments.given]
    if not about:
        return absent(key)
    return context.locale.phrase("step.unsaid", {"name": absent(key), "about": joined(about, "comma", context.locale)})


def _written_out(act: m.Act, arguments: Arguments, context: Context) -> list[_Said]:
    """A verb without a phrase of its own is told as what it does."""
    _, body = context.meanings.verb(act.verb.name)
    unsaid = Clause((_unsaid(f"verb.{act.verb.name}", arguments, context),))
    if body is None:
        return [unsaid]
    noted, inner = bound(dict(act.arguments), body, replace(context, names={}), context)
    said = [*_noted(noted, context), *_body(body, inner)]
    return said if sum(len(each.text) for each in said) <= _LONGEST else [unsaid]


def _noted(values: list[m.Expression], context: Context) -> list[_Said]:
    """Numbers, conditions and things that must be kept in mind, because what follows may change them."""
    said: list[_Said] = []
    for value in values:
        told = told_value(value, context)
        key = "step.note_whether" if value.type == CONDITION else "step.note"
        said.append(Clause((_say(key, context, {"value": told}),)))
    return said


def told_value(value: m.Expression, context: Context) -> Value:
    """Any value in words."""
    if value.type == CONDITION:
        return condition(value, context.telling)
    if value.type.name in {"amount", "quantity"}:
        return number_words(value, context)
    found = phrase_of(value, context)
    return found if found is not None else absent("value")


def _per(per: m.Scaled, context: Context) -> str:
    what = phrase_of(per.of, context, many=per.each != 1)
    values: dict[str, Value] = {"n": per.each, "what": what if what is not None else absent("per")}
    if per.each == 1 and isinstance(what, NounPhrase):
        template = context.locale.template("noun.each")
        values["what"] = NounPhrase(context.locale, what, template) if template is not None else what
    return context.locale.phrase("step.per" if per.each == 1 else "step.per_many", values, context.voice)


# ---- costs and choices


def _arrow(body: m.Body, context: Context, *, option: bool = False) -> _Said:
    """What is paid, and what it buys. Among options the choice is free already, so nobody `may`."""
    assert body.cost is not None
    cost, bought = m.Body(body.cost), m.Body(body.steps)
    inner = context.voice.mood == "inf"
    free = option or inner
    paid = _clauses(cost, context.to(context.voice.mood if free else "inf", first=not free))
    gained = _clauses(bought, context.to("inf"))
    if paid is not None and gained is not None:
        key = "step.arrow_option" if free else "step.arrow"
        then = body_words(bought, context.to(context.voice.mood if free else _plain(context)))
        text = _say(key, context, {"cost": paid, "body": gained, "then": then})
        return Clause((text,)) if free else _Sentence(text)
    paid = paid if paid is not None else body_words(cost, context.to("inf", first=True))
    told = body_words(bought, context.to(_plain(context)))
    return _told("step.arrow_then", context, cost=paid, body=told)


def _may(body: m.Body, context: Context) -> _Said:
    if body.cost is not None:
        return _arrow(body, context)
    clause = _clauses(body, context.to("inf", first=True))
    if clause is not None:
        return _told("step.may", context, body=clause)
    return _told("step.may_long", context, body=body_words(body, context.to(_plain(context))))


def _option(body: m.Body, context: Context) -> _Said | None:
    """One option as a clause, if it can be one."""
    if body.cost is not None:
        found = _arrow(body, context, option=True)
        return found if isinstance(found, Clause) else None
    said = _body(body, context)
    if len(said) == 1 and isinstance(said[0], Clause):
        return said[0]
    words = _clauses(body, context)
    return Clause((words,)) if words is not None else None


def _choice(choice: m.Choice, context: Context) -> _Said:
    first = [_option(choice.bodies[0], context)]
    later = context.to(context.voice.mood, first=True)  # behind a conjunction
    found = [*first, *(_option(body, later) for body in choice.bodies[1:])]
    clauses = [each for each in found if isinstance(each, Clause)]
    one = counts_one(choice.quantity, context) and choice.quantity.mode == "exactly"
    if one and len(clauses) == len(found):
        bare = all(body.cost is None for body in choice.bodies)
        same = len({each.head for each in clauses}) == 1 and bool(clauses[0].head)
        if bare and (len(clauses) == 2 or same):
            return Clause((joined_clauses(clauses, "or", context.locale),), alone=True)
    plain = context.to(_plain(context))
    told = [(_option(body, plain), body) for body in choice.bodies]
    texts = [each.text if each is not None else body_words(body, plain) for each, body in told]
    options = joined(texts, "options", context.locale)
    values: dict[str, Value] = {"n": amount(choice.quantity, context), "options": options}
    return _Sentence(_say("step.choose", context, values, n=context.shape(choice.quantity)))


def _pick(pick: m.Pick, context: Context) -> list[_Said]:
    """A thing is chosen and then something is done with it: one clause if it can be."""
    one = counts_one(pick.quantity, context)
    of = phrase_of(pick.of, context, many=not one)
    values: dict[str, Value] = {"n": amount(pick.quantity, context), "what": of if of is not None else absent("group")}
    kind = pick.of.type
    inner = context.naming({pick.name: kind._replace(many=not one)})
    facts = Facts(context)
    facts.add("n", pick.quantity)
    facts.add("what", pick.of)
    chosen = _exactly("step.pick", context, values, facts)
    said = _body(pick.body, inner.to(context.voice.mood))
    clause = _clauses(pick.body, inner.to(context.voice.mood))
    if clause is not None and (len(said) == 1 or context.voice.mood == "inf"):
        return [Clause((context.locale.phrase("step.pick_and", {"pick": chosen, "body": clause}),))]
    return [Clause((chosen,), alone=True), *said]


def _branch(branch: m.Branch, context: Context) -> _Sentence:
    """Conditions in turn."""
    parts = []
    plain = context.to(_plain(context))
    for at, (test, body) in enumerate(branch.arms):
        told = {"condition": condition(test, context.telling), "body": body_words(body, plain)}
        parts.append(context.locale.phrase("step.if" if at == 0 else "step.else_if", dict(told)))
    if branch.otherwise is not None:
        parts.append(context.locale.phrase("step.else", {"body": body_words(branch.otherwise, plain)}))
    return _Sentence(joined(parts, "branches", context.locale))


# ---- going through things


def _only(group: m.Expression) -> m.Expression | None:
    """The seat that a filter leaves of all: `seat[it = s]` is that seat."""
    where = group.where if isinstance(group, m.SeatRef) else None
    if isinstance(where, m.Compare) and where.operator == "=" and isinstance(where.left, m.Special):
        return where.right if where.left.which == "it" and isinstance(where.right, m.Local | m.SeatRef) else None
    return None


def _each(each: m.Each, context: Context) -> _Sentence:
    only = _only(each.of)
    group = phrase_of(only if only is not None else each.of, context)
    values: dict[str, Value] = {}
    if isinstance(group, NounPhrase):
        template = context.locale.template("noun.each")
        named = isinstance(each.of, m.Local) or only is not None
        values["each"] = NounPhrase(context.locale, group, template) if template is not None and not named else group
    elif group is not None:
        values["each"] = group
    names = named_in(each, context)
    if each.of.type.name == "seat":
        inner = replace(context.naming(names), person="they", voice=Voice("they", first=True))
        values["body"] = body_words(each.body, inner)
        own = each.body.steps[0] if each.body.cost is None and each.body.steps else None
        long = isinstance(own, m.Branch | m.Until | m.Each | m.AnyOrder | m.Repeat)
        plain = "step.each_seat_long" if long else "step.each_seat"
        key = {"secretly": "step.secretly", "around": "step.around"}.get(each.mode, plain)
    else:
        inner = context.naming(names)
        values["body"] = body_words(each.body, inner.to(_plain(context)))
        key = "step.any_order_each" if each.mode == "any order" else "step.each"
    facts = Facts(context)
    facts.add("of", each.of, None, "each")
    return _Sentence(_exactly(key, context, values, facts))


def named_in(each: m.Each, context: Context) -> dict[str, Bound | NounPhrase | Type]:
    """What the body calls a thing that is gone through: by the noun of a value that has one, else as that thing."""
    if not each.name:
        return {}
    noun = context.locale.noun(f"value.{each.of.value}") if isinstance(each.of, m.ValueRef) else None
    return {each.name: noun if noun is not None else each.of.type._replace(many=False)}
