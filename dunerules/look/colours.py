"""Colours as six digits, and whether one can be read on another."""

from __future__ import annotations

import re

__all__ = ["GRAPHIC", "READABLE", "contrast", "is_colour", "mixed", "text_on"]

READABLE = 4.5
"""The least contrast between text and what it stands on."""
GRAPHIC = 3.0
"""The least contrast between a symbol and what it stands on."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\Z", re.IGNORECASE)


def is_colour(text: str) -> bool:
    """Whether this is a colour as we write them: nothing else ever comes into a picture."""
    return _COLOUR.match(text) is not None


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _light(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    shares = [part / 255 for part in _parts(colour)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """How much two colours differ, from 1 to 21."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def text_on(colour: str) -> str:
    """The colour for text on any other: one of black and white can always be read."""
    return max("#ffffff", "#000000", key=lambda each: contrast(each, colour))


def mixed(one: str, other: str, share: float) -> str:
    """Some of one colour in another."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)
