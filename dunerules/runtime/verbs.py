"""Kernel verbs, each described once, as steps of the core language: what it does to the state, and what it needs.

How it is done, how it is foreseen and what it takes to be possible are all read off these steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.bounds import bounds
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import POOL
from dunerules.runtime.abilities import THINGS, Abilities
from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.surroundings import Surroundings

__all__ = ["Functions", "Verbs"]

Given = dict[str, m.Expression]

_ASKED = frozenset({"up to", "any"})
"""Quantities of which the acting seat says how many."""

_YOU = ir.FramePart("you")
_PICKED, _COUNT = ir.Variable("picked"), ir.Variable("count")


Following: TypeAlias = Callable[[str, str], Callable[..., bool] | None]
"""By counter or kind of pieces, and verb: what may happen before or after it changes. Nothing, if nothing can."""


@dataclass(frozen=True, slots=True)
class Functions:
    """What verbs do by functions of the machine, and whom they tell."""

    before_change: Following
    after_change: Following
    before_pieces: Following
    after_pieces: Following
    things_moved: ir.Function
    things_seen: ir.Function
    shuffled: ir.Function
    die_thrown: ir.Function
    carry: ir.Function
    from_pile: ir.Function
    renew: ir.Function
    at_random: ir.Function
    start_program: ir.Function
    start_programs: ir.Function
    passes: ir.Function
    leave: ir.Function


class Verbs:
    """Describes what verbs do at a table. There is one method for every verb."""

    def __init__(self, core: Expressions, abilities: Abilities, functions: Functions) -> None:
        self.core = core
        self.table = core.table
        self.abilities = abilities
        self.functions = functions
        self._shuffle_function = ir.Function("shuffled", shuffled)
        self._roll_function = ir.Function("below", below)
        self._steps: dict[int, tuple[Do, st.Steps]] = {}
        """By `id` of the code, which is kept so that no other has the same."""

    def at(self, around: Surroundings) -> Verbs:
        """The same descriptions, in other surroundings."""
        other = copy(self)
        other.core, other._steps = self.core.at(around), {}
        return other

    def steps(self, code: Do) -> st.Steps:
        """What a verb does."""
        known = self._steps.get(id(code))
        if known is None:
            found: Iterable[st.Step] = getattr(self, f"_{code.verb}")(code, dict(code.arguments))
            known = self._steps.setdefault(id(code), (code, tuple(found)))  # another thread may have been first
        return known[1]

    # ---- amounts, and whether there is anything it is about

    def amount(self, code: Do) -> ir.Expr:
        """How much or how many a verb says, never below zero: its number, as often as `per` counts."""
        amount = self._at_least_zero(dict(code.arguments)["n"])
        if code.per is None:
            return amount
        each, counted = code.per
        often = self._at_least_zero(counted)
        often = often if each == 1 else make.reckoned(("+", often), ("//", ir.Number(each)))
        return ir.Arithmetic((ir.Term("+", amount), ir.Term("*", often)))

    def _at_least_zero(self, node: m.Expression) -> ir.Expr:
        built = self.core.build(node)
        return built if bounds(built)[0] >= 0 else ir.Extreme("most", (make.ZERO, built))

    def _about_something(self, code: Do, sure: ir.Expr, steps: Iterable[st.Step], needed: ir.Expr | None) -> st.Step:
        """Steps that are done unless the verb is about nobody, nothing or nowhere; then so much must not be needed."""
        otherwise: list[st.Step] = [] if needed is None else [st.Need(make.compare("<=", needed, make.ZERO))]
        if code.slot >= 0:
            otherwise.append(st.Put(code.slot, make.ZERO))
        return st.When(sure, tuple(steps), tuple(otherwise))

    def _heard(self, verb: str, what: str = "") -> ir.Expr:
        """Whether anything may react to a verb now."""
        when = self.abilities.when
        return make.TRUE if verb in when or f"{verb} {what}" in when else ir.SomethingLasts()

    # ---- counters

    def _gain(self, code: Do, given: Given) -> list[st.Step]:
        return self._changed(code, given, "+")

    def _pay(self, code: Do, given: Given) -> list[st.Step]:
        return self._changed(code, given, "-")

    def _lose(self, code: Do, given: Given) -> list[st.Step]:
        return self._changed(code, given, "-") if isinstance(given["what"], m.CounterRef) else self._pieces(code, given)

    def _set(self, code: Do, given: Given) -> list[st.Step]:
        return self._counter(code, given, lambda before: self.core.build(given["value"]))

    def _changed(self, code: Do, given: Given, sign: str) -> list[st.Step]:
        """Add to or take from a counter, within its bounds: as much as is said, all, or as the seat says."""
        quantity, what = given["n"], given["what"]
        assert isinstance(what, m.CounterRef)
        low = self.table.layout.cells[what.counter].low
        mode = quantity.mode if isinstance(quantity, m.Quantity) else "exactly"
        if mode == "all":
            return self._counter(code, given, lambda before: ir.Number(low))
        amount = self.amount(code) if mode == "exactly" or _says_how_many(quantity) else None
        if mode in _ASKED:
            held = ir.Held(ir.Variable("number"))
            there = _plainly("-", held, ir.Number(low)) if low else held
            most = there if amount is None else ir.Extreme("least", (there, amount))
            ask = st.Ask("number", "count", mode, ir.Members(()), most, ir.Members(()), f"{code.verb} {what.counter}")
            return self._counter(code, given, lambda before: _plainly("-", before, _COUNT), ask=ask)
        assert amount is not None
        return self._counter(
            code, given, lambda before: _plainly(sign, before, amount), needed=amount if sign == "-" else None
        )

    def _counter(
        self,
        code: Do,
        given: Given,
        value: Callable[[ir.Expr], ir.Expr],
        *,
        needed: ir.Expr | None = None,
        ask: st.Ask | None = None,
    ) -> list[st.Step]:
        """A counter gets a value; thresholds and reactions follow. So much of it may be needed."""
        what, verb = given["what"], code.verb
        assert isinstance(what, m.CounterRef)
        cell = self.core.cell(what)
        number, before, after = map(ir.Variable, ("number", "before", "value"))
        change, changes = ir.Difference(after, before), ir.Compare("!=", after, before)
        steps: list[st.Step] = [st.Let("number", cell)]
        steps += [ask] if ask is not None else []
        steps.append(st.Let("before", ir.Held(number)))
        if needed is not None:
            left = _plainly("-", before, needed)
            steps.append(st.Need(ir.Compare(">=", left, ir.Number(cell.region.low))))
        steps += [st.Let("value", value(before)), st.Clamp("value", cell.region.low, cell.region.high)]
        replacing = self.functions.before_change(what.counter, verb)
        if replacing is not None:
            steps += self._replaced(code, changes, ir.Function("replacing", replacing), (number, change))
        steps.append(st.Write(cell.region, number, after))
        steps.append(st.Note(changes, (ir.Text("cell"), number, before, after, ir.Text(verb)), code.origin))
        if code.slot >= 0:
            steps.append(st.Put(code.slot, change))
        following = self.functions.after_change(what.counter, verb)
        if following is not None:
            function = ir.Function("following", following)
            steps.append(st.React(changes, ir.Call(function, (ir.Frame(), number, before, after))))
        return [self._about_something(code, self.core.sure(self.core.cell_parts(what)), steps, needed)]

    def _replaced(self, code: Do, changes: ir.Expr, function: ir.Function, told: tuple[ir.Expr, ...]) -> list[st.Step]:
        """Something else may be done in place of a change. Then the verb gives nothing."""
        kept: list[st.Step] = [st.Put(code.slot, make.ZERO)] if code.slot >= 0 else []
        return [*kept, st.Replace(changes, ir.Call(function, (ir.Frame(), *told)))]

    # ---- pieces

    def _pieces(self, code: Do, given: Given) -> list[st.Step]:
        """Pieces go between pools and places: as many as there are, or as the seat says."""
        quantity, what, verb = given["n"], given["what"], code.verb
        assert isinstance(quantity, m.Quantity)
        assert isinstance(what, m.WordRef)
        home = m.WordRef(self.table.rules.words.pieces[what.name].home, POOL, what.owner)
        source, target = given["source"], given.get("target") or home
        start, end = self._pool(what, source), self._pool(what, target)
        first, last = ir.Variable("start"), ir.Variable("end")
        there: ir.Expr = ir.Held(first)
        amount = self.amount(code) if quantity.amount is not None else None
        most = there if amount is None else ir.Extreme("least", (there, amount))
        needed = amount if quantity.mode == "exactly" and (verb == "lose" or code.paid) else None
        steps: list[st.Step] = [st.Let("start", start), st.Let("end", end)]
        if needed is not None:
            steps.append(st.Need(ir.Compare(">=", _plainly("-", there, needed), make.ZERO)))
        if quantity.mode in _ASKED:
            none = ir.Members(())
            steps.append(st.Ask("number", "count", quantity.mode, none, most, none, f"{verb} {what.name}"))
        else:
            steps.append(st.Let("count", most))
        replacing = self.functions.before_pieces(what.name, verb)
        if replacing is not None:
            steps += self._replaced(code, _COUNT, ir.Function("replacing", replacing), (first, last, _COUNT))
        steps += [
            st.Write(start.region, first, _plainly("-", ir.Held(first), _COUNT)),
            st.Write(end.region, last, _plainly("+", ir.Held(last), _COUNT)),
            st.Note(_COUNT, (ir.Text("pieces"), first, last, _COUNT), code.origin),
        ]
        if code.slot >= 0:
            steps.append(st.Put(code.slot, _COUNT))
        following = self.functions.after_pieces(what.name, verb)
        if following is not None:
            told = (ir.Frame(), first, last, _COUNT)
            steps.append(st.React(_COUNT, ir.Call(ir.Function("following", following), told)))
        parts = [part for spot in (source, target) for part in _pool_parts(what, spot)]
        return [self._about_something(code, self.core.sure(parts), steps, needed)]

    def _pool(self, what: m.WordRef, spot: m.Expression) -> ir.CellNumber:
        """The cell that counts pieces somewhere."""
        if isinstance(spot, m.WordRef):
            return self.core.pool(what.name, spot.name, spot.owner or what.owner, None)
        return self.core.pool(what.name, "", what.owner, spot)

    # ---- objects

    def _move(self, code: Do, given: Given) -> list[st.Step]:
        if isinstance(given["what"], m.WordRef):
            return self._pieces(code, given)
        target, functions = self.core.zone_number(given["target"]), self.functions
        steps = self._picked(code, given)
        steps += self._kept(code)
        if not self.abilities.hears("move", THINGS):
            return [*steps, st.When(_PICKED, (st.Carry(_PICKED, target, functions.carry, code.origin),))]
        starts, end = ir.Variable("starts"), ir.Variable("end")
        told = ir.Call(functions.things_moved, (_YOU, _PICKED, starts, end))
        carried: st.Steps = (
            st.Let("starts", ir.Lying(_PICKED)),
            st.Let("end", target),
            st.Carry(_PICKED, end, functions.carry, code.origin),
            st.React(self._heard("move", THINGS), told),
        )
        return [*steps, st.When(_PICKED, carried)]

    def _look(self, code: Do, given: Given) -> list[st.Step]:
        """The acting seat has seen some objects."""
        entry = (ir.Text("look"), _YOU, _PICKED, ir.Lying(_PICKED, distinct=True))
        return [
            *self._picked(code, given),
            st.Know(_PICKED, _YOU),
            st.Note(_PICKED, entry, code.origin),
            *self._kept(code),
            *self._sight(code),
        ]

    def _reveal(self, code: Do, given: Given) -> list[st.Step]:
        """Everybody has seen some objects."""
        return [
            st.Let("picked", self.core.group(given["what"])),
            *self._kept(code),
            st.Know(_PICKED, None, (1 << self.table.seats) - 1),
            st.Note(_PICKED, (ir.Text("reveal"), _YOU, _PICKED), code.origin),
            *self._sight(code),
        ]

    def _sight(self, code: Do) -> list[st.Step]:
        if not self.abilities.hears(code.verb):
            return []
        seen = ir.Call(self.functions.things_seen, (ir.Text(code.verb), _YOU, _PICKED))
        return [st.React(make.all_of((_PICKED, self._heard(code.verb))), seen)]

    def _kept(self, code: Do) -> list[st.Step]:
        """The objects `picked` are the result of the verb."""
        if code.slot < 0:
            return []
        return [st.Put(code.slot, _PICKED if code.many else ir.First(_PICKED))]

    def _picked(self, code: Do, given: Given) -> list[st.Step]:
        """Which objects, `picked`, a verb takes: by chance, from an end of a pile, all, one, or what the seat picks."""
        quantity, what = given["n"], given["what"]
        assert isinstance(quantity, m.Quantity)
        mode, found = quantity.mode, self.candidates(given)
        needs = self._enough(code, given, found)
        somewhere = self._somewhere(given)
        if mode in {"top", "bottom"}:
            return [*needs, *self._from_end(code, given, mode, found, somewhere)]
        given_one = not what.type.many and not isinstance(what, (m.Named, m.ObjectRef, m.FieldRef))
        there = make.choice(somewhere, found, ir.Members(()))
        if mode == "all":
            return [*needs, st.Let("picked", there)]
        amount = self.amount(code) if quantity.amount is not None else None
        if mode == "exactly" and given_one:
            assert amount is not None
            one = isinstance(amount, ir.Number) and amount.value == 1
            return [*needs, st.Let("picked", there if one else ir.Leading(there, amount))]
        return [*needs, st.Ask("thing", "picked", mode, there, amount, self.looked_in(_source(given)), code.verb)]

    def _enough(self, code: Do, given: Given, found: ir.Expr) -> list[st.Step]:
        """As many objects as a verb takes must be there, and go somewhere."""
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        counted = quantity.mode == "exactly" or (code.paid and quantity.mode in {"top", "bottom", "random"})
        if code.verb != "move" or not counted:
            return []
        there: ir.Expr = make.length(found)
        if quantity.mode in {"top", "bottom"}:
            there = make.reckoned(("+", there), ("+", self._behind(given)))
        amount = self.amount(code)
        enough = make.compare(">=", there, amount)
        none = make.compare("<=", amount, make.ZERO)
        return [st.Need(make.all_of((enough, make.any_of((none, self._somewhere(given))))))]

    def _somewhere(self, given: Given) -> ir.Expr:
        """Whether there is a zone that objects would go to."""
        target = given.get("target")
        if target is None or not self.core.maybe_nowhere(target):
            return make.TRUE
        return make.there(self.core.zone_number(target))

    def _from_end(self, code: Do, given: Given, mode: str, found: ir.Expr, somewhere: ir.Expr) -> list[st.Step]:
        """The first from one end of the zones that are named, read as one pile; a pile that is too small is made anew
        first, if it can be. Where they go nowhere nothing is drawn, and no pile made anew."""
        what, source, amount, functions = given["what"], _source(given), self.amount(code), self.functions
        assert source is not None
        zones = self.core.zone_numbers(source)
        if isinstance(source, m.ZoneRef) and isinstance(what, m.Named) and what.where is None:
            one_zone = not source.owner_is_many and len(self.core.zone_parts(source)) == 1
            if one_zone and (not what.kind or self.core.holds_only(source, what.kind)):
                zone = ir.Variable("zone")
                pile = ir.Call(functions.from_pile, (zone, amount, ir.Text(mode)))
                drawn = ir.Given("zone", self.core.zone_number(source), pile, ir.Members(()))
                return [st.Draw("picked", make.choice(somewhere, drawn, ir.Members(())))]
        wanted = ir.Variable("wanted")
        short = ir.Compare("<", ir.Length(_PICKED), wanted)
        renewed = ir.All((short, ir.Call(functions.renew, (zones,))))
        first = ir.Leading(_PICKED if mode == "top" else ir.Reversed(_PICKED), wanted)
        return [
            st.When(
                somewhere,
                (
                    st.Let("wanted", amount),
                    st.Let("picked", found),
                    st.When(renewed, (st.Draw("picked", found),)),
                    st.Let("picked", first),
                ),
                (st.Let("picked", ir.Members(())),),
            )
        ]

    def candidates(self, given: Given) -> ir.Expr:
        """The objects a verb may take: of a kind, that pass the filter, where they lie."""
        what, source, core = given["what"], given.get("source"), self.core
        if isinstance(what, m.Named) and what.zone is None and source is not None:
            return core.build(m.Named(what.kind, what.where, source, what.type))
        if isinstance(what, m.ObjectRef) or (isinstance(what, m.FieldRef) and not what.type.many):
            # a copy of a declared thing, wherever the verb takes it from
            same = m.Compare("=", m.Special("it", what.type), what)
            return core.build(m.Named(what.type.of, same, source, what.type))
        if source is None:
            return core.group(what)
        thing = ir.Variable("thing")
        lies_there = ir.Contains(core.zone_numbers(source), ir.Where(thing))
        if what.type.many:
            return ir.Filter("thing", core.build(what), lies_there)
        one = make.choice(lies_there, ir.Group((thing,)), ir.Members(()))
        return ir.Given("thing", core.build(what), one, ir.Members(()))

    def _behind(self, given: Given) -> ir.Expr:
        """How many more objects a verb could take if piles were made anew."""
        what, source = given["what"], _source(given)
        assert source is not None
        if isinstance(source, m.ZoneRef) and not any(part.refill for part in self.core.zone_parts(source)):
            return make.ZERO
        if isinstance(what, m.Named):
            what = replace(what, zone=None)
        return make.length(self.candidates({**given, "what": what, "source": m.Refill(source)}))

    def looked_in(self, node: m.Expression | None) -> ir.Expr:
        """The zones that objects are picked from, if any are named."""
        zone = node.zone if isinstance(node, m.Named) else node
        if zone is None or zone.type.name != "zone":
            return ir.Members(())
        return self.core.zone_numbers(zone)

    # ---- chance

    def _shuffle(self, code: Do, given: Given) -> list[st.Step]:
        zones = ir.Variable("zones")
        steps: list[st.Step] = [
            st.Let("zones", self.core.zone_numbers(given["zone"])),
            st.Shuffle(zones, self._shuffle_function),
        ]
        if self.abilities.hears("shuffle"):
            told = ir.Call(self.functions.shuffled, (_YOU, zones))
            steps.append(st.React(self._heard("shuffle"), told))
        return steps

    def _roll(self, code: Do, given: Given) -> list[st.Step]:
        sides = ir.Variable("sides")
        steps: list[st.Step] = [
            st.Let("sides", self.core.build(given["sides"])),
            st.Roll(sides, code.slot, self._roll_function),
        ]
        if self.abilities.hears("roll"):
            told = ir.Call(self.functions.die_thrown, (_YOU, sides))
            steps.append(st.React(self._heard("roll"), told))
        return steps

    # ---- programs

    def _run(self, code: Do, given: Given) -> list[st.Step]:
        ref = given["slot"]
        assert isinstance(ref, m.SlotRef)
        here = ir.Variable("number") if ref.object.type.name == "place" else ir.FramePart("here")
        return self._started(ref, ir.Variable("number"), here)

    def _copy(self, code: Do, given: Given) -> list[st.Step]:
        """Copied, a slot stands on the object it is copied to."""
        ref = given["slot"]
        assert isinstance(ref, m.SlotRef)
        return self._started(ref, ir.FramePart("this"), ir.FramePart("here"))

    def _started(self, ref: m.SlotRef, this: ir.Expr, here: ir.Expr) -> list[st.Step]:
        """Run what is in the slot of an object, or of several."""
        number, program = ir.Variable("number"), ir.Variable("program")
        column = self.core.slot_table(ref)
        if ref.object.type.many:
            copied, on_place = this != number, here == number
            told = (ir.Frame(), self.core.build(ref.object), ir.TableOf(column), ir.Truth(copied), ir.Truth(on_place))
            return [st.React(make.TRUE, ir.Call(self.functions.start_programs, told))]
        started = ir.Call(self.functions.start_program, (ir.Frame(), program, this, here))
        return [
            st.Let("number", self.core.build(ref.object)),
            st.Let("program", ir.Column(column, number)),
            st.React(make.there(program), started),
        ]

    def _offer(self, code: Do, given: Given) -> list[st.Step]:
        group = given["group"]
        assert isinstance(group, m.WordRef)
        none = ir.Members(())
        return [st.Ask("move", "picked", "exactly", none, None, none, group.name)]

    def _pass(self, code: Do, given: Given) -> list[st.Step]:
        return [st.Perform(ir.Call(self.functions.passes, ()))]

    def _leave(self, code: Do, given: Given) -> list[st.Step]:
        procedure = given["procedure"]
        assert isinstance(procedure, m.WordRef)
        return [st.React(make.TRUE, ir.Call(self.functions.leave, (ir.Text(procedure.name),)))]

    def _win(self, code: Do, given: Given) -> list[st.Step]:
        winners = ir.Variable("winners")
        return [st.Let("winners", self.core.group(given["who"])), st.When(winners, (st.Win(winners),))]


def _plainly(sign: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """A sum that cannot go beyond the limit, for cells have bounds of their own."""
    return ir.Arithmetic((ir.Term("+", left), ir.Term(sign, right)))


def _says_how_many(quantity: m.Expression) -> bool:
    return not isinstance(quantity, m.Quantity) or quantity.amount is not None


def _source(given: Given) -> m.Expression | None:
    """Where a verb takes objects from: what follows `from`, or where they are said to lie."""
    what = given["what"]
    named = what.zone if isinstance(what, m.Named) else None
    return given.get("source") or (named if named is not None and named.type.name == "zone" else None)


def _pool_parts(what: m.WordRef, spot: m.Expression) -> list[m.Expression | None]:
    """What must be somebody or somewhere, so that there are pieces."""
    return [spot.owner or what.owner] if isinstance(spot, m.WordRef) else [what.owner, spot]
