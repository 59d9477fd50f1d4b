"""What an effect makes happen: the events its steps emit, for finding reactions that set each other off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.asking import slot_asked
from dunerules.dsl.types import MOVES, PROCEDURE
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS

__all__ = [
    "ANY_ZONE", "LEAVING", "Event", "always_run", "awaited", "departures", "doings", "event_from", "event_of",
    "happenings", "may_be", "rounds", "shown_event",
]  # fmt: skip

Event: TypeAlias = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""A verb, and by part what it can be about, as far as that is known before the game."""

LEAVING = tuple(name for name, verb in KERNEL_VERBS.items() if verb.takes(PROCEDURE))
"""Verbs that procedures are left by."""


def happenings(body: m.Body | None, words: Vocabulary) -> tuple[Event, ...]:
    """Every event that a body may emit itself; what its verbs do in turn is found through them."""
    if body is None:
        return ()
    found: dict[Event, None] = {}
    for act in walk(body):
        if isinstance(act, m.Act):
            known = _known(act.arguments, words)
            found[(act.verb.name, known)] = None
            if act.procedure:
                found |= {(f"{moment} {act.verb.name}", known): None for moment in ("start", "end")}
    return tuple(found)


ANY_ZONE = "to *"
"""Things are moved to zones that are not known before the game."""


def doings(acts: list[m.Act], words: Vocabulary) -> Iterator[str]:
    """All that some steps do, in short: `gain gold`, `sing`; `gain` if it may be any counter. And where things go:
    `to hand`."""
    for act in acts:
        name = act.verb.name
        if not act.verb.kernel:
            yield name
            for zone in walk(act.arguments):  # its body may move things there
                if isinstance(zone, m.ZoneRef):
                    yield from _to(zone, words)
            continue
        arguments = dict(act.arguments)
        for what in _kinds(arguments.get("what"), words):
            yield f"{name} {what}".strip()
        target = arguments.get("target")
        if isinstance(target, m.ZoneRef):
            yield from _to(target, words)
        elif target is not None and not isinstance(target, (m.Local, m.WordRef)):
            yield ANY_ZONE


def awaited(event: m.EventPattern) -> str:
    """What must be done so that an event can happen, as `doings` say it."""
    what = "" if event.moment else _named(dict(event.arguments).get("what"))
    return f"{event.verb} {what}".strip()


def always_run(body: m.Body, kind: str, id_: str) -> Iterator[tuple[str, bool]]:
    """The slots that an effect on an object runs whatever happens, as they are asked for; and whether anything comes
    before, which might end the game."""
    for number, step in enumerate(body.steps if body.cost is None else ()):
        if isinstance(step, m.Act) and step.verb.kernel and step.verb.kernel.runs == "there":
            slot = dict(step.arguments)["slot"]
            if isinstance(slot, m.SlotRef) and isinstance(slot.object, m.ObjectRef):
                yield slot_asked(slot.object.kind, slot.object.id, slot.slot), number > 0
            elif isinstance(slot, m.SlotRef) and isinstance(slot.object, m.Special) and slot.object.which == "this":
                yield slot_asked(kind, id_, slot.slot), number > 0


def _named(what: m.Expression | None) -> str:
    """The counter or kind of pieces that a verb is about, if that is known."""
    if isinstance(what, m.CounterRef):
        return what.counter
    return what.name if isinstance(what, m.WordRef) else ""


def _kinds(what: m.Expression | None, words: Vocabulary) -> tuple[str, ...]:
    """The same; of pieces their family too, and of a family all its kinds."""
    name = _named(what)
    kinds = words.kinds_of_piece(name)
    return tuple(dict.fromkeys((name, *kinds, *(words.pieces[kind].family or name for kind in kinds))))


def _to(zone: m.ZoneRef, words: Vocabulary) -> Iterator[str]:
    return (f"to {part.name}" for name in zone.zones for part in words.zone_parts(name))


def event_of(event: m.EventPattern, words: Vocabulary) -> Event:
    """What an event waits for."""
    return f"{event.moment} {event.verb}".strip(), _known(event.arguments, words)


def rounds(body: m.Body, words: Vocabulary) -> Iterator[tuple[Event, ...]]:
    """What happens in each `around` that has no `may { offer ... }` of its own."""
    for node in walk(body):
        if isinstance(node, m.Each) and node.mode == "around":
            inside = [each for may in walk(node.body) if isinstance(may, m.May) for each in walk(may)]
            if not any(isinstance(each, m.Act) and each.verb.takes(MOVES) for each in inside):
                yield happenings(node.body, words)


def departures(body: m.Body) -> Iterator[str]:
    """The procedures that a body leaves."""
    for act in walk(body):
        if isinstance(act, m.Act):
            given = (value for _, value in act.arguments if isinstance(value, m.WordRef))
            yield from (value.name for value in given if value.type == PROCEDURE)


def may_be(wanted: Event, event: Event) -> bool:
    """Whether an event that happens may be the one that is waited for: nothing that is known of both differs."""
    known = dict(event[1])
    return wanted[0] == event[0] and all(set(names) & set(known.get(part, names)) for part, names in wanted[1])


def shown_event(event: Event) -> str:
    """An event in short: the verb and what it is about."""
    return " ".join([event[0], *(names[0] for part, names in event[1] if part == "what")])


def event_from(data: Any) -> Event:
    """An event that was kept as JSON."""
    return data[0], tuple((part, tuple(names)) for part, names in data[1])


def _known(
    arguments: tuple[tuple[str, m.Expression], ...], words: Vocabulary
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(found for name, argument in arguments for found in _parts(name, argument, words))


def _parts(name: str, argument: m.Expression, words: Vocabulary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What an argument can be: a counter with its labels, a piece or pool, zones, a kind of thing, one thing."""
    if isinstance(argument, m.CounterRef):
        yield name, (argument.counter,)
        for index, label in argument.indexes:
            if isinstance(label, m.ObjectRef):
                yield f"{name} {index}", (label.id,)
    elif isinstance(argument, m.WordRef):
        yield name, words.kinds_of_piece(argument.name) or (argument.name,)
    elif isinstance(argument, m.PieceRef):
        yield name, (argument.piece,)
    elif isinstance(argument, m.ZoneRef):
        yield name, tuple(part.name for zone in argument.zones for part in words.zone_parts(zone))
    elif argument.type.of:
        yield name, (argument.type.of,)
        if isinstance(argument, m.ObjectRef):
            yield f"{name} one", (argument.id,)
