"""`dunerules i18n check`: rules beyond their examples, damaged languages, notes that allow something, formats."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import prelude
from dunerules.problems import Problem

from .support import CONTENT, codes, locale_problems_of, tiny_pack, write_files

HEADER = 'msgid ""\nmsgstr "Language: {}\\nContent-Type: text/plain; charset=UTF-8\\n"\n'
LEXICON = prelude("prelude_locale.txt")["locales/xx/lexicon.yaml"]

Checked = Callable[..., list[Problem]]


def entry(id_: str, source: str, text: str, above: str = "") -> str:
    return f'\n{above}msgctxt "{id_}"\nmsgid "{source}"\nmsgstr "{text}"\n'


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    """What is wrong with a translation of the tiny game into a language, but that most of it is missing."""

    def check(*entries: str, language: str = "xx", **files: str) -> list[Problem]:
        more = {"locales/messages.yaml": files.pop("messages")} if "messages" in files else {}
        po = HEADER.format(language) + "".join(entries)
        name = "dunerules" if more and not any("spot." in each for each in entries) else "example"
        here = {f"locales/{language}/{name}.po": po, **more}
        if language == "xx":
            here["locales/xx/lexicon.yaml"] = files.pop("lexicon", LEXICON)
        if "terms" in files:
            here[f"locales/{language}/terms.yaml"] = files.pop("terms")
        root = tiny_pack(tmp_path / "example", {**here, **files})
        return [found for found in locale_problems_of(root) if found.code != "DR805"]

    return check


# ---- slots and words


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{who} ma {n:counter.gold.acc}", "", ""),
        ("{who:acc} ma {n}", "", ""),
        ("{n}", "DR809", "`{who}` is missing"),
        ("{who} {n} {x}", "DR809", "`{x}` is not in the source"),
        ("{who} {n", "DR809", "a lone `{`"),
        ("{who:accu} ma {n}", "DR823", "unknown case `accu`"),
        ("{who} ma {n:counter.gold.accu}", "DR823", "unknown case `accu`"),
        ("{who} ma {n:counter.silver.acc}", "DR821", "no noun `counter.silver`"),
        ("{who} {*has} {n}", "DR821", "no verb `has`"),
    ],
)
def test_slots_of_a_message(checked: Checked, text: str, code: str, said: str) -> None:
    source = "{who} has {n:counter.gold.acc}"
    found = checked(entry("message.gold", source, text), messages=f'gold: "{source}"\n')
    assert codes(found) == ([code] if code else [])
    assert said in (found[0].message if found else "")


def test_a_finding_points_to_the_translation(checked: Checked) -> None:
    (found,) = checked(entry("message.hello", "Hello {who}", "Hej"), messages='hello: "Hello {who}"\n')
    assert found.span.file.endswith("locales/xx/dunerules.po")
    assert (found.span.line, found.span.column) == (6, 1)


# ---- typography of real languages


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("cs", "Kopec s\u00a0lesem", ""),
        ("cs", "Kopec s lesem", "DR814"),
        ("cs", "Kopec za 5 dní", "DR814"),
        ("cs", "Kopec za 5\u00a0dní", ""),
        ("cs", "Kopec s\u00a0skálou", "DR815"),
        ("cs", "Kopec se skálou", ""),
        ("cs", "Kopec v\u00a0vodě", "DR815"),
        ("cs", "Kopec ve vodě", ""),
        ("cs", "Cesta k\u00a0kopci", "DR815"),
        ("cs", "Cesta ke kopci", ""),
        ("cs", "Kámen z\u00a0skály", "DR815"),
        ("cs", "Kámen ze skály", ""),
        ("pl", "Wzgórze w\u00a0lesie", ""),
        ("pl", "Wzgórze w lesie", "DR814"),
        ("pl", "Dwór w\u00a0Wrocławiu", "DR815"),
        ("pl", "Dwór we Wrocławiu", ""),
        ("pl", "Kamień z\u00a0skały", "DR815"),
        ("pl", "Kamień ze skały", ""),
    ],
)
def test_the_typography_of_shipped_languages(checked: Checked, language: str, text: str, code: str) -> None:
    found = checked(entry("spot.hill.name", "Hill", text), language=language)
    assert codes(found) == ([code] if code else [])


def test_blanks_in_messages_are_set_when_they_are_said(checked: Checked) -> None:
    assert checked(entry("message.a", "In a wood", "W lesie"), messages="a: In a wood\n") == []


# ---- plural categories


@pytest.mark.parametrize(
    ("plurals", "unreachable"),
    [
        ("{one: n = 1, few: n in 2..4, other: otherwise}", []),
        ("{one: n = 1, few: n in 2..4, other: otherwise, many: n = 7}", ["many"]),
        ("{one: n = 1, few: n in 2..4, many: n in 3..4, other: otherwise}", ["many"]),
    ],
)
def test_categories_that_no_whole_number_reaches(checked: Checked, plurals: str, unreachable: list[str]) -> None:
    lexicon = LEXICON.replace("{one: n = 1, other: otherwise}", plurals)
    found = checked(lexicon=lexicon)
    assert [each.message for each in found if each.code == "DR822"] == [
        f"no whole number is `{name}` in this language" for name in unreachable
    ]


def test_a_form_for_a_category_that_the_language_lacks(checked: Checked) -> None:
    lexicon = LEXICON.replace("    forms:\n", "    counted: {many: {nom: goldów, acc: goldów}}\n    forms:\n")
    assert "DR822" in codes(checked(lexicon=lexicon))


def test_verbs_and_adjectives_lack_forms(checked: Checked) -> None:
    lexicon = (
        LEXICON.replace("verb_forms: [do]", "verb_forms: [do, inf]")
        + "verbs:\n  take: {do: bierz}\nadjectives:\n  red:\n    - {forms: {singular: {nom: czerwony}}}\n"
    )
    assert [each.message for each in checked(lexicon=lexicon)] == [
        "the verb `take` has no inf",
        "the adjective `red` has no acc in the singular",
    ]


# ---- glossary and width


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ("Some gold", "Trochę goldu", ""),
        ("Some gold", "Trochę GOLDU", ""),
        ("Some gold", "Trochę pieniędzy", "DR811"),
        ("Golden", "Złoty", ""),
        ("Nothing", "Żadnych monetek", "DR812"),
        ("Nothing", "Demonety", ""),
        ("A goldmine", "Kopalnia", ""),
        ("{n:counter.gold.acc}", "{n:counter.gold.acc}!", ""),
        ("{n:counter.gold.acc}", "{n} monet", "DR811,DR812"),
    ],
)
def test_terms(checked: Checked, source: str, text: str, code: str) -> None:
    terms = 'terms:\n  counter.gold: {source: [gold], forbidden: ["monet*"]}\n'
    found = checked(entry("message.a", source, text), messages=f'a: "{source}"\n', terms=terms)
    assert ",".join(codes(found)) == code


def test_printed_names_are_held_to_no_glossary(checked: Checked) -> None:
    terms = 'terms:\n  spot.hill: {source: [hill], use: [kopka], forbidden: ["gór*"]}\n'
    official = "#. status: official\n"
    assert checked(entry("spot.hill.name", "Hill", "Góra", official), terms=terms) == []
    assert codes(checked(entry("spot.hill.name", "Hill", "Góra"), terms=terms)) == ["DR811", "DR812"]


def test_the_pack_s_own_width_counts_before_the_common_one(checked: Checked) -> None:
    limits = {"locales/limits.yaml": "spot.*: 3\n", "locales/example.limits.yaml": "spot.hill.*: 20\n"}
    found = checked(entry("spot.hill.name", "Hill", "Kopka"), entry("spot.harbour.name", "Harbour", "Port"), **limits)
    assert [(each.code, each.expected) for each in found] == [("DR813", "at most 3")]


def test_printed_texts_fit_their_panels(checked: Checked) -> None:
    cards = {"cards.yaml": "kind: card\nobjects:\n  coin: {start: deck, play: gain 1 gold}\n"}
    found = checked(**{"locales/limits.yaml": "text.card.*: 3\n"}, **cards)
    assert [(each.code, each.expected) for each in found if each.code == "DR813"] == [("DR813", "at most 3")]
    (wide,) = [each for each in found if each.code == "DR813"]
    assert (wide.span.file.rsplit("/", 1)[-1], wide.span.line) == ("cards.yaml", 3)
    assert "in `xx` the text of `play` is" in wide.message
    assert "DR813" not in codes(checked(**{"locales/limits.yaml": "text.card.*: 300\n"}, **cards))


def test_a_file_of_terms_with_a_wrong_key(checked: Checked) -> None:
    found = checked(terms="terms:\n  counter.gold: {forbiden: [x]}\n")
    assert codes(found) == ["DR101"]
    assert found[0].nearest == ("forbidden",)


# ---- ids


def test_an_id_that_nothing_has_is_told_with_the_nearest(checked: Checked) -> None:
    (found,) = checked(entry("spot.hil.name", "Hill", "Kopka"))
    assert (found.code, found.nearest) == ("DR807", ("spot.hill.name",))


def test_obsolete_entries_are_no_orphans(checked: Checked) -> None:
    assert checked('\n#~ msgctxt "spot.hil.name"\n#~ msgid "Hill"\n#~ msgstr "Kopka"\n') == []


# ---- notes of translators


def test_a_note_allows_what_it_names_and_nothing_else(checked: Checked) -> None:
    name = entry("spot.hill.name", "Hill", "Hill", "# dunerules: ignore[DR810]: a family name\n")
    other = entry("spot.harbour.name", "Harbour", "Harbour")
    (found,) = checked(name, other)
    assert found.code == "DR810"
    assert "Harbour" in found.message


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("# dunerules: ignore[DR810]\n", ["DR702", "DR810"]),
        ("# dunerules: ignore[DR899]: why\n", ["DR703", "DR810"]),
        ("# dunerules: ignore[DR813]: why\n", ["DR701", "DR810"]),
    ],
)
def test_notes_that_allow_nothing(checked: Checked, note: str, expected: list[str]) -> None:
    assert codes(checked(entry("spot.hill.name", "Hill", "Hill", note))) == expected


# ---- damage


@pytest.fixture
def two_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tiny_pack(
        tmp_path / "example",
        {
            "locales/xx/lexicon.yaml": LEXICON,
            "locales/xx/example.po": HEADER.format("xx") + entry("spot.hill.name", "Hill", "Hill"),
            "locales/yy/lexicon.yaml": LEXICON.replace("language: xx", "language: yy"),
            "locales/yy/example.po": HEADER.format("yy") + entry("spot.hill.name", "Hill", "Kopka"),
        },
    )
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    ("file", "data", "code"),
    [
        ("example.po", b'msgctxt "a\n', "DR801"),
        ("example.po", b"\xff\xfe\x00", "DR002"),
        ("lexicon.yaml", b"language: [\n", "DR005"),
        ("lexicon.yaml", b"\xff", "DR002"),
        ("lexicon.yaml", b"language: yy\ncase: [nom]\n", "DR101"),
        ("terms.yaml", b"terms: 3\n", "DR103"),
    ],
)
def test_a_damaged_file_is_reported_and_the_other_language_is_checked(
    two_languages: Path, file: str, data: bytes, code: str
) -> None:
    path = two_languages / "locales" / "yy" / file
    path.write_bytes(data)
    problems = locale_problems_of(two_languages)
    assert code in {found.code for found in problems if found.span.file.endswith(f"yy/{file}")}
    assert "DR810" in {found.code for found in problems if found.span.file.endswith("xx/example.po")}
    assert path.read_bytes() == data


def test_a_language_without_a_lexicon_is_told_once(two_languages: Path) -> None:
    (two_languages / "locales" / "yy" / "lexicon.yaml").unlink()
    found = [each for each in locale_problems_of(two_languages) if "yy" in each.span.file and each.code != "DR805"]
    assert codes(found) == ["DR001"]


def test_a_catalogue_that_is_not_there_is_one_finding(two_languages: Path) -> None:
    (two_languages / "locales" / "yy" / "example.po").unlink()
    (found,) = (each for each in locale_problems_of(two_languages) if "yy/example.po" in each.span.file)
    assert found.code == "DR805"
    assert "there is no catalogue" in found.message


# ---- the command


def run(*words: str) -> int:
    return main(["i18n", "check", *words])


def test_a_language_that_does_not_exist(two_languages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--lang", "yz") == 2
    shown = capsys.readouterr().err
    assert "there is no language `yz` here; did you mean `yy`?" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("name", ["full", "concise", "json", "github", "gitlab", "junit", "sarif", "rdjson"])
def test_findings_come_in_the_formats_of_the_checker(
    two_languages: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--select", "DR810", "--output-format", name) == 1
    out = capsys.readouterr().out
    assert "DR810" in out
    assert "locales/xx/example.po" in out
    if name in {"json", "gitlab", "sarif", "rdjson"}:
        json.loads(out)
    if name == "full":
        assert '5 | msgid "Hill"' not in out
        assert '6 | msgstr "Hill"' in out


def test_exit_codes_and_statistics(two_languages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--lang", "yy", "--ignore", "DR805") == 0
    assert "all clean: yy of example" in capsys.readouterr().out
    assert run("--lang", "xx", "--ignore", "DR805", "--fail-on", "error") == 0
    assert run("--lang", "xx", "--statistics") == 1
    assert "DR810 equals-source" in capsys.readouterr().out


def test_the_shipped_languages_are_clean(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CONTENT.parent)
    assert run("--output-format", "concise") == 0, capsys.readouterr().out


def test_a_broken_copy_of_the_shipped_languages_is_not(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "base", tmp_path / "base", ignore=shutil.ignore_patterns("scenarios"))
    shutil.copytree(CONTENT / "locales", tmp_path / "locales")
    path = tmp_path / "locales" / "pl" / "base.po"
    text = path.read_text("utf-8")
    path.write_text(
        text.replace('msgstr "Sztylet"', 'msgstr ""').replace('msgstr "Stilgar"', 'msgstr "Stilgar w 2 osobach"')
    )
    found = [each for each in locale_problems_of(tmp_path / "base", "pl") if "base.po" in each.span.file]
    assert codes(found) == ["DR805", "DR814"]


def test_files_of_terms_and_limits_have_schemas() -> None:
    from dunerules.packs.shape import shape_of

    for name in ("terms", "limits", "book", "messages"):
        shape_of(f"{name}.schema.json")


def test_a_pack_of_two_levels_is_found_in_its_own_folder(tmp_path: Path) -> None:
    write_files(tmp_path, {"locales/zz/example.po": ""})
    root = tiny_pack(tmp_path / "example", {"locales/xx/example.po": HEADER.format("xx")})
    assert {found.span.file.split("/")[-2] for found in locale_problems_of(root) if found.code == "DR805"} == {"xx"}
