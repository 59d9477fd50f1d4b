"""A grid of places as it lies: a mark for whatever is on a place, and under it what the marks mean."""

from __future__ import annotations

from collections.abc import Sequence

from dunerules.packs.grids import column_letters
from dunerules.play.blocks import Block, Grid, Paragraph

__all__ = ["drawn"]

_MARKS = ("X", "O", "#", "*", "+", "%", "@", "&")
_EMPTY = "."


def drawn(columns: int, there: Sequence[tuple[str, ...]]) -> list[Block]:
    """A grid with what is on its places, row by row. The same has the same mark wherever it is."""
    known = sorted({what for each in there for what in each})
    marks = {what: _MARKS[at] if at < len(_MARKS) else str(at + 1) for at, what in enumerate(known)}
    shown = ["".join(marks[what] for what in each) or _EMPTY for each in there]
    starts = range(0, len(shown), columns)
    rows = tuple((str(number), *shown[start : start + columns]) for number, start in enumerate(starts, 1))
    titles = ("", *(column_letters(column).upper() for column in range(columns)))
    legend = "; ".join(f"{mark} = {what}" for what, mark in marks.items())
    return [Grid(titles, rows), *([Paragraph(legend, "quiet")] if legend else [])]
