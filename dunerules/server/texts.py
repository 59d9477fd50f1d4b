"""What an object says, in every language there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as lsp

from dunerules.files import unsaved
from dunerules.language.language_packs import find_language_packs
from dunerules.language.locale import Locale, absent, available_locales, load_locale
from dunerules.language.places import locale_folders
from dunerules.language.sources import with_sources
from dunerules.packs.content import OBJECTS
from dunerules.packs.nodes import Node
from dunerules.problems import CannotRunError
from dunerules.server.place import Place
from dunerules.text.meanings import Meanings
from dunerules.text.render import describe, footnote

__all__ = ["Panels", "Texts", "object_at"]


@dataclass(frozen=True)
class Panels:
    """An object in one language."""

    language: str
    name: str
    panels: tuple[tuple[str, str, str], ...]
    """Title, words and icons of each panel."""
    note: str = ""


def object_at(place: Place, position: lsp.Position) -> tuple[str, str] | None:
    """Kind and id of the object that a place of a file belongs to."""
    node = place.file.node if place.file is not None and place.file.kind == "objects" else None
    objects = node.get("objects") if node is not None else None
    if node is None or objects is None:
        return None
    offset = place.text.offset(position)
    before = [(key.start, id_) for id_, key, value in objects.entries() if key.start <= offset <= _end(value, offset)]
    line = place.text.line(position.line)
    last = max((each for each in _starts(objects) if each[0] <= offset), default=None)
    chosen = max(before, default=last if line[:1] in {" ", ""} else None)
    return (node.text("kind"), chosen[1]) if chosen is not None else None


def _starts(objects: Node) -> list[tuple[int, str]]:
    return [(key.start, id_) for id_, key, _ in objects.entries()]


def _end(node: Node, offset: int) -> int:
    """Where an object ends: its last line belongs to it whole."""
    end = node.source.text.find("\n", node.end)
    return end if end >= 0 else max(offset, node.end)


@dataclass
class Texts:
    """Prints objects. Languages are read again when one of their files has changed."""

    _read: dict[tuple[str, tuple[Path, ...]], tuple[object, Locale]] = field(default_factory=dict)

    def of(self, place: Place, kind: str, id_: str) -> list[Panels]:
        """What an object says in all languages, as far as it can be told."""
        understanding = place.understanding
        if understanding is None or (OBJECTS, kind, id_) not in understanding.content.entries:
            return []
        meanings = Meanings(understanding.packs, understanding.content, understanding.words, understanding.desk())
        if kind not in meanings.words.kinds:
            return []
        found = []
        with unsaved(place.snapshot.buffers):
            for language in available_locales(understanding.packs, find_language_packs(understanding.packs)):
                locale = self._locale(language, meanings, place)
                if locale is not None:
                    found.append(_panels(language, meanings, locale, kind, id_))
        return found

    def _locale(self, language: str, meanings: Meanings, place: Place) -> Locale | None:
        folders = locale_folders(meanings.packs)
        files = [path for folder in folders for path in sorted((folder / language).glob("*.*"))]
        stamp = (
            [(path, path.stat().st_mtime_ns) for path in files if path.is_file()],
            [(path, data) for path, data in place.snapshot.buffers.items() if path in files],
            [file for pack in meanings.packs for file in pack.files] if language == "en" else None,
        )
        key = (language, tuple(pack.root for pack in meanings.packs))
        known = self._read.get(key)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            locale, _ = load_locale(language, meanings.packs, find_language_packs(meanings.packs))
            locale = with_sources(locale, meanings.packs)
        except CannotRunError:  # only catalogues are there yet
            return None
        self._read[key] = (stamp, locale)
        return locale


def _panels(language: str, meanings: Meanings, locale: Locale, kind: str, id_: str) -> Panels:
    name = locale.name(kind, id_) or absent(f"{kind}.{id_}.name")
    panels = tuple((each.title, each.words, each.icons) for each in describe(meanings, locale, kind, id_))
    return Panels(language, name, panels, footnote(meanings, locale, kind, id_))
