"""Playing: whole games by scripted people, saves, taking back, people at one screen."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise, repeat
from pathlib import Path

import pytest

from dunerules.game import Game
from dunerules.kept import checksum
from dunerules.play.blocks import Heading
from dunerules.play.history import History, learned
from dunerules.play.opening import Wanted, open_session
from dunerules.play.paper import TerminalPaper
from dunerules.play.seating import HUMAN
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, read_replay, resume, verify, write_replay

from .support import ROOT
from .table import Script, command, play, rules_of


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


# ---- whole games


def test_a_game_in_a_pipe_in_parts(save: Path) -> None:
    setting = ("--players", "3", "--seed", "5", "--seats", "human,random,random", "--save", str(save))
    out = command(*setting, typed="board\nhand\n?\n? dagger\n1\n1\n")
    assert f"Go on with:\ndunerules play --resume {save}" in out
    answers = len(read_replay(save).answers)
    out += command("--resume", str(save), typed="1\n" * 8)
    assert len(read_replay(save).answers) > answers
    assert verify(rules_of(), read_replay(save)) is None
    assert not [line for line in out.splitlines() if len(line) > 80 and str(save) not in line]
    assert "\x1b" not in out
    assert len(out.splitlines()) > 100


def test_a_game_to_its_end(save: Path) -> None:
    session, paper = play(save, *repeat("1", 2000))
    assert session.game.over
    assert "The game is over" in paper.text
    assert "Won by" in paper.text
    assert verify(rules_of(), read_replay(save)) is None
    again = open_session(Wanted(resume=save))  # a finished game only shows how it ended
    assert again.game.over


def test_bots_alone_play_with_their_story(save: Path) -> None:
    session, paper = play(save, seats="random,random,random", seed=1)
    assert session.game.over
    assert re.search(r"^Bot 2: Agent turn: ", paper.text, re.MULTILINE)
    assert re.search(r"^  Bot 3\sdraws 5\scards\.$", paper.text, re.MULTILINE)
    assert max(len(line) for line in paper.shown if str(save) not in line) <= 80


def test_random_people_type_anything(save: Path) -> None:
    chance = random.Random(3)
    words = ["1", "1", "2", "3", "0", "undo", "back", "log", "", "xyz", "1 2", "? arrakeen", "? send to wealth", "9"]
    _, paper = play(save, *(chance.choice(words) for _ in range(200)), seed=11)
    assert verify(rules_of(), read_replay(save)) is None
    assert max(len(line) for line in paper.shown if str(save) not in line) <= 80


def test_what_a_bot_does_depends_on_the_game_alone(save: Path, tmp_path: Path) -> None:
    play(save, *repeat("1", 8))
    whole = read_replay(save).answers
    parts = tmp_path / "parts.json"
    play(parts, *repeat("1", 4))
    for _ in range(20):
        if len(read_replay(parts).answers) >= len(whole):
            break
        session = open_session(Wanted(resume=parts))
        session.paper = Script(iter(["1", "1"]))
        session.run()
    common = min(len(whole), len(read_replay(parts).answers))
    assert common >= 4
    assert read_replay(parts).answers[:common] == whole[:common]


def test_the_story_is_there_after_a_break(save: Path) -> None:
    session, _ = play(save, *repeat("1", 10))
    again = open_session(Wanted(resume=save))
    assert list(again.chronicle.every(None)) == list(session.chronicle.every(None))
    assert again.chronicle.seen(0) == session.chronicle.seen(0)


# ---- saves


def test_a_save_is_a_replay_and_tells_who_sits_where(save: Path) -> None:
    play(save, "1", seats="simple,human,simple")
    replay = read_replay(save)
    assert replay.seating == ("simple", "human", "simple")
    assert verify(rules_of(), replay) is None


def test_a_new_game_never_overwrites_a_file(save: Path) -> None:
    save.write_text("dear diary", "utf-8")
    with pytest.raises(CannotRunError, match="there is already a file"):
        open_session(Wanted(save=save))
    session, paper = play(save.with_name("g.json"), f"save {save}", f"save {save.with_name('copy.json')}")
    assert "There is already a file" in paper.text
    assert read_replay(save.with_name("copy.json")) == read_replay(session.save)
    assert save.read_text("utf-8") == "dear diary"


def a_save(path: Path) -> dict[str, object]:
    """A save of a game that has just begun, as JSON."""
    write_replay(path, Recorder(rules_of().game(seats=3, seed=2), seating=(HUMAN, "random", "random")).replay())
    data: dict[str, object] = json.loads(path.read_text("utf-8"))
    return data


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "cut off or damaged"),
        (lambda text: text.replace('"seed": 2', '"seed": 3'), "checksum"),
        (lambda _: "[1, 2]", "not a replay"),
        (lambda _: "", "cut off or damaged"),
    ],
)
def test_a_damaged_save_is_told_and_left_untouched(save: Path, change: Callable[[str], str], said: str) -> None:
    a_save(save)
    save.write_text(change(save.read_text("utf-8")), "utf-8")
    before = save.read_bytes()
    with pytest.raises(CannotRunError, match=said):
        open_session(Wanted(resume=save))
    assert save.read_bytes() == before
    assert list(save.parent.iterdir()) == [save]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"answers": [[0, 99]], "hashes": ["x"]}, "comes out otherwise"),
        ({"answers": [[0, 0]], "chosen": [["no such thing"]], "hashes": ["x"]}, "`no such thing` is not offered"),
        ({"answers": [[99]], "hashes": ["x"]}, "nobody can have given"),
        ({"last": "x"}, "comes out otherwise"),
        ({"seating": []}, "nobody plays"),
        ({"seating": ["human", 3, "random"]}, "who sits where"),
        ({"seating": ["human", "random", "chess engine"]}, "there is no bot"),
    ],
)
def test_a_foreign_save_is_told_and_left_untouched(save: Path, change: dict[str, object], said: str) -> None:
    data = {**a_save(save), **change}
    del data["checksum"]
    save.write_text(json.dumps({**data, "checksum": checksum(data)}), "utf-8")
    before = save.read_bytes()
    with pytest.raises(CannotRunError, match=said):
        open_session(Wanted(resume=save))
    assert save.read_bytes() == before


def test_the_command_says_what_is_wrong_in_one_line(save: Path) -> None:
    a_save(save)
    save.write_text(save.read_text("utf-8")[:200], "utf-8")
    out = command("--resume", str(save), typed="1\n", code=2)
    assert out.startswith("dunerules play: ")
    assert len(out.splitlines()) == 1


def test_killing_it_at_any_moment_loses_at_most_the_last_answer(save: Path) -> None:
    chance = random.Random(7)
    before = 0
    arguments = ["--players", "3", "--seats", "random,random,random", "--seed", "4", "--save", str(save)]
    for _ in range(3):
        running = subprocess.Popen(
            [sys.executable, "-m", "dunerules", "play", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        stamp = save.stat().st_mtime_ns if save.exists() else 0
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not save.exists() or save.stat().st_mtime_ns == stamp):
            time.sleep(0.005)
        time.sleep(chance.random() * 0.3)
        running.send_signal(signal.SIGKILL)
        running.wait()
        replay = read_replay(save)  # whole, with a right checksum
        assert len(replay.answers) >= before
        assert resume(rules_of(), replay).game.hash() == replay.last
        before = len(replay.answers)
        arguments = ["--resume", str(save)]


# ---- people at one screen


def test_people_at_one_screen_do_not_see_each_others_secrets(save: Path) -> None:
    _, paper = play(save, *repeat("1", 40), seats="human,human,random")
    assert len(paper.parts) >= 4
    bounds = [*paper.parts, len(paper.shown)]
    game = rules_of().game(seats=3, seed=5)
    for person, (start, end) in enumerate(pairwise(bounds[:3])):
        assert paper.shown[start].startswith(f"Hand over to: Player {person + 1}")
        text = " ".join(" ".join(paper.shown[start:end]).split())
        names = printer_names(game, list(game.view(person + 1).zones[f"hand of seat {person + 1}"].ids))
        shown = re.search(r"Hand: (.*?) Turn:", text)
        assert shown is not None
        assert all(name in shown[1] for name in names)
        drawn = re.findall(r"Player \d draws [^.]*\.", text)
        assert all(":" not in line for line in drawn)  # how many, never which


def test_a_terminal_is_cleared_between_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed: list[str] = []

    def ask(prompt: str) -> str:
        typed.append(prompt)
        return ""

    monkeypatch.setattr("builtins.input", ask)
    paper = TerminalPaper()
    paper.show(Heading("Secrets of Player 1"))
    assert paper.turn_over("Hand over to: Player 2.", "Press Enter.")
    cleared = "\x1b[2J\x1b[3J\x1b[H"
    assert typed == ["Hand over to: Player 2. Press Enter. "]
    assert capsys.readouterr().out.endswith(f"Secrets of Player 1\n{cleared}{cleared}")


def test_leaving_by_the_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    for raised in (EOFError, KeyboardInterrupt):

        def ask(_: str, error: type[BaseException] = raised) -> str:
            raise error

        monkeypatch.setattr("builtins.input", ask)
        assert TerminalPaper().ask("> ") is None


def printer_names(game: Game, ids: list[str]) -> list[str]:
    """The names of some objects."""
    things = {thing.id: thing.name for thing in game.machine.table.layout.things if thing.kind == "card"}
    return [things[each] for each in ids]


# ---- taking back


def first_question(wanted: str) -> tuple[Game, int]:
    """A game at a question that offers something, and the number of the option."""
    for seed in range(40):
        game = rules_of().game(seats=3, seed=seed)
        assert game.question is not None
        found = [number for number, name in enumerate(game.question.names) if name.startswith(wanted)]
        if found:
            return game, found[0]
    raise AssertionError(wanted)


def test_a_move_that_shows_nothing_new_can_be_taken_back() -> None:
    game, number = first_question("begin_reveal")
    before = game.state.clone()
    assert before.pending is not None
    seat = before.pending.seat
    game.answer(number)
    history = History(game.machine, game.names)
    history.note(before, game.state, (number,), 0)
    assert not learned(game.machine, before, game.state, seat)
    assert history.back((seat + 1) % 3) is None  # only one's own
    mark = history.back(seat)
    assert mark is not None
    assert mark.state is before
    assert history.back(seat) is None


def test_a_drawn_card_cannot_be_given_back() -> None:
    game, number = first_question("send_agent reconnaissance arrakeen")
    before = game.state.clone()
    assert before.pending is not None
    game.answer(number)
    assert game.state.pending is not None
    assert game.state.pending.seat == before.pending.seat  # the card is drawn, troops are asked about
    assert learned(game.machine, before, game.state, before.pending.seat)


def test_what_depends_on_the_hidden_cannot_be_taken_back() -> None:
    """In another world that looks the same, the answer would have shown something else."""
    game, number = first_question("begin_reveal")
    before = game.state.clone()
    assert before.pending is not None
    game.answer(number)
    history = History(game.machine, game.names)
    after = game.state.clone()
    counter = game.machine.table.layout.cells["spice"].base + before.pending.seat
    after.cells[counter] += 1  # as if an opponent's card had been looked up for it
    history.note(before, after, (number,), 0)
    assert not learned(game.machine, before, after, before.pending.seat)
    assert history.back(before.pending.seat) is None


def test_undo_in_a_game(save: Path) -> None:
    session, paper = play(save, "undo", "reveal", "undo", "reveal", "1", "undo", "undo", "undo")
    assert paper.text.count("That cannot be taken back") == 2
    assert paper.text.count("Taken back.") == 3
    assert read_replay(save).answers == ()
    assert session.game.hash() == rules_of().game(seats=3, seed=5).hash()
    assert verify(rules_of(), read_replay(save)) is None


def test_what_was_taken_back_is_gone_from_the_save_and_its_fingerprints() -> None:
    game = rules_of().game(seats=3, seed=5)
    recorder = Recorder(game, every=2)
    marks = []
    for _ in range(7):
        marks.append(game.state.clone())
        recorder.answer(0)
    recorder.back(marks[3], 3)
    assert (len(recorder.answers), len(recorder.hashes)) == (3, 2)
    for _ in range(5):
        recorder.answer(0)
    assert verify(rules_of(), recorder.replay()) is None
