"""Expressions as they are meant, built as core expressions. They only read: no expression asks or changes anything."""

from __future__ import annotations

from copy import copy
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.costs import is_cheap, may_nest
from dunerules.core.python import Python
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import slot_number
from dunerules.dsl.types import Type
from dunerules.dsl.walk import walk
from dunerules.runtime.limits import guarded, look, too_large
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.places import Places
from dunerules.runtime.state import Frame, State
from dunerules.runtime.surroundings import OFTEN, Named, Surroundings
from dunerules.runtime.table import Compiled, Table

__all__ = ["Expressions"]


_METHODS: dict[type, str] = {}
"""By kind of expression: what the method that builds it is called."""


class Expressions(Places):
    """Builds expressions for a table. There is one method for every kind of expression."""

    def __init__(self, table: Table, modifiers: Modifiers) -> None:
        super().__init__(table)
        self.modifiers = modifiers
        self.python = Python(look, too_large)
        self._built: dict[tuple[int, bool], tuple[m.Expression, ir.Expr]] = {}
        """By `id` of what is meant, which is kept so that nothing else has the same."""
        self._large = table.large_values
        layout = table.layout
        self._copy_of = ir.Table("copy", [*layout.objects, -1])
        self._orders = ir.Table("orders", table.orders)
        self._opponents = ir.Table("opponents", table.opponents)
        self._order = ir.Function("order", table.order, group=True, means=("order",))

    def build(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """An expression in the core language."""
        around = around or self.around
        if around is not self.around and around is not OFTEN:
            return self._new(node, around)
        key = (id(node), around is OFTEN)
        found = self._built.get(key)
        if found is None:
            found = self._built[key] = (node, self._new(node, around))
        return found[1]

    def _new(self, node: m.Expression, around: Surroundings) -> ir.Expr:
        kind = type(node)
        method = _METHODS.get(kind)
        if method is None:
            method = _METHODS[kind] = f"_{kind.__name__.lower()}"
        found: ir.Expr = getattr(self, method)(node, around)
        return found

    def inner(self, node: m.Expression) -> Compiled:
        """The function of an expression that others ask: a slot, a value, a part of a modifier."""
        built = self.build(node, OFTEN)
        asked = self.python.function(built, "it")
        return guarded(asked) if may_nest(built) else asked

    def at(self, around: Surroundings) -> Expressions:
        """The same builder, in other surroundings."""
        other = copy(self)
        other.around, other._built = around, {}
        return other

    # ---- plain things

    def _constant(self, node: m.Constant, around: Surroundings) -> ir.Expr:
        return ir.Number(node.value)

    def _always(self, node: m.Always, around: Surroundings) -> ir.Expr:
        return make.TRUE

    def _optionref(self, node: m.OptionRef, around: Surroundings) -> ir.Expr:
        return make.constant(self.table.options.get(node.option) == node.value)

    def _local(self, node: m.Local, around: Surroundings) -> ir.Expr:
        if node.name in around.names:
            return around.names[node.name][0]
        number = slot_number(node)
        return ir.Pick(number) if node.name.startswith("=") else ir.Slot(number, _kind(node.type))

    def _quantity(self, node: m.Quantity, around: Surroundings) -> ir.Expr:
        return self.build(node.amount, around) if node.amount is not None else make.ZERO

    def _nothing(self, node: m.Nothing, around: Surroundings) -> ir.Expr:
        if node.type.many:
            return ir.Members(())
        if node.type.name == "condition":
            return make.FALSE
        return make.ZERO if node.type.name == "amount" else make.NOTHING

    def _seenby(self, node: m.SeenBy, around: Surroundings) -> ir.Expr:
        return self.build(node.of, around.seen_by(self.build(node.seat, around)))

    def _special(self, node: m.Special, around: Surroundings) -> ir.Expr:
        if node.outer:
            return around.outer[node.outer - 1]
        return {"it": around.it, "this": around.this, "here": around.here}[node.which]

    def _objectref(self, node: m.ObjectRef, around: Surroundings) -> ir.Expr:
        """A place or label by its number; of a declared thing the first copy."""
        number = self.table.label(node.kind, node.id)
        return ir.Number(self._first_copy(number) if node.type.name == "thing" else number)

    def _first_copy(self, thing: int) -> int:
        return next(iter(self.table.layout.copies[thing]), -1)

    def declared(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """What something is a copy of, where that is what counts: which copy it is does not."""
        around = around or self.around
        if isinstance(node, m.ObjectRef):
            return ir.Number(self.table.label(node.kind, node.id))
        if isinstance(node, m.FieldRef):
            return make.column(self._raw(node.field, node.object.type.name), self.build(node.object, around))
        return self.copy_of(self.build(node, around))

    def copy_of(self, thing: ir.Expr) -> ir.Expr:
        """What a thing is a copy of."""
        return make.column(self._copy_of, thing)

    def _raw(self, field: str, kind: str) -> ir.Table:
        key = ("raw", field, kind)
        if key not in self._tables:
            values = [-1 if value is None else value for value in self.table.column(field, kind)]
            self._tables[key] = ir.Table(field, values)
        return self._tables[key]

    def _seatref(self, node: m.SeatRef, around: Surroundings) -> ir.Expr:
        you = around.you
        if node.which in {"you", "owner"}:
            return you if node.which == "you" else around.owner
        seats = ir.Column(self._opponents if node.which == "opponent" else self._orders, you)
        everybody = ir.Call(self._order, (make.NOTHING,))
        group = seats if isinstance(you, ir.Variable) and you == around.it else ir.If(make.there(you), seats, everybody)
        return group if node.where is None else self._passing(group, node.where, node.type, around)

    # ---- fields

    def _fieldref(self, node: m.FieldRef, around: Surroundings) -> ir.Expr:
        if node.field not in self.table.fields:
            return self._asked(node, around)
        table = self._values(node.field, node.object.type.name, node.type)
        if isinstance(node.object, m.ObjectRef):
            return make.column(table, self._objectref(node.object, around))
        return make.column(table, self.build(node.object, around))

    def _values(self, field: str, kind: str, wanted: Type) -> ir.Table:
        """The values of a field by object, and at the end that of nothing. A field that is not there has the least
        there is; one that names declared things stands for their first copies."""
        key = ("field", field, kind, wanted.name)
        if key not in self._tables:
            empty: Any = {"amount": 0, "condition": False, "text": None}.get(wanted.name, -1)
            values = [empty if value is None else value for value in self.table.column(field, kind)]
            if wanted.name == "thing":
                values = [self._copies(value) for value in values]
            self._tables[key] = ir.Table(field, values)
        return self._tables[key]

    def _copies(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._first_copy, value))
        return self._first_copy(value) if value >= 0 else -1

    # ---- slots that are asked

    def _asked(self, node: m.FieldRef, around: Surroundings) -> ir.Expr:
        """A slot that is a condition or a number; of a place that is known by name it is written out."""
        place = node.object
        number = self.build(place, around)
        owner = make.choice(make.there(around.owner), around.owner, around.you)
        if isinstance(number, ir.Number) and place.type.name == "place":
            written = self._of_place(number, node, around)
            if written is not None:
                return written
        asked = self.formula(node.field, place.type.name, node.type)
        return ir.Call(asked, (around.you, owner, around.here, number))

    def _of_place(self, place: ir.Number, node: m.FieldRef, around: Surroundings) -> ir.Expr | None:
        """What stands in a slot of a place, if it can be asked without a frame that stands there."""
        condition = node.type.name == "condition"
        if place.value < 0:
            return make.FALSE if condition else make.ZERO
        text = self.table.layout.things[place.value].formulas.get(node.field)
        if text is None:
            return make.TRUE if condition else make.ZERO
        if _speaks_of_owner(text) or self._nests(text):
            return None
        return self.build(text, around.given({}).standing_on(place))

    def _nests(self, node: m.Expression) -> bool:
        """Whether an expression asks slots, or values that are kept: perhaps without end."""
        table = self.table
        return any(
            (isinstance(each, m.FieldRef) and each.field not in table.fields)
            or (isinstance(each, m.ValueRef) and each.value in table.rules.values)
            for each in walk(node)
        )

    def formula(self, slot: str, kind: str, wanted: Type) -> ir.Function:
        """A slot that is a condition or a number, asked of an object. A missing condition holds, but not of nothing."""
        key = ("slot", slot, kind, wanted.name)
        if key not in self._functions:
            asked = self._slot_function(slot, kind, wanted)
            means = ("formula", slot, kind, wanted.name)
            self._functions[key] = ir.Function(f"{slot}?", asked, nested=True, means=means)
        return self._functions[key]

    def _slot_function(self, slot: str, kind: str, wanted: Type) -> Any:
        missing, layout = wanted.name == "condition", self.table.layout
        objects, things = layout.objects, layout.things
        made: dict[int, Compiled] = {}

        def worked_out(s: State, you: int, owner: int, here: int, number: int) -> Any:
            if number < 0:
                return False if missing else 0
            thing = objects[number] if kind == "thing" else number
            test = made.get(thing)
            if test is None:
                text = things[thing].formulas.get(slot)
                if text is None:
                    return missing or 0
                test = made[thing] = self.inner(text)
            return test(s, Frame(-1, you, owner, number, number if kind == "place" else here, []), -1)

        return worked_out

    # ---- values

    def _valueref(self, node: m.ValueRef, around: Surroundings) -> ir.Expr:
        values, name = self.table.rules.values, node.value
        arguments = [self.argument(value, around) for _, value in node.arguments]
        if name not in values:
            direction = dict(node.arguments).get("d")
            if direction is not None:
                return ir.Call(self._on_grid(name, direction.type.of), tuple(arguments))
            kernel: ir.Expr = getattr(self, f"_value_{name}")(*arguments)
            return kernel
        plain = self._written_out(node, arguments, around)
        whole = plain if plain is not None else self._apart(name, arguments, around)
        if not self.modifiers.touches(name) or name in around.quiet:
            return whole
        return self._modified(node, arguments, whole, around, inside=plain is not None)

    def argument(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """What is given to a value or a procedure: a zone is given by its numbers, all else by what it is."""
        around = around or self.around
        return self.zone_numbers(node, around) if node.type.name == "zone" else self.build(node, around)

    def _written_out(self, node: m.ValueRef, arguments: list[ir.Expr], around: Surroundings) -> ir.Expr | None:
        """The body of a value in place of its name; nothing if it is too large, or an argument would be asked often."""
        parameters, body = self.table.rules.values[node.value]
        if node.value in self._large or not all(map(is_cheap, arguments)):
            return None
        given = dict(node.arguments)
        if given.keys() != {each.name for each in parameters}:
            return None
        names: dict[str, Named] = {
            name: (built, self._may_be_none(meant, around))
            for (name, meant), built in zip(node.arguments, arguments, strict=True)
        }
        return self.build(body, around.given(names))

    def _apart(self, name: str, arguments: list[ir.Expr], around: Surroundings) -> ir.Expr:
        """A value as a function of its own, which is told its surroundings and arguments."""
        key = ("value", name)
        if key not in self._functions:
            built = self.body(name)
            asked = self.python.function(built, *self.told(name), frame=False)
            nested = may_nest(built)
            run = guarded(asked) if nested else asked
            self._functions[key] = ir.Function(name, run, nested=True, means=("value", name))
        return ir.Call(self._functions[key], (around.you, around.owner, around.this, around.here, *arguments))

    def told(self, name: str) -> tuple[str, ...]:
        """What a value that stands apart is told: its surroundings and arguments, by name."""
        return (*_TOLD, *(f"a{number}" for number in range(len(self.table.rules.values[name][0]))))

    def body(self, name: str) -> ir.Expr:
        """What a value is, asked by a function that is told its surroundings and arguments."""
        parameters, body = self.table.rules.values[name]
        names: dict[str, Named] = {
            each.name: (ir.Variable(f"a{number}"), True) for number, each in enumerate(parameters)
        }
        you, owner, this, here = map(ir.Variable, _TOLD)
        return self.build(body, Surroundings(you, owner, this, here, make.NOTHING, names, often=True))

    def _modified(
        self, node: m.ValueRef, arguments: list[ir.Expr], plain: ir.Expr, around: Surroundings, *, inside: bool
    ) -> ir.Expr:
        """A value with everything that modifies it now."""
        modifiers, name = self.modifiers, node.value
        applied = self._function("applied", name, modifiers.applied, nested=True)
        asked: ir.Expr = ir.Call(applied, (around.you, ir.List(tuple(arguments)), plain))
        if node.type.name == "amount":
            asked = ir.Bounded(asked)
        if not inside or name in modifiers.standing:
            return asked
        about = modifiers.seat_position(name)
        active = ir.Call(
            self._function("active", name, modifiers.active), (arguments[about] if about >= 0 else around.you,)
        )
        if name in modifiers.plainly_granted:
            return make.any_of((active, plain))
        if node.type.name == "condition" and name not in modifiers.granted:
            return make.all_of((plain, make.any_of((make.negated(active), asked))))
        return make.choice(active, asked, plain)

    def stands_for(self, function: ir.Function) -> tuple[str, ...]:
        """What a function of this builder asks: `("value", name)`, `("slot", name, ...)`; one empty word for others."""
        if function is self._order:
            return ("order",)
        return next((key for key, each in self._functions.items() if each is function), ("",))

    def _function(self, what: str, name: str, made: Any, *, nested: bool = False) -> ir.Function:
        key = (what, name)
        if key not in self._functions:
            self._functions[key] = ir.Function(f"{name}.{what}", made(name), nested=nested, means=(what, name))
        return self._functions[key]

    # ---- values of the kernel

    def _value_automated(self, seat: ir.Expr) -> ir.Expr:
        if self.table.players == self.table.seats:
            return make.FALSE
        return make.compare(">=", seat, ir.Number(self.table.players))

    def _value_holder(self, thing: ir.Expr) -> ir.Expr:
        return self._if_there(thing, ir.Holder)

    def _value_location(self, thing: ir.Expr) -> ir.Expr:
        key = ("location",)
        if key not in self._tables:
            layout = self.table.layout
            places = [
                layout.places[layout.zones[name].per][place] if place >= 0 else -1
                for name, place in zip(layout.zone_names, layout.zone_place, strict=True)
            ]
            self._tables[key] = ir.Table("location", [*places, -1])
        return self._if_there(thing, lambda found: ir.Column(self._tables[key], ir.Where(found)))

    def _if_there(self, thing: ir.Expr, then: Any) -> ir.Expr:
        if isinstance(thing, ir.Variable) and thing.name.startswith("i"):  # a filter looks at what is there
            found: ir.Expr = then(thing)
            return found
        if is_cheap(thing):
            return make.choice(make.there(thing), then(thing), make.NOTHING)
        name = self.python.variable()
        return ir.Given(name, thing, then(ir.Variable(name)), make.NOTHING)

    def _value_next(self, seat: ir.Expr) -> ir.Expr:
        key = ("next",)
        if key not in self._tables:
            orders = self.table.orders
            self._tables[key] = ir.Table("next", [*(order[1 % len(order)] for order in orders), -1])
        return make.column(self._tables[key], seat)

    def _value_distance(self, place: ir.Expr, other: ir.Expr) -> ir.Expr:
        return ir.Call(self._on_board("distance"), (other, place))

    def _value_ahead(self, place: ir.Expr, steps: ir.Expr = ir.Number(1)) -> ir.Expr:  # noqa: B008
        return ir.Call(self._on_board("ahead"), (place, steps))

    def _value_beside(self, other: ir.Expr, place: ir.Expr) -> ir.Expr:
        key = ("beside",)
        if key not in self._tables:
            board, nowhere = self.table.layout.board, frozenset[int]()
            neighbours = [board.beside.get(each, nowhere) for each in range(board.size)]
            self._tables[key] = ir.Table("beside", [*neighbours, nowhere])
        return make.has(make.column(self._tables[key], other), place)

    def _value_beyond(self, other: ir.Expr, place: ir.Expr) -> ir.Expr:
        return ir.Call(self._on_board("is_beyond"), (other, place))

    def _on_board(self, what: str) -> ir.Function:
        key = ("board", what)
        if key not in self._functions:
            found = getattr(self.table.layout.board, what)
            self._functions[key] = ir.Function(what, found, stateless=True, means=(what,))
        return self._functions[key]

    def _on_grid(self, what: str, family: str) -> ir.Function:
        """Where a direction of a family leads: one place, or the line of all."""
        key = ("board", what, family)
        if key not in self._functions:
            board = self.table.layout.board
            run, group = (board.lines(family), True) if what == "line" else (board.steps(family), False)
            means = (what, family)
            self._functions[key] = ir.Function(f"{what} {family}", run, stateless=True, group=group, means=means)
        return self._functions[key]

    # ---- amounts

    def _count(self, node: m.Count, around: Surroundings) -> ir.Expr:
        of = node.of
        if isinstance(of, m.SeatRef) and of.where is None and of.which in {"seat", "anyone"}:
            return ir.Number(self.table.seats)
        return make.length(self.group(node.of, around))

    def _over(self, node: m.Over, around: Surroundings) -> ir.Expr:
        """What is asked of every member of a group, put together."""
        kind, group, it = node.each.type, self.group(node.each, around), around.candidate()
        if node.which == "all":
            return make.negated(make.anything(self._passing(group, m.Not(node.of), kind, around)))
        number = self.build(node.of, around.within(seats=kind.name == "seat"))
        return make.over(node.which, it.name, group, number, self._counted(number, kind, around))

    def _if(self, node: m.If, around: Surroundings) -> ir.Expr:
        then, otherwise = self.build(node.then, around), self.build(node.otherwise, around)
        return make.choice(self.build(node.test, around), then, otherwise)

    def _extreme(self, node: m.Extreme, around: Surroundings) -> ir.Expr:
        return make.extreme(node.which, tuple(self.build(part, around) for part in node.of))

    def _arithmetic(self, node: m.Arithmetic, around: Surroundings) -> ir.Expr:
        return make.reckoned(*((sign, self.build(term, around)) for sign, term in node.terms))

    # ---- conditions

    def _compare(self, node: m.Compare, around: Surroundings) -> ir.Expr:
        left = self._comparable(node.left, node.right, around)
        return make.compare(node.operator, left, self._comparable(node.right, node.left, around))

    def _comparable(self, node: m.Expression, other: m.Expression, around: Surroundings) -> ir.Expr:
        """A side of a comparison: an object is compared with an id by what it is a copy of."""
        by_kind = node.type.name == "thing" and any(
            isinstance(each, (m.ObjectRef, m.FieldRef)) for each in (node, other)
        )
        return self.declared(node, around) if by_kind else self.build(node, around)

    def _exists(self, node: m.Exists, around: Surroundings) -> ir.Expr:
        if isinstance(node.of, m.SlotRef):
            return make.there(self.program(node.of, around))
        if node.of.type.many:
            return make.anything(self.group(node.of, around))
        return make.there(self.build(node.of, around))

    def program(self, node: m.SlotRef, around: Surroundings | None = None) -> ir.Expr:
        """The program in a slot of something; -1 if there is none."""
        around = around or self.around
        return make.column(self.slot_table(node), self.build(node.object, around))

    def slot_table(self, node: m.SlotRef) -> ir.Table:
        """By thing: the program in a slot."""
        key = ("program", node.slot, node.object.type.name)
        if key not in self._tables:
            self._tables[key] = ir.Table(node.slot, self.table.programs_of(node.slot, node.object.type.name))
        return self._tables[key]

    def _has(self, node: m.Has, around: Surroundings) -> ir.Expr:
        by_kind = isinstance(node.group, m.FieldRef) and node.group.type.name == "thing"
        build = self.declared if by_kind else self.build
        return make.has(build(node.group, around), build(node.member, around))

    def _not(self, node: m.Not, around: Surroundings) -> ir.Expr:
        return make.negated(self.build(node.part, around))

    def _all(self, node: m.All, around: Surroundings) -> ir.Expr:
        return make.all_of([self.build(part, around) for part in node.parts])

    def _any(self, node: m.Any, around: Surroundings) -> ir.Expr:
        return make.any_of([self.build(part, around) for part in node.parts])


_TOLD = ("you", "owner", "this", "here")
"""What a value that stands apart is told of its surroundings."""


def _speaks_of_owner(text: m.Expression) -> bool:
    return any(isinstance(each, m.SeatRef) and each.which == "owner" for each in walk(text))


_NUMBERS = frozenset({"amount", "seat", "place", "label", "thing"})


def _kind(type_: Type) -> ir.Kind:
    """What a slot of a type holds."""
    if type_.many or type_.name == "zone":
        return "group"
    return "number" if type_.name in _NUMBERS else "truth" if type_.name == "condition" else "any"
