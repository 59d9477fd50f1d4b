"""Trees that have the same steps and conditions as a meant one, put together in another way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.walk import changed, walk
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.text.context import Context
from dunerules.text.facts import must_be_there
from dunerules.text.meanings import Meanings

__all__ = ["STRUCTURE", "put_together"]

Change: TypeAlias = tuple[str, Any]

STRUCTURE = {
    "scope", "scope before", "price", "otherwise if", "whose otherwise", "nested choice", "whether it is there",
    "what is told", "which name",
}  # fmt: skip
"""The names of these changes."""


def put_together(node: Any, meanings: Meanings) -> Iterator[Change]:
    """Every other way to put the parts of a node together."""
    match node:
        case m.Body():
            yield from _scope(node)
            yield from _paid(node)
        case m.Branch():
            yield from _otherwise(node)
        case m.Choice():
            yield from _nested(node)
        case m.Act() if not node.verb.kernel and not node.procedure:
            yield from _there(node, meanings)
        case m.Clause():
            yield from _told(node)
    if isinstance(node, m.Act | m.Pick | m.Let) and node.body is not None and node.name:
        yield from _named(node)


def _one(quantity: m.Quantity) -> bool:
    return quantity == m.Quantity("exactly", m.Constant(1))


def _scope(body: m.Body) -> Iterator[Change]:
    """A step beside a choice, a condition or a price becomes a part of it."""
    for at in range(len(body.steps) - 1):
        one, two = body.steps[at : at + 2]
        for name, inside in (("scope", _with_more(one, two)), ("scope before", _with_first(two, one))):
            if inside is not None:
                yield name, replace(body, steps=(*body.steps[:at], inside, *body.steps[at + 2 :]))


def _with_more(step: m.Step, more: m.Step) -> m.Step | None:
    """A step with another one as the last of what it does; nothing for one that does nothing by itself."""

    def body(of: m.Body) -> m.Body:
        return replace(of, steps=(*of.steps, more))

    match step:
        case m.Branch() if step.otherwise is not None:
            return replace(step, otherwise=body(step.otherwise))
        case m.Branch():
            test, last = step.arms[-1]
            return replace(step, arms=(*step.arms[:-1], (test, body(last))))
        case m.Each() | m.Repeat() | m.May():
            return replace(step, body=body(step.body))
        case m.Choice() | m.AnyOrder():
            return replace(step, bodies=(*step.bodies[:-1], body(step.bodies[-1])))
        case m.Body() if step.cost is not None:
            return body(step)
        case _:
            return None


def _with_first(step: m.Step, more: m.Step) -> m.Step | None:
    """A step with another one as the first of what it costs, or of its first option."""
    match step:
        case m.Body() if step.cost is not None:
            return replace(step, cost=(more, *step.cost))
        case m.Choice():
            first = step.bodies[0]
            steps, cost = (more, *first.steps), None
            if first.cost is not None:
                steps, cost = first.steps, (more, *first.cost)
            return replace(step, bodies=(m.Body(steps, cost), *step.bodies[1:]))
        case _:
            return None


def _paid(body: m.Body) -> Iterator[Change]:
    """What buys something inside a step buys it outside."""
    if body.cost is not None or not body.steps:
        return
    *before, last = body.steps
    for price, bought in _prices(last):
        yield "price", m.Body(bought.steps, (*before, price))
        if before:
            yield "price", replace(body, steps=(*before, m.Body(bought.steps, (price,))))


def _prices(step: m.Step) -> Iterator[tuple[m.Step, m.Body]]:
    """The step with the price that its last part has as what is done, and what that price buys."""
    match step:
        case m.Act() | m.Each() | m.Pick() if step.body is not None and step.body.cost is not None:
            name = step.name
            if not any(isinstance(part, m.Local) and part.name == name for part in walk(step.body.steps)):
                yield replace(step, body=m.Body(step.body.cost)), m.Body(step.body.steps)
        case m.Branch():
            test, last = step.arms[-1]
            if step.otherwise is not None and step.otherwise.cost is not None:
                yield replace(step, otherwise=m.Body(step.otherwise.cost)), m.Body(step.otherwise.steps)
            elif step.otherwise is None and last.cost is not None:
                yield replace(step, arms=(*step.arms[:-1], (test, m.Body(last.cost)))), m.Body(last.steps)
        case m.Choice():
            last = step.bodies[-1]
            if last.cost is not None:
                yield replace(step, bodies=(*step.bodies[:-1], m.Body(last.cost))), m.Body(last.steps)


def _otherwise(branch: m.Branch) -> Iterator[Change]:
    """Conditions that are asked whatever the others say, and whose `otherwise` it is."""
    if len(branch.arms) > 1:
        first, rest = m.Branch(branch.arms[:1], None), replace(branch, arms=branch.arms[1:])
        yield "otherwise if", m.Body((first, rest))
    test, last = branch.arms[-1]
    inner = last.steps[0] if last.cost is None and len(last.steps) == 1 else None
    if isinstance(inner, m.Branch) and (inner.otherwise is None) != (branch.otherwise is None):
        arm = (test, m.Body((replace(inner, otherwise=branch.otherwise),)))
        yield "whose otherwise", replace(branch, arms=(*branch.arms[:-1], arm), otherwise=inner.otherwise)


def _nested(choice: m.Choice) -> Iterator[Change]:
    """The options of a choice inside an option become options of the outer one."""
    for at, option in enumerate(choice.bodies):
        last = option.steps[-1] if option.cost is None and len(option.steps) > 1 else None
        if isinstance(last, m.Choice) and _one(last.quantity):
            first = m.Body((*option.steps[:-1], *last.bodies[0].steps), last.bodies[0].cost)
            if last.bodies[0].cost is None:
                bodies = (*choice.bodies[:at], first, *last.bodies[1:], *choice.bodies[at + 1 :])
                yield "nested choice", replace(choice, bodies=bodies)


def _there(act: m.Act, meanings: Meanings) -> Iterator[Change]:
    """A verb that is about somebody or somewhere that is always there."""
    context = Context(Locale("", Lexicon("")), meanings)
    wanted = {each.name: each.types[0] for each in act.verb.parameters}
    for at, (name, value) in enumerate(act.arguments):
        sure = _sure(wanted[name], value.type, meanings)
        if sure is not None and must_be_there(value, wanted[name].name, context):
            given = (*act.arguments[:at], (name, sure), *act.arguments[at + 1 :])
            yield "whether it is there", replace(act, arguments=given)


def _sure(wanted: Type, kind: Type, meanings: Meanings) -> m.Expression | None:
    if wanted.name == "seat":
        return m.SeatRef("you", SEAT)
    if wanted.name in {"place", "label"} and kind.of:
        return m.ObjectRef(kind.of, sorted(meanings.words.members(kind.of))[0], kind)
    return None


def _told(clause: m.Clause) -> Iterator[Change]:
    """Something else that an event tells."""
    given = dict(clause.event.told) if clause.event is not None else {}
    for name, kind in given.items():
        others = [other for other, same in given.items() if other != name and same == kind]
        if others and kind.name == "amount":
            yield "what is told", _renamed(clause, name, others[0])


def _named(node: Any) -> Iterator[Change]:
    """What was named before, and not what was named last."""
    outer = _type_of(node.name, node.body)
    for part in walk(node.body):
        if isinstance(part, m.Let) and isinstance(part.value, m.Local):  # another name for the same
            continue
        if isinstance(part, m.Act | m.Pick | m.Let) and part.body is not None and part.name not in {"", node.name}:
            inner = _type_of(part.name, part.body)
            if inner is not None and inner == outer:
                yield "which name", replace(node, body=_renamed(node.body, part.name, node.name))


def _type_of(name: str, body: m.Body) -> Type | None:
    return next((each.type for each in walk(body) if isinstance(each, m.Local) and each.name == name), None)


def _renamed(tree: Any, name: str, other: str) -> Any:
    if isinstance(tree, m.Local) and tree.name == name:
        return replace(tree, name=other)
    return changed(tree, lambda each: _renamed(each, name, other))
