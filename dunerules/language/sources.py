"""The language that packs are written in: there, what a pack calls a thing is its name, also without a catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dunerules.language.catalog import Catalog, Entry
from dunerules.language.extract import collections, made_names
from dunerules.language.locale import Locale
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack

__all__ = ["with_sources"]


def with_sources(locale: Locale, packs: Sequence[Pack]) -> Locale:
    """A locale that falls back on the names in the packs, if it is the language of the packs; and, as every language
    does, on the names that nobody has written."""
    made = made_names(tuple(packs))
    if made:
        locale = replace(locale, catalogs=(*locale.catalogs, _named(made)))
    if locale.code != SOURCE_LANGUAGE:
        return locale
    library = Library.of(pack.root for pack in packs)
    texts = {text.id: text.source for each in collections(list(packs), library) for text in each.texts}
    return replace(locale, catalogs=(*locale.catalogs, _named(texts)))


def _named(texts: Mapping[str, str]) -> Catalog:
    return Catalog(entries=tuple(Entry(id_, source, source) for id_, source in texts.items()))
