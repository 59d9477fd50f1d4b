"""The one table of phrases: it has every key, slot and shape that texts are printed with, and nothing else."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

import dunerules
from dunerules.book.build import build
from dunerules.language import grammar
from dunerules.language.locale import Locale, load_locale
from dunerules.language.phrases import Shape
from dunerules.language.sources import with_sources
from dunerules.language.template import Template
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import describe
from dunerules.translations.phrase_keys import CONSTRUCTS, FAMILIES, OPTIONAL, about, known_keys

LANGUAGES = ("en", "pl", "cs")


class Recorder:
    """Notes with what values templates are filled, and what shapes are given, by the keys of their phrases."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slots: dict[str, set[str]] = defaultdict(set)
        self.shapes: dict[str, set[str]] = defaultdict(set)
        self._keys: dict[int, str] = {}
        self._kept: list[Template] = []
        choose, parts = Locale.template, grammar._parts

        def template(locale: Locale, key: str, shape: Shape = lambda _: None, told: Any = None) -> Template | None:
            found = choose(locale, key, shape, told)
            given = getattr(shape, "__self__", None)
            self.shapes[key] |= set(given) if isinstance(given, dict) else set()
            if found is not None:
                self._kept.append(found)
                self._keys |= {id(segment): key for segment in found.segments}
            return found

        def filled(segment: Any, filling: Any, **more: bool) -> str | None:
            key = self._keys.get(id(segment))
            if key is not None:
                self.slots[key] |= set(filling.values)
            return parts(segment, filling, **more)

        monkeypatch.setattr(Locale, "template", template)
        monkeypatch.setattr(grammar, "_parts", filled)

    def strange(self, meanings: Meanings) -> set[str]:
        """What was printed with that the table does not know."""
        found = set()
        for key in {*self.slots, *self.shapes}:
            told = about(key, meanings.words)
            if told is None:
                continue  # of another pack, or optional and absent
            slots = {slot.partition(".")[0] for slot in self.slots[key]}
            if key == "have":  # what a counter is kept for is told by phrases about that counter
                slots -= {name for counter in meanings.words.counters.values() for name in counter.per}
            shapes = {shape.partition(".")[0] for shape in self.shapes[key]}
            found |= {f"{key}: slot {name}" for name in slots - told.slots}
            found |= {f"{key}: when {name}" for name in shapes - told.shapes}
        return found


@pytest.mark.parametrize("pack", ["immortality", "conquest", "betrayal"])
def test_texts_are_printed_with_what_the_table_knows(pack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = load_meanings(pack)
    recorder = Recorder(monkeypatch)
    for code in ("en", "cs"):
        locale = with_sources(load_locale(code, meanings.packs)[0], meanings.packs)
        build(meanings, locale)
        for kind, id_ in meanings.ids:
            describe(meanings, locale, kind, id_, "both")
    assert not recorder.strange(meanings)


def test_games_are_told_with_what_the_table_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = dunerules.load("immortality")
    game, chance = rules.game(seed=1), random.Random(1)
    recorder = Recorder(monkeypatch)
    for _ in range(60):
        question = game.question
        assert question is not None
        question.text("pl")
        for option in question.options[:4]:
            option.text("pl")
        game.answer(*chance.sample(range(len(question.options)), question.low))
    for event in game.log():
        event.text("pl")
    assert recorder.slots
    assert not recorder.strange(load_meanings("immortality"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_table_has_every_phrase_that_is_shipped_and_no_other(code: str) -> None:
    general = set(load_locale(code)[0].phrases)
    meanings = [load_meanings(pack) for pack in ("immortality", "conquest", "betrayal")]
    strange = {key for key in general if all(about(key, each.words) is None for each in meanings)}
    assert not strange
    if code == "en":
        assert CONSTRUCTS.keys() - general <= OPTIONAL


def test_what_is_said_of_words_of_packs_follows_from_them() -> None:
    words = load_meanings("base").words
    keys = known_keys(words)
    assert all(about(key, words) is not None for key in keys)
    assert {key.partition(".")[0] for key in keys} == {*(key.partition(".")[0] for key in (*CONSTRUCTS, *FAMILIES))}
    told = about("verb.recruit", words)
    assert told is not None
    assert {"n", "your"} <= told.slots
    assert about("verb.recriut", words) is None
    assert about("field.card.cost", words) is not None
    assert about("field.card.costs", words) is None
