"""Names for values: told where they are used, or noted beforehand where what is done in between may change them."""

from __future__ import annotations

from collections.abc import Mapping

from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from dunerules.dsl.walk import walk
from dunerules.text.context import Bound, Context
from dunerules.text.grammar import NounPhrase

__all__ = ["bound"]

_STEADY = (m.Constant, m.ObjectRef, m.SeatRef, m.Special, m.WordRef, m.ZoneRef, m.CounterRef, m.SlotRef, m.Quantity)
"""What a name may always stand for: things that do not change, and places where something lies.

A counter is one where a counter is wanted; where a number is, it is asked for below.
"""


def bound(
    given: Mapping[str, m.Expression], body: m.Body, context: Context, outside: Context | None = None
) -> tuple[list[m.Expression], Context]:
    """What must be noted before a body, and the context of the body; `outside` is where the values are meant."""
    outside = context if outside is None else outside
    noted: list[m.Expression] = []
    names: dict[str, Bound | NounPhrase | Type] = {}
    for name, value in given.items():
        if _steady(value) or not _late(name, body):
            names[name] = Bound(value, outside)
        else:
            noted.append(value)
            names[name] = value.type
    return noted, context.naming(names)


def _steady(value: m.Expression) -> bool:
    if value.type.name in {"amount", "condition"}:
        return isinstance(value, m.Constant | m.Local | m.OptionRef | m.Always)
    return isinstance(value, (*_STEADY, m.Local, m.Named))


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
