"""Status, badge, pseudo language, glossary and overrides; and the shipped names."""

from __future__ import annotations

import csv
import io
import json
import shutil
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.language.catalog import Catalog, Entry, read_catalog, write_catalog
from dunerules.language.locale import load_locale
from dunerules.language.typography import NO_BREAK
from dunerules.packs.library import Library, Selection
from dunerules.text.meanings import meanings_of
from dunerules.text.overrides import override_for, parts_of, rule_text
from dunerules.text.render import describe
from dunerules.translations.pseudo import accented, disguised
from dunerules.translations.status import Row, badge, table

from .support import CONTENT, codes, locale_problems_of, tiny_pack

TRANSLATIONS = ("cs", "pl")


def run(*words: str) -> int:
    return main(["i18n", *words])


# ---- the shipped names


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CONTENT.parent)


@pytest.mark.usefixtures("shipped")
def test_the_base_game_is_complete_in_three_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("status", "base", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["language"] for row in rows} == {"cs", "en", "pl"}
    assert {row["percent"] for row in rows} == {100}
    for language in TRANSLATIONS:
        own = [row for row in rows if row["language"] == language and row["pack"] == "base"]
        assert sum(row["official"] for row in own) > 100
        assert sum(row["proposed"] for row in own) > 50, "what is only proposed is counted as such"
        assert next(row for row in own if row["kind"] == "space")["official"] == 22


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_proposed_name_can_be_found_by_its_note(language: str) -> None:
    path = CONTENT / "locales" / language / "base.po"
    proposed = [entry for entry in read_catalog(path)[0].entries if entry.status == "proposed"]
    assert 0 < len(proposed) == path.read_text("utf-8").count("\n# status: proposed\n")


# ---- counting


