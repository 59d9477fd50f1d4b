"""How far languages are: catalogues and grammar counted by language, pack and kind, as rows, a table and a badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, get_args
from xml.sax.saxutils import escape

from dunerules.language.catalog import Entry, Status
from dunerules.language.extract import Collection, Text
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale, locale_for
from dunerules.language.places import catalog_path
from dunerules.packs.pack import Pack
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError, Problem
from dunerules.translations.grammar_needs import GRAMMAR, grammar_needs
from dunerules.translations.update import current

__all__ = ["HOLE", "STATUSES", "Missing", "Progress", "Row", "badge", "progress", "status_of", "table", "total"]

STATUSES: tuple[Status, ...] = get_args(Status)

UNSHOWN = ("fuzzy", "missing")
"""Those that players do not read."""

HOLE = "hole"
"""The kind of what printed texts lack, and nobody has counted otherwise."""

Holes: TypeAlias = Callable[[Collection, Locale], set[str]]


@dataclass(frozen=True)
class Row:
    """Counts of one kind of thing in one catalogue and language; without a kind, of all together."""

    language: str
    pack: str
    kind: str
    counts: Counter[Status]

    @property
    def all(self) -> int:
        """How many texts there are."""
        return sum(self.counts.values())

    @property
    def shown(self) -> int:
        """How many of them players can read: all but fuzzy and missing ones."""
        return self.all - self.counts["fuzzy"] - self.counts["missing"]

    @property
    def percent(self) -> int:
        """The part that players can read, rounded down, so that 100 means all."""
        return 100 * self.shown // self.all if self.all else 100


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a language lacks: the file it belongs in, its kind and key, and what it is in English."""

    language: str
    file: str
    kind: str
    key: str
    english: str


@dataclass
class Progress:
    """A row for each language, catalogue and kind, all that is missing, and what is wrong with catalogues."""

    rows: list[Row] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def status_of(text: Text, entry: Entry | None) -> Status:
    """How far one text is; one written for other English than today's is fuzzy, marked or not."""
    if entry is None or not entry.text:
        return "missing"
    return "fuzzy" if entry.source != text.source else entry.status


def progress(collections: Iterable[Collection], languages: Iterable[str], holes: Holes | None = None) -> Progress:
    """How far some languages are. `holes` tells what printed texts lack, for those that are not counted otherwise."""
    found = Progress()
    collections = list(collections)
    together = tuple(dict.fromkeys(pack for each in collections for pack in each.packs))
    for language in languages:
        told: set[str] = set()
        here = [each for each in collections if language in each.languages]
        for each in sorted(here, key=lambda each: bool(each.packs)):  # the language itself first
            packs = each.packs or together
            locale = _locale(language, packs, each)
            absent = [*_catalogued(each, language, found), *_grammar(each, language, locale, found)]
            told |= {one.key for one in absent}
            found.missing += absent
            more = sorted(holes(each, locale) - told) if holes and locale is not None and each.packs else []
            if more:
                found.rows.append(Row(language, each.name, HOLE, Counter[Status]({"missing": len(more)})))
                found.missing += [Missing(language, shown_path(each.root / language), HOLE, key, "") for key in more]
                told |= set(more)
    order = [each.name for each in collections]
    found.rows.sort(key=lambda row: order.index(row.pack))
    return found


def _locale(language: str, packs: tuple[Pack, ...], collection: Collection) -> Locale | None:
    by = (collection.brought_by.root,) if collection.brought_by is not None else ()
    try:
        return locale_for(language, packs, by)[0]
    except CannotRunError:  # nothing is there yet, or it is there twice
        return None


def _catalogued(collection: Collection, language: str, found: Progress) -> Iterator[Missing]:
    """What a catalogue lacks; it is counted by kind."""
    catalog, wrong, texts = current(collection, language)
    found.problems += [*wrong, *collection.problems]
    file = shown_path(catalog_path(collection.root, language, collection.name))
    counts: dict[str, Counter[Status]] = {}
    for text in texts:
        status = status_of(text, catalog.get(text.id))
        counts.setdefault(text.kind, Counter())[status] += 1
        if status in UNSHOWN:
            yield Missing(language, file, text.kind, text.id, text.source)
    found.rows += [Row(language, collection.name, kind, counts[kind]) for kind in sorted(counts)]


def _grammar(collection: Collection, language: str, locale: Locale | None, found: Progress) -> Iterator[Missing]:
    """What lexicon and phrases lack; it is counted by kind."""
    needs = grammar_needs(collection, language, locale or Locale(language, Lexicon(language)))
    for kind in GRAMMAR:
        own = [each for each in needs if each.kind == kind]
        if own:
            met = sum(each.met for each in own)
            found.rows.append(
                Row(language, collection.name, kind, Counter[Status]({"translated": met, "missing": len(own) - met}))
            )
    for each in needs:
        if not each.met:
            file = shown_path(collection.root / language / each.file)
            yield Missing(language, file, each.kind, each.key, each.english)


def total(rows: Iterable[Row], language: str, pack: str = "") -> Row:
    """All rows of a language, or of one catalogue in it, as one."""
    counts: Counter[Status] = Counter()
    for row in rows:
        if row.language == language and pack in ("", row.pack):
            counts += row.counts
    return Row(language, pack, "", counts)


def table(rows: list[Row]) -> list[str]:
    """Rows for people, with a sum under each catalogue."""
    lines = [("language", "pack", "kind", *STATUSES, "all", "shown")]
    for language, pack in dict.fromkeys((row.language, row.pack) for row in rows):
        own = [row for row in rows if (row.language, row.pack) == (language, pack)]
        together = total(own, language, pack)
        for row in [*own, together]:
            counts = [str(row.counts[status] or "-") for status in STATUSES]
            lines.append((language, pack, row.kind or "all", *counts, str(row.all), f"{row.percent} %"))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place < 3 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def badge(rows: list[Row]) -> str:
    """A small picture for a page: each language and how much of it is shown."""
    languages = list(dict.fromkeys(row.language for row in rows))
    parts = [(language, total(rows, language).percent) for language in languages]
    boxes = [("translations", "#555"), *((f"{language} {percent} %", _colour(percent)) for language, percent in parts)]
    x, shapes, words = 0, [], []
    for text, colour in boxes:
        width = 7 * len(text) + 12
        shapes.append(f'<rect x="{x}" width="{width}" height="20" fill="{colour}"/>')
        words.append(f'<text x="{x + width / 2:g}" y="14">{escape(text)}</text>')
        x += width
    label = escape(", ".join(text for text, _ in boxes))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{x}" height="20" role="img" aria-label="{label}">',
            f"<title>{label}</title>",
            *shapes,
            '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
            *words,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _colour(percent: int) -> str:
    return "#2a7d2a" if percent == 100 else "#8a6d00" if percent >= 80 else "#a33"
