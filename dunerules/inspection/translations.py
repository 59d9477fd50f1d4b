"""`dunerules i18n check`, without the printing: everything wrong with the languages of some packs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os.path import lexists
from pathlib import Path

from dunerules.checker.ignores import apply_ignores
from dunerules.language.catalog import Catalog, Entry
from dunerules.language.extract import Collection
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale, locale_for
from dunerules.language.places import SOURCE_LANGUAGE, catalog_path
from dunerules.language.reading import read_locale_file
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import shown_path
from dunerules.problems import Problem
from dunerules.text.meanings import meanings_of
from dunerules.translations.lexicon_checks import check_lexicon
from dunerules.translations.locale_checks import Desk, check_catalog
from dunerules.translations.panel_checks import check_panels
from dunerules.translations.phrase_checks import check_phrases
from dunerules.translations.terms import read_limits, read_terms
from dunerules.translations.update import current
from dunerules.translations.word_checks import check_words
from dunerules.understanding.understand import understand

__all__ = ["CheckedLocales", "check_locales"]

_IGNORE = re.compile(r"dunerules:[ \t]*ignore\b(?:\[(?P<codes>[^\]]*)\])?")


@dataclass(frozen=True)
class CatalogFile(PackFile):
    """A catalogue among the files that are reported on; it is not YAML."""

    @property
    def node(self) -> Node | None:
        """Nothing: the content is read elsewhere."""
        return None


@dataclass(frozen=True)
class CheckedLocales:
    """The outcome of a check."""

    problems: list[Problem]
    files: dict[str, PackFile]
    packs: list[Pack]
    languages: tuple[str, ...]


def check_locales(packs: list[Pack], collections: Sequence[Collection], languages: Iterable[str]) -> CheckedLocales:
    """Everything wrong with some languages, in order of file and place. A damaged one does not hide the others."""
    languages = tuple(languages)
    chosen = tuple(dict.fromkeys(pack for each in collections for pack in each.packs))
    brought = tuple(dict.fromkeys(each.brought_by.root for each in collections if each.brought_by is not None))
    sources = {each.name: _locale(SOURCE_LANGUAGE, each.packs or chosen)[0] for each in collections}
    problems: list[Problem] = []
    files: dict[str, PackFile] = {}
    catalogs: dict[str, Catalog] = {}
    meanings = {each.name: meanings_of(Selection(each.packs)) for each in collections if each.packs}
    vocabulary = understand(Selection(chosen)).words
    for language in languages:
        locale, _ = _locale(language, chosen, brought)
        for each in (each for each in collections if language in each.languages):
            # a pack is read in its own words: another one may call something else by the same name
            by = (each.brought_by.root,) if each.brought_by is not None else ()
            own, found = _locale(language, each.packs, by) if each.packs else (locale, [])
            source = sources[each.name]
            problems += found
            if own is not None and each.packs:
                problems += check_phrases(own, meanings[each.name].words)
            if own is not None:
                problems += check_words(each, language, own, meanings[each.name].words if each.packs else vocabulary)
            words = own.lexicon if own is not None else Lexicon(language)
            path = catalog_path(each.root, language, each.name)
            files[shown_path(path)] = CatalogFile(path, shown_path(path), "po")
            catalog, found, texts = current(each, language)
            catalogs[shown_path(path)] = catalog
            problems += [*found, *each.problems]
            lexicons = list(_lexicons(each, language, words))
            problems += [problem for _, found in lexicons for problem in found]
            files |= {file.name: file for file, _ in lexicons}
            terms, found = read_terms(path.parent, each.name, words, source.lexicon if source else Lexicon(""))
            problems += found
            limits, found = read_limits(each.home, each.name)
            problems += found
            by_id = {text.id: text for text in texts}
            if own is not None and each.packs and not each.problems:
                problems += check_panels(meanings[each.name], own, limits, each.name)
            desk = Desk(language, catalog, by_id, shown_path(path), words, terms, limits)
            problems += [] if each.problems else check_catalog(desk)  # what to translate is not known whole
    files |= {found.span.file: _file(found.span.file) for found in problems if found.span.file not in files}
    unique = list(dict.fromkeys(problems))
    kept = _without_ignored(unique, files, catalogs)
    return CheckedLocales(sorted(kept, key=lambda each: (each.span, each.code, each.message)), files, packs, languages)


def _locale(
    language: str, packs: tuple[Pack, ...], brought: tuple[Path, ...] = ()
) -> tuple[Locale | None, list[Problem]]:
    from dunerules.problems import CannotRunError

    try:
        return locale_for(language, packs, brought)
    except CannotRunError:  # only catalogues are there yet, or nothing
        return None, []


def _file(name: str) -> PackFile:
    kind = next((kind for kind in ("lexicon", "phrases") if name.endswith(f"{kind}.yaml")), "")
    return PackFile(Path(name), name, kind) if kind else CatalogFile(Path(name), name, "")


def _lexicons(collection: Collection, language: str, words: Lexicon) -> Iterator[tuple[PackFile, list[Problem]]]:
    for name in ("lexicon.yaml", f"{collection.name}.lexicon.yaml"):
        path = collection.root / language / name
        if lexists(path):
            node, problems = read_locale_file(path, "lexicon", todo=True)
            found = list(check_lexicon(node, words)) if node is not None else []
            yield PackFile(path, shown_path(path), "lexicon"), [*problems, *found]


# ---- notes of translators that allow something


def _without_ignored(
    problems: list[Problem], files: dict[str, PackFile], catalogs: dict[str, Catalog]
) -> list[Problem]:
    """Findings without those that a note in their entry allows, and what is wrong with such notes.

    In a catalogue a note stands above the whole entry, not above the line of the finding; so each finding is shown to
    the common machinery as if it stood right below its note.
    """
    places: dict[Problem, Problem] = {}
    for found in problems:
        catalog = catalogs.get(found.span.file)
        line = _note(catalog, found) if catalog is not None else 0
        moved = replace(found, span=replace(found.span, line=line + 1)) if line else found
        places[moved] = found
    return [places.get(each, each) for each in apply_ignores(list(places), files)]


def _note(catalog: Catalog, found: Problem) -> int:
    """The line of the note that allows a finding, or 0."""
    if catalog.source is None:
        return 0
    entry = _entry_at(catalog, found.span.line)
    lines = catalog.source.text.splitlines()
    for number in range(entry.line if entry else found.span.line, found.span.line):
        match = _IGNORE.search(lines[number - 1]) if lines[number - 1].lstrip().startswith("#") else None
        if match is not None and found.code in (match["codes"] or ""):
            return number
    return 0


def _entry_at(catalog: Catalog, line: int) -> Entry | None:
    before = [entry for entry in catalog.entries if 0 < entry.line <= line]
    return max(before, key=lambda entry: entry.line, default=None)
