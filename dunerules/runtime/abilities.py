"""Abilities while a game runs: which are active, what they wait for, what they change.

The settle rule. A verb that has happened is announced once, when all of it is done. Every active reaction that waits
for it then runs before anything else goes on: first those of the seat that did it, then around the table; several of
one seat in the order that seat likes, but what the game itself says comes first. A reaction's own verbs are announced
in turn, so reactions nest; fuel ends a circle. A replacement (`instead`) is asked before a verb of a pack begins: the
first that applies, in the same order, runs in its place. Modifiers are asked, never run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.program import Lasting
from dunerules.runtime.evaluate import Evaluator, numbered
from dunerules.runtime.inline import is_never, large_values, written_out
from dunerules.runtime.modifiers import Modifying, Predicate
from dunerules.runtime.ruleset import Ability
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked, Table

__all__ = ["Abilities", "Happened", "Waiting"]


@dataclass(slots=True)
class Happened:
    """An event: which verb (or `start`/`end` and a procedure), who did it, and its arguments by name."""

    verb: str
    actor: int
    values: dict[str, Any]
    counter: str = ""
    indexes: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A compiled reaction or replacement."""

    verb: str
    subject: Asked | None
    subject_group: bool
    patterns: tuple[tuple[str, Predicate], ...]
    counter: str
    indexes: tuple[tuple[str, Predicate], ...]
    condition: Asked | None
    program: int
    parameters: tuple[str, ...]
    limit: tuple[int, str] | None
    label: str
    key: str = ""
    """What its uses are counted under."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """An ability of a thing or of the game, with where it is active."""

    number: int
    objects: tuple[int, ...]
    thing: int
    zones: frozenset[int] | None
    waiting: Waiting | None
    modifying: Modifying | None
    condition: Asked | None


@dataclass(frozen=True, slots=True)
class _Temporary:
    """A compiled `until`: what ends it, and its clauses."""

    ends: Waiting
    waiting: tuple[tuple[str, Waiting], ...]
    modifying: tuple[tuple[Modifying, Asked | None], ...]


class Abilities:
    """All abilities of a table, by the event they wait for and the value they modify."""

    def __init__(self, table: Table, evaluator: Evaluator) -> None:
        self.table = table
        self.evaluator = evaluator
        self.when: dict[str, list[_Standing]] = {}
        self.instead: dict[str, list[_Standing]] = {}
        self.modifiers: dict[str, list[_Standing]] = {}
        self.temporary: list[_Temporary] = []
        self.living: list[tuple[int, Ability]] = []
        self.heard: set[str] = set()
        """Verbs anything may ever wait for; the others are not announced at all."""
        self.counted: set[tuple[str, str]] = set()
        """The same by verb and counter; without a counter for what waits for any."""

    def note(self) -> None:
        """Find out what may ever be heard or modified, before any code is compiled."""
        rules, modifiers = self.table.rules, self.evaluator.modifiers
        limited: set[str] = set()  # modified by more than an unconditional grant for the seat that has it
        clauses: list[tuple[m.EventPattern | None, m.Modifier | None, m.Expression | None]] = []
        for program in rules.programs:
            for code in program.code:
                if isinstance(code, Lasting):
                    clauses.append((code.event, None, None))
                    clauses += [(clause.event, clause.modifier, clause.condition) for clause in code.clauses]
        if rules.end is not None:
            clauses.append((rules.end[1], None, None))
        self.living = self._living({modifier.value.value for _, modifier, _ in clauses if modifier is not None})
        for _, ability in self.living:
            clauses.append((ability.event, ability.modifier, ability.condition))
            if ability.modifier is not None and not self._objects(ability.holder):
                modifiers.standing.add(ability.modifier.value.value)
            if ability.modifier is not None and not self._active_with_seats(ability):
                limited.add(ability.modifier.value.value)
        for event, modifier, condition in clauses:
            if event is not None:
                self.heard.add(_heard(event))
                counters = [value.counter for _, value in event.arguments if isinstance(value, m.CounterRef)]
                self.counted.add((_heard(event), counters[-1] if counters else ""))
            if modifier is not None:
                modifiers.values.add(modifier.value.value)
                if modifier.operator == "yes":
                    modifiers.granted.add(modifier.value.value)
                if modifier.operator != "yes" or condition is not None or not _about_all(modifier):
                    limited.add(modifier.value.value)
        modifiers.plainly_granted = modifiers.granted - limited

    def _living(self, modified: set[str]) -> list[tuple[int, Ability]]:
        """Abilities by number, but for those that options and seats keep from ever being active at this table."""
        rules = self.table.rules
        modified |= {each.modifier.value.value for each in rules.abilities if each.modifier is not None}
        modified |= large_values(rules.values)

        def can_hold(condition: m.Expression | None) -> bool:
            if condition is None:
                return True
            return not is_never(written_out(condition, rules.values, modified.__contains__, self.evaluator.fact))

        return [(number, each) for number, each in enumerate(rules.abilities) if can_hold(each.condition)]

    def _active_with_seats(self, ability: Ability) -> bool:
        """Whether an ability is active only in zones of seats, where it is the seat's own."""
        words = self.table.rules.words
        return all(part.per == "seat" for name in ability.active for part in words.zone_parts(name))

    def hears_change(self, verb: str, counter: str) -> bool:
        """Whether anything may ever wait for a verb that changes a counter."""
        return (verb, counter) in self.counted or (verb, "") in self.counted

    def build(self) -> None:
        """Compile every standing ability."""
        layout = self.table.layout
        for number, ability in self.living:
            thing = layout.thing_index[ability.holder] if ability.holder is not None else -1
            objects = self._objects(ability.holder)
            zones = None
            if objects:
                names = {part.name for name in ability.active for part in self.table.rules.words.zone_parts(name)}
                zones = frozenset(number for number, name in enumerate(layout.zone_names) if name in names)
            condition = numbered(ability.condition, ability.parameters) if ability.condition is not None else None
            test = self.evaluator.compile(condition) if condition is not None else None
            waiting = modifying = None
            if ability.event is not None:
                waiting = self.waiting(
                    ability.event, test, ability.program, ability.parameters, ability.limit, ability.label
                )
                waiting = replace(waiting, key=str(number))
            if ability.modifier is not None:
                modifying = self.modifying(ability.modifier)
                if zones is not None:
                    self.evaluator.modifiers.hold(modifying, objects, zones)
            standing = _Standing(number, objects, thing, zones, waiting, modifying, test)
            if modifying is not None:
                self.modifiers.setdefault(modifying.value, []).append(standing)
            elif waiting is not None:
                table = self.when if ability.window == "when" else self.instead
                table.setdefault(waiting.verb, []).append(standing)

    def _objects(self, holder: tuple[str, str] | None) -> tuple[int, ...]:
        """The copies of what has an ability; the game and places have none, and their abilities always hold."""
        layout = self.table.layout
        return tuple(layout.copies.get(layout.thing_index[holder], ())) if holder is not None else ()

    # ---- compiling

    def waiting(
        self,
        event: m.EventPattern,
        condition: Asked | None,
        program: int,
        parameters: tuple[str, ...],
        limit: tuple[int, str] | None,
        label: str,
    ) -> Waiting:
        """A compiled event pattern with what to do about it."""
        subject = self.evaluator.compile(event.subject) if event.subject is not None else None
        if (
            isinstance(event.subject, m.SeatRef)
            and event.subject.which in {"anyone", "seat"}
            and event.subject.where is None
        ):
            subject = None
        patterns = []
        counter, indexes = "", []
        for name, argument in event.arguments:
            if isinstance(argument, m.CounterRef):
                counter = argument.counter
                indexes = [(index, self.predicate(value)) for index, value in argument.indexes if not _implied(value)]
            elif isinstance(argument, m.WordRef):
                patterns.append((name, _equals(argument.name)))
            else:
                patterns.append((name, self.predicate(argument)))
        group = event.subject is not None and event.subject.type.many
        return Waiting(
            _heard(event),
            subject,
            group,
            tuple(patterns),
            counter,
            tuple(indexes),
            condition,
            program,
            parameters,
            limit,
            label,
        )

    def modifying(self, modifier: m.Modifier) -> Modifying:
        """A compiled modifier."""
        name = modifier.value.value
        positions = {each.name: number for number, each in enumerate(self.table.rules.values[name][0])}
        given = [(parameter, value) for parameter, value in modifier.value.arguments if not _implied(value)]
        patterns = tuple((positions[parameter], self.predicate(value)) for parameter, value in given)
        seat = any(value.type.name == "seat" for _, value in given)
        amount = self.evaluator.compile(modifier.amount) if modifier.amount is not None else None
        return Modifying(name, modifier.operator, amount, patterns, seat)

    def predicate(self, node: m.Expression) -> Predicate:
        """Whether something is what a pattern names: one thing, or one of a group."""
        layout = self.table.layout
        if isinstance(node, m.ZoneRef):
            if node.owner is not None:
                zones = self.evaluator.source.asked(self.evaluator.zone_numbers(node))
                return lambda s, f, given: given in zones(s, f, -1)
            names = {part.name for name in node.zones for part in self.table.rules.words.zone_parts(name)}
            return lambda s, f, given: given is not None and layout.zone_names[given] in names
        if isinstance(node, m.Named) and node.zone is None:
            test = self.evaluator.compile(node.where) if node.where is not None else None
            if node.type.name == "thing" and node.kind in self.table.rules.words.kinds:
                objects, things, kind = layout.objects, layout.things, node.kind
                return lambda s, f, given: (
                    isinstance(given, int)
                    and things[objects[given]].kind == kind
                    and (test is None or test(s, f, given))
                )
            return test if test is not None else lambda s, f, given: True
        value = self.evaluator.compile(node)
        if node.type.many:
            return lambda s, f, given: given in value(s, f, -1)
        if isinstance(node, m.ObjectRef) and node.type.name == "thing":
            objects = self.table.layout.objects
            return lambda s, f, given: objects[given] == value(s, f, -1)
        return lambda s, f, given: given == value(s, f, -1)

    def temporary_of(self, code: Lasting, programs: tuple[int, ...]) -> int:
        """The number of a compiled `until`; `programs` are those of its clauses, in order."""
        names = tuple(name for name, _ in code.locals)
        ends = self.waiting(numbered(code.event, names), None, -1, (), None, "until")
        waiting, modifying = [], []
        for clause, program in zip(code.clauses, programs, strict=True):
            condition = numbered(clause.condition, names) if clause.condition is not None else None
            test = self.evaluator.compile(condition) if condition is not None else None
            if clause.modifier is not None:
                modifying.append((self.modifying(numbered(clause.modifier, names)), test))
                self.evaluator.modifiers.last(modifying[-1][0], len(self.temporary))
            elif clause.event is not None:
                found = self.waiting(numbered(clause.event, names), test, program, names, None, "until")
                waiting.append((clause.window, found))
        self.temporary.append(_Temporary(ends, tuple(waiting), tuple(modifying)))
        return len(self.temporary) - 1

    # ---- asking

    def holders(self, s: State, standing: _Standing, actor: int, only: int = -1) -> list[Frame]:
        """A frame for every copy of a standing ability that is active, perhaps only those of one seat and of nobody.

        What belongs to nobody acts for the actor.
        """
        if standing.zones is None:
            here = standing.thing
            return [Frame(-1, actor, actor, here, here, [])]
        found = []
        for number in standing.objects:
            if s.where[number] in standing.zones:
                seat = s.holders[number]
                if only < 0 or seat < 0 or seat == only:
                    found.append(Frame(-1, seat, seat, number, -1, []))
        return found

    def modifying_now(self, s: State, you: int, arguments: list[Any], value: str) -> list[tuple[Modifying, Frame]]:
        """The modifiers of a value that apply when a seat asks for it, each with the frame of its holder."""
        found = []
        for standing in self.modifiers.get(value, ()):
            modifying = standing.modifying
            assert modifying is not None
            for holder in self.holders(s, standing, you, -1 if modifying.names_seat else you):
                if modifying.is_about(s, holder, arguments) and (
                    standing.condition is None or standing.condition(s, holder, -1)
                ):
                    found.append((modifying, holder))
        for number, _, seat, this, here, slots in s.lasting:
            for modifying, condition in self.temporary[number].modifying:
                if modifying.value == value and (modifying.names_seat or seat in (you, -1)):
                    holder = Frame(-1, seat, seat, this, here, list(slots))
                    if modifying.is_about(s, holder, arguments) and (condition is None or condition(s, holder, -1)):
                        found.append((modifying, holder))
        return found

    def reacting(self, s: State, happened: Happened) -> list[tuple[Waiting, Frame]]:
        """Reactions to an event, in the order they run. Lasting ones that the event ends are taken off."""
        found = self._matching(s, happened, self.when, "when")
        if s.lasting:
            s.lasting = [each for each in s.lasting if not self._ends(s, each, happened)]
        if len(found) < 2:
            return found
        order = self.table.order(s, happened.actor)
        return sorted(found, key=lambda each: _place(order, each[1].you))

    def replacing(self, s: State, happened: Happened) -> tuple[Waiting, Frame] | None:
        """The first replacement that applies to what is about to happen."""
        found = self._matching(s, happened, self.instead, "instead")
        order = self.table.order(s, happened.actor)
        return min(found, key=lambda each: _place(order, each[1].you)) if found else None

    def _matching(
        self, s: State, happened: Happened, table: dict[str, list[_Standing]], window: str
    ) -> list[tuple[Waiting, Frame]]:
        found = []
        for standing in table.get(happened.verb, ()):
            waiting = standing.waiting
            assert waiting is not None
            if not waiting.counter or waiting.counter == happened.counter:
                for holder in self.holders(s, standing, happened.actor):
                    if self.matches(s, waiting, holder, happened):
                        found.append((waiting, holder))
        for number, _, seat, this, here, slots in s.lasting:
            for kind, waiting in self.temporary[number].waiting:
                if kind == window and waiting.verb == happened.verb:
                    holder = Frame(-1, seat, seat, this, here, list(slots))
                    if self.matches(s, waiting, holder, happened):
                        found.append((waiting, holder))
        return found

    def _ends(self, s: State, lasting: tuple[Any, ...], happened: Happened) -> bool:
        number, _, seat, this, here, slots = lasting
        ends = self.temporary[number].ends
        if ends.verb != happened.verb:
            return False
        return self.matches(s, ends, Frame(-1, seat, seat, this, here, list(slots)), happened)

    def matches(self, s: State, waiting: Waiting, holder: Frame, happened: Happened) -> bool:
        """Whether an event is the one that is waited for; the slots of `holder` become the reaction's."""
        if waiting.counter and waiting.counter != happened.counter:
            return False
        if waiting.subject is not None:
            who = waiting.subject(s, holder, -1)
            if (happened.actor not in who) if waiting.subject_group else (happened.actor != who):
                return False
        if waiting.indexes and any(
            not pattern(s, holder, (happened.indexes or {}).get(index)) for index, pattern in waiting.indexes
        ):
            return False
        if waiting.patterns and any(
            not pattern(s, holder, happened.values.get(name)) for name, pattern in waiting.patterns
        ):
            return False
        if not holder.slots:
            for name in waiting.parameters:
                holder.slots.append(happened.actor if name == "actor" else happened.values.get(name))
        if waiting.condition is not None and not waiting.condition(s, holder, -1):
            return False
        if waiting.limit is None:
            return True
        key = _limit_key(waiting, holder)
        return s.used.get(key, 0) < waiting.limit[0]

    def use(self, s: State, waiting: Waiting, holder: Frame) -> None:
        """Count one use of a limited ability."""
        if waiting.limit is not None:
            key = _limit_key(waiting, holder)
            s.used[key] = s.used.get(key, 0) + 1


def _place(order: tuple[int, ...], seat: int) -> int:
    """When a seat has its turn; what belongs to nobody comes first."""
    return order.index(seat) if seat >= 0 else -1


def _limit_key(waiting: Waiting, holder: Frame) -> str:
    assert waiting.limit is not None
    return f"{waiting.limit[1]}:{waiting.key}:{holder.you}:{holder.this}"


def _heard(event: m.EventPattern) -> str:
    return f"{event.moment} {event.verb}" if event.moment else event.verb


def _about_all(modifier: m.Modifier) -> bool:
    """Whether a modifier is for any arguments of its value."""
    return all(_implied(value) for _, value in modifier.value.arguments)


def _implied(node: m.Expression) -> bool:
    """A place nobody wrote: `here` filled in for an index that was left out."""
    return isinstance(node, m.Special) and node.which == "here" and node.span == (0, 0)


def _equals(name: str) -> Predicate:
    return lambda s, f, given: given == name
