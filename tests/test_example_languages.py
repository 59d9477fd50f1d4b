"""The language packs among the examples, outside of the checkout and by the installed command alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .support import ROOT

COMMAND = Path(sys.executable).with_name("dunerules")


def run(here: Path, *arguments: str, typed: str = "", code: int = 0) -> str:
    """What the command prints in a folder, in whatever language that has."""
    done = subprocess.run(
        [str(COMMAND), *arguments], cwd=here, input=typed, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout.replace("\u00a0", " ")


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(ROOT / "examples" / "german", tmp_path_factory.mktemp("de") / "german")


@pytest.fixture(scope="module")
def finnish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(ROOT / "examples" / "finnish", tmp_path_factory.mktemp("fi") / "finnish")


def test_german_is_whole_and_clean(german: Path) -> None:
    rows = json.loads(run(german, "i18n", "status", "--json"))
    assert {row["pack"] for row in rows} == {"base", "dunerules"}
    assert [row for row in rows if row["percent"] != 100 or row["missing"] or row["fuzzy"]] == []
    assert "all clean" in run(german, "check", ".")


@pytest.mark.parametrize("players", ["1", "2"])
def test_a_game_told_in_german_has_no_hole(german: Path, tmp_path: Path, players: str) -> None:
    game = str(tmp_path / "game.json")
    run(german, "replay", "--record", game, "--game", "base", "--players", players, "--seed", players)
    told = run(german, "replay", game, "--lang", "de")
    assert "⟨" not in told
    assert "rekrutiert" in told
    assert "base" in (tmp_path / "game.json").read_text("utf-8")
    assert "german" not in (tmp_path / "game.json").read_text("utf-8"), "a language is no part of a game"


def test_a_game_saved_in_polish_goes_on_in_german(german: Path, tmp_path: Path) -> None:
    save = str(tmp_path / "game.json")
    start = ["play", "--game", "base", "--players", "3", "--seed", "3", "--lang", "pl", "--save", save]
    assert "co robisz?" in run(german, *start, typed="1\n1\n")
    told = run(german, "play", "--resume", save, "--lang", "de", typed="1\n1\ntisch\nverlauf\n? dolch\nhand\n?\n")
    assert "Was tust du?" in told
    assert "Auf dem Tisch" in told
    assert "⟨" not in told


def test_the_german_book_has_no_hole(german: Path, tmp_path: Path) -> None:
    page = tmp_path / "buch.html"
    run(german, "book", "--game", "base", "--lang", "de", "--out", str(page))
    text = page.read_text("utf-8")
    assert "⟨" not in text
    assert "Ziel des Spiels" in text
    assert "Dieser Name ist ein Vorschlag" in text


FINNISH = {
    "duncan_idaho": "Voit maksaa 1 veden värvätäksesi 1 joukon ja nostaaksesi kortin.",
    "firm_grip": "saadaksesi 1 vaikutusvallan avaruuskillassa, Bene Gesseritissä tai fremenien keskuudessa.",
    "guild_ambassador": "Jos sinulla on liitto avaruuskillan kanssa, voit maksaa 3 rohtoa saadaksesi 1 voittopisteen.",
    "guild_bankers": "Vuoron loppuun asti kortit ”Rohdon on virrattava” maksavat sinulle 3 suostuttelua vähemmän.",
    "gun_thopter": "Jokainen vastustaja menettää 1 joukon varuskunnastaan.",
    "gurney_halleck": "lähettääksesi enintään yhtä monta joukkoa varuskunnastasi konfliktiin.",
    "imperial_spy": "Voit poistaa tämän kortin pelistä nostaaksesi juonikortin.",
    "kwisatz_haderach": "Vastustajien agentit eivät estä tätä agenttia.",
    "liet_kynes": "Saat 2 suostuttelua jokaisesta pelissä olevasta fremenkortista.",
    "other_memory": "Nostat kortin tai otat Bene Gesserit -kortin poistopinostasi käteesi.",
    "reverend_mother_mohiam": "toinen Bene Gesserit -kortti, jokainen vastustaja hylkää 2 korttia.",
    "scout": "Saat 1 suostuttelun ja 1 miekan sekä vedät enintään 2 joukkoa takaisin.",
    "smugglers_thopter": "Jos sinulla on vähintään 2 vaikutusvaltaa avaruuskillassa, nostat 2 korttia.",
    "test_of_humanity": "Jokainen vastustaja hylkää kortin tai menettää 1 joukon konfliktista.",
    "the_voice": "Seuraavan vuorosi alkuun asti vastustajat eivät voi lähettää agentteja siihen ruutuun.",
}
"""Cases behind numbers, postpositions, endings for whose something is, vowel harmony, *in order to* as a form."""


def test_every_card_that_finnish_claims_is_printed(finnish: Path) -> None:
    printed = run(finnish, "text", "--all", "--lang", "fi", code=1)
    texts = {head.split("/")[-1].rstrip(")"): rest for head, _, rest in _cards(printed)}
    assert len(texts) == 53, "every card that can be in a deck"
    assert [id_ for id_, text in texts.items() if "⟨" in text] == []
    assert {id_: words for id_, words in FINNISH.items() if words not in texts[id_]} == {}


def test_finnish_says_how_much_of_it_there_is(finnish: Path) -> None:
    rows = {(row["pack"], row["kind"]): row for row in json.loads(run(finnish, "i18n", "status", "--json"))}
    assert rows["base", "card"]["percent"] == 100
    assert rows["base", "space"]["percent"] == 0
    assert "DR805" in run(finnish, "check", ".", code=1)


def _cards(printed: str) -> list[tuple[str, str, str]]:
    """What every card says, behind its head."""
    return [each.partition("\n") for each in printed.split("\n\n") if "(card/" in each.partition("\n")[0]]
