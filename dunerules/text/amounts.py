"""Numbers in words: worked out where the game is not needed for it, else told as what they are a number of."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.constant import SIGNS
from dunerules.dsl.types import CONDITION, SEAT
from dunerules.dsl.walk import walk
from dunerules.language.grammar import Amount, NounPhrase, Value, fill
from dunerules.language.lexicon import absent
from dunerules.text.bare import noun_of, value_title
from dunerules.text.candidates import asked_about, candidate_letter
from dunerules.text.context import Bound, Context, Known
from dunerules.text.letters import lettered
from dunerules.text.lists import joined
from dunerules.text.nouns import each_of, phrase_of
from dunerules.text.said import bracketed

__all__ = ["amount", "counts_one", "is_compound", "known_number", "multiplied", "number_words", "of_each"]


def counts_one(expression: m.Expression, context: Context) -> bool:
    """Whether an amount is one, or one at most."""
    return amount(expression, context).count == 1


def known_number(expression: m.Expression | None, context: Context) -> int | None:
    """The number an expression comes to, if that depends on nothing in the game."""
    match expression:
        case m.Constant():
            return expression.value
        case m.Local():
            bound = context.names.get(expression.name)
            return known_number(bound.expression, bound.context) if isinstance(bound, Bound) else None
        case m.Quantity(mode="exactly"):
            return known_number(expression.amount, context)
        case m.Arithmetic():
            total = 0
            for operator, term in expression.terms:
                found = known_number(term, context)
                if found is None:
                    return None
                total = SIGNS[operator](total, found)
            return total
        case m.Extreme():
            parts = [known_number(each, context) for each in expression.of if each.type.name == "amount"]
            numbers = [each for each in parts if each is not None]
            if len(numbers) < len(expression.of):
                return None
            return max(numbers) if expression.which == "most" else min(numbers)
        case m.ValueRef() if expression.value not in context.meanings.modified:
            _, body = context.meanings.value(expression.value)
            names = {name: Bound(each, context) for name, each in expression.arguments}
            return known_number(body, replace(context, names=names)) if body is not None else None
        case _:
            return None


def _some(expression: m.Expression, context: Context) -> bool:
    """Whether an amount is left open, as in an event, or is worked out from one that is."""
    match expression:
        case m.Quantity():
            return expression.mode == "some" or (expression.amount is not None and _some(expression.amount, context))
        case m.Local():
            bound = context.names.get(expression.name)
            return isinstance(bound, Bound) and _some(bound.expression, bound.context)
        case m.Arithmetic():
            return any(_some(term, context) for _, term in expression.terms)
        case m.If():
            return _some(expression.then, context) or _some(expression.otherwise, context)
        case _:
            return False


def amount(expression: m.Expression | None, context: Context) -> Amount:
    """How many."""
    if expression is None:
        return Amount(1)
    known = known_number(expression, context)
    if known is not None:
        return Amount(known)
    match expression:
        case _ if _some(expression, context):
            return Amount(None, "", "some")
        case m.Quantity():
            if expression.amount is None:
                return Amount(None, "", expression.mode)
            found = amount(expression.amount, context)
            return replace(found, mode=f"{expression.mode} that" if found.mode == "that" else expression.mode)
        case m.Local():
            bound = context.names.get(expression.name)
            if isinstance(bound, Bound):
                return amount(bound.expression, bound.told_in(context))
            if isinstance(bound, Known) and bound.letter:
                return Amount(None, _lettered(bound, context))
            if isinstance(bound, NounPhrase):
                return Amount(None, bound.form())
            return Amount(None, context.locale.phrase("number.that", {}), "that")
        case _:
            return Amount(None, number_words(expression, context))


def number_words(expression: m.Expression, context: Context) -> str:
    """Words for a number that is worked out."""
    locale = context.locale
    known = known_number(expression, context)
    if known is not None:
        return str(known)
    match expression:
        case m.Local():
            bound = context.names.get(expression.name)
            if isinstance(bound, Bound):
                return number_words(bound.expression, bound.told_in(context))
            if isinstance(bound, Known) and bound.letter:
                return _lettered(bound, context)
            if isinstance(bound, NounPhrase):
                return bound.form()
            return locale.phrase("number.that", {})
        case m.Quantity() if expression.amount is not None:
            return number_words(expression.amount, context)
        case m.Quantity() if expression.mode == "some":
            return locale.phrase("number.any", {})
        case m.Arithmetic():
            return _arithmetic(expression, context)
        case m.If():
            return _one_of_two(expression, context)
        case m.Extreme():
            parts = joined([_listed(each, context) for each in expression.of], "and", locale)
            return locale.phrase(f"number.{expression.which}", {"of": parts})
        case m.Over():
            return _total(expression, context) if _adds_field(expression) else _over(expression, context)
        case m.ValueRef():
            return _value_number(expression, context)
        case _:
            own = isinstance(expression, m.PieceRef)  # where it counts them, others may have some too
            counted = phrase_of(expression, replace(context, explicit=True) if own else context, many=True)
            key = "number.field" if isinstance(expression, m.FieldRef) else "number.count"
            return locale.phrase(key, {"of": counted}) if counted is not None else absent("number")


def _lettered(number: Known, context: Context) -> str:
    """A number by the letter it was given."""
    return context.locale.phrase("number.lettered", {"n": number.letter})


def _one_of_two(either: m.If, context: Context) -> str:
    """One number or the other, by a condition."""
    from dunerules.text.conditions import condition

    test = condition(either.test, replace(context, relative=False).telling).strip(" ,")
    told: dict[str, Value] = {"condition": test}
    told |= {"a": number_words(either.then, context), "b": number_words(either.otherwise, context)}
    return bracketed(context.locale.phrase("number.if", told), context)


def _adds_field(over: m.Over) -> bool:
    return over.which == "sum" and isinstance(over.of, m.FieldRef) and m.is_it(over.of.object)


def _over(over: m.Over, context: Context) -> str:
    """A number that is asked of each of a group."""
    each, inner = of_each(over, context)
    of = bracketed(number_words(over.of, inner), context)
    return context.locale.phrase(f"number.{over.which}_each", {"each": each, "of": of})


def of_each(over: m.Over, context: Context) -> tuple[Value, Context]:
    """Each of a group, and where it is told what is asked of it."""
    noun, kind = each_of(over.each, context), over.each.type
    if not isinstance(noun, NounPhrase):
        return absent("each"), context
    sort = SEAT.name if kind.name == SEAT.name else kind.of or kind.name
    letter = candidate_letter(over.of, sort, context)
    return lettered(noun, letter, context), asked_about(noun, sort, letter, context)


def _total(total: m.Over, context: Context) -> str:
    """A field added up over a group."""
    assert isinstance(total.of, m.FieldRef)
    template = context.locale.template("number.total")
    if template is None:
        return absent("number.total")
    of = phrase_of(total.each, context, many=True)
    values: dict[str, Value] = {"of": of if of is not None else absent("of")}
    return NounPhrase(context.locale, noun_of(f"field.{total.of.field}", context), template, values).form()


def _listed(part: m.Expression, context: Context) -> str:
    """One of several numbers: in brackets if it is a list or a sum itself."""
    words = number_words(part, context)
    nested = isinstance(_meant(part, context), m.Arithmetic | m.Extreme | m.Over) and not words.isdigit()
    return bracketed(words, context) if nested else words


def multiplied(number: m.Expression | None, context: Context) -> str:
    """Words for a number that `per` multiplies: in brackets if only the end of it could be taken for that."""
    if number is None:
        return "1"
    found = known_number(number, context)
    if found is not None:
        return str(max(found, 0))
    words = number_words(number, context)
    return bracketed(words, context) if is_compound(number, context) else words


def is_compound(number: m.Expression, context: Context) -> bool:
    """Whether a number is told in several parts."""
    return known_number(number, context) is None and _open(_meant(number, context))


def _arithmetic(expression: m.Arithmetic, context: Context) -> str:
    """Terms from left to right; one whose end could not be told from what follows stands in brackets."""
    words = ""
    for operator, term in expression.terms:
        part = number_words(term, context)
        if _open(_meant(term, context)) and not part.isdigit():
            part = bracketed(part, context)
        key = {"+": "plus", "-": "minus", "*": "times", "/": "divided"}[operator]
        words = context.locale.phrase(f"number.{key}", {"a": words, "b": part}) if words else part
    return words


def _open(term: m.Expression) -> bool:
    """Whether a term is a sum, a list or something with a relative clause."""
    return not isinstance(term, m.If) and any(
        isinstance(each, m.Arithmetic | m.Extreme | m.Compare | m.All | m.Any | m.Not)
        or (isinstance(each, m.Over) and not _adds_field(each))
        or (isinstance(each, m.ValueRef) and each.type == CONDITION)
        for each in walk(term)
    )


def _meant(expression: m.Expression, context: Context) -> m.Expression:
    """What is told in place of an expression: what a parameter stands for, or a value that has no words of its own."""
    match expression:
        case m.Quantity() if expression.amount is not None:
            return _meant(expression.amount, context)
        case m.Local():
            bound = context.names.get(expression.name)
            return _meant(bound.expression, bound.context) if isinstance(bound, Bound) else expression
        case m.ValueRef() if _own_words(expression, context) is None:
            body, inner = _definition(expression, context)
            return _meant(body, inner) if body is not None else expression
        case _:
            return expression


def _definition(value: m.ValueRef, context: Context) -> tuple[m.Expression | None, Context]:
    """What a value is defined as, and where that is told."""
    _, body = context.meanings.value(value.value)
    names = {name: Bound(expression, context) for name, expression in value.arguments}
    return body, replace(context, names=names)


def _own_words(value: m.ValueRef, context: Context) -> str | None:
    """A value by its phrase or noun; nothing if it is told as what it is defined as."""
    from dunerules.text.arguments import Arguments

    known = context.meanings.words.values.get(value.value)
    arguments = Arguments(dict(value.arguments), known.parameters if known is not None else (), context)
    facts = arguments.facts
    template = context.locale.template(f"number.{value.value}", facts.shape, facts.open)
    if template is not None:
        return fill(template, arguments.values, context.locale, context.telling.voice)
    noun = context.locale.noun(f"value.{value.value}")
    if noun is not None:
        whose = [arguments.values.get(name) for name in arguments.given]
        if not whose:
            return context.locale.phrase("number.field", {"of": noun})
        own = len(whose) == 1 and isinstance(whose[0], NounPhrase) and whose[0].head.key == "seat.you"
        template = context.locale.template("noun.own" if own else "noun.field")
        if len(whose) == 1 and whose[0] is not None and template is not None:
            return NounPhrase(context.locale, noun, template, {"object": whose[0]}).form()
    return None


def _value_number(value: m.ValueRef, context: Context) -> str:
    from dunerules.text.arguments import with_the_rest

    own = _own_words(value, context)
    if own is not None:
        return own
    body, inner = _definition(value, context)
    if body is None:
        return absent(f"number.{value.value}")
    if value.value not in context.meanings.modified:
        return number_words(body, inner)
    values: dict[str, Value] = {"of": _listed(body, inner)}
    title = value_title(value.value, context) if known_number(body, inner) is not None else None
    if title is not None:  # what changes it tells no number
        values["name"] = title
    modified = context.locale.phrase("number.modified", values)
    return with_the_rest(modified, value, body, context)
