"""Conditions in words."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.text.arguments import Arguments
from dunerules.text.context import Bound, Context
from dunerules.text.grammar import NounPhrase, Value, fill
from dunerules.text.lexicon import absent
from dunerules.text.lists import joined
from dunerules.text.nouns import amount, number_words, phrase_of
from dunerules.text.phrases import Shape

__all__ = ["condition", "opposite", "sides", "subject"]

_OPPOSITES = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "=": "!=", "!=": "="}
_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "!="}


def condition(expression: m.Expression, context: Context) -> str:
    """A condition as a clause: what the acting seat has, or how things are."""
    match expression:
        case m.All():
            return joined([condition(each, context) for each in expression.parts], "and", context.locale)
        case m.Any():
            return joined([condition(each, context) for each in expression.parts], "either", context.locale)
        case m.Not():
            return _not(expression.part, context)
        case m.Compare():
            return _compare(expression, context)
        case m.ValueRef():
            return _value(expression, context, "")
        case m.Exists():
            return _exists(expression, context)
        case m.Has():
            parts = {"group": phrase_of(expression.group, context), "member": phrase_of(expression.member, context)}
            return _said("if.has", context, {name: part for name, part in parts.items() if part is not None})
        case m.OptionRef():
            name = context.locale.text(f"option.{expression.option}.{expression.value}.name")
            return _said(
                "if.option", context, {"value": name or absent(f"option.{expression.option}.{expression.value}")}
            )
        case m.Local():
            bound = context.names.get(expression.name)
            return (
                condition(bound.expression, bound.context)
                if isinstance(bound, Bound)
                else _said("if.that", context, {})
            )
        case m.FieldRef():
            return _field(expression, context)
        case m.Always():
            return _said("if.always", context, {})
        case _:
            return absent("condition")


def subject(context: Context) -> str:
    """Who has or does it, where a language says so; a relative pronoun has said it already."""
    return "" if context.relative else context.locale.phrase(f"subject.{context.person}", {})


def _said(key: str, context: Context, values: dict[str, Value], shape: Shape | None = None) -> str:
    return context.locale.phrase(key, {"subject": subject(context), **values}, context.telling.voice, shape)


def opposite(expression: m.Compare) -> m.Compare:
    """The comparison that holds when this one does not."""
    return replace(expression, operator=_OPPOSITES[expression.operator])


def _not(part: m.Expression, context: Context) -> str:
    if isinstance(part, m.Compare):
        counted = part.left
        seats = isinstance(counted, m.Count) and isinstance(counted.of, m.SeatRef) and part.operator == ">="
        if not (seats and part.right == m.Constant(1)):
            return _compare(opposite(part), context)
        return _seats(part, context, "if.no_seat")
    if isinstance(part, m.ValueRef) and context.locale.template(f"if.not_{part.value}") is not None:
        return _value(part, context, "not_")
    if isinstance(part, m.Not):
        return condition(part.part, context)
    return _said("if.not", context, {"condition": condition(part, context)})


# ---- comparisons


def sides(expression: m.Compare) -> tuple[m.Expression, str, m.Expression]:
    """A comparison with the number, if there is one, on the right; `>` and `<` of numbers as `>=` and `<=`."""
    left, operator, right = expression.left, expression.operator, expression.right
    if isinstance(left, m.Constant) and not isinstance(right, m.Constant):
        left, operator, right = right, _MIRRORED[operator], left
    if isinstance(right, m.Constant) and operator in {"<", ">"}:
        step = 1 if operator == ">" else -1
        right, operator = m.Constant(max(0, right.value + step)), f"{operator}="
    if isinstance(right, m.Constant) and right.value == 0 and operator == "<=":
        operator = "="
    return left, operator, right


def _compare(expression: m.Compare, context: Context) -> str:
    left, operator, right = sides(expression)
    number = isinstance(right, m.Constant) or (isinstance(right, m.Local) and right.type.name == "amount")
    if number and isinstance(left, m.Count) and isinstance(left.of, m.SeatRef):
        return _seats(expression, context, "if.seats")
    if number and isinstance(left, m.CounterRef | m.PieceRef):
        word = left.counter if isinstance(left, m.CounterRef) else left.piece
        return _have(word, left, operator, right, context)
    if number and isinstance(left, m.Count):
        return _counted(left, operator, right, context)
    if number and isinstance(left, m.ValueRef | m.FieldRef):
        word = left.value if isinstance(left, m.ValueRef) else left.field
        if context.locale.template(f"have.{word}", _shapes(operator, right, context)) is not None:
            return _have(word, left, operator, right, context)
    if _same_of_another(left, right):
        return _than(left, operator, right, context)
    return _plain(left, operator, right, context)


def _same_of_another(left: m.Expression, right: m.Expression) -> bool:
    """Whether a counter or pieces of the acting seat stand beside the same of another."""
    if not isinstance(left, m.CounterRef | m.PieceRef) or not isinstance(right, m.CounterRef | m.PieceRef):
        return False
    return left.owner is None and right.owner is not None and replace(right, owner=None) == left


def _shapes(operator: str, right: m.Expression, context: Context, **more: str | None) -> Shape:
    shapes = {"op": operator, "n": context.shape(right), "person": context.person, **more}
    return shapes.get


def _have(word: str, left: m.Expression, operator: str, right: m.Expression, context: Context) -> str:
    """How much of something there is: with a phrase of its own, or as what a seat has."""
    many = not (isinstance(right, m.Constant) and right.value == 1)
    what = phrase_of(left, context, many=many)
    values: dict[str, Value] = {"n": amount(right, context), "what": what if what is not None else absent(word)}
    shape = _shapes(operator, right, context, sort="counter" if isinstance(left, m.CounterRef) else "other")
    if isinstance(left, m.CounterRef):
        for index, inner in left.indexes:
            found = phrase_of(inner, context)
            if found is not None:
                values[index] = found
    if isinstance(left, m.ValueRef):
        parameters, _ = context.meanings.value(left.value)
        values.update(Arguments(dict(left.arguments), parameters, context).values)
    key = f"have.{word}" if context.locale.template(f"have.{word}", shape) is not None else "have"
    return _said(key, context, values, shape)


def _counted(left: m.Count, operator: str, right: m.Expression, context: Context) -> str:
    group = left.of
    many = not (isinstance(right, m.Constant) and right.value == 1)
    what = phrase_of(group, context, many=many)
    values: dict[str, Value] = {"n": amount(right, context), "what": what if what is not None else absent("group")}
    where = group.where if isinstance(group, m.Named) else None
    zone = group.zone if isinstance(group, m.Named) else group
    asked = _asked(where, values, context)
    shape = _shapes(operator, right, context, what=context.shape(group), where=asked, zone=context.shape(zone))
    own = (
        isinstance(zone, m.ZoneRef)
        and zone.owner is None
        and all(context.meanings.words.zone_holder(name) == "seat" for name in zone.zones)
    )
    return _said("have" if own else "if.there_are", context, values, shape)


def _asked(where: m.Expression | None, values: dict[str, Value], context: Context) -> str | None:
    """What a filter asks about, as a word; its number becomes the slot `least`."""
    if isinstance(where, m.Compare):
        left, _, right = sides(where)
        values["least"] = amount(right, context)
        return context.shape(left)
    return context.shape(where)


def _seats(expression: m.Compare, context: Context, key: str) -> str:
    """How many seats there are of which something holds."""
    left, operator, right = sides(expression)
    assert isinstance(left, m.Count)
    assert isinstance(left.of, m.SeatRef)
    seats = left.of
    values: dict[str, Value] = {"n": amount(right, context)}
    what = phrase_of(replace(seats, where=None), context)
    values["what"] = what if what is not None else absent("seat")
    inner = replace(context, person="many" if _more(right) else "they", relative=True)
    if seats.where is not None:
        values["condition"] = condition(seats.where, inner.telling)
    shape = _shapes(operator, right, context, where=_asked(seats.where, values, context), what=seats.which)
    return _said(key, context, values, shape)


def _than(left: m.Expression, operator: str, right: m.Expression, context: Context) -> str:
    """Whether a seat has more of something than another one."""
    assert isinstance(right, m.CounterRef | m.PieceRef)
    values: dict[str, Value] = {}
    for name, side in (("what", left), ("owner", right.owner)):
        found = phrase_of(side, context, many=True)
        values[name] = found if found is not None else absent(name)
    return _said("have.than", context, values, {"op": operator, "what": context.shape(left)}.get)


def _more(number: m.Expression) -> bool:
    return not (isinstance(number, m.Constant) and number.value == 1)


def _plain(left: m.Expression, operator: str, right: m.Expression, context: Context) -> str:
    """A comparison of two numbers or of two things."""
    numbers = left.type.name == "amount"
    values: dict[str, Value] = {}
    for name, side in (("left", left), ("right", right)):
        found: Value | None = number_words(side, context) if numbers else phrase_of(side, context)
        values[name] = found if found is not None else absent(name)
    known = context.shape(right) if isinstance(right, m.Constant) else None
    shapes = {"op": operator, "left": context.shape(left), "right": context.shape(right), "number": known}
    return _said("if.compare" if numbers else "if.same", context, values, shapes.get)


# ---- values, fields, groups


def _value(value: m.ValueRef, context: Context, how: str) -> str:
    parameters, body = context.meanings.value(value.value)
    arguments = Arguments(dict(value.arguments), parameters, context)
    template = context.locale.template(f"if.{how}{value.value}", arguments.shape)
    if template is not None:
        values: dict[str, Value] = {"subject": subject(context), **arguments.values}
        return fill(template, values, context.locale, context.telling.voice)
    if body is None:
        return absent(f"if.{value.value}")
    names = {name: Bound(expression, context) for name, expression in value.arguments}
    return condition(body, replace(context, names=names))


def _exists(expression: m.Exists, context: Context) -> str:
    if isinstance(expression.of, m.FieldRef):
        return _field(expression.of, context)
    return _compare(m.Compare(">=", m.Count(expression.of), m.Constant(1)), context)


def _field(field: m.FieldRef, context: Context) -> str:
    thing = phrase_of(field.object, context)
    values: dict[str, Value] = {"object": thing if thing is not None else absent("object")}
    name = context.locale.noun(f"field.{field.field}")
    values["field"] = name if isinstance(name, NounPhrase) else absent(f"field.{field.field}")
    key = f"if.field.{field.field}"
    return _said(key if key in context.locale.phrases else "if.field", context, values)
