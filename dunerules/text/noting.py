"""Values that are told where they are used, or noted beforehand, where what is done until then may change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, QUANTITY
from dunerules.dsl.vocabulary import Verb
from dunerules.dsl.walk import walk
from dunerules.text.binding import known, uses
from dunerules.text.context import Bound, Context, Name, given_for

__all__ = ["as_given", "asked_later", "bound"]

_STEADY = (m.Constant, m.ObjectRef, m.SeatRef, m.Special, m.WordRef, m.ZoneRef, m.CounterRef, m.SlotRef, m.Quantity)
"""What a name may always stand for: things that do not change, and places where something lies.

A counter is one where a counter is wanted; where a number is, or what it points at, that is asked for below.
"""


def bound(
    given: Mapping[str, m.Expression], body: m.Body, context: Context, outside: Context | None = None
) -> tuple[dict[str, m.Expression], Context]:
    """What must be noted before a body, and the context of the body; `outside` is where the values are meant."""
    outside = context if outside is None else outside
    noted: dict[str, m.Expression] = {}
    names: dict[str, Name] = {}
    for name, value in given.items():
        if _steady(value, outside, body) or _is_place(name, body) or not _late(name, body):
            names[name] = Bound(value, outside)
            continue
        found, _ = given_for(value, outside)
        number = f"{name} as a number" if isinstance(found, m.Quantity) else name
        noted[number] = value
        kind = AMOUNT if isinstance(found, m.Quantity) else value.type
        names[number] = known(kind, body, context.naming(names), name, apart=_denies(value, outside))
        if isinstance(found, m.Quantity):
            counted = replace(found, amount=m.Local(number, AMOUNT))
            names[name] = Bound(counted, outside.naming({number: names[number]}))
    return noted, context.naming(names)


_COUNTED = "how many"
"""The name of the number of a quantity that a parameter stands for."""


def as_given(step: m.Step, context: Context) -> tuple[m.Step, Context]:
    """A step with the quantity that a parameter stands for in its place: with its mode, and its number by a name."""
    match step:
        case m.Act():
            found = {name: _quantity(value, f"{_COUNTED}: {name}", context) for name, value in step.arguments}
            given = {name: each for name, (each, _) in found.items() if each is not None}
            names = {name: value for _, numbers in found.values() for name, value in numbers.items()}
            arguments = tuple((name, given.get(name, value)) for name, value in step.arguments)
            return (replace(step, arguments=arguments), context.naming(names)) if given else (step, context)
        case m.Pick() | m.Choice() | m.Repeat():
            quantity, names = _quantity(step.quantity, _COUNTED, context)
            return (
                (replace(step, quantity=quantity), context.naming(names)) if quantity is not None else (step, context)
            )
        case _:
            return step, context


def _quantity(value: m.Expression, name: str, context: Context) -> tuple[m.Quantity | None, dict[str, Name]]:
    """A quantity that a parameter stands for, and what the name in it does; nothing if it is none of a parameter."""
    if not isinstance(value, m.Quantity) or not isinstance(value.amount, m.Local) or value.amount.type != QUANTITY:
        return None, {}
    found, where = given_for(value.amount, context)
    if not isinstance(found, m.Quantity):
        return None, {}
    if found.amount is None:
        return found, {}
    return replace(found, amount=m.Local(name, AMOUNT)), {name: Bound(found.amount, where)}


def asked_later(act: m.Act, context: Context) -> list[str]:
    """The arguments of a call that its verb asks for later, when they may have changed: whatever its phrase says."""
    body = None if act.verb.kernel or act.procedure else context.meanings.verb(act.verb.name)[1]
    if body is None:
        return []
    given = (name for name, value in act.arguments if act.per is not None or not _steady(value, context))
    return [name for name in given if _waits(name, body, context)]


def _waits(name: str, body: m.Body, context: Context) -> bool:
    """Whether a name is used in what lasts, also by another name or in another verb."""
    for part in walk(body):
        match part:
            case m.Until():
                told = (
                    clause for clause in part.clauses if clause.event is None or name not in dict(clause.event.told)
                )
                if uses(name, part.event) or any(uses(name, clause) for clause in told):
                    return True
            case m.Let() if uses(name, part.value) and _waits(part.name, part.body, context):
                return True
            case m.Act() if not part.verb.kernel and not part.procedure:
                within = context.meanings.verb(part.verb.name)[1]
                given = [each for each, value in part.arguments if uses(name, value)]
                if within is not None and any(_waits(each, within, context) for each in given):
                    return True
    return False


def _denies(value: m.Expression, context: Context) -> bool:
    """Whether a condition is told by what is not so, which *that is so* could be taken to mean."""
    if isinstance(value, m.ValueRef) and value.type == CONDITION:
        body = context.meanings.value(value.value)[1]
        return body is not None and _denies(body, context)
    return isinstance(value, m.Not) or (isinstance(value, m.Compare) and value.operator == "!=")


def _steady(value: m.Expression, context: Context, body: m.Body | None = None) -> bool:
    """Whether a value stays what it is: while a `body` is done, or for ever."""
    found, where = given_for(value, context)
    if isinstance(found, m.Quantity):
        return found.amount is None or _steady(found.amount, where)
    if found.type.name in {AMOUNT.name, CONDITION.name}:
        return isinstance(found, m.Constant | m.Local | m.OptionRef | m.Always)
    if isinstance(found, m.CounterRef) and found.type != COUNTER:  # what it points at
        return body is not None and not _may_set(found.counter, body, context)
    return isinstance(found, (*_STEADY, m.Local, m.Named))


def _may_set(counter: str, body: m.Body, context: Context) -> bool:
    """Whether something that is done in a body may let a counter point at something else."""
    for part in _done(body, context):
        if isinstance(part, m.Until) or (isinstance(part, m.Act) and (part.procedure or _does_anything(part.verb))):
            return True
        if isinstance(part, m.Act) and part.verb.kernel:
            what = dict(part.arguments).get("what")
            if what is not None and what.type == COUNTER and not isinstance(what, m.CounterRef):
                return True
            if isinstance(what, m.CounterRef) and what.counter == counter:
                return True
    return False


def _does_anything(verb: Verb) -> bool:
    """Whether a verb of the kernel does what is written elsewhere."""
    return verb.kernel is not None and (bool(verb.kernel.runs) or verb.kernel.ends)


def _done(body: m.Body, context: Context) -> Iterator[object]:
    """Every part of a body and of the verbs of packs in it."""
    for part in walk(body):
        yield part
        if isinstance(part, m.Act) and not part.verb.kernel and not part.procedure:
            within = context.meanings.verb(part.verb.name)[1]
            yield from _done(within, context) if within is not None else ()


def _is_place(name: str, body: m.Body) -> bool:
    """Whether a name stands for a counter, and not for the number it has."""
    return any(isinstance(each, m.Local) and each.name == name and each.type == COUNTER for each in walk(body))


def _late(name: str, body: m.Body) -> bool:
    """Whether a name is used when something has been done already."""
    first = body.steps[0] if body.cost is None and body.steps else None
    early: list[m.Expression] = []
    if isinstance(first, m.Act) and first.body is None:
        early = [value for _, value in first.arguments]
    elif isinstance(first, m.Branch):
        early = [first.arms[0][0]]
    elif isinstance(first, m.Repeat):
        early = [first.quantity]
    elif isinstance(first, m.Pick | m.Each):
        early = [first.of]
    return uses(name, body) > sum(uses(name, each) for each in early)
