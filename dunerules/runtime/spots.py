"""Spots: what events tell of counters and pieces, as numbers.

A cell is told by its number. Behind all cells come the words that verbs of packs can be given without a cell, kinds of
pieces and pools, once for every seat whose they may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dunerules.core import ir
from dunerules.runtime.layout import Cells
from dunerules.runtime.table import Table

__all__ = ["Spot", "Spots"]

_PLACES = "@"
"""What stands for a pool where pieces are on places."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A counter, or pieces in a pool or on a place: whose, and what else it is kept for by index. No seat is -1."""

    name: str
    pool: str = ""
    seat: int = -1
    indexes: dict[str, int] = field(default_factory=dict)


class Spots:
    """Spots of a table by number, and what the core asks of them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._known: dict[int, Spot] = {}
        self._functions: dict[str, ir.Function] = {}
        words = table.rules.words
        pools = dict.fromkeys(pool for piece in words.pieces.values() for pool in piece.pools)
        kinds = (*words.pieces, *words.piece_families)
        self.spoken_of = [*((name, "") for name in kinds), *(("", pool) for pool in pools)]

    def __getitem__(self, number: int) -> Spot:
        """What a number stands for."""
        found = self._known.get(number)
        if found is None:
            found = self._known[number] = self._spot(number)
        return found

    def _spot(self, number: int) -> Spot:
        layout = self.table.layout
        if number >= layout.cell_count:
            word, owner = divmod(number - layout.cell_count, layout.seats + 1)
            return Spot(*self.spoken_of[word], owner - 1)
        blocks = [(name, "", cells) for name, cells in layout.cells.items()]
        blocks += [(piece, pool, cells) for (piece, pool), cells in layout.pools.items()]
        name, pool, cells = next(each for each in blocks if each[2].base <= number < each[2].base + each[2].size)
        seat, indexes = self._indexes(cells, number - cells.base)
        return Spot(name, "" if pool == _PLACES else pool, seat, indexes)

    def _indexes(self, cells: Cells, place: int) -> tuple[int, dict[str, int]]:
        seat, indexes = -1, {}
        for index, factor in zip(cells.indexes, cells.factors, strict=True):
            position, place = divmod(place, factor)
            if index == "seat":
                seat = position
            else:
                indexes[index] = self.table.index_members(index)[position]
        return seat, indexes

    def word(self, name: str, pool: str, owner: ir.Expr) -> ir.Expr:
        """The number of a kind of pieces, or of a pool, that is somebody's or nobody's."""
        layout = self.table.layout
        first = layout.cell_count + self.spoken_of.index((name, pool)) * (layout.seats + 1)
        return ir.Arithmetic((ir.Term("+", ir.Number(first + 1)), ir.Term("+", owner)))

    # ---- in the core

    def whose(self, spot: ir.Expr) -> ir.Expr:
        """The seat a spot belongs to."""
        return self._call("whose", lambda number: self[number].seat, spot)

    def index(self, family: str, spot: ir.Expr) -> ir.Expr:
        """The label, place, thing or other seat that a counter is kept for."""
        return self._call(f"which {family}", lambda number: self[number].indexes.get(family, -1), spot)

    def place(self, spot: ir.Expr) -> ir.Expr:
        """The place that pieces are on."""
        return self._call("on which", lambda number: next(iter(self[number].indexes.values()), -1), spot)

    def is_of(self, name: str, spot: ir.Expr) -> ir.Expr:
        """Whether a spot is of a counter, or of a kind or family of pieces."""
        names = {name, *self.table.rules.words.kinds_of_piece(name)}
        return self._call(f"of {name}", lambda number: self[number].name in names, spot, "is spot")

    def is_in(self, pool: str, spot: ir.Expr) -> ir.Expr:
        """Whether a spot is in a pool."""
        return self._call(f"in {pool}", lambda number: self[number].pool == pool, spot, "is spot")

    def _call(self, name: str, known: Callable[[int], Any], spot: ir.Expr, means: str = "of spot") -> ir.Expr:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = ir.Function(name, known, stateless=True, means=(means,))
        return ir.Call(function, (spot,))
