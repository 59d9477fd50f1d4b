"""What native code makes of playing: beside Python and two engines written by hand, and what it takes to be ready."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.play import player
from benchmarks.player import SAME_PILES, WORDY, pack_named
from benchmarks.rows import Row
from dunerules.native.compiler import find_compiler

__all__ = ["NATIVE_FULL", "NATIVE_QUICK", "NativeEffort", "measure_native"]


@dataclass(frozen=True)
class NativeEffort:
    """How much to play: rounds, games of Python, calls of native code with many games each, games of the peers."""

    rounds: int
    python: int
    native: int
    dominion: int
    catan: int
    makes: int
    """How often it is compiled."""
    simulated: int
    """Games of `sim` by native code; Python plays a fiftieth of them."""
    simulations: int


NATIVE_FULL = NativeEffort(
    rounds=12, python=12, native=10, dominion=60, catan=10, makes=3, simulated=20_000, simulations=3
)
NATIVE_QUICK = NativeEffort(rounds=1, python=1, native=1, dominion=1, catan=1, makes=1, simulated=100, simulations=1)

TABLES = {
    "base 4": 40, "base 1": 25, "immortality 4": 25, "betrayal 4": 25, "conquest 4": 25,
    "dominion 2": None, "connect4 2": None, "tictactoe 2": None,
}  # fmt: skip
"""Games with their players, and how many times as fast native code must be as Python."""

FIRST = "base 4"
"""The table with limits of its own."""

PEERS: dict[tuple[str, str], int | None] = {
    ("base 4", WORDY): 15, ("base 4", "pyminion"): None, ("base 4", "catanatron"): 100, ("dominion 2", SAME_PILES): 30,
}  # fmt: skip
"""How many times as fast as somebody else. The limit beside pyminion is for its log switched off. Where it makes
no words for its log either, which takes a change of its code, it is faster still."""


def measure_native(effort: NativeEffort, say: Callable[[str], None]) -> list[Row]:
    """All rows about native code. Engines take turns, play the same games in every round, and of each game the best
    processor time counts. Only decisions with two answers or more do."""
    if find_compiler() is None:
        return [Row("native code", "there is no C compiler here", 0, "")]
    cost, clones = _costs(effort, say)
    rows = [*_speeds(cost), *_peers(cost)]
    for table in TABLES:
        found = clones[table]
        time_limit, size_limit = (0.2, 5.0) if table == FIRST else (None, None)
        rows.append(Row("native code", f"clone, {table}", found["clone"] * 1e6, "us", time_limit))
        note = f"mean {found['mean'] / 1000:.2f} kB"
        rows.append(Row("native code", f"bytes of a clone, {table}", found["most"] / 1000, "kB", size_limit, note))
    say("measuring: compiling ...")
    rows += _made(effort.makes)
    say("measuring: sim in two processes ...")
    return [*rows, *_simulated(effort)]


def _costs(effort: NativeEffort, say: Callable[[str], None]) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Seconds of a decision by engine, and what clones of a table are like."""
    games: dict[str, int] = {}
    for table in TABLES:
        games |= {f"state {table}": effort.python, f"native {table}": effort.native}
    games |= dict.fromkeys(("pyminion", WORDY, SAME_PILES), effort.dominion) if find_spec("pyminion") else {}
    games |= {"catanatron": effort.catan} if find_spec("catanatron") else {}
    with ExitStack() as stack:
        say("measuring: compiling all tables ...")
        ask = {what: stack.enter_context(player(what)) for what in games}
        for each in ask.values():
            each("rate", 0, 1)
        best: dict[str, list[float]] = {}
        cost: dict[str, float] = {}
        for number in range(effort.rounds):
            say(f"measuring: native code, {number + 1} of {effort.rounds} ...")
            for what, count in games.items():
                found = ask[what]("rate", 0, count)
                best[what] = list(map(min, found["seconds"], best.get(what, found["seconds"])))
                cost[what] = sum(best[what]) / sum(found["decisions"])
        return cost, {table: ask[f"native {table}"]("copying", 0, 5) for table in TABLES}


