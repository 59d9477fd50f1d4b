"""What players are told: three languages, events without secrets, questions, refusals."""

from __future__ import annotations

import re
from itertools import repeat
from pathlib import Path

import pytest

from dunerules.chronicle import MoveMade
from dunerules.game import Game, load
from dunerules.language.typography import NO_BREAK
from dunerules.play.screen import Screen
from dunerules.problems import CannotRunError
from dunerules.questions import IllegalAnswerError
from dunerules.replays import Recorder, read_replay
from dunerules.runtime.redeal import Redealer
from dunerules.speech.events import event
from dunerules.speech.questions import option, prompt
from dunerules.speech.speaker import Speaker
from dunerules.text.context import Context
from dunerules.text.render import wish_text

from .support import CONTENT, PACKAGE, plain_yaml, write_files
from .table import command, play, printer, rules_of
from .words import base, locale_of

SEATING = ("human", "human", "random")


def speaker(game: Game, seat: int, language: str = "en") -> Speaker:
    return Speaker(printer(language), game, SEATING, seat)


def a_game(answers: int, seed: int = 5) -> Game:
    """A game after some first options."""
    game = rules_of().game(seats=3, seed=seed)
    for number in range(answers):
        if game.over:
            break
        question = game.question
        assert question is not None
        game.answer(*((number * 7 + each) % len(question.options) for each in range(max(1, question.low))))
    return game


# ---- languages


@pytest.mark.parametrize("language", ["en", "pl", "cs"])
def test_a_whole_game_in_a_language(tmp_path: Path, language: str) -> None:
    lines = ["board", "hand", "log", "?", "? arrakeen", "? dagger", *repeat("1", 60), "board", *repeat("2", 600)]
    _, paper = play(tmp_path / "game.json", *lines, language=language, seed=3)
    assert not re.findall("⟨[^⟩]*⟩", paper.text)
    assert max(map(len, paper.shown)) <= 80
    assert len(paper.shown) > 500


@pytest.mark.parametrize(
    ("language", "sent"),
    [
        ("en", r"Rival 2 reveals the House Hagal card (.+)\.\n  Rival 2 sends an Agent to \1\."),
        ("pl", r"Rywal 2 odkrywa kartę rodu Hagalów „(.+)”\.\n  Rywal 2 wysyła agenta na pole „\1”\."),
        ("cs", r"Protivník 2 otáčí kartu rodu Hagal (.+)\.\n  Protivník 2 vysílá agenta na herní pole \1\."),
    ],
)
def test_rivals_are_told_step_by_step(tmp_path: Path, language: str, sent: str) -> None:
    flags = ["--players", "1", "--difficulty", "mentat", "--seed", "3", "--lang", language]
    out = command(*flags, "--save", str(tmp_path / "game.json"), typed="1\n" * 40).replace("\u00a0", " ")
    first, _, _ = out.partition("\n> ")
    assert re.search(sent, first), "the turns before the first question belong to the story"
    assert "⟨" not in out


def test_leaders_are_drafted_in_words(tmp_path: Path) -> None:
    out = command("--players", "3", "--leader-choice", "drafted", "--seed", "3", "--save", str(tmp_path / "game.json"))
    assert "Choose your Leader." in out
    assert "⟨" not in out


def test_an_unknown_language_is_told(tmp_path: Path) -> None:
    out = command("--lang", "xx", "--save", str(tmp_path / "game.json"), code=2)
    assert "there is no language `xx`" in out
    assert not (tmp_path / "game.json").exists()


def test_commands_have_words_of_their_own_and_their_own_names(tmp_path: Path) -> None:
    _, paper = play(tmp_path / "a.json", "board", language="pl")
    _, other = play(tmp_path / "b.json", printer("pl").locale.message("play.command.board"), language="pl")
    assert paper.shown[-32:-4] == other.shown[-32:-4]
    assert len(paper.shown) > 60


def test_every_message_is_used_and_every_used_one_is_there() -> None:
    messages = {key for key in plain_yaml((CONTENT / "locales" / "messages.yaml").read_text("utf-8")) if "play." in key}
    files = [path for folder in ("play", "speech", "text") for path in (PACKAGE / folder).glob("*.py")]
    code = "\n".join(path.read_text("utf-8") for path in files)
    said = re.findall(r"(?:speaker|session|self)\.say\(\s*[\"']([a-z_.]+)[\"']", code)
    literal = {f"play.{each}" for each in said}
    literal |= set(re.findall(r'"(play\.[a-z_.]+)"', code))
    assert literal <= messages
    made = {
        key
        for prefix in re.findall(r'f"(?:play\.)?([a-z_]+\.)\{', code)
        for key in messages
        if key.startswith(f"play.{prefix}")
    }
    chosen = {f"play.{each}" for each in re.findall(r'"([a-z_]+(?:\.[a-z_]+)+)"', code)}
    assert messages <= literal | made | chosen


