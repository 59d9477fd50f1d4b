"""The texts of a catalogue as players read them in a language: names and messages, and what is printed from rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dunerules.language.extract import Collection
from dunerules.language.locale import Locale, absent, locale_for
from dunerules.language.sources import with_sources
from dunerules.packs.library import Selection
from dunerules.problems import CannotRunError
from dunerules.text.meanings import Meanings, meanings_of
from dunerules.text.overrides import override_id
from dunerules.text.render import describe

__all__ = ["Printed"]


@dataclass(frozen=True)
class Printed:
    """The texts of a catalogue in one language. What its files say is read once; make a new one to read them anew."""

    collection: Collection
    language: str
    brought: tuple[Path, ...] = ()
    """Language packs that are not found by themselves."""

    @cached_property
    def locale(self) -> Locale | None:
        """The language for the packs of the catalogue; nothing if there is nothing of it, or no longer."""
        try:
            locale, _ = locale_for(self.language, self.collection.packs, self.brought)
        except CannotRunError:
            return None
        return with_sources(locale, self.collection.packs)

    @cached_property
    def meanings(self) -> Meanings:
        """What the packs say. Raises `CannotRunError` if they have errors."""
        return meanings_of(Selection(self.collection.packs))

    def thing(self, kind: str, id_: str) -> dict[str, str]:
        """A thing: its name, and a line for each panel, by slot."""
        if self.locale is None:
            return {"": absent(f"{kind}.{id_}.name")}
        panels = describe(self.meanings, self.locale, kind, id_, "words")
        lines = {panel.slot: f"{panel.title}: {panel.words}" if panel.title else panel.words for panel in panels}
        return {"": self.locale.name(kind, id_) or absent(f"{kind}.{id_}.name"), **lines}

    def texts(self) -> dict[str, str]:
        """All texts by id; what is missing is not there."""
        if self.locale is None:
            return {}
        found = {text.id: self.locale.text(text.id) for text in self.collection.texts}
        shown = {id_: text for id_, text in found.items() if text is not None}
        for kind, id_ in self.meanings.ids_of(self.collection.name) if self.collection.packs else ():
            lines = self.thing(kind, id_)
            shown |= {override_id(kind, id_, slot): line for slot, line in lines.items() if slot}
        return shown
