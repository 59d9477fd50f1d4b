"""What was named: by a letter if it could be taken for another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.vocabulary import Verb
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.text.context import Context, Known

__all__ = ["known", "named_by", "picks_one", "turns", "uses", "written_out"]


def known(kind: Type, body: m.Body | None, context: Context, name: str = "", *, apart: bool = False) -> Known:
    """Something of a type that is named from here on: with a letter if it could be taken for another one.

    Where that is known already it is to be told `apart`.
    """
    before = sum(isinstance(each, Known) and _alike(each.type, kind) for each in context.names.values())
    alone = not before and not any(_alike(each, kind) for each in _named_later(body, context))
    ways: dict[Type, Callable[[str, m.Body], bool]] = {AMOUNT: partial(_comes_later, context), CONDITION: _asked_later}
    between = ways.get(kind, partial(_met_before, kind, context))
    alone = alone and not apart and not (body is not None and between(name, body))
    return Known(kind, "" if alone else chr(ord("A") + min(before, 25)))


def _comes_later(context: Context, name: str, body: m.Body) -> bool:
    """Whether a number is used behind something that has nothing to do with it, and may be about another number."""
    used_in = list(_mentions({name}, body, context))
    return any(used and not all(used_in[:at]) for at, used in enumerate(used_in))


def _mentions(names: set[str], body: m.Body, context: Context) -> Iterator[bool]:
    """Whether what is told one after the other is about one of some names, also in verbs that are written out."""
    for each in _told(body):
        used = any(uses(name, each) for name in names)
        within = _body_told(each, context)
        if within is None or not used:
            yield used
        else:
            given = {name for name, value in _given(each).items() if any(uses(known, value) for known in names)}
            yield from _mentions(given, within, context)


def _body_told(told: object, context: Context) -> m.Body | None:
    """What a call does, if it is told as that."""
    verb = told[-1] if isinstance(told, tuple) else None
    return _body_of(verb.name, context) if isinstance(verb, Verb) else None


def _given(told: object) -> dict[str, m.Expression]:
    """The arguments of a call."""
    return dict(told[0]) if isinstance(told, tuple) and isinstance(told[0], tuple) else {}


def _asked_later(name: str, body: m.Body) -> bool:
    """Whether an answer is used behind another question, which could be taken for the one that was noted."""
    used_in = [uses(name, each) > 0 for each in _asked(body)]
    return any(used and not all(used_in[:at]) for at, used in enumerate(used_in))


def _asked(body: m.Body) -> Iterator[object]:
    """Everything that is asked in a body, in its order: conditions, and what filters and calls ask."""
    for part in walk(body):
        if isinstance(part, m.Branch):
            yield from (test for test, _ in part.arms)
        elif isinstance(part, m.Clause | m.Repeat) and part.condition is not None:
            yield part.condition
        elif (asked := m.asked_of_each(part)) is not None:
            yield asked[0]
        elif isinstance(part, m.Act) and not part.verb.kernel:  # what it does may be written out
            yield from (each for _, each in part.arguments if each.type == CONDITION)
            yield part.verb


def _met_before(kind: Type, context: Context, name: str, body: m.Body) -> bool:
    """Whether something is used behind a call that is about another thing of its sort, which has no name."""
    met = False
    for each in _told(body):
        used = uses(name, each) > 0
        others = _has_other_seat(each, name, context) if kind == SEAT else _is_beside(each, kind, context, used=used)
        met = met or others
        if used and met:
            return True
    return False


def _has_other_seat(told: object, name: str, context: Context) -> bool:
    """Whether somebody is told of who could be taken for a seat that was named."""
    for each in (*walk(told), *written_out(_body_told(told, context), context)):
        if isinstance(each, m.Expression) and each.type == SEAT:
            same = isinstance(each, m.Local) and each.name == name
            if not same and not (isinstance(each, m.SeatRef) and each.which in {"you", "owner"}):
                return True
    return False


def _is_beside(told: object, kind: Type, context: Context, *, used: bool) -> bool:
    """Whether a call is about other things of a type than what was named, itself or in what it does."""
    within = (part for part in written_out(_body_told(told, context), context) if isinstance(part, m.Act))
    inner = any(_has_another((part.arguments, part.per, part.verb), kind) for part in within)
    return inner or (not used and _has_another(told, kind))


def _has_another(told: object, kind: Type) -> bool:
    """Whether a call is about one thing of a type, or several, as the type says."""
    given = _given(told)
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
            if part.condition is not None:
                yield part.condition
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


def written_out(body: object, context: Context) -> Iterator[object]:
    """Every part of something, and of the verbs of packs in it that are told as what they do."""
    for part in walk(body):
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
    return quantity.amount == m.Constant(1) and quantity.mode in {"exactly", "up to", "random", "blind"}


def uses(name: str, part: object) -> int:
    """How often a name is used in something."""
    return sum(isinstance(each, m.Local) and each.name == name for each in walk(part))
