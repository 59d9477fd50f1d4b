"""What has become different between two states, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dunerules.runtime.state import State
from dunerules.scenarios.addresses import Addresses

__all__ = ["Bag", "Difference", "differ", "is_pile", "pointed", "shown_difference"]

Bag: TypeAlias = Counter[str]
"""Objects by label, copies counted."""


@dataclass(frozen=True)
class Difference:
    """Cells with their value before and after; for every zone what it lost and gained; piles in another order."""

    cells: dict[int, tuple[int, int]]
    lost: dict[int, Bag]
    gained: dict[int, Bag]
    mixed: frozenset[int]
    lasting: tuple[int, int]
    result: tuple[int, ...] | None


def differ(before: State, after: State, addresses: Addresses, *, over: bool) -> Difference:
    """The whole difference. `over` says that the game itself has ended."""
    cells = {
        number: (old, new)
        for number, (old, new) in enumerate(zip(before.cells, after.cells, strict=True))
        if old != new
    }
    lost: dict[int, Bag] = {}
    gained: dict[int, Bag] = {}
    mixed = set()
    handed = before.holders != after.holders
    for zone, (old_pile, new_pile) in enumerate(zip(before.zones, after.zones, strict=True)):
        if old_pile == new_pile and not handed:
            continue
        old = [addresses.label(before, each) for each in old_pile]
        new = [addresses.label(after, each) for each in new_pile]
        less, more = Counter(old) - Counter(new), Counter(new) - Counter(old)
        if less:
            lost[zone] = less
        if more:
            gained[zone] = more
        if not less and not more and old != new and is_pile(zone, addresses):
            mixed.add(zone)
    lasting = (len(before.lasting), len(after.lasting))
    return Difference(cells, lost, gained, frozenset(mixed), lasting, after.result if over else None)


def is_pile(zone: int, addresses: Addresses) -> bool:
    """Whether a zone has an order that counts: nobody sees into it."""
    layout = addresses.layout
    return layout.zones[layout.zone_names[zone]].sight == "none"


def shown_difference(found: Difference, addresses: Addresses, left_out: frozenset[str] = frozenset()) -> list[str]:
    """A difference as lines that could stand under `expect`."""
    names = addresses.names
    lines = []
    for number, (old, new) in found.cells.items():
        if addresses.counters.get(number) not in left_out:
            lines.append(f"{names.cell(number)}: {_cell(addresses, number, old)} -> {_cell(addresses, number, new)}")
    moved: dict[str, list[str]] = {}
    for text, route in _routes(found, addresses):
        moved.setdefault(text, []).append(route)
    if moved:
        lines.append("moved:")
    for text, routes in moved.items():
        counted = Counter(routes)
        if len(counted) == 1:
            count = len(routes)
            lines.append(f"  {f'{count} ' if count > 1 else ''}{text}: {routes[0]}")
        else:
            lines.append(f"  {text}: [{', '.join(routes)}]")
    lines += [f"{names.zone(zone)}: {{mixed: true}}" for zone in sorted(found.mixed)]
    if found.lasting[0] != found.lasting[1]:
        lines.append(f"lasting: {found.lasting[0]} -> {found.lasting[1]}")
    if found.result is not None:
        lines.append(f"winners: [{', '.join(names.seat(seat) for seat in found.result)}]")
    return lines


def _cell(addresses: Addresses, number: int, value: int) -> object:
    counter = addresses.counters.get(number)
    return pointed(addresses, counter, value) if counter is not None else value


def pointed(addresses: Addresses, counter: str, value: int) -> object:
    """The value of a counter as it can be written: a number, or what it points at."""
    if value < 0 and addresses.words.counters[counter].holds.name != "amount":
        return "nobody" if addresses.words.counters[counter].holds.name == "seat" else "nothing"
    return addresses.names.cell_value(counter, value)


def _routes(found: Difference, addresses: Addresses) -> Iterator[tuple[str, str]]:
    """Objects that changed their zone, as `from -> to`; a seat's own zones belong together."""
    names, layout = addresses.names, addresses.layout
    gained = [(zone, label) for zone, bag in found.gained.items() for label in bag.elements()]
    for zone, bag in found.lost.items():
        for label in bag.elements():
            id_, _, holder = label.partition(" of ")
            seat = holder or (names.seat(layout.zone_owner[zone]) if layout.zone_owner[zone] >= 0 else "")
            fitting = [pair for pair in gained if pair[1].partition(" of ")[0] == id_]
            if not fitting:
                continue
            best = min(fitting, key=lambda pair: _holder(pair, addresses) != seat)
            gained.remove(best)
            yield id_, f"{names.zone(zone)} -> {names.zone(best[0])}"


def _holder(pair: tuple[int, str], addresses: Addresses) -> str:
    zone, label = pair
    owner = addresses.layout.zone_owner[zone]
    return addresses.names.seat(owner) if owner >= 0 else label.partition(" of ")[2]
