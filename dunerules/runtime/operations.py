"""Kernel verbs compiled to operations. Flat: one method a verb, each does one thing to the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import POOL
from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Operation

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Operations"]


class Operations:
    """Compiles `Do` codes."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.table = machine.table
        self.ask = machine.evaluator.compile
        self._known: dict[Do, Operation] = {}

    def compile(self, code: Do) -> Operation:
        """The operation of a kernel verb; equal ones share it."""
        found = self._known.get(code)
        if found is None:
            found = self._known[code] = getattr(self, f"_{code.verb}")(code, dict(code.arguments))
        return found

    def _amount(self, code: Do, given: dict[str, m.Expression]) -> Asked:
        amount = self.ask(given["n"])
        if code.per is None:
            return amount
        each, counted = code.per[0], self.ask(code.per[1])
        return lambda s, f, it: amount(s, f, it) * (counted(s, f, it) // each)

    # ---- counters

    def _gain(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        return self._change(code, given, "gain", 1)

    def _pay(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        return self._change(code, given, "pay", -1)

    def _lose(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        if isinstance(given["what"], m.CounterRef):
            return self._change(code, given, "lose", -1)
        return self._pieces(code, {**given, "target": None}, "lose")

    def _change(self, code: Do, given: dict[str, m.Expression], verb: str, sign: int) -> Operation:
        """Add to or take from a counter, within its bounds; thresholds and reactions follow."""
        what = given["what"]
        assert isinstance(what, m.CounterRef)
        evaluator = self.machine.evaluator
        amount, cell = self._amount(code, given), evaluator.source.asked(evaluator.cell(what))
        cells = self.table.layout.cells[what.counter]
        low, high, slot = cells.low, cells.high, code.slot
        after = self.machine.after_change(what, verb)

        def change(s: State, f: Frame) -> Any:
            number = cell(s, f, -1)
            before = s.cells[number]
            value = before + sign * amount(s, f, -1)
            value = high if value > high else low if value < low else value
            s.cells[number] = value
            if s.log is not None and value != before:
                s.log = (s.log, ("cell", number, before, value, verb))
            if slot >= 0:
                f.slots[slot] = abs(value - before)
            if after is not None and value != before:
                return after(s, f, number, before, value)
            return False

        return change

    def _set(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        what = given["what"]
        assert isinstance(what, m.CounterRef)
        evaluator = self.machine.evaluator
        cell, value = evaluator.source.asked(evaluator.cell(what)), self.ask(given["value"])
        cells = self.table.layout.cells[what.counter]
        after = self.machine.after_change(what, "set")

        def assign(s: State, f: Frame) -> Any:
            number = cell(s, f, -1)
            before, new = s.cells[number], value(s, f, -1)
            s.cells[number] = min(max(new, cells.low), cells.high)
            if s.log is not None and s.cells[number] != before:
                s.log = (s.log, ("cell", number, before, s.cells[number], "set"))
            if after is not None and s.cells[number] != before:
                return after(s, f, number, before, s.cells[number])
            return False

        return assign

    # ---- pieces and objects

    def _move(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        if isinstance(given["what"], m.WordRef):
            return self._pieces(code, dict(given), "move")
        return self._objects(code, given)

    def _pieces(self, code: Do, given: dict[str, Any], verb: str) -> Operation:
        """Move pieces between pools and places: as many as there are, or as the seat likes."""
        what = given["what"]
        piece = self.table.rules.words.pieces[what.name]
        source = self._pool(what, given["source"])
        target = self._pool(what, given.get("target") or m.WordRef(piece.home, POOL, what.owner))
        quantity: m.Quantity = given["n"]
        mode = quantity.mode
        amount = self._amount(code, given) if quantity.amount is not None else None
        slot, heard = code.slot, verb in self.machine.abilities.heard
        choose = mode in {"up to", "any"}
        machine, name = self.machine, what.name

        def move(s: State, f: Frame) -> Any:
            start, end = source(s, f, -1), target(s, f, -1)
            there = s.cells[start]
            count = there if amount is None else min(there, amount(s, f, -1))
            if choose and count > 0:
                options = tuple(range(count + 1))
                picked = machine.question(s, f, "number", 1, 1, options, f"{verb} {name}")
                if picked is None:
                    return True
                count = picked[0]
            s.cells[start] -= count
            s.cells[end] += count
            if s.log is not None and count:
                s.log = (s.log, ("pieces", start, end, count))
            if slot >= 0:
                f.slots[slot] = count
            if heard and count:
                return machine.announce(s, verb, f.you, {"what": name, "n": count})
            return False

        return move

    def _pool(self, what: m.WordRef, spot: m.Expression) -> Asked:
        evaluator = self.machine.evaluator
        if isinstance(spot, m.WordRef):
            return evaluator.source.asked(evaluator.pool_cell(what.name, spot.name, spot.owner or what.owner, None))
        return evaluator.source.asked(evaluator.pool_cell(what.name, "", what.owner, spot))

    def candidates(self, given: dict[str, m.Expression]) -> Asked:
        """The objects a verb may take: of a kind, that pass the filter, where they lie."""
        what = given["what"]
        source = given.get("source")
        if isinstance(what, m.Named) and what.zone is None and source is not None:
            return self.ask(m.Named(what.kind, what.where, source, what.type))
        if isinstance(what, m.ObjectRef):  # a copy of a declared thing, wherever the verb takes it from
            same = m.Compare("=", m.Special("it", what.type), what)
            return self.ask(m.Named(what.kind, same, source, what.type))
        found = self.ask(what)
        zone = self.machine.evaluator.single_zone(source) if not what.type.many else None
        if zone is not None:

            def there(s: State, f: Frame, it: int) -> tuple[int, ...]:
                number = found(s, f, it)
                return (number,) if number >= 0 and s.where[number] == zone(s, f, it) else ()

            return there
        zones = self.machine.evaluator.zone_numbers(source) if isinstance(source, m.ZoneRef) else None
        if what.type.many:
            if zones is None:
                return found
            return lambda s, f, it: tuple(n for n in found(s, f, it) if s.where[n] in zones(s, f, it))

        def single(s: State, f: Frame, it: int) -> tuple[int, ...]:
            number = found(s, f, it)
            there = number >= 0 and (zones is None or s.where[number] in zones(s, f, it))
            return (number,) if there else ()

        return single

    def _objects(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        """Move objects to a zone."""
        pick = self._picker(given, "move")
        target = self.machine.evaluator.zone_number(given["target"])
        slot, single = code.slot, _single(given)
        machine, heard = self.machine, "move" in self.machine.abilities.heard

        def move(s: State, f: Frame) -> Any:
            picked = pick(s, f)
            if picked is None:
                return True
            if slot >= 0:
                f.slots[slot] = (picked[0] if picked else -1) if single else picked
            if not picked:
                return False
            source, end = s.where[picked[0]], target(s, f, -1)
            machine.carry(s, picked, end)
            if not heard:
                return False
            told = {"what": picked[0], "n": len(picked), "source": source, "target": end}
            return machine.announce(s, "move", f.you, told)

        return move

    def _picker(self, given: dict[str, m.Expression], verb: str) -> Callable[[State, Frame], tuple[int, ...] | None]:
        """Which objects a verb takes: asked of the acting seat, drawn by chance, or from an end of a pile."""
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        mode = quantity.mode
        amount = self.ask(quantity.amount) if quantity.amount is not None else None
        group = self.candidates(given)
        machine, what = self.machine, given["what"]
        given_one = not what.type.many and not isinstance(what, (m.Named, m.ObjectRef))
        source = given.get("source")
        zone = machine.evaluator.zone_number(source) if isinstance(source, m.ZoneRef) else None
        if mode in {"top", "bottom"} and zone is not None and amount is not None:
            return lambda s, f: machine.from_pile(s, zone(s, f, -1), amount(s, f, -1), mode)

        if given_one and mode == "exactly":
            return lambda s, f: group(s, f, -1)

        def pick(s: State, f: Frame) -> tuple[int, ...] | None:
            things = group(s, f, -1)
            count = len(things) if amount is None else min(len(things), amount(s, f, -1))
            if mode == "all":
                return tuple(things)
            if mode == "random":
                return machine.at_random(s, things, count)
            low = count if mode == "exactly" else 0
            return machine.pick_objects(s, f, things, low, count, verb)

        return pick

    def _look(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        pick = self._picker(given, "look")
        slot, single = code.slot, _single(given)

        def look(s: State, f: Frame) -> Any:
            picked = pick(s, f)
            if picked is None:
                return True
            for number in picked:
                s.known[number] = s.known.get(number, 0) | (1 << f.you)
            if s.log is not None and picked:
                s.log = (s.log, ("look", f.you, picked, tuple(sorted({s.where[number] for number in picked}))))
            if slot >= 0:
                f.slots[slot] = (picked[0] if picked else -1) if single else picked
            return False

        return look

    def _reveal(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        group = self.ask(given["what"])
        everybody = (1 << self.table.seats) - 1

        def reveal(s: State, f: Frame) -> Any:
            found = group(s, f, -1)
            shown = found if isinstance(found, tuple) else (found,)
            for number in shown:
                s.known[number] = everybody
            if s.log is not None and shown:
                s.log = (s.log, ("reveal", f.you, shown))
            return False

        return reveal

    def _shuffle(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        zones = self.machine.evaluator.zone_numbers(given["zone"])

        def shuffle(s: State, f: Frame) -> Any:
            for zone in zones(s, f, -1):
                s.zones[zone], s.chance = shuffled(s.seed, s.chance, s.zones[zone])
                for number in s.zones[zone]:
                    s.known.pop(number, None)
            return False

        return shuffle

    def _roll(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        sides, slot = self.ask(given["sides"]), code.slot

        def roll(s: State, f: Frame) -> Any:
            value = below(s.seed, s.chance, sides(s, f, -1)) + 1
            s.chance += 1
            if slot >= 0:
                f.slots[slot] = value
            return False

        return roll

    # ---- programs

    def _run(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        return self._slot(given, copy=False)

    def _copy(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        return self._slot(given, copy=True)

    def _slot(self, given: dict[str, m.Expression], *, copy: bool) -> Operation:
        """Run the slot of an object; copied, it stands on the object it is copied to."""
        ref = given["slot"]
        assert isinstance(ref, m.SlotRef)
        thing, column, machine = self.ask(ref.object), self.table.programs[ref.slot], self.machine
        objects, kind, many = self.table.layout.objects, ref.object.type.name, ref.object.type.many

        def run(s: State, f: Frame) -> Any:
            found = thing(s, f, -1)
            pushed = False
            for number in reversed(found if many else (found,)):
                program = column[objects[number] if kind == "thing" else number]
                if program >= 0:
                    this = f.this if copy else number
                    here = number if kind == "place" else f.here
                    machine.push(s, program, f.you, this, here, ())
                    pushed = True
            return pushed

        return run

    def _offer(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        group = given["group"]
        assert isinstance(group, m.WordRef)
        return self.machine.offer(group.name, may=False)

    def _pass(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        def passing(s: State, f: Frame) -> Any:
            s.used["passed"] = 1
            return False

        return passing

    def _leave(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        procedure = given["procedure"]
        assert isinstance(procedure, m.WordRef)
        machine, name = self.machine, procedure.name
        return lambda s, f: machine.leave(s, name)

    def _win(self, code: Do, given: dict[str, m.Expression]) -> Operation:
        who = self.ask(given["who"])

        def win(s: State, f: Frame) -> Any:
            found = who(s, f, -1)
            s.result = tuple(sorted(found)) if isinstance(found, tuple) else (found,)
            s.frames.clear()
            s.join()
            return True

        return win


def _single(given: dict[str, m.Expression]) -> bool:
    """Whether a verb takes exactly one thing, so that its result is that thing and not a group."""
    quantity = given["n"]
    if not isinstance(quantity, m.Quantity) or quantity.mode in {"up to", "any", "all"}:
        return False
    return isinstance(quantity.amount, m.Constant) and quantity.amount.value == 1
