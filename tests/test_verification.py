"""Before a game starts, all that it can come to is built and verified: once for some packs and a table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dunerules import verification
from dunerules.__main__ import main
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.game import load
from dunerules.kernel.bench import Bench
from dunerules.kernel.registry import DESCRIPTIONS
from dunerules.problems import CannotRunError
from dunerules.runtime import verified
from dunerules.runtime.machine import Machine

from .support import tiny_pack, write_files

Out = pytest.CaptureFixture[str]

WRONG = "`visit of harbour` cannot be played: write wants a number, not a group"
OURS = "internal error, please report it: .* \\(this is a fault of dunerules, not of the pack\\)"

GAME = {
    "scenarios/first.yaml": """packs: example
seats: 2
start: gain 1 gold of seat 1
scenarios:
  gold:
    do: []
    expect: {seat 1: {gold: 1}}
"""
}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and a process that has verified nothing yet."""
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(verification, "_SOUND", set())
    return tmp_path / "cache"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of seats of every table that is verified."""
    found: list[int] = []

    def watched(machine: Machine) -> Iterator[tuple[str, str]]:
        found.append(machine.table.seats)
        return iter(())

    monkeypatch.setattr(verified, "unsound", watched)
    return found


def wrong_gain(bench: Bench, code: Do) -> list[st.Step]:
    """A description of `gain` that puts a group into a cell."""
    cell = ir.CellNumber(ir.Region("gold", 0), ())
    return [st.Write(cell.region, cell, ir.Members((1, 2)))]


def no_gain(bench: Bench, code: Do) -> list[st.Step]:
    """One that cannot be built."""
    raise KeyError("gold")


# ---- what is refused


def test_a_fault_of_the_engine_is_told_before_a_game_starts(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load(tiny_pack(tmp_path / "tiny", GAME))
    monkeypatch.setitem(DESCRIPTIONS, "gain", wrong_gain)
    for _ in range(2):  # it does not become right by being looked at
        with pytest.raises(CannotRunError, match=OURS) as refused:
            rules.game(seats=2)
        assert WRONG in str(refused.value)
    monkeypatch.setitem(DESCRIPTIONS, "gain", no_gain)
    with pytest.raises(CannotRunError, match="cannot be played: KeyError: 'gold'"):
        rules.game(seats=2)
    monkeypatch.undo()
    assert rules.game(seats=2)


@pytest.mark.parametrize(("command", "code"), [("sim --games 1 --game", 2), ("test", 1)])
def test_commands_tell_it(
    command: str, code: int, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    pack = tiny_pack(tmp_path / "tiny", GAME)
    assert main([*command.split(), str(pack)]) == 0
    monkeypatch.setitem(DESCRIPTIONS, "gain", wrong_gain)
    monkeypatch.setattr(verification, "_SOUND", set())
    capsys.readouterr()
    assert main([*command.split(), str(pack)]) == code
    told = "".join(capsys.readouterr())
    assert f": internal error, please report it: {WRONG} (this is a fault of dunerules, not of the pack)" in told


# ---- what is remembered


def test_a_table_is_verified_once(cache: Path, looks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("base")
    for seats in (4, 4, 3, 4):
        load("base").machine(seats, {})
    assert looks == [4, 3]
    monkeypatch.setattr(verification, "_SOUND", set())  # as in another process
    rules.machine(4, {})
    assert looks == [4, 3]
    rules.machine(4, {"houses": "one_each"})
    assert looks == [4, 3, 4]


def test_a_damaged_entry_counts_as_absent(cache: Path, looks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("base")
    before = {path for path in cache.rglob("*") if path.is_file()}
    rules.machine(4, {})
    (entry,) = {path for path in cache.rglob("*") if path.is_file()} - before
    for damage in (b"", b"{}", entry.read_bytes()[:-1], entry.read_bytes().replace(b"programs", b"programme")):
        entry.write_bytes(damage)
        monkeypatch.setattr(verification, "_SOUND", set())
        load("base").machine(4, {})
    assert looks == [4] * 5


def test_without_a_cache_it_is_done_once_in_a_process(
    tmp_path: Path, cache: Path, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(write_files(tmp_path, {"file": ""}) / "file"))
    for _ in range(2):
        load("base").machine(4, {})
    assert looks == [4]


def test_small_packs_leave_no_entry(tmp_path: Path, cache: Path, looks: list[int]) -> None:
    rules = load(tiny_pack(tmp_path / "tiny", GAME))
    before = [*os.walk(cache)]
    rules.machine(2, {})
    assert [*os.walk(cache)] == before
    assert looks == [2]


def test_a_changed_pack_is_verified_again(tmp_path: Path, cache: Path, looks: list[int]) -> None:
    pack = tiny_pack(tmp_path / "tiny", GAME)
    load(pack).machine(2, {})
    write_files(pack, {"cards.yaml": "kind: card\nobjects:\n  coin: {start: deck, play: gain 2 gold}\n"})
    load(pack).machine(2, {})
    assert looks == [2, 2]
