"""Catalogues that come back from other formats.

Converters drop ids (`msgctxt`), or put a place there. What they keep is the English and where it stands: an entry
without an id gets that of the text with the same English in the same file; where several are alike, in the order of
their lines. Tables, as for spreadsheets, have an apostrophe before texts that begin like a formula; it is taken away.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from dunerules.language.catalog import Catalog, Entry, place_of
from dunerules.language.extract import Text
from dunerules.text.overrides import parts_of

__all__ = ["mended"]

_GUARD = re.compile(r"'(?=[-+=@])")
"""The apostrophe before what a spreadsheet would take for a formula."""


def mended(catalog: Catalog, texts: Iterable[Text]) -> Catalog:
    """The catalogue as it was before it was converted, as far as that can be told for certain."""
    return _with_ids(catalog.with_entries(map(_without_guard, catalog.entries)), texts)


def _without_guard(entry: Entry) -> Entry:
    guarded = not entry.has_id and _GUARD.match(entry.source) is not None
    source = entry.source[1:] if guarded else entry.source
    if not _GUARD.match(entry.text) or not source.startswith(entry.text[1]):
        return entry if source == entry.source else replace(entry, source=source)
    return replace(entry, source=source, text=entry.text[1:])


def _with_ids(catalog: Catalog, texts: Iterable[Text]) -> Catalog:
    lost = [entry for entry in catalog.entries if not entry.obsolete and not entry.has_id]
    if not lost:
        return catalog
    there = {entry.id for entry in catalog.entries if not entry.obsolete}
    wanted: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for text in texts:
        if text.id not in there:
            file, line = place_of(text.reference)
            wanted[text.source, file].append((line, text.id))
    found: dict[int, str] = {}
    alike: dict[tuple[str, str], list[tuple[int, Entry]]] = defaultdict(list)
    for entry in lost:
        file, line = place_of(entry.references[0] if entry.references else "")
        if parts_of(file) is not None:  # a sentence by hand, whose place is its id
            found[id(entry)] = file
        alike[entry.source, file].append((line, entry))
    for key, entries in alike.items():
        ids = sorted(wanted[key])
        if len(ids) == len(entries):
            in_order = sorted(entries, key=lambda each: each[0])
            found |= {id(entry): id_ for (_, entry), (_, id_) in zip(in_order, ids, strict=True)}
    return catalog.with_entries(replace(each, id=found.get(id(each), each.id)) for each in catalog.entries)
