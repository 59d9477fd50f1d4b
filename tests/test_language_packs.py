"""Language packs: found and named, for several packs, brought twice, refused; no part of locks, saves and replays."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import dunerules
from dunerules.__main__ import main
from dunerules.language.language_packs import GENERAL, find_language_packs
from dunerules.language.locale import available_locales, load_locale, locale_for
from dunerules.packs.pack import read_pack
from dunerules.problems import CannotRunError
from dunerules.replays import read_replay
from dunerules.translations.phrase_keys import is_optional

from .support import CONTENT, codes, problems_of, tiny_pack, write_files

Out = pytest.CaptureFixture[str]

LEXICON = """language: fi
name: suomi
plurals: {one: n = 1, other: otherwise}
cases: [nom]
verb_forms: [do, you, they, inf]
"""


def finnish(id_: str = "finnish", wanted: str = "*", **files: str) -> dict[str, str]:
    """A language pack beside the tiny game."""
    head = f'id: {id_}\nversion: "1.0"\ntitle: Finnish\nauthors: [you]\nlicence: MIT\nlanguages: [fi]\n'
    return {
        f"{id_}/pack.yaml": f'{head}requires: {{example: "{wanted}"}}\n',
        f"{id_}/locales/fi/lexicon.yaml": LEXICON,
        f"{id_}/locales/fi/example.po": (
            'msgid ""\nmsgstr "Language: fi\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
            'msgctxt "pack.example.name"\nmsgid "An example"\nmsgstr "Esimerkki"\n'
        ),
        **{f"{id_}/{name}": text for name, text in files.items()},
    }


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tiny_pack(tmp_path / "example")


# ---- where they are found


def test_a_language_is_found_beside_the_game_and_is_no_part_of_it(game: Path) -> None:
    before = dunerules.load(game)
    write_files(game.parent, finnish())
    rules = dunerules.load(game)
    assert "fi" not in before.locks
    assert rules.locks == before.locks
    assert "fi" in rules.languages
    assert rules.name("pack", "example", "fi") == "Esimerkki"
    assert [pack.id for pack in rules.packs] == ["example"]


def test_a_language_is_found_in_the_current_folder(
    game: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = write_files(tmp_path_factory.mktemp("elsewhere"), finnish())
    assert "fi" not in dunerules.load(game).languages
    for here in (elsewhere, elsewhere / "finnish"):
        monkeypatch.chdir(here)
        assert "fi" in dunerules.load(game).languages


def test_a_language_is_named_by_its_path(game: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = write_files(tmp_path_factory.mktemp("elsewhere"), finnish())
    for path in (elsewhere, elsewhere / "finnish"):
        assert dunerules.load(game, lang_path=[path]).name("pack", "example", "fi") == "Esimerkki"
    with pytest.raises(CannotRunError, match="there is no language pack in"):
        locale_for("fi", [read_pack(game)], [game / "locales"])
    with pytest.raises(CannotRunError, match=r"no language pack: its pack.yaml has no list of `languages`"):
        locale_for("fi", [read_pack(game)], [game])


def test_a_language_is_for_the_packs_it_names_in_their_versions(game: Path) -> None:
    write_files(game.parent, finnish(wanted=">=2"))
    pack = read_pack(game)
    assert find_language_packs([pack]) == ()
    assert "fi" not in available_locales([pack], find_language_packs([pack]))
    with pytest.raises(CannotRunError, match=r"speaks for example >=2, and example 1\.0 is here"):
        find_language_packs([pack], [game.parent / "finnish"])


def test_inside_a_language_pack_the_packs_it_speaks_for_are_meant(
    game: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(game.parent, finnish())
    write_files(game, {"spots.yaml": "kind: spot\nobjects:\n  hill: {name: Hill}\n"})
    monkeypatch.chdir(game.parent / "finnish")
    main(["text", "hill", "--lang", "fi"])
    assert "⟨spot.hill.name⟩  (spot/hill)" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["--with", "--game"])
def test_a_language_pack_is_no_expansion(game: Path, flag: str, capsys: Out) -> None:
    write_files(game.parent, finnish())
    assert main(["text", "--all", flag, "finnish"]) == 2
    assert "`finnish` is a language pack and no part of a game" in capsys.readouterr().err
    with pytest.raises(CannotRunError, match="no part of a game"):
        dunerules.load(game, game.parent / "finnish")


# ---- several packs, and several language packs


def test_a_language_pack_can_speak_for_several_packs(game: Path) -> None:
    more = 'id: more\nversion: "1.0"\ntitle: More\nrequires: {example: "*"}\nauthors: [you]\nlicence: MIT\n'
    files = finnish()
    manifest = files["finnish/pack.yaml"].replace("{example:", '{more: "*", example:')
    text = files["finnish/locales/fi/example.po"].replace("example", "more").replace("Esimerkki", "Lisää")
    write_files(
        game.parent,
        {**files, "more/pack.yaml": more, "finnish/pack.yaml": manifest, "finnish/locales/fi/more.po": text},
    )
    both = dunerules.load(game.parent / "more")
    assert (both.name("pack", "more", "fi"), both.name("pack", "example", "fi")) == ("Lisää", "Esimerkki")
    alone = dunerules.load(game)
    assert alone.name("pack", "example", "fi") == "Esimerkki"
    with pytest.raises(KeyError):
        alone.name("pack", "more", "fi")


def test_nobody_chooses_between_two_packs_with_the_same_language(game: Path, capsys: Out) -> None:
    write_files(game.parent, {**finnish(), **finnish("suomi")})
    rules = dunerules.load(game)
    with pytest.raises(CannotRunError, match=r"the language `fi` is brought twice.*--lang-path"):
        rules.name("pack", "example", "fi")
    assert rules.name("pack", "example", "en") == "An example", "other languages are not touched by it"
    assert dunerules.load(game, lang_path=[game.parent / "suomi"]).name("pack", "example", "fi") == "Esimerkki"
    found = [each for each in problems_of(game.parent / "finnish") if each.code == "DR826"]
    assert {each.span.file for each in found} == {
        "finnish/locales/fi/example.po", "finnish/locales/fi/lexicon.yaml"
    }  # fmt: skip
    assert main(["games", "example"]) == 0
    assert "`fi` for `example` is brought twice" in capsys.readouterr().err


def test_a_language_pack_does_not_stand_in_front_of_the_pack_itself(game: Path) -> None:
    files = finnish()
    write_files(game, {"locales/fi/example.po": files["finnish/locales/fi/example.po"]})
    write_files(game.parent, files)
    with pytest.raises(CannotRunError, match="the language `fi` for `example` is brought twice"):
        dunerules.load(game).name("pack", "example", "fi")
    with pytest.raises(CannotRunError, match=r"brought twice.* cannot be replaced by one: move one of them away$"):
        dunerules.load(game, lang_path=[game.parent / "finnish"]).name("pack", "example", "fi")


# ---- what has no place in one


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"spots.yaml": "kind: spot\nobjects: {hill: {name: Hill}}\n"}, "a language pack has only languages"),
        ({"scenarios/x.yaml": "scenarios: {}\n"}, "a language pack has only languages"),
        ({"book.yaml": "[]\n"}, "a language pack has only languages"),
        ({"locales/sv/example.po": ""}, "`sv` is not among the languages of this pack"),
        ({"locales/fi/exmaple.po": ""}, "`exmaple.po` is not read: the pack speaks for example"),
        ({"pack.yaml": "languages: [fi, en]"}, "`en` is the language that packs are written in"),
        ({"pack.yaml": "languages: [fi, sv]"}, "there is nothing in the language `sv`"),
        ({"pack.yaml": "languages: [fi]\nrequires: {}"}, "a language pack that names no pack"),
    ],
)
def test_a_language_pack_has_languages_and_nothing_else(game: Path, files: dict[str, str], message: str) -> None:
    root = write_files(game.parent, finnish()) / "finnish"
    manifest = (root / "pack.yaml").read_text("utf-8")
    head, _, _ = manifest.partition("languages:")
    more = {"pack.yaml": f"{head}{files['pack.yaml']}\n"} if "pack.yaml" in files else files
    if "requires" not in more.get("pack.yaml", "requires"):
        more = {"pack.yaml": more["pack.yaml"] + 'requires: {example: "*"}\n'}
    write_files(root, more)
    found = [each for each in problems_of(root) if each.code == "DR213"]
    assert message in [each.message for each in found], found


def test_check_looks_at_the_whole_language(game: Path) -> None:
    files = finnish()
    name = "finnish/locales/fi/example.po"
    write_files(game.parent, {**files, name: files[name].replace("Esimerkki", "{esimerkki}")})
    assert {"DR805", "DR809"} <= set(codes(problems_of(game.parent / "finnish")))


def test_packs_and_games_list_languages(game: Path, capsys: Out) -> None:
    write_files(game.parent, finnish())
    assert main(["packs", "finnish", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["languages"], row["lock"], row["objects"]) == (["fi"], "", {})
    assert main(["packs", "finnish"]) == 0
    assert "brings the language fi" in capsys.readouterr().out
    assert main(["games", "example", "--json"]) == 0
    mine = next(each for each in json.loads(capsys.readouterr().out) if each["id"] == "example")
    assert 0 < mine["languages"]["fi"] < 100


# ---- saves and replays


def test_a_game_goes_on_in_another_language(
    game: Path, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, finnish())
    replay = tmp_path / "game.json"
    assert main(["replay", "--record", str(replay), "--game", "./example", "--seed", "3"]) == 0
    assert set(read_replay(replay).locks) == {"example"}
    for flags in (["--lang", "fi"], ["--lang", "en"], ["--lang", "fi", "--lang-path", "finnish"]):
        assert main(["replay", str(replay), "--game", "./example", *flags]) == 0
    shutil.rmtree(tmp_path / "finnish")
    assert main(["replay", str(replay), "--game", "./example", "--verify"]) == 0
    assert main(["replay", str(replay), "--game", "./example", "--lang", "fi"]) == 2
    assert "there is no language `fi`" in capsys.readouterr().err


# ---- tools of translators


def test_tools_work_in_a_language_pack(game: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(game, {"spots.yaml": "kind: spot\nobjects:\n  hill: {name: Hill, visit: gain 1 gold}\n"})
    write_files(game.parent, finnish())
    root = game.parent / "finnish"
    monkeypatch.chdir(root)
    assert main(["i18n", "update"]) == 0
    out = capsys.readouterr().out
    assert "locales/fi/example.po: written" in out
    assert "locales/fi/dunerules.po: written" in out
    assert "/en/" not in out
    assert "Esimerkki" in (root / "locales/fi/example.po").read_text("utf-8")
    assert main(["i18n", "status", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["language"], row["pack"]) for row in rows} == {("fi", "example"), ("fi", "dunerules")}
    assert main(["i18n", "override", "spot.hill.visit", "Ota kulta.", "--lang", "fi"]) == 0
    assert main(["i18n", "glossary"]) == 0
    assert main(["i18n", "pseudo"]) == 0
    assert "en-XA" in dunerules.load(game).languages
    capsys.readouterr()
    assert main(["i18n", "check", "--select", "DR813", "--lang", "fi"]) == 0
    monkeypatch.chdir(game.parent)
    assert main(["text", "hill", "--lang", "fi", "--game", "example"]) == 1
    assert "Ota kulta." in capsys.readouterr().out
    assert main(["i18n", "update", "--lang-path", "finnish"]) == 0
    assert not (game / "locales").exists()


def test_a_language_must_be_declared_before_it_is_added(game: Path, capsys: Out) -> None:
    write_files(game.parent, finnish())
    add = "`dunerules i18n update --lang sv` adds it once it is in the list of `languages` in pack.yaml"
    for command in ("status", "check", "update"):
        assert main(["i18n", command, "finnish", "--lang", "sv"]) == 2
        assert f"there is no language `sv` here; there is fi ({add})" in capsys.readouterr().err
    assert not (game.parent / "finnish/locales/sv").exists()


# ---- a new language


def test_a_new_language_has_everything_to_be_written_and_loads_at_once(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--name", "suomi", "--cases", "nom,gen", "--for", "immortality", "--author", "Aino", "--out", "suomi")
    assert main(["i18n", "new", "fi", *words]) == 0
    told = capsys.readouterr().out
    names = ["lexicon.yaml", "phrases.yaml", "dunerules.po"]
    names += [f"{pack}.{each}" for pack in ("base", "immortality") for each in ("lexicon.yaml", "phrases.yaml", "po")]
    assert {path.name for path in (tmp_path / "suomi/locales/fi").iterdir()} == set(names)
    assert all(name in told for name in names)
    found = problems_of(tmp_path / "suomi")
    assert {each.code for each in found} == {"DR805", "DR827"}
    locale, problems = locale_for("fi", dunerules.load("immortality").packs, [tmp_path / "suomi"])
    assert not problems
    assert locale.lexicon.cases == ("nom", "gen")
    english, _ = load_locale("en", dunerules.load("immortality").packs)
    lexicon = (tmp_path / "suomi/locales/fi/base.lexicon.yaml").read_text("utf-8")
    assert "  # spice; spice\n  counter.spice:\n    forms:\n      singular: {nom: TODO, gen: TODO}\n" in lexicon
    assert main(["i18n", "status", "suomi", "--missing", "--json"]) == 0
    missing = {(each["kind"], each["key"]) for each in json.loads(capsys.readouterr().out)}
    wanted = {("phrase", key) for key in english.phrases if not is_optional(key)}
    assert wanted <= missing
    assert {("noun", key) for key in english.lexicon.nouns if "[" not in key} <= missing
    assert main(["i18n", "status", "suomi", "--json"]) == 0
    assert {row["percent"] for row in json.loads(capsys.readouterr().out)} == {0}
    assert main(["text", "chani", "--lang", "fi"]) == 1
    assert "⟨card.chani.name⟩" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("english",), "`english` is not the code of a language"),
        (("en",), "is the language that packs are written in"),
        (("fi", "--for", "bsae"), "there is no pack `bsae`; did you mean `base`?"),
        (("fi", "--cases", "Nominative"), "`Nominative` is no name of a case"),
        (("fi", "--out", "."), "is there already"),
        (("FI",), "`FI` is not well formed: the language is in small letters; did you mean `fi`?"),
        (("PT-BR",), "did you mean `pt-BR`?"),
        (("fi", "--cases", "nom,gen,nom"), "the case `nom` is listed twice"),
        (("fi", "--name", 'a"\n: b'), "the name of the language has U+000A in it"),
        (("fi", "--name", "a\u202eb"), "the name of the language has U+202E in it"),
        (("fi", "--author", "x]\ny"), "the author has U+000A in it"),
        (("fi", "--author", ""), "the author has 0 characters: expected some text"),
        (("pl", "--for", "base"), "`base` has `pl` itself already"),
    ],
)
def test_a_new_language_that_cannot_be_made(
    words: tuple[str, ...], message: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["i18n", "new", *words]) == 2
    assert message in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_language_that_a_language_pack_brings_is_not_made_again(game: Path, capsys: Out) -> None:
    write_files(game.parent, finnish())
    more = 'id: more\nversion: "1.0"\ntitle: More\nauthors: [you]\nlicence: MIT\nrequires: {example: "*"}\n'
    write_files(game.parent, {"more/pack.yaml": more})
    update = "`dunerules i18n update finnish`"
    for pack, advice in (
        ("./example", f"{update} brings it up to date"),
        ("./more", f"name more under `requires` in its pack.yaml, and {update} adds it"),
    ):
        assert main(["i18n", "new", "fi", "--for", pack, "--out", "again"]) == 2
        assert f"`fi` for `example` is brought by finnish already; {advice}" in capsys.readouterr().err
    assert not (game.parent / "again").exists()


def test_a_required_pack_that_has_the_language_itself_is_left_out(game: Path, capsys: Out) -> None:
    write_files(game, {"locales/pl/example.po": finnish()["finnish/locales/fi/example.po"].replace("fi", "pl")})
    more = 'id: more\nversion: "1.0"\ntitle: More\nauthors: [you]\nlicence: MIT\nrequires: {example: "*"}\n'
    write_files(game.parent, {"more/pack.yaml": more})
    assert main(["i18n", "new", "pl", "--for", "./more"]) == 0
    assert "`example` has `pl` itself already: the new pack is not for it" in capsys.readouterr().err
    assert [path.name for path in (game.parent / "more_pl/locales/pl").iterdir()] == ["more.po"]
    assert "DR826" not in codes(problems_of(game.parent / "more_pl"))


def test_a_shipped_language_for_another_pack_has_no_files_of_its_own(game: Path, capsys: Out) -> None:
    write_files(game, {"locales/en/example.phrases.yaml": 'phrases:\n  verb.take: "take {n:kind.card}"\n'})
    assert main(["i18n", "new", "pl", "--for", "./example"]) == 0
    assert sorted(path.name for path in (game.parent / "example_pl/locales/pl").iterdir()) == [
        "example.phrases.yaml", "example.po"
    ]  # fmt: skip
    assert "lexicon.yaml" not in capsys.readouterr().out


def test_update_makes_files_that_are_not_there_and_keeps_those_that_are(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["i18n", "new", "fi", "--out", "suomi"]) == 0
    folder = tmp_path / "suomi/locales/fi"
    before = (folder / "lexicon.yaml").read_text("utf-8").replace("cases: [nom]", "cases: [nom, par]")
    (folder / "lexicon.yaml").write_text(before, "utf-8")
    (folder / "base.lexicon.yaml").unlink()
    (folder / "base.po").unlink()
    assert main(["i18n", "update", "suomi"]) == 0
    assert (folder / "lexicon.yaml").read_text("utf-8") == before
    assert "singular: {nom: TODO, par: TODO}" in (folder / "base.lexicon.yaml").read_text("utf-8")
    assert (folder / "base.po").is_file()


# ---- what is missing, and what is unknown


LACKING = {
    "base.lexicon.yaml": ("noun", "counter.spice"),
    "phrases.yaml": ("phrase", "step.if"),
    "base.phrases.yaml": ("phrase", "slot.reveal"),
}


def test_a_language_that_lacks_a_noun_or_a_phrase_is_not_complete(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shipped Polish, as a language pack under another code, is whole; without some entries it is not."""
    monkeypatch.chdir(tmp_path)
    root = as_language_pack(tmp_path / "lechic", "pl", "szl")
    assert percents(capsys, root) == {"base": 100, "dunerules": 100}
    for file, (_, key) in LACKING.items():
        path = root / "locales/szl" / file
        text = path.read_text("utf-8")
        without = re.sub(rf"^  {re.escape(key)}:.*\n(?:   .*\n)*", "", text, flags=re.MULTILINE)
        assert without != text
        path.write_text(without, "utf-8")
    assert all(percent < 100 for percent in percents(capsys, root).values())
    assert main(["i18n", "status", str(root), "--missing"]) == 0
    out = capsys.readouterr().out
    assert all(f"{file}: 1 missing\n  {kind}  {key}" in out for file, (kind, key) in LACKING.items())
    assert main(["i18n", "check", str(root), "--select", "DR827", "--fix"]) == 1
    told = capsys.readouterr()
    assert "fixed 3 findings" in told.err
    assert all(f"`{key}` is still to be written" in told.out for _, key in LACKING.values())


