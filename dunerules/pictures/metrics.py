"""How wide letters are: a table made from the font that comes along, so that nothing here needs a library of fonts."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from dunerules.files import from_json, read_regular

__all__ = ["ASCENT", "DESCENT", "FAMILY", "FONTS", "POINT", "lacking", "shown", "width"]

FONTS = Path(__file__).parent / "fonts"
FAMILY = "Fira Sans Condensed"
POINT = 25.4 / 72
"""Millimetres."""
ASCENT, DESCENT = 0.935, 0.265
"""Of a line, in its size."""

_UNKNOWN, _WIDE = 600, 1000
"""Thousandths for a letter that the font lacks, which some other font will draw."""


@cache
def _table(bold: bool) -> dict[str, int]:
    table = from_json(read_regular(FONTS / "widths.json"))
    return dict(zip(table["letters"], table["semibold" if bold else "regular"], strict=True))


def _other(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN


@cache
def _units(text: str, bold: bool) -> int:
    table = _table(bold)
    return sum(table[letter] if letter in table else _other(letter) for letter in text)


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is in a size, in the unit of that size."""
    return _units(text, bold) * size / 1000


def shown(text: str) -> str:
    """A text in letters that the font has, where there are others that say the same."""
    return text.replace("⟨", "‹").replace("⟩", "›")


def lacking(text: str) -> str:
    """The letters of a text that the font lacks, but for those that nobody sees."""
    missing = dict.fromkeys(letter for letter in text if letter not in _table(False))
    return "".join(each for each in missing if not each.isspace() and unicodedata.category(each) != "Cf")
