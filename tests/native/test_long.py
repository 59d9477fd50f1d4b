"""The long command: what goes wrong is told with the game it was at, and a run is gone on with."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from . import run as running
from .run import Piece, Progress, report_lines, run
from .twin import DifferenceError, Tally
from .work import PACKS, Seen, Table, shares

ABOUT = {"commit": "abc", "seed": 1}


def _fine(tally: Tally, seen: Seen) -> str:
    tally.games += 3
    tally.given_up["room"] += 1
    return ""


def _different(tally: Tally, seen: Seen) -> str:
    _fine(tally, seen)
    seen(17)
    raise DifferenceError("cells 3: 1 instead of 2")


def _dying(tally: Tally, seen: Seen) -> str:
    seen(18)
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def _broken(tally: Tally, seen: Seen) -> str:
    raise ValueError("this is none of ours")


def _endless(tally: Tally, seen: Seen) -> str:
    time.sleep(100)
    return ""


def _pieces(**does: object) -> list[Piece]:
    return [Piece(name, "group", do, f"again {name} GAME") for name, do in does.items()]  # type: ignore[arg-type]


def test_whatever_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LONGEST", 2.0)
    progress = Progress(None, ABOUT)
    pieces = _pieces(fine=_fine, different=_different, dying=_dying, broken=_broken, endless=_endless)
    assert {piece.name for piece, _ in run(pieces, 2, progress)} == {piece.name for piece in pieces}
    told = {name: "".join(tally.different) for name, (_, tally) in progress.done.items()}
    assert told["fine"] == ""
    assert told["different"] == "cells 3: 1 instead of 2\n  again: again different 17"
    assert told["dying"] == f"dying: the process ended with {-signal.SIGKILL}\n  again: again dying 18"
    assert "this is none of ours" in told["broken"]
    assert "it took more than 2 s" in told["endless"]
    said = "\n".join(report_lines(progress))
    assert "group: 5 x 0 to 3 games; 6 games" in said
    assert "2 room" in said
    assert "4 differences" in said


def test_a_run_is_gone_on_with_and_not_mixed_with_another(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    first = Progress.of(path, ABOUT)
    assert len([*run(_pieces(one=_fine, two=lambda tally, seen: "refused"), 1, first)]) == 2
    again = Progress.of(path, ABOUT)
    assert [piece.name for piece, _ in run(_pieces(one=_dying, two=_dying, three=_different), 1, again)] == ["three"]
    assert again.refused == {"two": "refused"}
    assert (again.total().games, again.total().given_up) == (6, Counter(room=2))
    assert json.loads(path.read_text())["about"] == ABOUT
    assert [*tmp_path.iterdir()] == [path]
    with pytest.raises(SystemExit, match="another run: seed 1, not 2"):
        Progress.of(path, {**ABOUT, "seed": 2})


def test_every_table_has_its_share() -> None:
    tables = [Table("many", number, ()) for number in range(50)] + [Table("few", 1, ())]
    found = shares(10_000, tables)
    assert 10_000 <= sum(found.values()) <= 10_000 + 2 * len(tables)
    assert found[tables[0]] > 100
    assert found[tables[-1]] > 2500


def test_all_packs_that_are_shipped_are_compared() -> None:
    names = {Path(pack).name for pack in PACKS}
    assert {"base", "immortality", "betrayal", "conquest", "gems", "tictactoe", "dominion"} <= names
