"""What a seat can see: the one rule by which views and logs are cut, and how far a log has grown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names
from dunerules.runtime.state import State
from dunerules.runtime.told import told

__all__ = ["can_see", "seen_log", "since"]


def can_see(machine: Machine, s: State, seat: int, thing: int) -> bool:
    """Whether a seat may know which object lies where it lies."""
    return machine.table.layout.sees(seat, s.where[thing]) or bool(s.known.get(thing, 0) >> seat & 1)


def seen_log(machine: Machine, names: Names, entries: list[Sequence[Any]], seat: int | None) -> list[Sequence[Any]]:
    """A log as a seat could follow it: what moves between zones it cannot see into is only counted. For none as it is
    told to somebody who sees everything."""
    if seat is None:
        return [_plain(found) for each in entries if (found := told(machine, each, None)) is not None]
    layout, words = machine.table.layout, machine.table.rules.words
    hidden = {
        number
        for name, cells in layout.cells.items()
        if words.counters[name].hidden
        for number in range(cells.base, cells.base + cells.size)
    }

    marks = machine.shop.piles.marks

    def open_zone(zone: int) -> bool:
        return layout.sees(seat, zone)

    seen: list[Sequence[Any]] = []
    for each in entries:
        entry = told(machine, each, seat)
        if entry is None or (entry[0] == "see" and entry[1] != seat):
            continue
        if entry[0] in {"cell", "mark"} and entry[1] in hidden and names.cell_seat(entry[1]) != seat:
            continue
        if entry[0] == "look" and entry[1] != seat:
            seen.append(("look", entry[1], len(entry[2]), *entry[3:]))  # where somebody looks, all can see
        elif entry[0] == "carry" and not (open_zone(entry[3]) or all(map(open_zone, entry[2])) or _knows(entry, seat)):
            seen.append(_plain(("carry", len(entry[1]), *entry[2:])))
        elif entry[0] == "mark" and not open_zone(entry[6]):  # the mark is seen, and not what it is on
            seen.append(("mark", marks.on_any(entry[1]), *entry[2:5], -1, *entry[6:]))
        else:
            seen.append(_plain(entry))
    return seen


def _knows(entry: Sequence[Any], seat: int) -> bool:
    """Whether a seat could tell what was moved, though it saw neither where it came from nor where it went."""
    return seat >= 0 and bool(entry[4] >> seat & 1)


def _plain(entry: Sequence[Any]) -> Sequence[Any]:
    """An entry without who knows what was moved."""
    return (*entry[:4], *entry[5:]) if entry[0] == "carry" else entry


def since(before: Any, after: Any) -> list[Sequence[Any]]:
    """The entries by which a log has grown, oldest first."""
    found = []
    while after and after is not before:
        after, entry = after
        found.append(entry)
    return found[::-1]
