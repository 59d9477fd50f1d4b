"""The icon line of an effect: short marks in the order they are printed, from the phrases of a locale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.text.amounts import amount
from dunerules.text.arguments import Arguments
from dunerules.text.bare import fixed
from dunerules.text.binding import known
from dunerules.text.calls import own_pools
from dunerules.text.conditions import condition
from dunerules.text.context import Bound, Context
from dunerules.text.event_words import event
from dunerules.text.grammar import NounPhrase, Value
from dunerules.text.happenings import change, clause_words, is_held, limit_words, reacting
from dunerules.text.lexicon import absent
from dunerules.text.meanings import AbilityMeaning
from dunerules.text.nouns import phrase_of
from dunerules.text.phrases import Shape
from dunerules.text.steps import body_words, named_in

__all__ = ["ability_icons", "body_icons", "condition_icons"]


def body_icons(body: m.Body, context: Context) -> str:
    """An effect as icons."""
    steps = [_step(each, context) for each in body.steps]
    shown = _joined("icon.list", steps, context)
    if body.cost is None:
        return shown
    paid = _joined("icon.list", [_step(each, context) for each in body.cost], context)
    return context.locale.phrase("icon.arrow", {"cost": paid, "body": shown})


def condition_icons(expression: m.Expression, context: Context) -> str:
    """A condition as it stands before a colon."""
    return context.locale.phrase("icon.condition", {"condition": condition(expression, context.telling).strip()})


def ability_icons(found: AbilityMeaning, context: Context) -> str:
    """An ability in short."""
    clause = found.clause
    if clause.sight is not None:
        return context.locale.phrase("icon.while", {"change": clause_words(clause, context, held=is_held(context))})
    if clause.modifier is not None:
        changed = change(clause.modifier, context, held=is_held(context))
        if clause.condition is not None:
            told: dict[str, Value] = {"condition": condition(clause.condition, context.telling), "body": changed}
            changed = context.locale.phrase("icon.if", told)
        return context.locale.phrase("icon.while", {"change": changed})
    values: dict[str, Value] = {"event": event(clause.event, context, first=False) if clause.event is not None else ""}
    values["body"] = body_icons(clause.body, context) if clause.body is not None else ""
    if found.limit is not None:
        values["limit"] = limit_words(found.limit, context)
    if clause.condition is None:
        return context.locale.phrase("icon.when", values)
    inner = context if clause.event is None or is_held(context) else reacting(clause.event, context)
    values["condition"] = condition(clause.condition, inner.telling)
    return context.locale.phrase("icon.when_if", values)


def _together(body: m.Body, context: Context) -> str:
    """The icons of a body behind a colon: several of them stand in brackets, so that their end is seen."""
    shown = body_icons(body, context)
    return context.locale.phrase("icon.group", {"body": shown}) if len(body.steps) > 1 else shown


def _joined(key: str, parts: list[str], context: Context) -> str:
    shown = parts[0] if parts else ""
    for part in parts[1:]:
        shown = context.locale.phrase(key, {"a": shown, "b": part})
    return shown


def _step(step: m.Step, context: Context) -> str:
    locale = context.locale
    match step:
        case m.Act():
            return _act(step, context)
        case m.Body():
            return locale.phrase("icon.group", {"body": body_icons(step, context)})
        case m.Choice():
            options = _joined("icon.or", [body_icons(each, context) for each in step.bodies], context)
            n = amount(step.quantity, context)
            return locale.phrase(
                "icon.choose",
                {"n": n, "options": options},
                shape=_only("n", str(n.count) if n.mode == "exactly" else "-"),
            )
        case m.May():
            return locale.phrase("icon.may", {"body": body_icons(step.body, context)})
        case m.Branch():
            arms = [
                locale.phrase(
                    "icon.if", {"condition": condition(test, context.telling), "body": _together(body, context)}
                )
                for test, body in step.arms
            ]
            if step.otherwise is not None:
                arms.append(locale.phrase("icon.else", {"body": _together(step.otherwise, context)}))
            return _joined("icon.list", arms, context)
        case m.Each() if not step.offering:
            return _each(step, context)
        case _:
            return locale.phrase("icon.words", {"body": body_words(m.Body((step,)), context)})


def _only(name: str, value: str | None) -> Shape:
    return lambda asked: value if asked == name else None


def _each(each: m.Each, context: Context) -> str:
    group = phrase_of(each.of, context)
    inner = context.acting("they") if each.of.type.name == "seat" else context
    names = named_in(each, context)
    values: dict[str, Value] = {"each": group if group is not None else absent("each")}
    values["body"] = _together(each.body, inner.naming(names).to("they" if inner.person == "they" else "do"))
    return context.locale.phrase("icon.each", values)


def _act(act: m.Act, context: Context) -> str:
    act, context = own_pools(act, context)
    arguments = Arguments(dict(act.arguments), act.verb.parameters, context)
    template = context.locale.template(f"icon.verb.{act.verb.name}", arguments.facts.shape)
    if template is None:
        return _without(act, arguments, context)
    shown = context.locale.phrase(
        f"icon.verb.{act.verb.name}", _short(arguments.values, context), shape=arguments.facts.shape
    )
    if act.per is not None:
        counted = phrase_of(act.per.of, context)
        values: dict[str, Value] = {
            "n": act.per.each,
            "of": _mark(counted, context) if counted is not None else "",
            "body": shown,
        }
        shown = context.locale.phrase("icon.per", values, shape=_only("many", "many" if act.per.each != 1 else None))
    if act.body is not None:
        kind = act.verb.gives
        inner = (
            context.naming({act.name: known(kind, act.body, context, act.name)})
            if act.name and kind is not None
            else context
        )
        return _joined("icon.list", [shown, body_icons(act.body, inner)], context)
    return shown


def _without(act: m.Act, arguments: Arguments, context: Context) -> str:
    """A verb without an icon: the icons of what it does, or its words."""
    _, body = context.meanings.verb(act.verb.name) if not act.verb.kernel and not act.procedure else ((), None)
    facts = arguments.facts
    worded = context.locale.template(f"verb.{act.verb.name}", facts.shape, facts.open) is not None
    if worded or body is None:
        return context.locale.phrase("icon.words", {"body": body_words(m.Body((act,)), context)})
    names = {name: Bound(expression, context) for name, expression in act.arguments}
    return body_icons(body, replace(context, names=names))


def _short(values: Mapping[str, Value], context: Context) -> dict[str, Value]:
    """Arguments as marks: things by their icon, if they have one."""
    return {name: _mark(value, context) for name, value in values.items()}


def _mark(value: Value, context: Context) -> Value:
    if isinstance(value, NounPhrase) and value.head.icon:
        return fixed(value.head.icon, context)
    return value
