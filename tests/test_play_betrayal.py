"""Playing a game of secrets in a terminal: three languages, prompts that can be told apart, and nothing that leaks."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import repeat
from pathlib import Path

import pytest

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.game import Game
from dunerules.play.blocks import Block
from dunerules.play.screen import Screen
from dunerules.replays import Recorder
from dunerules.runtime.asking import asking
from dunerules.runtime.redeal import Redealer
from dunerules.speech.events import event
from dunerules.speech.questions import option, prompt
from dunerules.speech.speaker import Speaker

from .table import play, printer, rules_of

PACK = "betrayal"
SEATS = 6
SEATING = ("human",) * SEATS


def speaker(game: Game, seat: int, language: str = "en") -> Speaker:
    return Speaker(printer(language, PACK), game, SEATING, seat)


def recorded(seed: int, answers: int) -> Recorder:
    """A game after some random answers; nobody knows the cards that are chosen, so neither does the test."""
    chooser = random.Random(seed)
    recorder = Recorder(rules_of(PACK).game(seats=SEATS, seed=seed), seating=SEATING)
    for _ in range(answers):
        asked = recorder.game.state.pending
        if asked is None:
            break
        recorder.answer(*chooser.sample(range(len(asked.options)), max(1, asked.low)))
    return recorder


def answered(game: Game, words: str) -> None:
    """The answer of some name."""
    assert game.question is not None
    game.answer(next(at for at, name in enumerate(game.question.names) if name.startswith(words)))


def asked(game: Game, language: str = "en") -> str:
    """The question as its seat reads it."""
    pending = game.state.pending
    assert pending is not None
    return prompt(speaker(game, pending.seat, language), pending).replace("\u00a0", " ")


@cache
def at_a_meeting() -> Game:
    """A game in which somebody has just chosen whom to meet."""
    for seed in range(40):
        game = rules_of(PACK).game(seats=SEATS, seed=seed)
        assert game.question is not None
        if any(name == "take_card secret_meeting" for name in game.question.names):
            answered(game, "take_card secret_meeting")
            game.answer(0)
            return game
    raise AssertionError("no row has the card")


# ---- words


@pytest.mark.parametrize("language", ["en", "pl", "cs"])
def test_a_whole_game_in_a_language(tmp_path: Path, language: str) -> None:
    lines = ["board", "hand", "log", "? 1", *repeat("1", 12), "board", "hand", "log all", *repeat("2", 60)]
    _, paper = play(
        tmp_path / "game.json", *lines, seats="human,simple,simple,simple,simple,simple", language=language, pack=PACK
    )
    assert not re.findall("⟨[^⟩]*⟩", paper.text)
    assert max(map(len, paper.shown)) <= 80
    assert "†" in paper.text


@pytest.mark.parametrize(
    ("language", "own", "other"),
    [
        (
            "en",
            "Choose a trait of yours that is not shielded. Player {n} looks at that trait of yours.",
            "Choose a trait of Player {n}",
        ),
        ("pl", "Wybierasz cechę, która leży przed tobą", "Wybierasz cechę, która leży przed Graczem {n}"),
        ("cs", "Vyber si vlastnost, která leží před tebou", "Vyber si vlastnost, která leží před Hráčem {n}"),
    ],
)
def test_a_meeting_asks_for_the_own_trait_and_for_the_other_in_different_words(
    language: str, own: str, other: str
) -> None:
    game = at_a_meeting().clone()
    others = range(1, SEATS + 1)
    assert any(own.format(n=each) in asked(game, language) for each in others), asked(game, language)
    game.answer(1)
    assert any(other.format(n=each) in asked(game, language) for each in others), asked(game, language)


def test_whoever_knows_fighters_is_told_who_they_are() -> None:
    told = []
    game = rules_of(PACK).game(seats=SEATS, seed=3)
    for seat in range(SEATS):
        shown = "\n".join(map(str, Screen(speaker(game, seat)).own(texts=False)))
        told.append("ighter of House Harkonnen" in shown)
        assert told[-1] is ("Baron Harkonnen" in shown)
    assert told.count(True) == 1


# ---- secrets


def shown_to(game: Game, seat: int) -> list[Block | str]:
    """Everything that a seat can have on its screen, and its own question with its options."""
    voice = speaker(game, seat)
    screen = Screen(voice)
    blocks: list[Block | str] = [
        *screen.seats(everything=True),
        *screen.tracks(everything=True),
        *screen.rows(everything=True),
        *screen.before(),
        *screen.piles(),
        *screen.own(texts=True),
    ]
    pending = game.state.pending
    if pending is not None and pending.seat == seat:
        blocks += [
            prompt(voice, pending),
            *(" ".join(option(voice, pending, at)) for at in range(len(pending.options))),
        ]
    return blocks


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_shown_what_they_cannot_see(seed: int) -> None:
    """Two worlds that a seat cannot tell apart are shown to it in the same words."""
    for answers in (0, 8, 17, 26, 30, 34, 40):
        game = recorded(seed, answers).game
        redealer = Redealer(game.machine)
        for seat in range(SEATS):
            state = redealer.redeal(game.state, seat, 99)
            other = Game(game.rules, game.machine, game.names, state)
            if state.pending is not None and state.pending.seat == seat:
                state.pending = None
                game.machine.run(state)
            assert shown_to(game, seat) == shown_to(other, seat)


def test_a_question_about_a_hidden_card_does_not_name_it() -> None:
    """Who may refuse a card must not learn from the question which one it is."""
    seen = 0
    for seed in range(60):
        game = rules_of(PACK).game(seats=4, seed=seed)
        chooser = random.Random(seed)
        while (pending := game.state.pending) is not None and pending.kind != "choose":
            game.answer(*chooser.sample(range(len(pending.options)), max(1, pending.low)))
        if pending is None:
            continue
        seen += 1
        voice = speaker(game, pending.seat)
        words = " ".join([prompt(voice, pending), *(option(voice, pending, at)[0] for at in range(2))])
        assert "Ornithopter Escape" in words
        assert not re.search("Attack|Defend", words)
        about = asking(game.machine, game.state)
        assert about is not None
        named = [each for step in about.steps for each in walk(step) if isinstance(each, m.ObjectRef)]
        assert {each.kind for each in named} == {"action_card"}, "not only the words, but what they are made from"
        if seen == 4:
            return
    raise AssertionError("nobody was asked")


def test_the_story_names_a_placed_card_to_nobody_but_its_owner() -> None:
    recorder = recorded(2, 26)
    asked_to_place = recorder.game.question
    while asked_to_place is not None and not asked_to_place.names[0].startswith("place_target"):
        recorder.answer(len(asked_to_place.options) - 1)
        asked_to_place = recorder.game.question
    assert asked_to_place is not None
    recorder.answer(0)
    chronicle = recorder.story()
    for seat in range(SEATS):
        lines = [event(speaker(recorder.game, seat), each) for each in chronicle.seen(seat)]
        placed = [line for line in lines if "Place a target card" in line][-1:]
        [line] = placed
        assert ("something hidden" in line) is (seat + 1 != asked_to_place.seat), line
        looks = lines[lines.index(line) :]
        assert not [each for each in looks if "look" in each.lower()], "laying a card down is not looking at it"


def test_what_was_seen_stays_on_the_screen() -> None:
    game = at_a_meeting().clone()
    pending = game.state.pending
    assert pending is not None
    game.answer(0)
    assert game.question is not None
    answered(game, "on_right")
    grid = str(Screen(speaker(game, pending.seat)).seats(everything=False))
    assert sum(grid.count(f"'{name}'") for name in ("Atreides", "Harkonnen", "Fighter")) == 1


def test_people_at_one_screen(tmp_path: Path) -> None:
    """Each one's identity is on the screen only after it was handed over to them."""
    _, paper = play(tmp_path / "game.json", *repeat("1", 30), seats=",".join(["human"] * 4), pack=PACK)
    assert len(paper.parts) > 8
    for start, end in zip(paper.parts, [*paper.parts[1:], len(paper.shown)], strict=True):
        part = paper.shown[start:end]
        if any(line.startswith("The game is over") or " reveals: " in line for line in part):
            break
        assert len({line for line in part if line.startswith("  Identity:")}) <= 1


def test_an_empty_line_shows_the_question_again(tmp_path: Path) -> None:
    _, paper = play(tmp_path / "game.json", "", seats="human,simple,simple,simple", pack=PACK)
    assert paper.text.count("Action turn: what do you do?") == 2
    assert "shows the whole table" not in paper.text
