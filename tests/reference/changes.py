"""What can be done to a state, without asking or telling anybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.runtime.chance import below, shuffled
from tests.reference.game import Game
from tests.reference.state import CounterAt, Label, Pile, Spot

__all__ = ["carry", "draw", "fill_rows", "make_anew", "put", "roll", "see", "seen_marks", "shift", "shuffle"]


def put(g: Game, at: CounterAt, value: Any) -> None:
    """Give a counter a value; a number stays within its bounds."""
    g.state.counters[at] = value


def bounded(g: Game, at: CounterAt, value: int) -> int:
    """A number within the bounds of a counter."""
    low, high = g.table.bounds(at.counter)
    return min(max(value, low), high)


def shift(g: Game, source: Spot, target: Spot, count: int) -> None:
    """Move pieces."""
    g.state.pieces[source] -= count
    g.state.pieces[target] += count


def carry(
    g: Game, things: Sequence[int], target: Pile, at: int = 1, *, sure: bool = True, by: int | None = None
) -> tuple[tuple[int, Pile, Pile], ...]:
    """Lay things on top of a zone, or at a position in it, the first uppermost; rows they were taken from are filled.

    `sure` says that everybody can tell which things of their zones they are, `by` who has picked them by name.
    """
    moved = [(thing, g.state.where(thing), target) for thing in things]
    for source in dict.fromkeys(source for _, source, _ in moved):
        taken = [thing for thing, start, _ in moved if start == source]
        g.state.zones[source] = tuple(each for each in g.state.zones[source] if each not in taken)
        for seat in g.table.seats:
            _remember(g, seat, taken, source, target, sure=sure or not g.state.zones[source], by=by)
    lying = list(g.state.zones[target])
    above = max(at - 1, 0)
    g.state.zones[target] = (*lying[:above], *things, *lying[above:])
    for thing in things:
        _arrive(g, thing, target)
    for row in dict.fromkeys(source for _, source, _ in moved):
        fill_row(g, row)
    return tuple(moved)


def _remember(
    g: Game, seat: int, taken: Sequence[int], source: Pile, target: Pile, *, sure: bool, by: int | None
) -> None:
    """What a seat knows when things go from one zone to another; what lies open to it it need not know besides."""
    known = {thing for thing, seats in g.state.known.items() if seat in seats}
    if g.open_to(seat, target):
        known -= {*taken}
    elif g.open_to(seat, source):
        known |= {*taken}
    elif not sure and seat != by:
        known -= {*taken, *g.state.zones[source]}
    for thing in (*taken, *g.state.zones[source]):
        seats = g.state.known.get(thing, frozenset()) - {seat}
        g.state.known[thing] = seats | {seat} if thing in known else seats
        if not g.state.known[thing]:
            del g.state.known[thing]


def _arrive(g: Game, thing: int, target: Pile) -> None:
    """What is in a zone of a seat is held by it, in a zone of the game by nobody; it loses marks it has not there."""
    for at in g.table.marks[thing]:
        if not g.table.has_mark(at, target):
            g.state.counters[at] = g.table.start(at.counter)
    if not isinstance(target.of, Label):
        g.state.holders[thing] = target.of


def _refill(g: Game, pile: Pile) -> Pile | None:
    """The zone that another is refilled from."""
    name = g.rules.zones[pile.zone].get("refill")
    if not name:
        return None
    return Pile(name, pile.of if g.words.zones[name].per != "game" else None)


def fill_row(g: Game, row: Pile) -> None:
    """Keep a row full from the top of another zone."""
    capacity, source = g.rules.zones[row.zone].get("capacity"), _refill(g, row)
    if not capacity or source is None:
        return
    missing = max(capacity - len(g.state.zones[row]), 0)
    carry(g, g.state.zones[source][:missing], row)


def fill_rows(g: Game) -> None:
    """All rows, when setup is over."""
    for pile in list(g.state.zones):
        fill_row(g, pile)


def make_anew(g: Game, pile: Pile) -> None:
    """Shuffle the zone that a pile is made from, and lay it under the pile."""
    source = _refill(g, pile)
    if source is None or g.rules.zones[pile.zone].get("capacity"):
        return
    shuffle(g, source)
    below_it = g.state.zones[source]
    g.state.zones[source] = ()
    g.state.zones[pile] += below_it
    for thing in below_it:
        g.state.known.pop(thing, None)
        _arrive(g, thing, pile)


def shuffle(g: Game, pile: Pile) -> None:
    """Shuffle a zone; what was known of it is forgotten, and marks are taken off."""
    g.state.zones[pile], g.state.chance = shuffled(g.state.seed, g.state.chance, g.state.zones[pile])
    for thing in g.state.zones[pile]:
        g.state.known.pop(thing, None)
        for at in g.table.marks[thing]:
            g.state.counters[at] = g.table.start(at.counter)


def draw(g: Game, candidates: Sequence[Any], count: int) -> list[Any]:
    """So many by chance."""
    left = list(candidates)
    drawn: list[Any] = []
    while left and len(drawn) < count:
        drawn.append(left.pop(below(g.state.seed, g.state.chance, len(left))))
        g.state.chance += 1
    return drawn


def roll(g: Game, sides: int) -> int:
    """What a die shows."""
    if sides < 1:
        return 0
    g.state.chance += 1
    return below(g.state.seed, g.state.chance - 1, sides) + 1


def see(g: Game, things: Sequence[int], seats: Sequence[int]) -> None:
    """Seats know what things are."""
    for thing in things:
        g.state.known[thing] = g.state.known.get(thing, frozenset()) | frozenset(seats)


def seen_marks(g: Game, seat: int | None, thing: int) -> tuple[Any, ...]:
    """What a seat sees of the counters on a thing."""
    open_ = [at for at in g.table.marks[thing] if not g.words.counters[at.counter].hidden or at.seat == seat]
    return tuple(g.state.counters[at] for at in open_)
