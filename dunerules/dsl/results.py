"""What verbs give: what `as` names."""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, PIECE, Type, many, one
from dunerules.dsl.walk import walk

__all__ = ["giving_step", "result_type"]


def result_type(act: m.Act) -> Type | None:
    """The amount for counters and pieces, the objects themselves for objects; of a verb of a pack, what it gives."""
    gives = act.verb.gives
    if gives is None or not act.verb.kernel:
        return gives
    arguments = dict(act.arguments)
    what = arguments.get("what")
    if isinstance(what, m.CounterRef) and what.type != AMOUNT:
        return None  # a counter that points at something does not change by a number
    if gives.name != "thing":
        return gives
    if what is not None and what.type == PIECE:
        return AMOUNT
    if what is not None and what.type.name == "thing":
        gives = many(one(what.type))
    return one(gives) if _is_one(act, arguments.get("n"), what) else gives


def _is_one(act: m.Act, quantity: m.Expression | None, what: m.Expression | None) -> bool:
    """Whether exactly one is asked for: not as many as `per` counts, unless there is only one."""
    if act.per is not None and (what is None or what.type.many or isinstance(what, (m.Named, m.ObjectRef, m.FieldRef))):
        return False
    if not isinstance(quantity, m.Quantity):
        return what is not None and what.type.name == "thing" and not what.type.many
    if quantity.mode in {"up to", "any", "all"}:
        return False
    return isinstance(quantity.amount, m.Constant) and quantity.amount.value == 1


def giving_step(body: m.Body) -> m.Act | None:
    """The one step of a verb of a pack that gives something: the only one, and one that is always done.

    What follows in the braces of its own `as` does not count.
    """
    giving = [step for step in body.steps if isinstance(step, m.Act) and result_type(step) is not None]
    others = [step for step in body.steps if not isinstance(step, m.Act)]
    inside = any(isinstance(each, m.Act) and result_type(each) is not None for step in others for each in walk(step))
    return giving[0] if len(giving) == 1 and not inside and body.cost is None else None
