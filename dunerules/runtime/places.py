"""Cells, zones and groups of objects as core expressions: the part of the builder that knows where things are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core.analyses.costs import takes_time
from dunerules.core.analyses.facts import is_fact
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import may_be_none
from dunerules.dsl.types import PLACE, Type
from dunerules.dsl.walk import walk
from dunerules.runtime.layout import Cells, Zones
from dunerules.runtime.surroundings import FRAME, Surroundings
from dunerules.runtime.table import Table

__all__ = ["Places"]

_FEW, _MANY = 40, 1_000
"""Candidates that are looked at in no time, also if they are looked at again and again; and if they are not."""


class Places:
    """Builds what stands for cells, zones, and things in them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.around = FRAME
        """What expressions are asked in where nothing else is said."""
        self._tables: dict[tuple[str, ...], ir.Table] = {}
        self._functions: dict[tuple[str, ...], ir.Function] = {}
        self._most: dict[Type, int] = {}
        self._position = ir.Table("position", [*table.layout.position, -1])

    @abstractmethod
    def build(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """An expression in the core language."""

    def group(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """An expression as a group, though it may stand for one thing, or none."""
        around = around or self.around
        return make.as_group(self.build(node, around))

    # ---- nobody, nothing, nowhere

    def sure(self, nodes: Iterable[m.Expression | None], around: Surroundings | None = None) -> ir.Expr:
        """Whether none of these is nobody, nothing or nowhere."""
        around = around or self.around
        doubtful = [node for node in nodes if node is not None and self._may_be_none(node, around)]
        return make.all_of(make.there(self.build(node, around)) for node in doubtful)

    def _may_be_none(self, node: m.Expression, around: Surroundings) -> bool:
        if isinstance(node, m.Local) and node.name in around.names:
            return around.names[node.name][1]
        if isinstance(node, m.If):
            return self._may_be_none(node.then, around) or self._may_be_none(node.otherwise, around)
        return may_be_none(node)

    # ---- cells

    def cell(self, node: m.CounterRef, around: Surroundings | None = None) -> ir.CellNumber:
        """The cell a counter stands for."""
        around = around or self.around
        cells, given = self.table.layout.cells[node.counter], dict(node.indexes)
        indexes = []
        for index in cells.indexes:
            if index == "seat":
                indexes.append(self._whose(node.owner, around))
            else:
                indexes.append(self._position_of(index, self.build(given[index], around)))
        marked = self.marked(node) is not None
        return ir.CellNumber(_region(node.counter, cells, marked), tuple(indexes))

    def _position_of(self, index: str, found: ir.Expr) -> ir.Expr:
        """What a seat, label, place or object adds to the number of a cell."""
        words = self.table.rules.words
        family = words.index_family(index)
        if family == "seat" or family in words.families:
            return found
        return make.column(self._among(family), found) if words.kinds[family].role == "thing" else self._at(found)

    def _among(self, kind: str) -> ir.Table:
        """By object: its place among those of its kind."""
        key = ("among", kind)
        if key not in self._tables:
            places = [-1] * (len(self.table.layout.objects) + 1)
            for place, number in enumerate(self.table.layout.of_kind.get(kind, ())):
                places[number] = place
            self._tables[key] = ir.Table(f"place among {kind}", places)
        return self._tables[key]

    def marked(self, node: m.CounterRef) -> m.Expression | None:
        """The thing that a counter is on, if it is on one."""
        kind = self.table.rules.words.marks(self.table.rules.words.counters[node.counter])
        return dict(node.indexes).get(kind) if kind else None

    def has_cell(self, node: m.CounterRef) -> ir.Expr:
        """Whether there is such a cell: it is of somebody and with something; a thing lies where it may have it."""
        zones = self.table.mark_zones.get(node.counter)
        thing = self.marked(node)
        there = () if zones is None or thing is None else (ir.Contains(ir.Members(zones), ir.Where(self.build(thing))),)
        return make.all_of((self.sure(self.cell_parts(node)), *there))

    def cell_parts(self, node: m.CounterRef) -> list[m.Expression | None]:
        """What must be somebody or something, so that there is such a cell."""
        indexes = self.table.layout.cells[node.counter].indexes
        return [node.owner if "seat" in indexes else None, *(value for _, value in node.indexes)]

    def _at(self, place: ir.Expr) -> ir.Expr:
        """The position of a place among its like."""
        return make.column(self._position, place)

    def _whose(self, owner: m.Expression | None, around: Surroundings) -> ir.Expr:
        return self.build(owner, around) if owner is not None else around.you

    def _counterref(self, node: m.CounterRef, around: Surroundings) -> ir.Expr:
        cell = self.cell(node, around)
        nothing = make.ZERO if node.type.name == "amount" else make.NOTHING
        sure = self.sure(self.cell_parts(node), around)
        return make.choice(sure, ir.Read(cell.region, cell.indexes), nothing)

    def pool(
        self,
        piece: str,
        pool: str,
        owner: m.Expression | None,
        place: m.Expression | None,
        around: Surroundings | None = None,
    ) -> ir.CellNumber:
        """The cell that counts pieces in a pool or on a place."""
        around = around or self.around
        indexes = (self._whose(owner, around),) + ((self._at(self.build(place, around)),) if place is not None else ())
        name = f"{piece} in {pool}" if pool else f"{piece} at"
        return ir.CellNumber(_region(name, self.table.layout.pools[piece, pool or "@"]), indexes)

    def _pieceref(self, node: m.PieceRef, around: Surroundings) -> ir.Expr:
        cell = self.pool(node.piece, node.pool, node.owner, node.place, around)
        sure = self.sure((node.owner, node.place), around)
        return make.choice(sure, ir.Read(cell.region, cell.indexes), make.ZERO)

    # ---- zones

    def zone_numbers(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """The numbers of the zones an expression names, as a group."""
        around = around or self.around
        if not isinstance(node, m.ZoneRef):
            return self.build(node, around)
        if node.owner_is_many:
            return self._zones_of_many(node, around)
        zones = self._zones(node, around)
        return make.choice(self.sure(self.zone_whose(node), around), ir.Group(tuple(zones)), ir.Members(()))

    def zone_number(self, node: m.Expression, around: Surroundings | None = None) -> ir.Expr:
        """The number of the first zone an expression names; -1 if there is none."""
        around = around or self.around
        if isinstance(node, m.ZoneRef) and not node.owner_is_many:
            sure = self.sure(self.zone_whose(node), around)
            return make.choice(sure, self._zones(node, around)[0], make.NOTHING)
        return make.first(self.zone_numbers(node, around))

    def _zones(self, node: m.ZoneRef, around: Surroundings) -> list[ir.Expr]:
        return [self._zone(part, node.owner, around) for part in self.zone_parts(node)]

    def zone_whose(self, node: m.ZoneRef) -> list[m.Expression | None]:
        """What must be somebody or somewhere, so that there are such zones."""
        return [m.Special("here", PLACE) if self._means_here(node) else node.owner]

    def _means_here(self, node: m.ZoneRef) -> bool:
        return node.owner is None and any(part.per not in {"seat", "game"} for part in self.zone_parts(node))

    def _zone(self, zone: Zones, owner: m.Expression | None, around: Surroundings) -> ir.Expr:
        if zone.per == "game":
            return ir.Number(zone.base)
        if zone.per == "seat":
            index = self._whose(owner, around)
        else:
            index = self._at(self.build(owner, around) if owner is not None else around.here)
        return _zone(zone, index)

    def _zones_of_many(self, node: m.ZoneRef, around: Surroundings) -> ir.Expr:
        assert node.owner is not None
        owners, it = self.build(node.owner, around), around.candidate()
        parts = self.zone_parts(node)
        if isinstance(owners, ir.Members):
            found = (part.base + self._index(part, each) for each in owners.numbers for part in parts)
            return ir.Members(tuple(dict.fromkeys(found)))
        numbers = [_zone(part, it if part.per == "seat" else self._at(it)) for part in parts]
        return ir.Gather(it.name, owners, tuple(numbers))

    def _index(self, zone: Zones, owner: int) -> int:
        if zone.per == "game":
            return 0
        return owner if zone.per == "seat" else self.table.layout.position[owner]

    def zone_parts(self, node: m.ZoneRef) -> list[Zones]:
        """Every zone that is named, with those that are joined in it, each once."""
        words, zones = self.table.rules.words, self.table.layout.zones
        names = dict.fromkeys(part.name for name in node.zones for part in words.zone_parts(name))
        return [zones[name] for name in names]

    def needs_place(self, node: Any) -> bool:
        """Whether something means a zone of the place it stands on without saying so."""
        return any(isinstance(each, m.ZoneRef) and self._means_here(each) for each in walk(node))

    def maybe_nowhere(self, node: m.Expression) -> bool:
        """Whether there may be no such zone."""
        return not isinstance(node, m.ZoneRef) or node.owner_is_many or self.sure(self.zone_whose(node)) != make.TRUE

    def is_one_zone(self, node: m.ZoneRef) -> bool:
        """Whether that is never more than one zone."""
        return not node.owner_is_many and len(self.zone_parts(node)) == 1

    def is_made_anew(self, node: m.ZoneRef) -> bool:
        """Whether it is a pile, or has one in it, that is made anew when it is empty."""
        return any(part.refill for part in self.zone_parts(node))

    def holds_only(self, zone: m.ZoneRef, kind: str) -> bool:
        """Whether nothing but things of one kind may lie somewhere."""
        words = self.table.rules.words
        return all(set(part.holds) == {kind} for name in zone.zones for part in words.zone_parts(name))

    def _zoneref(self, node: m.ZoneRef, around: Surroundings) -> ir.Expr:
        if node.owner_is_many:
            return ir.Contents(self._zones_of_many(node, around))
        piles = tuple(map(ir.Pile, self._zones(node, around)))
        found: ir.Expr = piles[0] if len(piles) == 1 else ir.Joined(piles)
        return make.choice(self.sure(self.zone_whose(node), around), found, ir.Members(()))

    def _refill(self, node: m.Refill, around: Surroundings) -> ir.Expr:
        key = ("refill",)
        if key not in self._functions:
            self._functions[key] = ir.Function(
                "refills", self.table.refills_of, stateless=True, group=True, means=("refills",)
            )
        return ir.Call(self._functions[key], (self.zone_numbers(node.of, around),))

    # ---- groups

    def _named(self, node: m.Named, around: Surroundings) -> ir.Expr:
        """A group: objects where they lie, or all labels or places of a kind, that pass the filter."""
        group = self._unfiltered(node, around)
        return group if node.where is None else self._passing(group, node.where, node.type, around)

    def _passing(self, group: ir.Expr, where: m.Expression, kind: Type, around: Surroundings) -> ir.Expr:
        """Those of a group that pass a filter: first by what is printed on them, which never changes."""
        it, seats = around.candidate(), kind.name == "seat"
        test = self.build(where, around.within(seats=seats))
        if kind.name == "thing" and not isinstance(group, ir.Members):
            parts = test.parts if isinstance(test, ir.All) else (test,)
            printed = [part for part in parts if not isinstance(part, ir.Truth) and is_fact(part, (it,))]
            if printed:
                group = ir.Printed(it.name, group, make.all_of(printed))
                test = make.all_of(part for part in parts if part not in printed)
        return make.filtered(it.name, group, test, self._counted(test, kind, around))

    def _counted(self, test: ir.Expr, kind: Type, around: Surroundings) -> int:
        """From how many candidates on they are counted; -1 where they are few, and asked nothing that takes long."""
        slow = takes_time(test)
        if not slow and self.most(kind) <= (_FEW if around.often else _MANY):
            return -1
        return 1 if slow else _FEW

    def most(self, kind: Type) -> int:
        """How many there are of something at most."""
        found = self._most.get(kind)
        if found is None:
            found = self._most[kind] = self._counted_members(kind)
        return found

    def _counted_members(self, kind: Type) -> int:
        layout = self.table.layout
        if kind.name == "seat":
            return self.table.seats
        if not kind.of:
            return max(len(layout.objects), len(layout.things))
        members = self.table.members(kind.of)
        return sum(len(layout.copies[thing]) for thing in members) if kind.name == "thing" else len(members)

    def _unfiltered(self, node: m.Named, around: Surroundings) -> ir.Expr:
        zone = node.zone
        if zone is None:
            return ir.Members(self._everywhere(node.kind))
        if zone.type.name == "zone":
            whole = (
                self._zoneref(zone, around) if isinstance(zone, m.ZoneRef) else ir.Contents(self.build(zone, around))
            )
            pure = not node.kind or (isinstance(zone, m.ZoneRef) and self.holds_only(zone, node.kind))
            return whole if pure else self._of_kind(whole, node.kind, around)
        if zone.type.name == "place" and node.type.name == "thing":
            at = make.column(self._zones_at(), self.build(zone, around))
            return self._of_kind(ir.Contents(at), node.kind, around)
        found = self.group(zone, around)
        return found if node.kind in {"", zone.type.of} else self._of_kind(found, node.kind, around)

    def _zones_at(self) -> ir.Table:
        """By thing that is a place: the numbers of all its zones."""
        key = ("zones at",)
        if key not in self._tables:
            layout = self.table.layout
            zones: list[tuple[int, ...]] = [() for _ in range(len(layout.things) + 1)]
            for zone in layout.zones.values():
                for thing in layout.places.get(zone.per, ()):
                    zones[thing] = (*zones[thing], zone.base + layout.position[thing])
            self._tables[key] = ir.Table("zones at", zones)
        return self._tables[key]

    def _everywhere(self, kind: str) -> tuple[int, ...]:
        declared = self.table.rules.words.kinds.get(kind)
        if declared is None or declared.role != "thing":
            return self.table.members(kind)
        layout = self.table.layout
        return tuple(sorted(each for thing in layout.places.get(kind, ()) for each in layout.copies[thing]))

    def _of_kind(self, group: ir.Expr, kind: str, around: Surroundings) -> ir.Expr:
        it = around.candidate()
        return ir.Printed(it.name, group, self.is_of_kind(kind, it))

    def is_of_kind(self, kind: str, thing: ir.Expr) -> ir.Expr:
        """Whether a thing is of a kind."""
        key = ("kind", kind)
        if key not in self._tables:
            things, objects = self.table.layout.things, self.table.layout.objects
            self._tables[key] = ir.Table(f"is {kind}", [*(things[each].kind == kind for each in objects), False])
        return make.column(self._tables[key], thing)


def _region(name: str, cells: Cells, marked: bool = False) -> ir.Region:
    return ir.Region(name, cells.base, cells.factors, cells.low, cells.high, marked)


def _zone(zone: Zones, index: ir.Expr) -> ir.Expr:
    """The number of a zone of a seat or place; of the game there is one."""
    if zone.per == "game":
        return ir.Number(zone.base)
    if isinstance(index, ir.Number):
        return ir.Number(zone.base + index.value)
    return ir.ZoneNumber(ir.Region(zone.name, zone.base, (1,)), index)
