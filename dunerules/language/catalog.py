"""Catalogues of translations: PO files read and written with polib, as Poedit and Weblate do.

The id of a text is its `msgctxt`, the English it was translated from its `msgid`. A line `# status: proposed` says how
sure a name is: `official` was read in a printed source, `proposed` waits for a reviewer. A text without such a line is
simply translated. It is a comment of translators, since that is what every editor and converter keeps: programs of GNU
gettext drop flags they do not know, and take comments for translators (`#.`) from the template. In older files the mark
is such a comment, with a flag; they are read, and what a translator says counts more than both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dunerules.formats import HEADER, unreadable
from dunerules.language.po_lines import sound_lines
from dunerules.packs.pack import find_pack_root
from dunerules.packs.shape import UNKNOWN_FORMAT
from dunerules.packs.source import SEEN, Source, decode, hidden_characters, read_bytes, shown_path, write_own
from dunerules.problems import Problem, Span, problem
from dunerules.visible import called

if TYPE_CHECKING:
    import polib

__all__ = ["Catalog", "Entry", "Status", "catalog_text", "place_of", "read_catalog", "write_catalog"]

Status = Literal["official", "translated", "proposed", "fuzzy", "missing"]

_MARK = "status:"
_ESCAPED = re.compile("[\r\v\b\f]")
"""What an entry can hide by an escape; others are seen in the file."""
_CLAIMS = ("official", "proposed")
_TO_REVIEW = "proposed, to be reviewed"
"""A note that proposed names had beside their mark."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One text: its id, the English it stands for, the translation, and what people noted about it."""

    id: str
    source: str
    text: str = ""
    claim: str = ""
    """`official`, `proposed` or nothing."""
    fuzzy: bool = False
    previous: str = ""
    """The English that the text was written for, when that is no longer the source."""
    notes: tuple[str, ...] = ()
    """Lines of translators."""
    comments: tuple[str, ...] = ()
    """Lines for translators, written by `i18n update`."""
    references: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """Flags besides `fuzzy`."""
    obsolete: bool = False
    line: int = field(default=0, compare=False)

    @property
    def has_id(self) -> bool:
        """Whether the id is one: converters to other formats drop it, or put the place of the text there."""
        return bool(self.id) and "/" not in self.id

    @property
    def status(self) -> Status:
        """How far the text is."""
        if not self.text:
            return "missing"
        if self.fuzzy:
            return "fuzzy"
        if self.claim == "official":
            return "official"
        return "proposed" if self.claim == "proposed" else "translated"

    @property
    def shown(self) -> str | None:
        """The text if it may be shown to players: what is missing or fuzzy is not, as everywhere in gettext."""
        return self.text if self.text and not self.fuzzy else None


