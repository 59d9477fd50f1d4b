"""What programs touch: all that may come of running one, with what it runs, whom it tells and what reacts to that.

It is found out from programs and from what every seat can see, never from hidden things: of a thing that somebody
cannot see nothing is known, and what might be active where nobody sees it counts as active. What asks somebody, lasts,
or goes elsewhere than to its end touches everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.touches import (
    ANYTHING,
    CHANCE,
    EVERYTHING,
    LASTING,
    ZONES,
    Known,
    Names,
    Touched,
    all_touched,
    meet,
    reads,
    touched,
)  # fmt: skip
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import slot_number
from dunerules.dsl.walk import walk
from dunerules.kernel.bench import THINGS
from dunerules.kernel.registry import FACTS
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.state import State
from dunerules.runtime.surroundings import OFTEN
from dunerules.runtime.waiting import Standing
from dunerules.runtime.workshop import Workshop

__all__ = ["Around", "Touching"]

_LOOK_AT_NOTHING = (
    m.Constant, m.ObjectRef, m.WordRef, m.Local, m.Special, m.SeatRef, m.Named, m.Compare, m.Has, m.Not, m.All, m.Any,
    m.Always, m.Quantity,
)  # fmt: skip
"""Parts of patterns of events and modifiers that look at nothing themselves."""

_FEW = 8
"""Programs that are all looked at where one of them is run."""

_PLAIN = (p.Jump, p.Restore, p.EachNext, p.RepeatNext)


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the frame that a program runs in; nothing for what is not."""

    this: int | None = None
    here: int | None = None
    slots: Sequence[object] = ()


