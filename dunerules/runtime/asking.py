"""What a pending decision is about: the steps behind it as they are meant, with the things of this moment filled in.

A decision says which options there are. To put it to people one also wants to know why it is asked: which effect, with
which cost, of which object. All of that is read off the program that asks; nothing is written down twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import rewrite
from dunerules.dsl.types import Type
from dunerules.dsl.walk import walk
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import Frame, State
from dunerules.runtime.verbs import group_offered
from dunerules.runtime.views import can_see

__all__ = ["Asking", "asking", "bodies_of", "grounded", "offered_group", "reaction_of", "secret"]

_SINGLE = frozenset({"thing", "place", "label"})


@dataclass(frozen=True, slots=True)
class Asking:
    """The code that asks, the steps it is about, and the group of moves it offers, if any."""

    code: p.Code
    steps: tuple[m.Step, ...]
    group: str
    seats: tuple[tuple[str, int], ...] = ()
    """By name: the seats that the steps speak of and that are known by now."""


def asking(machine: Machine, state: State) -> Asking | None:
    """What the pending decision is about; nothing if nobody is asked, or nobody said more than the options do."""
    if state.pending is None or not state.frames:
        return None
    frame = state.frames[-1]
    program = machine.programs[frame.program]
    if not program.code:  # the order of reactions: the options say all
        return None
    code = program.code[frame.pc]
    said = next((each for each in program.said if each.pc == frame.pc), None)
    ground = _Ground(machine, state, frame)
    steps = tuple(ground.step(rewrite(step, dict(said.names))) for step in said.steps) if said is not None else ()
    return Asking(code, steps, offered_group(program.code, frame.pc), tuple(ground.seats(steps)))


def bodies_of(machine: Machine, state: State, item: int) -> tuple[m.Step, ...]:
    """What would be done with one of the things that are gone through in any order."""
    frame = state.frames[-1]
    program = machine.programs[frame.program]
    code = program.code[frame.pc]
    said = next((each for each in program.said if each.pc == frame.pc), None)
    if said is None or not isinstance(code, p.OrderEach):
        return ()
    other = frame.copy()
    other.slots[code.item] = item
    ground = _Ground(machine, state, other)
    return tuple(ground(rewrite(step, dict(said.names))) for step in said.steps)


def reaction_of(machine: Machine, state: State, number: int) -> m.Body | None:
    """What a lasting reaction would do that waits for its turn; nothing for a reaction that stands on an object."""
    asking = state.frames[-1]
    program, owner, this, here, slots, _ = asking.slots[0][number]
    clause, _ = machine.clauses.get(program, (None, ""))
    if clause is None or clause.body is None:
        return None
    found = machine.programs[program]
    frame = Frame(program, asking.you, owner, this, here, [*slots, *[0] * (found.slots - len(slots))])
    body: m.Body = _Ground(machine, state, frame)(numbered(clause.body, found.parameters))
    return body


def grounded(machine: Machine, state: State, frame: Frame, node: Any) -> Any:
    """An expression or step with slots, and with what is in them filled in."""
    return _Ground(machine, state, frame)(node)


def offered_group(code: tuple[p.Code, ...], at: int) -> str:
    """The group of moves that is offered where a program stands."""
    for each in code[at : at + 2]:
        if isinstance(each, (p.Order, p.OrderEach)):
            return each.offering
        if group_offered(each):
            return group_offered(each)
    return ""


def secret(machine: Machine, state: State) -> bool:
    """Whether the pending question is one of those that several seats answer at once, in secret."""
    return any(frame.program in machine.strands for frame in state.frames)


class _Ground:
    """Fills in what is known now: slots, fields of known things, amounts. What is bound later stays open."""

    def __init__(self, machine: Machine, state: State, frame: Frame) -> None:
        self.machine = machine
        self.state = state
        self.frame = frame

    def __call__(self, node: Any) -> Any:
        if type(node) is tuple:
            return tuple(self(part) for part in node)
        if not is_dataclass(node) or isinstance(node, type) or type(node).__name__ == "Verb":
            return node
        if isinstance(node, m.Branch):
            node = self._branch(node)
        known = self._known(node)
        if known is not None:
            return known
        changes = {}
        for each in fields(node):
            if each.name not in {"span", "name_span", "type"}:
                before = getattr(node, each.name)
                after = self(before)
                if after is not before and after != before:
                    changes[each.name] = after
        return replace(node, **changes) if changes else node

    def _branch(self, node: m.Branch) -> m.Branch | m.Body:
        """Conditions on what is printed on known things are settled: only the arm that applies is left."""
        arms = []
        for condition, body in node.arms:
            if not self._settled(condition) or not _printed(condition):
                arms.append((condition, body))
            elif self._value(condition):
                return replace(node, arms=tuple(arms), otherwise=body) if arms else body
        return replace(node, arms=tuple(arms)) if arms else node.otherwise or m.Body(())

    def step(self, node: m.Step) -> Any:
        """A step that is about to be done: its amounts are known too."""
        if isinstance(node, m.Act):
            given = tuple((name, self._amount(value)) for name, value in node.arguments)
            return self(replace(node, arguments=given))
        if isinstance(node, m.Pick):
            return self(replace(node, quantity=self._amount(node.quantity)))
        return self(node)

    def seats(self, steps: tuple[m.Step, ...]) -> Iterator[tuple[str, int]]:
        """The names of single seats in some steps, with the seats they stand for."""
        found = {each.name: each for step in steps for each in walk(step) if isinstance(each, m.Local)}
        for name, each in found.items():
            if each.type.name == "seat" and not each.type.many and _closed(each):
                number = self._value(each)
                if isinstance(number, int) and number >= 0:
                    yield name, number

    def _settled(self, node: Any) -> bool:
        """Whether everything in an expression is known now, and may be known to whoever is asked."""
        return _closed(node) and not any(self._unseen(each) for each in walk(node))

    def _unseen(self, node: Any) -> bool:
        """Whether a name stands for an object that the seat that is asked cannot see."""
        pending = self.state.pending
        if pending is None or not isinstance(node, m.Local) or node.type.name != "thing" or node.type.many:
            return False
        number = self._value(node)
        hidden = isinstance(number, int) and number >= 0
        return hidden and not can_see(self.machine, self.state, pending.seat, number)

    def _amount(self, node: Any) -> Any:
        if isinstance(node, m.Quantity) and node.amount is not None:
            return replace(node, amount=self._amount(node.amount))
        if node.type.name != "amount" or isinstance(node, m.Constant) or not self._settled(node):
            return node
        return m.Constant(self._value(node))

    def _known(self, node: Any) -> m.Expression | None:
        kind = getattr(node, "type", None)
        if not isinstance(kind, Type) or kind.many or not self._settled(node):
            return None
        if kind.name in _SINGLE and isinstance(node, (m.Local, m.FieldRef, m.Special)):
            return self._object(kind, self._value(node))
        if kind.name == "amount" and isinstance(node, m.Local):
            return m.Constant(self._value(node))
        return None

    def _value(self, node: m.Expression) -> Any:
        self.state.fuel = self.state.looks = 0
        return self.machine.evaluator.compile(node)(self.state, self.frame, -1)

    def _object(self, kind: Type, number: Any) -> m.Expression | None:
        if not isinstance(number, int) or number < 0:
            return None
        table = self.machine.table
        family = table.rules.words.families.get(kind.of)
        if family is not None:
            return m.ObjectRef(kind.of, family[number], kind)
        thing = table.layout.things[table.layout.objects[number] if kind.name == "thing" else number]
        return m.ObjectRef(thing.kind, thing.id, Type(kind.name, thing.kind))


def _printed(condition: m.Expression) -> bool:
    """Whether a condition is only about the data of things, which never changes."""
    lasting = (m.Exists, m.FieldRef, m.Local, m.Special, m.ObjectRef, m.Constant, m.Compare, m.Not, m.Has)
    return all(isinstance(each, lasting) for each in walk(condition))


def _closed(node: Any) -> bool:
    """Whether everything in an expression is known now: no name that is bound later, no candidate of a filter."""
    for each in walk(node):
        if isinstance(each, m.Local) and not each.name.startswith("#"):
            return False
        if isinstance(each, m.Special) and each.which == "it":
            return False
        if isinstance(each, m.Unknown):
            return False
    return True