def _speeds(cost: dict[str, float]) -> Iterator[Row]:
    for table, least in TABLES.items():
        plain, fast = cost[f"state {table}"], cost[f"native {table}"]
        note = f"{1 / fast:,.0f} a second; Python {1 / plain:,.0f}"
        yield Row("native code", f"native code / Python, {table}", plain / fast, "x", least, note, more=True)
    yield Row("native code", f"decisions a second, {FIRST}", 1e-6 / cost[f"native {FIRST}"], "million", note="goal 3")


def _peers(cost: dict[str, float]) -> Iterator[Row]:
    for (table, peer), least in PEERS.items():
        if peer in cost:
            name, note = f"native code, {table} / {peer}", f"{1 / cost[peer]:,.0f} a second there"
            yield Row("native code", name, cost[peer] / cost[f"native {table}"], "x", least, note, more=True)
        else:
            yield Row("native code", f"{peer} is not installed", 0, "")


# ---- getting ready


def _made(times: int) -> Iterator[Row]:
    """The first compile, and a library that was compiled before, each in a new process."""
    made, spent, found = list[float](), list[float](), list[float]()
    for _ in range(times):
        with tempfile.TemporaryDirectory(prefix="dunerules-bench-") as name, _cache(name):
            for seconds in (made, found):
                with player(f"making {FIRST}") as ask:
                    answer = ask("ready", 0, 0)
                    seconds.append(answer["seconds"])
                    spent += [answer["processor"]] if seconds is made else []
    note = f"{min(spent):.1f} s of processor time"
    yield Row("native code", f"{FIRST}, printed and compiled", min(made), "s", 6, note)
    yield Row("native code", f"{FIRST}, compiled before", min(found) * 1000, "ms", 50)


@contextmanager
def _cache(directory: str) -> Iterator[None]:
    """Commands that are started keep their libraries here."""
    before = os.environ.get("DUNERULES_CACHE")
    os.environ["DUNERULES_CACHE"] = directory
    try:
        yield
    finally:
        if before is None:
            del os.environ["DUNERULES_CACHE"]
        else:
            os.environ["DUNERULES_CACHE"] = before


# ---- two processes


def _simulated(effort: NativeEffort) -> Iterator[Row]:
    """`sim --jobs 2` beside `--jobs 1`, whole commands by the clock, on all cores."""
    seconds: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="dunerules-bench-") as name, _cache(name), _all_cores():
        _dunerules("native", "--compile")
        for _ in range(effort.simulations):
            for backend, games in (("native", effort.simulated), ("python", max(2, effort.simulated // 50))):
                for jobs in (1, 2):
                    seconds.setdefault((backend, jobs), []).append(_sim(backend, games, jobs))
    cores = os.cpu_count() or 1
    for backend, least in (("native", 1.8), ("python", None)):
        one, two = (min(seconds[backend, jobs]) for jobs in (1, 2))
        note = f"{one:.1f} s and {two:.1f} s, {cores} cores"
        yield Row("native code", f"sim --jobs 2 / --jobs 1, {FIRST}, {backend}", one / two, "x", least, note, more=True)


@contextmanager
def _all_cores() -> Iterator[None]:
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _sim(backend: str, games: int, jobs: int) -> float:
    began = time.perf_counter()
    _dunerules("sim", games=games, backend=backend, jobs=jobs)
    return time.perf_counter() - began


def _dunerules(command: str, *flags: str, **given: object) -> None:
    game, players = FIRST.split(" ")
    said = {"game": pack_named(game), "players": players, **given}
    words = [command, *flags, *(f"--{name}={value}" for name, value in said.items())]
    home = Path(__file__).resolve().parent.parent
    compiled = {
        "PYTHONPYCACHEPREFIX": os.environ["DUNERULES_CACHE"],
        "PYTHONDONTWRITEBYTECODE": "",
    }  # as where installed
    subprocess.run(
        [sys.executable, "-m", "dunerules", *words],
        check=True,
        capture_output=True,
        cwd=home,
        env={**os.environ, **compiled},
    )
