"""Somebody who talks to one seat about a game, and what everything is called in doing so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dunerules.chronicle import Shown
from dunerules.dsl import meaning as m
from dunerules.speech.printer import Printer
from dunerules.text.grammar import NounPhrase, Value

__all__ = [
    "Speaker", "boxes", "brief", "fields_of", "label", "pick_name", "pick_phrase", "pick_phrases",
    "seat_name", "tells", "thing_name", "word",
]  # fmt: skip


@dataclass(frozen=True)
class Speaker:
    """Somebody who tells one seat about a game; seat -1 is nobody in particular. Seats count as in the machine."""

    printer: Printer
    game: Shown
    seating: tuple[str, ...]
    viewer: int

    def say(self, id_: str, **slots: str | int) -> str:
        """A message of the program."""
        return self.printer.locale.message(f"play.{id_}", **slots)


def seat_name(speaker: Speaker, seat: int) -> str:
    """A seat: you, a person or a bot by number."""
    if seat < 0:
        return speaker.say("seat.nobody")
    if seat == speaker.viewer:
        return speaker.say("seat.you")
    who = speaker.seating[seat] if seat < len(speaker.seating) else "human"
    kind = who if who in {"human", "automated"} else "bot"
    return speaker.say(f"seat.{kind}", n=seat + 1)


def word(speaker: Speaker, kind: str, id_: str) -> str:
    """A declared word or object by its name in the language."""
    return speaker.printer.name(kind, id_)


def label(speaker: Speaker, section: str, id_: str) -> str:
    """A counter, zone, pool, move or kind by its name."""
    return speaker.printer.name(section, id_)


def thing_name(speaker: Speaker, thing: int) -> str:
    """A thing, place or label by its number."""
    declared = speaker.game.machine.table.layout.things[thing]
    return speaker.printer.name(declared.kind, declared.id)


def fields_of(speaker: Speaker, thing: int) -> str:
    """The data of a thing: numbers, and names of what it refers to."""
    table = speaker.game.machine.table
    declared = table.layout.things[thing]
    kind = table.rules.words.kinds[declared.kind]
    found = []
    hidden = table.rules.screen.get("hide", ())
    for name, value in declared.fields.items():
        of = kind.fields[name].type
        if name in hidden:
            continue
        if of.name == "amount":
            found.append(str(value))
        elif of.name in {"label", "place", "thing"}:
            listed = value if isinstance(value, list) else [value]
            found += [speaker.printer.name(of.of, each) for each in listed]
    return ", ".join(dict.fromkeys(found))


def boxes(speaker: Speaker, thing: int) -> list[tuple[str, str]]:
    """Everything a thing says: the title of each of its boxes, and the words in it."""
    declared = speaker.game.machine.table.layout.things[thing]
    return speaker.printer.boxes(declared.kind, declared.id)


def brief(speaker: Speaker, thing: int) -> str:
    """Everything a thing says, in short."""
    declared = speaker.game.machine.table.layout.things[thing]
    return speaker.printer.short(declared.kind, declared.id)


def tells(speaker: Speaker, group: m.Expression, pick: int) -> bool:
    """Whether naming a pick says anything: not so for a piece that is like all others of its kind."""
    if group.type.name != "thing" or pick < 0:
        return True
    table = speaker.game.machine.table
    declared = table.layout.things[table.layout.objects[pick]]
    if declared.kind in table.rules.screen.get("alike", ()):
        return False
    kind = table.rules.words.kinds[declared.kind]
    printer = speaker.printer
    return bool(kind.fields or kind.slots) or printer.name(declared.kind, declared.id) != printer.name(
        "kind", declared.kind
    )


def pick_phrase(speaker: Speaker, group: m.Expression, pick: int) -> Value:
    """What a move picks, from a group of seats, labels, places or things; -1 for what is hidden."""
    printer, table = speaker.printer, speaker.game.machine.table
    if pick < 0:
        return printer.text(speaker.say("event.something"))
    if group.type.name == "seat":
        return printer.text(seat_name(speaker, pick))
    family = table.rules.words.families.get(group.type.of)
    if family is not None:
        return printer.noun(group.type.of, family[pick])
    declared = table.layout.things[table.layout.objects[pick] if group.type.name == "thing" else pick]
    return printer.noun(declared.kind, declared.id)


def pick_phrases(
    speaker: Speaker, takes: Sequence[tuple[str, m.Expression]], picks: Sequence[int]
) -> dict[str, tuple[Value, bool]]:
    """By name: what a move picks, and whether that needs to be said."""
    return {
        name: (pick_phrase(speaker, group, pick), tells(speaker, group, pick))
        for (name, group), pick in zip(takes, picks, strict=False)
    }


def pick_name(speaker: Speaker, group: m.Expression, pick: int) -> str:
    """The same by itself."""
    found = pick_phrase(speaker, group, pick)
    return found.form() if isinstance(found, NounPhrase) else str(found)
