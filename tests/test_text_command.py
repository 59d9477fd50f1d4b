"""`dunerules text` as a user calls it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.cli.columns import side_by_side
from dunerules.language.typography import NO_BREAK

from .support import ROOT, manifest, write_files


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    code = main(["text", *arguments])
    out, err = capsys.readouterr()
    return code, out.replace(NO_BREAK, " ").splitlines(), err


def test_one_card_in_three_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "card/fremen_camp") == (
        0,
        [
            "Fremen Camp  (card/fremen_camp)",
            "  Persuasion cost: 4.",
            "  Factions: Fremen.",
            "  Agent icons: Spice Trade.",
            "  Agent: You may pay 2 spice to recruit 3 troops.",
            "  Reveal: Gain 2 Persuasion and 1 sword.",
        ],
        "",
    )
    assert (
        "  Ramka agenta: Możesz zapłacić 2 przyprawy, aby zrekrutować 3 żołnierzy."
        in printed(capsys, "fremen_camp", "--lang", "pl")[1]
    )
    assert (
        "  Sekce agenta: Můžeš zaplatit 2 koření. Pokud to uděláš, získej 3 jednotky."
        in printed(capsys, "fremen_camp", "--lang", "cs")[1]
    )


def test_styles(capsys: pytest.CaptureFixture[str]) -> None:
    _, icons, _ = printed(capsys, "card/fremen_camp", "--style", "icons")
    assert "  Agent: [−2 spice] → [3 troops]" in icons
    _, both, _ = printed(capsys, "card/fremen_camp", "--style", "both")
    assert "  Agent: You may pay 2 spice to recruit 3 troops.  [−2 spice] → [3 troops]" in both


def test_an_id_of_two_kinds_means_both(capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = printed(capsys, "foldspace")
    assert [line for line in lines if line.endswith(")")] == [
        "Foldspace  (card/foldspace)",
        "Foldspace  (space/foldspace)",
    ]


def test_ability_names_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = printed(capsys, "baron_vladimir_harkonnen", "--lang", "pl")
    assert lines[-1].startswith("  Mistrzowski ruch: Raz na grę, kiedy wysyłasz żołnierzy na obszar konfliktu")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["space/arakeen"], "nothing is called `space/arakeen`; did you mean `space/arrakeen`?"),
        (["dagger", "--lang", "pk"], "there is no language `pk`"),
        (["dagger", "--game", "bas"], "there is no pack `bas`; did you mean `base`?"),
        ([], "name some objects, or ask for --all"),
        (["dagger", "--all"], "name some objects, or ask for --all"),
    ],
)
def test_what_cannot_be_printed(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = printed(capsys, *arguments)
    assert (code, lines) == (2, [])
    assert message in err


def test_an_absent_translation_is_shown_as_absent_and_told_by_the_exit_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cards = "kind: card\nobjects:\n  party: {name: Party, agent: draw 1}\n"
    pack = write_files(tmp_path / "more", {"pack.yaml": manifest("more", requires={"base": "*"}), "cards.yaml": cards})
    code, lines, _ = printed(capsys, "party", "--lang", "pl", "--with", str(pack))
    assert (code, lines) == (1, ["⟨card.party.name⟩  (card/party)", "  Ramka agenta: Dobierasz kartę."])


def test_a_damaged_file_is_reported_and_the_rest_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "locales/pl/more.phrases.yaml": 'phrases:\n  verb.draw: "{*draw} {m}"\n  verb.trash: "{"\n',
        },
    )
    code, lines, err = printed(capsys, "dagger", "--lang", "pl", "--with", str(pack))
    assert code == 1
    assert lines[-1] == "  Ramka odkrywania: Zdobywasz 1 miecz."
    assert "more.phrases.yaml:2:23: DR824 unknown slot `m`" in err
    assert "more.phrases.yaml:3:16: DR824 a lone `{`" in err


def test_it_works_in_a_pipe_that_closes_early() -> None:
    command = [sys.executable, "-m", "dunerules", "text", "--all", "--lang", "cs"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


def test_a_reconstruction_is_marked_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    for code, said in (("en", "Reconstructed"), ("pl", "Rekonstrukcja"), ("cs", "Rekonstrukce")):
        assert main(["text", "show_of_trust", "duncan_idaho", "--game", "betrayal", "--lang", code]) == 0
        marked, plain = capsys.readouterr().out.split("\n\n")
        assert " †  (action_card/show_of_trust)" in marked
        assert f"  † {said}" in marked
        assert "†" not in plain


def test_a_pack_that_only_patches_prints_what_it_patches(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "tests" / "patched" / "orchard", tmp_path / "orchard")
    card = "card/cider"
    patches = f"patches:\n  - {{target: {card}, set: {{worth: 9}}, reason: a test}}\n"
    text = manifest("more", "1.0", requires={"orchard": "*"})
    monkeypatch.chdir(write_files(tmp_path / "more", {"pack.yaml": text, "patches.yaml": patches}))
    _, lines, _ = printed(capsys, "--all")
    assert [line for line in lines if line.endswith(f"({card})")]


# ---- by name, in several languages, of a pack


@pytest.mark.parametrize(
    "name", ["Fremen Camp", "fremen camp", "Fremenský tábor", "fremensky tabor", "Obóz Fremenów", "Oboz fremenow"]
)
def test_a_name_in_any_language_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = printed(capsys, name)
    assert (code, lines[0], err) == (0, "Fremen Camp  (card/fremen_camp)", "")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Smugler's Thoptr", "`Smuggler's Thopter`"),
        ("fremensky tabro", "`Fremenský tábor`"),
        ("thopter", "`Gun Thopter` or `Smuggler's Thopter`"),
        ("fremen_cmp", "`Fremen Camp`"),
    ],
)
def test_a_slip_is_told_with_the_nearest_names(name: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, err = printed(capsys, name)
    assert (code, lines) == (2, [])
    assert f"nothing is called `{name}`; did you mean {near}?" in err.replace(NO_BREAK, " ")


def test_several_languages_stand_one_below_the_other_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = printed(capsys, "dagger", "--lang", "en", "--lang", "cs", "--lang", "en")
    assert code == 0
    assert [line for line in lines if "(card/dagger)" in line] == ["Dagger  (card/dagger)", "Dýka  (card/dagger)"]


def test_columns() -> None:
    left, right = ["Dagger", "  Reveal: Gain 1 sword and do much more than that."], ["Dýka", "  Získej 1 meč.", "  x"]
    wide = side_by_side([left, right], 80)
    assert wide[0] == f"{'Dagger':38}   Dýka"
    assert [line.startswith(" " * 4) for line in wide] == [False, False, True, True], "a long line is broken"
    assert wide[1].endswith("Získej 1 meč.")
    assert wide[-1] == f"{'':38}     x"
    assert all(len(line) <= 80 for line in wide)
    assert side_by_side([left, right], 70) == side_by_side([left, right]) == [*left, *right]
    assert side_by_side([left], 80) == left


def test_only_what_a_pack_has_or_changes(capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = printed(capsys, "--all", "--pack", "immortality")
    shown = {line.rpartition("(")[2].rstrip(")") for line in lines if line.endswith(")")}
    assert "card/organ_merchants" in shown
    assert "card/fremen_camp" not in shown
    code, _, err = printed(capsys, "fremen_camp", "--pack", "immortality")
    assert code == 2
    assert "nothing in that pack is called `fremen_camp`" in err
    assert printed(capsys, "organ_merchants", "--game", "base", "--pack", "immortality")[0] == 0


def test_inside_a_pack_its_things_are_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = "kind: card\nobjects:\n  black_market: {name: Black Market, reveal: gain 1 persuasion}\n"
    files = {"pack.yaml": manifest("more", requires={"base": "*"}), "cards/own.yaml": card}
    root = write_files(tmp_path / "more", files)
    for folder in (root, root / "cards"):
        monkeypatch.chdir(folder)
        for words in (["black_market"], ["Black Market"], ["--all"], ["--all", "--pack", "more"]):
            _, lines, err = printed(capsys, *words)
            assert (lines[0], err) == ("Black Market  (card/black_market)", "")
            assert sum(line.endswith(")") for line in lines) == 1
    monkeypatch.chdir(tmp_path)
    assert printed(capsys, "--all", "--pack", str(root))[1][0] == "Black Market  (card/black_market)"


def test_a_neighbour_with_the_id_of_a_shipped_pack_is_never_taken_silently(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = "kind: card\nobjects:\n  black_market: {name: Black Market, reveal: gain 1 persuasion}\n"
    german = "locales/de/more.po"
    files = {"pack.yaml": manifest("more", requires={"base": "*"}), "cards.yaml": card, german: 'msgid ""\nmsgstr ""\n'}
    root = write_files(tmp_path / "more", files)
    write_files(tmp_path / "base", {"pack.yaml": manifest("base", "9.0")})
    monkeypatch.chdir(root)
    for words in (
        ["text", "black_market"],
        ["check"],
        ["explain", "card/dagger"],
        ["i18n", "status"],
        ["i18n", "check"],
        ["i18n", "update", "--lang", "de"],
    ):
        assert main(words) in {1, 2}, words
        told = "".join(capsys.readouterr())
        assert "pack `base` is in two places" in told, words
    assert (root / german).read_text("utf-8") == files[german]


def test_an_id_inside_a_copy_means_the_copy_and_that_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "content" / "base", tmp_path / "base", ignore=shutil.ignore_patterns("scenarios"))
    reserve = next(path for path in (tmp_path / "base" / "cards").iterdir() if "Foldspace" in path.read_text("utf-8"))
    reserve.write_text(reserve.read_text("utf-8").replace("name: Foldspace", "name: Own Space"), "utf-8")
    for folder in (tmp_path, tmp_path / "base", tmp_path / "base" / "cards"):
        monkeypatch.chdir(folder)
        assert main(["explain", "card/foldspace"]) == 0
        assert "Own Space" in capsys.readouterr().out
        assert main(["text", "card/foldspace", "--game", "base"]) == 0
        assert "`base` is the pack in" in capsys.readouterr().err


def test_a_copy_speaks_with_its_own_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("base", "locales"):
        shutil.copytree(ROOT / "content" / name, tmp_path / name, ignore=shutil.ignore_patterns("scenarios"))
    own = tmp_path / "locales" / "cs"
    for file, old, new in (
        ("base.po", 'msgstr "Dýka"', 'msgstr "Kudla"'),
        ("dunerules.po", 'msgstr "Obsah"', 'msgstr "Kapitoly"'),
    ):
        text = (own / file).read_text("utf-8")
        assert old in text
        (own / file).write_text(text.replace(old, new), "utf-8")
    monkeypatch.chdir(tmp_path / "base")
    assert printed(capsys, "dagger", "--lang", "cs")[1][0] == "Kudla  (card/dagger)"
    assert main(["book", "--lang", "cs", "--out", str(tmp_path / "book.html")]) == 0
    assert "Kapitoly" in (tmp_path / "book.html").read_text("utf-8")
    (own / "base.po").unlink()
    capsys.readouterr()
    code, lines, _ = printed(capsys, "dagger", "--lang", "cs")
    assert (code, lines[0]) == (1, "⟨card.dagger.name⟩  (card/dagger)"), "not what is installed"
