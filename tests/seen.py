"""What games were recorded by: views and options in short, without what is as it was at the start; seats from 0."""

from __future__ import annotations

from typing import Any

from dunerules.game import Game

__all__ = ["options_of", "seen"]


def options_of(game: Game) -> list[str]:
    """The options of the pending question by name, equal ones alike."""
    asked = game.state.pending
    return [] if asked is None else [game.names.option(each, asked.kind) for each in asked.options]


def seen(game: Game, seat: int) -> dict[str, Any]:
    """What a seat sees that is not as it was at the start, or nothing."""
    view, layout = game.view(seat + 1), game.machine.table.layout
    words = game.machine.table.rules.words
    starts = {name: layout.cells[name].start for name in layout.cells}
    counters: dict[str, Any] = {}
    for name, each in view.counters.items():
        points = words.counters[each.name].holds.name != "amount"
        nothing = "nobody" if words.counters[each.name].holds.name == "seat" else -1
        value = nothing if each.value is None else each.value
        start = game.names.cell_value(each.name, starts[each.name]) if points else starts[each.name]
        if not each.hidden and value != start:
            counters[name] = value
    zones: dict[str, Any] = {}
    for name, zone in view.zones.items():
        closed = layout.zones[zone.name].sight == "none" and not any(each.known for each in zone.things)
        if zone.things:
            zones[name] = len(zone) if closed else list(zone.ids)
    asked, decision = view.question, None
    if asked is not None:
        names = [game.names.option(each, asked.kind) for each in _asked(game, seat)]
        decision = {"low": asked.low, "high": asked.high, "options": names}
        if asked.acting != asked.seat:
            decision["acting"] = asked.acting - 1
    return {
        "seat": seat,
        "counters": counters,
        "pieces": {name: each.count for name, each in view.pieces.items() if each.count},
        "zones": zones,
        "asked": [each - 1 for each in view.asked],
        "decision": decision,
        "result": [each - 1 for each in view.winners] if view.over else None,
    }


def _asked(game: Game, seat: int) -> tuple[Any, ...]:
    return next(each.options for each in game.state.asked() if each.seat == seat)
