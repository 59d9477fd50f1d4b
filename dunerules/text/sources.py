"""The language that packs are written in: there, what a pack calls a thing is its name, also without a catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dunerules.packs.library import Library
from dunerules.packs.pack import Pack
from dunerules.text.catalog import Catalog, Entry
from dunerules.text.extract import collections
from dunerules.text.locale import Locale
from dunerules.text.places import SOURCE_LANGUAGE

__all__ = ["with_sources"]


def with_sources(locale: Locale, packs: Sequence[Pack]) -> Locale:
    """A locale that falls back on the names in the packs, if it is the language of the packs; else the same."""
    if locale.code != SOURCE_LANGUAGE:
        return locale
    library = Library.of(pack.root for pack in packs)
    texts = [text for each in collections(list(packs), library) for text in each.texts]
    sources = Catalog(entries=tuple(Entry(text.id, text.source, text.source) for text in texts))
    return replace(locale, catalogs=(*locale.catalogs, sources))
