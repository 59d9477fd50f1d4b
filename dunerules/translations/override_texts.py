"""Overrides as texts to translate: the English of their panels, and what they are written for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dunerules.language.catalog import Catalog
from dunerules.language.extract import Collection, Text
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.packs.library import Selection
from dunerules.problems import CannotRunError
from dunerules.text.overrides import basis, parts_of, rule_text

if TYPE_CHECKING:
    from dunerules.language.locale import Locale
    from dunerules.text.meanings import Meanings

__all__ = ["OVERRIDE", "override_texts", "texts_of_panels"]

OVERRIDE = "override"
"""The kind of such texts."""


def override_texts(collection: Collection, catalog: Catalog) -> tuple[Text, ...]:
    """The texts that the overrides in a catalogue stand for; one for a panel that is not there stands for nothing.

    Other programs put overrides aside, since no template has them: these come back.
    """
    wanted = dict.fromkeys(entry.id for entry in catalog.entries if parts_of(entry.id) is not None)
    return texts_of_panels(collection, [*wanted]) if wanted else ()


def texts_of_panels(collection: Collection, ids: list[str]) -> tuple[Text, ...]:
    """The texts that overrides with these ids stand for, without those of panels that are not there."""
    from dunerules.language.locale import load_locale
    from dunerules.text.meanings import meanings_of

    if not collection.packs:
        return ()
    try:
        locale, _ = load_locale(SOURCE_LANGUAGE, collection.packs)
    except CannotRunError:
        return ()
    # an override of the English itself is a text like any other, not the source of others
    catalogs = (
        each.with_entries(entry for entry in each.entries if parts_of(entry.id) is None) for each in locale.catalogs
    )
    plain = replace(locale, catalogs=tuple(catalogs))
    meanings = meanings_of(Selection(collection.packs))
    found = (_text(id_, meanings, plain) for id_ in ids)
    return tuple(text for text in found if text is not None)


def _text(id_: str, meanings: Meanings, locale: Locale) -> Text | None:
    from dunerules.text.render import describe

    parts = parts_of(id_)
    rule = rule_text(meanings.content, *parts) if parts is not None else None
    if parts is None or rule is None:
        return None
    kind, object_id, slot = parts
    panels = describe(meanings, locale, kind, object_id, "words")
    words = next((panel.words for panel in panels if panel.slot == slot), None)
    return None if words is None else Text(id_, OVERRIDE, words, comment=basis(rule, words), reference=id_)
