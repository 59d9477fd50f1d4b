"""Setting a position: counters, pieces and zones by name, and everything else where it must be then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dunerules.numbers import whole_number
from dunerules.packs.nodes import Node
from dunerules.runtime.state import State
from dunerules.scenarios.addresses import NOWHERE, Addresses, ImpossibleError, Item, UnknownNameError, item_named
from dunerules.scenarios.record import SEAT, FaultError, Line
from dunerules.scenarios.used import set_used

__all__ = ["MORE", "NowhereError", "first_alike", "pointed_at", "set_position", "signed_number"]

MORE = "..."
"""At the end of a list: whatever else is there stays below."""


class NowhereError(FaultError):
    """What a list leaves out has no zone to go to."""


@dataclass
class _Wanted:
    """What a zone shall hold, from the top."""

    line: Line
    items: list[tuple[Item, Node]]
    more: bool
    objects: list[int] = field(default_factory=list)


def set_position(state: State, lines: Sequence[Line], addresses: Addresses) -> None:
    """Make a state as some lines say; a later line about the same thing wins."""
    cells: dict[int, tuple[Line, int]] = {}
    zones: dict[int, _Wanted] = {}
    lying: list[Line] = []
    for line in lines:
        if set_used(state, line, addresses):
            continue
        try:
            found = addresses.find(line.name, line.seat)
            if addresses.lies(line.name):
                lying.append(line)
            elif found.zone:
                zones[found.number] = _wanted(line)
            else:
                cells[found.number] = (line, _value(line, found.number, addresses))
        except UnknownNameError as error:
            raise FaultError(str(error), line.key.span, "DR901") from None
    for number, (_, value) in cells.items():
        state.cells[number] = value
    _balance_pieces(state, cells, addresses)
    _fill_zones(state, zones, addresses)
    cells |= dict(_on_things(state, lying, addresses))
    _check_marks(state, cells, addresses)
    for number in cells:
        _own_copy(state, number, addresses)
    _check(state, addresses)


# ---- counters on things


def _on_things(state: State, lines: Sequence[Line], addresses: Addresses) -> Iterator[tuple[int, tuple[Line, int]]]:
    """Set counters on things that are named by where they lie."""
    for line in lines:
        try:
            number = addresses.find(line.name, line.seat, state).number
            state.cells[number] = _value(line, number, addresses)
        except UnknownNameError as error:
            raise FaultError(str(error), line.key.span, error.code) from None
        yield number, (line, state.cells[number])


def _check_marks(state: State, cells: dict[int, tuple[Line, int]], addresses: Addresses) -> None:
    """A thing has a counter only in the zones of that."""
    table = addresses.names.table
    for number, (line, value) in cells.items():
        counter = addresses.counters.get(number, "")
        zones = table.mark_zones.get(counter)
        if zones is None or value == addresses.layout.cells[counter].start:
            continue
        kind = addresses.words.marks(addresses.words.counters[counter])
        thing = addresses.layout.of_kind[kind][dict(table.indexes_of(number))[kind]]
        if state.where[thing] not in zones:
            where, kept = addresses.names.zone(state.where[thing]), ", ".join(addresses.words.counters[counter].zones)
            message = f"it lies in `{where}`, and has `{counter}` only in {kept}"
            raise FaultError(message, line.key.span, "DR903")


# ---- cells


def _value(line: Line, number: int, addresses: Addresses) -> int:
    node = line.value
    layout, counter = addresses.layout, addresses.counters.get(number)
    number_said = signed_number(str(node.value)) if node.kind in {"number", "text"} else None
    if number_said is not None:
        value = number_said
    elif node.kind == "text" and counter is not None:
        value = pointed_at(counter, node.value, addresses)
    else:
        raise FaultError(f"`{line.name}` is a number", node.span, "DR903")
    cells = layout.cells[counter] if counter is not None else layout.pools[addresses.pieces[number][:2]]
    if not cells.low <= value <= cells.high:
        raise FaultError(f"`{line.name}` goes from {cells.low} to {cells.high}, not {value}", node.span, "DR903")
    return value


def signed_number(text: str) -> int | None:
    """A whole number, perhaps below zero; nothing if a text is none."""
    text = text.strip()
    found = whole_number(text.removeprefix("-"))
    return -found if found is not None and text.startswith("-") else found


def pointed_at(counter: str, text: str, addresses: Addresses) -> int:
    """The value of a counter that points at a seat, place, label or kind of thing."""
    holds = addresses.words.counters[counter].holds
    if holds.name == "amount":
        raise UnknownNameError(f"`{counter}` is a number, not `{text}`")
    if text in NOWHERE:
        return -1
    if holds.name == "seat":
        match = SEAT.match(text)
        if match is None or int(match[1]) > addresses.layout.seats:
            raise UnknownNameError(f"`{counter}` is a seat of this game, such as `seat 1`, not `{text}`")
        return int(match[1]) - 1
    try:
        found = addresses.names.table.label(holds.of, text)
        return addresses.layout.copies[found][0] if holds.name == "thing" else found
    except (KeyError, ValueError):
        raise UnknownNameError(f"there is no {holds.of} `{text}`") from None


def first_alike(counter: str, value: int, addresses: Addresses) -> int:
    """The value of a counter; of a thing it points at the first copy, for scenarios name things and not copies."""
    if value < 0 or addresses.words.counters[counter].holds.name != "thing":
        return value
    return addresses.layout.copies[addresses.layout.objects[value]][0]


def _own_copy(state: State, number: int, addresses: Addresses) -> None:
    """A counter of a seat points at a copy that this seat holds, if there is one."""
    counter, seat, value = addresses.counters.get(number), addresses.names.cell_seat(number), state.cells[number]
    if counter is not None and seat >= 0 and value >= 0 and addresses.words.counters[counter].holds.name == "thing":
        copies = addresses.layout.copies[addresses.layout.objects[value]]
        state.cells[number] = next((each for each in copies if state.holders[each] == seat), value)


def _balance_pieces(state: State, cells: dict[int, tuple[Line, int]], addresses: Addresses) -> None:
    """Pieces come from home and go back there: their number never changes."""
    totals: dict[tuple[str, int], int] = {}
    homes: dict[tuple[str, int], int] = {}
    for number, (piece, pool, seat) in addresses.pieces.items():
        totals[(piece, seat)] = totals.get((piece, seat), 0) + state.cells[number]
        if pool == addresses.words.pieces[piece].home:
            homes[(piece, seat)] = number
    for number, (line, _) in cells.items():
        if number not in addresses.pieces:
            continue
        piece, _, seat = addresses.pieces[number]
        count, home = int(addresses.names.table.rules.pieces[piece]["count"]), homes.get((piece, seat), -1)
        spare = count - totals[(piece, seat)]
        if spare == 0:
            continue
        if home < 0 or home in cells:
            raise FaultError(
                f"{count - spare} of {count} `{piece}` are placed: say where all are", line.key.span, "DR903"
            )
        if state.cells[home] + spare < 0:
            raise FaultError(f"there are only {count} `{piece}` of a seat", line.key.span, "DR903")
        state.cells[home] += spare
        totals[(piece, seat)] = count


# ---- zones


def _wanted(line: Line) -> _Wanted:
    if line.value.kind != "list":
        raise FaultError(
            f"`{line.name}` is a zone: write a list of what lies in it, from the top", line.value.span, "DR903"
        )
    nodes = list(line.value.value)
    more = bool(nodes) and nodes[-1].value == MORE
    items = []
    for node in nodes[: len(nodes) - more]:
        try:
            items.append((item_named(str(node.value)), node))
        except UnknownNameError as error:
            raise FaultError(str(error), node.span, error.code) from None
    return _Wanted(line, items, more)


def _fill_zones(state: State, zones: dict[int, _Wanted], addresses: Addresses) -> None:
    layout = addresses.layout
    claimed: dict[int, int] = {}
    """By object: the seat that holds it."""
    for zone, wanted in zones.items():
        for item, node in wanted.items:
            for _ in range(item.count):
                try:
                    copy, holder = _copy(state, item, zone, zones, claimed, addresses)
                except UnknownNameError as error:
                    raise FaultError(str(error), node.span, error.code) from None
                claimed[copy] = holder
                wanted.objects.append(copy)
        capacity = layout.zones[layout.zone_names[zone]].capacity
        if capacity and len(wanted.objects) > capacity:
            raise FaultError(f"`{wanted.line.name}` holds at most {capacity}", wanted.line.value.span, "DR903")
    piles: list[list[int]] = []
    displaced: list[tuple[int, Line]] = []
    for number, pile in enumerate(state.zones):
        left = [each for each in pile if each not in claimed]
        if number in zones and not zones[number].more:
            displaced += [(each, zones[number].line) for each in left]
            left = []
        piles.append([*(zones[number].objects if number in zones else ()), *left])
    for each, line in displaced:
        piles[_elsewhere(each, zones, line, addresses)].append(each)
    for number, objects in enumerate(piles):
        state.zones[number] = tuple(objects)
        for each in objects:
            if each in claimed or state.where[each] != number:
                owner = layout.zone_owner[number]
                state.holders[each] = claimed.get(each, owner) if owner < 0 else owner
            state.where[each] = number


def _copy(
    state: State,
    item: Item,
    zone: int,
    zones: dict[int, _Wanted],
    claimed: dict[int, int],
    addresses: Addresses,
) -> tuple[int, int]:
    """A copy of an item for a zone and the seat that will hold it: one that is there already, or one nobody misses."""
    layout = addresses.layout
    owner, place = layout.zone_owner[zone], layout.zone_place[zone]
    free = [each for each in addresses.copies(item, zone) if each not in claimed]
    wanted = item.seat if item.seat >= 0 else owner
    if wanted >= layout.seats:
        raise UnknownNameError(f"there is no seat {wanted + 1}")
    if wanted >= 0:
        free = [each for each in free if layout.home_seat[each] in (wanted, -1)]
    if not free:
        raise ImpossibleError(f"there is no further copy of `{item.id}` for `{addresses.names.zone(zone)}`")
    if place >= 0 and wanted < 0 and any(layout.home_seat[each] >= 0 for each in free):
        raise ImpossibleError(f"whose `{item.id}`? write `{item.id} of seat 1`")
    best = min(
        free,
        key=lambda each: (
            state.where[each] != zone,
            layout.home_seat[each] != wanted,
            state.where[each] in zones,
            state.where[each] != layout.start_zone[each],
            each,
        ),
    )
    return best, (wanted if place >= 0 or owner >= 0 else -1)


def _elsewhere(number: int, zones: dict[int, _Wanted], line: Line, addresses: Addresses) -> int:
    """Where an object goes that a list leaves out: where it started, out of play, or where its pile is made from."""
    layout, words = addresses.layout, addresses.words

    def free(zone: int) -> bool:
        return zone not in zones or zones[zone].more

    if free(layout.start_zone[number]):
        return layout.start_zone[number]
    for name, declared in layout.zones.items():
        if declared.per == "game" and not words.zone_kinds(name) and free(declared.base):
            return declared.base
    here = addresses.find(line.name, line.seat).number
    refill = layout.zones.get(layout.zones[layout.zone_names[here]].refill)
    if refill is not None:
        target = refill.base + (max(layout.zone_owner[here], 0) if refill.size > 1 else 0)
        if free(target):
            return target
    name = addresses.names.object(number)
    raise NowhereError(
        f"`{name}` has nowhere to go: end a list with `{MORE}`, or name it somewhere", line.key.span, "DR903"
    )


def _check(state: State, addresses: Addresses) -> None:
    """Every object lies in exactly one zone."""
    everything = sorted(each for pile in state.zones for each in pile)
    if everything != list(range(len(addresses.layout.objects))):
        raise AssertionError("setting a position lost or doubled an object")
