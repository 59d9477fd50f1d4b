"""The table as one seat sees it, in blocks: seats, tracks, open rows, places, and what is its own.

What is shown follows from what packs declare: where counters, pieces and zones belong decides where they stand. The
`screen` of a pack only says what to leave out, what comes first, and what is worth showing every turn. Everything is
taken from the seat's view; what is not in it cannot be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from dunerules.play.blocks import Block, Entry, Grid, Heading, Paragraph
from dunerules.play.squares import drawn
from dunerules.runtime.layout import Cells
from dunerules.speech.speaker import (
    Speaker,
    boxes,
    brief,
    fields_of,
    index_name,
    label,
    marks_of,
    pointed_name,
    seat_name,
    thing_name,
)  # fmt: skip
from dunerules.views import view_of

__all__ = ["Screen"]

HIDDEN = "?"

_SMALL = 400
"""Places of a grid that is shown at every turn."""

_EVERYTHING = 1_000_000


@dataclass(frozen=True)
class Pile:
    """A zone as a seat sees it: the things in it that it knows, and how many there are."""

    zone: str
    number: int
    things: tuple[int, ...]
    """Things, -1 for what is hidden."""


class Screen:
    """What a speaker's seat can see now."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        self.game = speaker.game
        self.layout = speaker.game.machine.table.layout
        self.rules = speaker.game.machine.table.rules
        self.view = view_of(speaker.game.machine, speaker.game.names, speaker.game.state, speaker.viewer, None)
        self.seated = range(self.view.seats)
        shown = self.rules.screen
        self.hidden = set(shown.get("hide", ()))
        self.first = {name: place for place, name in enumerate(shown.get("first", ()))}
        self.always = set(shown.get("always", ()))

    # ---- what there is

    def _ordered(self, names: Iterable[str]) -> list[str]:
        kept = [name for name in names if name not in self.hidden]
        return sorted(kept, key=lambda name: self.first.get(name, len(self.first)))

    def _cell(self, cells: Cells, number: int) -> str:
        """The value of a cell as the view has it."""
        key = self.game.names.cell(cells.base + number)
        if key in self.view.pieces:
            return str(self.view.pieces[key].count)
        found = self.view.counters[key]
        if found.hidden:
            return HIDDEN
        return self._number(found.value) if isinstance(found.value, int) else str(found.value or cells.start)

    def _number(self, number: int) -> str:
        return self.speaker.printer.locale.number(number)

    def pile(self, number: int) -> Pile:
        """A zone by its number."""
        name = self.layout.zone_names[number]
        real = self.game.state.zones[number]
        seen = self.view.zones[self.game.names.zone(number)].things
        things = (self.layout.objects[thing] if shown.known else -1 for shown, thing in zip(seen, real, strict=True))
        return Pile(name, number, tuple(things))

    def _zones(self, per: str) -> list[str]:
        return self._ordered(name for name, zones in self.layout.zones.items() if zones.per == per)

    # ---- seats

    def seats(self, *, everything: bool) -> list[Block]:
        """A row for each seat: what it has, by number; open piles only if everything is wanted."""
        columns = sorted(self._columns(everything), key=lambda column: self.first.get(column[0], len(self.first)))
        if not columns:
            return []
        titles = ("", *(title for _, title, _ in columns))
        rows = tuple(
            (seat_name(self.speaker, seat), *(values[seat] for _, _, values in columns)) for seat in self.seated
        )
        return [Grid(titles, rows, self.speaker.viewer)]

    def numbers(self) -> list[Block]:
        """What this seat has, in one line."""
        columns = sorted(self._columns(False), key=lambda column: self.first.get(column[0], len(self.first)))
        own = [(title, values[self.speaker.viewer]) for _, title, values in columns]
        shown = ", ".join(f"{title} {value}" for title, value in own if value not in {"0", "-", HIDDEN})
        return [Paragraph(shown, "quiet")] if shown else []

    def _columns(self, everything: bool) -> Iterator[tuple[str, str, list[str]]]:
        everyone = self.seated
        for name in self._ordered(self.layout.cells):
            cells = self.layout.cells[name]
            counter = self.rules.words.counters[name]
            if cells.indexes == ("seat",) and counter.holds.name == "amount":
                values = [self._cell(cells, seat) for seat in everyone]
                dull = {self._number(cells.start)} if everything else {self._number(cells.start), HIDDEN}
                if not set(values) <= dull or name in self.always:
                    yield name, label(self.speaker, "counter", name), values
        for (piece, pool), cells in self.layout.pools.items():
            if pool != "@" and not {piece, pool} & self.hidden:
                values = [self._cell(cells, seat) for seat in everyone]
                if any(value != "0" for value in values) or pool in self.always:
                    yield pool, self._pool(piece, pool), values
        for name in self._zones("seat"):
            zones = self.layout.zones[name]
            piles = [self.pile(zones.base + seat) for seat in everyone]
            listed = name in self.first or (name in self.always and not self._lies_open(name))
            if not listed and not everything and (self.first or zones.sight == "all"):
                continue
            if self._are_names(piles):
                if listed:
                    yield name, label(self.speaker, "zone", name), [self._names(pile) for pile in piles]
                elif zones.sight == "all":
                    continue  # told by name among the piles
            elif any(pile.things for pile in piles) or name in self.always:
                yield name, label(self.speaker, "zone", name), [str(len(pile.things)) for pile in piles]

    def _pool(self, piece: str, pool: str) -> str:
        """What a pool is called; with the kind of pieces, if others have one of that name."""
        title = label(self.speaker, "pool", pool)
        alone = sum(name == pool for _, name in self.layout.pools) == 1
        return title if alone else f"{title} ({label(self.speaker, 'piece', piece)})"

    def _lies_open(self, name: str) -> bool:
        """Whether what lies in a zone of seats is told by name at every turn."""
        zones = self.layout.zones[name]
        return zones.per == "seat" and zones.sight == "all" and name in self.always and name not in self.first

    def _are_names(self, piles: list[Pile]) -> bool:
        """Whether each seat has one thing here that is worth naming, or finding out."""
        things = [self.layout.things[thing] for pile in piles for thing in pile.things if thing >= 0]
        zone = piles[0].zone
        secret = zone in self.always and self.layout.zones[zone].sight == "none"
        worth = secret or any(thing.slots or thing.fields for thing in things)
        return all(len(pile.things) <= 1 for pile in piles) and worth

    def _names(self, pile: Pile) -> str:
        return ", ".join(thing_name(self.speaker, thing) if thing >= 0 else HIDDEN for thing in pile.things) or "-"

    # ---- tracks

    def tracks(self, *, everything: bool) -> list[Block]:
        """Counters that a seat has with each of some labels, or that are for two of a kind: a grid for each."""
        found: list[Block] = []
        for name in self._ordered(self.layout.cells):
            if not everything and name not in self.always:
                continue
            cells = self.layout.cells[name]
            if self._is_track(name):
                heads, members = map(self._members, cells.indexes)
                rows = []
                for row, head in enumerate(heads):
                    numbers = [row * cells.factors[0] + place * cells.factors[1] for place in range(len(members))]
                    rows.append((head, *(self._cell(cells, number) for number in numbers)))
                if any(value != self._number(cells.start) for row in rows for value in row[1:]):
                    titles = (label(self.speaker, "counter", name), *members)
                    found.append(Grid(titles, tuple(rows), self.speaker.viewer))
        return found

    def _is_track(self, name: str) -> bool:
        """Whether a counter is of a seat and a label, or of two of a kind."""
        words, indexes = self.rules.words, self.layout.cells[name].indexes
        kinds = [words.index_type(index) for index in indexes]
        if len(indexes) != 2 or any(kind is None or kind.name == "thing" for kind in kinds):
            return False
        return kinds[0] == kinds[1] or (indexes[0] == "seat" and kinds[1] is not None and kinds[1].name == "label")

    def _members(self, index: str) -> list[str]:
        members = self.game.machine.table.index_members(index)
        return [index_name(self.speaker, index, place) for place in range(len(members))]

    # ---- counters on things

    def marks(self) -> list[Block]:
        """The things that have counters on them, zone by zone, also where it is not known what they are."""
        found: list[Block] = []
        for number in range(self.layout.zone_count):
            pile, real = self.pile(number), self.game.state.zones[number]
            marked = [(thing, marks_of(self.speaker, each)) for thing, each in zip(pile.things, real, strict=True)]
            shown = [
                f"{thing_name(self.speaker, thing) if thing >= 0 else HIDDEN} [{on}]" for thing, on in marked if on
            ]
            if shown and pile.zone not in self.hidden:
                found.append(Entry("", f"{self._zone_name(number)}:", ", ".join(shown)))
        return found

    def _zone_name(self, number: int) -> str:
        """A zone with whose it is."""
        name, owner, place = (
            self.layout.zone_names[number], self.layout.zone_owner[number], self.layout.zone_place[number],
        )  # fmt: skip
        title = label(self.speaker, "zone", name)
        if owner >= 0:
            return f"{seat_name(self.speaker, owner)}, {title}"
        return f"{index_name(self.speaker, self.layout.zones[name].per, place)}, {title}" if place >= 0 else title

    # ---- the table

    def rows(self, *, everything: bool) -> list[Block]:
        """Open zones of the table: those worth it every turn, or all of them."""
        found: list[Block] = []
        for name in self._zones("game"):
            if not everything and name not in self.always:
                continue
            pile = self.pile(self.layout.zones[name].base)
            title = label(self.speaker, "zone", name)
            if not pile.things:
                continue
            known = [thing for thing in pile.things if thing >= 0]
            if not known:
                found.append(Entry("", f"{title}:", str(len(pile.things))))
            elif len(known) == 1:
                found.append(Entry("", f"{title}: {thing_name(self.speaker, known[0])}", self._all_about(known[0])))
            else:
                found.append(Entry("", f"{title}:", self._listed(pile)))
        found += self._shared(everything=everything)
        return found

    def _shared(self, *, everything: bool) -> Iterator[Block]:
        """Counters of the table; one that is what it was at the start, or points nowhere, only if it is wanted."""
        for name in self._ordered(self.layout.cells):
            cells = self.layout.cells[name]
            if cells.indexes == () and not self.rules.words.counters[name].hidden:
                holds = self.rules.words.counters[name].holds
                value = self.game.state.cells[cells.base]
                nothing = value == cells.start if holds.name == "amount" else value < 0
                if nothing and not everything and (holds.name != "amount" or name not in self.always):
                    continue
                if holds.name == "seat":
                    shown = seat_name(self.speaker, value)
                elif holds.name == "amount":
                    shown = self._cell(cells, 0)
                else:
                    shown = pointed_name(self.speaker, holds, value) if value >= 0 else "-"
                yield Entry("", f"{label(self.speaker, 'counter', name)}: {shown}")

    def _listed(self, pile: Pile, *, about: bool = True) -> str:
        counts: dict[int, int] = {}
        for thing in pile.things:
            counts[thing] = counts.get(thing, 0) + 1
        return ", ".join(self._several(thing, count, about=about) for thing, count in counts.items())

    def _several(self, thing: int, count: int, *, about: bool = True) -> str:
        name = thing_name(self.speaker, thing) if thing >= 0 else HIDDEN
        fields = fields_of(self.speaker, thing) if thing >= 0 and about else ""
        times = f"{count}× " if count > 1 else ""
        return f"{times}{name} ({fields})" if fields else f"{times}{name}"

    def _about(self, thing: int) -> str:
        return brief(self.speaker, thing)

    def _all_about(self, thing: int) -> str:
        """What a thing says in short, and before that what it is."""
        short = self._about(thing)
        facts = [words for title, words in boxes(self.speaker, thing) if not title and words not in short]
        return " ".join([*facts, short]).strip()

    # ---- places

    @cached_property
    def _place_kinds(self) -> list[str]:
        return [kind.name for kind in self.rules.words.kinds.values() if kind.role == "place"]

    def places(self) -> list[Block]:
        """Every place: who and what is there, and what it does. Of a grid those that do something, behind the grid."""
        found = self._grids()
        for kind in self._place_kinds:
            for position, thing in enumerate(self.layout.places.get(kind, ())):
                about = self._about(thing)
                if thing in self.layout.board.squares and not about:
                    continue
                here = "; ".join(self._at(kind, position))
                fields = fields_of(self.speaker, thing)
                name = thing_name(self.speaker, thing)
                title = f"{name} ({fields})" if fields else name
                found.append(Entry("", f"{title} [{here}]" if here else title, about))
        return found

    def _grids(self, most: int = _EVERYTHING) -> list[Block]:
        """Grids as they lie, if they are not too large."""
        found: list[Block] = []
        for grid in self.rules.words.grids.values():
            if len(grid.places) <= most:
                things = [self.layout.thing_index[grid.kind, id_] for id_ in grid.places]
                found += drawn(
                    grid.columns, [tuple(self._at(grid.kind, self.layout.position[each])) for each in things]
                )
        return found

    def taken(self) -> list[Block]:
        """Grids, and the places where something lies or stands, in one line."""
        found, squares = [], self.layout.board.squares
        for kind in self._place_kinds:
            for position, thing in enumerate(self.layout.places.get(kind, ())):
                if thing in squares and len(squares[thing].grid.places) <= _SMALL:
                    continue
                here = "; ".join(self._at(kind, position))
                if here:
                    found.append(f"{thing_name(self.speaker, thing)} [{here}]")
        others = [Entry("", f"{self.speaker.say('board.places')}:", ", ".join(found))] if found else []
        return [*self._grids(_SMALL), *others]

    def _at(self, kind: str, position: int) -> Iterator[str]:
        """What lies, stands and is counted at a place."""
        for name in self._zones(kind):
            number = self.layout.zones[name].base + position
            pile = self.pile(number)
            for thing, real in zip(pile.things, self.game.state.zones[number], strict=True):
                shown = thing_name(self.speaker, thing) if thing >= 0 else HIDDEN
                owner = self.game.state.holders[real]
                told = thing >= 0 and owner >= 0
                yield f"{shown}, {seat_name(self.speaker, owner)}" if told else shown
        for name in self._ordered(self.layout.cells):
            cells = self.layout.cells[name]
            title = label(self.speaker, "counter", name)
            if cells.indexes == (kind,):
                value, holds = self._cell(cells, position), self.rules.words.counters[name].holds
                if value not in {self._number(cells.start), HIDDEN} and holds.name == "seat":
                    yield f"{title}, {seat_name(self.speaker, self.game.state.cells[cells.base + position])}"
                elif value != self._number(cells.start):
                    yield f"{title} {value}"
            elif cells.indexes == ("seat", kind):
                yield from self._held(cells, position, title)
            elif cells.indexes == ("seat",) and self._holds(name, kind):
                yield from self._marked(cells, self.layout.places[kind][position], title)
        for (piece, pool), cells in self.layout.pools.items():
            if pool == "@" and piece not in self.hidden and cells.indexes == ("seat", kind):
                yield from self._held(cells, position, label(self.speaker, "piece", piece))

    def _held(self, cells: Cells, position: int, title: str) -> Iterator[str]:
        for seat in self.seated:
            value = self._cell(cells, seat * cells.factors[0] + position)
            if value != self._number(cells.start):
                amount = "" if cells.high == 1 else f" {value}"
                yield f"{title}{amount}, {seat_name(self.speaker, seat)}"

    def _holds(self, name: str, kind: str) -> bool:
        holds = self.rules.words.counters[name].holds
        return holds.name == "place" and holds.of == kind

    def _marked(self, cells: Cells, place: int, title: str) -> Iterator[str]:
        """The seats whose counter holds this place, as if a token of theirs stood there."""
        for seat in self.seated:
            if self.view.counters[self.game.names.cell(cells.base + seat)].value == self.game.names.thing(place):
                yield f"{title}, {seat_name(self.speaker, seat)}"

    def before(self) -> list[Block]:
        """What lies before each seat that one wants to see at every turn, and what one has found out about it."""
        found: list[Block] = []
        for seat in self.seated:
            parts = []
            for name in self._zones("seat"):
                pile = self.pile(self.layout.zones[name].base + seat)
                if (self._lies_open(name) and pile.things) or self._found_out(pile, seat):
                    parts.append(f"{label(self.speaker, 'zone', name)}: {self._listed(pile)}")
            if parts:
                found.append(Entry("", f"{seat_name(self.speaker, seat)}:", "; ".join(parts)))
        return found

    def _found_out(self, pile: Pile, seat: int) -> bool:
        """Whether a pile hides what this seat knows all the same, and no column names it."""
        secret = self.layout.zones[pile.zone].sight == "none" or seat != self.speaker.viewer
        zones = self.layout.zones[pile.zone]
        if not secret or zones.sight == "all" or not any(thing >= 0 for thing in pile.things):
            return False
        listed = pile.zone in self.first or pile.zone in self.always
        return not (listed and self._are_names([self.pile(zones.base + each) for each in self.seated]))

    def piles(self) -> list[Block]:
        """What lies open before each seat, by name, and what one has found out of the rest."""
        found: list[Block] = []
        for seat in self.seated:
            for name in self._zones("seat"):
                pile = self.pile(self.layout.zones[name].base + seat)
                lies_open = self.layout.zones[name].sight == "all" and self._told(pile)
                if lies_open or self._found_out(pile, seat):
                    title = f"{seat_name(self.speaker, seat)}, {label(self.speaker, 'zone', name)}:"
                    found.append(Entry("", title, self._listed(pile, about=False)))
        return found

    def _told(self, pile: Pile) -> bool:
        things = [self.layout.things[thing] for thing in pile.things if thing >= 0]
        return any(thing.slots or thing.fields for thing in things)

    # ---- what is one's own

    def own(self, *, texts: bool) -> list[Block]:
        """The zones only this seat sees into, with what its objects say if that is wanted."""
        found: list[Block] = [*self._confided()]
        viewer = self.speaker.viewer
        for name in self._zones("seat"):
            zones = self.layout.zones[name]
            pile = self.pile(zones.base + viewer)
            known = [thing for thing in pile.things if thing >= 0]
            if not known or (zones.sight == "all" and not texts):
                continue
            title = label(self.speaker, "zone", name)
            if texts:
                found.append(Heading(title))
                for thing in dict.fromkeys(known):
                    shown = self._several(thing, known.count(thing))
                    words = " ".join(f"{title}: {said}" if title else "" for title, said in boxes(self.speaker, thing))
                    found.append(Entry("", shown, words.strip()))
            else:
                found.append(Entry("", f"{title}:", self._listed(pile)))
        return found

    def _confided(self) -> Iterator[Block]:
        """Who is meant by the counters that this seat alone sees and that hold a seat."""
        viewer = self.speaker.viewer
        for name in self._ordered(self.layout.cells):
            cells, counter = self.layout.cells[name], self.rules.words.counters[name]
            if viewer >= 0 and counter.hidden and counter.holds.name == "seat" and cells.indexes == ("seat",):
                value = self.game.state.cells[cells.base + viewer]
                if value >= 0:
                    yield Entry("", f"{label(self.speaker, 'counter', name)}:", seat_name(self.speaker, value))
