"""Playing a game on a map in a terminal: questions and the story in words, without holes."""

from __future__ import annotations

import random
import re
from itertools import repeat
from pathlib import Path

import pytest

from dunerules.dsl import meaning as m
from dunerules.speech.done_as import seat_of, seat_phrases
from dunerules.speech.questions import option, prompt
from dunerules.speech.speaker import Speaker

from .table import play, printer, rules_of

PACK = "conquest"


def test_a_whole_game_in_words(tmp_path: Path) -> None:
    lines = ["board", "hand", "log", "? carthag", "? karama", *repeat("1", 80), "board", *repeat("2", 400)]
    _, paper = play(tmp_path / "game.json", *lines, seats="human,random,random", pack=PACK, seed=3)
    assert not re.findall("⟨[^⟩]*⟩", paper.text)
    assert max(map(len, paper.shown)) <= 80
    assert "Phase: Cards" in paper.text, "a counter that points at a label is told by its name"


@pytest.mark.parametrize(
    ("players", "options"),
    [(4, {}), (3, {"bazaar": "small_bazaar"}), (2, {"faction_choice": "alliances", "leader_sets": "secret_sets"})],
)
def test_every_question_and_option_has_words(players: int, options: dict[str, str]) -> None:
    chooser = random.Random(players)
    for seed in range(3):
        game = rules_of(PACK).game(players=players, seed=seed, options=options)
        while (asked := game.state.pending) is not None:
            told = Speaker(printer("en", PACK), game, ("human",) * players, asked.seat)
            words = [prompt(told, asked), *(" ".join(option(told, asked, each)) for each in range(len(asked.options)))]
            assert not [each for each in words if "⟨" in each]
            count = chooser.randint(asked.low, asked.high)
            game.answer(*chooser.sample(range(len(asked.options)), count))


def test_what_a_seat_moves_is_not_told_as_its_own(tmp_path: Path) -> None:
    _, paper = play(tmp_path / "game.json", *["1", "2"] * 200, seats="human,random,random", pack=PACK, seed=3)
    told = [line for line in paper.shown if re.search(r"(moves?|loses?)\s\d+\sforces?\s", line)]
    assert any(line.strip().startswith("You ") for line in told), "somebody moved forces"
    assert any(not line.strip().startswith("You ") for line in told)
    assert not [line for line in told if re.search(r"\sof\s(yours|that\splayer)", line)]


def test_the_table_leaves_out_what_says_nothing(tmp_path: Path) -> None:
    _, paper = play(tmp_path / "game.json", *repeat("1", 300), seats="human,random,random", pack=PACK, seed=3)
    tables = paper.text.split("Phase: ")
    assert len(tables) > 10
    assert "Opponent in battle: nobody" not in paper.text, "it points nowhere"
    assert not re.search(r"\n *number\n.*  0\n.*\?\n.*\?\n", paper.text), "a column in which nothing is known"
    _, paper = play(tmp_path / "other.json", "board", seats="human,random,random", pack=PACK, seed=3)
    assert "Opponent in battle: nobody" in paper.text, "unless all is wanted"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Ben asks you whether you hold a worthless card."),
        ("pl", "Ben pyta, czy ty masz bezużyteczną kartę."),
        ("cs", "Ben se ptá, zda ty máš bezcennou kartu."),
    ],
)
def test_who_reads_is_spoken_to_where_somebody_else_acts(language: str, words: str) -> None:
    speaker = Speaker(printer(language, PACK), rules_of(PACK).game(players=3, seed=1), ("human",) * 3, 0)
    verb = speaker.printer.ruleset.words.verbs["ask_for_worthless"]
    told = speaker.printer.told(m.Act(verb, (("o", seat_of(0)),)), "Ben", seat_phrases(speaker))
    assert told.replace("\u00a0", " ") == words
