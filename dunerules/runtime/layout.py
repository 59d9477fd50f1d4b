"""The layout of a game for a number of seats: which number every cell, zone, object, place and label has."""

from __future__ import annotations

from dataclasses import dataclass, field

from dunerules.runtime.board import Board, make_board
from dunerules.understanding.ruleset import Ruleset, Thing

__all__ = ["Cells", "Layout", "Zones", "make_layout"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Where the cells of a counter or of a pool of pieces lie: the first one, and one factor for each index."""

    base: int
    size: int
    indexes: tuple[str, ...]
    factors: tuple[int, ...]
    low: int
    high: int
    start: int


@dataclass(frozen=True, slots=True)
class Zones:
    """Where the zones of one name lie: one, one a seat, or one a place."""

    name: str
    base: int
    size: int
    per: str
    sight: str
    capacity: int
    refill: str


@dataclass
class Layout:
    """Numbers for everything. Objects are the single copies; things are what they are copies of."""

    seats: int
    cells: dict[str, Cells] = field(default_factory=dict)
    pools: dict[tuple[str, str], Cells] = field(default_factory=dict)
    """By piece and pool; the pool `@` is the cells of places."""
    zones: dict[str, Zones] = field(default_factory=dict)
    cell_count: int = 0
    zone_count: int = 0
    zone_names: list[str] = field(default_factory=list)
    zone_owner: list[int] = field(default_factory=list)
    """By zone: the seat, or -1."""
    zone_place: list[int] = field(default_factory=list)
    zone_seen: list[int] = field(default_factory=list)
    """By zone: a bit for every seat that sees what lies there."""
    things: list[Thing] = field(default_factory=list)
    thing_index: dict[tuple[str, str], int] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)
    """Things by kind, for places and labels: their positions are the numbers used in indexes."""
    position: list[int] = field(default_factory=list)
    """By thing: its position among the things of its kind."""
    objects: list[int] = field(default_factory=list)
    """By object: the thing it is a copy of."""
    home_seat: list[int] = field(default_factory=list)
    """By object: the seat it belongs to from the start, or -1."""
    copies: dict[int, list[int]] = field(default_factory=dict)
    """By thing: its objects."""
    of_kind: dict[str, list[int]] = field(default_factory=dict)
    """Objects by kind, for things: their positions are the numbers used in indexes."""
    start_zone: list[int] = field(default_factory=list)
    board: Board = field(default_factory=Board)

    @property
    def everybody(self) -> int:
        """A bit for every seat."""
        return (1 << self.seats) - 1

    def sees(self, seat: int, zone: int) -> bool:
        """Whether what lies in a zone is open to a seat; to none, if it is open to all."""
        return bool(self.zone_seen[zone] >> seat & 1) if seat >= 0 else self.zone_seen[zone] == self.everybody


def make_layout(rules: Ruleset, seats: int) -> Layout:
    """The layout for a number of seats."""
    layout = Layout(seats)
    _things(layout, rules)
    _zones(layout, rules)
    _objects(layout)
    _cells(layout, rules)
    layout.board = make_board(rules)
    return layout


def _things(layout: Layout, rules: Ruleset) -> None:
    layout.things = list(rules.things)
    for number, thing in enumerate(rules.things):
        layout.thing_index[(thing.kind, thing.id)] = number
        same = layout.places.setdefault(thing.kind, [])
        layout.position.append(len(same))
        same.append(number)


def _size(layout: Layout, rules: Ruleset, index: str) -> int:
    family = rules.words.index_family(index)
    if family == "seat":
        return layout.seats
    if family in rules.words.families:
        return len(rules.words.families[family])
    return len((layout.of_kind if rules.words.kinds[family].role == "thing" else layout.places).get(family, ()))


def _block(layout: Layout, rules: Ruleset, indexes: tuple[str, ...], low: int, high: int, start: int) -> Cells:
    factors, size = [], 1
    for index in reversed(indexes):
        factors.append(size)
        size *= _size(layout, rules, index)
    cells = Cells(layout.cell_count, size, indexes, tuple(reversed(factors)), low, high, start)
    layout.cell_count += size
    return cells


def _cells(layout: Layout, rules: Ruleset) -> None:
    for name, counter in rules.words.counters.items():
        data = rules.counters[name]
        indexes = tuple(index for index in counter.per if index != "game")
        points = counter.holds.name != "amount"
        low = data.get("min", -1 if points else 0)
        start = data.get("start", -1 if points else max(low, 0))
        layout.cells[name] = _block(layout, rules, indexes, low, data.get("max", 1_000_000), start)
    for name, piece in rules.words.pieces.items():
        data = rules.pieces[name]
        for pool in piece.pools:
            start = data["count"] if pool == data.get("start", piece.home) else 0
            layout.pools[(name, pool)] = _block(layout, rules, ("seat",), 0, data["count"], start)
        if piece.places:
            layout.pools[(name, "@")] = _block(layout, rules, ("seat", piece.places), 0, data["count"], 0)


def _zones(layout: Layout, rules: Ruleset) -> None:
    for name, zone in rules.words.zones.items():
        if zone.joins:
            continue
        data = rules.zones[name]
        size = layout.seats if zone.per == "seat" else 1 if zone.per == "game" else len(layout.places.get(zone.per, ()))
        layout.zones[name] = Zones(
            name, layout.zone_count, size, zone.per, zone.sight, data.get("capacity", 0), data.get("refill", "")
        )
        layout.zone_count += size
        for number in range(size):
            layout.zone_names.append(name)
            layout.zone_owner.append(number if zone.per == "seat" else -1)
            layout.zone_place.append(number if zone.per not in {"seat", "game"} else -1)
            layout.zone_seen.append(_seen_by(zone.sight, layout.zone_owner[-1], layout.seats))


def _seen_by(sight: str, owner: int, seats: int) -> int:
    """A bit for every seat that sees what lies in a zone."""
    everybody, own = (1 << seats) - 1, 1 << owner if owner >= 0 else 0
    return {"all": everybody, "owner": own, "others": everybody ^ own}.get(sight, 0)


def _objects(layout: Layout) -> None:
    """Copies are made where they start: in a seat's zone, for every seat; in that of a place, there."""
    for number, thing in enumerate(layout.things):
        zone = layout.zones.get(thing.start.zone)
        layout.copies[number] = []
        if zone is None:
            continue
        place = layout.position[layout.thing_index[(zone.per, thing.start.place)]] if thing.start.place else 0
        for owner in range(layout.seats) if zone.per == "seat" else (-1,):
            for _ in range(thing.copies):
                layout.copies[number].append(len(layout.objects))
                layout.of_kind.setdefault(thing.kind, []).append(len(layout.objects))
                layout.objects.append(number)
                layout.home_seat.append(owner)
                layout.start_zone.append(zone.base + max(owner, place))
