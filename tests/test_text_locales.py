"""A language is a folder: one nobody has heard of, and damaged ones beside good ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.language.locale import Locale, available_locales, load_locale
from dunerules.language.typography import NO_BREAK
from dunerules.text.bare import by_name, object_phrase
from dunerules.text.context import Context
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import describe, effect_text

from .support import CONTENT, manifest, shown, write_files
from .words import base

# Finnish in small: fifteen cases in life, four here; after a number the noun stands in the singular partitive.
FINNISH = {
    "lexicon.yaml": """\
language: fi
name: suomi
plurals: {one: n = 1, other: otherwise}
cases: [nom, gen, part, elat]
numbers: [singular, plural]
counts:
  one: {number: singular, cases: {gen: nom}}
  other: {number: singular, cases: {nom: part, gen: part}}
verb_forms: [do, you, they, inf]
relations: {from: "{elat}"}
nouns:
  seat.opponent:
    forms: {singular: {nom: vastustaja, gen: vastustajan, part: vastustajaa, elat: vastustajasta}}
verbs:
  gain: {do: saat, you: saat, they: saa, inf: saada}
  may: {do: voit, you: voit, they: voi, inf: voida}
  lose: {do: menetät, you: menetät, they: menettää, inf: menettää}
""",
    "phrases.yaml": """\
phrases:
  list.and.two: "{a} ja {b}"
  list.and.more: "{a}, {b}"
  list.and.last: "{a} ja {b}"
  noun.each: "jokainen {noun}"
  zone.own: "{noun}"
  quantity.exactly: "{n:noun}"
  step.each_seat: "{each} {body}"
  step.may: "{*may} {body}"
  verb.gain: "{*gain} | {n:what.gen}"
  verb.lose: "{*lose} | {n:what.gen} | [[{source:from}]]"
""",
    "duel.lexicon.yaml": """\
language: fi
nouns:
  counter.coin: {forms: {singular: {nom: kolikko, gen: kolikon, part: kolikkoa, elat: kolikosta}}}
  piece.sheep: {forms: {singular: {nom: lammas, gen: lampaan, part: lammasta, elat: lampaasta}}}
  pool.field: {forms: {singular: {nom: niitty, gen: niityn, part: niittyä, elat: niityltä}}}
""",
    "duel.phrases.yaml": "phrases:\n  slot.play: Pelaa\n",
}

# Slovenian in small: a dual, and four plural categories.
SLOVENIAN = {
    "lexicon.yaml": """\
language: sl
name: slovenščina
plurals: {one: n % 100 = 1, two: n % 100 = 2, few: "n % 100 in 3..4", other: otherwise}
cases: [nom, gen, acc]
numbers: [singular, dual, plural]
counts:
  one: {number: singular}
  two: {number: dual}
  few: {number: plural}
  other: {number: plural, cases: {nom: gen, acc: gen}}
verb_forms: [do, you, they, inf]
nouns: {}
verbs:
  gain: {do: dobiš, you: dobiš, they: dobi, inf: dobiti}
""",
    "phrases.yaml": """\
phrases:
  verb.gain: "{*gain} | {n:what.acc}"
  quantity.exactly: "{n:noun}"
  slot.play: Igra
""",
    "duel.lexicon.yaml": """\
language: sl
nouns:
  counter.coin:
    forms:
      singular: {nom: kovanec, gen: kovanca, acc: kovanec}
      dual: {nom: kovanca, gen: kovancev, acc: kovanca}
      plural: {nom: kovanci, gen: kovancev, acc: kovance}
""",
}

DUEL = {
    "pack.yaml": manifest("duel"),
    "game.yaml": "id: duel\ntitle: Duel\nseats: {min: 2, max: 2}\nfirst: starter\n",
    "words.yaml": """\
