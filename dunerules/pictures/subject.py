"""What a picture of an object shows: its name, numbers, symbols and boxes, taken from its rules, look and language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dunerules.language.locale import Locale, absent
from dunerules.look.drawn import drawn, signs
from dunerules.look.record import OWN, Board, Colour, Face, Look, Symbol
from dunerules.packs.content import OBJECTS
from dunerules.packs.grids import MADE
from dunerules.pictures.setting import Chunk, Sign, chunks_of, marks_of
from dunerules.text.meanings import Meanings
from dunerules.text.render import RECONSTRUCTED, Panel, Style, describe, footnote

__all__ = ["Box", "Gallery", "Subject"]

PROPOSED = "*"
"""Stands beside a name that waits for a reviewer."""


@dataclass(frozen=True, slots=True)
class Box:
    """One effect: the key of its label, its title, and what it says."""

    key: str
    title: str
    marks: tuple[Chunk, ...]
    words: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """An object as it is drawn."""

    kind: str
    id: str
    name: str
    signs: str
    """Marks of proposed names and of reconstructed content."""
    notes: tuple[str, ...]
    face: Face
    corner: str
    corner_symbol: str
    edge: tuple[tuple[str, str], ...]
    """Keys of symbols, with names for those that have none."""
    bands: tuple[str, ...]
    """Keys of what colours head and foot."""
    foot: tuple[str, str]
    facts: tuple[tuple[Chunk, ...], ...]
    boxes: tuple[Box, ...]
    emblem: str


@dataclass(frozen=True)
class Gallery:
    """Everything pictures are made from."""

    meanings: Meanings
    locale: Locale
    look: Look
    style: Style = "words"

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """All symbols by key."""
        return {**OWN, **self.look.symbols}

    @cached_property
    def _signs(self) -> dict[str, str]:
        return signs(self.look.symbols)

    @cached_property
    def keys(self) -> dict[str, str]:
        """By sign: the key of its symbol."""
        return {sign: key for key, sign in self._signs.items()}

    @cached_property
    def drawn(self) -> Locale:
        """The language in signs."""
        return drawn(self.locale, self._signs)

    def is_drawn(self, kind: str, id_: str) -> bool:
        """Whether an object has a picture of its own: a place that only lies in its grid has none."""
        entry = self.meanings.content.entries[OBJECTS, kind, id_]
        return entry.node.style != MADE or bool(entry.changes)

    def copies(self, kind: str, id_: str) -> int:
        """How many of an object there are; one, where nothing says so."""
        node = self.meanings.content.entries[OBJECTS, kind, id_].node.get("copies")
        return min(99, max(1, int(node.value))) if node is not None and node.kind == "number" else 1

    def name(self, kind: str, id_: str) -> str:
        """What an object is called."""
        return self.locale.name(kind, id_) or absent(f"{kind}.{id_}.name")

    def board_name(self, board: Board) -> str:
        """What a board is called: as its places are, several of them."""
        numbers = self.locale.lexicon.numbers
        return _capital(self.locale.called("kind", board.kind, numbers[-1] if numbers else ""))

    def colour(self, keys: tuple[str, ...]) -> Colour | None:
        """The first colour that one of some keys has."""
        return next((self.look.colours[key] for key in keys if key in self.look.colours), None)

    def subject(self, kind: str, id_: str) -> Subject:
        """An object."""
        face = self.look.face(kind)
        fields = self.meanings.object(kind, id_).fields
        note = footnote(self.meanings, self.locale, kind, id_)
        proposed = self.locale.is_proposed(f"{kind}.{id_}.name")
        marks = (PROPOSED if proposed else "") + (RECONSTRUCTED if note else "")
        notes = tuple(filter(None, [self.locale.message("book.sign.proposed") if proposed else "", note]))
        cornered = next((name for name in face.corner if name in fields), "")
        corner = str(fields[cornered]) if cornered else ""
        bands = tuple(self._members(kind, face.band, fields))
        edge = tuple((key, _capital(self._called(key))) for key in self._members(kind, face.edge, fields))
        called = [self._called(key) for key in bands if not key.startswith("field.")]
        foot = (_capital(self.locale.called("kind", kind)), " · ".join(map(_capital, called)))
        facts, boxes = self._texts(kind, id_, face)
        alone = [key for key, _ in edge] if len(edge) == 1 else []
        wanted = (face.emblem, f"{kind}.{id_}", *bands, *alone, f"kind.{kind}")
        emblem = next((key for key in wanted if key in self.symbols), "")
        return Subject(
            kind, id_, self.name(kind, id_), marks, notes, face, corner, f"field.{cornered}", edge, bands, foot, facts,
            boxes, emblem,
        )  # fmt: skip

    def _members(self, kind: str, names: tuple[str, ...], fields: dict[str, Any]) -> list[str]:
        """What stands in some fields, as keys: a flag is the field itself, and so is a number."""
        found = []
        declared = self.meanings.words.kinds[kind].fields
        for name in names:
            value = fields.get(name)
            if value is None or value is False:
                continue
            of = declared[name].type
            if of.name in {"label", "place", "thing"}:
                found += [f"{of.of}.{each}" for each in (value if isinstance(value, list) else [value])]
            else:
                found.append(f"field.{name}")
        return found

    def _called(self, key: str) -> str:
        section, _, id_ = key.partition(".")
        noun = self.locale.lexicon.noun(key)
        short = noun.icon if noun is not None else ""
        return short or self.locale.called(section, id_)

    def _texts(self, kind: str, id_: str, face: Face) -> tuple[tuple[tuple[Chunk, ...], ...], tuple[Box, ...]]:
        hidden = {*face.hide, *face.corner, *face.edge, *face.band}
        panels = [each for each in describe(self.meanings, self.locale, kind, id_, "both") if each.slot not in hidden]
        symbols: dict[str, Panel] = {}
        if self.style != "words" and self.look.symbols:
            symbols = {each.slot: each for each in describe(self.meanings, self.drawn, kind, id_, "icons")}
        facts = tuple(tuple(chunks_of(each.words)) for each in panels if not each.title and each.words)
        boxes = [self._box(each, symbols.get(each.slot, each)) for each in panels if each.title]
        order = {f"slot.{name}": number for number, name in enumerate(face.boxes)}
        boxes.sort(key=lambda box: order.get(box.key, len(order)))
        return facts, tuple(box for box in boxes if box.marks or box.words)

    def _box(self, panel: Panel, symbols: Panel) -> Box:
        words = tuple(chunks_of(panel.words))
        marks = tuple(marks_of(panel.icons, symbols.icons, self.keys)) if self.style != "words" else ()
        if not any(isinstance(atom, Sign) for chunk in marks for atom in chunk):
            marks = ()  # without a symbol it is the same in short, and sentences read better
        return Box(f"slot.{panel.slot}", panel.title, marks, words if self.style != "icons" or not marks else ())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
