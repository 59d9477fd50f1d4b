"""A game is the same whichever back end runs its steps: questions, views, logs, saves, errors, words."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, Rules, load
from dunerules.native import backend
from dunerules.native.compiler import find_compiler
from dunerules.native.stepping import NativeMachine
from dunerules.problems import CannotRunError
from dunerules.runtime.state import GameError, State
from tests.test_limits import ENDLESS_TURN
from tests.test_runtime import BIDDING

from .work import EXAMPLES

compiled = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")

MOST = 120
"""Decisions of a game that are looked at."""


def answers(game: Game, chance: Random) -> tuple[int, ...]:
    asked = game.state.pending
    assert asked is not None
    return tuple(chance.sample(range(len(asked.options)), chance.randint(asked.low, asked.high)))


def alike(one: Game, other: Game) -> None:
    """All that a game tells."""
    assert one.hash() == other.hash()
    assert [repr(each) for each in one.questions] == [repr(each) for each in other.questions]
    assert one.standings() == other.standings()
    for seat in range(1, one.seats + 1):
        assert one.view(seat) == other.view(seat)


@compiled
@pytest.mark.parametrize(("pack", "players"), [("gems", 3), ("auction", 3), ("tricks", 4), ("betrayal", 4)])
def test_a_game_is_the_same(pack: str, players: int) -> None:
    rules = load(EXAMPLES / pack if (EXAMPLES / pack).exists() else pack)
    one, other = rules.game(players=players, seed=5), rules.game(players=players, seed=5, backend="native")
    assert isinstance(other.machine, NativeMachine)
    chance, decisions = Random(5), 0
    while not one.over and decisions < MOST:
        alike(one, other)
        question, same = one.question, other.question
        assert question is not None
        assert same is not None
        assert question.text() == same.text()
        assert one.why_not(question.names[0]) == other.why_not(question.names[0])
        answer = answers(one, chance)
        one.answer(answer)
        other.answer(answer)
        decisions += 1
    assert one.save() == other.save()
    assert one.log() == other.log()
    assert one.log(1) == other.log(1)
    assert since_start(one) == since_start(other)
    assert (one.over, one.winners) == (other.over, other.winners)


def since_start(game: Game) -> list[object]:
    found, chain = list[object](), game.state.log
    while chain:
        chain, entry = chain
        found.append(entry)
    assert found
    return found


def change_over(path: Path | str, players: int) -> tuple[int, int]:
    """Play a game in which every answer is given by another back end, from what the one before has saved; how often
    that was inside of an effect, and while several seats were asked."""
    python, native = load(path), load(path, backend="native")
    game, chance, deep, together = python.game(players=players, seed=3), Random(3), 0, 0
    for _ in range(MOST):
        if game.over:
            break
        deep += len(game.state.frames) > 3
        together += bool(game.state.strands)
        asked = chance.choice(game.state.asked())
        answer = tuple(chance.sample(range(len(asked.options)), chance.randint(asked.low, asked.high)))
        one = Game.load(native, game.save(), trusted=True)
        assert isinstance(one.machine, NativeMachine)
        one.answer(answer, seat=asked.seat + 1)
        other = Game.load(python, one.save(), trusted=True)
        game.answer(answer, seat=asked.seat + 1)
        alike(one, game)
        alike(other, game)
        game = other
    return deep, together


@compiled
def test_saves_move_between_back_ends_in_the_middle_of_effects() -> None:
    deep, _ = change_over("betrayal", 4)
    assert deep > 5


@compiled
def test_saves_move_between_back_ends_while_several_seats_are_asked(tmp_path: Path) -> None:
    write_snippet(BIDDING, tmp_path)
    _, together = change_over(tmp_path, 3)
    assert together == 6


@compiled
def test_a_saved_game_is_played_again_by_native_code() -> None:
    native = load(EXAMPLES / "gems", backend="native")
    game, chance = native.game(players=2, seed=1), Random(1)
    for _ in range(10):
        game.answer(answers(game, chance))
    assert Game.load(native, game.save()).hash() == game.hash()
    assert Game.load(load(EXAMPLES / "gems"), game.save()).hash() == game.hash()


@compiled
def test_bots_and_worlds_are_the_same() -> None:
    rules = load(EXAMPLES / "gems")
    one, other = rules.game(players=2, seed=1), rules.game(players=2, seed=1, backend="native")
    for world, same in zip(one.worlds(1, 2, 7), other.worlds(1, 2, 7), strict=True):
        assert world.hash() == same.hash()
        world.answer(0)
        same.answer(0)
        assert world.hash() == same.hash()


@compiled
def test_errors_are_those_of_python(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    rules, told = load(tmp_path), list[str]()
    for name in ("python", "native"):
        game = rules.game(seats=2, backend=backend.backend_named(name))
        with pytest.raises(GameError) as caught:
            game.answer(0)
        told.append(str(caught.value))
    assert told[0] == told[1]


def unready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rules:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path))
    monkeypatch.setattr(backend, "find_compiler", lambda: None)
    return load(EXAMPLES / "gems")


def test_without_a_compiler_python_plays_and_warns_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = unready(monkeypatch, tmp_path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        games = [rules.game(players=2, seed=seed, backend="native") for seed in range(3)]
    assert [str(each.message) for each in caught] == ["Python plays, not native code: there is no C compiler here"]
    assert games[1].hash() == rules.game(players=2, seed=1).hash()


def test_a_back_end_that_is_not_there_is_refused() -> None:
    with pytest.raises(CannotRunError, match="no back end `fast`"):
        load(EXAMPLES / "gems", backend="fast")  # type: ignore[arg-type]
    with pytest.raises(CannotRunError, match="no back end `fast`"):
        load(EXAMPLES / "gems").game(backend="fast")  # type: ignore[arg-type]


# ---- commands


@pytest.mark.parametrize("words", [["test", str(EXAMPLES / "gems")], ["play", "--game", str(EXAMPLES / "gems")]])
def test_commands_refuse_a_back_end_that_is_not_there(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--backend", "fast"]) == 2
    assert "no back end `fast`; there are auto, python, native" in capsys.readouterr().err


def test_mutants_and_lists_have_no_back_end(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--mutants", "--list"):
        assert main(["test", str(EXAMPLES / "gems"), flag, "--backend", "native"]) == 2
        assert "--backend native plays scenarios" in capsys.readouterr().err


def test_scenarios_without_a_compiler_say_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unready(monkeypatch, tmp_path)
    assert main(["test", str(EXAMPLES / "tricks"), "--backend", "native"]) == 0
    assert capsys.readouterr().err.count("Python plays, not native code") == 1


@compiled
@pytest.mark.parametrize("pack", ["gems", "battler"])
def test_scenarios_come_out_the_same(
    pack: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, ran = str(EXAMPLES / pack), list[bool]()
    run_native = NativeMachine._run_native

    def noted(machine: NativeMachine, state: State) -> bool:
        ran.append(run_native(machine, state))
        return ran[-1]

    monkeypatch.setattr(NativeMachine, "_run_native", noted)
    shown = []
    for name in ("python", "native"):
        assert main(["test", path, "--backend", name]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert all(ran)
    assert ran


@compiled
def test_a_whole_game_of_play_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for name in ("python", "native"):
        save = tmp_path / f"{name}.json"
        words = ["play", "--game", str(EXAMPLES / "gems"), "--seats", "random,random", "--seed", "4"]
        assert main([*words, "--save", str(save), "--backend", name]) == 0
        shown.append((capsys.readouterr().out.replace(name, ""), save.read_text("utf-8")))
    assert shown[0] == shown[1]
