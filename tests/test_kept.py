"""Saves, replays and results: whatever a file says, it is refused, or the game goes on to its end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dunerules import __version__
from dunerules.__main__ import main
from dunerules.bots import RandomBot
from dunerules.formats import engine_line
from dunerules.game import Game, Rules, load
from dunerules.kept import checksum
from dunerules.play.opening import Wanted, open_session
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, Replay, play_again, read_replay, replay_of, resume, verify, write_replay
from dunerules.runtime.redeal import Redealer
from dunerules.simulation import RESULTS, Plan, fingerprint, simulate
from dunerules.summary import Summary

from .damage import damaged
from .support import ROOT, tiny_pack

OLD = ROOT / "tests" / "formats" / "0"
CARAVAN = OLD / "caravan"
GAMES: dict[str, tuple[tuple[str | Path, ...], int, int]] = {
    "base": (("base",), 1, 12),
    "immortality": (("base", "immortality"), 3, 15),
    "betrayal": (("betrayal",), 5, 20),
    "conquest": (("conquest",), 4, 60),
    "caravan": ((CARAVAN,), 3, 9),
}
"""By name: packs, players, and how many answers were given."""


@cache
def rules_of(game: str) -> Rules:
    return load(*GAMES[game][0])


def middle(game: str, answers: int = -1, seed: int = 4) -> Recorder:
    """A game in the middle, played by a random bot."""
    _, players, few = GAMES[game]
    recorder = Recorder(rules_of(game).game(players=players, seed=seed), seating=("human",) * players)
    bot = RandomBot(seed)
    for _ in range(answers if answers >= 0 else few):
        if not recorder.game.over:
            recorder.answer(*bot.choose(recorder.game))
    return recorder


def finish(game: Game) -> None:
    bot = RandomBot(1)
    while not game.over:
        game.answer(*bot.choose(game))


def sealed_again(data: dict[str, Any]) -> dict[str, Any]:
    """With a right checksum, as somebody would make it who wants to."""
    return {**data, "checksum": checksum(data)}


def as_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


# ---- saves


@pytest.mark.parametrize("name", GAMES)
def test_a_save_is_loaded_as_it_was(name: str) -> None:
    game = middle(name).game
    data = as_json(game.save())
    for trusted in (False, True):
        loaded = Game.load(rules_of(name), data, trusted=trusted)
        assert loaded.hash() == game.hash()
        assert as_json(loaded.save()) == data
        finish(loaded)
        assert len(as_json(loaded.save())["answers"]) > len(data["answers"])
        Game.load(rules_of(name), as_json(loaded.save()))


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_save_is_refused_or_goes_on(name: str) -> None:
    data, refused = as_json(middle(name).game.save()), 0
    for _, other in damaged(data, 90, seed=len(name)):
        try:
            game = Game.load(rules_of(name), sealed_again(other))
        except CannotRunError:
            refused += 1
        else:
            finish(game)
    assert refused > 70


def test_an_edited_save_is_told_from_a_damaged_one() -> None:
    data = as_json(middle("caravan").game.save())
    data["state"]["cells"][0] += 1
    with pytest.raises(CannotRunError, match="this save was edited after it was written"):
        Game.load(rules_of("caravan"), data)
    with pytest.raises(CannotRunError, match="its answers do not lead to its state"):
        Game.load(rules_of("caravan"), sealed_again(data))
    wrong: list[Any] = [{}, [], None, {"dunerules": "save", "format": 1}, {"dunerules": 5, "state": 3}]
    for nothing in wrong:
        with pytest.raises(CannotRunError):
            Game.load(rules_of("caravan"), nothing)


SHAPES: list[Callable[[dict[str, Any]], object]] = [
    lambda state: state["cells"].pop(),
    lambda state: state["cells"].__setitem__(0, 1000),
    lambda state: state["cells"].__setitem__(0, -1),
    lambda state: state["cells"].__setitem__(0, "1"),
    lambda state: state["zones"].append([]),
    lambda state: state["zones"][0].append(0),
    lambda state: state["zones"][1].__setitem__(0, -1),
    lambda state: state["holders"].__setitem__(0, 3),
    lambda state: state["frames"][0].__setitem__(0, 999),
    lambda state: state["frames"][0].__setitem__(1, 7),
    lambda state: state["frames"][0].__setitem__(6, 999),
    lambda state: state["frames"][0].__setitem__(6, -1),
    lambda state: state["frames"][0][5].append(0),
    lambda state: state["frames"][0].pop(),
    lambda state: state["pending"].__setitem__(0, 9),
    lambda state: state["pending"].__setitem__(3, 99),
    lambda state: state["pending"].__setitem__(6, 999),
    lambda state: state["pending"].__setitem__(4, 5),
    lambda state: state.update(pending=None),
    lambda state: state.update(result=[9], pending=None),
    lambda state: state.update(floor=99),
    lambda state: state.update(strand=4),
    lambda state: state.update(chance=-1),
    lambda state: state.update(seed=1.5),
    lambda state: state.update(known=[[0, 1 << 30]]),
    lambda state: state.update(used=[[1, 1]]),
    lambda state: state.update(lasting=[[0, 0, 0, 0, 0, []]]),
    lambda state: state.update(something=1),
    lambda state: state.pop("holders"),
]


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_a_trusted_save_must_have_the_shape_of_a_state(number: int) -> None:
    data = as_json(middle("caravan").game.save())
    SHAPES[number](data["state"])
    with pytest.raises(CannotRunError, match="this save is damaged"):
        Game.load(rules_of("caravan"), sealed_again(data), trusted=True)


def test_a_world_that_was_not_played_to_is_only_loaded_if_it_is_trusted() -> None:
    game = middle("betrayal").game
    game.state = Redealer(game.machine).redeal(game.state, 0, 3)
    data = as_json(game.save())
    assert data["answers"] is None
    with pytest.raises(CannotRunError, match="does not tell which answers made it"):
        Game.load(rules_of("betrayal"), data)
    assert Game.load(rules_of("betrayal"), data, trusted=True).hash() == game.hash()


# ---- replays


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_replay_is_refused_or_told_or_goes_on(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_replay(file, middle(name).replay())
    refused = 0
    for _, other in damaged(json.loads(file.read_text("utf-8")), 90, seed=len(name)):
        try:
            replay = replay_of(sealed_again(other))
            found = verify(rules_of(name), replay)
            recorder = resume(rules_of(name), replay)
        except CannotRunError:
            refused += 1
        else:
            if found is None:
                finish(recorder.game)
    assert refused > 60


def test_the_commands_tell_of_a_damaged_replay_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    write_replay(file, middle("caravan").replay())
    for number, (what, other) in enumerate(damaged(json.loads(file.read_text("utf-8")), 60, seed=3)):
        file.write_text(json.dumps(sealed_again(other)), "utf-8")
        command = ["replay", str(file), "--game", str(CARAVAN)] + ["--verify"] * (number % 2)
        assert main(command) in {0, 1, 2}
        said = capsys.readouterr().err
        assert "internal error" not in said, what
        assert len(said.splitlines()) <= 1


# ---- results of simulations


def test_a_damaged_line_is_refused_or_counted(tmp_path: Path) -> None:
    plan, rules, file = Plan((str(CARAVAN),), 3, 2), rules_of("caravan"), tmp_path / "games.jsonl"
    lines = as_json(list(simulate(rules, plan)))
    refused = 0
    for what, other in damaged(lines, 200):
        kept = [sealed_again(line) if isinstance(line, dict) else line for line in other]
        file.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
        summary = Summary()
        try:
            for line in RESULTS.resume(file, fingerprint(rules, plan)):
                summary.add(line)
        except CannotRunError:
            refused += 1
        assert summary.lines(), what
    assert refused > 120


def test_an_edited_line_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    command = ["sim", "--game", str(CARAVAN), "--players", "2", "--out", str(file), "--games"]
    assert main([*command, "2"]) == 0
    text = file.read_text("utf-8")
    file.write_text(text.replace('"winners":[', '"winners":[2,'), "utf-8")
    assert main([*command, "3"]) == 2
    assert "games.jsonl:1: this simulation was edited" in capsys.readouterr().err
    file.write_text(text, "utf-8")
    assert main([*command, "3"]) == 0


# ---- files that are none


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no such files here")
@pytest.mark.parametrize("where", ["zero", "pipe", "folder"])
def test_only_regular_files_are_read(where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("/dev/zero") if where == "zero" else tmp_path / where
    if where == "pipe":
        os.mkfifo(path)
    elif where == "folder":
        path.mkdir()
    for command in (
        ["replay", str(path)],
        ["play", "--resume", str(path)],
        ["sim", "--game", str(CARAVAN), "--players", "2", "--games", "1", "--out", str(path)],
        *([["migrate", str(path)]] if where != "folder" else []),
    ):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "internal error" not in said
        assert str(path) in said
    assert [each for each in tmp_path.iterdir() if each != path] == []


# ---- other versions


def by_another(replay: Replay, **changes: Any) -> Replay:
    """A replay as an engine would have made it that numbers everything otherwise."""
    numbers = tuple((seat, *range(7, 7 + len(rest))) for seat, *rest in replay.answers)
    return replace(replay, version="0.1.9", answers=numbers, last="", hashes=("",) * len(replay.hashes), **changes)


def reopened(path: Path, game: Path = CARAVAN, **more: Any) -> tuple[Game, str]:
    """A save that is gone on with, and what is said about it."""
    session = open_session(Wanted(resume=path, game=str(game), **more))
    session.held.close()
    return session.game, session.news


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_again_by_names(name: str) -> None:
    recorder = middle(name, 60)
    again = play_again(rules_of(name), by_another(recorder.replay()))
    assert again.game.hash() == recorder.game.hash()
    assert again.answers == recorder.answers
    finish(again.game)


def test_a_save_from_python_is_played_again_by_names() -> None:
    game = middle("betrayal").game
    data = sealed_again({**as_json(game.save()), "version": "0.1.9"})
    with pytest.raises(CannotRunError, match=r"made by dunerules 0\.1\.9"):
        Game.load(rules_of("betrayal"), data)
    assert play_again(rules_of("betrayal"), Game.course(data)).game.hash() == game.hash()
    with pytest.raises(CannotRunError, match=r"only dunerules 0\.1\.9 can load it"):
        Game.course(sealed_again({**data, "answers": None, "chosen": None}))
    without = {key: value for key, value in data.items() if key not in {"answers", "chosen"}}
    with pytest.raises(CannotRunError):
        Game.load(rules_of("betrayal"), sealed_again({**without, "version": __version__}))


def test_a_save_of_another_version_goes_on_and_says_so(tmp_path: Path) -> None:
    recorder, file = middle("caravan"), tmp_path / "game.json"
    write_replay(file, by_another(recorder.replay()))
    game, news = reopened(file)
    assert (game.hash(), news) == (recorder.game.hash(), "again.same")
    write_replay(file, by_another(recorder.replay(), position="something else"))
    assert reopened(file)[1] == "again.other"


def test_a_save_of_changed_packs_goes_on_if_its_answers_are_there(tmp_path: Path) -> None:
    pack, file = Path(shutil.copytree(CARAVAN, tmp_path / "caravan")), tmp_path / "game.json"
    write_replay(file, middle("caravan").replay())
    objects, rules = pack / "bales.yaml", pack / "rules.yaml"
    objects.write_text(objects.read_text("utf-8").replace("weight: 3", "weight: 4"), "utf-8")
    assert reopened(file, pack)[1] == "again.same"
    rules.write_text(rules.read_text("utf-8").replace("gain 1 coins", "gain 2 coins"), "utf-8")
    with pytest.raises(CannotRunError, match=r"answer \d+, by seat \d: `gain 1 coins` is not offered"):
        reopened(file, pack)
    manifest = pack / "pack.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace('version: "1.0"', 'version: "2.0"'), "utf-8")
    with pytest.raises(CannotRunError, match="other packs, or other versions of them: caravan"):
        reopened(file, pack)


def test_a_save_edited_on_purpose_goes_on_if_that_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_replay(file, middle("caravan").replay())
    text = file.read_text("utf-8")
    file.write_text(text.replace('"seed": 4', '"seed": 5'), "utf-8")
    with pytest.raises(CannotRunError, match="edited after it was written"):
        reopened(file)
    data = json.loads(text)
    few = {**data, "answers": data["answers"][:4], "chosen": data["chosen"][:4]}
    file.write_text(json.dumps(few), "utf-8")
    game, news = reopened(file, accept_edited=True)
    assert (game.hash(), news) == (middle("caravan", 4).game.hash(), "again.edited")
    file.write_text(json.dumps({**few, "chosen": [["something"]] * 4}), "utf-8")
    with pytest.raises(CannotRunError, match="answer 1, by seat 1: `something` is not offered"):
        reopened(file, accept_edited=True)
    with pytest.raises(CannotRunError, match="goes with --resume"):
        open_session(Wanted(accept_edited=True))


def test_a_save_of_the_same_line_is_simply_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_replay(file, replace(middle("caravan").replay(), version=f"{engine_line(__version__)}.99"))
    assert reopened(file)[1] == ""


# ---- two at once


@pytest.fixture
def running() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts commands that wait for input, and ends them."""
    begun: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "dunerules", *arguments]
        pipe = subprocess.PIPE
        begun.append(
            subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True)
        )
        return begun[-1]

    yield start
    for process in begun:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(test: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not test():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill")
def test_two_never_play_one_save(
    tmp_path: Path, running: Callable[..., subprocess.Popen[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    write_replay(file, middle("caravan", 2).replay())
    command = ["play", "--resume", str(file), "--game", str(CARAVAN)]
    first = running(*command)
    assert first.stdout is not None
    assert first.stdout.readline(), "it speaks once it holds the file"
    before = file.read_bytes()
    assert main(command) == 2
    assert "another dunerules is working on this file" in capsys.readouterr().err
    assert main(["replay", str(file), "--record", "--game", str(CARAVAN), "--players", "2"]) == 2
    assert main(["migrate", str(file)]) == 2
    assert main(["replay", str(file), "--verify", "--game", str(CARAVAN)]) == 0, "looking is free"
    assert file.read_bytes() == before
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    assert reopened(file)[1] == "", "a lock is gone with its program"
    assert not list(tmp_path.glob(".*-held"))


@pytest.mark.skipif(sys.platform == "win32", reason="needs kill")
def test_two_never_write_one_file_of_results(
    tmp_path: Path, running: Callable[..., subprocess.Popen[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    command = ["sim", "--game", str(CARAVAN), "--players", "2", "--out", str(file), "--games"]
    first = running(*command, "1000000", "--jobs", "2")
    wait_for(lambda: file.exists() and file.stat().st_size > 5000)
    assert main([*command, "3"]) == 2
    assert "another dunerules is working on this file" in capsys.readouterr().err
    os.kill(first.pid, signal.SIGKILL)  # only the parent: those who play for it hold nothing
    first.wait()
    whole = file.read_bytes().count(b"\n")
    assert main([*command, str(whole + 1)]) == 0
    assert file.read_bytes().count(b"\n") >= whole + 1
    assert all(json.loads(line)["game"] == number for number, line in enumerate(file.read_bytes().splitlines()))


def test_a_lock_that_was_left_behind_holds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_replay(file, middle("caravan").replay())
    (tmp_path / ".game.json.dunerules-held").write_text("", "utf-8")
    assert reopened(file)[1] == ""
    assert list(tmp_path.iterdir()) == [file]


def test_a_refused_save_is_not_held(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError):
        read_replay(tmp_path / "game.json")
    with pytest.raises(CannotRunError):
        open_session(Wanted(resume=tmp_path / "game.json"))
    assert list(tmp_path.iterdir()) == []


def test_pieces_that_were_given_away_are_saved(tmp_path: Path) -> None:
    gives = "setup: each seat as s { move all cube of s from stock to stock of (next of s) }\n"
    rules = load(tiny_pack(tmp_path, {"rules/more.yaml": gives}))
    game = rules.game(seats=2)
    assert max(game.state.cells) == 16, "all pieces of both seats lie with one"
    assert Game.load(rules, game.save()).hash() == game.hash()
    assert Game.load(rules, game.save(), trusted=True).hash() == game.hash()
