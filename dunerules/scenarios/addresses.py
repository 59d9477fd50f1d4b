"""Names back to numbers: which cell or zone `gold of seat 1` or `stack of hill` is, and which copies `shield` are."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from dunerules.nearest import nearest
from dunerules.packs.misfits import well_formed
from dunerules.runtime.names import Names
from dunerules.runtime.state import State

__all__ = ["NOWHERE", "Address", "Addresses", "ImpossibleError", "Item", "UnknownNameError", "item_named"]

_PREPOSITIONS = {"of", "with", "at", "in", "on", "for"}
_MARK = re.compile(
    r"(?P<counter>.+? on (?P<id>[a-z][a-z0-9_]*)(?: (?P<which>[1-9][0-9]{0,3}))?(?: .+)?) in (?P<zone>.+)\Z"
)
"""A counter on a thing in a zone: `damage on knight 2 in table of seat 1` is on the second knight from the top."""
_ITEM = re.compile(r"(?:(?P<count>[1-9][0-9]{0,3}) )?(?P<id>[a-z][a-z0-9_]*)(?: of seat (?P<seat>[1-9][0-9]?))?\Z")

NOWHERE = frozenset({"none", "nobody", "nothing"})
"""What a counter that points nowhere is said to be, and a value that is none."""

Key: TypeAlias = tuple[str, frozenset[str]]


class UnknownNameError(Exception):
    """A name that means nothing here; the message says what is near."""

    code = "DR901"


class ImpossibleError(UnknownNameError):
    """A name of something that cannot be where it is said to be."""

    code = "DR903"


@dataclass(frozen=True, slots=True)
class Address:
    """A cell or a zone."""

    zone: bool
    number: int


@dataclass(frozen=True, slots=True)
class Item:
    """An object as it is named in a list: `shield`, `3 shield`, `shield of seat 2`."""

    id: str
    seat: int
    count: int


def item_named(text: str) -> Item:
    """An item by its text."""
    match = _ITEM.match(text)
    if match is None:
        written = well_formed(text)
        hint = f"; did you mean `{written}`?" if _ITEM.match(written) else ""
        raise UnknownNameError(
            f"`{text}` does not name an object{hint or '; write `shield`, `2 shield` or `shield of seat 1`'}"
        )
    return Item(match["id"], int(match["seat"] or 0) - 1, int(match["count"] or 1))


class Addresses:
    """Every cell and zone of a table by name. The order of phrases in a name does not matter."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.layout = names.layout
        self.words = names.table.rules.words
        self.cells: dict[Key, int] = {}
        self.zones: dict[Key, int] = {}
        self.pieces: dict[int, tuple[str, str, int]] = {}
        """By cell: piece, pool and seat."""
        self.counters: dict[int, str] = {}
        for name, cells in self.layout.cells.items():
            self.counters |= dict.fromkeys(range(cells.base, cells.base + cells.size), name)
        for (piece, pool), cells in self.layout.pools.items():
            for number in range(cells.base, cells.base + cells.size):
                self.pieces[number] = (piece, pool, names.cell_seat(number))
        self.cells = {_key(names.cell(number)): number for number in (*self.counters, *self.pieces)}
        self.zones = {_key(names.zone(number)): number for number in range(self.layout.zone_count)}

    def find(self, text: str, seat: str = "", state: State | None = None) -> Address:
        """The cell or zone of a name; in the block of a seat, that seat's. What is on a thing in a zone depends on what
        lies there; without a state any thing that may lie there will do."""
        found = self._static(text, seat) or self._lying(text, seat, state)
        if found is None:
            raise UnknownNameError(self._unknown(text, _key(text)[0], seat))
        return found

    def lies(self, text: str) -> bool:
        """Whether a name is that of a counter on a thing in a zone."""
        return self._static(text, "") is None and _MARK.match(text) is not None

    def _static(self, text: str, seat: str) -> Address | None:
        head, phrases = _key(text)
        for key in ((head, phrases), (head, phrases | {f"of {seat}"})) if seat else ((head, phrases),):
            if key in self.cells:
                return Address(False, self.cells[key])
            if key in self.zones:
                return Address(True, self.zones[key])
        return None

    def _lying(self, text: str, seat: str, state: State | None) -> Address | None:
        match = _MARK.match(text)
        counter = self.words.counters.get(text.partition(" ")[0])
        if match is None or counter is None or not self.words.marks(counter):
            return None
        zone, which = self.zone(match["zone"], seat), int(match["which"] or 1)
        copies = self.copies(Item(match["id"], -1, 1), zone)
        lying = copies if state is None else [each for each in state.zones[zone] if each in copies]
        if len(lying) < which:
            raise ImpossibleError(f"there is no such `{match['id']}` in `{match['zone']}`")
        written = f"{match['id']} {which}" if match["which"] else match["id"]
        place = self.layout.of_kind[self.words.marks(counter)].index(lying[which - 1])
        name = self.names.indexed(self.words.marks(counter), place)
        return self._static(match["counter"].replace(f" on {written}", f" on {name}", 1), seat)

    def pool(self, piece: str, text: str, seat: str) -> int:
        """The cell of a piece in a pool or on a place: `bag of seat 1`, `hill`."""
        for name in (f"{piece} in {text}", f"{piece} at {text}"):
            try:
                return self.find(name, seat).number
            except UnknownNameError:
                continue
        hint = ""
        if not seat and " of seat " not in text:
            with suppress(UnknownNameError):
                self.pool(piece, f"{text} of seat 1", "seat 1")
                hint = f"; whose? write `{text} of seat 1`"
        raise UnknownNameError(f"`{piece}` has no pool or place `{text}`{f' of {seat}' if seat else ''}{hint}")

    def zone(self, text: str, seat: str = "") -> int:
        """The zone of a name."""
        found = self.find(text, seat)
        if not found.zone:
            raise UnknownNameError(f"`{text}` is not a zone")
        return found.number

    def name(self, address: Address) -> str:
        """The full name of a cell or zone."""
        return self.names.zone(address.number) if address.zone else self.names.cell(address.number)

    def _unknown(self, text: str, head: str, seat: str) -> str:
        whole = f"{text} of {seat}" if seat and " of " not in text else text
        joined = self.words.zones.get(head)
        if joined is not None and joined.joins:
            return f"`{head}` is several zones read as one: name {', '.join(f'`{part}`' for part in joined.joins)}"
        known = [self.names.cell(number) for number in self.cells.values()]
        known += [self.names.zone(number) for number in self.zones.values()]
        alike = [name for name in known if _key(name)[0] == head]
        if alike:
            more = " ..." if len(alike) > 4 else ""
            return f"there is no `{whole}`; there is {', '.join(f'`{name}`' for name in alike[:4])}{more}"
        near = nearest(head, {_key(name)[0] for name in known})
        hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
        return f"there is no counter, piece or zone `{head}`{hint}"

    # ---- objects

    @cached_property
    def _things(self) -> dict[str, list[int]]:
        """Things that there are copies of, by id."""
        found: dict[str, list[int]] = {}
        for thing in self.layout.copies:
            found.setdefault(self.layout.things[thing].id, []).append(thing)
        return found

    def copies(self, item: Item, zone: int) -> list[int]:
        """All copies of an item that a zone may hold."""
        kinds = self.words.zone_kinds(self.layout.zone_names[zone])
        found = [
            copy
            for thing in self._things.get(item.id, ())
            if not kinds or self.layout.things[thing].kind in kinds
            for copy in self.layout.copies[thing]
        ]
        if not found:
            held = {self.layout.things[thing].id for thing in set(self.layout.objects)}
            where = self.names.zone(zone)
            if item.id in held:
                raise ImpossibleError(f"`{item.id}` cannot lie in `{where}`, which holds {', '.join(kinds)}")
            near = nearest(item.id, held)
            hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
            raise UnknownNameError(f"there is no object `{item.id}`{hint}")
        return found

    def label(self, state: State, number: int) -> str:
        """An object as lists show it: with its holder on a place, where anybody's may lie."""
        holder = state.holders[number]
        if holder >= 0 and self.layout.zone_place[state.where[number]] >= 0:
            return f"{self.names.object(number)} of {self.names.seat(holder)}"
        return self.names.object(number)


def _key(text: str) -> Key:
    """The first words, and the phrases after them in no order."""
    parts: list[list[str]] = [[]]
    for word in text.split():
        if word in _PREPOSITIONS:
            parts.append([])
        parts[-1].append(word)
    return " ".join(parts[0]), frozenset(" ".join(part) for part in parts[1:])
