"""Characters that cannot be seen, or make what is seen something else: control characters and bidi marks.

A text with them can clear a screen, start a line of its own in a log, or read otherwise than it is. They are a finding
in packs, and are shown as `\\u001b` wherever a text is printed.
"""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "HIDDEN_IN_LINES", "MARKS", "called", "escaped", "visible"]

_MARKS = (
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # change the direction of writing
    "\x85\u2028\u2029"  # line breaks to some readers, and none to others
    "\ufff9-\ufffb"  # annotations
)
_NONE = "\ufffe\uffff\ud800-\udfff"  # no characters at all

HIDDEN = re.compile(f"[\x00-\x1f\x7f-\x9f{_MARKS}{_NONE}]")
HIDDEN_IN_LINES = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{_MARKS}{_NONE}]")
"""The same in a text of several lines, with tabs."""
MARKS = re.compile(f"[{_MARKS}]")
"""Those of them that are no control characters to YAML, which refuses the others by itself."""


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
