"""A game on its way: what does not change, what does, and what is running now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.reference.state import LimitError, Pile, Round, State, Table

__all__ = ["Game"]

FUEL = 30_000
"""Steps, also of trials, between two decisions: fewer than the engine has, because each takes so much longer here."""
WAITING = 500
ASKING = 50


class Game:
    """The game as all functions of the reference see it."""

    def __init__(self, table: Table, state: State, fuel: int = FUEL) -> None:
        self.table = table
        self.rules = table.rules
        self.words = table.words
        self.state = state
        self.running: list[str] = []
        """Procedures that run now, the innermost last."""
        self.replacing: list[object] = []
        """Replacements whose `do` runs now."""
        self.rounds: list[Round] = []
        """Rounds of `around` that go on now, the innermost last."""
        self.depth = 0
        self.asked = 0
        self.fuel = fuel
        self.steps = [0]
        """Steps since the last decision; trials count with the game they are copies of."""
        self.ending = False
        """Whether the end of the game has begun."""

    def going_on(self) -> tuple[list[str], list[object], list[Round], int]:
        """What runs now: procedures, replacements, rounds, and how deep."""
        return self.running, self.replacing, self.rounds, self.depth

    def go_on(self, running: list[str], replacing: list[object], rounds: list[Round], depth: int) -> None:
        """Something else runs now: what another seat does at the same time."""
        self.running, self.replacing, self.rounds, self.depth = running, replacing, rounds, depth

    def trial(self) -> Game:
        """A copy of the game to try something on."""
        other = Game(self.table, self.state.copy(), self.fuel)
        other.running, other.depth, other.asked = list(self.running), self.depth, self.asked
        return other

    def first(self) -> int:
        """The seat that goes first."""
        found = None
        if self.rules.first:
            found = next(value for at, value in self.state.counters.items() if at.counter == self.rules.first)
        return found if found is not None else 0

    def in_order(self, start: int | None) -> list[int]:
        """All seats in order of play, from a seat, or from the one that goes first."""
        begin = self.first() if start is None else start
        return [*self.table.seats[begin:], *self.table.seats[:begin]]

    def sees(self, seat: int, thing: int) -> bool:
        """Whether a seat knows what a thing is."""
        pile = self.state.where(thing)
        return self.looks_into(seat, pile, thing) or seat in self.state.known.get(thing, frozenset())

    def looks_into(self, seat: int, pile: Pile, thing: int) -> bool:
        """Whether a seat sees a thing by the sight of its zone."""
        return self.open_to(seat, pile)

    def open_to(self, seat: int, pile: Pile) -> bool:
        """Whether a seat sees what lies in a zone, by its sight."""
        sight = self.words.zones[pile.zone].sight
        return sight == "all" or (sight == "owner" and pile.of == seat) or (sight == "others" and pile.of != seat)

    # ---- limits

    def step(self) -> None:
        """One more step between two decisions."""
        self.steps[0] += 1
        if self.steps[0] > self.fuel:
            raise LimitError("fuel")

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around procedures, reactions and slots, which wait for each other."""
        self.depth += 1
        if self.depth > WAITING:
            raise LimitError("depth")
        try:
            yield
        finally:
            self.depth -= 1

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around values and slots that ask each other."""
        self.asked += 1
        if self.asked > ASKING:
            raise LimitError("depth")
        try:
            yield
        finally:
            self.asked -= 1
