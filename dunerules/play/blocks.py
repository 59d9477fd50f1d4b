"""What is shown, as data: headings, paragraphs, lists and grids, and how they are laid out in lines of some width.

Layout knows no terminal. A line is a row of spans, each a text with the name of a style.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dunerules.visible import visible

__all__ = ["Block", "Command", "Entry", "Grid", "Heading", "Line", "Paragraph", "laid_out", "plain"]

Spans: TypeAlias = tuple[tuple[str, str], ...]
Line: TypeAlias = Spans
"""Texts with their styles."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A title."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A line to be copied: never wrapped."""

    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list: a mark such as a number, a name, and more about it."""

    mark: str
    name: str
    more: str = ""
    style: str = "name"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under column titles; the first column names the rows. Too many columns go on below."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: int = -1
    """The row that is the reader's own."""


Block: TypeAlias = Heading | Paragraph | Command | Entry | Grid


def laid_out(blocks: Sequence[Block], width: int) -> Iterator[Line]:
    """The lines of some blocks, none longer than `width` but for commands."""
    for block in blocks:
        if isinstance(block, Heading):
            yield from ((("title", line),) for line in _wrapped(block.text, width))
        elif isinstance(block, Paragraph):
            yield from (((block.style, line),) for line in _wrapped(block.text, width))
        elif isinstance(block, Command):
            yield (("", visible(block.text)),)
        elif isinstance(block, Entry):
            yield from _entry(block, width)
        else:
            yield from _grid(block, width)


def plain(line: Line) -> str:
    """A line without styles."""
    return "".join(text for _, text in line).rstrip()


def _wrapped(text: str, width: int, first: int = 0) -> list[str]:
    return textwrap.wrap(visible(text), width, initial_indent=" " * first, break_on_hyphens=False) or [""]


def _entry(entry: Entry, width: int) -> Iterator[Line]:
    indent = " " * (len(entry.mark) + 1) if entry.mark else "  "
    start = f"{entry.mark} " if entry.mark else "  "
    name = _wrapped(entry.name, width - len(indent))
    for number, line in enumerate(name[:-1]):
        yield (("mark", start if number == 0 else indent), (entry.style, line))
    last = name[-1] if name else ""
    opening: Line = (("mark", start if len(name) <= 1 else indent), (entry.style, last))
    if not entry.more:
        yield opening
        return
    gap = " " if last.endswith(":") else "  "
    used = len(indent) + len(last) + len(gap)
    if used + len(entry.more) > width and used > width // 2:
        yield opening
        rest = _wrapped(entry.more, width - len(indent) - 2)
        yield from ((("", f"{indent}  "), ("more", line)) for line in rest)
        return
    lines = _wrapped(entry.more, width - len(indent) - 2, max(0, used - len(indent) - 2))
    yield (*opening, ("", gap), ("more", lines[0].lstrip()))
    yield from ((("", f"{indent}  "), ("more", line)) for line in lines[1:])


def _grid(grid: Grid, width: int) -> Iterator[Line]:
    """Titles are stacked word by word, so that columns are as narrow as what stands in them."""
    titles = [title.split(" ") for title in grid.titles]
    cells = [[row[column] for row in grid.rows] for column in range(len(titles))]
    widths = [min(max(map(len, (*title, *column))), width // 3) for title, column in zip(titles, cells, strict=True)]
    columns = list(range(1, len(widths)))
    gap = 2 if sum(widths) + 2 * len(columns) <= width else 1
    while columns:
        taken = [0]
        used = widths[0]
        while columns and (len(taken) == 1 or used + gap + widths[columns[0]] <= width):
            used += gap + widths[columns[0]]
            taken.append(columns.pop(0))
        tallest = max(len(titles[column]) for column in taken)
        for level in range(tallest):
            parts = {column: [""] * (tallest - len(titles[column])) + titles[column] for column in taken}
            yield _row(grid, {column: parts[column][level] for column in taken}, widths, gap, "head")
        for number, row in enumerate(grid.rows):
            style = "you" if number == grid.strong else ""
            yield _row(grid, {column: row[column] for column in taken}, widths, gap, style)


def _row(grid: Grid, row: dict[int, str], widths: list[int], gap: int, style: str) -> Line:
    spans = []
    for column, text in row.items():
        place = widths[column]
        cut = text if len(text) <= place else f"{text[: place - 1]}…"
        shown = cut.rjust(place) if column and _numeric(grid, column) else cut.ljust(place)
        spans.append((style or ("row" if column == 0 else ""), shown))
        spans.append(("", " " * gap))
    return tuple(spans[:-1])


def _numeric(grid: Grid, column: int) -> bool:
    return all(row[column].lstrip("-−").isdigit() or row[column] in {"", "-", "?"} for row in grid.rows)
