"""What an effect makes happen: the events its steps emit, for finding reactions that set each other off."""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk

__all__ = ["ANYTHING", "event_of", "happenings"]

ANYTHING = "*"
"""A subject not known before the game."""


def happenings(body: m.Body | None) -> tuple[tuple[str, str], ...]:
    """Every (verb, subject) that a body may emit itself; what its verbs do in turn is found through them."""
    if body is None:
        return ()
    found: dict[tuple[str, str], None] = {}
    for act in walk(body):
        if isinstance(act, m.Act):
            found[(act.verb.name, _subject(act.arguments))] = None
            if act.procedure:
                found |= {(f"{moment} {act.verb.name}", ANYTHING): None for moment in ("start", "end")}
    return tuple(found)


def event_of(event: m.EventPattern) -> tuple[str, str]:
    """The (verb, subject) an event waits for."""
    return (f"{event.moment} {event.verb}" if event.moment else event.verb), _subject(event.arguments)


def _subject(arguments: tuple[tuple[str, m.Expression], ...]) -> str:
    for _, argument in arguments:
        if isinstance(argument, m.CounterRef):
            return argument.counter
        if isinstance(argument, m.WordRef) and argument.type.name == "piece":
            return argument.name
    return ANYTHING
