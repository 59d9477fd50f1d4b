"""Safe mends of translations: the one name that can have been meant, and the setting that a language asks for."""

from __future__ import annotations

from collections.abc import Sequence

from dunerules.language.catalog import Catalog, Entry
from dunerules.packs.nodes import Node
from dunerules.problems import Edit

__all__ = ["corrected", "retyped"]


def corrected(near: Sequence[str], node: Node, start: int = 0, end: int | None = None) -> tuple[Edit, ...]:
    """The edit that writes the one name that can have been meant in place of a part of a text."""
    if len(near) != 1 or node.kind != "text":
        return ()
    end = len(node.value) if end is None else end
    first = node.place(start)
    if node.source.text[first : first + end - start] != node.value[start:end]:
        return ()  # written with escapes, or over several lines
    return (Edit(first, first + end - start, near[0]),)


def retyped(catalog: Catalog, entry: Entry, text: str) -> tuple[Edit, ...]:
    """The edit that writes a translation anew, if it stands in one line and needs no escapes."""
    source = catalog.source
    if source is None or any(mark in entry.text + text for mark in '\\"\n\t'):
        return ()
    at = source.line_starts[catalog.span(entry, "msgstr").line - 1]
    was = f'msgstr "{entry.text}"'
    if not source.text.startswith(was, at):
        return ()
    return (Edit(at, at + len(was), f'msgstr "{text}"'),)
