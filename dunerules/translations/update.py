"""Bringing catalogues up to date with what there is to translate, without losing a word.

A text whose English has changed stays, marked fuzzy, with the English it was written for. A text that has moved to
another id (a paragraph after a new one) moves along. What is no longer asked for is kept at the end of the file as
obsolete, and comes back if it is asked for again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from os.path import lexists
from pathlib import Path

from dunerules.formats import FORMAT, HEADER
from dunerules.language.catalog import Catalog, Entry, read_catalog, write_catalog
from dunerules.language.extract import Collection, Text, english
from dunerules.language.places import SOURCE_LANGUAGE, catalog_path
from dunerules.problems import Problem
from dunerules.translations.override_texts import OVERRIDE, override_texts
from dunerules.translations.plural_forms import language_facts

__all__ = ["Updated", "current", "merged", "put", "update"]


@dataclass(frozen=True)
class Updated:
    """What became of one catalogue."""

    path: Path
    changed: bool
    new: int = 0
    fuzzy: int = 0
    obsolete: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the file was left alone because it could not be read whole."""
        return bool(self.problems)


def current(collection: Collection, language: str) -> tuple[Catalog, list[Problem], tuple[Text, ...]]:
    """The catalogue of a language as it is, what is wrong with its form, and the texts that should be in it."""
    path = catalog_path(collection.root, language, collection.name)
    catalog, problems = read_catalog(path) if lexists(path) else (Catalog(), [])
    texts = collection.texts
    if language != SOURCE_LANGUAGE:
        source = catalog_path(collection.home, SOURCE_LANGUAGE, collection.name)
        texts = english(texts, read_catalog(source)[0] if lexists(source) else Catalog())
    return catalog, problems, (*texts, *override_texts(collection, catalog))


def update(collection: Collection, language: str, authors: str) -> Updated:
    """Merge what there is to translate into a catalogue. One that is damaged is left as it is."""
    path = catalog_path(collection.root, language, collection.name)
    catalog, problems, texts = current(collection, language)
    problems += collection.problems
    if problems:
        return Updated(path, False, problems=tuple(problems))
    after = merged(catalog, texts, original=language == SOURCE_LANGUAGE)
    after = replace(after, headers=_headers(after, collection, language, authors), source=catalog.source)
    before = {entry.id: entry for entry in catalog.entries if not entry.obsolete}
    return Updated(
        path,
        write_catalog(path, after),
        sum(not entry.obsolete and entry.id not in before for entry in after.entries),
        sum(entry.status == "fuzzy" for entry in after.entries if not entry.obsolete),
        sum(entry.obsolete for entry in after.entries),
    )


def put(collection: Collection, language: str, text: Text, words: str) -> tuple[Path, list[Problem]]:
    """Write one translation into a catalogue, in place of what it has; not into one that is damaged."""
    path = catalog_path(collection.root, language, collection.name)
    catalog, problems, _ = current(collection, language)
    if not problems:
        old = next((entry for entry in catalog.entries if entry.id == text.id and not entry.obsolete), None)
        comments = (text.comment,) if text.comment else ()
        new = Entry(text.id, text.source, words, notes=old.notes if old else (), comments=comments)
        live = [entry for entry in catalog.entries if not entry.obsolete and entry.id != text.id]
        write_catalog(path, catalog.with_entries([*live, new, *(each for each in catalog.entries if each.obsolete)]))
    return path, problems


def merged(catalog: Catalog, texts: Iterable[Text], *, original: bool = False) -> Catalog:
    """The catalogue with exactly these texts; in the original language a text is its own translation."""
    texts = list(texts)
    known = {entry.id: entry for entry in sorted(catalog.entries, key=lambda entry: not entry.obsolete) if entry.id}
    wanted = {text.id: text.source for text in texts}
    # an entry whose id now asks for something else, or for nothing, may be what another id asks for
    moved = {
        (_kind(entry.id), entry.source): entry
        for entry in catalog.entries
        if entry.text and wanted.get(entry.id) != entry.source
    }
    entries, used = [], set()
    for text in texts:
        old = known.get(text.id)
        if old is None or old.source != text.source:
            old = moved.get((_kind(text.id), text.source), old)
        if old is not None:
            used.add(id(old))
        entries.append(_entry(text, old, original))
    left = [
        replace(entry, obsolete=True, references=(), comments=())
        for entry in catalog.entries
        if id(entry) not in used and (entry.text or entry.notes) and not (original and entry.text == entry.source)
    ]
    return catalog.with_entries([*entries, *sorted(_once(left), key=lambda entry: (entry.id, entry.source))])


def _kind(id_: str) -> str:
    return id_.partition(".")[0]


def _once(entries: list[Entry]) -> Iterable[Entry]:
    """Each obsolete text once."""
    return {(entry.id, entry.source, entry.text): entry for entry in entries}.values()


def _entry(text: Text, old: Entry | None, original: bool) -> Entry:
    comments = (text.comment,) if text.comment else ()
    references = (text.reference,) if text.reference else ()
    if old is None:
        return Entry(text.id, text.source, text.source if original else "", comments=comments, references=references)
    entry = replace(old, id=text.id, source=text.source, comments=comments, references=references, obsolete=False)
    if text.kind == OVERRIDE:
        if not old.text or (text.comment in old.comments and old.source == text.source):
            return entry
        return replace(entry, fuzzy=True, previous=old.previous or old.source)
    if original and (not old.text or old.text == old.source):
        return replace(entry, text=text.source, fuzzy=False, previous="")
    if old.source == text.source:
        return replace(entry, previous=old.previous if old.fuzzy else "")
    if not old.text:
        return entry
    if old.previous == text.source:
        return replace(entry, fuzzy=False, previous="")  # the English is again what the text was written for
    return replace(entry, fuzzy=True, previous=old.previous or old.source)


def _headers(catalog: Catalog, collection: Collection, language: str, authors: str) -> tuple[tuple[str, str], ...]:
    """The headers that editors and `msgfmt --check` ask for; what people wrote in others stays."""
    facts = language_facts(collection.root, language)
    now = time.strftime("%Y-%m-%d %H:%M+0000", time.gmtime())
    first = {
        "Project-Id-Version": collection.name,
        "PO-Revision-Date": now,
        "Last-Translator": authors,
        "Language-Team": facts.name,
    }
    if not catalog.headers:  # an older file is brought over by `dunerules migrate`, and by nothing else
        first[HEADER] = str(FORMAT)
    always = {
        "Language": language.replace("-", "_"),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    if facts.plural_forms:
        always["Plural-Forms"] = facts.plural_forms
    return tuple({**first, **dict(catalog.headers), **always}.items())
