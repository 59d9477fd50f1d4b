"""What abilities wait for, which of them are active, and how they react to events and replace them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.acting import ability_wants_seat
from dunerules.dsl.walk import walk
from tests.reference import changes, steps
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.load import Ability
from tests.reference.questions import one_of
from tests.reference.state import Context, CounterAt, GameOver, Label, Lasting, LimitError, Pile, Question, Spot

__all__ = ["Active", "Event", "Running", "active", "announce", "argument_fits", "replaced"]

Running = Generator[Question, Any, Any]
"""Something being done: it asks by yielding a question, and is sent the options that were taken."""

MOST_LASTING = 1000


@dataclass(frozen=True)
class Event:
    """What happened: who did what, and with which arguments."""

    verb: str
    actor: int | None
    values: dict[str, Any] = field(default_factory=dict)
    moment: str = ""
    things: tuple[tuple[int, Pile, Pile], ...] | None = None
    """Things with where they were and where they are now, where the event is about things."""


@dataclass(frozen=True)
class Active:
    """An ability that is active: `seat` has it, if anybody has."""

    source: Ability | Lasting
    clause: m.Clause
    seat: int | None
    this: int | Label | None = None

    @property
    def key(self) -> tuple[int, Any]:
        """Which one it is: of every copy one of its own."""
        if isinstance(self.source, Lasting):
            return -1 - self.source.serial, self.source.until.clauses.index(self.clause)
        return self.source.number, self.this

    def context(self, seat: int | None) -> Context:
        """In whose eyes it is read, if a seat acts."""
        if isinstance(self.source, Lasting):
            return replace(self.source.context, you=seat)
        here = self.this if isinstance(self.this, Label) else None
        return Context(seat, seat, self.this, here)


def active(g: Game, window: str, about: str) -> Iterator[Active]:
    """Every active ability about a verb or value, in the order of the packs; then lasting ones, the oldest first."""
    for ability in g.rules.abilities:
        if ability.clause.window == window and _about(ability.clause) == about:
            yield from _standing(g, ability)
    for lasting in g.state.lasting:
        for clause in lasting.until.clauses:
            if clause.window == window and _about(clause) == about:
                yield Active(lasting, clause, lasting.context.you)


def _about(clause: m.Clause) -> str:
    """The verb or procedure that is waited for, or the value that is modified."""
    return clause.modifier.value.value if clause.modifier is not None else clause.event.verb if clause.event else ""


def _standing(g: Game, ability: Ability) -> Iterator[Active]:
    if ability.holder is None:
        yield Active(ability, ability.clause, None)
    elif g.words.kinds[ability.holder[0]].role != "thing":
        yield Active(ability, ability.clause, None, Label(*ability.holder))
    else:
        zones = {part.name for zone in ability.active for part in g.words.zone_parts(zone)}
        for number in g.table.numbers.get(Label(*ability.holder), ()):
            if g.state.where(number).zone in zones:
                yield Active(ability, ability.clause, g.state.holders[number], number)


# ---- whether a pattern fits


def fits(g: Game, pattern: m.EventPattern, event: Event, c: Context) -> bool:
    """Whether an event is what a pattern waits for."""
    if (pattern.verb, pattern.moment) != (event.verb, event.moment) or not _who_fits(
        g, pattern.subject, event.actor, c
    ):
        return False
    if event.things is not None:
        return bool(_fitting_things(g, pattern, event, c))
    return all(
        name in event.values and argument_fits(g, wanted, event.values[name], c) for name, wanted in pattern.arguments
    )


def _who_fits(g: Game, subject: m.Expression | None, actor: int | None, c: Context) -> bool:
    if subject is None or (
        isinstance(subject, m.SeatRef) and subject.which in {"anyone", "seat"} and not subject.where
    ):
        return True
    return actor is not None and actor in e.group(g, subject, c)


def _fitting_things(g: Game, pattern: m.EventPattern, event: Event, c: Context) -> list[int]:
    """The things of an event that a pattern is about: by what they are, where they were and where they are now."""
    wanted = dict(pattern.arguments)
    found = []
    for thing, source, target in event.things or ():
        parts = {"what": thing, "source": (source,), "target": (target,)}
        if isinstance(wanted.get("what"), m.ZoneRef):
            parts["what"] = (source,)
        if all(argument_fits(g, each, parts[name], c) for name, each in wanted.items()):
            found.append(thing)
    return found


def argument_fits(g: Game, pattern: m.Expression, value: Any, c: Context) -> bool:
    """Whether an argument is what a pattern says; of a group any member."""
    if isinstance(value, CounterAt):
        return _counter_fits(g, pattern, value, c)
    if isinstance(value, (Spot, e.Pool, e.Pieces)):
        return _pieces_fit(g, pattern, value, c)
    if isinstance(pattern, m.ZoneRef):
        return any(_pile_fits(g, pattern, pile, c) for pile in e.members(value, g))
    wanted = e.group(g, pattern, c)
    return any(e.contains(g, wanted, each) for each in e.members(value, g))


def _counter_fits(g: Game, pattern: m.Expression, at: CounterAt, c: Context) -> bool:
    if not isinstance(pattern, m.CounterRef) or pattern.counter != at.counter:
        return False
    if pattern.owner is not None and at.seat not in e.group(g, pattern.owner, c):
        return False
    names = [index for index in g.words.counters[at.counter].per if index not in {"seat", "game"}]
    given = dict(zip(names, at.indexes, strict=True))
    for name, wanted in pattern.indexes:
        left_out = isinstance(wanted, m.Special) and wanted.span == (0, 0)  # a place that nobody wrote fits any
        if not left_out and not e.contains(g, e.group(g, wanted, c), given[name]):
            return False
    return True


def _pieces_fit(g: Game, pattern: m.Expression, value: Any, c: Context) -> bool:
    where = {Spot: "where", e.Pool: "name", e.Pieces: "piece"}[type(value)]
    found = getattr(value, where)
    if not isinstance(pattern, m.WordRef):
        return pattern.type.name == "place" and found in e.group(g, pattern, c)
    return found in (pattern.name, *g.words.piece_families.get(pattern.name, ())) and (
        pattern.owner is None or value.seat in e.group(g, pattern.owner, c)
    )


def _pile_fits(g: Game, pattern: m.ZoneRef, pile: Pile, c: Context) -> bool:
    names = {part.name for zone in pattern.zones for part in g.words.zone_parts(zone)}
    if pile.zone not in names:
        return False
    return pattern.owner is None or pile.of is None or pile.of in e.group(g, pattern.owner, c)


# ---- what is told to an ability


def _told(g: Game, found: Active, event: Event, c: Context) -> Context:
    """The context of `if` and `do`: the names of the event, but for those that mean something around `until`."""
    told = dict(event.values)
    if event.things is not None and found.clause.event is not None:
        told["n"] = len(_fitting_things(g, found.clause.event, event, c))
    return replace(c, names={**told, **c.names, "actor": event.actor})


def _ready(g: Game, found: Active, event: Event) -> Context | None:
    """The context in which an ability reacts to an event, if it does."""
    pattern = found.clause.event
    assert pattern is not None
    seat = found.seat if found.seat is not None else event.actor
    if seat is None and ability_wants_seat(found.clause, g.words):
        return None
    context = found.context(seat)
    if not fits(g, pattern, event, context):
        return None
    context = _told(g, found, event, context)
    if found.clause.condition is not None and not e.holds(g, found.clause.condition, context):
        return None
    return context if _uses_left(g, found, context) else None


def _uses_left(g: Game, found: Active, context: Context) -> bool:
    limit = found.source.limit if isinstance(found.source, Ability) else None
    return limit is None or g.state.used.get((*found.key, context.you), 0) < limit[0]


def _use(g: Game, found: Active, context: Context) -> None:
    """Count a use, for the seat that the ability acts for."""
    if isinstance(found.source, Ability) and found.source.limit is not None:
        key = (*found.key, context.you)
        g.state.used[key] = g.state.used.get(key, 0) + 1


def renew(g: Game, procedure: str) -> None:
    """When a procedure starts, what is limited by it can be used again."""
    for ability in g.rules.abilities:
        if ability.limit is not None and ability.limit[1] == procedure:
            g.state.used = {key: count for key, count in g.state.used.items() if key[0] != ability.number}


# ---- reactions


def announce(g: Game, event: Event) -> Running:
    """Tell everybody: all that react are found at once, then run one after the other."""
    waiting = []
    for found in active(g, "when", event.verb):
        context = _ready(g, found, event)
        if context is not None:
            _use(g, found, context)
            waiting.append((found, context))
    g.state.lasting = tuple(
        each for each in g.state.lasting if not fits(g, each.until.event, event, replace(each.context, it=None))
    )
    for seat in (None, *g.in_order(event.actor)):
        mine = [each for each in waiting if each[1].you == seat]
        of_all = [each for each in mine if each[0].seat is None and not isinstance(each[0].this, int)]
        for each in of_all:
            yield from _react(g, *each)
        yield from _in_any_order(g, seat, [each for each in mine if each not in of_all])
    yield from _end(g, event)


def _in_any_order(g: Game, seat: int | None, waiting: list[tuple[Active, Context]]) -> Running:
    """The reactions of one seat, in the order it likes."""
    waiting = list(waiting)
    while waiting:
        alike = {_alike(g, *each): number for number, each in reversed(list(enumerate(waiting)))}
        chosen = 0
        if len(alike) > 1 and seat is not None:
            numbers = sorted(alike.values())
            option = yield from one_of(g, seat, "order", [("reaction", number) for number in numbers])
            chosen = option[1]
        yield from _react(g, *waiting.pop(chosen))


def _alike(g: Game, found: Active, context: Context) -> Any:
    """Equal for the same ability on two copies in one zone, and for lasting ones made alike, also by two copies."""
    if isinstance(found.source, Lasting):
        made = [(name, repr(value)) for name, value in context.names.items()]
        this: Any = context.this
        if type(this) is int:
            this = g.table.label(this), g.state.where(this), changes.seen_marks(g, context.you, this)
        return id(found.clause), context.owner, this, context.here, *made
    if type(found.this) is not int:
        return found.source.number, found.this
    return found.source.number, g.state.where(found.this), changes.seen_marks(g, context.you, found.this)


def _react(g: Game, found: Active, context: Context) -> Running:
    if found.clause.body is not None:
        with g.waiting():
            yield from steps.body(g, found.clause.body, context)


def _end(g: Game, event: Event) -> Running:
    """Whether the game is over at this event."""
    if g.rules.end is None or g.ending:
        return
    condition, pattern, do = g.rules.end
    if fits(g, pattern, event, Context()) and e.holds(g, condition, Context()):
        g.ending = True
        if do is not None:
            yield from steps.body(g, do, Context())
        raise GameOver


# ---- replacements


def replaced(g: Game, event: Event) -> Running:
    """Whether something happens instead: the first that fits does."""
    waiting = []
    for found in active(g, "instead", event.verb):
        if found.key not in g.replacing:
            context = _ready(g, found, event)
            if context is not None:
                waiting.append((found, context))
    order: list[int | None] = [None, *g.in_order(event.actor)]
    waiting.sort(key=lambda each: (order.index(each[1].you), each[0].seat is not None or isinstance(each[0].this, int)))
    if not waiting:
        return False
    found, context = waiting[0]
    _use(g, found, context)
    g.replacing.append(found.key)
    try:
        yield from _react(g, found, context)
    finally:
        g.replacing.pop()
    return True


def last(g: Game, until: m.Until, c: Context) -> None:
    """Make the abilities of `until`. They keep only the names that they speak of."""
    spoken = {part.name for each in (until.event, *until.clauses) for part in walk(each) if isinstance(part, m.Local)}
    names = {name: given for name, given in c.names.items() if name in spoken}
    g.state.serial += 1
    g.state.lasting += (Lasting(g.state.serial, until, replace(c, it=None, round=None, names=names)),)
    if len(g.state.lasting) > MOST_LASTING:
        raise LimitError("lasting effects")
