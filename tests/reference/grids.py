"""Grids: where directions lead, read off the ids of places."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.dsl.vocabulary import Grid, Vocabulary

__all__ = ["grid_edges", "step"]


def step(words: Vocabulary, kind: str, place: str, family: str, direction: str, steps: int) -> str:
    """The id of the place so many steps from another, if there is one."""
    for grid in words.grids.values():
        way = grid.directions.get(family, {}).get(direction)
        if kind == grid.kind and place in grid.places and way is not None:
            return _at(grid, place, way[0] * steps, way[1] * steps)
    return ""


def grid_edges(words: Vocabulary) -> Iterator[tuple[str, str]]:
    """The edges between neighbours of grids."""
    for grid in words.grids.values():
        for family in grid.joined:
            for way in grid.directions.get(family, {}).values():
                for place in grid.places:
                    other = _at(grid, place, *way)
                    if other:
                        yield place, other


def _at(grid: Grid, place: str, columns: int, rows: int) -> str:
    row, column = divmod(grid.places.index(place), grid.columns)
    lines = [grid.places[start : start + grid.columns] for start in range(0, len(grid.places), grid.columns)]
    row, column = row + rows, column + columns
    return lines[row][column] if 0 <= row < len(lines) and 0 <= column < grid.columns else ""
