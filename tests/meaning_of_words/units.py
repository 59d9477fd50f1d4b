"""The texts that are asked about: every effect, condition and ability of packs, and generated ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.language.catalog import Catalog, Entry
from dunerules.language.locale import Locale, load_locale, locale_for
from dunerules.language.places import spoken
from dunerules.language.sources import with_sources
from dunerules.text.amounts import number_words
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.icons import ability_icons, body_icons, condition_icons, cost_icons
from dunerules.text.meanings import AbilityMeaning, Meanings, load_meanings
from dunerules.text.render import condition_text, effect_text
from dunerules.text.steps import cost_words

from ..generator.batch import ground_of
from ..generator.load import load, workplace
from ..generator.packs import Builder
from ..support import ROOT

__all__ = ["LANGUAGES", "Book", "Unit", "generated", "german_book", "shipped_books", "told"]

_VALUE = re.compile(r"w_\d+$")
_MADE = re.compile(r"\.(t\d+|[a-z]_\d+|play_card)\.name$")

LANGUAGES = ("en", "pl", "cs")
SHIPPED = (("base", "immortality"), ("betrayal",), ("conquest",))


@dataclass(frozen=True)
class Unit:
    """One text: where it stands, of what sort it is, and what is meant."""

    where: str
    sort: str
    tree: Any
    this: tuple[str, str] | None = None


@dataclass(frozen=True)
class Book:
    """All texts of some packs, and the languages to print them in."""

    meanings: Meanings
    locales: dict[str, Locale]
    units: tuple[Unit, ...]


def _locales(meanings: Meanings) -> dict[str, Locale]:
    found = {code: with_sources(load_locale(code, meanings.packs)[0], meanings.packs) for code in LANGUAGES}
    made = tuple(Entry(text.id, text.source, text.source) for text in found["en"].catalogs[-1].entries if _made(text))
    values = [name for name in meanings.words.values if _VALUE.match(name) and _is_constant(name, meanings)]
    made += tuple(Entry(f"value.{name}.name", spoken(name), spoken(name)) for name in values)
    return {code: replace(each, catalogs=(*each.catalogs, Catalog(entries=made))) for code, each in found.items()}


def _is_constant(value: str, meanings: Meanings) -> bool:
    """Whether a value cannot be told as what it is defined as, so that it needs a name."""
    return isinstance(meanings.value(value)[1], m.Constant | m.Always)


def _made(text: Entry) -> bool:
    """Whether a name was made by the generator: such names are the same in every language."""
    return _MADE.search(text.id) is not None


@cache
def shipped_books() -> tuple[Book, ...]:
    """Everything the shipped packs say."""
    found = []
    for packs in SHIPPED:
        meanings = load_meanings(*packs)
        found.append(Book(meanings, _locales(meanings), tuple(_units(meanings, meanings.ids))))
    return tuple(found)


def german_book() -> Book:
    """The base game in the language of a language pack."""
    meanings = load_meanings("base")
    locale, problems = locale_for("de", meanings.packs, [ROOT / "examples" / "german"])
    assert not problems, problems
    return Book(meanings, {"de": locale}, tuple(_units(meanings, meanings.ids)))


def _units(meanings: Meanings, ids: tuple[tuple[str, str], ...]) -> Iterator[Unit]:
    for kind, id_ in ids:
        found = meanings.object(kind, id_)
        for slot, tree in found.slots.items():
            sort = meanings.words.kinds[kind].slots[slot]
            yield Unit(f"{kind}/{id_}.{slot}", sort, tree, (kind, id_))
        for each in found.abilities:
            yield Unit(f"{kind}/{id_}.ability.{each.key}", "ability", each, (kind, id_))


def generated(seed: int, number: int) -> Book:
    """A batch of generated texts."""
    chance = Random(f"{seed} words {number}")
    with workplace() as root:
        ground, packs = ground_of(number, chance, root)
        builder = Builder(ground, chance)
        builder.declare()
        builder.objects(100, number * 100)
        if not packs:
            builder.rules()
        loaded = load(builder.files, Path(root), builder.words)
        meanings = load_meanings(*loaded.rules.packs[-1:][0].root.parts and (loaded.rules.packs[-1].root,))
        own = tuple(meanings.ids_of(loaded.rules.packs[-1].id))
        return Book(meanings, _locales(meanings), tuple(_units(meanings, own)))


def told(unit: Unit, tree: Any, book: Book, code: str, style: str = "words") -> str:
    """A text in a language, with the tree of the unit or another one."""
    context = Context(book.locales[code], book.meanings, this=unit.this)
    if isinstance(tree, AbilityMeaning):
        return ability(tree, context) if style == "words" else ability_icons(tree, context)
    if isinstance(tree, m.Body):
        if style == "icons":
            return cost_icons(tree, context) if unit.sort == "cost" else body_icons(tree, context)
        return cost_words(tree, context) if unit.sort == "cost" else effect_text(tree, context)
    if unit.sort == "condition":
        return condition_text(tree, context) if style == "words" else condition_icons(tree, context)
    return number_words(tree, context)


def limits(found: AbilityMeaning) -> Iterator[tuple[str, AbilityMeaning]]:
    """An ability with another limit; what only changes or shows something has none."""
    if found.clause.modifier is not None or found.clause.sight is not None:
        return
    if found.limit is None:
        yield "limit", replace(found, limit=(1, "game"))
    else:
        count, procedure = found.limit
        yield "limit", replace(found, limit=(count + 1, procedure))
        yield "limit", replace(found, limit=None)
        yield "limit", replace(found, limit=(count, "game" if procedure != "game" else "turn"))
