"""Random positions, written as scenarios write them: counters, pieces and zones by name."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

from dunerules.packs.nodes import Node
from dunerules.packs.source import Source
from dunerules.runtime.names import Names
from dunerules.runtime.state import State
from dunerules.scenarios.addresses import Address, Addresses
from dunerules.scenarios.position import MORE, set_position
from dunerules.scenarios.record import lines_of

__all__ = ["Given", "KeptAddresses", "random_position", "take_position"]

Given: TypeAlias = dict[str, Any]
"""What scenarios have under `given`."""

MOST = 6
"""How far above its least a counter is put."""


_NOWHERE = Source("given", "")


class KeptAddresses(Addresses):
    """Addresses that look every name up once: all positions of a table are about the same names."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._found: dict[tuple[str, str], Address] = {}
        self._lies: dict[str, bool] = {}

    def find(self, text: str, seat: str = "", state: State | None = None) -> Address:
        """The cell or zone of a name."""
        if state is not None:  # then it depends on what lies where
            return super().find(text, seat, state)
        found = self._found.get((text, seat))
        if found is None:
            found = self._found[text, seat] = super().find(text, seat)
        return found

    def lies(self, text: str) -> bool:
        """Whether a name is that of a counter on a thing in a zone."""
        found = self._lies.get(text)
        if found is None:
            found = self._lies[text] = super().lies(text)
        return found


def take_position(state: State, given: Given, addresses: Addresses) -> None:
    """Make a state as a position says."""
    if given:
        set_position(state, list(lines_of(_node(given))), addresses)


def _node(value: Any) -> Node:
    """Plain data as it would be read from a file."""
    if isinstance(value, dict):
        return Node(_NOWHERE, "map", {name: (_node(name), _node(each)) for name, each in value.items()}, 0, 0)
    if isinstance(value, list):
        return Node(_NOWHERE, "list", [_node(each) for each in value], 0, 0)
    return Node(_NOWHERE, "number" if isinstance(value, int) else "text", value, 0, 0)


def random_position(chance: Random, addresses: Addresses, things: list[str]) -> Given:
    """Some counters, pieces and things anywhere; `things` had better be among those that lie about."""
    found: Given = {}
    for number, counter in addresses.counters.items():
        if chance.random() < 0.5 and counter not in addresses.names.table.mark_zones:
            value = _value(chance, counter, addresses)
            if value is not None:
                found[addresses.names.cell(number)] = value
    found |= _pieces(chance, addresses)
    found |= _zones(chance, addresses, things)
    return found


def _value(chance: Random, counter: str, addresses: Addresses) -> Any:
    holds = addresses.words.counters[counter].holds
    cells = addresses.layout.cells[counter]
    if holds.name == "amount":
        return chance.randint(max(0, cells.low), min(cells.high, max(0, cells.low) + MOST))
    if holds.name == "seat":
        return f"seat {chance.randint(1, addresses.layout.seats)}"
    if holds.name == "thing":
        return None  # things have no names of their own; effects make such counters point at something
    return chance.choice(addresses.words.members(holds.of) or ("nobody",))


def _pieces(chance: Random, addresses: Addresses) -> Given:
    cells: dict[tuple[str, int], list[int]] = {}
    for number, (piece, _, seat) in addresses.pieces.items():
        cells.setdefault((piece, seat), []).append(number)
    found: Given = {}
    for (piece, _), numbers in cells.items():
        if chance.random() < 0.3:
            continue
        counts = dict.fromkeys(numbers, 0)
        for _ in range(int(addresses.names.table.rules.pieces[piece]["count"])):
            counts[chance.choice(numbers[:4] if chance.random() < 0.6 else numbers)] += 1
        found |= {addresses.names.cell(number): count for number, count in counts.items()}
    return found


def _zones(chance: Random, addresses: Addresses, things: list[str]) -> Given:
    layout = addresses.layout
    lying: dict[int, list[str]] = {}
    objects = list(range(len(layout.objects)))
    holds = {name: addresses.words.zone_kinds(name) for name in layout.zones}
    wanted = [copy for copy in objects if layout.things[layout.objects[copy]].id in things]
    for copy in dict.fromkeys([*wanted, *chance.sample(objects, min(len(objects), 14))]):
        thing = layout.things[layout.objects[copy]]
        fitting = [
            zone
            for zone, name in enumerate(layout.zone_names)
            if (not holds[name] or thing.kind in holds[name])
            and (layout.home_seat[copy] < 0 or layout.zone_owner[zone] == layout.home_seat[copy])
            and len(lying.get(zone, ())) < (layout.zones[name].capacity or 99)
        ]
        active = addresses.words.kinds[thing.kind].active
        zone = (
            chance.choice([each for each in fitting if layout.zone_names[each] in active] or fitting)
            if chance.random() < 0.4
            else chance.choice(fitting)
        )
        owner = layout.zone_place[zone] >= 0 and (layout.home_seat[copy] >= 0 or chance.random() < 0.5)
        seat = layout.home_seat[copy] if layout.home_seat[copy] >= 0 else chance.randrange(layout.seats)
        lying.setdefault(zone, []).append(f"{thing.id} of seat {seat + 1}" if owner else thing.id)
    return {addresses.names.zone(zone): [*items, MORE] for zone, items in lying.items()}