# ---- questions


def test_a_question_says_what_it_is_about() -> None:
    texts = set()
    for seed in range(3):
        game = rules_of().game(seats=3, seed=seed)
        while not game.over:
            asked = game.state.pending
            assert asked is not None
            voice = speaker(game, asked.seat)
            texts.add(prompt(voice, asked).replace("\u00a0", " "))
            names = [option(voice, asked, number)[0] for number in range(len(asked.options))]
            assert all(names)
            game.answer(*range(max(1, asked.low)))
    assert "Agent turn: Deploy up to 2 troops from your garrison to the Conflict. How many?" in texts
    assert "Turn: what do you do?" in texts
    assert not [text for text in texts if "⟨" in text]


def test_options_without_a_choice_of_words_are_told_by_what_applies() -> None:
    """A condition on what is printed is settled: nobody is asked about 'if there is a faction'."""
    game = rules_of().game(seats=3, seed=5)
    assert game.question is not None
    game.answer(next(at for at, name in enumerate(game.question.names) if "diplomacy wealth" in name))
    asked = game.state.pending
    assert asked is not None
    names = [option(speaker(game, asked.seat), asked, number) for number in range(len(asked.options))]
    assert names == [
        ("gain 1\u00a0Influence with the Emperor for visiting a space of that Faction", ""),
        ("Wealth", "Gain 2\u00a0Solari."),
    ]


# ---- events


def story(game: Game, seat: int) -> list[str]:
    recorder = Recorder(rules_of().game(seats=3, seed=5), seating=SEATING)
    return [event(speaker(game, seat), each).replace("\u00a0", " ") for each in recorder.story().seen(seat)]


def test_hidden_things_are_told_without_the_secret() -> None:
    game = rules_of().game(seats=3, seed=5)
    own, other = story(game, 0), story(game, 1)
    assert any(line.startswith("You draw 5 cards: ") for line in own)
    assert "Player 1 draws 5 cards." in other
    assert not any("Player 1 draws" in line and ":" in line for line in other)


def test_nobody_is_told_what_they_cannot_see() -> None:
    """Two worlds that a seat cannot tell apart are told and shown to it in the same words."""
    for answers in (0, 9, 25, 60, 110):
        game = a_game(answers)
        for seat in range(3):
            other = game.clone()
            other.state = Redealer(game.machine).redeal(game.state, seat, 99)
            screens = []
            for each in (game, other):
                screen = Screen(speaker(each, seat))
                screens.append(
                    [
                        *screen.seats(everything=True),
                        *screen.tracks(everything=True),
                        *screen.rows(everything=True),
                        *screen.places(),
                        *screen.piles(),
                        *screen.own(texts=True),
                    ]
                )
            assert screens[0] == screens[1]


def test_a_move_hides_what_others_cannot_see(tmp_path: Path) -> None:
    rules = load(write_files(tmp_path / "veil", VEIL))
    game = rules.game(seats=2, seed=1)
    recorder = Recorder(game, seating=("human", "human"))
    assert game.question is not None
    recorder.answer(next(at for at, name in enumerate(game.question.names) if name.startswith("bury")))
    chronicle = recorder.story()
    made = [[each for each in chronicle.seen(seat) if isinstance(each, MoveMade)] for seat in range(2)]
    assert made[0][0].picks[0] >= 0
    assert made[1][0].picks[0] == -1
    assert game.question is not None
    recorder.answer(next(at for at, name in enumerate(game.question.names) if name.startswith("mark")))
    made = [[each for each in recorder.story().seen(seat) if isinstance(each, MoveMade)] for seat in range(2)]
    assert made[1][1].picks[0] >= 0
    assert made[0][1].picks[0] == -1


VEIL = {
    "pack.yaml": 'id: veil\nversion: "1.0"\ntitle: Veil\nauthors: [you]\nlicence: MIT\n',
    "game.yaml": "id: veil\ntitle: Veil\nseats: {min: 2, max: 2}\n",
    "words.yaml": (
        "kinds:\n  stone: {}\n  hole: {role: place}\n"
        "counters:\n  guess: {per: [seat, hole], max: 1, hidden: true}\n  first: {per: game, holds: seat}\n"
        "zones:\n  pouch: {per: seat, holds: stone, sight: owner}\n  pit: {per: seat, holds: stone, sight: owner}\n"
    ),
    "stones.yaml": (
        "kind: stone\ndefaults: {start: pouch, copies: 2}\nobjects:\n  jade: {name: Jade}\n  onyx: {name: Onyx}\n"
    ),
    "holes.yaml": "kind: hole\nobjects:\n  north: {name: North}\n  south: {name: South}\n",
    "rules.yaml": (
        "flow: repeat 3 { each seat { offer deeds } }\n"
        "moves:\n"
        "  bury:\n    group: deeds\n    takes: {s: stone in pouch}\n    do: move s from pouch to pit\n"
        "  mark:\n    group: deeds\n    takes: {h: hole}\n    do: set guess at h to 1\n"
        "scoring:\n  score: count(pit)\n"
    ),
}


