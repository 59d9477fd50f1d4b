"""The benchmark runs, on a small pack; how fast things are is not tested here."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import native, worker
from benchmarks.__main__ import markdown, table
from benchmarks.generate import generate
from benchmarks.native import NATIVE_QUICK, measure_native
from benchmarks.peers import Dominion
from benchmarks.play import QUICK, measure_play
from benchmarks.player import SAME_PILES
from benchmarks.rows import Row
from benchmarks.words import measure_words
from dunerules.native.compiler import find_compiler


def test_a_generated_pack_is_what_it_should_be_and_clean(tmp_path: Path) -> None:
    pack = generate(tmp_path / "large", 500)
    assert pack.cards == 500
    assert pack.effects == 1200
    assert pack.different > 400
    assert len(pack.files) == 2
    assert worker.main(["check", str(pack.root)])["found"] == 0


def test_a_generated_pack_is_the_same_each_time(tmp_path: Path) -> None:
    one, two = generate(tmp_path / "one", 60), generate(tmp_path / "two", 60)
    assert [path.read_bytes() for path in one.files] == [path.read_bytes() for path in two.files]


def test_every_piece_of_work_can_be_measured(tmp_path: Path) -> None:
    root = generate(tmp_path / "large", 40).root
    cache = tmp_path / "cache"
    for arguments in (["load"], ["check"], ["format"]):
        assert worker.main([*arguments, str(root)])["seconds"] > 0
    first, second = (worker.main(["check", str(root), str(cache)]) for _ in range(2))
    assert first["found"] == second["found"] == 0


def test_the_table_says_what_is_over_its_limit() -> None:
    text = table(
        [Row("speed", "good", 1.0, "x", 2.0), Row("speed", "bad", 3.0, "x", 2.0), Row("speed", "free", 9.0, "x")]
    )
    good, bad, free = text.splitlines()[-3:]
    assert good.endswith("ok")
    assert bad.endswith("over")
    assert "ok" not in free


def test_play_is_measured_in_every_way(tmp_path: Path) -> None:
    rows = measure_play(tmp_path, QUICK, lambda text: None)
    names = table(rows)
    assert all(row.measured > 0 for row in rows if row.limit is not None)
    for part in ("a decision of", "pyminion", "catanatron", "clone", "JSON", "log", "unused", "round", "conquest"):
        assert part in names


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")
def test_native_code_is_measured_in_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "tictactoe 2"
    monkeypatch.setattr(native, "TABLES", {table: 40})
    monkeypatch.setattr(native, "PEERS", {(table, "pyminion"): 15, (table, "catanatron"): 100, (table, SAME_PILES): 30})
    monkeypatch.setattr(native, "FIRST", table)
    rows = measure_native(NATIVE_QUICK, lambda text: None)
    assert all(row.measured > 0 for row in rows if row.limit is not None)
    lines = markdown(rows).splitlines()
    assert len({line.count("|") for line in lines}) == 1
    for part in ("/ Python", "pyminion", "catanatron", "clone", "bytes", "compiled before", "--jobs 2"):
        assert any(part in line for line in lines)


@pytest.mark.skipif(find_spec("pyminion") is None, reason="pyminion is not installed")
def test_a_peer_plays_the_same_games_without_words() -> None:
    wordy = [Dominion(wordy=True).play(seed) for seed in range(2)]
    assert [Dominion().play(seed) for seed in range(2)] == wordy
    logging.disable(logging.NOTSET)


def test_words_can_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.words._MESSAGES", 100)
    rows = measure_words(1)
    assert [limit for _, _, _, limit, _ in rows if limit is not None] == [5.0, 5.0]
    assert all(number > 0 for _, number, _, _, _ in rows)
    assert {"messages a second, dunerules", "messages a second, gettext"} <= {name for name, *_ in rows}
