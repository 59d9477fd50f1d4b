"""The board: which places have edges, paths and rings, and how far it is from one to another.

Places are things by number; a number below zero is nowhere.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from dunerules.understanding.ruleset import Ruleset, Thing

__all__ = ["FAR", "Board", "make_board"]

FAR = 1_000_000
"""The distance of places no way leads between."""

_STARTS = 256
"""For how many places the ways from there are remembered."""


@dataclass(frozen=True)
class Squares:
    """A grid as it is laid out."""

    places: tuple[int, ...]
    """Row by row."""
    columns: int
    ways: dict[str, tuple[tuple[int, int] | None, ...]]
    """By family: for each member how many columns and rows further it leads, if it is a direction here."""
    joined: tuple[str, ...]
    """The families along which neighbours have edges."""

    def way(self, family: str, direction: int) -> tuple[int, int] | None:
        """Where a direction leads."""
        ways = self.ways.get(family, ())
        return ways[direction] if 0 <= direction < len(ways) else None

    def at(self, column: int, row: int) -> int:
        """The place in a column and a row, counted from 0; nowhere beyond the rim."""
        inside = 0 <= column < self.columns and 0 <= row * self.columns < len(self.places)
        return self.places[row * self.columns + column] if inside else -1


@dataclass(frozen=True, slots=True)
class Square:
    """Where a place lies in its grid."""

    grid: Squares
    column: int
    row: int


@dataclass
class Board:
    """What is beside, beyond and ahead of every place."""

    beside: dict[int, frozenset[int]] = field(default_factory=dict)
    beyond: dict[int, frozenset[int]] = field(default_factory=dict)
    rings: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    """By place: the ring it is on, and where."""
    size: int = 0
    """Things are numbered below this."""
    squares: dict[int, Square] = field(default_factory=dict)
    """By place: where it lies in a grid."""

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

    def steps(self, family: str) -> Callable[[int, int, int], int]:
        """Finds the place so many steps from another in a direction of a family; nowhere beyond the rim."""
        squares = self.squares

        def step(place: int, direction: int, steps: int) -> int:
            square = squares.get(place)
            way = square.grid.way(family, direction) if square is not None else None
            if square is None or way is None:
                return -1
            return square.grid.at(square.column + way[0] * steps, square.row + way[1] * steps)

        return step

    def lines(self, family: str) -> Callable[..., tuple[int, ...]]:
        """Finds all places from another in a direction of a family, the nearest first, or so many of them. Each line is
        worked out once."""
        step, known = self.steps(family), dict[tuple[int, int], tuple[int, ...]]()

        def whole(place: int, direction: int) -> tuple[int, ...]:
            found = []
            while (place := step(place, direction, 1)) >= 0:
                found.append(place)
            return tuple(found)

        def line(place: int, direction: int, most: int | None = None) -> tuple[int, ...]:
            found = known.get((place, direction))
            if found is None:
                found = known[place, direction] = whole(place, direction)
            return found if most is None else found[: max(most, 0)]

        return line

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
    squares = _squares(rules)
    for place, square in squares.items():
        for other in _neighbours(square):
            sides[place].add(other)
            sides[other].add(place)
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
        squares,
    )


def _squares(rules: Ruleset) -> dict[int, Square]:
    numbers = {(thing.kind, thing.id): number for number, thing in enumerate(rules.things)}
    found = {}
    for grid in rules.words.grids.values():
        families = rules.words.families
        ways = {
            family: tuple(steps.get(member) for member in families[family]) for family, steps in grid.directions.items()
        }
        laid = Squares(tuple(numbers[grid.kind, id_] for id_ in grid.places), grid.columns, ways, grid.joined)
        for at, place in enumerate(laid.places):
            found[place] = Square(laid, at % grid.columns, at // grid.columns)
    return found


def _neighbours(square: Square) -> Iterator[int]:
    """The places that a step leads to, along the families whose neighbours have edges."""
    for family in square.grid.joined:
        for way in square.grid.ways.get(family, ()):
            other = -1 if way is None else square.grid.at(square.column + way[0], square.row + way[1])
            if other >= 0:
                yield other


def _is_place(thing: Thing, rules: Ruleset) -> bool:
    kind = rules.words.kinds.get(thing.kind)
    return kind is not None and kind.role == "place"