def test_every_status_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tiny_pack(tmp_path / "example")
    monkeypatch.chdir(root)
    run("update", "--lang", "de")
    path = root / "locales" / "de" / "example.po"
    catalog, _ = read_catalog(path)
    changes = {
        "zone.deck.name": {"text": "Stapel", "claim": "official"},
        "zone.hand.name": {"text": "Hand", "claim": "proposed"},
        "zone.table.name": {"text": "Tisch", "fuzzy": True},
        "spot.hill.name": {"text": "Berg"},
        "spot.harbour.name": {"text": "Port", "source": "Haven"},
    }
    entries = [replace(entry, **changes.get(entry.id, {})) for entry in catalog.entries]  # type: ignore[arg-type]
    write_catalog(path, catalog.with_entries(entries))
    capsys.readouterr()
    assert run("status", "--lang", "de", "--json") == 0
    rows = {row["kind"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["zone"] | {"percent": 0} == {
        "language": "de", "pack": "example", "kind": "zone", "official": 1, "translated": 0, "proposed": 1, "fuzzy": 1,
        "missing": 1, "all": 4, "percent": 0,
    }  # fmt: skip
    assert rows["zone"]["percent"] == 50
    assert (rows["spot"]["translated"], rows["spot"]["fuzzy"]) == (1, 1), "written for other English"
    assert run("status", "--lang", "de") == 0
    shown = capsys.readouterr().out
    assert [line.split() for line in shown.splitlines() if " zone " in line] == [
        ["de", "example", "zone", "1", "-", "1", "1", "1", "4", "50", "%"]
    ]


def test_a_hundred_percent_means_all() -> None:
    row = Row("de", "example", "card", Counter({"official": 999, "missing": 1}))
    assert row.percent == 99
    assert "99 %" in "\n".join(table([row]))


def test_the_badge_is_a_picture_with_words(tmp_path: Path, shipped: None) -> None:
    path = tmp_path / "badge.svg"
    assert run("status", "--badge", str(path)) == 0
    root = ET.fromstring(path.read_text("utf-8"))
    assert root.tag.endswith("svg")
    assert "".join(root.itertext()).count("100 %") >= 3
    worse = badge([Row("de", "x", "card", Counter({"official": 1, "missing": 1}))])
    assert "de 50 %" in worse


def test_a_damaged_catalogue_counts_as_far_as_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tiny_pack(tmp_path / "example", {"locales/de/example.po": b"\xff\xff"})
    monkeypatch.chdir(root)
    assert run("status") == 1
    shown = capsys.readouterr()
    assert "0 %" in shown.out
    assert "DR002" in shown.err


# ---- the pseudo language


@pytest.mark.parametrize(
    ("plain", "accents"),
    [
        ("Give {who:acc} {n:kind.card.acc}!", "Ǧíṽé {who:acc} {n:kind.card.acc}!"),
        ("[[a|b]]", "[[á|ƀ]]"),
        ("5 > 3", "5 > 3"),
    ],
)
def test_accents_spare_slots(plain: str, accents: str) -> None:
    assert accented(plain) == accents


@pytest.mark.parametrize("text", ["Hill", "A", "It is your turn, {who}.", "word " * 50])
def test_a_disguised_text_is_two_fifths_longer(text: str) -> None:
    plain = len(text.replace("{who}", ""))
    grown = len(disguised(text).replace("{who}", ""))
    assert plain * 1.4 <= grown <= plain * 1.4 + 1
    assert disguised(text).count("{who}") == text.count("{who}")


def test_the_pseudo_language_can_be_used_and_passes_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CONTENT / "base", tmp_path / "base", ignore=shutil.ignore_patterns("scenarios"))
    shutil.copytree(CONTENT / "locales", tmp_path / "locales")
    monkeypatch.chdir(tmp_path)
    assert run("pseudo", "base") == 0
    root = tmp_path / "base"
    serious = [each for each in locale_problems_of(root, "en-XA") if each.code not in {"DR813", "DR814", "DR815"}]
    assert codes(serious) == []
    library = Library.of([root])
    pack = library.add(root)
    locale, problems = load_locale("en-XA", [pack])
    assert problems == []
    meanings = meanings_of(Selection((pack,)))
    panels = describe(meanings, locale, "card", "dagger", "words")
    words = next(panel.words for panel in panels if panel.slot == "reveal")
    assert words.isascii() is False
    assert "sword" not in words


# ---- the glossary


@pytest.mark.usefixtures("shipped")
def test_the_glossary_as_csv_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("glossary", "base") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    troop = {row["language"]: row for row in rows if row["term"] == "piece.troop"}
    assert (troop["pl"]["word"], troop["cs"]["word"]) == ("żołnierz", "jednotka")
    assert "żołnierzy" in troop["pl"]["forms"].split(" | ")
    assert (troop["pl"]["enforced"], troop["en"]["enforced"]) == ("yes", "")
    path = tmp_path / "glossary.json"
    assert run("glossary", "base", "--lang", "cs", "--json", "--out", str(path)) == 0
    listed = json.loads(path.read_text("utf-8"))
    assert {row["language"] for row in listed} == {"cs"}
    assert any(row["forbidden"] for row in listed)


# ---- overrides

GOLD = "language: {}\nnouns:\n  counter.gold: {{forms: {{singular: {}, plural: {}}}}}\n"
SPOTS = "kind: spot\nobjects:\n  hill: {name: Hill, visit: gain 1 gold}\n"
BOSS = "kind: card\nobjects:\n  boss:\n    abilities:\n      - {name: Greed, while: income + 1}\n"
PANEL = "spot.hill.visit"


@pytest.fixture
def hill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny game with words for its gold in two shipped languages, and a spot that gives one."""
    files = {
        "spots.yaml": SPOTS,
        "cards.yaml": BOSS,
        "locales/en/example.lexicon.yaml": GOLD.format("en", "coin", "coins"),
        "locales/pl/example.lexicon.yaml": GOLD.format("pl", "moneta", "monety"),
    }
    root = tiny_pack(tmp_path / "example", files)
    monkeypatch.chdir(root)
    assert run("update") == 0
    return root


def printed(root: Path, language: str, kind: str = "spot", id_: str = "hill") -> str:
    pack = Library.of([root]).add(root)
    locale, _ = load_locale(language, [pack])
    panels = describe(meanings_of(Selection((pack,))), locale, kind, id_, "words")
    return " ".join(panel.words for panel in panels).replace(NO_BREAK, " ")


def findings(root: Path, code: str) -> list[str]:
    return [found.message for found in locale_problems_of(root, "pl") if found.code == code]


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def test_a_sentence_by_hand_from_writing_to_going_stale(hill: Path) -> None:
    catalog = hill / "locales" / "pl" / "example.po"
    assert run("override", PANEL, "Bierzesz jeden w zapasie.", "--lang", "pl") == 0
    assert "# written for: rule " in catalog.read_text("utf-8")
    assert printed(hill, "pl") == "Bierzesz jeden w zapasie."
    assert printed(hill, "en") == "Gain 1 coin.", "other languages are printed from the rule"
    before = catalog.read_bytes()
    assert run("update") == 0
    assert catalog.read_bytes() == before, "bringing up to date changes nothing while the rule is the same"
    assert findings(hill, "DR816") == []

    edit(hill / "spots.yaml", "gain 1 gold", "gain 2 gold")
    assert findings(hill, "DR816") == [f"the rule of `text.{PANEL}` has changed since this was written by hand"]
    assert "2" in printed(hill, "pl"), "never a text that disagrees with the rule"

    run("update")
    assert len(findings(hill, "DR816")) == 1, "still to be looked at"
    assert "2" in printed(hill, "pl")
    edit(catalog, "Bierzesz jeden w zapasie.", "Bierzesz dwa.")
    edit(catalog, "#, fuzzy\n", "")
    assert findings(hill, "DR816") == []
    assert printed(hill, "pl") == "Bierzesz dwa."


def test_changed_english_makes_a_sentence_stale_but_shows_it(hill: Path) -> None:
    run("override", PANEL, "Bierzesz jeden.", "--lang", "pl")
    edit(hill / "locales" / "en" / "example.lexicon.yaml", "singular: coin", "singular: piece of gold")
    assert findings(hill, "DR816") == [f"the English of `text.{PANEL}` has changed since this was written by hand"]
    assert printed(hill, "pl") == "Bierzesz jeden."


def test_the_layout_of_a_rule_does_not_matter(hill: Path) -> None:
    run("override", PANEL, "Bierzesz jeden.", "--lang", "pl")
    edit(hill / "spots.yaml", "gain 1 gold", "gain  1   gold")
    assert findings(hill, "DR816") == []
    assert printed(hill, "pl") == "Bierzesz jeden."


def test_an_override_of_what_is_gone_is_an_orphan_and_is_kept(hill: Path) -> None:
    run("override", PANEL, "Bierzesz jeden.", "--lang", "pl")
    edit(hill / "spots.yaml", "hill:", "moor:")
    assert findings(hill, "DR807") == [f"nothing is called `{id_}`" for id_ in ("spot.hill.name", f"text.{PANEL}")]
    run("update")
    assert '#~ msgstr "Bierzesz jeden."' in (hill / "locales" / "pl" / "example.po").read_text("utf-8")


@pytest.mark.parametrize(
    "panel", ["spot.hill.visits", "spot.hil.visit", "hill", "card.boss.ability.9", "card.boss.ability.x"]
)
def test_an_override_needs_a_panel(hill: Path, panel: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (hill / "locales" / "pl" / "example.po").read_bytes()
    assert run("override", panel, "x", "--lang", "pl") == 2
    assert f"`{panel}`" in capsys.readouterr().err
    assert (hill / "locales" / "pl" / "example.po").read_bytes() == before


def test_an_override_is_not_written_into_a_damaged_catalogue(hill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = hill / "locales" / "pl" / "example.po"
    path.write_bytes(b'msgid "never\n')
    assert run("override", PANEL, "x", "--lang", "pl") == 1
    assert "DR801" in capsys.readouterr().err
    assert path.read_bytes() == b'msgid "never\n'


def test_an_ability_can_be_written_by_hand(hill: Path) -> None:
    assert run("override", "card.boss.ability.1", "Masz więcej.", "--lang", "pl") == 0
    assert "Masz więcej." in printed(hill, "pl", "card", "boss")


def test_an_override_without_its_hash_is_not_shown(hill: Path) -> None:
    pack = Library.of([hill]).add(hill)
    content = meanings_of(Selection((pack,))).content
    entry = Entry(f"text.{PANEL}", "Gain 1 coin.", "Bierzesz jeden.")
    assert parts_of(entry.id) == ("spot", "hill", "visit")
    assert rule_text(content, "spot", "hill", "visit") == '"gain 1 gold"'
    assert override_for([Catalog(entries=(entry,))], content, "spot", "hill", "visit") is None
