"""Texts that careful readers took for something else than what is done: each class once, in three languages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, SEAT
from dunerules.dsl.walk import walk
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.locale import load_locale
from dunerules.text.meanings import AbilityMeaning, Meanings, load_meanings
from dunerules.text.render import effect_text
from dunerules.text.steps import cost_words
from dunerules.text.template import Slot, VerbForm, slots_of
from dunerules.text.typography import NO_BREAK, sentence, set_text

from .meaning_of_words.units import LANGUAGES, Book, Unit, generated, shipped_books
from .meaning_of_words.units import told as told_of
from .support import manifest, write_files

FILES = {
    "pack.yaml": manifest("more", requires={"base": "*"}),
    "words.yaml": "counters:\n  friend: {per: seat, holds: seat}\n  owed: {per: seat, min: -5, max: 9}\n",
    "verbs.yaml": (
        "verbs:\n  hail: {takes: {s: seat}, do: lose 1 water}\n"
        "  swap: move 2 card from hand to discard as c { move c from discard to hand }\n"
        "  bow: gain 1 spice of first_seat, set first_seat to first_seat\n"
    ),
    **{
        f"locales/{code}/more.lexicon.yaml": (
            f"language: {code}\nnouns:\n  counter.friend: {{gender: {gender}, forms: {{singular: {friend}}}}}\n"
            f"  counter.owed: {{gender: {gender}, forms: {{singular: {owed}, plural: {many}}}}}\n"
        )
        for code, gender, friend, owed, many in (
            ("en", '""', "friend", "debt", "debts"),
            ("pl", "m1", "przyjaciel", "dług", "długi"),
            ("cs", "m_anim", "přítel", "dluh", "dluhy"),
        )
    },
}


@pytest.fixture(scope="module")
def meanings(tmp_path_factory: pytest.TempPathFactory) -> Meanings:
    return load_meanings("base", write_files(tmp_path_factory.mktemp("words") / "more", FILES))


def told(text: str, meanings: Meanings, code: str, *, cost: bool = False) -> str:
    locale = load_locale(code, meanings.packs)[0]
    context = Context(locale, meanings, this=("card", "dagger"))
    found = meanings.ability(**dict(re.findall(r"(when|instead|do): ([^;]+)", text))) if ": " in text else None
    if isinstance(found, AbilityMeaning):
        return set_text(sentence(ability(found, context)), locale.lexicon.typography).replace(NO_BREAK, " ")
    body = meanings.effect(text)
    assert body is not None, text
    words = set_text(sentence(cost_words(body, context)), locale.lexicon.typography) if cost else effect_text(body, context)
    return words.replace(NO_BREAK, " ")