@dataclass(frozen=True)
class Catalog:
    """The texts of one file. `damaged` files were read as far as possible and must not be written."""

    headers: tuple[tuple[str, str], ...] = ()
    entries: tuple[Entry, ...] = ()
    """In the order of the file; obsolete ones too."""
    preamble: tuple[str, ...] = ()
    """The comment above the headers."""
    damaged: bool = False
    source: Source | None = field(default=None, compare=False, repr=False)

    @cached_property
    def _by_id(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in reversed(self.entries) if not entry.obsolete}

    @cached_property
    def _lines(self) -> list[str]:
        return self.source.text.splitlines() if self.source is not None else []

    def get(self, id_: str) -> Entry | None:
        """The entry of an id, if there is one that is not obsolete."""
        return self._by_id.get(id_)

    def header(self, name: str) -> str:
        """The value of a header, or nothing."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def with_entries(self, entries: Iterable[Entry]) -> Catalog:
        """The same file with other entries."""
        return replace(self, entries=tuple(entries))

    def span(self, entry: Entry, part: str = "msgctxt") -> Span:
        """Where a part of an entry stands: `msgctxt`, `msgid` or `msgstr`."""
        if self.source is None or not entry.line:
            return Span("", 1, 1, 1, 2)
        lines = self._lines
        for number in range(entry.line - 1, min(entry.line + 200, len(lines))):
            bare = lines[number].strip().removeprefix("#~").lstrip()
            if bare.startswith(part):
                column = lines[number].index(part) + 1
                return Span(self.source.name, number + 1, column, number + 1, len(lines[number].rstrip()) + 1)
        return Span(self.source.name, entry.line, 1, entry.line, 2)


def read_catalog(path: Path) -> tuple[Catalog, list[Problem]]:
    """The catalogue in a file and everything wrong with its form. Never raises; what can be read is read."""
    name = shown_path(path)
    data, problems = read_bytes(path, name)
    if data is None:
        return Catalog(damaged=True), [replace(each, expected="a PO file that can be read") for each in problems]
    catalog, found = _parsed(data, name, in_pack=find_pack_root(path.absolute().parent) is not None)
    return catalog, [*found]


@lru_cache(maxsize=32)
def _parsed(data: bytes, name: str, *, in_pack: bool) -> tuple[Catalog, tuple[Problem, ...]]:
    """What the bytes of a file say. Packs share languages, so the same ones come again."""
    source, problems = decode(data, name)
    if source is None:
        return Catalog(damaged=True), tuple(problems)
    text, damage = sound_lines(source.text, name)
    import polib

    try:
        parsed = polib.pofile(text)
    except (OSError, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        line = re.search(r"line (\d+)", str(error))
        span = Span(name, int(line[1]), 1, int(line[1]), 2) if line is not None else source.span(0, 1)
        found = problem("DR801", "the catalogue cannot be read from here on", span, expected="an entry")
        return Catalog(damaged=True, source=source), (*problems, *damage, found)
    counted = [each for each in parsed if each.msgid_plural]
    headers = tuple((key, str(value)) for key, value in parsed.ordered_metadata())
    unread = _unread(headers, source, in_pack=in_pack)
    catalog = Catalog(
        headers,
        tuple(_entry(each) for each in parsed if not each.msgid_plural),
        tuple(parsed.header.split("\n")) if parsed.header else (),
        bool(damage or counted or unread),
        source,
    )
    more = [*_plurals(catalog, counted), *_twice(catalog), *_hidden(catalog)]
    return catalog, (*problems, *unread, *hidden_characters(source), *damage, *more)


def _hidden(catalog: Catalog) -> Iterator[Problem]:
    """Control characters that are written as escapes, and translations on several lines of what is one line."""
    for entry in catalog.entries:
        for part, text in (("msgctxt", entry.id), ("msgid", entry.source), ("msgstr", entry.text)):
            found = _ESCAPED.search(text)
            if found is not None:
                message = f"{called(found[0])}, which cannot be seen"
                yield problem("DR014", message, catalog.span(entry, part), expected=SEEN)
        if "\n" in entry.text and "\n" not in entry.source:
            message = "a line break in the translation of a single line"
            yield problem("DR014", message, catalog.span(entry, "msgstr"), expected="one line, as in English")


def _unread(headers: Iterable[tuple[str, str]], source: Source, *, in_pack: bool) -> list[Problem]:
    """A format that we do not read; for a catalogue without a header for it its pack speaks."""
    said = next((value.strip() for key, value in headers if key.lower() == HEADER.lower()), None)
    if said is None and in_pack:
        return []
    if said is None or re.fullmatch(r"[1-9][0-9]{0,8}", said):
        fault = unreadable(int(said or 0))
    else:
        fault = f"`{said[:40]}` is not the number of a format", f"`{HEADER}: 1`"
    at = max(source.text.lower().find(HEADER.lower()), 0)
    span = source.span(at, at + len(HEADER))
    return [problem(UNKNOWN_FORMAT, fault[0], span, expected=fault[1])] if fault is not None else []


def _plurals(catalog: Catalog, counted: list[polib.POEntry]) -> list[Problem]:
    """Entries in the form that gettext has for plurals."""
    expected = "an amount in a slot; the lexicon knows its forms"
    return [
        problem("DR803", "an entry with plural forms", catalog.span(_entry(each), "msgid_plural"), expected=expected)
        for each in counted
    ]


def _twice(catalog: Catalog) -> list[Problem]:
    """Ids that more than one entry has."""
    seen: dict[tuple[str, str], Entry] = {}
    found = []
    for entry in catalog.entries:
        if entry.obsolete:
            continue
        first = seen.setdefault((entry.id, "" if entry.has_id else entry.source), entry)
        if first is not entry:
            what = f"`{entry.id}`" if entry.id else f"the text `{entry.source[:40]}` without an id"
            message, related = f"{what} stands here twice", ((catalog.span(first), "first"),)
            span = catalog.span(entry)
            found.append(problem("DR802", message, span, expected="one entry for each id", related=related))
    return found


def _entry(found: polib.POEntry) -> Entry:
    claim = ""
    comments, notes = [], []
    for line in _lines(found.comment):
        claim, kept = _claim(line, claim)
        comments += [line] if kept else []
    if "proposed" in found.flags:
        claim = claim or "proposed"
    for line in _lines(found.tcomment):
        claim, kept = _claim(line, claim)
        notes += [line] if kept else []
    if claim:
        notes = [line for line in notes if line != _TO_REVIEW]
    return Entry(
        id=found.msgctxt or "",
        source=found.msgid,
        text=found.msgstr,
        claim=claim,
        fuzzy="fuzzy" in found.flags,
        previous=found.previous_msgid or "",
        notes=tuple(notes),
        comments=tuple(comments),
        references=tuple(f"{file}:{line}" if line else file for file, line in found.occurrences),
        flags=tuple(flag for flag in found.flags if flag not in {"fuzzy", "proposed"}),
        obsolete=bool(found.obsolete),
        line=found.linenum or 0,
    )


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _claim(line: str, before: str) -> tuple[str, bool]:
    """The claim after reading a line of comment, and whether the line is more than a claim."""
    head, mark, rest = line.partition(_MARK)
    said = rest.strip()
    if mark and not head.strip() and said in _CLAIMS:
        return said, False
    return before, True


def catalog_text(catalog: Catalog) -> str:
    """The catalogue as the text of a PO file; reading it with polib and writing it again changes no byte."""
    import polib

    file = polib.POFile()
    file.header = "\n".join(catalog.preamble)
    file.metadata = dict(catalog.headers)
    file.extend(_po_entry(entry) for entry in catalog.entries)
    return str(file)


def _po_entry(entry: Entry) -> polib.POEntry:
    import polib

    claim = [f"{_MARK} {entry.claim}"] if entry.claim and entry.text else []
    notes, previous = [*claim, *entry.notes], entry.previous
    if entry.obsolete and previous:
        # polib does not read the previous source of an obsolete entry, so it is kept where nothing is lost
        notes, previous = [*notes, f"written for: {previous}".replace("\n", " ")], ""
    return polib.POEntry(
        msgctxt=entry.id or None,
        msgid=entry.source,
        msgstr=entry.text,
        comment="\n".join(entry.comments),
        tcomment="\n".join(notes),
        occurrences=[_occurrence(reference) for reference in entry.references],
        flags=[*(["fuzzy"] if entry.fuzzy else []), *entry.flags],
        previous_msgid=previous or None,
        obsolete=entry.obsolete,
    )


def place_of(reference: str) -> tuple[str, int]:
    """The file and the line of a reference; 0 if it has none."""
    file, _, line = reference.rpartition(":")
    return (file, int(line)) if file and re.fullmatch("[0-9]{1,9}", line) else (reference, 0)


def _occurrence(reference: str) -> tuple[str, str]:
    file, line = place_of(reference)
    return (file, str(line)) if line else (reference, "")


def write_catalog(path: Path, catalog: Catalog) -> bool:
    """Replace a file by the catalogue, at once, if that changes it; tells whether it did."""
    data = catalog_text(catalog).encode("utf-8")
    if catalog.source is not None and read_bytes(path, shown_path(path))[0] == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    write_own(path, data)
    return True
