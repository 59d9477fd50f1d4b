"""Abilities while a game runs: which are active, what they wait for, what they change.

The settle rule. A verb that has happened is announced once, when all of it is done. Every active reaction that waits
for it is then found, and runs before anything else goes on: first those of the seat that did it, then around the table;
of one seat first what the game itself and its places say, then its own in the order that seat likes. A reaction's own
verbs are announced in turn, so reactions nest; fuel ends a circle. A replacement (`instead`) is asked before something
happens: the first that applies, in the same order, runs in its place. It does not apply to what happens while it runs.
Modifiers are asked, never run.

An ability acts for the seat that has it; one that nobody has for the seat that did or asks something. Where nobody did,
it is passed over if it is about the seat that acts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.core import fold as make
from dunerules.dsl import meaning as m
from dunerules.dsl.acting import ability_wants_seat
from dunerules.dsl.types import THING, Type
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.kernel.bench import THINGS
from dunerules.kernel.registry import FACTS, KERNEL_VERBS
from dunerules.runtime.evaluate import Evaluator, numbered
from dunerules.runtime.expressions import Expressions
from dunerules.runtime.modifiers import Modifiers, Modifying
from dunerules.runtime.patterns import Patterns
from dunerules.runtime.programs import Until
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Compiled, Table
from dunerules.runtime.waiting import Found, Happened, Listening, Standing, Temporary, Waiting, use_key
from dunerules.understanding.ruleset import Ability

__all__ = ["Abilities"]

_ANY = -2
"""Whoever holds an ability."""

_OF_THINGS = frozenset(
    name for name, verb in KERNEL_VERBS.items() if any(THING in each.groups for each in verb.parameters)
)
"""Verbs that several things may be moved or seen by."""


class Abilities:
    """All abilities of a table, by the event they wait for and the value they modify."""

    def __init__(self, table: Table, evaluator: Evaluator, untils: Sequence[Until] = ()) -> None:
        self.table = table
        self.untils = untils
        self.evaluator = evaluator
        self.patterns = Patterns(table, evaluator.core)
        self.when: dict[str, list[Standing]] = {}
        self.instead: dict[str, list[Standing]] = {}
        self.listeners: dict[tuple[str, str, str], Listening] = {}
        """What `listening` has found out, by its arguments."""
        self.modifiers: dict[str, list[Standing]] = {}
        self.sights: list[tuple[Standing, m.Sight]] = []
        self.temporary: list[Temporary] = []
        self.living: list[tuple[int, Ability]] = []
        self.heard: set[str] = set()
        """What anything may ever wait for; all else is not announced at all."""
        self.replaceable: set[str] = set()
        """What anything may ever replace."""

    def note(self) -> None:
        """Find out what may ever be heard, replaced or modified, before any code is compiled."""
        rules, modifiers = self.table.rules, self.evaluator.modifiers
        limited: set[str] = set()  # modified by more than an unconditional grant for the seat that has it
        clauses: list[tuple[str, m.EventPattern | None, m.Modifier | None, m.Expression | None]] = []
        for code in (until.code for until in self.untils):
            clauses.append(("when", code.event, None, None))
            clauses += [(each.window, each.event, each.modifier, each.condition) for each in code.clauses]
        if rules.end is not None:
            clauses.append(("when", rules.end[1], None, None))
        self.living = self._living({modifier.value.value for _, _, modifier, _ in clauses if modifier is not None})
        for _, ability in self.living:
            clauses.append((ability.window, ability.event, ability.modifier, ability.condition))
            if ability.modifier is not None and self._always(ability):
                modifiers.standing.add(ability.modifier.value.value)
            if ability.modifier is not None and not self._active_with_seats(ability):
                limited.add(ability.modifier.value.value)
        for window, event, modifier, condition in clauses:
            if event is not None:
                (self.replaceable if window == "instead" else self.heard).add(_key(event, rules.words))
            if modifier is not None:
                modifiers.values.add(modifier.value.value)
                if not modifiers.names_seat(modifier):
                    modifiers.own.add(modifier.value.value)
                if modifier.operator == "yes":
                    modifiers.granted.add(modifier.value.value)
                if modifier.operator != "yes" or condition is not None or not _about_all(modifier):
                    limited.add(modifier.value.value)
        modifiers.plainly_granted = modifiers.granted - limited

    def _living(self, modified: set[str]) -> list[tuple[int, Ability]]:
        """Abilities by number, but for those that options and seats keep from ever being active at this table."""
        rules, possibly = self.table.rules, Modifiers(self.table)
        modifying = {each.modifier.value.value for each in rules.abilities if each.modifier is not None}
        possibly.values = modified | modifying
        core = Expressions(self.table, possibly)

        def can_hold(condition: m.Expression | None) -> bool:
            told = tuple({each.name for each in walk(condition) if isinstance(each, m.Local)})
            return condition is None or core.build(numbered(condition, told)) != make.FALSE

        return [
            (number, each)
            for number, each in enumerate(rules.abilities)
            if can_hold(each.condition) and (self._always(each) or self._objects(each))
        ]

    def _active_with_seats(self, ability: Ability) -> bool:
        """Whether an ability is active only in zones of seats, where it is the seat's own."""
        words = self.table.rules.words
        return all(part.per == "seat" for name in ability.active for part in words.zone_parts(name))

    def hears(self, verb: str, what: str = "") -> bool:
        """Whether anything may ever wait for a verb, done to something."""
        return verb in self.heard or f"{verb} {what}" in self.heard

    def is_waited_for(self, verb: str, what: str = "") -> bool:
        """Whether anything that is always there waits for a verb, done to something."""
        return verb in self.when or f"{verb} {what}" in self.when

    def replaces(self, verb: str, what: str = "") -> bool:
        """Whether anything may ever replace a verb, done to something."""
        return verb in self.replaceable or f"{verb} {what}" in self.replaceable

    def build(self) -> None:
        """Compile every standing ability, and all that may last."""
        layout = self.table.layout
        for number, ability in self.living:
            thing = layout.thing_index[ability.holder] if ability.holder is not None else -1
            objects, zones = self._objects(ability), None
            if not self._always(ability):
                names = {part.name for name in ability.active for part in self.table.rules.words.zone_parts(name)}
                zones = frozenset(number for number, name in enumerate(layout.zone_names) if name in names)
            waiting = modifying = test = None
            if ability.event is not None:
                waiting = self.waiting(
                    ability.event, ability.condition, ability.program, ability.label, (), ability.limit, number,
                    wants=ability.wants_seat,
                )  # fmt: skip
            if ability.event is None and ability.condition is not None:
                test = self.evaluator.compile_inner(ability.condition)
            if ability.modifier is not None:
                modifying = self.modifying(ability.modifier)
                if zones is not None:
                    self.evaluator.modifiers.hold(modifying, objects, zones)
            standing = Standing(number, objects, thing, zones, waiting, modifying, test, ability.wants_seat)
            if modifying is not None:
                self.modifiers.setdefault(modifying.value, []).append(standing)
            elif waiting is not None:
                table = self.when if ability.window == "when" else self.instead
                table.setdefault(waiting.key, []).append(standing)
            elif ability.sight is not None:
                self.sights.append((standing, ability.sight))
        self.temporary = [self._temporary(number, until) for number, until in enumerate(self.untils)]

    def _always(self, ability: Ability) -> bool:
        """Whether an ability is the game's own, or of a place: those always hold."""
        return ability.holder is None or self.table.rules.words.kinds[ability.holder[0]].role != "thing"

    def _objects(self, ability: Ability) -> tuple[int, ...]:
        """The copies of what has an ability; the game and places have none."""
        layout = self.table.layout
        return tuple(layout.copies.get(layout.thing_index[ability.holder], ())) if ability.holder is not None else ()

    # ---- compiling

    def waiting(
        self,
        event: m.EventPattern,
        condition: m.Expression | None = None,
        program: int = -1,
        label: str = "",
        names: tuple[str, ...] = (),
        limit: tuple[int, str] | None = None,
        number: int = -1,
        *,
        wants: bool = False,
    ) -> Waiting:
        """A compiled event pattern with what to do about it. `names` are those of slots that are known besides."""
        told = tuple(name for name, _ in event.told)
        test = self.evaluator.compile(numbered(condition, (*names, *told))) if condition is not None else None
        alone = not any(isinstance(each, m.Local) and each.name in told for each in walk(condition))
        pattern: m.EventPattern = numbered(event, names)
        subject = pattern.subject
        if isinstance(subject, m.SeatRef) and subject.which in {"anyone", "seat"} and subject.where is None:
            subject = None
        own = isinstance(subject, m.SeatRef) and subject.which == "you" and subject.where is None
        if own:
            subject = None
        return Waiting(
            _key(event, self.table.rules.words),
            self.evaluator.compile(subject) if subject is not None else None,
            own,
            subject is not None and subject.type.many,
            tuple(name for name, _ in pattern.arguments),
            self.patterns.of_event(pattern),
            self.patterns.of_thing(pattern) if _is_of_things(event) else None,
            tuple((name, _nothing(kind)) for name, kind in event.told),
            test if alone else None,
            None if alone else test,
            program,
            limit,
            label,
            wants,
            number,
        )

    def modifying(self, modifier: m.Modifier) -> Modifying:
        """A compiled modifier."""
        name = modifier.value.value
        positions = {each.name: place for place, each in enumerate(self.table.rules.values[name][0])}
        given = [(parameter, value) for parameter, value in modifier.value.arguments if not m.is_implied(value)]
        places = tuple(positions[parameter] for parameter, _ in given)
        fits = self.patterns.of_value([value for _, value in given])
        amount = self.evaluator.compile_inner(modifier.amount) if modifier.amount is not None else None
        named = self.evaluator.modifiers.names_seat(modifier)
        return Modifying(name, modifier.operator, amount, places, fits, named)

    def _temporary(self, number: int, until: Until) -> Temporary:
        """A compiled `until`."""
        code, words = until.code, self.table.rules.words
        names = tuple(name for name, _ in code.locals)
        waiting: list[tuple[str, Waiting]] = []
        modifying: list[tuple[Modifying, Compiled | None, bool]] = []
        for clause, program, label in zip(code.clauses, until.programs, code.labels, strict=True):
            wants = ability_wants_seat(clause, words)
            if clause.modifier is not None:
                condition = numbered(clause.condition, names) if clause.condition is not None else None
                test = self.evaluator.compile_inner(condition) if condition is not None else None
                modifying.append((self.modifying(numbered(clause.modifier, names)), test, wants))
                self.evaluator.modifiers.last(modifying[-1][0], number)
            elif clause.event is not None:
                found = self.waiting(clause.event, clause.condition, program, label, names, wants=wants)
                waiting.append((clause.window, found))
        ends = self.waiting(
            code.event, names=names, wants=ability_wants_seat(m.Clause("when", code.event, None, None, None), words)
        )
        about_this = any(map(_is_object, walk((code.event, code.clauses))))
        return Temporary(ends, tuple(waiting), tuple(modifying), code, about_this)

    # ---- asking

    def holders(self, s: State, standing: Standing, actor: int, only: int = _ANY) -> list[Frame]:
        """A frame for every copy of a standing ability that is active, perhaps only those of one seat and of nobody.

        What belongs to nobody acts for the actor.
        """
        if standing.zones is None:
            here = standing.thing
            return [Frame(-1, actor, actor, here, here, [])] if actor >= 0 or not standing.wants else []
        found = []
        for number in standing.objects:
            if s.where[number] in standing.zones:
                seat = s.holders[number]
                if seat < 0:
                    seat = actor
                    if seat < 0 and standing.wants:
                        continue
                elif seat != only != _ANY:
                    continue
                found.append(Frame(-1, seat, seat, number, -1, []))
        return found

    def modifying_now(self, s: State, who: int, arguments: list[Any], value: str) -> list[tuple[Modifying, Frame]]:
        """The modifiers that apply when a value is asked about a seat, each with the frame of its holder."""
        found = []
        for standing in self.modifiers.get(value, ()):
            modifying = standing.modifying
            assert modifying is not None
            for holder in self.holders(s, standing, who, _ANY if modifying.names_seat else who):
                if modifying.is_about(s, holder, arguments) and (
                    standing.condition is None or standing.condition(s, holder, -1)
                ):
                    found.append((modifying, holder))
        for number, _, seat, owner, this, here, slots in s.lasting:
            for modifying, condition, wants in self.temporary[number].modifying:
                if modifying.value == value and (modifying.names_seat or seat in (who, -1)):
                    acting = seat if seat >= 0 else who
                    if acting < 0 and wants:
                        continue
                    holder = Frame(-1, acting, owner, this, here, list(slots))
                    if modifying.is_about(s, holder, arguments) and (condition is None or condition(s, holder, -1)):
                        found.append((modifying, holder))
        return found

    def listening(self, window: str, verb: str, what: str) -> Listening:
        """All that waits for a verb, done to something."""
        found = self.listeners.get((window, verb, what))
        if found is None:
            found = self.listeners[window, verb, what] = self._listening(window, (verb, f"{verb} {what}"))
        return found

    def _listening(self, window: str, keys: tuple[str, str]) -> Listening:
        table = self.when if window == "when" else self.instead
        some = sorted((each for key in keys for each in table.get(key, ())), key=lambda each: each.number)
        objects = [(number, each.zones) for each in some if each.zones is not None for number in each.objects]
        lasting = [
            number
            for number, each in enumerate(self.temporary)
            if (window == "when" and each.ends.key in keys)
            or any(kind == window and waiting.key in keys for kind, waiting in each.waiting)
        ]
        always = any(each.zones is None for each in some)
        return Listening(tuple(some), always, tuple(objects), frozenset(lasting))

    def reacting(self, s: State, happened: Happened, listening: Listening) -> list[Found]:
        """Reactions to an event, in the order they run. Lasting ones that the event ends are taken off."""
        found = self._matching(s, happened, "when", listening)
        if s.lasting and listening.lasting:
            keys = _keys(happened)
            over = [each for each in s.lasting if self._ends(s, each, happened, keys)]
            if over:
                s.lasting = [each for each in s.lasting if each not in over]
                if s.log is not None:
                    for each in over:
                        s.log = (s.log, ("ends", *each))
        return self._ordered(s, found, happened) if len(found) > 1 else found

    def replacing(self, s: State, happened: Happened) -> Found | None:
        """The first replacement that applies to what is about to happen. None does while it runs itself."""
        found = self._matching(s, happened, "instead", self.listening("instead", happened.verb, happened.what))
        if not found:
            return None
        running = {frame.label for frame in s.frames}
        return next((each for each in self._ordered(s, found, happened) if each.mark not in running), None)

    def _ordered(self, s: State, found: list[Found], happened: Happened) -> list[Found]:
        order = self.table.order(s, happened.actor)
        return sorted(found, key=lambda each: (_place(order, each.holder.you), each.own))

    def _matching(self, s: State, happened: Happened, window: str, listening: Listening) -> list[Found]:
        found, actor = [], happened.actor
        for standing in listening.standing:
            waiting = standing.waiting
            assert waiting is not None
            for holder in self.holders(s, standing, actor, actor if waiting.own else _ANY):
                if self._matches(s, waiting, holder, happened):
                    found.append(Found(waiting, holder, standing.zones is not None, (standing.number, holder.this)))
        if not s.lasting or not listening.lasting:
            return found
        keys = _keys(happened)
        for number, serial, seat, owner, this, here, slots in s.lasting:
            for place, (kind, waiting) in enumerate(self.temporary[number].waiting):
                if kind == window and waiting.key in keys:
                    acting = seat if seat >= 0 else actor
                    if acting < 0 and waiting.wants:
                        continue
                    holder = Frame(-1, acting, owner, this, here, list(slots))
                    if self._matches(s, waiting, holder, happened):
                        found.append(Found(waiting, holder, seat >= 0, (serial, place)))
        return found

    def _ends(self, s: State, lasting: tuple[Any, ...], happened: Happened, keys: tuple[str, str]) -> bool:
        number, _, seat, owner, this, here, slots = lasting
        ends = self.temporary[number].ends
        acting = seat if seat >= 0 else happened.actor
        if ends.key not in keys or (acting < 0 and ends.wants):
            return False
        return self._matches(s, ends, Frame(-1, acting, owner, this, here, list(slots)), happened)

    def _matches(self, s: State, waiting: Waiting, holder: Frame, happened: Happened) -> bool:
        """Whether an event is the one that is waited for; what it tells is added to the slots of `holder`."""
        if waiting.own:
            if holder.you != happened.actor:
                return False
        elif waiting.subject is not None:
            who = waiting.subject(s, holder, -1)
            if (happened.actor not in who) if waiting.subject_group else (happened.actor != who):
                return False
        values = happened.values
        if happened.things:
            fits = waiting.fits_thing
            fitting = sum(fits(s, holder, *each) for each in happened.things) if fits else len(happened.things)
            if not fitting:
                return False
            values = {"n": fitting}
        elif waiting.fits and not waiting.fits(s, holder, *[values.get(name, -1) for name in waiting.arguments]):
            return False
        if waiting.first is not None and not waiting.first(s, holder, -1):
            return False
        for name, nothing in waiting.told:
            value = happened.actor if name == "actor" else values.get(name)
            holder.slots.append(nothing if value is None or isinstance(value, tuple) else value)
        if waiting.condition is not None and not waiting.condition(s, holder, -1):
            return False
        return waiting.limit is None or s.used.get(use_key(waiting, holder.you, holder.this), 0) < waiting.limit[0]

    def use(self, s: State, found: Found) -> None:
        """Count one use of a limited ability."""
        if found.waiting.limit is not None:
            key = use_key(found.waiting, found.holder.you, found.holder.this)
            s.used[key] = s.used.get(key, 0) + 1