class Touching:
    """Finds out what programs of a table touch."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self.core = shop.evaluator.core
        layout = shop.table.layout
        names = layout.zone_names
        self.zones = names
        self.public = [seen == layout.everybody for seen in layout.zone_seen]
        behind: dict[str, set[str]] = {}
        for zone, (_, source) in shop.table.rows.items():
            behind.setdefault(f"zone {names[zone]}", set()).update({f"zone {names[source]}"})
        for zone, source in shop.table.refills.items():
            behind.setdefault(f"zone {names[zone]}", set()).update({f"zone {names[source]}", CHANCE})
        closed = {name: frozenset(_closed(name, behind)) for name in behind}
        self.known = Known(names, closed, self._function)
        self._read: dict[ir.Function, frozenset[str]] = {}

    def seen_by_all(self, s: State, thing: int) -> bool:
        """Whether every seat knows what an object is."""
        everybody = (1 << self.shop.table.seats) - 1
        return self.public[s.where[thing]] or s.known.get(thing, 0) & everybody == everybody

    def reads(self, node: m.Expression) -> frozenset[str]:
        """What a condition, value or group looks at."""
        return reads(self.core.build(node), self.known)

    def value(self, name: str) -> frozenset[str]:
        """What decides on a value of a pack: as long as none of it changes the value need not be asked again, for the
        same seat and the same arguments."""
        found = reads(self.core.body(name), self.known)
        return found | self._modified(name) if self.core.modifiers.touches(name) else found

    def range(self, s: State, code: Sequence[p.Code], start: int, end: int, around: Around) -> Touched:
        """What the code between two places touches, in a game as it is now."""
        return _Run(self, s).whole(code, start, end, around)

    def program(self, s: State, program: int, around: Around) -> Touched:
        """What a program touches, in a game as it is now."""
        code = self.shop.programs.all[program].code
        return self.range(s, code, 0, len(code), around)

    # ---- what functions read

    def _function(self, function: ir.Function) -> frozenset[str]:
        found = self._read.get(function)
        if found is None:
            self._read[function] = frozenset({EVERYTHING})  # what comes back to itself
            found = self._read[function] = frozenset[str]().union(*self._asked_by(function))
        return found

    def _asked_by(self, function: ir.Function) -> Iterator[frozenset[str]]:
        what, *names = self.core.stands_for(function)
        if what == "value":
            yield reads(self.core.body(names[0]), self.known)
        elif what in {"applied", "active"}:
            yield self._modified(names[0])
        elif what == "slot":
            for thing in self.shop.table.layout.things:
                if names[0] in thing.formulas:
                    yield reads(self.core.build(thing.formulas[names[0]], OFTEN), self.known)
        elif what == "order":
            yield frozenset({self.shop.table.rules.first} - {""})
        elif function is not self.shop.verbs.functions.from_pile:  # that is seen where it is drawn
            yield frozenset({EVERYTHING})

    def _modified(self, value: str) -> frozenset[str]:
        """What decides on which modifiers of a value apply, and on what they make of it."""
        found = frozenset({LASTING})
        for standing in self.shop.abilities.modifiers.get(value, ()):
            ability = self.shop.table.rules.abilities[standing.number]
            found |= self.active_in(standing) | self._modifier(ability.modifier, ability.condition)
        for code in (code for program in self.shop.programs.all for code in program.code):
            if isinstance(code, p.Lasting):
                names = tuple(name for name, _ in code.locals)
                for clause in code.clauses:
                    if clause.modifier is not None and clause.modifier.value.value == value:
                        found |= self._modifier(numbered(clause.modifier, names), numbered(clause.condition, names))
        return found

    def _modifier(self, modifier: m.Modifier | None, condition: m.Expression | None) -> frozenset[str]:
        assert modifier is not None
        found = self.pattern(modifier.value.arguments)
        for each in (modifier.amount, condition):
            if each is not None:
                found |= reads(self.core.build(each, OFTEN), self.known)
        return found

    def active_in(self, standing: Standing) -> frozenset[str]:
        """The zones in which an ability of things is active."""
        return frozenset(f"zone {self.zones[zone]}" for zone in standing.zones or ())

    def pattern(self, arguments: object) -> frozenset[str]:
        """What a pattern looks at; counters and zones that it only names are among it."""
        found: set[str] = set()
        for each in walk(arguments)[1:]:
            if isinstance(each, m.CounterRef):
                words = self.shop.table.rules.words
                found |= {each.counter, *([ZONES] if words.marks(words.counters[each.counter]) else [])}
            elif isinstance(each, m.ZoneRef):
                found |= {f"zone {part.name}" for part in self.core.zone_parts(each)}
            elif not isinstance(each, _LOOK_AT_NOTHING) and not self._printed(each):
                return frozenset({EVERYTHING})
        return frozenset(found)

    def _printed(self, node: object) -> bool:
        return isinstance(node, m.FieldRef) and node.field in self.shop.table.fields

    def told(self, arguments: p.Arguments) -> frozenset[str]:
        """What is looked at to tell the arguments of a verb."""
        found = frozenset[str]()
        for _, value in arguments:
            if isinstance(value, (m.CounterRef, m.WordRef, m.ZoneRef)):
                found |= self.pattern((value,))
            elif isinstance(value, m.Local) or not value.type.many:
                found |= self.reads(value)
        return found


class _Run:
    """Goes through one program and all that may come of it."""

    def __init__(self, touching: Touching, state: State) -> None:
        self.touching = touching
        self.shop = touching.shop
        self.core = touching.core
        self.s = state
        self.found: list[Touched] = []
        self._asleep: list[Standing] = []
        """Abilities that would react if they were active."""
        self._entered: set[tuple[int, Around]] = set()

    def whole(self, code: Sequence[p.Code], start: int, end: int, around: Around) -> Touched:
        """What code touches. That is not known if it may bring something into a zone where that reacts."""
        self._range(code, start, end, around)
        found = all_touched(self.found)
        woken = any(meet(self.touching.active_in(each), found.changed) for each in self._asleep)
        return ANYTHING if woken or (LASTING in found.read and self.s.lasting) else found

    def _read(self, node: m.Expression, given: Names) -> ir.Expr:
        built: ir.Expr = make.folded(self.core.argument(node), given)
        self.found.append(Touched(reads(built, self.touching.known)))
        return built

    def _anything(self) -> None:
        self.found.append(ANYTHING)

    # ---- code

    def _range(self, code: Sequence[p.Code], start: int, end: int, around: Around) -> None:
        pc, written = start, _assigned(code[start:end])
        while pc < end:
            each, pc = code[pc], pc + 1
            if isinstance(each, p.Do):
                self._do(each, self._given(each, around, written), around)
            elif isinstance(each, p.Unless):
                holds = self._read(each.condition, self._given(each, around, written))
                pc = max(pc, each.to) if holds == make.FALSE else pc
            elif isinstance(each, p.Assign):
                self._read(each.value, self._given(each, around, written))
            elif isinstance(each, p.Call):
                self._called(each, self._given(each, around, written), around)
            elif isinstance(each, p.EachStart):
                self._read(each.of, self._given(each, around, written))
                self.found.append(Touched(frozenset({self.shop.table.rules.first} - {""})))
            elif isinstance(each, p.Emit):
                if self.shop.abilities.hears(each.verb):
                    self.found.append(Touched(self.touching.told(each.arguments)))
                    self._told("when", each.verb)
            elif isinstance(each, p.Instead):
                if self.shop.abilities.replaces(each.verb):
                    self.found.append(Touched(self.touching.told(each.arguments)))
                    self._told("instead", each.verb)
            elif not isinstance(each, _PLAIN):
                self._anything()

    def _given(self, code: p.Code, around: Around, written: set[int]) -> Names:
        """What slots hold, and what the code stands on, as far as all can see it."""
        found: Names = {}
        if around.here is not None:
            found[ir.FramePart("here")] = ir.Number(around.here)
        if around.this is not None:
            found[ir.FramePart("this")] = ir.Number(around.this)
        for each in walk(code):
            if isinstance(each, m.Local):
                number = slot_number(each)
                held = around.slots[number] if number < len(around.slots) and number not in written else None
                if type(held) is int and self._can_be_known(each.type.name, held):
                    found[ir.Slot(number)] = ir.Number(held)
        return found

    def _can_be_known(self, kind: str, held: int) -> bool:
        if kind == "thing":
            return held < 0 or self.touching.seen_by_all(self.s, held)
        return kind in {"place", "label", "seat"}

    def _do(self, code: p.Do, given: Names, around: Around) -> None:
        steps, functions = self.shop.verbs.steps(code), self.shop.verbs.functions
        self.found.append(touched(steps, self.touching.known, given))
        for step in st.inner(steps):
            if isinstance(step, (st.React, st.Replace)):
                function = step.call.function if isinstance(step.call, ir.Call) else None
                if function is functions.start_program:
                    self._started(code, step, given, around)
                elif function in {functions.start_programs, functions.leave}:
                    self._anything()
                else:
                    self._changes(code, "when" if isinstance(step, st.React) else "instead")

    def _started(self, code: p.Do, step: st.React | st.Replace, given: Names, around: Around) -> None:
        """A slot of something is run."""
        ref = dict(code.arguments)["slot"]
        assert isinstance(ref, m.SlotRef)
        assert isinstance(step.call, ir.Call)
        names = {**given, ir.Variable("number"): make.folded(self.core.build(ref.object), given)}
        program = make.folded(self.core.program(ref), given)
        this, here = (make.folded(each, names) for each in step.call.arguments[2:4])
        known = isinstance(program, ir.Number)
        started = {program.value} if known else set(self.core.slot_table(ref).values)
        if len(started) > _FEW:
            self._anything()
            return
        for each in sorted(started - {-1}):
            self._enter(each, Around(_number(this), _number(here)))

    def _called(self, code: p.Call, given: Names, around: Around) -> None:
        """A procedure is called."""
        for _, value in code.arguments:
            self._read(value, given)
        program = self.shop.procedures.unnoticed(code.procedure)
        if program is None:
            self._anything()
        else:
            self._enter(program, Around(around.this, around.here))

    def _enter(self, program: int, around: Around) -> None:
        if (program, around) in self._entered:
            return
        self._entered.add((program, around))
        code = self.shop.programs.all[program].code
        self._range(code, 0, len(code), around)

    # ---- what follows

    def _changes(self, code: p.Do, window: str) -> None:
        """A verb has changed something, or is about to: thresholds, and abilities."""
        what = dict(code.arguments).get("what")
        if isinstance(what, m.CounterRef):
            if window == "when":
                for _, *programs in self.shop.table.rules.thresholds.get(what.counter, ()):
                    for program in programs:
                        if program >= 0:
                            self._enter(program, Around())
            self._told(window, code.verb, what.counter)
        elif isinstance(what, m.WordRef):
            self._told(window, code.verb, what.name)
        else:
            self._told(window, code.verb, "" if FACTS[code.verb].shows else THINGS)

    def _told(self, window: str, verb: str, what: str = "") -> None:
        """All that waits for something."""
        listening = self.shop.abilities.listening(window, verb, what)
        if listening.lasting:
            self.found.append(Touched(frozenset({LASTING})))
        awake = 0
        for standing in listening.standing:
            self.found.append(Touched(self.touching.active_in(standing)))
            number = self._active(standing)
            awake += number
            if number:
                self._awake(standing, window)
            else:
                self._asleep.append(standing)
        if awake > 1:  # a seat may be asked for an order
            self._anything()

    def _active(self, standing: Standing) -> int:
        """How many copies of an ability may be active now, for all that every seat sees."""
        if standing.zones is None:
            return 1
        if not all(self.touching.public[zone] for zone in standing.zones):
            return 2
        return sum(self.s.where[number] in standing.zones for number in standing.objects)

    def _awake(self, standing: Standing, window: str) -> None:
        """An ability that may do something."""
        ability = self.shop.table.rules.abilities[standing.number]
        event = ability.event
        if window != "when" or event is None or ability.limit is not None:
            self._anything()
            return
        pattern = self.touching.pattern((event.subject, event.arguments))
        self.found.append(Touched(pattern))
        if ability.condition is not None:
            told = tuple(name for name, _ in event.told)
            self.found.append(Touched(self.touching.reads(numbered(ability.condition, told))))
        self._enter(ability.program, Around())


def _assigned(code: Sequence[p.Code]) -> set[int]:
    """The slots that code writes to."""
    found = set()
    for each in code:
        if isinstance(each, (p.Do, p.Assign, p.RepeatNext)):
            found.add(each.slot)
        elif isinstance(each, p.EachStart):
            found |= {each.queue, each.seat}
        elif isinstance(each, p.EachNext):
            found |= {each.queue, each.item}
    return found


def _number(node: ir.Expr) -> int | None:
    return node.value if isinstance(node, ir.Number) else None


def _closed(name: str, behind: dict[str, set[str]]) -> set[str]:
    """All that is touched when something is taken out of a zone."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        fresh = behind.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found
