"""Simulations and bots."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.bots import Bot, RandomBot, SimpleBot, make_bot
from dunerules.checker.snippets import write_snippet
from dunerules.game import Rules, load
from dunerules.problems import CannotRunError
from dunerules.runtime.redeal import Redealer
from dunerules.simulation import Plan, result_line, simulate
from dunerules.summary import Summary

from .invariants import GAME
from .support import ROOT

ENDLESS = """\
kind: card
objects:
  banker: {start: table, abilities: [{when: you gain gold, do: "lose 1 fame with red, gain 1 fame with red"}]}
  herald: {start: table, abilities: [{when: you gain fame, do: "lose 1 gold, gain 1 gold"}]}
  coin: {start: deck, copies: 9, play: gain 1 gold}
"""
PLAN = Plan((GAME,), 3, 6, seed=2)


@cache
def base() -> Rules:
    return load(GAME)


def sim(*arguments: str, games: int = 6, seed: int = 2) -> int:
    return main(["sim", "--game", GAME, "--players", "3", "--games", str(games), "--seed", str(seed), *arguments])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of six games, by one process."""
    file = tmp_path_factory.mktemp("sim") / "six.jsonl"
    assert sim("--out", str(file)) == 0
    return file.read_bytes()


# ---- lines


def test_one_line_a_game_in_order(whole: bytes) -> None:
    lines = [json.loads(line) for line in whole.splitlines()]
    assert [line["game"] for line in lines] == list(range(6))
    for line in lines:
        assert line["bots"] == ["random"] * 3
        assert set(line["winners"]) <= {1, 2, 3}
        assert [len(zone) for zone in line["report"]] == [1, 1, 1]
        assert 1 <= line["rounds"] <= 10
        best = max(tuple(points) for points in line["points"])
        assert line["winners"] == [seat + 1 for seat in range(3) if tuple(line["points"][seat]) == best]
    assert len({line["hash"] for line in lines}) == 6


def test_an_expansion_makes_other_games(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    arguments = ("--with", "immortality", "--option", "goal_variant=eleven_points", "--out", str(file))
    assert sim(*arguments, games=2) == 0
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert [line["game"] for line in lines] == [0, 1]
    assert lines[0]["plan"] != json.loads(whole.splitlines()[0])["plan"]


def test_the_file_does_not_depend_on_the_number_of_processes(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    assert sim("--jobs", "2", "--out", str(file)) == 0
    assert file.read_bytes() == whole


def test_another_seed_gives_other_games(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    assert sim("--out", str(file), games=2, seed=3) == 0
    assert {json.loads(line)["hash"] for line in file.read_bytes().splitlines()}.isdisjoint(
        {json.loads(line)["hash"] for line in whole.splitlines()}
    )


# ---- going on


@pytest.mark.parametrize("rest", [0, 1, 5, 40, 200])
def test_a_file_that_was_cut_off_is_gone_on_with(whole: bytes, tmp_path: Path, rest: int) -> None:
    file = tmp_path / "cut.jsonl"
    lines = whole.splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]) + lines[3][:rest])
    assert sim("--out", str(file)) == 0
    assert file.read_bytes() == whole


