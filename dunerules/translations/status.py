"""How far translations are: counts by language, pack and kind of thing, as rows, a table and a badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args
from xml.sax.saxutils import escape

from dunerules.language.catalog import Entry, Status
from dunerules.language.extract import Collection, Text
from dunerules.problems import Problem
from dunerules.translations.update import current

__all__ = ["STATUSES", "Row", "badge", "rows", "status_of", "table", "total"]

STATUSES: tuple[Status, ...] = get_args(Status)


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


def status_of(text: Text, entry: Entry | None) -> Status:
    """How far one text is; one written for other English than today's is fuzzy, marked or not."""
    if entry is None or not entry.text:
        return "missing"
    return "fuzzy" if entry.source != text.source else entry.status


def rows(collections: Iterable[Collection], languages: Iterable[str]) -> tuple[list[Row], list[Problem]]:
    """A row for each language, catalogue and kind, and what is wrong with the form of the catalogues."""
    found: list[Row] = []
    problems: list[Problem] = []
    collections = list(collections)
    for language in languages:
        for each in (each for each in collections if language in each.languages):
            catalog, wrong, texts = current(each, language)
            problems += [*wrong, *each.problems]
            counts: dict[str, Counter[Status]] = {}
            for text in texts:
                counts.setdefault(text.kind, Counter())[status_of(text, catalog.get(text.id))] += 1
            found += [Row(language, each.name, kind, counts[kind]) for kind in sorted(counts)]
    return found, problems


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
