"""The log as the machine keeps it: entries by number, seats from 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.game import Game
from dunerules.runtime.views import seen_log, since

__all__ = ["entries"]


def entries(game: Game, seat: int | None = None) -> list[Sequence[Any]]:
    """All entries, or what a seat could see of them."""
    found = since((), game.state.log)
    return found if seat is None else seen_log(game.machine, game.names, found, seat)
