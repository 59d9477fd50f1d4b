"""Names for values: told where they are used, or noted beforehand where what is done in between may change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, SEAT, Type
from dunerules.dsl.vocabulary import Verb
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.text.context import Bound, Context, Known, Name

__all__ = ["bound", "known", "named_by", "picks_one", "turns", "written_out"]

_STEADY = (m.Constant, m.ObjectRef, m.SeatRef, m.Special, m.WordRef, m.ZoneRef, m.CounterRef, m.SlotRef, m.Quantity)
"""What a name may always stand for: things that do not change, and places where something lies.

A counter is one where a counter is wanted; where a number is, it is asked for below.
"""


def bound(
    given: Mapping[str, m.Expression], body: m.Body, context: Context, outside: Context | None = None
) -> tuple[dict[str, m.Expression], Context]:
    """What must be noted before a body, and the context of the body; `outside` is where the values are meant."""
    outside = context if outside is None else outside
    noted: dict[str, m.Expression] = {}
    names: dict[str, Name] = {}
    for name, value in given.items():
        if _steady(value) or _is_place(name, body) or not _late(name, body):
            names[name] = Bound(value, outside)
        else:
            noted[name] = value
            names[name] = known(value.type, body, context.naming(names), name, apart=_denies(value, outside))
    return noted, context.naming(names)


def _denies(value: m.Expression, context: Context) -> bool:
    """Whether a condition is told by what is not so, which *that is so* could be taken to mean."""
    if isinstance(value, m.ValueRef) and value.type == CONDITION:
        body = context.meanings.value(value.value)[1]
        return body is not None and _denies(body, context)
    return isinstance(value, m.Not) or (isinstance(value, m.Compare) and value.operator == "!=")


def known(kind: Type, body: m.Body | None, context: Context, name: str = "", *, apart: bool = False) -> Known:
    """Something of a type that is named from here on: with a letter if it could be taken for another one.

    Where that is known already it is to be told `apart`.
    """
    before = sum(isinstance(each, Known) and _alike(each.type, kind) for each in context.names.values())
    alone = not before and not any(_alike(each, kind) for each in _named_later(body, context))
    ways = {AMOUNT: _comes_later, CONDITION: _asked_later}
    between = ways.get(kind, partial(_met_before, kind, context))
    alone = alone and not apart and not (body is not None and between(name, body))
    return Known(kind, "" if alone else chr(ord("A") + min(before, 25)))


def _comes_later(name: str, body: m.Body) -> bool:
    """Whether a number is used behind something that has nothing to do with it, and may be about another number."""
    uses = [_uses(name, each) > 0 for each in _told(body)]
    return any(used and not all(uses[:at]) for at, used in enumerate(uses))


def _asked_later(name: str, body: m.Body) -> bool:
    """Whether an answer is used behind another question, which could be taken for the one that was noted."""
    uses = [_uses(name, each) > 0 for each in _asked(body)]
    return any(used and not all(uses[:at]) for at, used in enumerate(uses))


def _asked(body: m.Body) -> Iterator[object]:
    """Everything that is asked in a body, in its order: conditions, and what filters and calls ask."""
    for part in walk(body):
        if isinstance(part, m.Branch):
            yield from (test for test, _ in part.arms)
        elif isinstance(part, m.Clause) and part.condition is not None:
            yield part.condition
        elif isinstance(part, m.Named | m.SeatRef) and part.where is not None:
            yield part.where
        elif isinstance(part, m.Act) and not part.verb.kernel:  # what it does may be written out
            yield from (each for _, each in part.arguments if each.type == CONDITION)
            yield part.verb


def _met_before(kind: Type, context: Context, name: str, body: m.Body) -> bool:
    """Whether something is used behind a call that is about another thing of its sort, which has no name."""
    met = False
    for each in _told(body):
        used = _uses(name, each) > 0
        others = _has_other_seat(each, name, context) if kind == SEAT else not used and _has_another(each, kind)
        met = met or others
        if used and met:
            return True
    return False


def _has_other_seat(told: object, name: str, context: Context) -> bool:
    """Whether somebody is told of who could be taken for a seat that was named."""
    verb = told[-1] if isinstance(told, tuple) and isinstance(told[-1], Verb) else None
    within = _body_of(verb.name, context) if verb is not None else None
    for each in (*walk(told), *written_out(within, context)):
        if isinstance(each, m.Expression) and each.type == SEAT:
            same = isinstance(each, m.Local) and each.name == name
            if not same and not (isinstance(each, m.SeatRef) and each.which in {"you", "owner"}):
                return True
    return False


def _has_another(told: object, kind: Type) -> bool:
    """Whether a call is about one thing of a type, or several, as the type says."""
    given = dict(told[0]) if isinstance(told, tuple) and isinstance(told[0], tuple) else {}
    number = given.get("n")
    one = number is None or (isinstance(number, m.Quantity) and number.amount == m.Constant(1))
    others = [each.type for each in given.values() if isinstance(each, m.Named)]
    verb = told[-1] if isinstance(told, tuple) else None
    if isinstance(verb, Verb) and not verb.kernel and verb.gives is not None:
        others.append(verb.gives)
    return one is not kind.many and any((each.name, each.of) == (kind.name, kind.of) for each in others)


def _told(part: object) -> Iterator[object]:
    """What calls, questions and choices of a body are about, in the order in which it is told."""
    match part:
        case m.Body():
            for step in (*(part.cost or ()), *part.steps):
                yield from _told(step)
        case m.Act():
            yield (part.arguments, part.per, part.verb)
            yield from _told(part.body)
        case m.Branch():
            for test, body in part.arms:
                if any(map(_numbers, walk(test))):
                    yield test
                yield from _told(body)
            yield from _told(part.otherwise)
        case m.Pick() | m.Each():
            yield (part.quantity, part.of) if isinstance(part, m.Pick) else part.of
            yield from _told(part.body)
        case m.Repeat():
            yield part.quantity
            yield from _told(part.body)
        case m.Choice() | m.AnyOrder():
            for body in part.bodies:
                yield from _told(body)
        case m.May():
            yield from _told(part.body)
        case m.Let():
            yield part.value
            yield from _told(part.body)
        case m.Until():
            yield part.event
            for clause in part.clauses:
                yield (clause.event, clause.condition, clause.modifier, clause.sight)
                yield from _told(clause.body)


def _numbers(part: object) -> bool:
    """Whether numbers are compared that `that many` could mean: not none and one."""
    if not isinstance(part, m.Compare) or part.left.type != AMOUNT:
        return False
    return not isinstance(part.right, m.Constant) or part.right.value > 1


def _alike(one: Type, two: Type) -> bool:
    """Whether words like `that card` could mean either."""
    return (one.name, one.of, one.many) == (two.name, two.of, two.many)


def _named_later(body: m.Body | None, context: Context) -> Iterator[Type]:
    """The types of everything that is named in a body, and in verbs of packs that are written out there."""
    for part in walk(body) if body is not None else ():
        if isinstance(part, m.Act):
            named = named_by(part)
            if named is not None:
                yield named
            yield from _named_within(part.verb.name, context) if not part.verb.kernel and not part.procedure else ()
        elif isinstance(part, m.Pick):
            yield part.of.type._replace(many=not picks_one(part))
        elif isinstance(part, m.Each) and part.name and part.of.type.name != "seat":
            yield part.of.type._replace(many=False)
        elif isinstance(part, m.EventPattern):
            for _, each in part.arguments:
                yield from (each.type._replace(many=False), each.type._replace(many=True))
            yield from _named_within(part.verb, context) if not part.moment else ()


def _named_within(verb: str, context: Context) -> Iterator[Type]:
    """What is named in a verb of a pack that has no phrase."""
    yield from _named_later(_body_of(verb, context), context)


def _body_of(verb: str, context: Context) -> m.Body | None:
    """What a verb of a pack does that has no phrase, and is told as that."""
    phrases = context.locale.phrases
    if verb in KERNEL_VERBS or f"verb.{verb}" in phrases or f"event.{verb}" in phrases:
        return None
    return context.meanings.verb(verb)[1]


def turns(act: m.Act, context: Context) -> bool:
    """Whether a verb of a pack that is told as what it does lets other seats act, for whom its arguments stay."""
    body = None if act.procedure else _body_of(act.verb.name, context)
    return any(isinstance(each, m.Each) and each.of.type.name == SEAT.name for each in written_out(body, context))


def written_out(body: m.Body | None, context: Context) -> Iterator[object]:
    """Every part of a body, and of the verbs of packs in it that are told as what they do."""
    for part in walk(body) if body is not None else ():
        yield part
        if isinstance(part, m.Act) and not part.procedure:
            yield from written_out(_body_of(part.verb.name, context), context)


def named_by(act: m.Act) -> Type | None:
    """What a call names: of the type that is known of it where it is used."""
    if not act.name or act.verb.gives is None:
        return None
    used = (each.type for each in walk(act.body) if isinstance(each, m.Local) and each.name == act.name)
    return next(used, act.verb.gives)


def picks_one(pick: m.Pick) -> bool:
    """Whether a pick is one thing and not a group."""
    quantity = pick.quantity
    return quantity.amount == m.Constant(1) and quantity.mode in {"exactly", "up to", "random"}


def _steady(value: m.Expression) -> bool:
    if value.type.name in {"amount", "condition"}:
        return isinstance(value, m.Constant | m.Local | m.OptionRef | m.Always)
    return isinstance(value, (*_STEADY, m.Local, m.Named))


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
    return _uses(name, body) > sum(_uses(name, each) for each in early)


def _uses(name: str, part: object) -> int:
    return sum(isinstance(each, m.Local) and each.name == name for each in walk(part))
