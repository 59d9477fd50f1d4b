"""Chance: a counter-based generator. The state of chance is one number, and every platform draws alike."""

from __future__ import annotations

__all__ = ["below", "shuffled"]

_MASK = (1 << 64) - 1


def _mixed(seed: int, counter: int) -> int:
    """Sixty-four bits that depend on the seed and on how many were drawn before (the splitmix64 function)."""
    z = (seed * 0x9E3779B97F4A7C15 + (counter + 1) * 0xD1B54A32D192ED03) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def below(seed: int, counter: int, limit: int) -> int:
    """The draw number `counter`: a number from 0 to `limit` - 1."""
    return (_mixed(seed, counter) * limit) >> 64


def shuffled(seed: int, counter: int, things: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The things in random order, and the counter after the draws this took."""
    pile = list(things)
    for last in range(len(pile) - 1, 0, -1):
        other = (_mixed(seed, counter) * (last + 1)) >> 64
        counter += 1
        pile[last], pile[other] = pile[other], pile[last]
    return tuple(pile), counter
