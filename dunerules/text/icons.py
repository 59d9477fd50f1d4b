"""The icon line of an effect: short marks in the order they are printed, from the phrases of a locale.

What has no short form that says all of it stands in words between the marks of one icon, told as everywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.language.grammar import NounPhrase, Value, fill, said
from dunerules.language.lexicon import absent
from dunerules.language.phrases import Shape
from dunerules.language.typography import at_the_start, tidy
from dunerules.text.amounts import amount, known_number
from dunerules.text.arguments import Arguments
from dunerules.text.bare import fixed
from dunerules.text.binding import known, named_by
from dunerules.text.conditions import also, condition
from dunerules.text.context import Bound, Context, Known
from dunerules.text.event_words import event
from dunerules.text.facts import Facts, is_acting, must_be_there
from dunerules.text.hands import own_counter, own_pools
from dunerules.text.happenings import change, clause_words, following, is_held, limit_words
from dunerules.text.icon_groups import Icons, Joint, arrow, behind_colon, options, row
from dunerules.text.lists import joined
from dunerules.text.meanings import AbilityMeaning
from dunerules.text.noting import as_given, asked_later, bound
from dunerules.text.nouns import phrase_of
from dunerules.text.steps import body_words, cost_words, going_through

__all__ = ["ability_icons", "body_icons", "condition_icons", "cost_icons"]


def body_icons(body: m.Body, context: Context) -> str:
    """An effect as icons."""
    return tidy(_body(body, context).text)


def cost_icons(body: m.Body, context: Context) -> str:
    """What something costs as icons."""
    if _needs_something(body.steps, context):
        return tidy(_in_words(cost_words(body, context), context).text)
    return body_icons(body, context)


def condition_icons(expression: m.Expression, context: Context) -> str:
    """A condition as it stands before a colon."""
    return tidy(context.locale.phrase("icon.condition", {"condition": _condition(expression, context)}))


def ability_icons(found: AbilityMeaning, context: Context) -> str:
    """An ability in short."""
    return tidy(_ability(found, context))


def _ability(found: AbilityMeaning, context: Context) -> str:
    clause, held = found.clause, is_held(context)
    if clause.sight is not None:
        return context.locale.phrase("icon.while", {"change": clause_words(clause, context, held=held)})
    if clause.modifier is not None:
        changed = change(clause.modifier, context, held=held)
        if clause.condition is not None:
            told: dict[str, Value] = {"condition": _condition(clause.condition, context), "body": changed}
            changed = context.locale.phrase("icon.if", told)
        return context.locale.phrase("icon.while", {"change": changed})
    values: dict[str, Value] = {"event": ""}
    where = context
    if clause.event is not None:
        where, tells = following(clause, clause.event, context, held=held)
        values["event"] = event(clause.event, context, tells, first=False)
    values["body"] = behind_colon(_body(clause.body, where), where) if clause.body is not None else ""
    if found.limit is not None:
        values["limit"] = limit_words(found.limit, context)
    if clause.condition is None:
        return context.locale.phrase("icon.when", values)
    values["condition"] = also(clause.condition, where.telling).strip(" ,")
    return context.locale.phrase("icon.when_if", values)


def _condition(expression: m.Expression, context: Context) -> str:
    return condition(expression, context.alone).strip(" ,")


# ---- steps


def _body(body: m.Body, context: Context) -> Icons:
    if body.cost is not None and _needs_something(body.cost, context):
        return _words(body, context)
    steps = [_step(each, context) for each in body.steps]
    if body.cost is not None:
        return arrow([_step(each, context) for each in body.cost], steps, context)
    return steps[0] if len(steps) == 1 else row(steps, context)


def _words(step: m.Step, context: Context) -> Icons:
    """What has no short form."""
    return _in_words(body_words(m.Body((step,)), context), context)


def _in_words(words: str, context: Context) -> Icons:
    opening = at_the_start(words.strip(" ,"), context.locale.lexicon.typography)
    return Icons(context.locale.phrase("icon.words", {"body": opening}))


def _step(step: m.Step, context: Context) -> Icons:
    locale = context.locale
    step, context = as_given(step, context)
    match step:
        case m.Act():
            return _act(step, context)
        case m.Body():
            return _body(step, context)
        case m.Choice():
            return _choice(step, context)
        case m.May():
            return Icons(locale.phrase("icon.may", {"body": _body(step.body, context).text}))
        case m.Branch():
            return _branch(step, context)
        case m.Each() if not step.offering:
            return _each(step, context)
        case _:
            return _words(step, context)


def _choice(choice: m.Choice, context: Context) -> Icons:
    found = options([_body(each, context) for each in choice.bodies], context)
    n = amount(choice.quantity, context)
    if n.mode == "exactly" and n.count == 1:
        return found
    return Icons(context.locale.phrase("icon.choose", {"n": n, "options": found.text}))


def _branch(branch: m.Branch, context: Context) -> Icons:
    """Conditions in turn."""
    arms = []
    for at, (test, body) in enumerate(branch.arms):
        last = at == len(branch.arms) - 1 and branch.otherwise is None
        values: dict[str, Value] = {"condition": _condition(test, context)}
        values["body"] = behind_colon(_body(body, context), context, last=last)
        arms.append(Icons(context.locale.phrase("icon.else_if" if at else "icon.if", values), Joint.COLON, last))
    if branch.otherwise is not None:
        rest = behind_colon(_body(branch.otherwise, context), context)
        arms.append(Icons(context.locale.phrase("icon.else", {"body": rest}), Joint.COLON))
    return row(arms, context)


def _each(each: m.Each, context: Context) -> Icons:
    names, within = going_through(each, context)
    letters = (*(name.letter for name in names.values() if isinstance(name, Bound | Known)), within.letter)
    if any(letters):
        return _words(each, context)
    group = phrase_of(each.of, context)
    values: dict[str, Value] = {"each": group if group is not None else absent("each")}
    values["body"] = behind_colon(_body(each.body, within.to(within.voice.mood)), within)
    facts = Facts(context)
    facts.add("of", each.of, None, "each")
    template = context.locale.template("icon.each", facts.shape, facts.open)
    told = fill(template, values, context.locale) if template is not None else absent("icon.each")
    return Icons(told, Joint.COLON, chain=True)


# ---- calls


def _act(act: m.Act, context: Context) -> Icons:
    kind = named_by(act)
    name = known(kind, act.body, context, act.name) if kind is not None else None
    if name is not None and (name.letter or act.per is not None):  # in words it is said what the letter is
        return _words(act, context)
    if asked_later(act, context):
        return _words(act, context)
    act, context = own_counter(act, context)
    if _as_much_as_another(act, context):
        return _words(act, context)
    whole = act
    act, context = own_pools(act, context)
    arguments = Arguments(dict(act.arguments), act.verb.parameters, context)
    template = context.locale.template(f"icon.verb.{act.verb.name}", arguments.facts.shape, arguments.facts.open)
    if template is None:
        return _without(whole, context)
    shown = fill(template, _short(arguments.values, context), context.locale)
    if act.per is not None:
        shown = _per(shown, act.per, context)
    if act.body is None:
        return Icons(shown)
    inner = context.naming({act.name: name}) if name is not None else context
    return row([Icons(shown), _body(act.body, inner)], context)


def _as_much_as_another(act: m.Act, context: Context) -> bool:
    """Whether a seat gains or loses what another one has or says: an icon does not tell the two apart."""
    given = dict(act.arguments)
    what = given.get("what")
    if not isinstance(what, m.CounterRef) or is_acting(what.owner, context):
        return False
    return act.per is not None or ("n" in given and known_number(given["n"], context) is None)


def _per(shown: str, per: m.Scaled, context: Context) -> str:
    kinds = [term for _, term in per.of.terms] if isinstance(per.of, m.Arithmetic) else [per.of]  # pieces of a family
    counted = [phrase_of(each, context) for each in kinds]
    marks = [said(_mark(each, context)).strip(" ,") if each is not None else absent("per") for each in counted]
    values: dict[str, Value] = {"n": per.each, "body": shown, "of": joined(marks, "and", context.locale)}
    many: Shape = {"many": "many" if per.each != 1 else None}.get
    return context.locale.phrase("icon.per", values, shape=many)


def _without(act: m.Act, context: Context) -> Icons:
    """A verb without an icon: the icons of what it does if they say it all, or its words."""
    body = _written_out(act, context)
    inside = any(isinstance(name, Known) for name in context.names.values())
    if body is None or inside or act.per is not None or act.body is not None or _missing(act, context):
        return _words(act, context)
    notes, inner = bound(dict(act.arguments), body, replace(context, names={}), context)
    return _words(act, context) if notes else _body(body, inner)


def _written_out(act: m.Act, context: Context) -> m.Body | None:
    """What a verb does that has no phrase."""
    if act.verb.kernel or act.procedure:
        return None
    facts = Arguments(dict(act.arguments), act.verb.parameters, context).facts
    phrased = context.locale.template(f"verb.{act.verb.name}", facts.shape, facts.open) is not None
    return None if phrased else context.meanings.verb(act.verb.name)[1]


def _missing(act: m.Act, context: Context) -> bool:
    """Whether a verb of a pack is about something that may not be there: then none of it is done."""
    wanted = {each.name: each.types[0].name for each in act.verb.parameters}
    return any(must_be_there(value, wanted[name], context) for name, value in act.arguments)


def _needs_something(cost: Sequence[m.Step], context: Context) -> bool:
    """Whether a price cannot be paid where something is not there that no icon tells of."""
    for part in walk(tuple(cost)):
        body = _written_out(part, context) if isinstance(part, m.Act) else None
        if body is not None:
            inner = replace(context, names={name: Bound(value, context) for name, value in part.arguments})
            if _missing(part, context) or _needs_something((*(body.cost or ()), *body.steps), inner):
                return True
    return False


def _short(values: Mapping[str, Value], context: Context) -> dict[str, Value]:
    """Arguments as marks: things by their icon, if they have one."""
    return {name: _mark(value, context) for name, value in values.items()}


def _mark(value: Value, context: Context) -> Value:
    return _marked(value, context) if isinstance(value, NounPhrase) and value.head.icon else value


def _marked(phrase: NounPhrase, context: Context) -> NounPhrase:
    """A noun by its icon, with everything that belongs to it."""
    noun = phrase.noun
    inner = _marked(noun, context) if isinstance(noun, NounPhrase) else fixed(noun.icon, context).noun
    return replace(phrase, noun=inner)
