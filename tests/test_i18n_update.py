"""Bringing catalogues up to date: nothing is lost, changed English is fuzzy, doing it twice changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.language.catalog import Catalog, Entry, catalog_text, read_catalog
from dunerules.language.extract import Text
from dunerules.translations.update import merged

from .support import manifest, tiny_pack, write_files

ALPHA = Text("a.name", "a", "Alpha", reference="words.yaml:3")
BETA = Text("b.name", "b", "Beta")
DONE = Entry("a.name", "Alpha", "Alfa", "official", notes=("sure",), references=("words.yaml:3",))


def entry(catalog: Catalog, id_: str) -> Entry:
    found = catalog.get(id_)
    assert found is not None
    return found


def kept(catalog: Catalog) -> list[Entry]:
    return [each for each in catalog.entries if each.obsolete]


# ---- merging


def test_a_new_text_is_missing_and_an_old_one_stays() -> None:
    after = merged(Catalog(entries=(DONE,)), [ALPHA, BETA], {"b.name": ("a letter",)})
    assert entry(after, "a.name") == DONE
    assert entry(after, "b.name") == Entry("b.name", "Beta", comments=("a letter",))


def test_changed_english_makes_a_translation_fuzzy_with_what_it_was_written_for() -> None:
    once = merged(Catalog(entries=(DONE,)), [replace(ALPHA, source="Alpha One")])
    expected = replace(DONE, source="Alpha One", fuzzy=True, previous="Alpha")
    assert entry(once, "a.name") == expected
    text = catalog_text(once)
    assert '#| msgid "Alpha"' in text
    assert "#, fuzzy" in text
    twice = merged(once, [replace(ALPHA, source="Alpha Two")])
    assert entry(twice, "a.name").previous == "Alpha", "not what nobody ever translated"


def test_english_that_changes_back_frees_the_translation() -> None:
    changed = merged(Catalog(entries=(DONE,)), [replace(ALPHA, source="Alpha One")])
    assert entry(merged(changed, [ALPHA]), "a.name") == DONE


def test_a_text_that_was_never_translated_is_not_fuzzy() -> None:
    after = merged(Catalog(entries=(Entry("a.name", "Alphas"),)), [ALPHA])
    assert entry(after, "a.name").status == "missing"


def test_what_is_no_longer_asked_for_is_kept_and_comes_back() -> None:
    gone = merged(Catalog(entries=(DONE,)), [BETA])
    assert gone.get("a.name") is None
    (left,) = kept(gone)
    assert (left.text, left.claim, left.notes) == ("Alfa", "official", ("sure",))
    assert '#~ msgstr "Alfa"' in catalog_text(gone)
    back = merged(gone, [ALPHA, BETA])
    assert entry(back, "a.name") == DONE
    assert kept(back) == []


def test_the_english_of_an_obsolete_fuzzy_entry_is_not_lost(tmp_path: Path) -> None:
    fuzzy = replace(DONE, fuzzy=True, previous="Alphas")
    path = tmp_path / "x.po"
    path.write_text(catalog_text(merged(Catalog(entries=(fuzzy,)), [BETA])), "utf-8")
    catalog, _ = read_catalog(path)
    assert "written for: Alphas" in kept(catalog)[0].notes


def test_an_empty_entry_that_is_not_asked_for_goes() -> None:
    assert kept(merged(Catalog(entries=(Entry("a.name", "Alpha"),)), [BETA])) == []


def test_paragraphs_that_move_take_their_translation_along() -> None:
    old = Catalog(entries=(Entry("book.x.1", "One.", "Jeden."), Entry("book.x.2", "Two.", "Dwa.")))
    texts = [Text(f"book.x.{n}", "book", source) for n, source in enumerate(["Zero.", "One.", "Two."], 1)]
    after = merged(old, texts)
    assert [(each.text, each.status) for each in after.entries] == [
        ("Jeden.", "fuzzy"),
        ("Jeden.", "translated"),
        ("Dwa.", "translated"),
    ]


def test_a_translation_that_another_one_displaces_is_kept() -> None:
    old = Catalog(entries=(Entry("book.x.1", "One.", "Jeden."), Entry("book.x.2", "Two.", "Dwa.")))
    after = merged(old, [Text("book.x.1", "book", "Two.")])
    assert entry(after, "book.x.1").text == "Dwa."
    assert [each.text for each in kept(after)] == ["Jeden."]


def test_the_original_language_is_its_own_translation() -> None:
    first = merged(Catalog(), [ALPHA, BETA], original=True)
    assert [each.text for each in first.entries] == ["Alpha", "Beta"]
    changed = merged(first, [replace(ALPHA, source="Aleph"), BETA], original=True)
    assert (entry(changed, "a.name").text, entry(changed, "a.name").status) == ("Aleph", "translated")
    edited = first.with_entries([replace(first.entries[0], text="The first letter"), first.entries[1]])
    again = merged(edited, [replace(ALPHA, source="Aleph"), BETA], original=True)
    assert entry(again, "a.name").status == "fuzzy", "someone wrote another text for the old word"


@pytest.mark.parametrize("original", [True, False])
def test_merging_twice_changes_nothing(original: bool) -> None:
    old = Catalog(
        entries=(
            replace(DONE, source="Alphas"),
            Entry("c.name", "Gamma", "Gama", "proposed"),
            Entry("c.name", "Gammas", "Gamy", obsolete=True),
            Entry("", "Loose", "Luźny"),
        )
    )
    once = merged(old, [ALPHA, BETA], original=original)
    assert merged(once, [ALPHA, BETA], original=original) == once
    texts = {each.text for each in once.entries}
    assert {"Alfa", "Gama", "Gamy", "Luźny"} <= texts


# ---- the command


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tiny_pack(tmp_path / "example")
    monkeypatch.chdir(root)
    return root


def run(*words: str) -> int:
    return main(["i18n", *words])


def test_a_new_language_gets_its_files(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("update", "--lang", "de") == 0
    assert "locales/de/example.po: written" in capsys.readouterr().out
    catalog, problems = read_catalog(pack / "locales" / "de" / "example.po")
    assert problems == []
    assert catalog.header("Language") == "de"
    assert entry(catalog, "spot.hill.name").source == "Hill"
    assert {each.text for each in catalog.entries} == {""}, "English is never copied into a translation"
    english, _ = read_catalog(pack / "locales" / "en" / "example.po")
    assert entry(english, "spot.hill.name").text == "Hill"
    assert run("update") == 0
    assert "written" not in capsys.readouterr().out


def test_every_sort_of_name_has_a_stable_id(pack: Path) -> None:
    run("update", "--lang", "de")
    catalog, _ = read_catalog(pack / "locales" / "de" / "example.po")
    ids = [each.id for each in catalog.entries]
    assert {
        "pack.example.name", "game.example.name", "spot.harbour.name", "trait.colour.name", "colour.red.name",
        "kind.card.name", "counter.gold.name", "piece.cube.name", "pool.camp.name", "zone.hand.name",
        "move.play_card.name", "procedure.turn.name",
    } <= set(ids)  # fmt: skip
    assert len(ids) == len(set(ids))


def test_a_pool_that_another_pack_adds_is_named_in_its_catalogue(pack: Path) -> None:
    more = "- {target: piece/cube, reason: more room, add: {pools: [attic]}}"
    files = {"pack.yaml": manifest("more", requires={"example": "*"}), "patches.yaml": f"patches:\n  {more}\n"}
    write_files(pack.parent / "more", files)
    assert run("update", str(pack.parent / "more"), str(pack), "--lang", "de") == 0
    own, _ = read_catalog(pack / "locales" / "de" / "example.po")
    added, _ = read_catalog(pack.parent / "more" / "locales" / "de" / "more.po")
    assert "pool.attic.name" not in [each.id for each in own.entries]
    assert [each.id for each in added.entries if each.id.startswith("pool.")] == ["pool.attic.name"]


def test_a_word_without_a_name_is_translated_from_its_english_one(pack: Path) -> None:
    run("update", "--lang", "de")
    path = pack / "locales" / "en" / "example.po"
    path.write_text(path.read_text("utf-8").replace('msgid "Gold"\nmsgstr "Gold"', 'msgid "Gold"\nmsgstr "Gold coins"'))
    run("update")
    catalog, _ = read_catalog(pack / "locales" / "de" / "example.po")
    assert entry(catalog, "counter.gold.name").source == "Gold coins"


def test_names_of_abilities_options_and_the_book(pack: Path) -> None:
    (pack / "cards.yaml").write_text(
        "kind: card\nobjects:\n  boss:\n    name: Boss\n    abilities:\n"
        "      - {while: income + 1}\n      - {name: Greed, while: income + 2}\n"
    )
    (pack / "book.yaml").write_text("- id: start\n  title: The start\n  text: [One., Two.]\n")
    game = pack / "game.yaml"
    game.write_text(game.read_text() + "options:\n  speed: {values: [slow, fast], default: slow}\n")
    assert main(["check"]) == 0
    run("update", "--lang", "de")
    catalog, _ = read_catalog(pack / "locales" / "de" / "example.po")
    assert entry(catalog, "card.boss.ability.2.name").source == "Greed"
    assert entry(catalog, "option.speed.fast.name").source == "Fast"
    assert [each.source for each in catalog.entries if each.id.startswith("book.")] == ["The start", "One.", "Two."]


def test_a_damaged_catalogue_is_left_alone_and_others_are_written(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("update", "--lang", "de")
    run("update", "--lang", "fr")
    german, french = (pack / "locales" / code / "example.po" for code in ("de", "fr"))
    broken = german.read_text("utf-8") + '\nmsgctxt "x"\nmsgid "never\n'
    german.write_text(broken, "utf-8")
    (pack / "spots.yaml").write_text("kind: spot\nobjects:\n  moor: {name: Moor}\n")
    capsys.readouterr()
    assert run("update") == 1
    shown = capsys.readouterr()
    assert "locales/de/example.po: left as it is" in shown.out
    assert "error[DR801]" in shown.err
    assert german.read_text("utf-8") == broken
    assert entry(read_catalog(french)[0], "spot.moor.name").source == "Moor"


def test_a_catalogue_in_another_encoding_is_left_alone(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("update", "--lang", "de")
    german = pack / "locales" / "de" / "example.po"
    data = (
        german.read_text("utf-8").replace('msgid "Hill"\nmsgstr ""', 'msgid "Hill"\nmsgstr "Hügel"').encode("latin-1")
    )
    german.write_bytes(data)
    assert run("update") == 1
    assert "DR002" in capsys.readouterr().err
    assert german.read_bytes() == data


def test_a_damaged_book_changes_no_catalogue(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "book.yaml").write_text("- id: start\n  title: The start\n  text: [One., Two.]\n")
    run("update", "--lang", "de")
    before = (pack / "locales" / "de" / "example.po").read_bytes()
    (pack / "book.yaml").write_text("- id: start\n  titel: The start\n  text: [One., Two.]\n")
    assert run("update") == 1
    assert "titel" in capsys.readouterr().err
    assert (pack / "locales" / "de" / "example.po").read_bytes() == before


def test_a_damaged_pack_changes_no_catalogue(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("update", "--lang", "de")
    before = (pack / "locales" / "de" / "example.po").read_bytes()
    (pack / "spots.yaml").write_text("kind: spot\nobjects: {hill: {name: [\n")
    assert run("update") == 1
    assert "spots.yaml" in capsys.readouterr().err
    assert (pack / "locales" / "de" / "example.po").read_bytes() == before
    assert run("check") == 1
    assert "DR807" not in capsys.readouterr().out, "what the file names is not gone"


@pytest.mark.parametrize("code", ["Deutsch!", "../de", "d"])
def test_a_code_that_is_none_is_refused(pack: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("update", "--lang", code) == 2
    assert "is not the code of a language" in capsys.readouterr().err
    assert not (pack / "locales").exists()


def test_shipped_packs_are_not_written_by_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("update") == 2
