"""`dunerules games`: what is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dunerules.__main__ import main

from .support import write_files

Out = pytest.CaptureFixture[str]

OWN = {
    "mine/pack.yaml": 'id: mine\nversion: "2.1"\ntitle: Mine\nauthors: [you]\nlicence: MIT\n',
    "mine/game.yaml": (
        "id: mine\ntitle: Mine\nseats: {min: 2, max: 3}\ntables:\n  - {players: 1, seats: 2, automated: 1}\n"
    ),
    "more/pack.yaml": (
        'id: more\nversion: "0.3"\ntitle: More\nrequires: {mine: ">=2"}\nauthors: [you]\nlicence: MIT\n'
    ),
}


def listed(capsys: Out, *arguments: str) -> list[dict[str, object]]:
    assert main(["games", "--json", *arguments]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_installed_games_with_expansions_players_and_languages(capsys: Out) -> None:
    games = {str(game["id"]): game for game in listed(capsys)}
    assert {"base", "betrayal", "conquest"} <= games.keys()
    assert "immortality" not in games
    assert games["base"]["players"] == [1, 2, 3, 4]
    assert games["base"]["automated"] == {"1": 2, "2": 1}
    assert "immortality" in json.dumps(games["base"]["expansions"])
    assert games["betrayal"]["players"] == [4, 5, 6, 7, 8]
    assert games["betrayal"]["expansions"] == []
    assert games["conquest"]["players"] == [2, 3, 4]
    for game in ("base", "betrayal", "conquest"):
        assert games[game]["languages"] == {"cs": 100, "en": 100, "pl": 100}


def test_the_numbers_are_those_of_the_status(capsys: Out) -> None:
    assert main(["i18n", "status", "content/base", "--json"]) == 0
    rows = [row for row in json.loads(capsys.readouterr().out) if row["pack"] == "base"]
    base = next(game for game in listed(capsys) if game["id"] == "base")
    for language, percent in dict(base["languages"]).items():  # type: ignore[call-overload]
        own = [row for row in rows if row["language"] == language]
        usable = sum(row["all"] - row["fuzzy"] - row["missing"] for row in own)
        assert percent == 100 * usable // sum(row["all"] for row in own)


def test_own_packs_are_listed_with_them(tmp_path: Path, capsys: Out) -> None:
    root = write_files(tmp_path, OWN)
    game = listed(capsys, str(root))[0]
    assert (game["id"], game["version"], game["players"], game["languages"]) == ("mine", "2.1", [1, 2, 3], {})
    assert [each["id"] for each in game["expansions"]] == ["more"]  # type: ignore[attr-defined]
    assert main(["games", str(root)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["mine", "2.1", "Mine", "1*,", "2,", "3", "-"]
    assert lines[2].split() == ["+", "more", "0.3", "More", "-"]
    assert lines[-1] == "* with automated seats"


def test_a_damaged_game_is_listed_as_far_as_it_can_be_read(tmp_path: Path, capsys: Out) -> None:
    root = write_files(tmp_path, {**OWN, "mine/game.yaml": "id: mine\ntitle: Mine\nseats: many\n"})
    assert listed(capsys, str(root))[0]["players"] == []
    assert main(["games", str(tmp_path / "nowhere")]) == 2
