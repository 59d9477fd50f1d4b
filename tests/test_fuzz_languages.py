"""Damaged language packs: whatever bytes stand in catalogues, lexicons and phrases, there are findings and no crash."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from dunerules.checker.cache import Cache
from dunerules.inspection.whole import check_targets
from dunerules.language.extract import collections
from dunerules.language.locale import locale_for
from dunerules.packs.library import Library
from dunerules.packs.targets import Target
from dunerules.problems import CannotRunError
from dunerules.text.meanings import load_meanings
from dunerules.text.render import describe
from dunerules.translations.status import progress

from . import fuzz
from .support import tiny_pack, write_files

COUNT = int(os.environ.get("FUZZ_LANGUAGES", "40"))
"""How many; more by hand."""

PACK = {
    "pack.yaml": (
        'id: finnish\nversion: "1.0"\ntitle: Finnish\nauthors: [you]\nlicence: MIT\nlanguages: [fi]\n'
        'requires: {example: "*"}\n'
    ),
    "locales/fi/lexicon.yaml": (
        "language: fi\nname: suomi\nplurals: {one: n = 1, other: otherwise}\ncases: [nom, par]\n"
        "counts:\n  one: {number: singular}\n  other: {number: singular, cases: {nom: par}}\n"
        'genders:\n  m: {other: {nom: par}}\nverb_forms: [do, you, they, inf]\nrelations: {from: "{par} pois"}\n'
        "typography: {stays: [ja], numbers_stay: true, quotes: [», «]}\n"
        "nouns:\n  kind.card: {gender: m, forms: {singular: {nom: kortti, par: korttia}, plural: kortit}, icon: K}\n"
        "  zone.hand: {forms: {singular: TODO}}\n"
        "verbs:\n  gain: {do: ota, you: otat, they: ottaa, inf: ottaa}\nadjectives:\n  that: tuo\n"
    ),
    "locales/fi/phrases.yaml": (
        'phrases:\n  verb.gain:\n    - {when: {n: 1, person: you}, text: "{*gain} | {n:what.par}"}\n'
        '    - {text: "{*gain} {n:kind.card.par}[[ {source:from}]]"}\n  list.and.two: "{a} ja {b}"\n  step.if: TODO\n'
        '  noun.that: "{~that} {noun}"\n'
    ),
    "locales/fi/example.lexicon.yaml": "language: fi\nnouns:\n  counter.gold: {forms: {singular: kulta}}\n",
    "locales/fi/example.phrases.yaml": 'phrases:\n  verb.take: "{*gain} {n:kind.card.par}"\n  slot.visit: Käynti\n',
    "locales/fi/example.terms.yaml": 'terms:\n  gold: {source: [gold], use: ["kul*"], forbidden: [raha]}\n',
    "locales/fi/example.po": (
        'msgid ""\nmsgstr ""\n"Language: fi\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        '# a note\n#. status: proposed\n#, proposed\nmsgctxt "spot.hill.name"\nmsgid "Hill"\nmsgstr "Mäki"\n\n'
        '#, fuzzy\n#| msgid "Example"\nmsgctxt "pack.example.name"\nmsgid "An example"\nmsgstr "Esimerkki ja 1"\n\n'
        '#~ msgctxt "x.y.name"\n#~ msgid "Y"\n#~ msgstr "Z"\n'
    ),
    "locales/fi/dunerules.po": (
        'msgid ""\nmsgstr "Language: fi\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgctxt "message.again.same"\nmsgid "x"\nmsgstr "{n:kind.card.par} {*gain}"\n'
    ),
}


def test_damaged_language_packs_give_findings_and_nothing_else(tmp_path: Path) -> None:
    game = tiny_pack(
        tmp_path / "example", {"spots.yaml": "kind: spot\nobjects:\n  hill: {name: Hill, visit: gain 2 gold}\n"}
    )
    meanings = load_meanings(game)
    root = tmp_path / "finnish"
    found = 0
    for number in range(COUNT):
        chance = random.Random(f"languages {number}")
        files = {name: text.encode("utf-8") for name, text in PACK.items()}
        for name in chance.sample([*files], chance.choice((1, 1, 2))):
            for _ in range(chance.choice((1, 1, 3))):
                files[name] = chance.choices(fuzz._CHOICES, fuzz._WEIGHTS)[0](chance, files[name])
        write_files(root, files)
        try:
            with fuzz.time_limit(20):
                checked = check_targets([Target(root)], Cache(None))
                found += len(checked.problems)
                try:
                    locale, _ = locale_for("fi", meanings.packs)
                    describe(meanings, locale, "spot", "hill", "both")
                except CannotRunError:
                    pass
                library = Library.of([root])
                progress(collections([library.add(root)], library), ["fi"])
        except Exception as error:
            pytest.fail(f"number {number}: {type(error).__name__}: {error}")
    assert found > COUNT
