"""Arguments of verbs, values and events: what their slots say, what shape they have, and what must be told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, QUANTITY, Type
from dunerules.dsl.vocabulary import Parameter
from dunerules.dsl.walk import walk
from dunerules.language.grammar import Listing, NounPhrase, Value, said
from dunerules.text.amounts import amount, counts_one
from dunerules.text.context import Bound, Context
from dunerules.text.facts import Facts, inner_parts, is_default
from dunerules.text.lists import joined
from dunerules.text.nouns import phrase_of

__all__ = ["Arguments", "named_value", "with_the_rest"]

_PART = "part"
"""The shape of a number of things out of a group that was named."""

_ENDS = {"top", "bottom"}
"""The shapes of a number of things from one end of a pile."""


class Arguments:
    """The arguments of one call, as templates want them."""

    def __init__(self, given: Mapping[str, m.Expression], parameters: tuple[Parameter, ...], context: Context) -> None:
        kinds = {each.name: each for each in parameters}
        self._context = context
        self._positions = {each.name for each in parameters if each.position}
        self.given = {
            name: expression
            for name, expression in given.items()
            if not (name in kinds and kinds[name].preposition and is_default(expression, kinds[name]))
        }
        numbers = [each for name, each in self.given.items() if name not in self._positions and _amount_like(each)]
        many = not all(counts_one(each, context) for each in numbers)
        self.values: dict[str, Value] = {}
        self.facts = Facts(context)
        single = not any(each.type.many for each in self.given.values() if each.type.name != "zone")
        for name, expression in self.given.items():
            parameter = kinds.get(name)
            wanted = parameter.types if parameter is not None else ()
            self._fill(name, expression, wanted, many=many)
            usual = single and parameter is not None and parameter.default == context.shape(expression)
            usual = usual and not any(inner_parts(expression, context))
            self.facts.add(name, expression, told=not usual and not m.is_it(expression))
        self._of_a_group()
        self._from_an_end()
        self.of_everything()
        self._what_is_left()

    def _fill(self, name: str, expression: m.Expression, wanted: tuple[Type, ...], *, many: bool) -> None:
        context = self._context
        amounts = bool({AMOUNT, QUANTITY} & set(wanted))
        if expression.type == CONDITION:
            from dunerules.text.conditions import condition

            self.values[name] = condition(expression, context.telling)
        elif amounts and expression.type.name in {"amount", "quantity"}:
            found = amount(expression, context)
            self.values[name] = replace(found, count=0) if found.count is not None and found.count < 0 else found
        else:
            told = replace(context, changed=True) if COUNTER in wanted else context
            self._say(name, phrase_of(expression, told, many=many))
        for part, inner, where in inner_parts(expression, context):
            self._say(f"{name}.{part}", phrase_of(inner, where) if not isinstance(inner, str) else None)

    def _of_a_group(self) -> None:
        """So many of a group that was named: not what a variant for one thing says."""
        group = next((name for name, each in self.given.items() if _is_group(each, self._context)), None)
        template = self._context.locale.template("noun.part")
        for name, each in self.given.items():
            if group is None or not isinstance(each, m.Quantity) or each.amount is None:
                continue
            whole = self.values.get(group)
            if isinstance(whole, NounPhrase) and template is not None:
                self.values[group] = NounPhrase(self._context.locale, whole, template)
            if each.mode == "exactly":
                self.facts.word(name, _PART, told=False)

    def _from_an_end(self) -> None:
        """Zones that something is taken from the top or bottom of are one pile, whatever stands before them."""
        if any(self.facts.shape(name) in _ENDS for name in self.given if name not in self._positions):
            for name, each in self.given.items():
                if isinstance(each, m.ZoneRef):
                    self._say(name, phrase_of(_in_parts(each, self._context), self._context))
            self.values |= {name: each.piled for name, each in self.values.items() if isinstance(each, Listing)}

    def of_everything(self) -> None:
        """All that lies in several zones is not all of one or the other."""
        if any(self.facts.shape(name) == "all" for name in self.given):
            found = {name: each for name, each in self.values.items() if isinstance(each, NounPhrase | Listing)}
            self.values |= {name: each.together for name, each in found.items()}

    def _what_is_left(self) -> None:
        """All of a counter that can go below nothing, or never comes down to it: how far that is."""
        what = self.given.get("what")
        everything = isinstance(what, m.CounterRef) and self.facts.shape("n") == "all"
        least = self._context.meanings.least(what.counter) if isinstance(what, m.CounterRef) and everything else 0
        if least:
            self.values["least"] = least
            self.facts.word("least", str(least))

    def _say(self, name: str, words: NounPhrase | Listing | None) -> None:
        if words is not None:
            self.values[name] = words


def _in_parts(zones: m.ZoneRef, context: Context) -> m.ZoneRef:
    """Zones as those that they join, each once."""
    words = context.meanings.words
    return replace(
        zones, zones=tuple(dict.fromkeys(part.name for name in zones.zones for part in words.zone_parts(name)))
    )


def _is_group(expression: m.Expression, context: Context) -> bool:
    bound = isinstance(expression, m.Local) and isinstance(context.names.get(expression.name), Bound)
    return isinstance(expression, m.Local) and not bound and expression.type.name == "thing" and expression.type.many


def _amount_like(expression: m.Expression) -> bool:
    return isinstance(expression, m.Constant | m.Quantity)


def named_value(noun: Value, value: m.ValueRef, context: Context) -> Value:
    """A value by its noun, with everything it is about."""
    parameters, _ = context.meanings.value(value.value)
    arguments = Arguments(dict(value.arguments), parameters, context)
    about = [said(each) for each in (arguments.values.get(name) for name in arguments.given) if each is not None]
    if not any(about):  # nothing is said about a number that is left open
        return noun
    told = joined([each for each in about if each], "comma", context.locale)
    return context.locale.phrase("change.about", {"value": noun, "about": told})


def with_the_rest(words: str, value: m.ValueRef, body: m.Expression, context: Context) -> str:
    """A value that was told as what it is defined as, with those of its arguments that this does not mention."""
    asked = {each.name for each in walk(body) if isinstance(each, m.Local)}
    left = tuple((name, each) for name, each in value.arguments if name not in asked)
    return said(named_value(words, replace(value, arguments=left), context))
