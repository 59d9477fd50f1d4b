"""Names for the examples of these tests: a counter of seats, one of the game, a zone, data of five things."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core.text import Known, parse, show

__all__ = ["KNOWN", "read", "show"]

KNOWN = Known(
    regions={
        "gold": ir.Region("gold", 0, (1,), 0, 1_000_000),
        "debt": ir.Region("debt", 4, (1,), -5, 20),
        "era": ir.Region("era", 8, (), 1, 3),
        "cube at": ir.Region("cube at", 9, (3, 1), 0, 8),
        "hand": ir.Region("hand", 2, (1,)),
    },
    tables={
        "cost": ir.Table("cost", [2, 3, 1, 0, 7, 0]),
        "colours": ir.Table("colours", [(0,), (), (0, 1), (), (1,), ()]),
    },
    functions={
        "twice": ir.Function("twice", lambda s, n: 2 * n),
        "distinct": ir.Function("distinct", lambda things: tuple(dict.fromkeys(things)), stateless=True),
    },
)


def read(text: str) -> ir.Expr:
    """An expression."""
    return parse(text, KNOWN)
