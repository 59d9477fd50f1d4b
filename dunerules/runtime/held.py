"""Things that somebody holds from the start: a copy lies in a zone of a seat before setup begins, not where it starts.

What is held is said in words, `night_boat in hand of seat 1`, and is part of what makes a game, like its seed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy

from dunerules.nearest import nearest
from dunerules.problems import CannotRunError
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names

__all__ = ["holding", "meant_to_be_held"]

_SAID = re.compile(r"(?P<thing>[^\s]+)(?: in (?P<zone>[^\s]+))?(?: of seat (?P<seat>[1-9][0-9]?))?")
_FORM = "`THING`, `THING in ZONE` or `THING in ZONE of seat 2`"


def meant_to_be_held(names: Names, said: Sequence[str]) -> tuple[str, ...]:
    """What is to be held, in full: without a seat it is the first, without a zone the one that only its owner sees."""
    layout, words = names.layout, names.table.rules.words
    found = []
    for text in said:
        match = _SAID.fullmatch(" ".join(text.split()))
        if match is None:
            raise CannotRunError(f"--hold `{text[:80]}`: expected {_FORM}")
        kinds = {layout.things[layout.objects[number]].kind for number in _copies(names, match["thing"])}
        zones = [zone for zone in layout.zones.values() if zone.per == "seat"]
        zones = [zone for zone in zones if not (held := words.zone_kinds(zone.name)) or not kinds.isdisjoint(held)]
        zone = match["zone"]
        if zone is None:
            own = [each.name for each in zones if each.sight == "owner"]
            if len(own) != 1:
                could = ", ".join(each.name for each in zones) or "none"
                raise CannotRunError(f"--hold `{text}`: in which zone? expected {_FORM}; zones of a seat: {could}")
            zone = own[0]
        _must_hold(zone, [each.name for each in zones], match["thing"], text)
        if int(match["seat"] or 1) > layout.seats:
            raise CannotRunError(f"--hold `{text}`: there are {layout.seats} seats")
        found.append(f"{match['thing']} in {zone} of seat {match['seat'] or 1}")
    return tuple(found)


def holding(machine: Machine, names: Names, held: Sequence[str]) -> Machine:
    """A machine whose games begin with some things held, each said in full."""
    layout = names.layout
    state = machine.initial.clone()
    taken: set[int] = set()
    for text in meant_to_be_held(names, held):
        match = _SAID.fullmatch(text)
        assert match is not None
        seat = int(match["seat"]) - 1
        zone = layout.zones[match["zone"]].base + seat
        free = [each for each in _copies(names, match["thing"]) if each not in taken]
        free.sort(key=lambda number: (layout.home_seat[number] != seat, layout.home_seat[number] >= 0))
        if not free or (layout.home_seat[free[0]] >= 0 and layout.home_seat[free[0]] != seat):
            raise CannotRunError(f"--hold `{text}`: there are no more copies of `{match['thing']}` that it could be")
        number = free[0]
        taken.add(number)
        before = state.where[number]
        state.zones[before] = tuple(each for each in state.zones[before] if each != number)
        state.zones[zone] = (*state.zones[zone], number)
        state.where[number], state.holders[number] = zone, seat
    changed = copy(machine)
    changed.initial, changed.held = state, tuple(held)
    return changed


def _copies(names: Names, thing: str) -> list[int]:
    layout = names.layout
    found = [number for number, of in enumerate(layout.objects) if layout.things[of].id == thing]
    if not found:
        known = {layout.things[of].id for of in layout.objects}
        near = nearest(thing, known)
        hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
        raise CannotRunError(f"--hold: no `{thing[:60]}` is in this game{hint}")
    return found


def _must_hold(zone: str, could: list[str], thing: str, text: str) -> None:
    if zone not in could:
        near = nearest(zone, could)
        hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
        message = f"--hold `{text}`: `{zone}` is no zone of a seat that holds `{thing}`"
        raise CannotRunError(f"{message}; expected {', '.join(could) or 'none'}{hint}")
