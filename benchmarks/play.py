"""What a decision costs: whole games at random, beside two engines written by hand, and the parts that matter."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.generate import generate_unused
from benchmarks.rows import Row

__all__ = ["FULL", "QUICK", "Effort", "measure_play"]

Ask = Callable[..., Any]
"""Puts a request to a player and waits for the answer."""


@dataclass(frozen=True)
class Effort:
    """How much to play: rounds of measurement, and games of each engine in one."""

    rounds: int
    ours: int
    dominion: int
    catan: int
    unused: int


FULL = Effort(rounds=12, ours=8, dominion=20, catan=4, unused=5000)
QUICK = Effort(rounds=1, ours=1, dominion=1, catan=1, unused=50)


@contextmanager
def player(what: str) -> Iterator[Ask]:
    """A player in a process of its own, ended with its input."""
    home = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "benchmarks.player", what]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        requests, answers = process.stdin, process.stdout

        def ask(*request: Any) -> Any:
            requests.write(json.dumps(request) + "\n")
            requests.flush()
            line = answers.readline()
            if not line:
                raise RuntimeError(f"the player of {what} has ended")
            return json.loads(line)

        yield ask
        requests.close()


def measure_play(place: Path, effort: Effort, say: Callable[[str], None]) -> list[Row]:
    """All rows about playing. Engines take turns, so that whatever else the machine does meets all of them."""
    unused = generate_unused(place / "unused", effort.unused)
    games = {"ours": effort.ours, "log": effort.ours, str(unused): effort.ours}
    games |= {"pyminion": effort.dominion} if find_spec("pyminion") else {}
    games |= {"catanatron": effort.catan} if find_spec("catanatron") else {}
    with ExitStack() as stack:
        ask = {what: stack.enter_context(player(what)) for what in games}
        cost: dict[str, list[float]] = {what: [] for what in games}
        copying, rounds = [], []
        for number in range(effort.rounds):
            say(f"measuring: play, {number + 1} of {effort.rounds} ...")
            for what, count in games.items():
                found = ask[what]("rate", number * count, count)
                cost[what].append(found["seconds"] / found["decisions"])
            copying.append(ask["ours"]("copying", number, 1))
            rounds.append(ask["ours"]("rounds", number * effort.ours, effort.ours))
        sizes = {what: ask[what]("size", 1, 1)["bytes"] for what in ("ours", "catanatron") if what in games}
    mean = median(cost["ours"])
    rows = [Row("play", "a decision of the base game for four", mean * 1e6, "us", note=f"{1 / mean:.0f} a second")]
    for what, least, goal in (("pyminion", 0.8, 1.5), ("catanatron", 2.0, 4.0)):
        rows += [_peer(what, cost, least, goal)] if what in games else [Row("play", f"{what} is not installed", 0, "")]
    rows += [
        Row("play", "clone inside an effect / decision", median(each["clone"] for each in copying) / mean, "x", 0.6),
        Row("play", "save and load as JSON / decision", median(each["save"] for each in copying) / mean, "x", 12.0),
        Row("play", "with the log / without", _beside(cost["log"], cost["ours"]), "x", 1.2),
        Row("play", f"{effort.unused} unused cards / none", _beside(cost[str(unused)], cost["ours"]), "x", 1.1),
        _late(rounds),
    ]
    if "catanatron" in sizes:
        share = sizes["ours"] / sizes["catanatron"]
        note = f"{sizes['ours']:.0f} of {sizes['catanatron']:.0f} bytes"
        rows.append(Row("play", "memory of a clone / of catanatron's", share, "x", 0.4, note))
    return rows


def _beside(one: list[float], other: list[float]) -> float:
    """How many times one cost is the other: the middle of the ratios of each round."""
    return median(mine / theirs for mine, theirs in zip(one, other, strict=True))


def _peer(what: str, cost: dict[str, list[float]], least: float, goal: float) -> Row:
    note = f"{1 / median(cost[what]):.0f} a second there; goal {goal}"
    return Row("play", f"decisions a second / {what}'s", _beside(cost[what], cost["ours"]), "x", least, note, more=True)


def _late(rounds: list[dict[str, list[float]]]) -> Row:
    """A decision of the ninth round beside one of the second; games that end earlier say nothing about it."""
    total: dict[str, list[float]] = {"2": [0, 0.0], "9": [0, 0.0]}
    for found in rounds:
        for number, row in total.items():
            decisions, seconds = found.get(number, (0, 0.0))
            row[0] += decisions
            row[1] += seconds
    if not total["2"][0] or not total["9"][0]:
        return Row("play", "no game had nine rounds", 0, "")
    early, late = (total[number][1] / total[number][0] for number in ("2", "9"))
    return Row("play", "a decision in round 9 / in round 2", late / early, "x", 1.4)
