"""Things that somebody holds from the start of a game: put there before setup, kept in saves and replays."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.game import Game, Rules, load
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, read_replay, resume, verify, write_replay

from .support import tiny_pack

CARDS = """\
kind: card
objects:
  peddler: {copies: 6, start: deck, play: gain 1 gold}
  smith: {copies: 1, start: deck, play: gain 2 gold}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return load(tiny_pack(tmp_path_factory.mktemp("held") / "example", {"cards.yaml": CARDS}))


def hands(game: Game, card: str) -> list[int]:
    """How many of a card each seat has in hand."""
    zones = game.names.layout.zones["hand"]
    return [
        [game.names.object(each) for each in game.state.zones[zones.base + seat]].count(card)
        for seat in range(game.seats)
    ]


def test_a_card_is_in_hand_besides_what_setup_deals(rules: Rules) -> None:
    game = rules.game(seats=2, seed=1, held=["smith", "smith in hand of seat 2"])
    assert game.machine.held == ("smith in hand of seat 1", "smith in hand of seat 2")
    assert hands(game, "smith") == [1, 1]
    assert all(len(game.state.zones[zone]) for zone in range(2))


def test_games_where_nothing_is_held_are_as_before(rules: Rules) -> None:
    rules.game(seats=2, seed=1, held=["smith"])
    game = rules.game(seats=2, seed=1)
    assert game.machine.held == ()
    assert "held" not in game.save()


def test_saves_and_replays_begin_with_it(rules: Rules, tmp_path: Path) -> None:
    recorder = Recorder(rules.game(seats=2, seed=4, held=["smith in hand of seat 2"]), seating=("human", "bot"))
    for _ in range(6):
        recorder.answer(0)
    assert Game.load(rules, recorder.game.save()).hash() == recorder.game.hash()
    write_replay(tmp_path / "game.json", recorder.replay())
    replay = read_replay(tmp_path / "game.json")
    assert replay.held == ("smith in hand of seat 2",)
    assert verify(rules, replay) is None
    again = resume(rules, replay)
    assert again.game.hash() == recorder.game.hash()
    assert again.replay() == recorder.replay()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("smiht", "did you mean `smith`?"),
        ("smith in hnad", "did you mean `hand`?"),
        ("smith in hand of seat 9", "there are 2 seats"),
        ("smith in hand of me", "expected `THING`"),
        ("hill", "no `hill` is in this game"),
    ],
)
def test_what_cannot_be_held_is_refused(rules: Rules, said: str, why: str) -> None:
    with pytest.raises(CannotRunError, match="--hold") as refused:
        rules.game(seats=2, held=[said])
    assert why in str(refused.value)


def test_no_more_than_there_are(rules: Rules) -> None:
    with pytest.raises(CannotRunError, match="no more copies of `smith`"):
        rules.game(seats=2, held=["smith", "smith"])
