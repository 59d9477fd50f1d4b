"""The log as the machine keeps it: entries by number, seats from 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.game import Game
from dunerules.runtime.told import LASTING, WITH_ORIGIN
from dunerules.runtime.views import seen_log, since

__all__ = ["entries", "named_log", "without_verbs"]


def entries(game: Game, seat: int | None = None) -> list[Sequence[Any]]:
    """All entries, or what a seat could see of them."""
    found = since((), game.state.log)
    return found if seat is None else seen_log(game.machine, game.names, found, seat)


def named_log(game: Game, seat: int) -> list[tuple[Any, ...]]:
    """The log as a seat is told it, by name: copies are alike."""
    found: list[tuple[Any, ...]] = []
    for entry in entries(game, seat):
        if entry[0] in {"carry", "look"}:
            place = 1 if entry[0] == "carry" else 2
            things = entry[place]
            told = things if isinstance(things, int) else tuple(game.names.object(each) for each in things)
            found.append((*entry[:place], told, *entry[place + 1 :]))
        else:
            found.append(tuple(entry))
    return found


def without_verbs(log: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """A log that tells only what has changed on the table."""
    return [entry[:-1] if entry[0] in WITH_ORIGIN else entry for entry in log if entry[0] not in LASTING]
