"""The log as records: what has happened, to whom, from where to where, by name, as far as a seat could see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dunerules.chronicle import Chosen, Chronicle, Happening, MoveMade
from dunerules.questions import Moment
from dunerules.records import NO_PICKS, UNKNOWN, Fixed, data_of, seat_of
from dunerules.runtime.names import Names
from dunerules.views import value_of

__all__ = ["KINDS", "Event", "events_of"]


@dataclass(frozen=True)
class Event:
    """Something that has happened. Seats count from 1; what does not apply is empty."""

    kind: str
    """What has happened: `move`, `choice`, `counter`, `pieces`, `things`, `look`, `reveal`, `phase`, `contest`,
    `begins` or `ends`."""
    seat: int | None = None
    """Who did it, or whose it is; none for what is nobody's."""
    name: str = ""
    """The move (`pass` for none), the counter by its full name, the piece, the procedure, the contest, or what an
    effect that lasts stands on."""
    picks: Mapping[str, str] = NO_PICKS
    """What a move picks, by the names it declares; of a lasting effect what its names stand for."""
    things: tuple[str, ...] = ()
    """Whatever was moved, seen, shown or chosen, by id; `?` for what is hidden."""
    count: int = 0
    """How many pieces or things."""
    sources: tuple[str, ...] = ()
    """Where they were: a full name for each thing, or where one looked."""
    target: str = ""
    """Where they are now, or where an effect lasts."""
    before: int | str | None = None
    """What a counter said."""
    after: int | str | None = None
    """What it says now."""
    verb: str = ""
    """What was done to it: `gain`, `pay`, `lose`, `set` ..."""
    verbs: tuple[str, ...] = ()
    """The verbs of packs that it is part of, outermost first, as far as the seat may know them."""
    number: int = 0
    """Which round of the game begins with a phase, for the first heading of a pack."""
    values: Mapping[int, int] = Fixed("seat", {})
    """What was compared in a contest, by seat."""
    told: bool = False
    """Whether the move before it says so already: stories leave it out."""
    _entry: Happening = field(default=(), repr=False, compare=False)
    _viewer: int = field(default=-1, repr=False, compare=False)
    _moment: Moment | None = field(default=None, repr=False, compare=False)

    def text(self, lang: str = "en") -> str:
        """A sentence in a language, to the seat whose log it is; nothing, if it is not worth one."""
        from dunerules.speech.events import event

        assert self._moment is not None
        return event(self._moment.speaker(lang, self._viewer), self._entry)

    def data(self) -> dict[str, Any]:
        """The event as plain JSON, without what does not apply."""
        found: dict[str, Any] = data_of(self)
        kept = {"kind", "seat", "before", "after"} if self.kind == "counter" else {"kind", "seat"}
        return {name: value for name, value in found.items() if value or name in kept}


def events_of(chronicle: Chronicle, moment: Moment, seat: int | None) -> list[Event]:
    """What a seat could see of a story, counted as in the machine; everything for none."""
    names, viewer = moment.names, -1 if seat is None else seat
    return [
        Event(**_said(names, entry), told=told, _entry=entry, _viewer=viewer, _moment=moment)
        for entry, told in chronicle.every(seat)
    ]


def _said(names: Names, entry: Happening) -> dict[str, Any]:
    if isinstance(entry, MoveMade):
        picks = Fixed("pick", names.picks(entry.move, entry.picks)) if entry.picks else NO_PICKS
        return {"kind": "move", "seat": entry.seat + 1, "name": entry.move, "picks": picks}
    if isinstance(entry, Chosen):
        things = tuple(names.single(entry.kind, pick) for pick in entry.picks)
        return {"kind": "choice", "seat": entry.seat + 1, "things": things, "count": len(things)}
    return KINDS[entry[0]](names, entry)


# ---- entries of the log


def _cell(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    _, number, before, value, verb, origin = entry
    counter = next(name for name, each in names.layout.cells.items() if each.base <= number < each.base + each.size)
    return {
        "kind": "counter",
        "seat": seat_of(names.cell_seat(number)),
        "name": names.cell(number),
        "before": value_of(names, counter, before),
        "after": value_of(names, counter, value),
        "verb": verb,
        "verbs": _verbs(origin),
    }


def _mark(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    """A counter on a thing; its name tells no thing that is not known."""
    _, number, before, value, verb, thing, zone, origin = entry
    said = _cell(names, ("cell", number, before, value, verb, origin))
    things = (names.object(thing) if thing >= 0 else UNKNOWN,)
    return {
        **said,
        "name": names.on_thing(number, things[0]),
        "things": things,
        "count": 1,
        "sources": (names.zone(zone),),
    }


def _pieces(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    _, start, end, count, origin = entry
    pools = names.layout.pools.items()
    piece = next(piece for (piece, _), each in pools if each.base <= start < each.base + each.size)
    return {
        "kind": "pieces",
        "seat": seat_of(names.cell_seat(start)),
        "name": piece,
        "count": count,
        "sources": (names.cell(start),),
        "target": names.cell(end),
        "verbs": _verbs(origin),
    }


def _carry(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    _, things, sources, target, origin = entry
    owners = [names.layout.zone_owner[zone] for zone in (target, *sources)]
    return {
        "kind": "things",
        "seat": next((owner + 1 for owner in owners if owner >= 0), None),
        **_things(names, things),
        "sources": tuple(map(names.zone, sources)),
        "target": names.zone(target),
        "verbs": _verbs(origin),
    }


def _look(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    kind, seat, things, zones, *origin = entry
    return {
        "kind": "reveal" if kind == "reveal" else "look",
        "seat": seat_of(seat),
        **_things(names, things),
        "sources": tuple(map(names.zone, zones)),
        "verbs": _verbs(*origin),
    }


def _verbs(origin: Sequence[Any] = ()) -> tuple[str, ...]:
    """The verbs of packs that something was part of."""
    return tuple(each.verb for each in origin[1]) if origin else ()


def _things(names: Names, things: int | Sequence[int]) -> dict[str, Any]:
    """Objects by id, or only how many."""
    if isinstance(things, int):
        return {"things": (UNKNOWN,) * things, "count": things}
    return {"things": tuple(map(names.object, things)), "count": len(things)}


def _phase(_: Names, entry: Sequence[Any]) -> dict[str, Any]:
    return {"kind": "phase", "name": entry[1], "number": entry[2] if len(entry) > 2 else 0}


def _contest(_: Names, entry: Sequence[Any]) -> dict[str, Any]:
    return {"kind": "contest", "name": entry[1], "values": Fixed("seat", {seat + 1: value for seat, value in entry[2]})}


def _lasting(names: Names, entry: Sequence[Any]) -> dict[str, Any]:
    which, number, whose, (on, here, *values) = entry
    return {
        "kind": which,
        "seat": seat_of(whose),
        "name": names.thing(on) if on >= 0 else "",
        "picks": Fixed("name", names.lasting(number, values)) if values else NO_PICKS,
        "target": names.thing(here) if here >= 0 else "",
    }


KINDS: dict[str, Callable[[Names, Sequence[Any]], dict[str, Any]]] = {
    "cell": _cell, "mark": _mark, "pieces": _pieces, "carry": _carry, "look": _look, "see": _look, "reveal": _look,
    "phase": _phase, "contest": _contest, "begins": _lasting, "ends": _lasting,
}  # fmt: skip
"""By kind of entry: what it says."""
