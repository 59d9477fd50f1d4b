"""Bringing catalogues up to date with what there is to translate, without losing a word.

A text whose English has changed stays, marked fuzzy, with the English it was written for. A text that has moved to
another id (a paragraph after a new one) moves along. What is no longer asked for is kept at the end of the file as
obsolete, and comes back if it is asked for again.

Where a text stands is told with its line. Lines move with every edit, so an entry keeps the line it has until something
else of it changes: what an edit of a pack changes in catalogues is what it changed for translators.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os.path import lexists
from pathlib import Path

from dunerules.formats import FORMAT, HEADER
from dunerules.language.catalog import Catalog, Entry, place_of, read_catalog, write_catalog
from dunerules.language.extract import MESSAGE, Collection, Text, english
from dunerules.language.places import SOURCE_LANGUAGE, catalog_path
from dunerules.language.template import plain_slots
from dunerules.problems import Problem
from dunerules.text.overrides import rule_of, with_basis
from dunerules.translations.override_texts import OVERRIDE, override_texts
from dunerules.translations.plural_forms import language_facts
from dunerules.translations.returned import mended

__all__ = ["Updated", "current", "in_english", "merged", "put", "update"]

_BRACES = "python-brace-format"
"""The flag by which gettext and editors check slots. It is true of `{slot}`, and not of slots that ask for a form."""


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
    texts = collection.texts if language == SOURCE_LANGUAGE else in_english(collection)
    catalog = mended(catalog, texts)
    return catalog, problems, (*texts, *override_texts(collection, catalog))


def in_english(collection: Collection) -> tuple[Text, ...]:
    """What there is to translate, as the English catalogue has it."""
    source = catalog_path(collection.home, SOURCE_LANGUAGE, collection.name)
    return english(collection.texts, read_catalog(source)[0] if lexists(source) else Catalog())


def update(
    collection: Collection, language: str, authors: str, comments: Mapping[str, tuple[str, ...]], *, lines: bool = False
) -> Updated:
    """Merge what there is to translate into a catalogue. One that is damaged is left as it is.

    `comments` are for translators, by id. With `lines`, references follow also where nothing but a line has changed.
    """
    path = catalog_path(collection.root, language, collection.name)
    catalog, problems, texts = current(collection, language)
    problems += collection.problems
    if problems:
        return Updated(path, False, problems=tuple(problems))
    after = merged(catalog, texts, comments, original=language == SOURCE_LANGUAGE, lines=lines)
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
        notes = with_basis(old.notes if old else (), text.comment)
        new = Entry(text.id, text.source, words, notes=notes, references=(text.reference,))
        live = [entry for entry in catalog.entries if not entry.obsolete and entry.id != text.id]
        write_catalog(path, catalog.with_entries([*live, new, *(each for each in catalog.entries if each.obsolete)]))
    return path, problems


def merged(
    catalog: Catalog,
    texts: Iterable[Text],
    comments: Mapping[str, tuple[str, ...]] = {},
    *,
    original: bool = False,
    lines: bool = False,
) -> Catalog:
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
        new = _described(_entry(text, old, original), text, comments.get(text.id, ()))
        entries.append(_with_old_lines(new, old) if old is not None and not lines else new)
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
    """An entry for a text, with the translation that there is."""
    if old is None:
        return Entry(text.id, text.source, text.source if original else "")
    entry = replace(old, id=text.id, source=text.source, obsolete=False)
    if text.kind == OVERRIDE:
        entry = replace(entry, notes=with_basis(old.notes, text.comment))
        same = rule_of(*old.notes, *old.comments) == rule_of(text.comment) and old.source == text.source
        return entry if same or not old.text else replace(entry, fuzzy=True, previous=old.previous or old.source)
    if original and (not old.text or old.text == old.source):
        return replace(entry, text=text.source, fuzzy=False, previous="")
    if old.source == text.source:
        return replace(entry, previous=old.previous if old.fuzzy else "")
    if not old.text:
        return entry
    if old.previous == text.source:
        return replace(entry, fuzzy=False, previous="")  # the English is again what the text was written for
    return replace(entry, fuzzy=True, previous=old.previous or old.source)


def _described(entry: Entry, text: Text, comments: tuple[str, ...]) -> Entry:
    """An entry with what programs and translators are told about it."""
    flags = tuple(flag for flag in entry.flags if flag != _BRACES)
    if text.kind == MESSAGE and plain_slots(entry.source) and plain_slots(entry.text or entry.source):
        flags = (*flags, _BRACES)
    return replace(entry, comments=comments, flags=flags, references=(text.reference,) if text.reference else ())


def _with_old_lines(entry: Entry, old: Entry) -> Entry:
    """The entry as it was, if it has only moved within its file."""
    moved = [*map(_file, entry.references)] == [*map(_file, old.references)]
    return old if moved and replace(entry, references=old.references) == old else entry


def _file(reference: str) -> tuple[str, bool]:
    """The file of a reference, and whether it has a line."""
    file, line = place_of(reference)
    return file, line > 0


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