# ---- explaining and refusing


def test_a_card_and_a_refusal_are_explained(tmp_path: Path) -> None:
    lines = ("? signet ring", "? send to conspire", "? city", "? diplomacy wealth", "? begin reveal", "? nonsense")
    _, paper = play(tmp_path / "game.json", *lines)
    assert "Signet Ring - Card" in paper.text
    assert re.search(r"Conspire - .*\(Emperor\)", paper.text)
    assert "you cannot pay the cost: 4\u00a0spice." in paper.text
    assert re.search(r"City - .*icon", paper.text)
    assert "You can do that now:" in paper.text
    assert "Nothing here is called “nonsense”." in paper.text


def test_an_option_that_is_refused_changes_nothing() -> None:
    game = rules_of().game(seats=3, seed=5)
    before = game.hash()
    with pytest.raises(IllegalAnswerError):
        game.answer(999)
    assert game.hash() == before


def test_why_not_is_offered_from_python() -> None:
    game = rules_of().game(seats=3, seed=5)
    reasons = game.why_not("send_agent diplomacy conspire")
    assert [reason.kind for reason in reasons] == ["cost"]
    assert reasons[0].slot == ("space", "conspire", "toll")
    assert str(reasons[0]) == "`run toll of p` cannot be paid: `pay 4 spice`"
    assert [reason.kind for reason in game.why_not("send_agent diplomacy arrakeen")] == ["condition"]
    assert game.why_not("send_agent diplomacy wealth") == []
    assert [reason.kind for reason in game.why_not("nonsense")] == ["move"]
    # with picks left out, the way that fails for the fewest reasons is told about
    assert [reason.kind for reason in game.why_not("send_agent conspire")] == ["cost"]


# ---- any pack


def test_rules_that_never_end_are_told_and_lose_nothing(tmp_path: Path) -> None:
    endless = VEIL["rules.yaml"].replace("set guess at h to 1", "repeat 999999 { set guess at h to 1 }")
    root = write_files(tmp_path / "veil", {**VEIL, "rules.yaml": endless})
    save = tmp_path / "game.json"
    with pytest.raises(CannotRunError, match="never come to an end"):
        play(save, "bury jade", "mark north", seats="human,human", pack=str(root))
    assert len(read_replay(save).answers) == 1


def test_a_pack_without_any_words_can_be_played(tmp_path: Path) -> None:
    root = write_files(tmp_path / "veil", VEIL)
    _, paper = play(tmp_path / "game.json", *repeat("1", 9), seats="human,random", pack=str(root))
    assert "Veil" in paper.text
    assert re.search(r"^ 1 Bury: (Jade|Onyx)", paper.text, re.MULTILINE)
    assert "The game is over" in paper.text


WALK = {
    **VEIL,
    "words.yaml": (
        "kinds:\n  tile: {role: place}\ncounters:\n  walker: {per: seat, holds: tile}\n  steps: {per: seat, max: 9}\n"
    ),
    "stones.yaml": "kind: tile\nobjects:\n  gate: {name: Gate}\n",
    "holes.yaml": "kind: tile\nobjects:\n  well: {name: Well}\n",
    "rules.yaml": (
        "setup: each seat { set walker to gate }\n"
        "flow: repeat 3 { each seat { offer deeds } }\n"
        "moves:\n  go:\n    group: deeds\n    takes: {t: tile}\n    do: set walker to t, gain 1 steps\n"
        "scoring:\n  score: steps\n"
    ),
}


def test_a_counter_that_points_at_a_place_stands_there(tmp_path: Path) -> None:
    root = write_files(tmp_path / "walk", WALK)
    _, paper = play(tmp_path / "game.json", "board", "go well", "board", seats="human,random", pack=str(root))
    assert "Walker (you): Well." in paper.text
    assert "Gate [Walker, you; Walker, Bot 2]" in paper.text
    assert re.search(r"^ +Well \[Walker, you", paper.text, re.MULTILINE)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "trash a card to draw 2 cards"),
        ("pl", "zniszczyć kartę, aby dobrać 2 karty"),
        ("cs", "zničit kartu a za to si dobrat 2 karty"),
    ],
)
def test_a_price_is_asked_for_without_a_may(language: str, words: str) -> None:
    body = base().effect("trash 1 card -> draw 2")
    assert body is not None
    assert wish_text(body, Context(locale_of(language), base())).replace(NO_BREAK, " ") == words
