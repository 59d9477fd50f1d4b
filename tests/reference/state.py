"""The state of a game, as one would note it down: numbers under names, and lists of things."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from dunerules.dsl import meaning as m
from tests.reference.load import Rules, Thing

__all__ = [
    "Context",
    "CounterAt",
    "GameOver",
    "Label",
    "Lasting",
    "LimitError",
    "Pile",
    "Question",
    "Spot",
    "State",
    "Table",
    "most_of",
]  # fmt: skip

HIGHEST = 1_000_000
"""Of a counter without `max`."""
BEYOND = 1_000_000_000
"""No number may be beyond this."""


class LimitError(Exception):
    """The game went beyond one of the limits of the page."""


class GameOver(Exception):  # noqa: N818 - not an error
    """Somebody has won, or the end of the game has come: nothing goes on."""


class Label(NamedTuple):
    """A place, a label, or a declared thing whichever copy of it is meant."""

    kind: str
    id: str


class CounterAt(NamedTuple):
    """One counter: its name, whose it is, and its labels, places, things (by number) and other seats."""

    counter: str
    seat: int | None
    indexes: tuple[Label | int, ...]


class Spot(NamedTuple):
    """Where pieces are: of which seat, in a pool or on a place."""

    piece: str
    seat: int
    where: str | Label


class Pile(NamedTuple):
    """One zone: its name, and the seat or place it is of."""

    zone: str
    of: int | Label | None


@dataclass(frozen=True)
class Question:
    """What somebody is asked: so many of these options."""

    seat: int
    kind: str
    low: int
    high: int
    options: tuple[Any, ...]
    bodies: tuple[m.Body, ...] = field(default=(), compare=False)
    """What the options of `choose` are."""


@dataclass
class Round:
    """A round of the table: whose turn it is, and whether that seat passes."""

    seat: int = -1
    passed: bool = False


@dataclass(frozen=True)
class Context:
    """In whose eyes a text is read: who acts, whose effect it is, what it stands on, and what names mean."""

    you: int | None = None
    owner: int | None = None
    this: int | Label | None = None
    here: Label | None = None
    it: Any = None
    around: tuple[Any, ...] = ()
    """The candidates of the filters around the one of `it`, the nearest first."""
    names: dict[str, Any] = field(default_factory=dict)
    round: Round | None = None
    """The `around` in whose body this stands."""
    slots: int = 0
    """While something is tried: how many slots are run inside each other."""

    def naming(self, name: str, value: Any) -> Context:
        """The same with one more name."""
        return replace(self, names={**self.names, name: value}) if name else self

    def acting(self, seat: int | None) -> Context:
        """The same where another seat acts."""
        return replace(self, you=seat)


@dataclass(frozen=True)
class Lasting:
    """Abilities made by an `until`, with all that its text speaks of."""

    serial: int
    until: m.Until
    context: Context


Used: TypeAlias = tuple[int, int | Label | None, int | None]
"""An ability by its number, the copy it stands on, and the seat it acts for."""


@dataclass
class State:
    """All that changes."""

    seed: int
    chance: int = 0
    counters: dict[CounterAt, Any] = field(default_factory=dict)
    """A number; for a counter that points, what it points at."""
    pieces: dict[Spot, int] = field(default_factory=dict)
    zones: dict[Pile, tuple[int, ...]] = field(default_factory=dict)
    holders: dict[int, int | None] = field(default_factory=dict)
    known: dict[int, frozenset[int]] = field(default_factory=dict)
    lasting: tuple[Lasting, ...] = ()
    serial: int = 0
    used: dict[Used, int] = field(default_factory=dict)
    result: tuple[int, ...] | None = None

    def copy(self) -> State:
        """A state that goes its own way."""
        other = replace(self)
        for name in ("counters", "pieces", "zones", "holders", "known", "used"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def where(self, thing: int) -> Pile:
        """The zone a thing lies in."""
        return next(pile for pile, things in self.zones.items() if thing in things)


class Table:
    """What does not change in a game: the rules for a number of seats, and which copy is what."""

    def __init__(self, rules: Rules, seats: int, options: dict[str, str] | None = None) -> None:
        self.rules = rules
        self.words = rules.words
        self.seats = tuple(range(seats))
        self.options = {**rules.options, **(options or {})}
        self.copies: list[Thing] = []
        """By number: what it is a copy of."""
        self._starts: list[tuple[Pile, int | None]] = []
        for thing in rules.things.values():
            if thing.start and self.words.kinds[thing.kind].role == "thing":
                zone, _, place = thing.start.partition(" of ")
                per = self.words.zones[zone].per
                owners = self.seats if per == "seat" else (None,)
                for owner in owners:
                    self.copies += [thing] * thing.copies
                    pile = Pile(zone, Label(per, place) if place else owner)
                    self._starts += [(pile, owner)] * thing.copies
        self.numbers: dict[Label, list[int]] = {}
        """The copies of every thing."""
        for number in range(len(self.copies)):
            self.numbers.setdefault(self.label(number), []).append(number)

    def members(self, kind: str) -> list[Label]:
        """All labels of a family, or all places or labels of a kind, in order of declaration."""
        return [Label(kind, each) for each in self.words.members(kind)]

    def new_state(self, seed: int) -> State:
        """Everything where it starts."""
        state = State(seed)
        for name in self.rules.counters:
            for at in self.counters(name):
                state.counters[at] = self.start(name)
        for name, data in self.rules.pieces.items():
            for seat in self.seats:
                for pool in data.get("pools", ()):
                    state.pieces[Spot(name, seat, pool)] = (
                        data["count"] if pool == data.get("start", data.get("home")) else 0
                    )
                for place in self.members(data["places"]) if data.get("places") else ():
                    state.pieces[Spot(name, seat, place)] = 0
        for zone in self.words.zones.values():
            if not zone.joins:
                state.zones |= dict.fromkeys(self.piles(zone.name), ())
        for number, (pile, owner) in enumerate(self._starts):
            state.zones[pile] += (number,)
            state.holders[number] = owner
        return state

    def counters(self, name: str) -> list[CounterAt]:
        """Every counter of a name."""
        per = self.words.counters[name].per
        seats = self.seats if "seat" in per else (None,)
        groups = [self.kept_for(index) for index in per if index not in {"seat", "game"}]
        return [CounterAt(name, seat, indexes) for seat in seats for indexes in product(*groups)]

    def kept_for(self, index: str) -> list[Label | int]:
        """All that a counter is kept for: labels and places; single copies of things; seats."""
        family = self.words.index_family(index)
        if family == "seat":
            return [*self.seats]
        if family in self.words.kinds and self.words.kinds[family].role == "thing":
            return [number for number, thing in enumerate(self.copies) if thing.kind == family]
        return [*self.members(family)]

    def marked(self, at: CounterAt) -> int | None:
        """The copy that a counter is on, if it is on one."""
        kinds = self.words.kinds
        per = [index for index in self.words.counters[at.counter].per if index not in {"seat", "game"}]
        for index, of in zip(per, at.indexes, strict=True):
            if index in kinds and kinds[index].role == "thing":
                assert isinstance(of, int)
                return of
        return None

    @cached_property
    def marks(self) -> dict[int, list[CounterAt]]:
        """Every counter on every copy."""
        found: dict[int, list[CounterAt]] = {number: [] for number in range(len(self.copies))}
        for at in (at for name in self.rules.counters for at in self.counters(name)):
            thing = self.marked(at)
            if thing is not None:
                found[thing].append(at)
        return found

    def has_mark(self, at: CounterAt, pile: Pile) -> bool:
        """Whether things have a counter in a zone."""
        zones = self.words.counters[at.counter].zones
        return not zones or pile.zone in {part.name for zone in zones for part in self.words.zone_parts(zone)}

    def start(self, name: str) -> int | None:
        """What a counter is at the start."""
        data = self.rules.counters[name]
        if self.words.counters[name].holds.name != "amount":
            return None
        return int(data.get("start", max(data.get("min", 0), 0)))

    def piles(self, zone: str) -> list[Pile]:
        """Every zone of a name: one, one a seat, or one a place."""
        per = self.words.zones[zone].per
        if per == "game":
            return [Pile(zone, None)]
        return [Pile(zone, of) for of in (self.seats if per == "seat" else self.members(per))]

    def label(self, thing: int) -> Label:
        """What a copy is a copy of."""
        return Label(self.copies[thing].kind, self.copies[thing].id)

    def declared(self, thing: int | Label) -> Thing | None:
        """The declaration of a copy, place or label; members of families have none."""
        return self.copies[thing] if isinstance(thing, int) else self.rules.things.get((thing.kind, thing.id))

    def bounds(self, counter: str) -> tuple[int, int]:
        """The least and the most a counter can be."""
        data = self.rules.counters[counter]
        return data.get("min", 0), data.get("max", HIGHEST)


def most_of(number: int) -> int:
    """A number, if it is none too large."""
    if not -BEYOND <= number <= BEYOND:
        raise LimitError("numbers")
    return number
