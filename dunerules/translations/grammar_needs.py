"""What a language needs besides its catalogues: the nouns, verbs, adjectives, relations and phrases it prints with.

What the English has is what a language needs, as far as its own phrases do not make do with something else: verbs,
adjectives and relations are those that its own templates ask for, and a noun can be left to its name in the catalogue
where the language has a phrase for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path

from dunerules.language.extract import Collection
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.language.phrases import Phrase, read_phrases
from dunerules.language.places import PROGRAM, SOURCE_LANGUAGE
from dunerules.language.reading import TODO, read_locale_file
from dunerules.language.template import Adjective, Slot, TemplateError, VerbForm, parse_template, slots_of
from dunerules.packs.nodes import Node
from dunerules.translations.phrase_keys import is_optional

__all__ = ["GRAMMAR", "LEXICON", "PHRASES", "TITLED", "Need", "asked_for", "file_of", "grammar_needs"]

GRAMMAR = ("noun", "verb", "adjective", "relation", "phrase", "form")
"""The kinds of what is needed, in the order they are counted."""

LEXICON, PHRASES = "lexicon.yaml", "phrases.yaml"

TITLED = "noun.titled"
"""The phrase that says a name of the catalogue beside the noun of its sort, so that it needs no forms of its own."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something a language needs, the file it belongs in, what it is in English, and whether it is there."""

    file: str
    kind: str
    key: str
    english: str
    met: bool


def file_of(collection: Collection, name: str) -> str:
    """The lexicon or the phrases of a language, or those it has for a pack."""
    return name if collection.name == PROGRAM else f"{collection.name}.{name}"


def grammar_needs(collection: Collection, language: str, locale: Locale) -> list[Need]:
    """Everything that a language needs for one catalogue, as it stands in files of the language itself."""
    return list(dict.fromkeys([*_words(collection, language, locale), *_phrases(collection, language, locale)]))


def _read(folder: Path, name: str, kind: str) -> Node | None:
    path = folder / name
    return read_locale_file(path, kind, todo=True)[0] if lexists(path) else None


def _entries(node: Node | None, *names: str) -> Iterator[tuple[str, Node, Node]]:
    for name in names:
        node = node.get(name) if node is not None and node.kind == "map" else None
    return node.entries() if node is not None and node.kind == "map" else iter(())


# ---- lexicons


def _words(collection: Collection, language: str, locale: Locale) -> Iterator[Need]:
    file = file_of(collection, LEXICON)
    english = _read(collection.home / SOURCE_LANGUAGE, file, "lexicon")
    own = _read(collection.root / language, file, "lexicon")
    written = {name: value for name, _, value in _entries(own, "nouns")}
    asked, _ = asked_for(locale)
    for key, _, value in _entries(english, "nouns"):
        if key in written or key in asked or ("[" not in key and not _left_to_its_name(key, locale)):
            yield Need(file, "noun", key, _first_word(value), _has_forms(key, locale.lexicon))
    for key in written.keys() - {name for name, _, _ in _entries(english, "nouns")}:
        yield Need(file, "noun", key, "", _has_forms(key, locale.lexicon))
    yield from _forms(file, own, locale.lexicon)
    for name, _, value in _entries(own, "relations"):
        yield Need(file, "relation", name, "", value.value != TODO)


def _left_to_its_name(key: str, locale: Locale) -> bool:
    section, _, word = key.partition(".")
    if key in locale.lexicon.nouns:
        return False
    if section == "field" and f"slot.{word}" in locale.phrases:
        return True
    return TITLED in locale.phrases and locale.text(f"{key}.name") is not None


def _has_forms(key: str, lexicon: Lexicon) -> bool:
    noun = lexicon.noun(key)
    return noun is not None and any(noun.forms.values())


def _first_word(node: Node) -> str:
    """The first form of an English noun."""
    if node.kind == "text":
        return str(node.value)
    return next((_first_word(value) for name, _, value in node.entries() if name not in {"gender", "icon"}), "")


