"""Compares the back ends for a long time."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from dunerules.native.compiler import find_compiler

from .twin import DifferenceError, Tally
from .work import PACKS, batch, games, tables


def _preload() -> None:
    """AddressSanitizer must be there before Python is: start anew with it."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    compiler = find_compiler()
    assert compiler is not None, "there is no C compiler here"
    found = subprocess.run([*compiler.command, "-print-file-name=libasan.so"], capture_output=True, check=True)
    told = {"LD_PRELOAD": found.stdout.decode().strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    os.execve(sys.executable, [sys.executable, "-m", "tests.native", *sys.argv[1:]], {**os.environ, **told})


def main(arguments: list[str] | None = None) -> int:
    """The result is 1 if the back ends differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.native")
    parser.add_argument("--games", type=int, default=0, help="games over all tables")
    parser.add_argument("--batches", type=int, default=0, help="batches of generated packs")
    parser.add_argument("--packs", nargs="*", default=PACKS, help="the packs to play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="decisions between two comparisons")
    parser.add_argument("--sanitize", action="store_true", help="compile with AddressSanitizer and UBSan")
    parser.add_argument("--resume", type=Path, help="a file to go on from")
    given = parser.parse_args(arguments)
    if given.sanitize:
        _preload()
    done = json.loads(given.resume.read_text()) if given.resume is not None and given.resume.exists() else {}
    tally, refused, wrong, begun = Tally(), Counter[str](), 0, time.monotonic()
    every_table = [*tables(tuple(given.packs))] if given.games else []
    each = -(-given.games // len(every_table)) if every_table else 0
    works: list[tuple[str, Any]] = [(f"{table.name} x{each}", table) for table in every_table]
    works += [(f"batch {number}", number) for number in range(given.batches)]
    for name, work in works:
        if name in done:
            continue
        before = tally.decisions
        try:
            if isinstance(work, int):
                reason = batch(given.seed, work, tally, sanitized=given.sanitize)
                refused.update([reason] if reason else [])
            else:
                seeds = range(given.seed * 1_000_000, given.seed * 1_000_000 + each)
                games(work, seeds, tally, sanitized=given.sanitize, every=given.every)
        except DifferenceError as error:
            wrong += 1
            print(f"DIFFERENT {error}", flush=True)
            continue
        done[name] = tally.decisions - before
        print(f"{name}: {tally.decisions - before:,} decisions alike", flush=True)
        if given.resume is not None:
            given.resume.write_text(json.dumps(done))
    print(
        f"{tally.games:,} games, {tally.decisions:,} decisions, {tally.states:,} states compared, "
        f"{wrong} differences, {time.monotonic() - begun:.0f} s; given up {dict(tally.given_up)}; "
        f"not printed {dict(refused)}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
