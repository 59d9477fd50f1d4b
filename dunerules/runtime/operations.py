"""Kernel verbs as Python. Flat: one method a verb, each does one thing to the state.

What asks nobody is written as lines of Python, to be joined with the steps before and after it (`steps.py`). A verb
that asks is an operation of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.bounds import bounds
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import POOL
from dunerules.runtime.abilities import THINGS
from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Operation

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["Operations"]

Given = dict[str, m.Expression]

_ASKED = frozenset({"up to", "any"})
"""Quantities of which the acting seat says how many."""


class Operations:
    """Writes `Do` codes: `s` is the state and `f` the frame."""

    def __init__(self, machine: Machine, *, heard: bool = True) -> None:
        self.machine = machine
        self.heard = heard
        """Whether anybody reacts to what is done, or replaces it. In a trial nobody does."""
        self.table = machine.table
        self.evaluator = machine.evaluator
        self.text = machine.evaluator.text
        self.name = machine.evaluator.source.name

    def lines(self, code: Do) -> list[str] | None:
        """What a verb does, if it asks nobody. It returns true where something else is to happen before it goes on."""
        found: list[str] | None = getattr(self, f"_{code.verb}")(code, dict(code.arguments))
        return found

    def asking(self, code: Do, program: int, pc: int, after: int) -> Operation:
        """The operation of a verb that asks, at a place of a program; `after` is where to go on."""
        given = dict(code.arguments)
        if code.verb == "offer":
            group = given["group"]
            assert isinstance(group, m.WordRef)
            return self.machine.offer(group.name, after, may=False)
        if isinstance(given["what"], (m.WordRef, m.CounterRef)):
            return self._ask_number(code, given, after)
        return self._ask_objects(code, self.machine.legality.leaving(code, program, pc, after), after)

    def amount(self, code: Do) -> str:
        """How much or how many a verb says, never below zero: its number, as often as `per` counts."""
        number = dict(code.arguments)["n"]
        amount = self.at_least_zero(number)
        if code.per is None:
            return amount
        each, counted = code.per
        often = self.at_least_zero(counted)
        return f"({amount} * {often if each == 1 else f'({often} // {each})'})"

    def at_least_zero(self, node: m.Expression) -> str:
        """A number where it says how much or how many."""
        built = self.evaluator.core.build(node)
        return self.evaluator.print(built if bounds(built)[0] >= 0 else ir.Extreme("most", (ir.Number(0), built)))

    def _if_about_something(self, code: Do, parts: Iterable[m.Expression | None], lines: list[str]) -> list[str]:
        """Lines that are done unless the step is about nobody, nothing or nowhere."""
        tests = self.evaluator.sure(parts)
        if not tests:
            return lines
        otherwise = [f"else: f.slots[{code.slot}] = 0"] if code.slot >= 0 else []
        return [f"if {' and '.join(tests)}:", *(f" {line}" for line in lines), *otherwise]

    def announced(self, verb: str, told: str, what: str = "", who: str = "f.you", things: str = "()") -> str:
        """What reacts to a verb, perhaps done to something; true if anything does."""
        if not self.heard:
            return "False"
        announce = f"{self.name(self.machine.announce)}(s, {verb!r}, {who}, {told}, {what!r}, {things})"
        when = self.machine.abilities.when
        return announce if verb in when or f"{verb} {what}" in when else f"(s.lasting and {announce})"

    def _announced_sight(self, verb: str) -> list[str]:
        """What reacts to the objects `picked`, seen where they lie."""
        if not self.machine.abilities.hears(verb):
            return []
        things = "tuple([(thing, s.where[thing], s.where[thing]) for thing in picked])"
        return [f"if picked and {self.announced(verb, '{}', things=things)}: return True"]

    # ---- counters

    def _gain(self, code: Do, given: Given) -> list[str]:
        return self._change(code, given, "+")

    def _pay(self, code: Do, given: Given) -> list[str]:
        return self._change(code, given, "-")

    def _lose(self, code: Do, given: Given) -> list[str] | None:
        what, quantity = given["what"], given["n"]
        if not isinstance(what, m.CounterRef):
            return self._pieces(code, given)
        if isinstance(quantity, m.Quantity) and quantity.mode in _ASKED:
            return None
        return self._change(code, given, "-")

    def _change(self, code: Do, given: Given, sign: str) -> list[str]:
        """Add to or take from a counter, within its bounds; thresholds and reactions follow."""
        quantity, what = given["n"], given["what"]
        assert isinstance(what, m.CounterRef)
        if isinstance(quantity, m.Quantity) and quantity.mode == "all":
            return self._put(code, given, str(self.table.layout.cells[what.counter].low))
        return self._put(code, given, f"before {sign} {self.amount(code)}")

    def _set(self, code: Do, given: Given) -> list[str]:
        return self._put(code, given, self.text(given["value"]))

    def _put(self, code: Do, given: Given, value: str) -> list[str]:
        what = given["what"]
        assert isinstance(what, m.CounterRef)
        cells = self.table.layout.cells[what.counter]
        following = self.machine.events.after_change(what.counter, code.verb) if self.heard else None
        replacing = self.machine.events.before_change(what.counter, code.verb)
        lines = [
            f"number = {self.evaluator.cell(what)}",
            "before = s.cells[number]",
            f"value = {value}",
            f"if value > {cells.high}: value = {cells.high}",
            f"elif value < {cells.low}: value = {cells.low}",
            *self._unless_replaced(code, "value != before", replacing, "number, abs(value - before)"),
            "s.cells[number] = value",
            "if s.log is not None and value != before:",
            f" s.log = (s.log, ('cell', number, before, value, {code.verb!r}))",
        ]
        if code.slot >= 0:
            lines.append(f"f.slots[{code.slot}] = abs(value - before)")
        if following is not None:
            ran = f"{self.name(following)}(s, f, number, before, value)"
            lines.append(f"if value != before and {ran}: return True")
        return self._if_about_something(code, self.evaluator.core.cell_parts(what), lines)

    def _unless_replaced(self, code: Do, changes: str, replacing: Callable[..., bool] | None, given: str) -> list[str]:
        """Something else may be done in place of a change. Then the verb gives nothing."""
        if replacing is None or not self.heard:
            return []
        kept = [f"f.slots[{code.slot}] = 0"] if code.slot >= 0 else []
        return [*kept, f"if {changes} and {self.name(replacing)}(s, f, {given}): return True"]

    # ---- pieces and objects

    def _move(self, code: Do, given: Given) -> list[str] | None:
        if isinstance(given["what"], m.WordRef):
            return self._pieces(code, given)
        picked = self._picked(code, given)
        if picked is None:
            return None
        if self.evaluator.core.maybe_nowhere(given["target"]):  # then nothing is drawn, and no pile made anew
            picked = [f"if {self._goes_somewhere(given)}:", *(f" {line}" for line in picked), "else: picked = ()"]
        return [*picked, *self._carry(code, given)]

    def _pieces(self, code: Do, given: Given) -> list[str] | None:
        """Move pieces between pools and places: as many as there are. Nothing if the seat is to say how many."""
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        if quantity.mode in _ASKED:
            return None
        lines = [*self._between(given), f"count = {self._most_pieces(code, quantity)}", *self._shift(code, given)]
        return self._if_about_something(code, self.piece_parts(given), lines)

    def _most_pieces(self, code: Do, quantity: m.Quantity) -> str:
        """How many pieces can go, of those a step names."""
        return "s.cells[start]" if quantity.amount is None else f"min(s.cells[start], {self.amount(code)})"

    def _between(self, given: Given) -> list[str]:
        """Where pieces are, and where they go."""
        what, source, target = self._route(given)
        return [f"start = {self.pool(what, source)}", f"end = {self.pool(what, target)}"]

    def _route(self, given: Given) -> tuple[m.WordRef, m.Expression, m.Expression]:
        """Which pieces go, from where, and to where: home, if nothing is said."""
        what = given["what"]
        assert isinstance(what, m.WordRef)
        home = m.WordRef(self.table.rules.words.pieces[what.name].home, POOL, what.owner)
        return what, given["source"], given.get("target") or home

    def pool(self, what: m.WordRef, spot: m.Expression) -> str:
        """The number of the cell that counts pieces somewhere."""
        if isinstance(spot, m.WordRef):
            return self.evaluator.pool_cell(what.name, spot.name, spot.owner or what.owner, None)
        return self.evaluator.pool_cell(what.name, "", what.owner, spot)

    def piece_parts(self, given: Given) -> list[m.Expression | None]:
        """What must be somebody or somewhere, so that pieces can go."""
        what, *spots = self._route(given)
        return [part for spot in spots for part in _pool_parts(what, spot)]

    def _shift(self, code: Do, given: Given) -> list[str]:
        """`count` pieces go from the cell `start` to the cell `end`."""
        what = given["what"]
        assert isinstance(what, m.WordRef)
        lines = [
            *self._unless_replaced(
                code, "count", self.machine.events.before_pieces(what.name, code.verb), "start, end, count"
            ),
            "s.cells[start] -= count",
            "s.cells[end] += count",
            "if s.log is not None and count: s.log = (s.log, ('pieces', start, end, count))",
        ]
        if code.slot >= 0:
            lines.append(f"f.slots[{code.slot}] = count")
        following = self.machine.events.after_pieces(what.name, code.verb) if self.heard else None
        if following is not None:
            lines.append(f"if count and {self.name(following)}(s, f, start, end, count): return True")
        return lines

    def _ask_number(self, code: Do, given: Given, after: int) -> Operation:
        """Pieces, or so much of a counter, of which the seat says how many."""
        quantity, machine, what = given["n"], self.machine, given["what"]
        assert isinstance(quantity, m.Quantity)
        source = self.evaluator.source
        if isinstance(what, m.CounterRef):
            prompt, parts = f"{code.verb} {what.counter}", self.evaluator.core.cell_parts(what)
            low = self.table.layout.cells[what.counter].low
            there = f"s.cells[{self.evaluator.cell(what)}]" + (f" - {low}" if low else "")
            most = [f"most = {there if quantity.amount is None else f'min({there}, {self.amount(code)})'}"]
            done = self._put(code, given, "before - count")
        else:
            assert isinstance(what, m.WordRef)
            prompt, parts = f"{code.verb} {what.name}", self.piece_parts(given)
            between = self._between(given)
            most = [*between, f"most = {self._most_pieces(code, quantity)}"]
            done = self._if_about_something(code, parts, [*between, *self._shift(code, given)])
        sure = " and ".join(self.evaluator.sure(parts)) or "True"
        ask = source.define("it = -1", f"if not ({sure}): return 0", *most, "return most", takes="s, f")
        do = source.define("it = -1", *done, takes="s, f, count")

        def move(s: State, f: Frame) -> Any:
            count = ask(s, f)
            if count > 0:
                picked = machine.question(s, f, "number", 1, 1, machine.up_to(s, count), prompt)
                if picked is None:
                    return True
                count = picked[0] if picked else 0
            f.pc = after
            return do(s, f, count)

        return move

    def candidates(self, given: Given) -> str:
        """The objects a verb may take: of a kind, that pass the filter, where they lie."""
        what, source, core = given["what"], given.get("source"), self.evaluator.core
        if isinstance(what, m.Named) and what.zone is None and source is not None:
            return self.text(m.Named(what.kind, what.where, source, what.type))
        if isinstance(what, m.ObjectRef) or (isinstance(what, m.FieldRef) and not what.type.many):
            # a copy of a declared thing, wherever the verb takes it from
            same = m.Compare("=", m.Special("it", what.type), what)
            return self.text(m.Named(what.type.of, same, source, what.type))
        if source is None:
            return self.evaluator.print(core.group(what))
        thing = ir.Variable("thing")
        lies_there = ir.Contains(core.zone_numbers(source), ir.Where(thing))
        if what.type.many:
            return self.evaluator.print(ir.Filter("thing", core.build(what), lies_there))
        one = make.choice(lies_there, ir.Group((thing,)), ir.Members(()))
        return self.evaluator.print(ir.Given("thing", core.build(what), one, ir.Members(())))

    def _picked(self, code: Do, given: Given) -> list[str] | None:
        """Lines that say which objects, `picked`, a verb takes: by chance, from an end of a pile, all, or one; nothing
        if the seat picks them."""
        quantity, what = given["n"], given["what"]
        assert isinstance(quantity, m.Quantity)
        mode = quantity.mode
        if mode in {"top", "bottom"}:
            return self._from_end(code, given, mode)
        given_one = not what.type.many and not isinstance(what, (m.Named, m.ObjectRef, m.FieldRef))
        if mode == "all":
            return [f"picked = {self.candidates(given)}"]
        if mode == "exactly" and given_one:
            return [f"picked = {self.candidates(given)}[:{self.amount(code)}]"]
        if mode == "random":
            chance = self.name(self.machine.at_random)
            return [f"picked = {chance}(s, {self.candidates(given)}, {self.amount(code)})"]
        return None

    def _from_end(self, code: Do, given: Given, mode: str) -> list[str]:
        """The first from one end of the zones that are named, read as one pile; a pile that is too small is made anew
        first, if it can be."""
        what, source, amount = given["what"], self._source(given), self.amount(code)
        assert source is not None
        if isinstance(source, m.ZoneRef) and isinstance(what, m.Named) and what.where is None:
            one_zone = not source.owner_is_many and len(self.evaluator.core.zone_parts(source)) == 1
            if one_zone and (not what.kind or self.evaluator.core.holds_only(source, what.kind)):
                zone, number = self.evaluator.zone_number(source), self.evaluator.source.variable()
                pile = f"{self.name(self.machine.from_pile)}(s, {number}, {amount}, {mode!r})"
                return [f"{number} = {zone}", f"picked = {pile} if {number} >= 0 else ()"]
        found, order = self.candidates(given), "[::-1]" if mode == "bottom" else ""
        renew = f"{self.name(self.machine.renew)}(s, {self.evaluator.zone_numbers(source)})"
        return [
            f"wanted, picked = {amount}, {found}",
            f"if len(picked) < wanted and {renew}: picked = {found}",
            f"picked = picked{order}[:wanted]",
        ]

    def _source(self, given: Given) -> m.Expression | None:
        """Where a verb takes objects from: what follows `from`, or where they are said to lie."""
        what = given["what"]
        named = what.zone if isinstance(what, m.Named) else None
        return given.get("source") or (named if named is not None and named.type.name == "zone" else None)

    def _carry(self, code: Do, given: Given) -> list[str]:
        """The objects `picked` go to a zone."""
        lines = self._keep(code)
        target, carry = self.evaluator.zone_number(given["target"]), self.name(self.machine.carry)
        if not self.machine.abilities.hears("move", THINGS):
            return [*lines, f"if picked: {carry}(s, picked, {target})"]
        things = "tuple([(thing, start, end) for thing, start in zip(picked, starts)])"
        return [
            *lines,
            "if picked:",
            f" starts, end = tuple(map(s.where.__getitem__, picked)), {target}",
            f" {carry}(s, picked, end)",
            f" if {self.announced('move', '{}', THINGS, things=things)}: return True",
        ]

    def _keep(self, code: Do) -> list[str]:
        """The objects `picked` are the result of the verb."""
        if code.slot < 0:
            return []
        return [f"f.slots[{code.slot}] = {'picked' if code.many else '(picked[0] if picked else -1)'}"]

    def _ask_objects(self, code: Do, leaves: Callable[[State, Frame, int], bool] | None, after: int) -> Operation:
        """Objects that the seat picks, to be moved or looked at. `leaves` says whether one leaves what else the cost
        needs."""
        given, machine, source = dict(code.arguments), self.machine, self.evaluator.source
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        group = source.asked(self.candidates(given))
        amount = source.asked(self.amount(code)) if quantity.amount is not None else None
        exact, verb, done = quantity.mode == "exactly", code.verb, self.taking(code)
        zones, anywhere = self.looked_in(self._source(given)), source.asked(self._goes_somewhere(given))

        def pick(s: State, f: Frame) -> Any:
            things = group(s, f, -1) if anywhere(s, f, -1) else ()
            wanted = len(things) if amount is None else amount(s, f, -1)
            count = min(len(things), wanted)
            if leaves is not None and count == 1 and s.answer is None:
                things = tuple(thing for thing in things if leaves(s, f, thing)) or things
            picked = machine.pick_objects(s, f, things, count if exact else 0, count, verb, wanted, zones(s, f, -1))
            if picked is None:
                return True
            f.pc = after
            return done(s, f, picked)

        return pick

    def looked_in(self, node: m.Expression | None) -> Asked:
        """The zones that objects are picked from, if any are named."""
        zone = node.zone if isinstance(node, m.Named) else node
        named = zone is not None and zone.type.name == "zone"
        return self.evaluator.source.asked(self.evaluator.zone_numbers(zone) if named and zone is not None else "()")

    def _goes_somewhere(self, given: Given) -> str:
        """Whether there is a zone that objects would go to."""
        target = given.get("target")
        if target is None or not self.evaluator.core.maybe_nowhere(target):
            return "True"
        return f"({self.evaluator.zone_number(target)} >= 0)"

    def needs_objects(self, code: Do, there: str) -> str:
        """Whether so many objects are enough for a verb, and go somewhere."""
        amount, somewhere = self.amount(code), self._goes_somewhere(dict(code.arguments))
        enough = f"({there} >= {amount})"
        return enough if somewhere == "True" else f"({enough} and ({amount} <= 0 or {somewhere}))"

    def taking(self, code: Do) -> Callable[[State, Frame, tuple[int, ...]], Any]:
        """What a verb does with the objects that were picked for it."""
        given = dict(code.arguments)
        then = self._carry(code, given) if code.verb == "move" else self._seen(code, given)
        return self.evaluator.source.define("it = -1", *then, takes="s, f, picked")

    def behind(self, given: Given) -> str:
        """How many more objects a verb could take if piles were made anew."""
        what, source = given["what"], self._source(given)
        assert source is not None
        if isinstance(source, m.ZoneRef) and not any(part.refill for part in self.evaluator.core.zone_parts(source)):
            return "0"
        if isinstance(what, m.Named):
            what = replace(what, zone=None)
        return f"len({self.candidates({**given, 'what': what, 'source': m.Refill(source)})})"

    def _look(self, code: Do, given: Given) -> list[str] | None:
        picked = self._picked(code, given)
        return None if picked is None else [*picked, *self._seen(code, given)]

    def _seen(self, code: Do, given: Given) -> list[str]:
        """The acting seat has seen the objects `picked`."""
        return [
            "for number in picked: s.known[number] = s.known.get(number, 0) | (1 << f.you)",
            "if s.log is not None and picked:",
            " s.log = (s.log, ('look', f.you, picked, tuple(sorted({s.where[number] for number in picked}))))",
            *self._keep(code),
            *self._announced_sight("look"),
        ]

    def _reveal(self, code: Do, given: Given) -> list[str]:
        everybody = (1 << self.table.seats) - 1
        return [
            f"picked = {self.evaluator.group(given['what'])}",
            *self._keep(code),
            f"for number in picked: s.known[number] = {everybody}",
            "if s.log is not None and picked: s.log = (s.log, ('reveal', f.you, picked))",
            *self._announced_sight("reveal"),
        ]

    def _shuffle(self, code: Do, given: Given) -> list[str]:
        lines = [
            f"zones = tuple({self.evaluator.zone_numbers(given['zone'])})",
            "for zone in zones:",
            f" s.zones[zone], s.chance = {self.name(shuffled)}(s.seed, s.chance, s.zones[zone])",
            " for number in s.zones[zone]: s.known.pop(number, None)",
        ]
        if self.machine.abilities.hears("shuffle"):
            lines.append(f"if {self.announced('shuffle', '{' + repr('zone') + ': zones}')}: return True")
        return lines

    def _roll(self, code: Do, given: Given) -> list[str]:
        keep = [f" f.slots[{code.slot}] = {self.name(below)}(s.seed, s.chance, sides) + 1"] if code.slot >= 0 else []
        otherwise = [f"else: f.slots[{code.slot}] = 0"] if code.slot >= 0 else []
        lines = [f"sides = {self.text(given['sides'])}", "if sides > 0:", *keep, " s.chance += 1", *otherwise]
        if self.machine.abilities.hears("roll"):
            lines.append(f"if {self.announced('roll', '{' + repr('sides') + ': sides}')}: return True")
        return lines

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
        this, here = ("f.this", "f.here") if copy else ("number", "number" if kind == "place" else "f.here")
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
        return [f"{self.name(self.machine.rounds.passes)}(s)"]

    def _leave(self, code: Do, given: Given) -> list[str]:
        procedure = given["procedure"]
        assert isinstance(procedure, m.WordRef)
        return [f"if {self.name(self.machine.leave)}(s, {procedure.name!r}): return True"]

    def _win(self, code: Do, given: Given) -> list[str]:
        return [
            f"winners = {self.evaluator.group(given['who'])}", "if winners:",
            " s.result = tuple(sorted(winners))", " s.frames.clear()", " s.join()", " return True",
        ]  # fmt: skip


def _pool_parts(what: m.WordRef, spot: m.Expression) -> list[m.Expression | None]:
    """What must be somebody or somewhere, so that there are pieces."""
    return [spot.owner or what.owner] if isinstance(spot, m.WordRef) else [what.owner, spot]
