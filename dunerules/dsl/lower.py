"""Meaning to programs: verbs of packs are written out, locals become slots, structure becomes jumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.vocabulary import Parameter
from dunerules.dsl.walk import walk

__all__ = ["Definitions", "lower", "slot_name", "slot_number"]

Definitions = Mapping[str, tuple[tuple[Parameter, ...], m.Body, str]]
"""The verbs of packs: parameters, bodies, and the texts they come from."""

_Names = dict[str, m.Expression]


def slot_name(number: int) -> str:
    """How a slot is called inside a lowered expression."""
    return f"#{number}"


def slot_number(local: m.Local) -> int:
    """The slot a lowered local stands for."""
    return int(local.name[1:])


def lower(
    body: m.Body,
    verbs: Definitions,
    parameters: tuple[str, ...] = (),
    text: str = "",
    kinds: Mapping[str, Type] | None = None,
    *,
    cost: bool = False,
) -> p.Program:
    """The program of a body written as `text`; `cost` says that all of it is one. `kinds` are types of parameters."""
    kinds = kinds or {}
    lowering = _Lowering(verbs, text, paying=cost)
    names: _Names = {}
    for name in parameters:
        names[name] = lowering.slot(kinds.get(name, Type("unknown")))
    lowering.body(body, names)
    return p.Program(tuple(lowering.code), lowering.slots, parameters, tuple(lowering.said))


class _Lowering:
    """Code being written. Targets of jumps are filled in when they are known."""

    def __init__(self, verbs: Definitions, text: str, *, paying: bool) -> None:
        self.verbs = verbs
        self.text = text
        self.paying = paying
        self.code: list[p.Code] = []
        self.said: list[p.Said] = []
        self.around: m.Act | None = None
        """The verb of a pack that is being written out: what people call the kernel verbs in it."""
        self.slots = 0

    def slot(self, kind: Type) -> m.Local:
        self.slots += 1
        return m.Local(slot_name(self.slots - 1), kind)

    def number(self) -> int:
        self.slots += 1
        return self.slots - 1

    def add(self, code: p.Code) -> int:
        self.code.append(code)
        return len(self.code) - 1

    def say(self, at: int, steps: tuple[m.Step, ...], names: _Names) -> int:
        """Keep what the code at `at` is about, for whoever is asked there."""
        self.said.append(p.Said(at, steps, names))
        return at

    def patch(self, at: int, **targets: Any) -> None:
        self.code[at] = replace(self.code[at], **targets)

    @property
    def here(self) -> int:
        return len(self.code)

    # ---- bodies and steps

    def body(self, body: m.Body, names: _Names, result: m.Local | None = None) -> None:
        """Code for a body; what its last step gives goes to `result`."""
        if body.cost is None:
            self.steps(body.steps, names, result)
            return
        arrow = self.say(self.add(p.Arrow(0, 0)), (body,), names)
        outside, self.paying = self.paying, True
        self.steps(body.cost, names)
        self.paying = outside
        self.patch(arrow, paid=self.here)
        self.steps(body.steps, names, result)
        self.patch(arrow, end=self.here)

    def steps(self, steps: tuple[m.Step, ...], names: _Names, result: m.Local | None = None) -> None:
        for index, step in enumerate(steps):
            if isinstance(step, m.Act):
                self.act(step, names, result if index == len(steps) - 1 else None)
            else:
                _STEPS[type(step)](self, step, names)

    def act(self, act: m.Act, names: _Names, result: m.Local | None) -> None:
        arguments = tuple((name, rewrite(value, names)) for name, value in act.arguments)
        if result is None and act.body is not None:
            result = self.slot(act.verb.gives or Type("thing"))
        if act.procedure:
            self.add(p.Call(act.verb.name, arguments))
        elif act.verb.kernel:
            per = (act.per.each, rewrite(act.per.of, names)) if act.per is not None else None
            slot = slot_number(result) if result is not None else -1
            do = self.add(p.Do(act.verb.name, arguments, slot, per, self.paying))
            self.say(do, (self.around,) if self.around is not None else (act,), names)
        else:
            self.macro(act, arguments, names, result)
        if act.body is not None and result is not None:
            self.body(act.body, {**names, act.name: result})

    def macro(self, act: m.Act, arguments: p.Arguments, names: _Names, result: m.Local | None) -> None:
        """A verb of a pack, written out in place with its arguments for its parameters."""
        parameters, body, text = self.verbs[act.verb.name]
        given = dict(arguments)
        if act.per is not None and "n" in given:
            counted = rewrite(act.per.of, names)
            times = m.Extreme("per", (counted, m.Constant(act.per.each)))
            given["n"] = m.Arithmetic((("+", _amount(given["n"])), ("*", times)))
        inner: _Names = {}
        for parameter in parameters:
            value = given.get(parameter.name)
            if value is not None:
                inner[parameter.name] = self.kept(value)
        told = tuple((name, inner[name]) for name in given if name in inner)
        instead = self.add(p.Instead(act.verb.name, told, 0))
        around = self.text, self.around
        self.text, self.around = text, replace(act, arguments=told, per=None, name="", body=None)
        self.body(body, inner, result)
        self.text, self.around = around
        self.add(p.Emit(act.verb.name, told))
        self.patch(instead, end=self.here)

    def kept(self, value: m.Expression) -> m.Expression:
        """An argument as it can be used several times: a computed amount is computed once."""
        amount = value.amount if isinstance(value, m.Quantity) else value
        if not isinstance(amount, (m.Arithmetic, m.CounterRef, m.PieceRef, m.Count, m.Extreme, m.Total, m.ValueRef)):
            return value
        if amount.type.name != "amount":
            return value
        slot = self.slot(amount.type)
        self.add(p.Assign(self.slots - 1, amount))
        return replace(value, amount=slot) if isinstance(value, m.Quantity) else slot

    def branch(self, node: m.Branch, names: _Names) -> None:
        ends = []
        for condition, body in node.arms:
            unless = self.add(p.Unless(rewrite(condition, names), 0))
            self.body(body, names)
            ends.append(self.add(p.Jump(0)))
            self.patch(unless, to=self.here)
        if node.otherwise is not None:
            self.body(node.otherwise, names)
        for end in ends:
            self.patch(end, to=self.here)

    def choice(self, node: m.Choice, names: _Names) -> None:
        slot = self.number()
        choose = self.add(p.Choose(_quantity(node.quantity, names), (), slot, 0, self.labels(node.bodies)))
        self.say(choose, node.bodies, names)
        following = self.add(p.NextChosen(slot, (), 0))
        targets = self.options(node.bodies, names, following)
        self.patch(choose, targets=targets, end=self.here)
        self.patch(following, targets=targets, end=self.here)

    def labels(self, bodies: tuple[m.Body, ...]) -> tuple[str, ...]:
        return tuple(" ".join(self.text[body.span[0] : body.span[1]].split()) for body in bodies)

    def options(self, bodies: tuple[m.Body, ...], names: _Names, back: int) -> tuple[int, ...]:
        targets = []
        for body in bodies:
            targets.append(self.here)
            self.body(body, names)
            if body.cost is not None:
                self.patch(targets[-1], chosen=True)
            self.add(p.Jump(back))
        return tuple(targets)

    def pick(self, node: m.Pick, names: _Names) -> None:
        quantity = _quantity(node.quantity, names)
        single = isinstance(quantity.amount, m.Constant) and quantity.amount.value == 1
        item = self.slot(node.of.type)
        pick = self.add(p.PickThings(quantity, rewrite(node.of, names), self.slots - 1, single, 0))
        self.say(pick, (node,), names)
        self.body(node.body, {**names, node.name: item})
        self.patch(pick, end=self.here)

    def may(self, node: m.May, names: _Names) -> None:
        may = self.say(self.add(p.May(0)), (node.body,), names)
        self.body(node.body, names)
        self.patch(may, end=self.here)

    def each(self, node: m.Each, names: _Names) -> None:
        of = rewrite(node.of, names)
        seats = node.of.type.name == SEAT.name
        seat = self.number()
        if node.mode == "secretly":
            item = self.slot(node.of.type)
            start = self.add(p.Secret(of, self.slots - 1, 0))
            self.body(node.body, _named(node, item, names))
            self.patch(start, end=self.here)
            return
        if node.mode == "each":
            queue = self.number()
            self.add(p.EachStart(of, queue, seat))
            item = self.slot(node.of.type)
            start = self.add(p.EachNext(queue, self.slots - 1, seats, 0))
        elif node.mode == "around":
            state = self.number()
            self.add(p.EachStart(of, state, seat))
            item = self.slot(node.of.type)
            start = self.add(p.Around(of, state, self.slots - 1, 0))
        else:
            done = self.number()
            self.add(p.EachStart(of, done, seat))
            item = self.slot(node.of.type)
            start = self.add(p.OrderEach(of, node.offering, done, self.slots - 1, 0))
            self.say(start, (node.body,), _named(node, item, names))
        self.body(node.body, _named(node, item, names))
        self.add(p.Jump(start))
        self.patch(start, end=self.here)
        if seats:
            self.add(p.Restore(seat))

    def any_order(self, node: m.AnyOrder, names: _Names) -> None:
        done = self.number()
        self.add(p.Assign(done, m.Constant(0)))
        order = self.add(p.Order((), node.offering, done, 0, self.labels(node.bodies)))
        self.say(order, node.bodies, names)
        targets = self.options(node.bodies, names, order)
        self.patch(order, targets=targets, end=self.here)

    def repeat(self, node: m.Repeat, names: _Names) -> None:
        slot = self.number()
        self.add(p.Assign(slot, _amount(_quantity(node.quantity, names))))
        following = self.add(p.RepeatNext(slot, 0))
        self.body(node.body, names)
        self.add(p.Jump(following))
        self.patch(following, end=self.here)

    def let(self, node: m.Let, names: _Names) -> None:
        slot = self.slot(node.value.type)
        self.add(p.Assign(self.slots - 1, rewrite(node.value, names)))
        self.body(node.body, {**names, node.name: slot})

    def until(self, node: m.Until, names: _Names) -> None:
        used = [each.name for part in (node.event, *node.clauses) for each in walk(part) if isinstance(each, m.Local)]
        kept = []
        for name in dict.fromkeys(used):
            value = names.get(name)
            if value is not None:
                slot = self.number()
                self.add(p.Assign(slot, value))
                kept.append((name, slot))
        names_kept = tuple(name for name, _ in kept)
        programs = tuple(
            lower(clause.body, self.verbs, names_kept, self.text) if clause.body is not None else None
            for clause in node.clauses
        )
        self.add(p.Lasting(node.event, node.clauses, tuple(kept), programs))

    def block(self, node: m.Body, names: _Names) -> None:
        self.body(node, names)


_STEPS: dict[type, Callable[[_Lowering, Any, _Names], None]] = {
    m.AnyOrder: _Lowering.any_order,
    m.Body: _Lowering.block,
    m.Branch: _Lowering.branch,
    m.Choice: _Lowering.choice,
    m.Each: _Lowering.each,
    m.Let: _Lowering.let,
    m.May: _Lowering.may,
    m.Pick: _Lowering.pick,
    m.Repeat: _Lowering.repeat,
    m.Until: _Lowering.until,
}


def _named(node: m.Each, item: m.Local, names: _Names) -> _Names:
    return {**names, node.name: item} if node.name else names


def _quantity(node: m.Quantity, names: _Names) -> m.Quantity:
    found = rewrite(node, names)
    assert isinstance(found, m.Quantity)
    return found


def _amount(node: m.Expression) -> m.Expression:
    if isinstance(node, m.Quantity):
        return node.amount if node.amount is not None else m.Constant(0)
    return node


def rewrite(node: Any, names: _Names) -> Any:
    """An expression with its locals replaced: by slots, or by the arguments of the verb being written out."""
    if isinstance(node, m.Local):
        found = names.get(node.name, node)
        # a slot has the type of what it stands for
        return replace(found, type=node.type) if isinstance(found, m.Local) else found
    if isinstance(node, m.Quantity) and isinstance(node.amount, m.Local):
        given = names.get(node.amount.name)
        if isinstance(given, m.Quantity):
            return given  # `move n ...` inside a verb that was called with `up to 2`
    if isinstance(node, tuple):
        return tuple(rewrite(part, names) for part in node)
    if not is_dataclass(node) or isinstance(node, (Type, type)):
        return node
    changes = {}
    for each in fields(node):
        before = getattr(node, each.name)
        if each.name not in {"span", "name_span", "type"}:
            after = rewrite(before, names)
            if after is not before and after != before:
                changes[each.name] = after
    return replace(node, **changes) if changes else node
