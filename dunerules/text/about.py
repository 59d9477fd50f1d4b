"""What steps are about: whether something is left to do where a choice found nothing, or something is not there."""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.text.binding import picks_one

__all__ = ["is_about", "needs"]


def needs(pick: m.Pick) -> bool:
    """Whether all that follows is about what was chosen, or there is always something to choose."""
    of = pick.of
    everything = isinstance(of, m.SeatRef | m.Named) and of.where is None and of.type.name in {"seat", "label", "place"}
    if everything and (pick.quantity.mode == "all" or _some(pick.quantity)):
        return True
    return is_about(pick.body, pick.name, group=not picks_one(pick))


def _some(quantity: m.Quantity) -> bool:
    """Whether it is a number above zero, and not one that the seat may make smaller."""
    number = quantity.amount.value if isinstance(quantity.amount, m.Constant) else 0
    return number > 0 and quantity.mode in {"exactly", "random", "blind"}


def is_about(step: m.Step, name: str, *, group: bool = False) -> bool:
    """Whether nothing of a step can be done without what a name stands for.

    Nothing is paid with what is not there, but none of a `group` could be taken to be paid at once.
    """
    asked: tuple[object, ...] = ()
    within: tuple[m.Body, ...] = ()
    match step:
        case m.Act():
            asked = (step.arguments, step.per)
        case m.Body():
            bought = step.steps if step.cost is None or group else ()
            return all(is_about(each, name, group=group) for each in (*(step.cost or ()), *bought))
        case m.Choice():
            within = step.bodies
        case m.AnyOrder():
            within = step.bodies
        case m.Branch():
            otherwise = () if step.otherwise is None else (step.otherwise,)
            within = (*(body for _, body in step.arms), *otherwise)
        case m.May():
            within = (step.body,)
        case m.Pick() | m.Each():
            asked, within = (step.of,), (step.body,)
        case m.Repeat():
            asked = (step.quantity,) if step.condition is None else (step.quantity, step.condition)
            within = (step.body,)
        case m.Let():
            asked, within = (step.value,), (step.body,)
        case m.Until():
            asked = (step,)
    if any(isinstance(each, m.Local) and each.name == name for part in asked for each in walk(part)):
        return not isinstance(step, m.Act | m.Let) or _goes_on(step, name, group=group)
    return bool(within) and all(is_about(body, name, group=group) for body in within)


def _goes_on(step: m.Act | m.Let, name: str, *, group: bool) -> bool:
    """Whether what is done behind a step is about the same, or about what came of it."""
    behind = (*(step.body.cost or ()), *step.body.steps) if step.body is not None else ()
    return all(any(is_about(each, known, group=group) for known in (name, step.name)) for each in behind)
