"""Plural rules as data: which category a whole number falls into, written as in CLDR.

    one: n = 1
    few: n % 10 in 2..4 and n % 100 not in 12..14
    many: otherwise

The first rule that holds decides. `otherwise` always holds and must be the last.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["OTHERWISE", "PluralRules", "plural_rule"]

OTHERWISE = "otherwise"
_SAMPLE = 1000
"""Numbers up to this one show every category that any rule of this form can reach."""

Holds: TypeAlias = Callable[[int], bool]

_RANGE = r"[0-9]{1,9}(?:\.\.[0-9]{1,9})?"
_RELATION = re.compile(
    rf"n(?: % (?P<mod>[1-9][0-9]{{0,5}}))? (?P<sign>=|!=|in|not in) (?P<ranges>{_RANGE}(?:, ?{_RANGE})*)"
)


def plural_rule(text: str) -> Holds | None:
    """The test a rule stands for, or nothing if it is not a rule."""
    if text.strip() == OTHERWISE:
        return lambda _: True
    either: list[list[Holds]] = []
    for alternative in text.split(" or "):
        relations = [_relation(part.strip()) for part in alternative.split(" and ")]
        found = [each for each in relations if each is not None]
        if len(found) < len(relations):
            return None
        either.append(found)
    return lambda n: any(all(holds(n) for holds in group) for group in either)


def _relation(text: str) -> Holds | None:
    match = _RELATION.fullmatch(text)
    if match is None:
        return None
    modulus = int(match["mod"] or 0)
    wanted = match["sign"] in {"=", "in"}
    ranges = []
    for part in match["ranges"].split(","):
        low, _, high = part.strip().partition("..")
        ranges.append((int(low), int(high or low)))

    def holds(n: int) -> bool:
        value = n % modulus if modulus else n
        return any(low <= value <= high for low, high in ranges) == wanted

    return holds


@dataclass(frozen=True)
class PluralRules:
    """The categories of a language in the order they are tried."""

    rules: tuple[tuple[str, Holds], ...]

    def category(self, n: int) -> str:
        """The category of a number; the last one if no rule holds."""
        for name, holds in self.rules:
            if holds(abs(n)):
                return name
        return self.rules[-1][0] if self.rules else ""

    @property
    def categories(self) -> tuple[str, ...]:
        """Every category, in order."""
        return tuple(name for name, _ in self.rules)

    def reachable(self) -> frozenset[str]:
        """The categories that some whole number falls into."""
        return frozenset(self.category(n) for n in range(_SAMPLE + 1))
