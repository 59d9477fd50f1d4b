"""Expressions written as Python and compiled. They only read: no expression ever asks anybody or changes anything."""

from __future__ import annotations

from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.slots import rewrite, slot_name, slot_number
from dunerules.dsl.types import Type
from dunerules.dsl.walk import walk
from dunerules.runtime.conditions import Conditions
from dunerules.runtime.groups import Groups
from dunerules.runtime.inline import NEVER, is_never, large_values, put_in_place, standing_on, written_out
from dunerules.runtime.limits import guarded
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.source import Source, pick_name
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Evaluator", "numbered"]


def numbered(node: Any, names: tuple[str, ...]) -> Any:
    """A meaning with its named locals as numbered slots, in the order of `names`. They may be about nobody."""
    slots: dict[str, m.Expression] = {}
    for number, name in enumerate(names):
        slots[name] = m.Local(slot_name(number), Type("unknown"), maybe=True)
    return rewrite(node, slots)


class Evaluator(Groups, Conditions):
    """Compiles expressions for a table. There is one method for every kind of expression; each gives its text."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        self.table = table
        self.modifiers = modifiers
        self.source = Source()
        self._functions: dict[m.Expression, Asked] = {}
        self._texts: dict[tuple[m.Expression, bool], str] = {}
        self.inside = False
        self._columns: dict[tuple[str, str, str], list[Any]] = {}
        self._order = table.order
        self._copy_of = [*table.layout.objects, -1]
        self._large = large_values(table.rules.values)

    def compile(self, node: m.Expression) -> Asked:
        """The function of an expression; equal ones share it."""
        found = self._functions.get(node)
        if found is None:
            found = self._functions[node] = self.source.asked(self.text(node))
        return found

    def text(self, node: m.Expression) -> str:
        """An expression as Python."""
        found = self._texts.get((node, self.inside))
        if found is None:
            plain = written_out(node, self.table.rules.values, self.kept, self.fact)
            text = getattr(self, f"_{type(plain).__name__.lower()}")(plain)
            found = self._texts[node, self.inside] = self.source.short(text)
        return found

    def settled(self, node: m.Expression) -> bool | None:
        """Whether a condition holds, if that is known before play."""
        plain = written_out(node, self.table.rules.values, self.kept, self.fact)
        return True if isinstance(plain, m.Always) else False if is_never(plain) else None

    def kept(self, value: str) -> bool:
        """Whether a value is not written out: something may modify it, or it is too large."""
        return self.modifiers.touches(value) or value in self._large

    def fact(self, node: m.Expression) -> m.Expression | None:
        """What an expression is all through a game at this table, where that is known beforehand."""
        table = self.table
        if isinstance(node, m.OptionRef):
            return m.Always() if table.options.get(node.option) == node.value else NEVER
        if isinstance(node, m.ValueRef) and node.value not in table.rules.values:
            return NEVER if node.value == "automated" and table.players == table.seats else None
        if isinstance(node, m.Count) and isinstance(node.of, m.SeatRef) and node.of.where is None:
            return m.Constant(table.seats) if node.of.which in {"seat", "anyone"} else None
        return None

    # ---- plain things

    def _constant(self, node: m.Constant) -> str:
        return self.source.name(node.value)

    def _always(self, node: m.Always) -> str:
        return "True"

    def _optionref(self, node: m.OptionRef) -> str:
        return str(self.table.options.get(node.option) == node.value)

    def _local(self, node: m.Local) -> str:
        return f"p{node.name[1:]}" if node.name.startswith("=") else f"f.slots[{slot_number(node)}]"

    def _quantity(self, node: m.Quantity) -> str:
        return self.text(node.amount) if node.amount is not None else "0"

    def _nothing(self, node: m.Nothing) -> str:
        return "()" if node.type.many else "0" if node.type.name in {"amount", "condition"} else "-1"

    def _seenby(self, node: m.SeenBy) -> str:
        return self.source.call(
            f"you, f.you = f.you, {self.text(node.seat)}",
            f"found = {self.text(node.of)}",
            "f.you = you",
            "return found",
        )

    def _special(self, node: m.Special) -> str:
        return "it" if node.which == "it" else f"f.{node.which}"

    def _objectref(self, node: m.ObjectRef) -> str:
        """A place or label by its number; of a declared thing the first copy."""
        number = self.table.label(node.kind, node.id)
        return self.source.name(self._first_copy(number) if node.type.name == "thing" else number)

    def _first_copy(self, thing: int) -> int:
        return next(iter(self.table.layout.copies[thing]), -1)

    def declared(self, node: m.Expression) -> str:
        """What something is a copy of, where that is what counts: which copy it is does not."""
        if isinstance(node, m.ObjectRef):
            return str(self.table.label(node.kind, node.id))
        if isinstance(node, m.FieldRef):
            column = self.table.column(node.field, node.object.type.name)
            return self._field(node, [-1 if value is None else value for value in column])
        return f"{self.source.name(self._copy_of)}[{self.text(node)}]"

    def _seatref(self, node: m.SeatRef) -> str:
        if node.which in {"you", "owner"}:
            return f"f.{node.which}"
        table, name = self.table, self.source.name
        seats = name(table.opponents if node.which == "opponent" else table.orders)
        group = f"({seats}[f.you] if f.you >= 0 else {name(self._order)}(s, -1))"
        return group if node.where is None else self._seat_filter(group, node.where)

    # ---- fields

    def _fieldref(self, node: m.FieldRef) -> str:
        if node.field not in self.table.fields:
            asked = self.source.name(self.asked_slot(node.field, node.object.type.name, node.type))
            return self._placed_slot(node) or f"{asked}(s, f, {self.text(node.object)})"
        values = self._values(node.field, node.object.type.name, node.type)
        return self._field(node, values)

    def _field(self, node: m.FieldRef, values: list[Any]) -> str:
        if isinstance(node.object, m.ObjectRef):
            number = self.table.label(node.object.kind, node.object.id)
            copies = node.object.type.name == "thing"
            return self.source.name(values[self._first_copy(number) if copies else number])
        return f"{self.source.name(values)}[{self.text(node.object)}]"

    def _values(self, field: str, kind: str, wanted: Type) -> list[Any]:
        """The values of a field by object, and at the end that of nothing. A field that is not there has the least
        there is; one that names declared things stands for their first copies."""
        known = self._columns.get((field, kind, wanted.name))
        if known is None:
            empty: Any = {"amount": 0, "condition": False, "text": None}.get(wanted.name, -1)
            values = [empty if value is None else value for value in self.table.column(field, kind)]
            if wanted.name == "thing":
                values = [self._copies(value) for value in values]
            known = self._columns[field, kind, wanted.name] = values
        return known

    def _copies(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._first_copy, value))
        return self._first_copy(value) if value >= 0 else -1

    def _placed_slot(self, node: m.FieldRef) -> str | None:
        """A slot of a place that is known by name: no frame need stand there to ask it."""
        place = node.object
        if not isinstance(place, m.ObjectRef) or place.type.name != "place":
            return None
        text = self.table.layout.things[self.table.label(place.kind, place.id)].asked.get(node.field)
        if text is None or self.needs_place(text) or self._asks_others(text) or _speaks_of_owner(text):
            return None
        return self.text(standing_on(text, place))

    def compile_inner(self, node: m.Expression) -> Asked:
        """The function of an expression that others ask: a slot, a value, a part of a modifier."""
        asked = self.source.asked(self.inner(node))
        return guarded(asked) if self._asks_others(node) else asked

    def inner(self, node: m.Expression) -> str:
        """An expression that may be asked many times within one step."""
        outside, self.inside = self.inside, True
        try:
            return self.text(node)
        finally:
            self.inside = outside

    def _asks_others(self, node: m.Expression) -> bool:
        """Whether slots, or values with a life of their own, are asked by an expression: perhaps without end."""
        table = self.table
        return any(
            (isinstance(each, (m.FieldRef, m.Total)) and each.field not in table.fields)
            or (isinstance(each, m.ValueRef) and each.value in table.rules.values)
            for each in walk(written_out(node, table.rules.values, self.kept, self.fact))
        )

    def asked_slot(self, slot: str, kind: str, wanted: Type) -> Asked:
        """A slot that is a condition or a number, asked of an object. A missing condition holds, but not of nothing."""
        table, missing = self.table, wanted.name == "condition"
        column = table.asked.setdefault(slot, {})
        objects = table.layout.objects

        def ask(s: State, f: Frame, number: int) -> Any:
            if number < 0:
                return False if missing else 0
            test = column.get(objects[number] if kind == "thing" else number)
            if test is None:
                return missing or 0
            owner = f.owner if f.owner >= 0 else f.you
            return test(s, Frame(-1, f.you, owner, number, number if kind == "place" else f.here, []), -1)

        return ask

    # ---- values

    def _valueref(self, node: m.ValueRef) -> str:
        arguments = [self.argument(value) for _, value in node.arguments]
        kernel = getattr(self, f"_value_{node.value}", None)
        if kernel is not None and node.value not in self.table.rules.values:
            return kernel(*arguments)  # type: ignore[no-any-return]
        body = put_in_place(node, self.table.rules.values) if node.value not in self._large else None
        given = f"[{', '.join(arguments)}]"
        if body is None:
            plain = f"{self._apart(node.value)}({', '.join(('s', 'f', '-1', *arguments))})"
        else:
            plain = self.text(body)
        if not self.modifiers.touches(node.value):
            return plain
        asked = f"{self.source.name(self.modifiers.applied(node.value))}(s, f.you, {given}, {plain})"
        if node.type.name == "amount":
            asked = self.bounded(asked)
        if body is None or node.value in self.modifiers.standing:
            return asked
        about = self.modifiers.seat_position(node.value)
        who = arguments[about] if about >= 0 else "f.you"
        active = f"{self.source.name(self.modifiers.active(node.value))}(s, {who})"
        if node.value in self.modifiers.plainly_granted:
            return f"({active} or {plain})"
        if node.type.name == "condition" and node.value not in self.modifiers.granted:
            return f"({plain} and (not {active} or {asked}))"
        return f"({asked} if {active} else {plain})"

    def argument(self, node: m.Expression) -> str:
        """What is given to a value or a procedure: a zone is given by its numbers, all else by what it is."""
        return self.zone_numbers(node) if node.type.name == "zone" else self.text(node)

    def _apart(self, name: str) -> str:
        """A value of a pack as a function of its own, which is told the arguments."""
        parameters, body = self.table.rules.values[name]
        picks: dict[str, m.Expression] = {
            each.name: m.Local(pick_name(number), Type("unknown"), maybe=True) for number, each in enumerate(parameters)
        }
        node, takes = rewrite(body, picks), ", ".join(("s", "f", "it", *(f"p{number}" for number in range(len(picks)))))
        asked = self.source.define(f"return {self.inner(node)}", takes=takes)
        return self.source.name(guarded(asked) if self._asks_others(node) else asked)

    def _value_automated(self, seat: str) -> str:
        return f"({seat} >= {self.table.players})" if self.table.players < self.table.seats else "False"

    def _value_holder(self, thing: str) -> str:
        if thing == "it":  # there is always something that a filter looks at
            return "s.holders[it]"
        number = self.source.variable()
        return f"(s.holders[{number}] if ({number} := {thing}) >= 0 else -1)"

    def _value_location(self, thing: str) -> str:
        layout = self.table.layout
        places = [
            layout.places[layout.zones[name].per][place] if place >= 0 else -1
            for name, place in zip(layout.zone_names, layout.zone_place, strict=True)
        ]
        if thing == "it":
            return f"{self.source.name(places)}[s.where[it]]"
        number = self.source.variable()
        return f"({self.source.name(places)}[s.where[{number}]] if ({number} := {thing}) >= 0 else -1)"

    def _value_next(self, seat: str) -> str:
        return f"{self.source.name([*(order[1 % len(order)] for order in self.table.orders), -1])}[{seat}]"

    def _value_distance(self, place: str, other: str) -> str:
        return f"{self.source.name(self.table.layout.board.distance)}({other}, {place})"

    def _value_ahead(self, place: str, steps: str = "1") -> str:
        return f"{self.source.name(self.table.layout.board.ahead)}({place}, {steps})"

    def _value_beside(self, other: str, place: str) -> str:
        return f"({place} in {self.source.name(self.table.layout.board.beside)}[{other}])"

    def _value_beyond(self, other: str, place: str) -> str:
        beyond = self.table.layout.board.beyond

        def test(found: tuple[int, ...] | int, target: int) -> bool:
            origins = found if isinstance(found, tuple) else (found,)
            return any(origin >= 0 and target in beyond[origin] for origin in origins)

        return f"{self.source.name(test)}({other}, {place})"


def _speaks_of_owner(text: m.Expression) -> bool:
    return any(isinstance(each, m.SeatRef) and each.which == "owner" for each in walk(text))
