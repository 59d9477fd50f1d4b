"""Formatting: `dunerules fmt` of one file."""

from __future__ import annotations

from lsprotocol import types as lsp

from dunerules.formatter import format_source
from dunerules.server.place import Place
from dunerules.server.positions import Text

__all__ = ["formatted", "smallest_edit"]


def formatted(place: Place) -> list[lsp.TextEdit] | None:
    """What makes a file canonical; nothing for a file that cannot be read, or that has no canonical form."""
    if place.understanding is None or place.file is None:
        return None
    text = format_source(place.file, place.understanding.words)
    return smallest_edit(place.text, text) if text is not None else None


def smallest_edit(text: Text, new: str) -> list[lsp.TextEdit]:
    """The change from one text to another, without the lines before and behind it that stay."""
    old = text.text
    if old == new:
        return []
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    last = next((i for i in range(shorter - first) if before[-1 - i] != after[-1 - i]), shorter - first)
    start, end = sum(map(len, before[:first])), len(old) - sum(map(len, before[len(before) - last :]))
    return [lsp.TextEdit(text.range(start, end), "".join(after[first : len(after) - last]))]
