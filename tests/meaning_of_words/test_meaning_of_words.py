"""Each single change of what is meant shows in words; `python -m tests.meaning_of_words` asks more than this."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from .asking import STYLES, asked, left_out, same_texts
from .definitions import same_definitions
from .references import references
from .structure import STRUCTURE
from .synonyms import SYNONYMS
from .units import LANGUAGES, Book, generated, german_book, shipped_books, told

SEED = 7
OF_A_TEXT = 6
GENERATED = 40


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_every_change_of_a_shipped_text_shows(book: Book) -> None:
    found = [str(same) for same in same_texts(book, "words", OF_A_TEXT, Random(SEED))]
    assert not found, "\n".join(found)


def test_every_change_of_a_german_text_shows() -> None:
    found = [str(same) for same in same_texts(german_book(), "words", OF_A_TEXT, Random(SEED))]
    assert not found, "\n".join(found)


def test_every_change_of_a_generated_text_shows() -> None:
    chance = Random(SEED)
    book = generated(SEED, 0)
    some = Book(book.meanings, book.locales, tuple(chance.sample(book.units, GENERATED)))
    found = [str(same) for same in same_texts(some, "words", OF_A_TEXT, chance)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_icons_leave_out_only_what_the_documentation_says(book: Book) -> None:
    assert left_out()
    found = [str(same) for same in same_texts(book, "icons", OF_A_TEXT, Random(SEED))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("number", [0, 1])
def test_icons_show_how_a_generated_text_is_put_together(number: int) -> None:
    """Every change of how far conditions, choices, prices and names go."""
    book = generated(SEED, number)
    seen = set()
    for unit in book.units:
        shown = told(unit, unit.tree, book, "en", "icons")
        for name, tree in asked(unit, book, "icons"):
            what = name.partition(": ")[2]
            if what in STRUCTURE:
                seen.add(what)
                assert told(unit, tree, book, "en", "icons") != shown, f"{unit.where} {name}: {shown}"
    assert len(seen) > len(STRUCTURE) / 2


@pytest.mark.parametrize("number", [0, 1])
def test_whoever_and_whatever_is_spoken_of_can_be_told_from_all_others(number: int) -> None:
    """Every name, candidate and seat, and each other one of its type that is known there."""
    book = generated(SEED, number)
    seen: set[str] = set()
    for unit in book.units:
        ways = list(references(unit.tree, book.meanings))
        seen |= {name for name, _ in ways}
        for code in LANGUAGES:
            shown = told(unit, unit.tree, book, code) if ways else ""
            for name, tree in ways:
                assert told(unit, tree, book, code) != shown, f"{code} {unit.where} {name}: {shown}"
    assert len(seen) > 2


@pytest.mark.parametrize("book", [*shipped_books(), generated(SEED, 0)], ids=lambda book: book.meanings.packs[-1].id)
def test_what_values_are_about_shows_where_they_are_written_out(book: Book) -> None:
    found = list(same_definitions(book))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("style", STYLES)
def test_letters_are_given_before_they_are_used(style: str) -> None:
    book = generated(SEED, 1)
    used = 0
    for unit in book.units:
        text = told(unit, unit.tree, book, "en", style)
        for letter in set(re.findall(r"number ([A-Z])\b", text)):
            used += 1
            given = re.search(rf"\([^()]*number {letter}\)", text)
            first = text.index(f"number {letter}")
            assert given is not None, f"{unit.where}: {text}"
            assert given.start() < first < given.end(), f"{unit.where}: {text}"
    assert used


def test_there_are_few_synonyms_and_each_has_a_reason() -> None:
    assert len(SYNONYMS) <= 25
    assert all(SYNONYMS.values())


@pytest.mark.parametrize("number", [0, 1, 4])
def test_generated_texts_have_no_holes(number: int) -> None:
    """Every word of the packs there are, and of made-up ones, can be said; chance has named the rest."""
    book = generated(SEED, number)
    for unit in book.units:
        for code, style in product(LANGUAGES, STYLES):
            text = told(unit, unit.tree, book, code, style)
            holes = [each for each in re.findall("⟨.*?⟩", text) if not each.startswith(("⟨verb.v_", "⟨value.w_"))]
            assert not holes, f"{code} {unit.where}: {text}"
            assert "\0" not in text, f"{code} {unit.where}: {text!r}"
