"""Boards: places where the look has them, with all that lies, stands and is counted there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dunerules.panels.record import Board, Occupant
from dunerules.panels.static import Static
from dunerules.records import UNKNOWN
from dunerules.views import Counter, View

__all__ = ["boards_of"]

Called = Callable[[Counter], int | str | None]


def boards_of(static: Static, view: View, options: Mapping[str, tuple[int, ...]], called: Called) -> Iterator[Board]:
    """The boards with all that is on them now, and the options that are about their places."""
    here = _occupants(static, view, called)
    for board in static.boards:
        taken = [
            replace(place, here=tuple(there), options=about) if there or about else place
            for place in board.places
            for there, about in [(here.get((board.kind, place.id), ()), options.get(place.id, ()))]
        ]
        yield replace(board, places=tuple(taken))


def _occupants(static: Static, view: View, called: Called) -> dict[tuple[str, str], list[Occupant]]:
    """By kind and id of places: what is there."""
    found: dict[tuple[str, str], list[Occupant]] = {}
    for zone in view.zones.values():
        if zone.at and zone.things and zone.name not in static.hidden:
            kind = static.words.zones[zone.name].per
            for thing in zone.things:
                name = static.face(thing.kind, thing.id).name if thing.known else UNKNOWN
                found.setdefault((kind, zone.at[0]), []).append(Occupant(f"kind.{thing.kind}", name, thing.owner))
    for pieces in view.pieces.values():
        if pieces.at and pieces.count and pieces.name not in static.hidden:
            kind = static.words.pieces[pieces.name].places
            one = Occupant(f"piece.{pieces.name}", static.title("piece", pieces.name), pieces.seat, pieces.count)
            found.setdefault((kind, pieces.at[0]), []).append(one)
    kinds = {kind.name for kind in static.words.kinds.values() if kind.role == "place"}
    for counter in view.counters.values():
        if counter.name in static.hidden:
            continue
        declared = static.words.counters[counter.name]
        title, key = static.title("counter", counter.name), f"counter.{counter.name}"
        if declared.holds.name == "place" and declared.per == ("seat",) and counter.value is not None:
            place = str(counter.value).partition(" #")[0]
            found.setdefault((declared.holds.of, place), []).append(Occupant(key, title, counter.seat))
            continue
        at = next((index for index in declared.per if index in kinds), "")
        start = static.layout.cells[counter.name].start
        if at and counter.at and (counter.hidden or counter.value not in (start, None)):
            one = Occupant(key, title, counter.seat, called(counter))
            found.setdefault((at, counter.at[0]), []).append(one)
    return found
