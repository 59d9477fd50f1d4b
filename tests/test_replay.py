"""Replays: what is recorded plays again, and a wrong file says what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dunerules import __version__
from dunerules.__main__ import main
from dunerules.game import Rules, load
from dunerules.kept import checksum
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, Replay, read_replay, verify, write_replay
from dunerules.simulation import recorded

from .invariants import GAME


@cache
def base() -> Rules:
    return load(GAME)


@cache
def game() -> Replay:
    return recorded(base(), 3, 5, "random", every=7)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_replay(tmp_path / "game.json", game())
    return tmp_path / "game.json"


def changed(file: Path, change: Callable[[dict[str, Any]], object], *, honest: bool = True) -> bytes:
    """Change a replay; an honest change has a right checksum."""
    data = json.loads(file.read_text("utf-8"))
    change(data)
    if honest:
        data["checksum"] = checksum(data)
    file.write_text(json.dumps(data), "utf-8")
    return file.read_bytes()


def run(file: Path, *arguments: str) -> int:
    return main(["replay", str(file), "--game", GAME, *arguments])


# ---- good replays


def test_a_replay_is_read_as_it_was_written(file: Path) -> None:
    assert read_replay(file) == game()
    assert game().over
    assert game().version == __version__
    assert len(game().hashes) == -(-len(game().answers) // 7)


def test_a_replay_plays_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(base(), game()) is None
    assert run(file, "--verify") == 0
    assert f"{len(game().answers)} decisions, all as recorded" in capsys.readouterr().out


def test_a_replay_is_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for language, player in (("en", "Player"), ("pl", "Gracz"), ("cs", "Hráč")):
        assert run(file, "--lang", language) == 0
        shown[language] = capsys.readouterr().out
        lines = shown[language].splitlines()
        assert sum(line[:5].strip().isdigit() for line in lines) == len(game().answers)
        assert lines[-1].startswith(player)
        assert "⟨" not in shown[language]
    assert len(set(shown.values())) == 3


def test_a_game_is_recorded_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new.json"
    assert run(file, "--record", "--players", "3", "--seed", "5") == 0
    assert read_replay(file).last == game().last
    assert run(file, "--verify") == 0


def test_an_unfinished_game_is_a_replay_too() -> None:
    recorder = Recorder(base().game(seats=4, seed=1))
    for _ in range(25):
        recorder.answer(0) if recorder.game.state.pending.low else recorder.answer()  # type: ignore[union-attr]
    replay = recorder.replay()
    assert not replay.over
    assert verify(base(), replay) is None


# ---- games that have become others


def test_the_first_difference_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(file, lambda data: data["hashes"].__setitem__(3, "0" * 64))
    assert run(file, "--verify") == 1
    printed = capsys.readouterr().out
    assert f"decision 22: expected {'0' * 64}, got {game().hashes[3]}" in printed
    assert "the last equal fingerprint: before decision 15" in printed
    assert "is asked for" in printed


def test_another_answer_is_found_soon_after() -> None:
    """Two answers may lead to one position, so several are tried."""
    differences = 0
    for number in range(30, 60):
        answers = list(game().answers)
        seat, *chosen = answers[number]
        if len(chosen) == 1:
            answers[number] = (seat, 1 if chosen[0] == 0 else 0)
        found = verify(base(), replace(game(), answers=tuple(answers)))
        if answers[number] != game().answers[number] and found is not None:
            differences += 1
            assert number < found.decision
            assert found.equal_until <= number + 1
    assert differences > 10


def test_an_answer_that_is_not_allowed_is_named(file: Path) -> None:
    changed(file, lambda data: (data["answers"][9].__setitem__(slice(1, None), [99]), data.update(chosen=[])))
    found = verify(base(), read_replay(file))
    assert found is not None
    assert found.decision == 10
    assert "a refusal: options are numbered 0 to" in found.got


def test_another_end_is_a_difference(file: Path) -> None:
    changed(file, lambda data: data.update(last="1" * 64))
    found = verify(base(), read_replay(file))
    assert found is not None
    assert found.decision == len(game().answers) + 1
    assert found.question == "the game is over"


# ---- files that cannot be used

WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], bool, str]] = {
    "edited": (lambda data: data["answers"].__setitem__(4, [1]), False, "edited after it was written"),
    "seed": (lambda data: data.update(seed=6), False, "checksum is wrong"),
    "older": (lambda data: data.update(format=2), True, "format 2 is not read any more"),
    "newer": (lambda data: data.update(format=9, version="7.0"), True, "by dunerules 7.0: format 9 is newer than"),
    "number": (lambda data: data.update(format="4"), True, "does not say rightly which format"),
    "more": (lambda data: data.update(replay=1), True, "has a part `replay`, which no replay has"),
    "kind": (lambda data: data.update(dunerules="save"), True, "this is not a replay"),
    "names": (lambda data: data["chosen"].pop(), True, "do not fit"),
    "negative": (lambda data: data["answers"].__setitem__(4, [0, -1]), True, "nobody can have given"),
    "huge": (lambda data: data["answers"].__setitem__(4, [10**4000, 0]), True, "nobody can have given"),
    "flag": (lambda data: data.update(seats=True), True, "has no seats"),
    "automated": (lambda data: data.update(seats=4, automated=1), True, "no table of 4 seats with 1 of"),
    "version": (lambda data: data.update(version="99.1"), True, f"made by dunerules 99.1, this is {__version__}"),
    "lock": (lambda data: data["locks"].update(base="0" * 64), True, "other versions of them: base"),
    "missing": (lambda data: data.pop("seats"), True, "has no seats"),
    "type": (lambda data: data.update(answers=[["a"]]), True, "nobody can have given"),
    "hashes": (lambda data: data["hashes"].pop(), True, "do not fit each other"),
    "seats": (lambda data: data.update(seats=9), True, "3 to 4 seats, not 9"),
    "option": (lambda data: data.update(options={"x": "y"}), True, "no option `x`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_and_left_alone(name: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, honest, message = WRONG[name]
    before = changed(file, change, honest=honest)
    assert run(file, "--verify") == 2
    assert message in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a": 1}'])
def test_what_is_no_replay_is_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    assert run(file, "--verify") == 2
    assert "internal error" not in capsys.readouterr().err
    assert file.read_bytes() == content


def test_a_replay_cut_off_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole) - 2, 997):
        file.write_bytes(whole[:length])
        with pytest.raises(CannotRunError, match="cut off or damaged"):
            read_replay(file)


def test_a_missing_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none.json") == 2
    assert "No such file" in capsys.readouterr().err


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none" / "x.json", "--record", "--players", "3") == 2
    assert "No such file" in capsys.readouterr().err
