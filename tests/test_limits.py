"""The limits of a game: what goes beyond them ends with an error that names the limit and what was running."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.bots import make_bot
from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, GameError, load_rules

from .support import write_files

# ---- every command tells the reason

ENDLESS_TURN = """\
=== cards.yaml
kind: card
objects:
  coin: {start: deck, copies: 5, play: loop}
=== rules.yaml
setup: each seat { take 3 }
flow: repeat 9 { each seat { turn } }
procedures:
  turn: offer actions
  loop: repeat 500000 { gain 1 gold, lose 1 gold }
moves:
  play_card:
    group: actions
    takes: {c: card in hand}
    do: move c from hand to table, run play of c
  rest: {group: actions, do: gain 1 fame with red}
scoring: {score: gold}
"""
ENDLESS_SETUP = """\
=== rules.yaml
setup: each seat { repeat 500000 { gain 1 gold, lose 1 gold } }
flow: each seat { gain 1 gold }
scoring: {score: gold}
"""
REASON = "never come to an end here (limit: fuel)"


def test_an_error_names_its_limit_and_what_was_running(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    game = Game.new(load_rules(tmp_path), seats=2)
    with pytest.raises(GameError, match=r"limit: fuel.*turn -> loop") as caught:
        game.answer(0)
    assert caught.value.limit == "fuel"


def test_a_bot_that_looks_ahead_at_an_endless_answer_gives_another_one(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    game = Game.new(load_rules(tmp_path), seats=2)
    assert game.question is not None
    (number,) = make_bot("simple", 1).choose(game)
    assert game.question.options[number] == "rest"


def test_sim_tells_every_reason_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    assert main(["sim", "--game", str(tmp_path), "--players", "2", "--games", "3"]) == 1
    shown = capsys.readouterr().out
    assert "3 games, 0 shared wins, 3 ended by an error" in shown
    assert shown.count(REASON) == 1
    assert "3 of them: " in shown


@pytest.mark.parametrize(
    "command",
    [
        ["play", "--seats", "random,random", "--save", "SAVE"],
        ["replay", "SAVE", "--record", "--players", "2"],
    ],
)
def test_an_endless_setup_is_told_by(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_SETUP, tmp_path / "pack")
    words = [str(tmp_path / "save.json") if word == "SAVE" else word for word in command]
    assert main([*words, "--game", str(tmp_path / "pack")]) == 2
    shown = capsys.readouterr().err
    assert REASON in shown
    assert "internal error" not in shown
    assert not (tmp_path / "save.json").exists()


def test_an_endless_turn_is_told_by_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path / "pack")
    save = str(tmp_path / "save.json")
    assert main(["play", "--game", str(tmp_path / "pack"), "--seats", "simple,random", "--save", save]) == 2
    shown = capsys.readouterr().err
    assert REASON in shown
    assert "the game is saved as it was before the last answer" in shown


def test_a_scenario_that_never_ends_fails_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    write_files(tmp_path, {"scenarios/endless.yaml": "seats: 2\nscenarios:\n  round: {start: loop of seat 1}\n"})
    assert main(["test", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert REASON in shown
    assert "the engine failed" not in shown
