"""What the terminal tells of parts of a game: headings, fights, the table before one's own decisions, equal things."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dunerules.bots import RandomBot
from dunerules.play.blocks import Command, Paragraph, laid_out, plain
from dunerules.play.seating import AUTOMATED, HUMAN
from dunerules.play.session import Session
from dunerules.replays import Recorder
from dunerules.speech.events import event
from dunerules.speech.questions import alike_options, option
from dunerules.speech.speaker import Speaker

from .table import Script, printer, rules_of

WORDS = {"en": ("Strength: Bot 3 (9), you (9), Bot 2 (4).", "A tie for first place: Bot 3, you.", "Round 2", "Combat"),
         "pl": ("Siła: Bot 3 (9), ty (9), Bot 2 (4).", "Remis o pierwsze miejsce: Bot 3, ty.", "Runda 2", "Walka"),
         "cs": ("Síla: Bot 3 (9), ty (9), Bot 2 (4).", "Remíza na prvním místě: Bot 3, ty.", "Kolo 2", "Boj"),
         }  # fmt: skip


def speaker(language: str = "en") -> Speaker:
    game = rules_of().game(seats=3, seed=1)
    return Speaker(printer(language), game, ("human", "simple", "simple"), 0)


def told(entry: tuple[Any, ...], language: str = "en") -> str:
    return event(speaker(language), entry).replace("\u00a0", " ")


@pytest.mark.parametrize("language", WORDS)
def test_a_fight_is_told_with_strengths_and_ties(language: str) -> None:
    rows, tie, numbered, phase = WORDS[language]
    assert told(("contest", "clash_of_troops", ((2, 9), (0, 9), (1, 4))), language) == f"{rows} {tie}"
    assert told(("phase", "round", 2), language) == numbered
    assert told(("phase", "combat"), language) == phase


def test_who_has_won_a_fight_is_told() -> None:
    assert told(("contest", "clash_of_troops", ((0, 3), (1, 8)))) == "Strength: Bot 2 (8), you (3). Won by: Bot 2."


def test_the_log_has_a_fight_with_the_strengths_at_its_end() -> None:
    game, bot = rules_of().game(seats=3, seed=7), RandomBot(7)
    while not any(each.kind == "contest" for each in game.log()):
        game.answer(*bot.choose(game))
    story = [each for each in game.log() if each.kind in {"phase", "contest"}]
    place = next(number for number, each in enumerate(story) if each.kind == "contest")
    assert (story[0].kind, story[0].name, story[0].number) == ("phase", "round", 1)
    assert (story[place - 1].kind, story[place - 1].name) == ("phase", "combat")
    assert all(value >= 2 for value in story[place].values.values())


def test_a_table_stands_before_a_decision_when_automated_seats_have_played(tmp_path: Path) -> None:
    paper = Script(iter("1" * 150))
    game = rules_of().game(players=1, seed=3)
    Session(Recorder(game, seating=(HUMAN, AUTOMATED, AUTOMATED)), printer(), paper, tmp_path / "solo.json").run()
    rivals = [part for part in paper.text.split("\n> ") if "\n  Rival" in part and "hat do you do?" in part]
    assert len(rivals) > 3
    assert all("Imperium Row:" in part for part in rivals)
    assert "\nRound 2\n" in paper.text


def test_a_command_is_never_wrapped() -> None:
    command = f"dunerules play --resume {'x' * 60}.json --game . --lang pl"
    lines = [plain(line) for line in laid_out([Paragraph("word " * 30), Command(command)], 40)]
    assert lines[-1] == command
    assert all(len(line) <= 40 for line in lines[:-1])


def test_agents_that_differ_in_nothing_are_one_option() -> None:
    game = rules_of().game(seats=3, seed=1)
    state: Any = game.state
    layout = game.machine.table.layout
    post, ready = layout.zones["mentat_post"].base, layout.zones["ready"].base
    seat = state.pending.seat if state.pending is not None else 0
    mentat = state.zones[post][0]
    state.zones[post] = ()
    state.zones[ready + seat] = (*state.zones[ready + seat], mentat)
    state.where[mentat], state.holders[mentat] = ready + seat, seat
    state.pending = None
    game.machine.run(state)
    assert state.pending is not None
    talk = Speaker(printer(), game, ("human",) * 3, seat)
    kept = [alike[0] for alike in alike_options(talk, state.pending)]
    sends = [each for each in state.pending.options if each[1] == "send_agent"]
    assert len(sends) == 2 * len({each[:4] for each in sends})
    assert len([number for number in kept if state.pending.options[number][1] == "send_agent"]) * 2 == len(sends)
    labels = [option(talk, state.pending, number)[0] for number in kept]
    assert len(set(labels)) == len(labels)
    assert not any(label.endswith("Agent") for label in labels)