def _forms(file: str, own: Node | None, lexicon: Lexicon) -> Iterator[Need]:
    """The forms of words that are there: of nouns and adjectives by number and case, of verbs by form."""
    for key, _, value in _entries(own, "nouns"):
        for number, _, forms in _entries(value, "forms"):
            yield from _of_word(file, f"{key}.{number}", forms, lexicon.cases)
    for key, _, value in _entries(own, "adjectives"):
        for part in value.items() if value.kind == "list" else ():
            genders = part.get("genders")
            gender = str(genders.items()[0].value) if genders is not None else ""
            for number, _, forms in _entries(part, "forms"):
                yield from _of_word(file, f"~{key}.{gender}.{number}", forms, lexicon.cases)
        if value.kind == "text":
            yield Need(file, "form", f"~{key}", "", value.value != TODO)
    for key, _, value in _entries(own, "verbs"):
        yield from _of_word(file, f"*{key}", value, lexicon.verb_forms)


def _of_word(file: str, key: str, forms: Node, wanted: tuple[str, ...]) -> Iterator[Need]:
    if forms.kind == "map":
        have = {name: value.value for name, _, value in forms.entries()}
        for name in dict.fromkeys((*wanted, *have)):
            yield Need(file, "form", f"{key}.{name}", "", have.get(name, TODO) != TODO)
    else:
        yield Need(file, "form", key, "", forms.value != TODO)


def asked_for(locale: Locale) -> tuple[set[str], set[str]]:
    """The nouns that phrases and messages of a language count, and the forms that they ask for."""
    templates = [variant.template for phrase in locale.phrases.values() for variant in phrase.variants]
    for entry in (entry for catalog in locale.catalogs for entry in catalog.entries if "{" in entry.text):
        try:
            templates.append(parse_template(entry.text, locale.lexicon.forms))
        except TemplateError:
            continue
    slots = [part for each in templates for part in slots_of(each) if isinstance(part, Slot)]
    return {each.noun for each in slots if each.noun}, {each.form for each in slots if each.form}


# ---- phrases


def _phrases(collection: Collection, language: str, locale: Locale) -> Iterator[Need]:
    file = file_of(collection, PHRASES)
    english = {
        key: value for key, _, value in _entries(_read_phrases(collection.home, SOURCE_LANGUAGE, file), "phrases")
    }
    own = _read_phrases(collection.root, language, file)
    written = {key: value for key, _, value in _entries(own, "phrases")}
    for key in dict.fromkeys((*english, *written)):
        if key in written or not is_optional(key):
            met = key in locale.phrases and not _has_todo(written.get(key))
            yield Need(file, "phrase", key, _first_text(english.get(key)), met)
    if own is not None:
        yield from _asked_for(file, read_phrases(own, locale.lexicon)[0], locale.lexicon)


def _read_phrases(root: Path, language: str, file: str) -> Node | None:
    return _read(root / language, file, "phrases")


def _has_todo(node: Node | None) -> bool:
    if node is None:
        return False
    return any((each if each.kind == "text" else each.get("text") or each).value == TODO for each in node.items())


def _first_text(node: Node | None) -> str:
    """The last variant of an English phrase, which is the general one."""
    last = node.items()[-1] if node is not None and node.items() else None
    return "" if last is None else str(last.value) if last.kind == "text" else last.text("text")


def _asked_for(file: str, phrases: dict[str, Phrase], lexicon: Lexicon) -> Iterator[Need]:
    """The verbs, adjectives and relations that templates ask for."""
    words = file.removesuffix(PHRASES) + LEXICON
    for phrase in phrases.values():
        for part in (part for variant in phrase.variants for part in slots_of(variant.template)):
            if isinstance(part, VerbForm):
                yield Need(words, "verb", f"*{part.verb}", "", part.verb in lexicon.verbs)
            elif isinstance(part, Adjective):
                yield Need(words, "adjective", f"~{part.word}", "", part.word in lexicon.adjectives)
            elif isinstance(part, Slot) and part.form in lexicon.relations:
                yield Need(words, "relation", part.form, "", True)
