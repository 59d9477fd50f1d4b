"""Lines of marks as HTML: what a locale writes between square brackets is one mark."""

from __future__ import annotations

import re

from dunerules.book.elements import Markup, element, text

__all__ = ["marks", "tells"]

_MARK = re.compile(r"\[([^\[\]]*)\]")
_MOST_WORDS = 4
"""Words in a mark or between marks; more of them are a sentence, and sentences are printed as such already."""


def tells(line: str) -> bool:
    """Whether a line says something in short that the words beside it say at length."""
    pieces = _MARK.split(line)
    return len(pieces) > 1 and all(len(piece.split()) <= _MOST_WORDS for piece in pieces)


def marks(line: str, *, beside: bool = False) -> Markup:
    """A line of marks. `beside` words that say the same it is only to be looked at."""
    pieces = _MARK.split(line)
    shown = [element("span", piece, class_="mark") if at % 2 else text(piece) for at, piece in enumerate(pieces)]
    return element("span", *shown, class_="marks", aria_hidden="true" if beside else "")
