"""Each single change of what is meant shows in words; `python -m tests.meaning_of_words` asks more than this."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from .asking import same_texts
from .synonyms import SYNONYMS
from .units import LANGUAGES, Book, generated, shipped_books, told

SEED = 7
OF_A_TEXT = 6
GENERATED = 40


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_every_change_of_a_shipped_text_shows(book: Book) -> None:
    found = [str(same) for same in same_texts(book, "words", OF_A_TEXT, Random(SEED))]
    assert not found, "\n".join(found)


def test_every_change_of_a_generated_text_shows() -> None:
    chance = Random(SEED)
    book = generated(SEED, 0)
    some = Book(book.meanings, book.locales, tuple(chance.sample(book.units, GENERATED)))
    found = [str(same) for same in same_texts(some, "words", OF_A_TEXT, chance)]
    assert not found, "\n".join(found)


def left_out() -> set[str]:
    """What icons leave out on purpose: the table of the documentation."""
    text = (Path(__file__).parents[2] / "docs" / "words.md").read_text("utf-8")
    rows = text.partition("| left out |")[2].partition("\n\n")[0].splitlines()[2:]
    return {row.split("|")[1].strip() for row in rows}


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_icons_leave_out_only_what_the_documentation_says(book: Book) -> None:
    known = left_out()
    assert known
    found = [str(same) for same in same_texts(book, "icons", OF_A_TEXT, Random(SEED)) if same.change not in known]
    assert not found, "\n".join(found)


def test_there_are_few_synonyms_and_each_has_a_reason() -> None:
    assert len(SYNONYMS) <= 25
    assert all(SYNONYMS.values())


@pytest.mark.parametrize("number", [0, 1, 4])
def test_generated_texts_have_no_holes(number: int) -> None:
    """Every word of the packs there are, and of made-up ones, can be said; chance has named the rest."""
    book = generated(SEED, number)
    for unit in book.units:
        for code in LANGUAGES:
            text = told(unit, unit.tree, book, code)
            holes = [each for each in re.findall("⟨.*?⟩", text) if not each.startswith(("⟨verb.v_", "⟨value.w_"))]
            assert not holes, f"{code} {unit.where}: {text}"
            assert "\0" not in text, f"{code} {unit.where}: {text!r}"