def _is_of_things(event: m.EventPattern) -> bool:
    """Whether an event may be about several things that are moved or seen."""
    return not event.moment and event.verb in _OF_THINGS


def _is_object(part: Any) -> bool:
    """Whether this is the object that a text is written on."""
    return isinstance(part, m.Special) and part.which == "this" and part.type.name == "thing"


def _place(order: tuple[int, ...], seat: int) -> int:
    """When a seat has its turn; what belongs to nobody comes first."""
    return order.index(seat) if seat >= 0 else -1


def _keys(happened: Happened) -> tuple[str, str]:
    """What patterns that fit an event are known by."""
    return happened.verb, f"{happened.verb} {happened.what}"


def _key(event: m.EventPattern, words: Vocabulary) -> str:
    """What an event is known by: its verb, and what that is done to, if the pattern says so and means one kind."""
    if event.moment:
        return f"{event.moment} {event.verb}"
    what = dict(event.arguments).get("what")
    if event.verb not in FACTS or what is None or FACTS[event.verb].shows:
        return event.verb
    if isinstance(what, m.CounterRef):
        return f"{event.verb} {what.counter}"
    if isinstance(what, m.WordRef) and what.name in words.piece_families:
        return event.verb
    return f"{event.verb} {what.name if isinstance(what, m.WordRef) else THINGS}"


def _about_all(modifier: m.Modifier) -> bool:
    """Whether a modifier is for any arguments of its value."""
    return all(m.is_implied(value) for _, value in modifier.value.arguments)


def _nothing(kind: Type) -> Any:
    """What a name stands for that an event does not tell."""
    return 0 if kind.name == "amount" else False if kind.name == "condition" else -1
