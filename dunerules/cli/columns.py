"""Blocks of lines side by side on a wide terminal; one below the other elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

__all__ = ["side_by_side"]

_LEAST = 38
"""Characters that a column needs."""

_APART = 3
"""Blanks between two columns."""


def side_by_side(blocks: Sequence[list[str]], width: int | None = None) -> list[str]:
    """Blocks in columns, line beside line, if they fit into so many characters; by default those of the terminal."""
    if width is None:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    column = (width - _APART * (len(blocks) - 1)) // max(len(blocks), 1)
    if len(blocks) < 2 or column < _LEAST:
        return [line for block in blocks for line in block]
    return [row for lines in zip_longest(*blocks, fillvalue="") for row in _rows(lines, column)]


def _rows(lines: Sequence[str], column: int) -> list[str]:
    """Lines beside each other, each broken to fit into its column."""
    parts = [_broken(line, column) for line in lines]
    rows = zip_longest(*parts, fillvalue="")
    return [(" " * _APART).join(cell.ljust(column) for cell in row).rstrip() for row in rows]


def _broken(line: str, column: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip(" ")))
    return wrap(line, column, subsequent_indent=f"{indent}  ") or [""]
