"""What seats see by their abilities whenever somebody is asked."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference import abilities as a
from tests.reference import changes
from tests.reference import expressions as e
from tests.reference.game import Game

__all__ = ["look", "still"]


def look(g: Game) -> None:
    """Every seat sees what its abilities show it; what lies open to it anyhow it need not know besides."""
    for found in a.active(g, "sees", ""):
        for seat in g.table.seats if found.seat is None else (found.seat,):
            c, sight = found.context(seat), found.clause.sight
            assert sight is not None
            if found.clause.condition is None or e.holds(g, found.clause.condition, c):
                things = [each for each in e.group(g, sight.of, c) if type(each) is int]
                if sight.quantity.amount is not None:
                    count = max(0, e.number(g, sight.quantity.amount, c))
                    things = things[:count] if sight.quantity.mode == "top" else things[max(0, len(things) - count) :]
                hidden = [each for each in things if not g.looks_into(seat, g.state.where(each), each)]
                changes.see(g, hidden, [seat])


def still(g: Game, secret: Callable[[], bool]) -> bool:
    """Whether something is secret also when all have seen what they are shown because somebody is to be asked."""
    if not secret():
        return False
    look(g)
    return secret()
