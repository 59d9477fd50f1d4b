"""Expressions compiled to closures. They only read: no expression ever asks anybody or changes anything."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

from dunerules.dsl import meaning as m
from dunerules.dsl.lower import rewrite, slot_name
from dunerules.dsl.types import Type
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Evaluator", "numbered"]

_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


def numbered(node: Any, names: tuple[str, ...]) -> Any:
    """A meaning with its named locals as numbered slots, in the order of `names`."""
    return rewrite(node, {name: m.Local(slot_name(number), Type("unknown")) for number, name in enumerate(names)})


class Evaluator:
    """Compiles expressions for a table."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        self.table = table
        self.modifiers = modifiers
        self.values: dict[str, Callable[[State, Frame], Any]] = {}

    def compile(self, node: m.Expression) -> Asked:
        """The closure of an expression."""
        return getattr(self, f"_{type(node).__name__.lower()}")(node)  # type: ignore[no-any-return]

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

        return group if node.where is None else self._seat_filter(group, self.compile(node.where))

    def _seat_filter(self, group: Asked, test: Asked) -> Asked:
        """Seats that pass; inside the test the candidate is the acting seat."""

        def filtered(s: State, f: Frame, it: int) -> tuple[int, ...]:
            you = f.you
            found = []
            for seat in group(s, f, it):
                f.you = seat
                if test(s, f, seat):
                    found.append(seat)
            f.you = you
            return tuple(found)

        return filtered

    # ---- cells, zones and objects

    def cell(self, node: m.CounterRef) -> Asked:
        """The number of the cell a counter stands for."""
        cells = self.table.layout.cells[node.counter]
        owner = self.compile(node.owner) if node.owner is not None else None
        given = dict(node.indexes)
        base = cells.base
        if cells.indexes == ():
            return lambda s, f, it: base
        if cells.indexes == ("seat",):
            return (lambda s, f, it: base + f.you) if owner is None else (lambda s, f, it: base + owner(s, f, it))
        parts: list[tuple[int, Asked, list[int] | None]] = []
        for index, factor in zip(cells.indexes, cells.factors, strict=True):
            if index == "seat":
                parts.append((factor, owner or (lambda s, f, it: f.you), None))
            else:
                positions = None if index in self.table.rules.words.families else self.table.layout.position
                parts.append((factor, self.compile(given[index]), positions))

        def number(s: State, f: Frame, it: int) -> int:
            total = base
            for factor, part, positions in parts:
                value = part(s, f, it)
                total += factor * (value if positions is None else positions[value])
            return total

        return number

    def _counterref(self, node: m.CounterRef) -> Asked:
        cell = self.cell(node)
        return lambda s, f, it: s.cells[cell(s, f, it)]

    def pool_cell(self, piece: str, pool: str, owner: m.Expression | None, place: m.Expression | None) -> Asked:
        """The number of the cell that counts pieces in a pool or on a place."""
        cells = self.table.layout.pools[(piece, pool or "@")]
        seat = self.compile(owner) if owner is not None else (lambda s, f, it: f.you)
        base = cells.base
        if place is None:
            return lambda s, f, it: base + seat(s, f, it)
        spot, position, factor = self.compile(place), self.table.layout.position, cells.factors[0]
        return lambda s, f, it: base + seat(s, f, it) * factor + position[spot(s, f, it)]

    def _pieceref(self, node: m.PieceRef) -> Asked:
        cell = self.pool_cell(node.piece, node.pool, node.owner, node.place)
        return lambda s, f, it: s.cells[cell(s, f, it)]

    def zone_numbers(self, node: m.Expression) -> Asked:
        """The numbers of the zones an expression names, as a tuple."""
        if not isinstance(node, m.ZoneRef):
            inner = self.compile(node)
            return lambda s, f, it: (inner(s, f, it),)
        layout = self.table.layout
        parts = [layout.zones[part.name] for name in node.zones for part in self.table.rules.words.zone_parts(name)]
        owner = self.compile(node.owner) if node.owner is not None else None
        position = layout.position
        if len(parts) == 1 and parts[0].per == "game":
            fixed = (parts[0].base,)
            return lambda s, f, it: fixed
        if len(parts) == 1 and parts[0].per == "seat" and owner is None:
            base = parts[0].base
            return lambda s, f, it: (base + f.you,)

        def numbers(s: State, f: Frame, it: int) -> tuple[int, ...]:
            found = []
            for part in parts:
                if part.per == "game":
                    found.append(part.base)
                elif part.per == "seat":
                    who = owner(s, f, it) if owner is not None else f.you
                    found += [part.base + seat for seat in (who if isinstance(who, tuple) else (who,))]
                else:
                    spot = owner(s, f, it) if owner is not None else f.here
                    found += [part.base + position[each] for each in (spot if isinstance(spot, tuple) else (spot,))]
            return tuple(found)

        return numbers

    def _zoneref(self, node: m.ZoneRef) -> Asked:
        numbers = self.zone_numbers(node)
        return lambda s, f, it: tuple(thing for zone in numbers(s, f, it) for thing in s.zones[zone])

    def _named(self, node: m.Named) -> Asked:
        """A group: objects where they lie, or all labels or places of a kind, that pass the filter."""
        test = self.compile(node.where) if node.where is not None else None
        if node.zone is None:
            group = self._everywhere(node)
        elif isinstance(node.zone, m.ZoneRef):
            group = self._in_zones(node)
        else:
            inner = self.compile(node.zone)
            if node.type.name == "seat":
                return self._seat_filter(self._as_group(inner), test or (lambda s, f, it: True))
            group = self._as_group(inner)
        if test is None:
            return group
        return lambda s, f, it: tuple(each for each in group(s, f, it) if test(s, f, each))

    def _as_group(self, inner: Asked) -> Asked:
        def group(s: State, f: Frame, it: int) -> tuple[int, ...]:
            found = cast("tuple[int, ...] | int | None", inner(s, f, it))
            if isinstance(found, tuple):
                return found
            return (found,) if found is not None and found >= 0 else ()

        return group

    def _everywhere(self, node: m.Named) -> Asked:
        kind = self.table.rules.words.kinds.get(node.kind)
        if kind is not None and kind.role == "thing":
            objects = [
                o for thing in self.table.layout.places.get(node.kind, ()) for o in self.table.layout.copies[thing]
            ]
            fixed = tuple(sorted(objects))
        else:
            fixed = self.table.members(node.kind)
        return lambda s, f, it: fixed

    def _in_zones(self, node: m.Named) -> Asked:
        assert isinstance(node.zone, m.ZoneRef)
        numbers = self.zone_numbers(node.zone)
        words = self.table.rules.words
        held = {kind for zone in node.zone.zones for kind in words.zone_kinds(zone)}
        if not node.kind or held == {node.kind}:

            def whole(s: State, f: Frame, it: int) -> tuple[int, ...]:
                zones: tuple[int, ...] = numbers(s, f, it)
                if len(zones) == 1:
                    return s.zones[zones[0]]
                return tuple(thing for zone in zones for thing in s.zones[zone])

            return whole
        kinds, objects, things = node.kind, self.table.layout.objects, self.table.layout.things
        return lambda s, f, it: tuple(
            thing for zone in numbers(s, f, it) for thing in s.zones[zone] if things[objects[thing]].kind == kinds
        )

    def _fieldref(self, node: m.FieldRef) -> Asked:
        inner = self.compile(node.object)
        column = self.table.fields.get(node.field)
        kind = node.object.type.name
        objects = self.table.layout.objects
        if column is None:
            return self._asked_slot(node.field, inner, kind, node.type)
        empty: Any = 0 if node.type.name == "amount" else False if node.type.name == "condition" else None
        values = [empty if value is None else value for value in column]
        if kind == "thing":
            return lambda s, f, it: values[objects[inner(s, f, it)]]
        return lambda s, f, it: values[inner(s, f, it)]

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
        value = self.value(node.value)
        return lambda s, f, it: value(
            s, Frame(-1, f.you, f.owner, f.this, f.here, [each(s, f, it) for each in arguments])
        )

    def value(self, name: str) -> Callable[[State, Frame], Any]:
        """A value of a pack: asked in a frame whose slots are its arguments, with all modifiers applied."""
        known = self.values.get(name)
        if known is not None:
            return known
        parameters, body = self.table.rules.values[name]
        inner = self.compile(numbered(body, tuple(each.name for each in parameters)))
        if self.modifiers.touches(name):
            found = self.modifiers.applied(name, inner)
        else:

            def found(s: State, f: Frame) -> Any:
                return inner(s, f, -1)

        self.values[name] = found
        return found

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
            return any(target in beyond[origin] for origin in origins)

        return test

    # ---- counting and comparing

    def _count(self, node: m.Count) -> Asked:
        group = self.compile(node.of)
        return lambda s, f, it: len(group(s, f, it))

    def _exists(self, node: m.Exists) -> Asked:
        if isinstance(node.of, m.SlotRef):
            return self._has_slot(node.of)
        inner = self.compile(node.of)
        if node.of.type.many:
            return lambda s, f, it: bool(inner(s, f, it))
        return lambda s, f, it: inner(s, f, it) is not None

    def _has_slot(self, node: m.SlotRef) -> Asked:
        column, thing = self.table.programs[node.slot], self.compile(node.object)
        objects, kind = self.table.layout.objects, node.object.type.name
        return lambda s, f, it: column[objects[thing(s, f, it)] if kind == "thing" else thing(s, f, it)] >= 0

    def _total(self, node: m.Total) -> Asked:
        group, column = self.compile(node.of), self.table.fields[node.field]
        objects, kind = self.table.layout.objects, node.of.type.name

        def total(s: State, f: Frame, it: int) -> int:
            things = (objects[each] if kind == "thing" else each for each in group(s, f, it))
            return sum(column[thing] or 0 for thing in things)

        return total

    def _extreme(self, node: m.Extreme) -> Asked:
        parts = [self.compile(part) for part in node.of]
        if node.which == "per":
            counted, each = parts
            return lambda s, f, it: counted(s, f, it) // each(s, f, it)
        choose = max if node.which == "most" else min
        return lambda s, f, it: choose(part(s, f, it) for part in parts)

    def _arithmetic(self, node: m.Arithmetic) -> Asked:
        (_, first), *rest = [(sign, self.compile(term)) for sign, term in node.terms]

        def total(s: State, f: Frame, it: int) -> int:
            value: int = first(s, f, it)
            for sign, term in rest:
                other = term(s, f, it)
                value = value + other if sign == "+" else value - other if sign == "-" else value * other
            return value

        return total

    def _compare(self, node: m.Compare) -> Asked:
        left, right = self._comparable(node.left, node.right), self._comparable(node.right, node.left)
        test = _TESTS[node.operator]
        if isinstance(node.right, m.Constant) and node.operator == ">=":
            bound = node.right.value
            return lambda s, f, it: left(s, f, it) >= bound
        return lambda s, f, it: test(left(s, f, it), right(s, f, it))

    def _comparable(self, node: m.Expression, other: m.Expression) -> Asked:
        """A side of a comparison: an object is compared with an id by what it is a copy of."""
        found = self.compile(node)
        objects = self.table.layout.objects
        if node.type.name == "thing" and not isinstance(node, m.ObjectRef) and isinstance(other, m.ObjectRef):
            return lambda s, f, it: objects[found(s, f, it)]
        if isinstance(node, m.FieldRef) and node.type.name == "thing":
            return found
        if node.type.name == "thing" and isinstance(other, m.FieldRef):
            return lambda s, f, it: objects[found(s, f, it)]
        return found

    def _has(self, node: m.Has) -> Asked:
        group, member = self.compile(node.group), self.compile(node.member)

        def test(s: State, f: Frame, it: int) -> bool:
            found = group(s, f, it)
            wanted = member(s, f, it)
            return wanted in found if isinstance(found, tuple) else wanted == found

        return test

    def _not(self, node: m.Not) -> Asked:
        inner = self.compile(node.part)
        return lambda s, f, it: not inner(s, f, it)

    def _all(self, node: m.All) -> Asked:
        parts = [self.compile(part) for part in node.parts]
        if len(parts) == 2:
            first, second = parts
            return lambda s, f, it: first(s, f, it) and second(s, f, it)
        return lambda s, f, it: all(part(s, f, it) for part in parts)

    def _any(self, node: m.Any) -> Asked:
        parts = [self.compile(part) for part in node.parts]
        return lambda s, f, it: any(part(s, f, it) for part in parts)
