"""Worlds that a seat must not be able to tell apart: what it sees is kept at every step and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.game import Game
from dunerules.records import UNKNOWN
from dunerules.runtime.views import seen_log, since
from dunerules.scenarios.playing import Playing
from dunerules.scenarios.record import FaultError, Scenario

__all__ = ["Watched", "compare"]

LOG = "the log"


class Watched:
    """What seats could see in one world: by moment and seat the view, with the question in it, and the log."""

    def __init__(self) -> None:
        self.moments: list[dict[str, dict[str, Any]]] = []
        self.done: list[str] = []

    def look(self, playing: Playing) -> None:
        """Keep what is seen now by the seats that are watched."""
        moment = {}
        for node in playing.scenario.watching:
            seat = int(str(node.value).split()[1])
            if seat > playing.game.seats:
                raise FaultError(f"there is no {node.value}", node.span, "DR901")
            moment[str(node.value)] = _seen(playing.game, seat, ended=playing.ended)
        self.moments.append(moment)
        self.done.append(playing.done[-1] if playing.done else "the start")


def compare(scenario: Scenario, worlds: list[Watched]) -> Iterator[FaultError]:
    """The first difference that each of the seats could see."""
    first, *others = worlds
    for node in scenario.watching:
        fault = next(_told(str(node.value), first, others), None)
        if fault is not None:
            yield FaultError(fault, node.span)


def _told(seat: str, first: Watched, others: list[Watched]) -> Iterator[str]:
    for number, other in enumerate(others, 2):
        for place, (mine, theirs) in enumerate(zip(first.moments, other.moments, strict=True)):
            for what, one, two in _differences(mine[seat], theirs[seat]):
                after = f"after {first.done[place]}"
                yield f"{seat} can tell world 1 from world {number} {after}: {what}\n    {one}\n    {two}"


def _differences(mine: dict[str, Any], theirs: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for part, value in mine.items():
        other = theirs[part]
        if value == other:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            for name in value:
                if value[name] != other[name]:
                    yield name, value[name], other[name]
        elif part == LOG:
            place = next((n for n, pair in enumerate(zip(value, other, strict=False)) if pair[0] != pair[1]), -1)
            yield part, value[place:][:1], other[place:][:1]
        else:
            yield part, value, other


def _seen(game: Game, seat: int, *, ended: bool) -> dict[str, Any]:
    """What a seat sees and has seen. Where all has ended that was started, nobody is asked any more."""
    view = game.view(seat)
    entries = seen_log(game.machine, game.names, since((), game.state.log), seat - 1)
    question = view.question if not ended else None
    return {
        "counters": {name: UNKNOWN if each.hidden else each.value for name, each in view.counters.items()},
        "pieces": {name: each.count for name, each in view.pieces.items()},
        "zones": {name: list(each.ids) for name, each in view.zones.items()},
        "marks": {name: [thing.marks for thing in each.things] for name, each in view.zones.items()},
        "owners": {name: [thing.owner for thing in each.things] for name, each in view.zones.items()},
        "asked": view.asked if not ended else (),
        "question": question and (question.low, question.high, question.acting, question.names),
        "winners": view.winners,
        LOG: [_named(game, entry) for entry in entries],
    }


def _named(game: Game, entry: Any) -> Any:
    """An entry of a log with names for objects: copies of one thing look alike."""
    if entry[0] == "carry" and isinstance(entry[1], tuple):
        return (entry[0], tuple(game.names.object(thing) for thing in entry[1]), *entry[2:])
    if entry[0] in {"look", "reveal"} and isinstance(entry[2], tuple):
        return (entry[0], entry[1], tuple(game.names.object(thing) for thing in entry[2]), *entry[3:])
    if entry[0] == "mark" and entry[5] >= 0:
        cell = game.machine.shop.piles.marks.on_any(entry[1])
        return (entry[0], cell, *entry[2:5], game.names.object(entry[5]), *entry[6:])
    return entry
