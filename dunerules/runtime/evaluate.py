"""Expressions compiled to closures. They only read: no expression ever asks anybody or changes anything."""

from __future__ import annotations

from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.lower import rewrite, slot_name
from dunerules.dsl.types import Type
from dunerules.runtime.conditions import Conditions
from dunerules.runtime.groups import Groups
from dunerules.runtime.inline import NEVER, put_in_place, standing_on, written_out
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Evaluator", "numbered"]


def numbered(node: Any, names: tuple[str, ...]) -> Any:
    """A meaning with its named locals as numbered slots, in the order of `names`."""
    return rewrite(node, {name: m.Local(slot_name(number), Type("unknown")) for number, name in enumerate(names)})


class Evaluator(Groups, Conditions):
    """Compiles expressions for a table."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        self.table = table
        self.modifiers = modifiers
        self.values: dict[str, Asked] = {}
        self._known: dict[m.Expression, Asked] = {}

    def compile(self, node: m.Expression) -> Asked:
        """The closure of an expression; equal ones share it."""
        found = self._known.get(node)
        if found is None:
            plain = written_out(node, self.table.rules.values, self.modifiers.touches, self.fact)
            found = self._known[node] = getattr(self, f"_{type(plain).__name__.lower()}")(plain)
        return found

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

    def _constant(self, node: m.Constant) -> Asked:
        value = node.value
        return lambda s, f, it: value

    def _always(self, node: m.Always) -> Asked:
        return lambda s, f, it: True

    def _optionref(self, node: m.OptionRef) -> Asked:
        value = self.table.options.get(node.option) == node.value
        return lambda s, f, it: value

    def _local(self, node: m.Local) -> Asked:
        number = int(node.name[1:])
        return lambda s, f, it: f.slots[number]

    def _quantity(self, node: m.Quantity) -> Asked:
        return self.compile(node.amount) if node.amount is not None else lambda s, f, it: 0

    def _special(self, node: m.Special) -> Asked:
        if node.which == "this":
            return lambda s, f, it: f.this
        if node.which == "here":
            return lambda s, f, it: f.here
        return lambda s, f, it: it

    def _objectref(self, node: m.ObjectRef) -> Asked:
        number = self.table.label(node.kind, node.id)
        return lambda s, f, it: number

    def _seatref(self, node: m.SeatRef) -> Asked:
        if node.which == "you":
            return lambda s, f, it: f.you
        if node.which == "owner":
            return lambda s, f, it: f.owner
        order = self.table.order
        skip = 1 if node.which == "opponent" else 0

        def group(s: State, f: Frame, it: int) -> tuple[int, ...]:
            return order(s, f.you)[skip if f.you >= 0 else 0 :]

        return group if node.where is None else self._seat_filter(group, node.where)

    # ---- fields

    def _fieldref(self, node: m.FieldRef) -> Asked:
        inner = self.compile(node.object)
        column = self.table.fields.get(node.field)
        kind = node.object.type.name
        objects = self.table.layout.objects
        if column is None:
            return self._placed_slot(node) or self._asked_slot(node.field, inner, kind, node.type)
        empty: Any = 0 if node.type.name == "amount" else False if node.type.name == "condition" else None
        values = [empty if value is None else value for value in column]
        if isinstance(node.object, m.Special) and node.object.which == "it":
            if kind == "thing":
                return lambda s, f, it: values[objects[it]]
            return lambda s, f, it: values[it]
        if kind == "thing":
            return lambda s, f, it: values[objects[inner(s, f, it)]]
        return lambda s, f, it: values[inner(s, f, it)]

    def _placed_slot(self, node: m.FieldRef) -> Asked | None:
        """A slot of a place that is known by name: no frame need stand there to ask it."""
        place = node.object
        if not isinstance(place, m.ObjectRef) or place.type.name != "place":
            return None
        text = self.table.layout.things[self.table.label(place.kind, place.id)].asked.get(node.field)
        return self.compile(standing_on(text, place)) if text is not None and not self.needs_place(text) else None

    def _asked_slot(self, slot: str, inner: Asked, kind: str, wanted: Type) -> Asked:
        """A slot that is a condition or a number, asked of an object; a missing condition holds."""
        table, missing = self.table, wanted.name == "condition"
        column = table.asked.setdefault(slot, {})
        objects = table.layout.objects

        def ask(s: State, f: Frame, it: int) -> Any:
            number = inner(s, f, it)
            thing = objects[number] if kind == "thing" else number
            test = column.get(thing)
            if test is None:
                return missing or 0
            return test(s, Frame(-1, f.you, f.owner, number, number if kind == "place" else f.here, []), -1)

        return ask

    # ---- values

    def _valueref(self, node: m.ValueRef) -> Asked:
        arguments = [self.compile(value) for _, value in node.arguments]
        kernel = getattr(self, f"_value_{node.value}", None)
        if kernel is not None and node.value not in self.table.rules.values:
            return kernel(*arguments)  # type: ignore[no-any-return]
        body = put_in_place(node, self.table.rules.values)
        if body is None or not self.modifiers.touches(node.value):
            return self._framed(node.value, arguments)
        plain, apply = self.compile(body), self.modifiers.applied(node.value)

        def ask(s: State, f: Frame, it: int) -> Any:
            given = []
            for each in arguments:
                given.append(each(s, f, it))
            return apply(s, f.you, given, plain(s, f, it))

        if node.value in self.modifiers.standing:
            return ask
        active = self.modifiers.active(node.value)
        if node.type.name == "condition" and node.value not in self.modifiers.granted:
            return lambda s, f, it: plain(s, f, it) and (not active(s, f.you) or ask(s, f, it))
        return lambda s, f, it: ask(s, f, it) if active(s, f.you) else plain(s, f, it)

    def _framed(self, name: str, arguments: list[Asked]) -> Asked:
        """A value of a pack that must be asked in a frame of its own, whose slots are its arguments."""
        inner = self.value(name)
        if not self.modifiers.touches(name):
            return lambda s, f, it: inner(
                s, Frame(-1, f.you, f.owner, f.this, f.here, [each(s, f, it) for each in arguments]), -1
            )
        apply = self.modifiers.applied(name)

        def ask(s: State, f: Frame, it: int) -> Any:
            given = [each(s, f, it) for each in arguments]
            return apply(s, f.you, given, inner(s, Frame(-1, f.you, f.owner, f.this, f.here, given), -1))

        return ask

    def value(self, name: str) -> Asked:
        """The body of a value of a pack, with its arguments in slots, and without its modifiers."""
        known = self.values.get(name)
        if known is None:
            parameters, body = self.table.rules.values[name]
            known = self.values[name] = self.compile(numbered(body, tuple(each.name for each in parameters)))
        return known

    def _value_automated(self, seat: Asked) -> Asked:
        players = self.table.players
        if players == self.table.seats:
            return lambda s, f, it: False
        return lambda s, f, it: seat(s, f, it) >= players

    def _value_holder(self, thing: Asked) -> Asked:
        return lambda s, f, it: s.holders[thing(s, f, it)]

    def _value_location(self, thing: Asked) -> Asked:
        layout = self.table.layout

        def location(s: State, f: Frame, it: int) -> int:
            zone = s.where[thing(s, f, it)]
            kind = layout.zones[layout.zone_names[zone]].per
            return layout.places[kind][layout.zone_place[zone]] if layout.zone_place[zone] >= 0 else -1

        return location

    def _value_next(self, seat: Asked) -> Asked:
        seats = self.table.seats
        return lambda s, f, it: (seat(s, f, it) + 1) % seats

    def _value_distance(self, place: Asked, other: Asked) -> Asked:
        distances = self.table.layout.distances
        return lambda s, f, it: distances.get((other(s, f, it), place(s, f, it)), 1_000_000)

    def _value_beside(self, other: Asked, place: Asked) -> Asked:
        beside = self.table.layout.beside
        return lambda s, f, it: place(s, f, it) in beside[other(s, f, it)]

    def _value_beyond(self, other: Asked, place: Asked) -> Asked:
        beyond = self.table.layout.beyond

        def test(s: State, f: Frame, it: int) -> bool:
            found = other(s, f, it)
            origins = found if isinstance(found, tuple) else (found,)
            target = place(s, f, it)
            return any(origin >= 0 and target in beyond[origin] for origin in origins)

        return test
