"""What panels need to know of a game and a language, and what never changes while it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

from dunerules.look.record import Look
from dunerules.panels.record import Board, Face, Link, Place, Step
from dunerules.records import UNKNOWN
from dunerules.runtime.table import Table
from dunerules.speech.printer import Printer
from dunerules.text.context import Context
from dunerules.text.render import effect_text

__all__ = ["Static"]

Item = TypeVar("Item")


class Static:
    """Names, short texts and order for one table in one language."""

    def __init__(self, printer: Printer, look: Look, table: Table) -> None:
        self.printer, self.look, self.table = printer, look, table
        self.words, self.layout = table.rules.words, table.layout
        screen = table.rules.screen
        self.hidden = frozenset(screen.get("hide", ()))
        self.always = frozenset(screen.get("always", ()))
        self.headings = frozenset(screen.get("headings", ()))
        self._first = {name: place for place, name in enumerate(screen.get("first", ()))}
        self._faces: dict[tuple[str, str], Face] = {}
        self._titles: dict[tuple[str, str], str] = {}
        self._steps: dict[tuple[str, str], tuple[Step, ...]] = {}

    @property
    def first(self) -> str:
        """The counter that says who is first in order of play."""
        return self.table.rules.first

    @cached_property
    def labelled(self) -> dict[str, str]:
        """Counters that seats have with each of some labels, and the family or kind of these."""
        found = {}
        for name, counter in self.words.counters.items():
            if len(counter.per) == 2 and counter.per[0] == "seat" and counter.holds.name == "amount":
                kind = self.words.index_type(counter.per[1])
                if kind is not None and kind.name == "label":
                    found[name] = self.words.index_family(counter.per[1])
        return found

    def title(self, section: str, name: str) -> str:
        """What a counter, zone or pool is called."""
        key = (section, name)
        if key not in self._titles:
            self._titles[key] = self.printer.name(section, name)
        return self._titles[key]

    def pool(self, piece: str, pool: str) -> str:
        """What a pool is called; with the kind of pieces, if others have one of that name."""
        title = self.title("pool", pool)
        alone = sum(name == pool for _, name in self.layout.pools) == 1
        return title if alone else f"{title} ({self.title('piece', piece)})"

    def ordered(self, items: Iterable[Item], key: Callable[[Item], str]) -> list[Item]:
        """In the order of the screen; what it does not name comes last, by its own order or its name."""
        listed = list(items) if not isinstance(items, set | frozenset) else sorted(items, key=key)
        return sorted(listed, key=lambda item: self._first.get(key(item).partition(".")[2], len(self._first)))

    @cached_property
    def open_contests(self) -> frozenset[str]:
        """Contests that can be shown while they go on."""
        return self.table.openness.contests

    def measure(self, contest: str) -> str:
        """What a contest compares, as a title."""
        found = self.printer.measure(self.table.rules.contests[contest][0])
        return f"{found[:1].upper()}{found[1:]}"

    def bounds(self, counter: str) -> tuple[int, int]:
        """The least and the most that a counter can be."""
        cells = self.layout.cells[counter]
        return cells.low, cells.high

    def face(self, kind: str, id_: str) -> Face:
        """An object by what it says; a back for what is not known."""
        key = (kind, id_)
        if key not in self._faces:
            self._faces[key] = self._face(kind, id_)
        return self._faces[key]

    def _face(self, kind: str, id_: str) -> Face:
        if id_ == UNKNOWN:
            return Face(kind, id_, UNKNOWN)
        fields = self.printer.meanings.object(kind, id_).fields
        corner = next((str(fields[name]) for name in self.look.face(kind).corner if name in fields), "")
        return Face(kind, id_, self.printer.name(kind, id_), self.printer.short(kind, id_), corner)

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """A board for each kind of places, with nobody there: as the look has it, as a grid, or as a list."""
        content = self.printer.meanings.content
        both = [(content.edges, False), (content.paths, True)]
        ways = [Link(start, end, one_way) for listed, one_way in both for start, end in listed]
        looks = {board.kind: board for board in self.look.boards.values()}
        columns = {grid.kind: grid.columns for grid in self.words.grids.values()}
        found = []
        for kind in (kind.name for kind in self.words.kinds.values() if kind.role == "place"):
            ids = dict.fromkeys(self.layout.things[thing].id for thing in self.layout.places.get(kind, ()))
            look = looks.get(kind)
            places = []
            for id_ in ids:
                face, at = self.face(kind, id_), look.at.get(id_) if look is not None else None
                tint = self._tint(kind, id_, look.tint) if look is not None else ""
                places.append(Place(id_, face.name, face.short, tint, at))
            own = tuple(way for way in ways if way.start in ids and way.end in ids)
            name = look.id if look is not None else kind
            if ids:
                title = self.title("kind", kind)
                found.append(Board(name, kind, title, columns.get(kind, 0), tuple(places), own))
        return tuple(found)

    def _tint(self, kind: str, id_: str, field: str) -> str:
        value = self.printer.meanings.object(kind, id_).fields.get(field)
        declared = self.words.kinds[kind].fields.get(field)
        if value is None or declared is None:
            return ""
        return f"{declared.type.of}.{value[0] if isinstance(value, list) else value}"

    def steps(self, counter: str, family: str, member: str) -> tuple[Step, ...]:
        """What happens on reaching the steps of a track; an effect of its label is told as that label has it."""
        key = (counter, member)
        if key not in self._steps:
            printer = self.printer
            this = (family, member) if member and family in self.words.kinds else None
            context = Context(printer.locale, printer.meanings, this=this)
            rows = [(each.at, each.up) for each in printer.meanings.thresholds(counter) if each.up is not None]
            self._steps[key] = tuple(Step(at, effect_text(up, context)) for at, up in rows)
        return self._steps[key]
