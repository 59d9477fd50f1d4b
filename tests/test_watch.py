"""`dunerules watch`: findings, changed texts and touched scenarios on every save."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.cli.watch import Bench
from dunerules.packs.targets import Target


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "bazaar"
    assert main(["new", "pack", str(folder), "--author", "you"]) == 0
    text = (folder / "cards.yaml").read_text()
    scenario = "scenarios:\n  coins:\n    start: gain 1 coin of seat 1\n    expect: {coin of seat 1: 1}\n"
    (folder / "scenarios" / "coins.yaml").write_text(scenario)
    assert "gain 2 coin" in text
    return folder


def change(path: Path, before: str, after: str) -> frozenset[Path]:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    return frozenset([path])


def test_a_save_is_answered_by_what_it_changes(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench([Target(game)], "en")
    assert bench.look()
    capsys.readouterr()

    bench.work(change(game / "cards.yaml", "gain 2 coin", "gain 3 coin"))
    said = capsys.readouterr().out
    assert "(card/caravan)" in said
    assert "(card/merchant)" not in said, "its text is as it was"
    assert "FAILED" in said
    assert "0 passed, 1 failed" in said, "the scenario about coins names no caravan"

    bench.work(change(game / "cards.yaml", "gain 3 coin", "gian 2 coin"))
    said = capsys.readouterr().out
    assert "did you mean `gain`?" in said
    assert "passed" not in said, "nothing is played where there are errors"

    bench.work(change(game / "cards.yaml", "gian 2 coin", "gain 2 coin"))
    assert "1 passed" in capsys.readouterr().out

    bench.work(change(game / "scenarios/coins.yaml", "gain 1 coin", "gain 2 coin"))
    assert "0 passed, 1 failed" in capsys.readouterr().out

    bench.work(change(game / "verbs.yaml", "move top n card", "move bottom n card"))
    assert "0 passed, 2 failed" in capsys.readouterr().out, "a verb is changed: everything is played"


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_it_ends_by_ctrl_c_and_is_plain_in_a_pipe(game: Path) -> None:
    command = [sys.executable, "-m", "dunerules", "watch", str(game)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while "watching" not in lines[-1] and lines[-1]:
            lines.append(process.stdout.readline())
        change(game / "cards.yaml", "worth: 2", "worth: 4")
        while "passed" not in lines[-1] and lines[-1]:
            lines.append(process.stdout.readline())
        os.kill(process.pid, signal.SIGINT)
        lines += process.stdout.readlines()
        assert process.wait() == 0
    assert "all clean" in lines[0]
    assert "\x1b" not in "".join(lines)
    assert lines[-1] == "no longer watching\n"
