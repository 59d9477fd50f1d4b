"""`python -m benchmarks`: one table. It is a report, not a test: the exit code is always 0."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.measure import measure, stay_on_one_core
from benchmarks.native import NATIVE_FULL, NATIVE_QUICK, measure_native
from benchmarks.play import FULL, QUICK, measure_play
from benchmarks.rows import Row
from benchmarks.server import measure_server
from dunerules.native.compiler import find_compiler
from tests.generator.run import commit

__all__ = ["main", "markdown", "table"]


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", choices=("packs", "server", "play", "native"), help="only this part")
    parser.add_argument("--cards", type=int, default=5000, help="cards in the large pack (5000)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each kind; the best counts (3)")
    parser.add_argument("--quick", action="store_true", help="500 cards, once: only to see that it works")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args(arguments)
    cards, rounds = (500, 1) if options.quick else (options.cards, options.rounds)
    stay_on_one_core()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="dunerules-bench-") as name:
        place = Path(name).resolve()
        if options.only in (None, "packs"):
            rows += measure(place, cards, rounds, _say)
        if options.only in (None, "server"):
            rows += measure_server(place, cards, 12 if options.quick else 60, _say)
        if options.only in (None, "play"):
            rows += measure_play(place, QUICK if options.quick else FULL, _say)
        if options.only in (None, "native"):
            rows += measure_native(NATIVE_QUICK if options.quick else NATIVE_FULL, _say)
    if options.json:
        print(json.dumps([{**asdict(row), "verdict": row.verdict} for row in rows], indent=2))
    elif options.only == "native":
        print(markdown(rows))
        print(f"\n{_where()}")
    else:
        print(table(rows))
        print(f"\n{_where()}")
    return 0


def _where() -> str:
    """What was measured, and on what kind of machine."""
    found, compiler = platform, find_compiler()
    said = [
        f"commit {commit()}", f"Python {found.python_version()}", compiler.version if compiler is not None else "no C",
        f"{found.machine()}, {found.system()}, {os.cpu_count()} cores",
    ]  # fmt: skip
    return ", ".join(said)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def table(rows: list[Row]) -> str:
    """The rows by group, each with its limit and verdict."""
    width = max(len(row.name) for row in rows) + 2
    lines = []
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append(f"\n{group:{width}} {'measured':>14} {'limit':>8}")
        limit = f"{row.limit:.3g}" if row.limit is not None else ""
        lines.append(
            f"  {row.name:{width - 2}} {_number(row):>8} {row.unit:<9} {limit:>4}  {row.verdict:<5} {row.note}".rstrip()
        )
    return "\n".join(lines)


def markdown(rows: list[Row]) -> str:
    """The rows as they stand in docs."""
    lines = ["| | measured | limit | |", "|---|---:|---:|---|"]
    for row in rows:
        least = "at least " if row.more else ""
        limit = f"{least}{row.limit:g}" if row.limit is not None else ""
        name = f"{row.name} ({row.note})" if row.note else row.name
        lines.append(f"| {name} | {_number(row)} {row.unit}".rstrip() + f" | {limit} | {row.verdict} |")
    return "\n".join(lines)


def _number(row: Row) -> str:
    return f"{row.measured:.0f}" if row.measured >= 100 or row.unit == "" else f"{row.measured:.2f}"


if __name__ == "__main__":
    sys.exit(main())
