"""`dunerules text` as a user calls it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dunerules.__main__ import main
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
        (["space/arakeen"], "no object is called `space/arakeen`; did you mean space/arrakeen?"),
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
