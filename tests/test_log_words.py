"""Events that can be told apart, other than by which of equal copies it was, never print the same line."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from dunerules.chronicle import Chosen, Chronicle, MoveMade
from dunerules.game import Game, load
from dunerules.replays import start_again
from dunerules.simulation import recorded
from dunerules.speech.events import event
from dunerules.speech.speaker import Speaker

GAMES = (("base",), ("base", "immortality"), ("betrayal",), ("conquest",))
LANGUAGES = ("en", "pl", "cs")


@cache
def played_chronicle(packs: tuple[str, ...]) -> tuple[Game, Chronicle]:
    """The story of a game of bots."""
    rules = load(*packs)
    replay = recorded(rules, 4, 7, "random")
    game = start_again(rules, replay, log=True)
    chronicle = Chronicle(game)
    for seat, *answer in replay.answers:
        chronicle.follow(seat, answer)
    return game, chronicle


def _copies(game: Game, things: Any) -> Any:
    """Things without the difference of equal copies."""
    if isinstance(things, int):
        return things
    return tuple(sorted(game.machine.table.layout.objects[thing] for thing in things))


def _told_apart(game: Game, entry: Any) -> Any:
    """What everybody can tell of an event."""
    if isinstance(entry, MoveMade | Chosen):
        return None
    layout = game.machine.table.layout
    if entry[0] == "cell":
        _, number, before, value, verb, _ = entry
        rises = "gain" if value > before else "lose"
        seat = game.names.cell_seat(number)
        name = next(name for name, cells in layout.cells.items() if cells.base <= number < cells.base + cells.size)
        counts = game.machine.table.rules.words.counters[name].holds.name == "amount"
        if not counts:
            return number, value
        if seat < 0:
            return number, before, value
        return number, value - before, verb if verb in {"gain", "pay", "lose"} else rises
    if entry[0] == "carry":
        return "carry", _copies(game, entry[1]), tuple(sorted(set(entry[2]))), entry[3]
    if entry[0] in {"look", "see"}:
        return entry[0], entry[1], _copies(game, entry[2]), tuple(sorted(set(entry[3])))
    if entry[0] == "reveal":
        return "reveal", entry[1], _copies(game, entry[2])
    return tuple(entry[:-1]) if entry[0] == "pieces" else tuple(entry)


@pytest.mark.parametrize("packs", GAMES, ids="+".join)
def test_different_events_have_different_lines(packs: tuple[str, ...]) -> None:
    game, chronicle = played_chronicle(packs)
    for language in LANGUAGES:
        printer = game.rules.printer(language)
        for viewer in (-1, 0):
            speaker = Speaker(printer, game, ("human",) * game.seats, viewer)
            lines: dict[str, Any] = {}
            for entry in chronicle.seen(viewer):
                line, meant = event(speaker, entry), _told_apart(game, entry)
                if line and meant is not None:
                    assert lines.setdefault(line, meant) == meant, f"{line}: {meant} and {lines[line]}"
