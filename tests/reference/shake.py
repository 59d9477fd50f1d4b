"""Positions by chance: counters, pieces and things spread over a table."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from dunerules.runtime.names import Names

__all__ = ["shaken"]


def shaken(names: Names, chance: random.Random, given: Mapping[str, Any]) -> dict[str, Any]:
    """A position as scenarios give it. Piles keep what they have below what is laid on them.

    Things that are named in what is given besides are left alone.
    """
    listed = [name for each in given.values() if isinstance(each, list) for name in each]
    taken = {part for name in listed for part in str(name).split()}
    return {**_counters(names, chance), **_pieces(names, chance), **_zones(names, chance, taken)}


def _counters(names: Names, chance: random.Random) -> dict[str, Any]:
    layout, words = names.layout, names.table.rules.words
    found: dict[str, Any] = {}
    for name, cells in layout.cells.items():
        holds = words.counters[name].holds
        for number in range(cells.base, cells.base + cells.size):
            if chance.random() < 0.4:
                continue
            if holds.name == "amount":
                low, high = max(cells.low, 0), min(cells.high, max(cells.low, 0) + 7)
                found[names.cell(number)] = chance.randint(low, high)
            elif holds.name == "seat":
                found[names.cell(number)] = f"seat {chance.randint(1, layout.seats)}"
            elif holds.name in {"label", "place"}:
                found[names.cell(number)] = chance.choice(words.members(holds.of))
    return found


def _pieces(names: Names, chance: random.Random) -> dict[str, Any]:
    layout, rules = names.layout, names.table.rules
    left: dict[tuple[str, int], int] = {}
    found: dict[str, Any] = {}
    for (piece, pool), cells in layout.pools.items():
        for number in range(cells.base, cells.base + cells.size):
            seat = names.cell_seat(number)
            spare = left.setdefault((piece, seat), int(rules.pieces[piece]["count"]))
            begins = pool == rules.pieces[piece].get("start")  # what begins there and is not given stays there
            if pool != rules.words.pieces[piece].home and (chance.random() < 0.6 or begins):
                count = chance.randint(0, min(spare, 4))
                left[(piece, seat)] -= count
                found[names.cell(number)] = count
    return found if all(each.home for each in rules.words.pieces.values()) else {}


def _zones(names: Names, chance: random.Random, taken: set[str]) -> dict[str, Any]:
    layout, words = names.layout, names.table.rules.words
    things = [thing for thing in range(len(layout.objects)) if names.object(thing) not in taken]
    chance.shuffle(things)
    found: dict[str, Any] = {}
    for zone in range(layout.zone_count):
        name = layout.zone_names[zone]
        if chance.random() < 0.3:
            continue
        kinds, owner = words.zone_kinds(name), layout.zone_owner[zone]
        laid: list[str] = []
        most = min(chance.randint(0, 4), layout.zones[name].capacity or 9)
        for thing in list(things):
            home = layout.home_seat[thing]
            kind = layout.things[layout.objects[thing]].kind
            if len(laid) < most and (not kinds or kind in kinds) and (owner < 0 or home in (owner, -1)):
                things.remove(thing)
                laid.append(names.object(thing) + (f" of {names.seat(home)}" if owner < 0 <= home else ""))
        found[names.zone(zone)] = [*laid, "..."]
    return found
