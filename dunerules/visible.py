"""Characters that cannot be seen, or make what is seen something else: control characters and bidi marks.

A text with them can clear a screen, start a line of its own in a log, or read otherwise than it is. They are a finding
in packs, and are shown as `\\u001b` wherever a text is printed.
"""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "called", "escaped", "visible"]

HIDDEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # marks that change the direction of writing
    "\u2028\u2029"  # line breaks to some readers, and none to others
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"  # annotations, and what is no character at all
    "]"
)


def visible(text: str, keep: str = "") -> str:
    """A text that shows what is in it, on one line; the characters of `keep` stay as they are."""
    return HIDDEN.sub(lambda found: found[0] if found[0] in keep else escaped(found[0]), text)


def escaped(text: str) -> str:
    """Every character as `\\uXXXX`, which JSON reads as the same text."""
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def called(character: str) -> str:
    """A character as messages call it: `U+202E`."""
    return f"U+{ord(character):04X}"