def as_language_pack(root: Path, language: str, code: str) -> Path:
    """A shipped language for the base game, as a language pack with another code."""
    head = f'format: 2\nid: {root.name}\nversion: "1.0"\ntitle: T\nauthors: [you]\nlicence: MIT\n'
    write_files(root, {"pack.yaml": f'{head}languages: [{code}]\nrequires: {{base: "*"}}\n'})
    for source in (CONTENT / "locales" / language).iterdir():
        if source.name.startswith("base.") or source.name in GENERAL:
            text = source.read_text("utf-8").replace(f"language: {language}\n", f"language: {code}\n")
            text = text.replace(f"Language: {language}\\n", f"Language: {code}\\n")
            write_files(root, {f"locales/{code}/{source.name}": text})
    return root


def percents(capsys: Out, root: Path) -> dict[str, int]:
    """How complete the parts of a language pack are."""
    capsys.readouterr()
    assert main(["i18n", "status", str(root), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    found: dict[str, int] = {}
    for row in rows:
        found[row["pack"]] = min(found.get(row["pack"], 100), row["percent"])
    return found


UNKNOWN = [
    ("base.lexicon.yaml", "  counter.spice:\n", "  counter.spcie:\n", "nothing is called `counter.spcie`"),
    ("base.lexicon.yaml", "gender: m3\n", "gender: m33\n", "no adjective and no number knows the gender `m33`"),
    ("lexicon.yaml", 'relations: {in: "na', 'relations: {ni: "na', "nothing asks for the relation `ni`"),
    ("phrases.yaml", "  step.if: ", "  step.fi: ", "nothing is said by `step.fi`"),
    ("phrases.yaml", "{when: {letter: ", "{when: {lettre: ", "`when` asks for `lettre`, which is nothing here"),
    ("phrases.yaml", 'list.and.two: "{a}', 'list.and.two: "{aa}', "unknown slot `aa`"),
]
"""Files, what stands in them, what is put there instead, and what is found."""


def test_unknown_names_are_found_with_the_nearest_and_mended_and_so_is_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = as_language_pack(tmp_path / "lechic", "pl", "szl")
    right = {path.name: path.read_text("utf-8") for path in (root / "locales/szl").iterdir()}
    wrong = dict(right)
    for file, old, new, _ in UNKNOWN:
        assert old in wrong[file]
        wrong[file] = wrong[file].replace(old, new, 1)
    at = next(re.finditer('msgctxt "[^"]*name"\nmsgid .*\nmsgstr "[^"\n]*\u00a0', wrong["base.po"]))
    wrong["base.po"] = wrong["base.po"][: at.end() - 1] + " " + wrong["base.po"][at.end() :]
    write_files(root / "locales/szl", wrong)
    found = {each.message: each for each in problems_of(root) if each.code in {"DR824", "DR828"}}
    assert {message for *_, message in UNKNOWN} <= found.keys()
    assert all(found[message].nearest for *_, message in UNKNOWN)
    for _ in range(2):  # a fix can bring to light what could not be judged before
        main(["i18n", "check", str(root), "--fix", "--select", "DR814,DR824,DR828"])
    after = {path.name: path.read_text("utf-8") for path in (root / "locales/szl").iterdir()}
    mended = {new: old for _, old, new, message in UNKNOWN if found[message].edits}
    assert len(mended) >= 4
    assert not [new for new in mended if any(new in text for text in after.values())]
    assert after["base.po"] == right["base.po"]


def test_a_pack_is_not_blamed_for_what_a_language_pack_says_for_another(game: Path) -> None:
    """A pack speaks Finnish; what the game it requires lacks is there as soon as a language pack is."""
    head = 'id: more\nversion: "1.0"\ntitle: More\nauthors: [you]\nlicence: MIT\nrequires: {example: "*"}\n'
    name = finnish()["finnish/locales/fi/example.po"].replace("example", "more").replace("Esimerkki", "Lisää")
    root = write_files(game.parent, {"more/pack.yaml": head, "more/locales/fi/more.po": name}) / "more"

    def holes() -> int:
        told = [each.message for each in problems_of(root, game.parent / "cache") if "other packs" in each.message]
        return int(told[0].split("the book has ")[1].split()[0])

    before = holes()
    files = finnish()
    write_files(game.parent, {**files, "finnish/locales/fi/phrases.yaml": "phrases:\n  slot.visit: Käynti\n"})
    assert 0 < holes() < before, "and nothing old is remembered"
