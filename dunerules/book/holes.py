"""What a language that a pack claims lacks: every key that its texts or its book would show as absent, and where.

The book prints every text of a pack, so it is made and looked through. Only where it has a hole is it asked which
effect, ability or declaration of the pack wants the word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from dunerules.book.build import Book, build
from dunerules.book.elements import ABSENT, joined
from dunerules.book.sections import entries
from dunerules.language.extract import collections
from dunerules.language.locale import Locale, load_locale, locale_for
from dunerules.language.places import PROGRAM, claimed
from dunerules.language.sources import with_sources
from dunerules.packs.content import OBJECTS, Entry, ability_keys
from dunerules.packs.library import Library, Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack
from dunerules.problems import CannotRunError, Problem, Span, first_character, problem
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.icons import ability_icons
from dunerules.text.meanings import Meanings, meanings_of
from dunerules.text.render import Style, describe, effect_text
from dunerules.translations.phrase_checks import is_phrase

__all__ = ["check_holes", "holes_in"]

_SHOWN = 5
"""Keys that are named where many are missing."""

_IN_LEXICON = frozenset({"counter", "field", "procedure", "zone"})
"""Beginnings of keys of phrases that are shown as absent only for want of a noun."""


def check_holes(pack: Pack, library: Library, languages: Iterable[str]) -> Iterator[tuple[str, list[Problem]]]:
    """By language, one finding for each key that the texts of a pack lack, at the first place that wants it."""
    meanings = meanings_of(library.select(pack))
    for language in languages:
        yield language, list(_holes(pack, language, _Desk(pack, library, language, meanings)))


def holes_in(pack: Pack, packs: Sequence[Pack], locale: Locale, *, book: bool) -> set[str]:
    """Every key that the texts of a pack, used with all it requires, or its book too would show as absent."""
    meanings = meanings_of(Selection(tuple(packs)))
    locale = with_sources(locale, packs)
    panels = (
        panel for kind, id_ in meanings.ids_of(pack.id) for panel in describe(meanings, locale, kind, id_, "both")
    )
    printed = _keys(*(text for panel in panels for text in (panel.title, panel.words, panel.icons)))
    return printed | (_missing(pack, locale, build(meanings, locale)) if book else set())


def _holes(pack: Pack, language: str, desk: _Desk) -> Iterator[Problem]:
    others = []
    for key in desk.missing:
        places = sorted(set(desk.places(key)))
        if not places:
            others.append(key)
            continue
        more = len(places) - 1
        message = f"in `{language}` the text has a hole: `{key}` is missing"
        if more:
            message += f", here and in {more} more place{'s' if more > 1 else ''}"
        yield problem("DR825", message, places[0], expected=_wanted(key, pack, language))
    others = [key for key in others if key not in desk.elsewhere]
    if others:
        some = ", ".join(f"`{key}`" for key in others[:_SHOWN]) + (", ..." if len(others) > _SHOWN else "")
        count = f"{len(others)} holes" if len(others) > 1 else "a hole"
        message = f"in `{language}` the book has {count} where other packs or the program speak: {some}"
        yield problem("DR825", message, desk.title, expected=f"words for all of it in `locales/{language}`")


def _wanted(key: str, pack: Pack, language: str) -> str:
    """What would fill a hole, and in which file."""
    first, dot, _ = key.partition(".")
    what, name = "the noun", f"{pack.id}.lexicon.yaml"
    if key.startswith(("~", "*")):
        what = "the adjective" if key.startswith("~") else "the verb"
    elif first == "message":
        what, name = "its translation", f"{PROGRAM}.po"
    elif first == "book" or key.endswith((".name", ".title")):
        what, name = "its translation", f"{pack.id}.po"
    elif not dot or (first not in _IN_LEXICON and is_phrase(key)):
        what, name = "the phrase" if dot else "a phrase that tells this", f"{pack.id}.phrases.yaml"
    return f"{what} in `locales/{language}/{name}`"


def _book(meanings: Meanings, language: str) -> tuple[Locale, Book]:
    try:
        locale, _ = locale_for(language, meanings.packs)
    except CannotRunError:  # language packs bring it twice, which is told where they are checked
        locale, _ = load_locale(language, meanings.packs)
    locale = with_sources(locale, meanings.packs)
    return locale, build(meanings, locale)


def _missing(pack: Pack, locale: Locale, book: Book) -> set[str]:
    """What a book lacks, and the name of its pack, which stands in the books of packs that require it."""
    name = f"pack.{pack.id}.name"
    return {*(found[1:-1] for found in book.missing), *([name] if locale.text(name) is None else [])}


def _keys(*texts: str) -> set[str]:
    return {found[1:-1] for text in texts for found in ABSENT.findall(text)}


class _Desk:
    """The book of a pack in a language, and where the pack says what is printed there."""

    def __init__(self, pack: Pack, library: Library, language: str, meanings: Meanings) -> None:
        self.pack, self.library, self.language, self.meanings = pack, library, language, meanings
        self.locale, self.book = _book(meanings, language)
        self.missing = sorted(_missing(pack, self.locale, self.book) | set(self.printed))

    @property
    def title(self) -> Span:
        """Where the pack is named."""
        title = self.pack.manifest.node.get("title") if self.pack.manifest.node is not None else None
        return title.span if title is not None else first_character(self.pack.manifest.name)

    def places(self, key: str) -> list[Span]:
        """Where the pack itself wants a key: where it names a thing, says what has the hole, or declares the word."""
        word = self.declared.get(f"{key}.name")
        named = self.declared.get(key)
        return [named] if named is not None else self.printed.get(key) or ([word] if word is not None else [])

    @cached_property
    def printed(self) -> dict[str, list[Span]]:
        """Keys that are missing in the texts of objects and tracks, with the nodes of this pack that want them."""
        found: dict[str, list[Span]] = {}
        for node, keys in (*self._objects(), *self._tracks()):
            for key in keys if node.source.pack == self.pack.id else ():
                found.setdefault(key, []).append(node.span)
        return found

    @cached_property
    def declared(self) -> dict[str, Span]:
        """The names and the prose of this pack, by id."""
        texts = [text for each in collections([self.pack], self.library) for text in each.texts]
        return {text.id: text.node.span for text in texts if text.node is not None}

    @cached_property
    def elsewhere(self) -> set[str]:
        """What the books of required packs lack that claim the language themselves."""
        others = [each for each in self.meanings.packs if each.id != self.pack.id and self.language in claimed(each)]
        books = [(each, *_book(meanings_of(self.library.select(each)), self.language)) for each in others]
        return {key for each in books for key in _missing(*each)}

    def _objects(self) -> Iterator[tuple[Node, set[str]]]:
        """Panels of objects: icons of all, because not all stand in the book, and words where the book has a hole."""
        lacking = {section.id for section in entries(self.book.parts) if _keys(joined(*section.body))}
        for kind, id_ in self.meanings.ids:
            entry = self.meanings.content.entries[OBJECTS, kind, id_]
            if not any(value.source.pack == self.pack.id for _, _, value in entry.node.entries()):
                continue
            style: Style = "both" if f"{kind}-{id_}" in lacking else "icons"
            for panel in describe(self.meanings, self.locale, kind, id_, style):
                if panel.slot == "abilities":
                    yield from self._abilities(entry)
                else:
                    yield _node(entry, panel.slot), _keys(panel.title, panel.words, panel.icons)

    def _abilities(self, entry: Entry) -> Iterator[tuple[Node, set[str]]]:
        """Abilities without a name share a panel: each by itself."""
        context = Context(self.locale, self.meanings, this=(entry.kind, entry.id))
        for each in self.meanings.object(entry.kind, entry.id).abilities:
            if not each.named:
                keys = _keys(ability(each, context), ability_icons(each, context))
                yield _node(entry, f"ability.{each.key}"), keys

    def _tracks(self) -> Iterator[tuple[Node, set[str]]]:
        context = Context(self.locale, self.meanings)
        for entry in self.meanings.content.section("counter"):
            bodies = [body for each in self.meanings.thresholds(entry.id) for body in (each.up, each.down)]
            yield entry.key, _keys(*(effect_text(body, context) for body in bodies if body is not None))


def _node(entry: Entry, slot: str) -> Node:
    """What an object says in a slot or an ability; its key, if it says nothing there itself."""
    name, _, key = slot.partition(".")
    abilities = entry.node.get("abilities") if name == "ability" and key else None
    listed = abilities.items() if abilities is not None else []
    ability = listed[ability_keys(listed).index(key)] if key in ability_keys(listed) else None
    return ability or entry.node.get(slot) or entry.key
