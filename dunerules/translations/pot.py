"""Templates: catalogues without translations, from which other programs begin a language or bring one up to date."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from os.path import lexists
from pathlib import Path

from dunerules.formats import FORMAT, HEADER
from dunerules.language.catalog import Catalog, read_catalog, write_catalog
from dunerules.language.extract import Collection
from dunerules.translations.update import Updated, in_english, merged

__all__ = ["template_path", "write_template"]


def template_path(collection: Collection) -> Path:
    """Where the template of a catalogue lies: beside the languages."""
    return collection.root / f"{collection.name}.pot"


def write_template(collection: Collection, comments: Mapping[str, tuple[str, ...]], *, lines: bool = False) -> Updated:
    """Write the template of a catalogue. One that is there changes only where it says something else."""
    path = template_path(collection)
    catalog, problems = read_catalog(path) if lexists(path) else (Catalog(), [])
    problems += collection.problems
    if problems:
        return Updated(path, False, problems=tuple(problems))
    empty = catalog.with_entries(replace(entry, text="", notes=()) for entry in catalog.entries)
    after = merged(empty, in_english(collection), comments, lines=lines)
    known = {entry.id for entry in catalog.entries}
    new = sum(entry.id not in known for entry in after.entries)
    return Updated(path, write_catalog(path, replace(after, headers=_headers(catalog, collection))), new)


def _headers(catalog: Catalog, collection: Collection) -> tuple[tuple[str, str], ...]:
    return catalog.headers or (
        ("Project-Id-Version", collection.name),
        ("POT-Creation-Date", time.strftime("%Y-%m-%d %H:%M+0000", time.gmtime())),
        ("Language", ""),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        (HEADER, str(FORMAT)),
    )
