"""Panels: everything that a screen shows to one seat, as plain records in its language. Seats count from 1.

Keys are those of looks (`counter.gold`, `zone.hand`): whoever draws finds symbols and colours by them. What is hidden
is there as what it is: a number without a value, a face without a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dunerules.records import UNKNOWN, data_of

__all__ = [
    "Ask", "Board", "Choice", "Clock", "Contest", "Face", "Link", "Number", "Occupant", "Panel", "Pile", "Place",
    "Rank", "Rival", "Seat", "Sentence", "Stand", "Step", "Track",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """How much of something, or what a counter points at."""

    key: str
    """What is counted: `counter.gold`, `pool.harbour`, `piece.boat`, `zone.hand`."""
    title: str
    value: int | str | None
    """A number, or the name of what is meant; nothing if it is hidden or points at nothing."""
    hidden: bool = False
    often: bool = False
    """Whether it is worth showing at every turn."""
    dull: bool = False
    """Whether it is as at the start."""


@dataclass(frozen=True, slots=True)
class Face:
    """An object as it lies there: what it is, or its back."""

    kind: str
    id: str
    """`?` for a back."""
    name: str
    short: str = ""
    """What it says, in short."""
    corner: str = ""
    """The number in its corner."""
    count: int = 1
    """How many equal ones lie together."""
    seat: int | None = None
    marks: tuple[Number, ...] = ()
    """Counters on it."""
    options: tuple[int, ...] = ()
    """Which options of the question are about it."""

    @property
    def known(self) -> bool:
        """Whether one sees what it is."""
        return self.id != UNKNOWN


@dataclass(frozen=True, slots=True)
class Pile:
    """Where things lie: a row, a hand, a deck."""

    key: str
    title: str
    sort: str
    """`row` for open things of the table, `hand` for what only its owner sees, `open` for what lies before a seat,
    `pile` for what nobody sees into."""
    seat: int | None
    count: int
    faces: tuple[Face, ...]
    """What lies in it, equal ones together; backs as one face."""
    often: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a seat is on a track."""

    seat: int | None
    value: int | None
    """Nothing, if it is hidden."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens at a step of a track, as texts tell it."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Track:
    """Seats along steps, for one counter and one label it is with."""

    key: str
    title: str
    of: str
    """The key of the label, `colour.red`; empty if the counter has none."""
    name: str
    """What that label is called."""
    first: int
    last: int
    stands: tuple[Stand, ...]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Occupant:
    """Something at a place: a thing, pieces, a token, a counter."""

    key: str
    name: str
    seat: int | None = None
    count: int | str | None = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a board."""

    id: str
    name: str
    short: str
    tint: str
    """The key of its colour, if it has one."""
    at: tuple[int, int] | None
    """Thousandths from the left and from the top; nothing where the look has no position."""
    here: tuple[Occupant, ...] = ()
    options: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A way between two places."""

    start: str
    end: str
    one_way: bool


@dataclass(frozen=True, slots=True)
class Board:
    """Places that belong together."""

    id: str
    kind: str
    title: str
    columns: int
    """How many columns a grid has; 0 for what is no grid."""
    places: tuple[Place, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Rival:
    """A seat in a contest: what it has, and what that comes to."""

    seat: int
    name: str
    value: int
    parts: tuple[Number, ...] = ()
    rank: int = 1
    """1 for the best; equal ones have the same."""


@dataclass(frozen=True, slots=True)
class Rank:
    """What a rank gets."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Contest:
    """What seats compare, how they stand, and what is at stake."""

    id: str
    title: str
    rivals: tuple[Rival, ...]
    """Best first."""
    tie: bool
    """Whether several are best."""
    stakes: Face | None = None
    ranks: tuple[Rank, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table."""

    number: int
    name: str
    own: bool
    asked: bool
    automated: bool
    first: bool
    """Whether it is the first in order of play, in games that say so."""
    won: bool
    numbers: tuple[Number, ...]
    piles: tuple[Pile, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """What is going on."""

    game: str
    round: str
    round_number: int | None
    phases: tuple[str, ...]
    """The names of the stretches of the game that are going on and have a heading, from outside in."""
    over: bool
    winners: tuple[int, ...]
    numbers: tuple[Number, ...]
    """Counters of the table."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that has happened."""

    text: str
    heading: bool = False
    move: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """An option."""

    number: int
    name: str
    """What it can be answered by."""
    text: str
    more: str
    about: tuple[str, ...]
    """The ids of things and places that it is about."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The question."""

    text: str
    kind: str
    low: int
    high: int
    matters: bool
    choices: tuple[Choice, ...]
    source: str
    """The id of what asks, if it is an object."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything that is shown to one seat."""

    seat: int | None
    lang: str
    clock: Clock
    seats: tuple[Seat, ...]
    tracks: tuple[Track, ...]
    boards: tuple[Board, ...]
    contests: tuple[Contest, ...]
    rows: tuple[Pile, ...]
    """Zones of the table."""
    told: tuple[Sentence, ...]
    """What has happened, oldest first."""
    ask: Ask | None

    def data(self) -> dict[str, Any]:
        """The panel as plain JSON."""
        found: dict[str, Any] = data_of(self)
        return found
