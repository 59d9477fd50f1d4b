"""Kernel verbs as Python. Flat: one method a verb, each does one thing to the state.

What asks nobody is written as lines of Python, to be joined with the steps before and after it (`steps.py`). A verb
that asks is an operation of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import POOL
from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Operations"]

Given = dict[str, m.Expression]


class Operations:
    """Writes `Do` codes: `s` is the state and `f` the frame."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.table = machine.table
        self.evaluator = machine.evaluator
        self.text = machine.evaluator.text
        self.name = machine.evaluator.source.name

    def lines(self, code: Do) -> list[str] | None:
        """What a verb does, if it asks nobody. It returns true where something else is to happen before it goes on."""
        found: list[str] | None = getattr(self, f"_{code.verb}")(code, dict(code.arguments))
        return found

    def asking(self, code: Do, after: int) -> Operation:
        """The operation of a verb that asks."""
        given = dict(code.arguments)
        if code.verb == "offer":
            group = given["group"]
            assert isinstance(group, m.WordRef)
            return self.machine.offer(group.name, after, may=False)
        if isinstance(given["what"], m.WordRef):
            return self._ask_pieces(code, given, after)
        return self._ask_objects(code, given, after)

    def _amount(self, code: Do, given: Given) -> str:
        amount = self.text(given["n"])
        return amount if code.per is None else f"({amount} * ({self.text(code.per[1])} // {code.per[0]}))"

    def announced(self, verb: str, told: str) -> str:
        """What reacts to a verb; true if anything does."""
        announce = f"{self.name(self.machine.announce)}(s, {verb!r}, f.you, {told})"
        return announce if verb in self.machine.abilities.when else f"(s.lasting and {announce})"

    # ---- counters

    def _gain(self, code: Do, given: Given) -> list[str]:
        return self._change(code, given, "+")

    def _pay(self, code: Do, given: Given) -> list[str]:
        return self._change(code, given, "-")

    def _lose(self, code: Do, given: Given) -> list[str] | None:
        if isinstance(given["what"], m.CounterRef):
            return self._change(code, given, "-")
        return self._pieces(code, given)

    def _change(self, code: Do, given: Given, sign: str) -> list[str]:
        """Add to or take from a counter, within its bounds; thresholds and reactions follow."""
        return self._put(code, given, f"before {sign} {self._amount(code, given)}")

    def _set(self, code: Do, given: Given) -> list[str]:
        return self._put(code, given, self.text(given["value"]))

    def _put(self, code: Do, given: Given, value: str) -> list[str]:
        what = given["what"]
        assert isinstance(what, m.CounterRef)
        cells = self.table.layout.cells[what.counter]
        following = self.machine.after_change(what, code.verb)
        lines = [
            f"number = {self.evaluator.cell(what)}",
            "before = s.cells[number]",
            f"value = {value}",
            f"if value > {cells.high}: value = {cells.high}",
            f"elif value < {cells.low}: value = {cells.low}",
            "s.cells[number] = value",
            "if s.log is not None and value != before:",
            f" s.log = (s.log, ('cell', number, before, value, {code.verb!r}))",
        ]
        if code.slot >= 0:
            lines.append(f"f.slots[{code.slot}] = abs(value - before)")
        if following is not None:
            ran = f"{self.name(following)}(s, f, number, before, value)"
            lines.append(f"if value != before and {ran}: return True")
        return lines

    # ---- pieces and objects

    def _move(self, code: Do, given: Given) -> list[str] | None:
        if isinstance(given["what"], m.WordRef):
            return self._pieces(code, given)
        picked = self._picked(given)
        return None if picked is None else [f"picked = {picked}", *self._carry(code, given)]

    def _pieces(self, code: Do, given: Given) -> list[str] | None:
        """Move pieces between pools and places: as many as there are. Nothing if the seat is to say how many."""
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        if quantity.mode in {"up to", "any"}:
            return None
        wanted = f"min(s.cells[start], {self._amount(code, given)})"
        lines = self._between(given)
        lines.append(f"count = {wanted if quantity.amount is not None else 's.cells[start]'}")
        return [*lines, *self._shift(code, given)]

    def _between(self, given: Given) -> list[str]:
        """Where pieces are, and where they go: home, if nothing is said."""
        what = given["what"]
        assert isinstance(what, m.WordRef)
        home = m.WordRef(self.table.rules.words.pieces[what.name].home, POOL, what.owner)
        return [
            f"start = {self._pool(what, given['source'])}",
            f"end = {self._pool(what, given.get('target') or home)}",
        ]

    def _pool(self, what: m.WordRef, spot: m.Expression) -> str:
        if isinstance(spot, m.WordRef):
            return self.evaluator.pool_cell(what.name, spot.name, spot.owner or what.owner, None)
        return self.evaluator.pool_cell(what.name, "", what.owner, spot)

    def _shift(self, code: Do, given: Given) -> list[str]:
        """`count` pieces go from the cell `start` to the cell `end`."""
        what = given["what"]
        assert isinstance(what, m.WordRef)
        lines = [
            "s.cells[start] -= count",
            "s.cells[end] += count",
            "if s.log is not None and count: s.log = (s.log, ('pieces', start, end, count))",
        ]
        if code.slot >= 0:
            lines.append(f"f.slots[{code.slot}] = count")
        if code.verb in self.machine.abilities.heard:
            told = self.announced(code.verb, f"{{'what': {what.name!r}, 'n': count}}")
            lines.append(f"if count and {told}: return True")
        return lines

    def _ask_pieces(self, code: Do, given: Given, after: int) -> Operation:
        """Pieces of which the seat says how many."""
        quantity, machine, what = given["n"], self.machine, given["what"]
        assert isinstance(quantity, m.Quantity)
        assert isinstance(what, m.WordRef)
        source = self.evaluator.source
        most = f"min(s.cells[start], {self._amount(code, given)})" if quantity.amount is not None else "s.cells[start]"
        between = self._between(given)
        ask = source.define("it = -1", *between, f"return {most}", takes="s, f")
        shift = source.define("it = -1", *between, *self._shift(code, given), takes="s, f, count")
        prompt = f"{code.verb} {what.name}"

        def move(s: State, f: Frame) -> Any:
            count = ask(s, f)
            if count > 0:
                picked = machine.question(s, f, "number", 1, 1, tuple(range(count + 1)), prompt)
                if picked is None:
                    return True
                count = picked[0]
            f.pc = after
            return shift(s, f, count)

        return move

    def candidates(self, given: Given) -> str:
        """The objects a verb may take: of a kind, that pass the filter, where they lie."""
        what, source = given["what"], given.get("source")
        if isinstance(what, m.Named) and what.zone is None and source is not None:
            return self.text(m.Named(what.kind, what.where, source, what.type))
        if isinstance(what, m.ObjectRef):  # a copy of a declared thing, wherever the verb takes it from
            same = m.Compare("=", m.Special("it", what.type), what)
            return self.text(m.Named(what.kind, same, source, what.type))
        found, written = self.text(what), self.evaluator.source
        zones = self.evaluator.zone_numbers(source) if isinstance(source, m.ZoneRef) else None
        if not what.type.many:
            number = written.variable()
            there = f" and s.where[{number}] in {zones}" if zones is not None else ""
            return f"(({number},) if ({number} := {found}) >= 0{there} else ())"
        if zones is None:
            return found
        return written.call(
            f"zones, found = {zones}, []", f"for it in {found}:", " if s.where[it] in zones: found.append(it)",
            "return tuple(found)",
        )  # fmt: skip

    def _picked(self, given: Given) -> str | None:
        """Which objects a verb takes: by chance, from an end of a pile, all, or one; nothing if the seat picks them."""
        quantity, what, source = given["n"], given["what"], given.get("source")
        assert isinstance(quantity, m.Quantity)
        mode, machine = quantity.mode, self.machine
        if mode in {"top", "bottom"} and isinstance(source, m.ZoneRef) and quantity.amount is not None:
            zone, amount = self.evaluator.zone_number(source), self.text(quantity.amount)
            return f"{self.name(machine.from_pile)}(s, {zone}, {amount}, {mode!r})"
        given_one = not what.type.many and not isinstance(what, (m.Named, m.ObjectRef))
        if mode == "all" or (given_one and mode == "exactly"):
            return self.candidates(given)
        if mode == "random":
            amount = self.text(quantity.amount) if quantity.amount is not None else "1_000_000"
            return f"{self.name(machine.at_random)}(s, {self.candidates(given)}, {amount})"
        return None

    def _carry(self, code: Do, given: Given) -> list[str]:
        """The objects `picked` go to a zone."""
        lines = self._keep(code, given)
        target, carry = self.evaluator.zone_number(given["target"]), self.name(self.machine.carry)
        if "move" not in self.machine.abilities.heard:
            return [*lines, f"if picked: {carry}(s, picked, {target})"]
        told = self.announced("move", "{'what': picked[0], 'n': len(picked), 'source': zone, 'target': end}")
        return [
            *lines, "if picked:", f" zone, end = s.where[picked[0]], {target}", f" {carry}(s, picked, end)",
            f" if {told}: return True",
        ]  # fmt: skip

    def _keep(self, code: Do, given: Given) -> list[str]:
        """The objects `picked` are the result of the verb."""
        if code.slot < 0:
            return []
        return [f"f.slots[{code.slot}] = {'(picked[0] if picked else -1)' if _single(given) else 'picked'}"]

    def _ask_objects(self, code: Do, given: Given, after: int) -> Operation:
        """Objects that the seat picks, to be moved or looked at."""
        quantity, machine, source = given["n"], self.machine, self.evaluator.source
        assert isinstance(quantity, m.Quantity)
        group = source.asked(self.candidates(given))
        amount = self.evaluator.compile(quantity.amount) if quantity.amount is not None else None
        exact, verb = quantity.mode == "exactly", code.verb
        then = self._carry(code, given) if verb == "move" else self._seen(code, given)
        done = source.define("it = -1", *then, takes="s, f, picked")

        def pick(s: State, f: Frame) -> Any:
            things = group(s, f, -1)
            count = len(things) if amount is None else min(len(things), amount(s, f, -1))
            picked = machine.pick_objects(s, f, things, count if exact else 0, count, verb)
            if picked is None:
                return True
            f.pc = after
            return done(s, f, picked)

        return pick

    def _look(self, code: Do, given: Given) -> list[str] | None:
        picked = self._picked(given)
        return None if picked is None else [f"picked = {picked}", *self._seen(code, given)]

    def _seen(self, code: Do, given: Given) -> list[str]:
        """The acting seat has seen the objects `picked`."""
        return [
            "for number in picked: s.known[number] = s.known.get(number, 0) | (1 << f.you)",
            "if s.log is not None and picked:",
            " s.log = (s.log, ('look', f.you, picked, tuple(sorted({s.where[number] for number in picked}))))",
            *self._keep(code, given),
        ]

    def _reveal(self, code: Do, given: Given) -> list[str]:
        everybody = (1 << self.table.seats) - 1
        return [
            f"picked = {self.evaluator.group(given['what'])}",
            f"for number in picked: s.known[number] = {everybody}",
            "if s.log is not None and picked: s.log = (s.log, ('reveal', f.you, picked))",
        ]

    def _shuffle(self, code: Do, given: Given) -> list[str]:
        return [
            f"for zone in {self.evaluator.zone_numbers(given['zone'])}:",
            f" s.zones[zone], s.chance = {self.name(shuffled)}(s.seed, s.chance, s.zones[zone])",
            " for number in s.zones[zone]: s.known.pop(number, None)",
        ]

    def _roll(self, code: Do, given: Given) -> list[str]:
        rolled = f"{self.name(below)}(s.seed, s.chance, {self.text(given['sides'])}) + 1"
        return [f"f.slots[{code.slot}] = {rolled}" if code.slot >= 0 else "pass", "s.chance += 1"]

    # ---- programs

    def _run(self, code: Do, given: Given) -> list[str]:
        return self._slot(given, copy=False)

    def _copy(self, code: Do, given: Given) -> list[str]:
        return self._slot(given, copy=True)

    def _slot(self, given: Given, *, copy: bool) -> list[str]:
        """Run the slot of an object; copied, it stands on the object it is copied to."""
        ref = given["slot"]
        assert isinstance(ref, m.SlotRef)
        kind, many = ref.object.type.name, ref.object.type.many
        column = self.name(self.table.programs_of(ref.slot, kind))
        this, here = "f.this" if copy else "number", "number" if kind == "place" else "f.here"
        if not many:
            start = f"{self.name(self.machine.start_program)}(s, f, program, {this}, {here})"
            return [
                f"number = {self.text(ref.object)}",
                f"program = {column}[number]",
                f"if program >= 0 and {start}: return True",
            ]
        push = f"{self.name(self.machine.push)}(s, program, f.you, {this}, {here}, ())"
        return [
            "pushed = False", f"for number in reversed({self.text(ref.object)}):", f" program = {column}[number]",
            " if program >= 0:", f"  {push}", "  pushed = True", "if pushed: return True",
        ]  # fmt: skip

    def _offer(self, code: Do, given: Given) -> None:
        """Always asks."""

    def _pass(self, code: Do, given: Given) -> list[str]:
        return ["s.used['passed'] = 1"]

    def _leave(self, code: Do, given: Given) -> list[str]:
        procedure = given["procedure"]
        assert isinstance(procedure, m.WordRef)
        return [f"return {self.name(self.machine.leave)}(s, {procedure.name!r})"]

    def _win(self, code: Do, given: Given) -> list[str]:
        who = self.text(given["who"])
        return [
            f"s.result = tuple(sorted({who}))" if given["who"].type.many else f"s.result = ({who},)",
            "s.frames.clear()", "s.join()", "return True",
        ]  # fmt: skip


def _single(given: Given) -> bool:
    """Whether a verb takes exactly one thing, so that its result is that thing and not a group."""
    quantity = given["n"]
    if not isinstance(quantity, m.Quantity) or quantity.mode in {"up to", "any", "all"}:
        return False
    return isinstance(quantity.amount, m.Constant) and quantity.amount.value == 1
