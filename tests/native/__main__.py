"""Compares the back ends for a long time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dunerules.native.compiler import FLAGS, SANITIZED, find_compiler
from tests.generator.run import commit

from .run import Piece, Progress, Telling, command, report_lines, run
from .twin import Tally
from .work import PACKS, SIMULATED, Seen, Table, batch, games, shares, simulated, tables

GENERATED = 0.4
"""How many of the games are generated effects and packs."""
SIMULATIONS = 40
"""Games of a file of `sim`."""
ROUND = 20
"""Generated packs that are begun together; only then it is asked whether there were enough games."""


def main(arguments: list[str] | None = None) -> int:
    """The result is 1 if the back ends differ."""
    given = _options(arguments)
    if given.sanitize:
        _preload()
    about = {"commit": commit(), "seed": given.seed, "games": given.games, "sanitized": given.sanitize}
    if given.only is not None:
        about["only"] = given.only
    progress = Progress.of(given.resume, about)
    telling, stopped = Telling(progress, given.games), False
    try:
        for piece, tally in run(_fixed(given), given.jobs, progress):
            telling.told(piece, tally)
        number = 0
        while given.only is None and progress.total("generated").games < GENERATED * given.games:
            some = [_generated(given, each) for each in range(number, number + ROUND)]
            for piece, tally in run(some, given.jobs, progress):
                telling.told(piece, tally)
            number += ROUND
    except KeyboardInterrupt:
        stopped = True
    print(*report_lines(progress), sep="\n")
    if stopped:
        print("stopped" + (f"; go on with --resume {given.resume}" if given.resume else ""), file=sys.stderr)
        return 130
    return 1 if progress.total().different else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.native", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games over everything (1000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other games (1)")
    parser.add_argument("--resume", type=Path, help="keep progress here, and go on with what is there")
    parser.add_argument("--sanitize", action="store_true", help="compile with AddressSanitizer and UBSan")
    parser.add_argument("--every", type=int, default=16, help="decisions between two states compared as JSON (16)")
    parser.add_argument("--only", help="only this piece of work, by its name: `all games` of a table, or `batch 7`")
    parser.add_argument("--first", type=int, help="with --only: the seed of the first game of the table")
    return parser.parse_args(arguments)


def _preload() -> None:
    """AddressSanitizer must be there before Python is: start anew with it."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    compiler = find_compiler()
    assert compiler is not None, "there is no C compiler here"
    found = subprocess.run([*compiler.command, "-print-file-name=libasan.so"], capture_output=True, check=True)
    told = {"LD_PRELOAD": found.stdout.decode().strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    os.execve(sys.executable, [sys.executable, "-m", "tests.native", *sys.argv[1:]], {**os.environ, **told})


def _fixed(given: argparse.Namespace) -> Iterator[Piece]:
    """Files of `sim`, and every table of all packs; or the one piece that is wanted."""
    if given.only is not None and given.only.startswith(_BATCH):
        yield _generated(given, int(given.only.removeprefix(_BATCH)))
        return
    every_table = [*tables(PACKS)]
    found = [_simulated(table) for table in SIMULATED if not given.sanitize]
    count = int((1 - GENERATED) * given.games)
    for table, share in shares(count, every_table).items():
        found.append(_games(given, table, given.games if given.only is not None else share))
    yield from (piece for piece in found if given.only in (None, piece.name))


def _games(given: argparse.Namespace, table: Table, count: int) -> Piece:
    first = given.seed * 1_000_000 if given.first is None else given.first
    flags = (*SANITIZED, "-O0") if given.sanitize else FLAGS

    def do(tally: Tally, seen: Seen) -> str:
        games(table, range(first, first + count), tally, flags, given.every, seen)
        return ""

    again = command(only=table.name, first="GAME", games=1) + (" --sanitize" if given.sanitize else "")
    return Piece(table.name, Path(table.pack).name, do, again)


_BATCH = "batch "


def _generated(given: argparse.Namespace, number: int) -> Piece:
    flags = (*(SANITIZED if given.sanitize else FLAGS), "-O0")
    name = f"{_BATCH}{number}"
    again = command(only=name, seed=given.seed) + (" --sanitize" if given.sanitize else "")
    return Piece(name, "generated", lambda tally, seen: batch(given.seed, number, tally, flags, seen=seen), again)


def _simulated(table: Table) -> Piece:
    def do(tally: Tally, seen: Seen) -> str:
        simulated(table, SIMULATIONS, tally)
        return ""

    name = f"sim of {table.name}"
    return Piece(name, "files of sim", do, command(only=name))


if __name__ == "__main__":
    sys.exit(main())
