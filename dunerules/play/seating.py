"""Who sits where: people and bots, by name."""

from __future__ import annotations

from collections.abc import Mapping

from dunerules.bots import BOTS, Bot, make_bot
from dunerules.nearest import nearest
from dunerules.problems import CannotRunError
from dunerules.runtime.chance import below

__all__ = ["AUTOMATED", "HUMAN", "bot_for", "seating_of"]

HUMAN = "human"
AUTOMATED = "automated"
"""A seat that nobody plays: its packs say what it does."""

_SENSIBLE = "simple"
_ALIASES = {"bot": _SENSIBLE}


def seating_of(
    named: str, players: int | None, low: int, high: int, tables: Mapping[int, tuple[int, int]] | None = None
) -> tuple[str, ...]:
    """The seats of a game: those named, the rest bots; without any, one person and bots. Automated seats come last.

    `tables` are the seats, and how many of them are automated, for numbers of players below or above the usual ones.
    """
    tables = tables or {}
    given = [each.strip() for each in named.split(",")] if named.strip() else [HUMAN]
    seats = [_ALIASES.get(each, each) for each in given]
    for seat in seats:
        if seat != HUMAN and seat not in BOTS:
            known = [HUMAN, *_ALIASES, *BOTS]
            near = nearest(seat, known)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise CannotRunError(f"a seat is one of {', '.join(known)}, not `{seat}`{hint}")
    count = players if players is not None else max(len(seats), low) if named.strip() else high
    if not low <= count <= high and count not in tables:
        counts = ", ".join(map(str, sorted({*tables, *range(low, high + 1)})))
        raise CannotRunError(f"this game is for {counts} players, not {count}")
    if len(seats) > count:
        raise CannotRunError(f"there are {len(seats)} seats named for a game of {count}")
    automated = tables[count][1] if count in tables else 0
    return (*seats, *([_SENSIBLE] * (count - len(seats))), *([AUTOMATED] * automated))


def bot_for(seating: tuple[str, ...], seat: int, seed: int, answers: int) -> Bot:
    """The bot of a seat for the answer of this number.

    What a bot does depends on the game alone, so a game that was left goes on as if it had not been.
    """
    return make_bot(seating[seat], below(seed + 1_000_003 * (seat + 1), answers, 1 << 60))