kinds: {card: {slots: {play: effect}}}
counters: {coin: {per: seat, max: 99}, starter: {per: game, holds: seat}}
pieces: {sheep: {count: 9, pools: [barn, field], start: barn, home: barn}}
""",
    "rules.yaml": "flow: each seat { gain 1 coin }\nscoring: {score: coin}\n",
    "cards.yaml": "kind: card\nobjects:\n"
    + "".join(f"  gain_{n}: {{name: Gain {n}, play: gain {n} coin}}\n" for n in (1, 2, 3, 5, 22, 101, 102))
    + "  raid: {name: Raid, play: 'each opponent { lose 2 sheep from field, gain 1 coin }'}\n"
    + "  offer: {name: Offer, play: 'may { gain 3 coin }'}\n",
}


def duel(root: Path, **languages: dict[str, str]) -> Meanings:
    files = {f"locales/{code}/{name}": text for code, texts in languages.items() for name, text in texts.items()}
    return load_meanings(write_files(root / "duel", {**DUEL, **files}))


def play(meanings: Meanings, locale: Locale, id_: str) -> str:
    return describe(meanings, locale, "card", id_, "words")[0].words.replace(NO_BREAK, " ")


def test_a_language_with_other_cases_is_a_folder(tmp_path: Path) -> None:
    meanings = duel(tmp_path, fi=FINNISH)
    assert available_locales(meanings.packs) == sorted({*available_locales(), "fi"})
    locale, problems = load_locale("fi", meanings.packs)
    assert problems == [], shown(problems)
    assert play(meanings, locale, "gain_1") == "Saat 1 kolikko."
    assert play(meanings, locale, "gain_5") == "Saat 5 kolikkoa."
    assert play(meanings, locale, "raid") == "Jokainen vastustaja menettää 2 lammasta niityltä ja saa 1 kolikko."
    assert play(meanings, locale, "offer") == "Voit saada 3 kolikkoa."


def test_a_language_with_a_dual_is_a_folder(tmp_path: Path) -> None:
    meanings = duel(tmp_path, sl=SLOVENIAN)
    locale, problems = load_locale("sl", meanings.packs)
    assert problems == [], shown(problems)
    assert [play(meanings, locale, f"gain_{n}") for n in (1, 2, 3, 5, 22, 101, 102)] == [
        "Dobiš 1 kovanec.",
        "Dobiš 2 kovanca.",
        "Dobiš 3 kovance.",
        "Dobiš 5 kovancev.",
        "Dobiš 22 kovancev.",
        "Dobiš 101 kovanec.",
        "Dobiš 102 kovanca.",
    ]


def test_what_a_language_lacks_is_shown_as_absent(tmp_path: Path) -> None:
    meanings = duel(tmp_path, sl=SLOVENIAN)
    locale, _ = load_locale("sl", meanings.packs)
    assert play(meanings, locale, "offer") == "⟨step.may⟩."
    assert locale.name("card", "offer") is None


def test_words_of_a_pack_count_only_with_the_pack(tmp_path: Path) -> None:
    meanings = duel(tmp_path, fi=FINNISH)
    locale, _ = load_locale("fi", meanings.packs)
    assert locale.noun("counter.coin") is not None
    assert load_locale("pl", meanings.packs)[0].noun("counter.spice") is None
    assert load_locale("pl", base().packs)[0].noun("counter.spice") is not None


@pytest.mark.parametrize(
    ("file", "text", "code", "message"),
    [
        ("lexicon.yaml", "language: fi\nnouns: [\n", "DR005", ""),
        (
            "lexicon.yaml",
            FINNISH["lexicon.yaml"].replace("cases: [nom", "casses: [nom"),
            "DR101",
            "unknown key `casses`",
        ),
        ("lexicon.yaml", FINNISH["lexicon.yaml"].replace("n = 1", "n == 1"), "DR104", "`n == 1` is not a plural rule"),
        ("lexicon.yaml", FINNISH["lexicon.yaml"].replace("part: vast", "patr: vast"), "DR823", "unknown case `patr`"),
        (
            "lexicon.yaml",
            FINNISH["lexicon.yaml"].replace("inf: saada", "infi: saada"),
            "DR104",
            "unknown verb form `infi`",
        ),
        (
            "lexicon.yaml",
            FINNISH["lexicon.yaml"].replace("other: {number: s", "others: {number: s"),
            "DR822",
            "`others`",
        ),
        ("phrases.yaml", "phrases:\n  verb.gain: [{text: x, wenn: {n: 1}}]\n", "DR101", "unknown key `wenn`"),
        ("phrases.yaml", 'phrases:\n  verb.gain: "{*gain} {n"\n', "DR824", "a lone `{`"),
        ("phrases.yaml", "verb.gain: x\n", "DR101", "unknown key `verb.gain`"),
        ("phrases.yaml", "", "DR102", "the file is empty"),
        ("phrases.yaml", "phrases:\n  verb.gain: no\n", "DR009", "`no` means different things"),
        ("phrases.yaml", b"phrases:\n  verb.gain: \xb3\n", "DR002", "byte 0xb3 is not UTF-8"),
    ],
)
def test_a_damaged_file_is_a_problem_with_a_place_and_others_go_on(
    file: str, text: str | bytes, code: str, message: str, tmp_path: Path
) -> None:
    meanings = duel(tmp_path, fi=FINNISH, sl=SLOVENIAN)
    write_files(tmp_path / "duel" / "locales" / "fi", {file: text})
    _, problems = load_locale("fi", meanings.packs)
    found = [each for each in problems if each.code == code and message in each.message]
    assert found, shown(problems)
    assert found[0].span.file.endswith(f"fi/{file}")
    other, problems = load_locale("sl", meanings.packs)
    assert problems == []
    assert play(meanings, other, "gain_1") == "Dobiš 1 kovanec."


def test_a_wrong_case_has_a_neighbour(tmp_path: Path) -> None:
    meanings = duel(
        tmp_path, fi={**FINNISH, "lexicon.yaml": FINNISH["lexicon.yaml"].replace("part: vast", "patr: vast")}
    )
    found = [each for each in load_locale("fi", meanings.packs)[1] if each.code == "DR823"]
    assert found[0].nearest == ("part",)
    assert (found[0].span.line, found[0].expected) == (13, "nom, gen, part, elat")


def test_a_language_without_its_own_lexicon_says_so(tmp_path: Path) -> None:
    meanings = duel(tmp_path, fi={name: text for name, text in FINNISH.items() if name != "lexicon.yaml"})
    locale, problems = load_locale("fi", meanings.packs)
    assert any("has no lexicon of its own" in each.message for each in problems)
    assert "⟨" in play(meanings, locale, "gain_1")


def test_a_folder_in_place_of_a_file_is_a_problem(tmp_path: Path) -> None:
    meanings = duel(tmp_path, fi=FINNISH)
    path = tmp_path / "duel" / "locales" / "fi" / "phrases.yaml"
    path.unlink()
    path.mkdir()
    problems = load_locale("fi", meanings.packs)[1]
    assert [each.code for each in problems] == ["DR001"]


@pytest.mark.parametrize("code", ["en", "pl", "cs"])
@pytest.mark.parametrize("pack", ["immortality", "betrayal", "conquest"])
def test_no_two_words_of_a_pack_share_a_noun(code: str, pack: str) -> None:
    """What has the same name could be taken for each other: counters, zones, pools, pieces, and sorts of things."""
    lexicon = load_locale(code, load_meanings(CONTENT / pack).packs)[0].lexicon
    found: dict[tuple[str, str], list[str]] = {}
    for key, noun in lexicon.nouns.items():
        section, _, word = key.partition(".")
        if word and section in {"counter", "zone", "pool", "piece", "kind", "trait"} and "[" not in word:
            group = "sort" if section in {"kind", "trait"} else section
            found.setdefault((group, str(sorted(noun.forms.items()))), []).append(key)
    assert len(found) > 10
    assert [keys for keys in found.values() if len(keys) > 1] == []


@pytest.mark.parametrize("code", ["en", "pl", "cs"])
@pytest.mark.parametrize("pack", ["immortality", "betrayal", "conquest"])
def test_no_two_objects_of_a_kind_are_referred_to_in_the_same_words(code: str, pack: str) -> None:
    """Also if the same name is printed on them."""
    meanings = load_meanings(CONTENT / pack)
    context = Context(load_locale(code, meanings.packs)[0], meanings)
    words = meanings.words
    for kind in (*words.objects, *words.families):
        told = [object_phrase(kind, each, context).form() for each in words.members(kind)]
        assert [each for each in told if told.count(each) > 1] == []


def test_a_name_is_printed_as_it_is_on_the_object_that_has_it() -> None:
    """A number is for those who speak of it."""
    meanings = load_meanings("base")
    locale = load_locale("en", meanings.packs)[0]
    body = meanings.effect("reveal this")
    assert body is not None
    context = Context(locale, meanings, this=("conflict", "skirmish_b"))
    assert effect_text(body, context) == "Reveal this Conflict card."
    assert by_name("conflict", "skirmish_b", context).form() == "Skirmish"
