"""What an event tells of itself: the names by which what follows it calls its numbers, things, places and seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import FACTS
from dunerules.text.bare import noun_of
from dunerules.text.binding import known, written_out
from dunerules.text.context import Context, Known, Name

__all__ = ["ACTOR", "Announced", "announced", "is_another", "waits_for_seats"]

_OWN_NOUNS = {(verb, name): noun for verb, facts in FACTS.items() for name, noun in facts.nouns}
"""Numbers that have a noun of their own, because `that many` would be taken for another one: by verb and name."""

ACTOR = "actor"
"""The name by which a clause calls the seat that did what it waits for."""


@dataclass(frozen=True, slots=True)
class Announced:
    """The names that an event gives, and what of it must be seen in its words."""

    names: Mapping[str, Name] = field(default_factory=dict)
    used: Mapping[str, Type] = field(default_factory=dict)
    """The things, places, labels and seats that what follows speaks of."""

    def letter(self, name: str) -> str:
        """The letter of a name, if it has one."""
        found = self.names.get(name)
        return found.letter if isinstance(found, Known) else ""

    def numbers(self, verb: str) -> list[tuple[str, str]]:
        """The letters of its numbers, each with the noun of what it is if that is not how many."""
        known_ones = ((name, each) for name, each in self.names.items() if isinstance(each, Known))
        lettered = ((name, each.letter) for name, each in known_ones if each.type == AMOUNT and each.letter)
        return [(_OWN_NOUNS.get((verb, name), ""), letter) for name, letter in lettered]


def announced(clause: m.Clause, context: Context) -> Announced:
    """What the event of a clause tells to its condition and its body."""
    assert clause.event is not None
    verb, moment = clause.event.verb, clause.event.moment
    types = [kind for name, kind in clause.event.told if name != ACTOR]
    names: dict[str, Name] = {}
    used: dict[str, Type] = {}
    for name, kind in _told(clause).items():
        own = _OWN_NOUNS.get((verb, name))
        if own is not None:
            number = known(kind, clause.body, context.naming(names), name)
            names[name] = number if number.letter else noun_of(own, context)
        elif kind == AMOUNT:
            asked = clause.condition is not None or moment != ""  # of a procedure nothing else says what number it is
            names[name] = known(kind, clause.body, context.naming(names), name, apart=asked)
        elif kind == CONDITION and moment:
            names[name] = known(kind, clause.body, context.naming(names), name, apart=True)
        elif kind != CONDITION:
            several = sum(each == kind for each in types) > 1
            several = several or (kind.name == SEAT.name and _other_seats(clause, name, context))
            names[name] = known(kind, clause.body, context.naming(names), name, apart=several)
            used[name] = kind
    return Announced(names, used)


def _told(clause: m.Clause) -> dict[str, Type]:
    """The names of the event that are used, in the order in which they are, with their types."""
    given = dict(clause.event.told) if clause.event is not None else {}
    used = [each.name for each in _parts(clause) if isinstance(each, m.Local)]
    return {name: given[name] for name in used if name in given and name != ACTOR}


def _parts(clause: m.Clause) -> Iterator[object]:
    for whole in (clause.condition, clause.body):
        yield from walk(whole)


def _other_seats(clause: m.Clause, name: str, context: Context) -> bool:
    """Whether a seat that an event names could be taken for another one: for who did it, or one told of later."""
    assert clause.event is not None
    who = clause.event.subject.which if isinstance(clause.event.subject, m.SeatRef) else ""
    told = (each for whole in (clause.condition, clause.body) for each in written_out(whole, context))
    others = (each for each in told if not (isinstance(each, m.Local) and each.name == name))
    return who != "you" or any(map(is_another, others))


def is_another(part: object) -> bool:
    """Whether a seat is told of that neither has the ability nor did what it waits for."""
    match part:
        case m.SeatRef():
            return part.which not in {"you", "owner"}
        case m.Local():
            return part.type.name == SEAT.name and part.name != ACTOR
        case m.ValueRef():
            return True
        case m.CounterRef():
            return part.type.name == SEAT.name
        case _:
            return False


def waits_for_seats(body: m.Body, context: Context) -> bool:
    """Whether something lasts that waits for what seats do: the acting one, or others that could be taken for it."""
    lasting = (each for each in written_out(body, context) if isinstance(each, m.Until))
    patterns = (pattern for each in lasting for pattern in (each.event, *(clause.event for clause in each.clauses)))
    return any(pattern is not None and (pattern.subject is not None or not pattern.moment) for pattern in patterns)
