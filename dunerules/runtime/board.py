"""The board: which places have edges, paths and rings, and how far it is from one to another.

Places are things by number; a number below zero is nowhere.
"""

from __future__ import annotations

from array import array
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

from dunerules.understanding.ruleset import Ruleset, Thing

__all__ = ["FAR", "Board", "make_board"]

FAR = 1_000_000
"""The distance of places no way leads between."""

_STARTS = 256
"""For how many places the ways from there are remembered."""


@dataclass
class Board:
    """What is beside, beyond and ahead of every place."""

    beside: dict[int, frozenset[int]] = field(default_factory=dict)
    beyond: dict[int, frozenset[int]] = field(default_factory=dict)
    rings: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    """By place: the ring it is on, and where."""
    size: int = 0
    """Things are numbered below this."""

    def __post_init__(self) -> None:
        self._ways = lru_cache(_STARTS)(self._from)

    def distance(self, start: int, end: int) -> int:
        """Edges on the shortest way."""
        return self._ways(start)[end] if start >= 0 and end >= 0 else FAR

    def ahead(self, place: int, steps: int) -> int:
        """The place so many steps on along the ring."""
        if place not in self.rings:
            return -1
        ring, at = self.rings[place]
        return ring[(at + steps) % len(ring)]

    def is_beyond(self, found: tuple[int, ...] | int, target: int) -> bool:
        """Whether a path leads to a place from another, or from one of several."""
        origins = found if isinstance(found, tuple) else (found,)
        return any(origin >= 0 and target in self.beyond[origin] for origin in origins)

    def _from(self, start: int) -> array[int]:
        far = array("i", [FAR]) * self.size
        far[start] = 0
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            for there in self.beside[here]:
                if far[there] == FAR:
                    far[there] = far[here] + 1
                    waiting.append(there)
        return far


def make_board(rules: Ruleset) -> Board:
    """The board that packs declare."""
    by_id = {thing.id: number for number, thing in enumerate(rules.things) if _is_place(thing, rules)}
    sides: dict[int, set[int]] = {number: set() for number in by_id.values()}
    onward: dict[int, set[int]] = {number: set() for number in by_id.values()}
    for first, second in rules.edges:
        if first in by_id and second in by_id:
            sides[by_id[first]].add(by_id[second])
            sides[by_id[second]].add(by_id[first])
    for first, second in rules.paths:
        if first in by_id and second in by_id:
            onward[by_id[first]].add(by_id[second])
    nowhere: dict[int, frozenset[int]] = {-1: frozenset()}
    rings = {}
    for names in rules.words.rings.values():
        ring = tuple(by_id[name] for name in names if name in by_id)
        rings.update({place: (ring, at) for at, place in enumerate(ring)})
    return Board(
        nowhere | {number: frozenset(others) for number, others in sides.items()},
        nowhere | {number: frozenset(others) for number, others in onward.items()},
        rings,
        len(rules.things),
    )


def _is_place(thing: Thing, rules: Ruleset) -> bool:
    kind = rules.words.kinds.get(thing.kind)
    return kind is not None and kind.role == "place"
