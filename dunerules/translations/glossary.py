"""The glossary as a table: every term in every language, for people, spreadsheets and other tools."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.translations.terms import noun_forms, read_terms

__all__ = ["Row", "as_csv", "as_json", "glossary"]


@dataclass(frozen=True, slots=True)
class Row:
    """One term in one language."""

    term: str
    language: str
    word: str
    gender: str
    forms: tuple[str, ...]
    forbidden: tuple[str, ...]
    enforced: bool
    """Whether translations are held to it."""
    note: str


def glossary(locales: Iterable[Locale], source: Lexicon, folders: dict[str, list[tuple[Path, str]]]) -> list[Row]:
    """The nouns of lexicons and the terms of glossaries, read in the `folders` of a language by name of catalogue."""
    rows = []
    for locale in locales:
        terms = {
            term.key: term
            for folder, name in folders.get(locale.code, [])
            for term in read_terms(folder, name, locale.lexicon, source)[0]
        }
        for key in sorted({*locale.lexicon.nouns, *terms}):
            noun, term = locale.lexicon.noun(key), terms.get(key)
            forms = noun_forms(noun) if noun is not None else term.use if term is not None else ()
            rows.append(
                Row(
                    key,
                    locale.code,
                    forms[0] if forms else "",
                    noun.gender if noun is not None else "",
                    forms,
                    term.forbidden if term is not None else (),
                    term is not None,
                    term.note if term is not None else "",
                )
            )
    return sorted(rows, key=lambda row: (row.term, row.language))


def as_csv(rows: list[Row]) -> str:
    """The table for spreadsheets; lists of words with a bar between them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row.__slots__)
    for row in rows:
        cells = [row.term, row.language, row.word, row.gender, " | ".join(row.forms), " | ".join(row.forbidden)]
        writer.writerow([*cells, "yes" if row.enforced else "", row.note])
    return text.getvalue()


def as_json(rows: list[Row]) -> str:
    """The table for programs."""
    return json.dumps([asdict(row) for row in rows], indent=2, ensure_ascii=False) + "\n"
