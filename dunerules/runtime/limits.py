"""The limits of a game, and the error of one that goes beyond them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from dunerules.core import ir
from dunerules.runtime.state import GameError, State

__all__ = [
    "DEEPEST", "FUEL", "LARGEST", "LASTING", "LOOKS", "NESTED", "OPTIONS", "SPEND", "beyond", "guarded", "look",
    "spend", "too_large",
]  # fmt: skip

FUEL = 200_000
"""Programs that are begun, and turns of loops, between two decisions. The longest honest stretch of the shipped games
takes a few thousand."""

LOOKS = 2_000_000
"""Looks at candidates of filters and picks, and at asked slots, between two decisions."""

LARGEST = 1_000_000_000
"""A number of an expression, either way."""

OPTIONS = 10_000
"""Options of one question."""

LASTING = 1_000
"""Lasting effects at once."""

DEEPEST = 500
"""Frames that may wait on each other: reactions that answer each other for ever ask their seats, and use no fuel."""

NESTED = 50
"""Values and slots that ask each other."""

_SAID = {
    "fuel": "the rules never come to an end here",
    "numbers": f"a number goes beyond {LARGEST:,} here",
    "options": f"a question has more than {OPTIONS:,} options here",
    "lasting effects": f"more than {LASTING:,} effects last at once here",
    "depth": "too many things wait for each other here",
}
_SHOWN = 6


def beyond(s: State, limit: str) -> GameError:
    """The error of a game that goes beyond a limit: it names the limit and what was running."""
    labels = [frame.label for frame in s.frames if frame.label]
    return GameError(f"{_SAID[limit]} (limit: {limit}): {' -> '.join(labels[-_SHOWN:]) or 'setup or flow'}", limit)


def too_large(s: State) -> NoReturn:
    """A number of an expression has gone beyond the limit."""
    raise beyond(s, "numbers")


def spend(s: State) -> None:
    """One more program is begun, or one more turn of a loop."""
    s.fuel += 1
    if s.fuel > FUEL:
        raise beyond(s, "fuel")


SPEND = ir.Function("spend", spend, means=("spend",))


def look(s: State, count: int) -> None:
    """So much more is looked at."""
    s.looks += count
    if s.looks > LOOKS:
        raise beyond(s, "fuel")


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a state by which values and slots ask each other, within the limits."""

    def within_limits(s: State, *given: Any) -> Any:
        look(s, 1)
        if s.depth >= NESTED:
            raise beyond(s, "depth")
        s.depth += 1
        try:
            return function(s, *given)
        finally:
            s.depth -= 1

    within_limits.__wrapped__ = function  # type: ignore[attr-defined]
    return within_limits
