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
from typing import Any

from benchmarks.generate import generate_unused
from benchmarks.player import EXAMPLES, OTHERS, SAME_PILES, SMALL
from benchmarks.rows import Row

__all__ = ["FULL", "QUICK", "Effort", "measure_play", "player"]

Ask = Callable[..., Any]
"""Puts a request to a player and waits for the answer."""


@dataclass(frozen=True)
class Effort:
    """How much to play: rounds of measurement, and games of each engine in one. Games differ, some piles of cards make
    them much quicker than others, so it takes many."""

    rounds: int
    ours: int
    others: int
    dominion: int
    catan: int
    unused: int


FULL = Effort(rounds=15, ours=16, others=8, dominion=60, catan=10, unused=5000)
QUICK = Effort(rounds=1, ours=1, others=1, dominion=1, catan=1, unused=50)


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
    """All rows about playing. Every engine plays the same games in every round, and of each game the best time counts.

    Engines take turns, so that whatever else the machine does meets all of them.
    """
    unused = str(generate_unused(place / "unused", effort.unused))
    games = {"ours": effort.ours, "log": effort.ours, unused: effort.ours}
    games |= dict.fromkeys((*OTHERS, *EXAMPLES, *SMALL), effort.others)
    games |= dict.fromkeys(("pyminion", SAME_PILES), effort.dominion) if find_spec("pyminion") else {}
    games |= {"catanatron": effort.catan} if find_spec("catanatron") else {}
    with ExitStack() as stack:
        ask = {what: stack.enter_context(player(what)) for what in games}
        costs: dict[str, list[float]] = {what: [] for what in ("clone", "save", "early", "late")}
        best: dict[str, list[float]] = {}
        for number in range(effort.rounds):
            say(f"measuring: play, {number + 1} of {effort.rounds} ...")
            for what, count in games.items():
                found = ask[what]("rate", 0, count)
                best[what] = list(map(min, found["seconds"], best.get(what, found["seconds"])))
                costs[what] = [sum(best[what]) / sum(found["decisions"])]
            copying = ask["ours"]("copying", number, 1)
            by_round = ask["ours"]("rounds", 0, 3 * effort.ours)
            for what, cost in (*copying.items(), ("early", by_round.get("2")), ("late", by_round.get("9"))):
                costs[what] += [cost] if cost is not None else []
        sizes = {what: ask[what]("size", 1, 1)["bytes"] for what in ("ours", "catanatron") if what in games}
    cost = {what: min(found) for what, found in costs.items() if found}
    mean = cost["ours"]
    rows = [Row("play", "a decision of the base game for four", mean * 1e6, "us", note=f"{1 / mean:.0f} a second")]
    for what, least, goal in (("pyminion", 0.45, 1.0), ("catanatron", 2.0, 4.0)):
        rows.append(_peer(what, cost, least, goal) if what in games else Row("play", f"{what} is not installed", 0, ""))
    for what in (*OTHERS, *EXAMPLES, *SMALL):
        share, note, limit = mean / cost[what], f"{1 / cost[what]:.0f} a second", 1 / 3 if what in OTHERS else None
        rows.append(Row("play", f"decisions a second of {what} / of the base game", share, "x", limit, note, more=True))
    if SAME_PILES in cost:
        share = cost[SAME_PILES] / cost["dominion"]
        rows.append(Row("play", "decisions a second of dominion / pyminion's with the same piles", share, "x"))
    rows += [
        Row("play", "clone inside an effect / decision", cost["clone"] / mean, "x", 0.6),
        Row("play", "save and load as JSON / decision", cost["save"] / mean, "x", 12.0),
        Row("play", "with the log / without", cost["log"] / mean, "x", 1.2),
        Row("play", f"{effort.unused} unused cards / none", cost[unused] / mean, "x", 1.1),
    ]
    if "late" in cost:
        rows.append(Row("play", "a decision in round 9 / in round 2", cost["late"] / cost["early"], "x", 1.4))
    else:
        rows.append(Row("play", "no game had nine rounds", 0, ""))
    if "catanatron" in sizes:
        share = sizes["ours"] / sizes["catanatron"]
        note = f"{sizes['ours']:.0f} of {sizes['catanatron']:.0f} bytes"
        rows.append(Row("play", "memory of a clone / of catanatron's", share, "x", 0.4, note))
    return rows


def _peer(what: str, cost: dict[str, float], least: float, goal: float) -> Row:
    note = f"{1 / cost[what]:.0f} a second there; goal {goal}"
    return Row("play", f"decisions a second / {what}'s", cost[what] / cost["ours"], "x", least, note, more=True)
