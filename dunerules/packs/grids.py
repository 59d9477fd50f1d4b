"""Grids: places in columns and rows, which are objects like any other once their pack is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.packs.nodes import Kind as NodeKind
from dunerules.packs.nodes import Node

__all__ = [
    "COLUMN",
    "MADE",
    "MOST_PLACES",
    "ROW",
    "Square",
    "column_letters",
    "given_by_grid",
    "sides",
    "square_node",
    "squares",
]

MOST_PLACES = 5_000
"""Places of a game, those of all grids among them."""

COLUMN, ROW = "column", "row"
"""Fields that a grid fills, if its kind has them as numbers."""

MADE = "made"
"""The style of a name that nobody has written: it is the same in every language."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Square:
    """One place of a grid: what it is called, and where it lies, counted from 1."""

    id: str
    name: str
    column: int
    row: int


def sides(grid: Node) -> tuple[int, int]:
    """The columns and rows of a grid as they are written; none for what is no number above zero."""
    found = (grid.get(key) for key in ("columns", "rows"))
    columns, rows = (max(0, each.value) if each is not None and each.kind == "number" else 0 for each in found)
    return columns, rows


def squares(grid: Node) -> Iterator[Square]:
    """The places of a grid, row by row; none of one that is too large."""
    columns, rows = sides(grid)
    prefix = grid.text("prefix")
    if columns * rows > MOST_PLACES:
        return
    letters = [column_letters(column) for column in range(columns)]
    for row in range(1, rows + 1):
        for column, letter in enumerate(letters, 1):
            id_, name = f"{letter}{row}", f"{letter.upper()}{row}"
            yield Square(f"{prefix}_{id_}" if prefix else id_, f"{prefix.upper()} {name}".strip(), column, row)


def column_letters(column: int) -> str:
    """What a column is called, counted from 0: a, b ... z, aa, ab ..."""
    found = _LETTERS[column % 26]
    return found if column < 26 else column_letters(column // 26 - 1) + found


def given_by_grid(kind: Node) -> tuple[str, ...]:
    """Which fields of a kind a grid fills: those for the column and the row that are numbers."""
    fields = kind.get("fields")
    found = ((name, fields.get(name)) for name in (COLUMN, ROW)) if fields is not None else ()
    return tuple(name for name, node in found if node is not None and "number" in (node.value, node.text("type")))


def square_node(square: Square, key: Node, fields: tuple[str, ...], written: Node | None) -> Node:
    """A place as an object: what is `written` of it, and the rest from the grid whose `key` this is."""

    def made(kind: NodeKind, value: object) -> Node:
        return Node(key.source, kind, value, key.start, key.end, MADE)

    numbers = {COLUMN: square.column, ROW: square.row}
    values = {"name": made("text", square.name), **{name: made("number", numbers[name]) for name in fields}}
    whole = {name: (made("text", name), value) for name, value in values.items()}
    if written is not None and written.kind == "map":
        return Node(written.source, "map", {**whole, **written.value}, written.start, written.end, written.style)
    return Node(key.source, "map", whole, key.start, key.end, MADE)
