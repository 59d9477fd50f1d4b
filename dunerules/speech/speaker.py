"""Somebody who talks to one seat about a game, and what everything is called in doing so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dunerules.chronicle import Shown
from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from dunerules.language.grammar import NounPhrase, Value
from dunerules.speech.printer import Printer

__all__ = [
    "Speaker", "boxes", "brief", "fields_of", "index_name", "label", "marks_of", "pick_name", "pick_phrase",
    "pick_phrases", "pointed_name", "seat_name", "seat_phrase", "tells", "thing_name", "word", "zone_name", "zone_of",
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
    return speaker.say(f"seat.{_sitting(speaker, seat)}", n=seat + 1)


def _sitting(speaker: Speaker, seat: int) -> str:
    who = speaker.seating[seat] if seat < len(speaker.seating) else "human"
    return who if who in {"human", "automated"} else "bot"


def seat_phrase(speaker: Speaker, seat: int) -> NounPhrase:
    """A seat as a noun that a sentence can put into any case, where the lexicon has one."""
    if seat == speaker.viewer:
        return speaker.printer.you()
    found = speaker.printer.numbered(f"seat.{_sitting(speaker, seat)}", seat + 1) if seat >= 0 else None
    return found if found is not None else speaker.printer.text(seat_name(speaker, seat))


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


def zone_name(speaker: Speaker, number: int) -> str:
    """A zone of the table, or of a place: then the place says more."""
    layout = speaker.game.machine.table.layout
    name, place = layout.zone_names[number], layout.zone_place[number]
    if place >= 0:
        return thing_name(speaker, layout.places[layout.zones[name].per][place])
    return speaker.printer.name("zone", name)


def zone_of(speaker: Speaker, number: int) -> str:
    """A zone by its name, and whose it is."""
    owner = speaker.game.machine.table.layout.zone_owner[number]
    name = zone_name(speaker, number)
    return f"{name} ({seat_name(speaker, owner)})" if owner >= 0 else name


def index_name(speaker: Speaker, index: str, position: int) -> str:
    """What a counter is kept for: a seat, label, place or thing."""
    table = speaker.game.machine.table
    number, family = table.index_members(index)[position], table.rules.words.index_family(index)
    if family == "seat":
        return seat_name(speaker, number)
    if (members := table.rules.words.families.get(family)) is not None:
        return speaker.printer.name(family, members[number])
    thing = table.rules.words.kinds[family].role == "thing"
    return thing_name(speaker, table.layout.objects[number] if thing else number)


def marks_of(speaker: Speaker, number: int) -> str:
    """The counters on an object that are not as they start, as far as the viewer may see them."""
    game, found = speaker.game, []
    table, state, hidden = game.machine.table, game.state, game.machine.table.rules.screen.get("hide", ())
    for mark in game.machine.shop.piles.marks.of[number]:
        holds = table.rules.words.counters[mark.counter].holds
        for cell in mark.cells if mark.counter not in hidden else ():
            owner, value = game.names.cell_seat(cell), state.cells[cell]
            if value == mark.start or (mark.hidden and speaker.viewer not in (-1, owner)):
                continue
            about = [seat_name(speaker, owner)] if owner >= 0 else []
            about += [
                index_name(speaker, *each) for each in table.indexes_of(cell) if each[0] not in ("seat", mark.kind)
            ]
            title = label(speaker, "counter", mark.counter)
            title = f"{title} ({', '.join(about)})" if about else title
            found.append(f"{title}: {value if holds.name == 'amount' else pointed_name(speaker, holds, value)}")
    return ", ".join(found)


def pointed_name(speaker: Speaker, holds: Type, value: int) -> str:
    """What a counter points at that holds no number."""
    if value < 0:
        return speaker.say("event.nothing")
    if holds.name == "seat":
        return seat_name(speaker, value)
    layout, family = speaker.game.machine.table.layout, speaker.game.machine.table.rules.words.families.get(holds.of)
    if family is not None:
        return speaker.printer.name(holds.of, family[value])
    return thing_name(speaker, layout.objects[value] if holds.name == "thing" else value)


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
        return seat_phrase(speaker, pick)
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