def test_a_whole_file_stays_as_it_is(whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "whole.jsonl"
    file.write_bytes(whole)
    assert sim("--out", str(file)) == 0
    assert file.read_bytes() == whole
    assert capsys.readouterr().out.startswith("6 games")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello", "not from a simulation"),
        (b"hello\n", "not the line of game 0"),
        (b'{"game":0,"plan":"x"}\n', "another simulation"),
        (b"\xff\xfe\n", "not the line of game 0"),
    ],
)
def test_a_file_of_something_else_is_left_alone(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(content)
    assert sim("--out", str(file)) == 2
    assert message in capsys.readouterr().err
    assert file.read_bytes() == content


def test_ctrl_c_leaves_a_file_to_go_on_with(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "stopped.jsonl"
    command = ["sim", "--game", GAME, "--players", "3", "--seed", "2", "--jobs", "2", "--backend", "python"]
    command += ["--out", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "dunerules", *command, "--games", "5000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not file.exists() or file.read_bytes().count(b"\n") < 2):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "the same command goes on" in errors
    assert "Traceback" not in errors
    kept = file.read_bytes().splitlines(keepends=True)
    assert 2 <= len(kept) < 5000
    lines = whole.splitlines(keepends=True)
    assert kept[:6] == lines[: len(kept)]


# ---- what is printed


def test_progress_is_plain_lines_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert sim() == 0
    printed = capsys.readouterr()
    assert printed.err.splitlines()[-1].startswith("6 of 6 games")
    assert "\r" not in printed.err
    assert "seat 3" in printed.out
    assert "decisions a game: mean" in printed.out


def test_the_summary_counts_by_seat_bot_and_reported_object() -> None:
    summary = Summary()
    for line in simulate(base(), PLAN):
        summary.add(line)
    assert summary.games == 6
    assert sum(row[0] for row in summary.seats.values()) == 18
    assert sum(row[0] for row in summary.report.values()) == 18
    assert sum(row[1] for row in summary.seats.values()) == 6 + summary.shared
    assert sum(summary.rounds.values()) == 6


def test_summaries_add_up() -> None:
    lines, all_of_it, parts = [*simulate(base(), PLAN)], Summary(), Summary()
    lines += [{"decisions": 3, "error": "limit"}, {"decisions": 4, "error": "limit"}]
    for some in (lines[:3], lines[3:7], lines[7:]):
        part = Summary()
        for line in some:
            part.add(line)
            all_of_it.add(line)
        parts.include(part)
    assert parts == all_of_it
    assert parts.games == 8


@pytest.mark.parametrize(
    ("different", "line"), [(3, "games by rounds: 1 took 1, 1 took 2, 1 took 3"), (60, "rounds a game: mean 30.5")]
)
def test_many_different_lengths_are_summed_up(different: int, line: str) -> None:
    summary = Summary()
    for rounds in range(1, different + 1):
        summary.add(
            {"decisions": 5, "winners": [1], "rounds": rounds, "bots": ["random"], "points": [[1]], "report": [[]]}
        )
    assert line in "\n".join(summary.lines())
    assert max(map(len, summary.lines())) < 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bot", "genius"], "no bot `genius`; there are random, simple"),
        (["--option", "pace=fast"], "no option `pace`"),
        (["--dificulty", "mentat"], "no option `--dificulty`. Did you mean `--difficulty`?"),
        (["--player", "3"], "no option `--player`. Did you mean `--players`?"),
        (["--players", "1", "--difficulty"], "`--difficulty` wants a value"),
        (["--players", "1", "--difficulty=hard"], "option `difficulty` is one of mercenary"),
        (["three"], "`three` belongs to no option before it"),
        (["--game", "nothing"], "no pack `nothing`"),
        (["--out", "."], "this is a directory"),
        (["--out", "no/such/directory/x"], "No such file"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sim(*arguments) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_never_ends_is_a_line_with_an_error(tmp_path: Path) -> None:
    write_snippet(ENDLESS, tmp_path)
    rules = load(tmp_path)
    line = result_line(rules, Plan((str(tmp_path),), 2, 1), 0)
    assert "limit: depth" in line["error"]
    summary = Summary()
    summary.add(line)
    assert "1 ended by an error" in "\n".join(summary.lines())


# ---- bots


@pytest.mark.parametrize("name", ["random", "simple"])
def test_a_bot_changes_nothing_and_repeats_itself(name: str) -> None:
    game, first, second = base().game(seats=4, seed=8), make_bot(name, 3), make_bot(name, 3)
    for _ in range(60):
        before = game.hash()
        answer = first.choose(game)
        assert game.hash() == before
        assert second.choose(game) == answer
        game.answer(answer)


def test_a_bot_knows_only_what_its_seat_sees() -> None:
    """In worlds its seat cannot tell apart, a bot answers alike."""
    game, chance = base().game(seats=3, seed=4), RandomBot(1)
    redealer, compared = Redealer(game.machine), 0
    for number in range(80):
        asked = game.state.pending
        assert asked is not None
        if number % 4 == 0:
            other = game.clone()
            other.state = redealer.redeal(game.state, asked.seat, number)
            compared += other.hash() != game.hash()
            assert game.view(asked.seat + 1) == other.view(asked.seat + 1)
            assert SimpleBot(number).choose(game) == SimpleBot(number).choose(other)
        game.answer(*chance.choose(game))
    assert compared == 20


def test_the_simple_bot_beats_random_ones() -> None:
    plan = Plan((GAME,), 4, 8, seed=1, bots=("simple", "random", "random", "random"))
    summary = Summary()
    for line in simulate(base(), plan, jobs=2):
        summary.add(line)
    games, wins, points = summary.bots["simple"]
    others = summary.bots["random"]
    assert wins >= 3
    assert points / games > others[2] / others[0] + 1


def test_the_simple_bot_plays_any_pack(tmp_path: Path) -> None:
    write_snippet(
        "kind: card\nobjects:\n"
        "  coin: {start: deck, copies: 12, play: gain 1 gold}\n"
        "  purse: {start: deck, copies: 12, play: gain 3 gold}\n",
        tmp_path,
    )
    game = load(tmp_path).game(seats=2, seed=1)
    bots: list[Bot] = [SimpleBot(0), RandomBot(0)]
    while game.state.pending is not None:
        game.answer(bots[game.state.pending.seat].choose(game))
    assert game.winners == (1,)


def test_an_unknown_bot() -> None:
    with pytest.raises(CannotRunError):
        make_bot("genius", 0)
    finished = base().game(seats=3)
    finished.state.pending = None
    with pytest.raises(CannotRunError, match="over"):
        RandomBot(1).choose(finished)
