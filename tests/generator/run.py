"""The long command: batches over some processes, with progress that can be gone on with."""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from multiprocessing.pool import AsyncResult, Pool
from pathlib import Path
from typing import Any, TypeAlias

from .batch import Batch, Found, play_effects, play_packs
from .minimise import TRIES, minimised
from .play import Case, Failure
from .report import Total, faults, report_lines

__all__ = ["main", "run", "smaller"]

Work: TypeAlias = tuple[str, int, int]
EVERY = 15.0
"""Seconds between lines of progress."""
ROUND = 10
"""Batches that are begun together; only then it is asked whether there were enough effects."""
TASKS = 20
"""Batches of one process: what they leave in memory makes looking for garbage slower and slower."""


def _work(work: Work) -> tuple[str, Batch]:
    what, seed, number = work
    with _uncollected():
        return what, (play_effects if what == "effects" else play_packs)(seed, number)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Batches make much that stays until they end: garbage is looked for between them, and seldom meanwhile."""
    before = gc.get_threshold()
    gc.set_threshold(1_000_000, 1000, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.collect()


def run(seed: int, effects: int, packs: int, total: Total, jobs: int = 1) -> Iterator[tuple[str, Batch]]:
    """All that is not done yet, in order. What is yielded is counted into the total before the next one."""
    with _pool(jobs) as pool:
        if pool is None:
            while total.counts["effects"] < effects:
                yield from map(_work, [("effects", seed, number) for number in _round(total.done["effects"])])
        else:
            yield from _ahead(pool, seed, effects, total, jobs)
        do = pool.imap if pool is not None else map
        yield from do(_work, [("packs", seed, number) for number in range(total.done["packs"], packs)])


def _round(first: int) -> range:
    """The batches from one on that are begun together."""
    return range(first, first - first % ROUND + ROUND)


def _ahead(pool: Pool, seed: int, effects: int, total: Total, jobs: int) -> Iterator[tuple[str, Batch]]:
    """The same batches of effects; while the last ones of a round are played, the next round is begun if it is likely
    to be needed. What was begun in vain is not counted."""
    begun: deque[AsyncResult[tuple[str, Batch]]] = deque()
    number = total.done["effects"]
    while total.counts["effects"] < effects:
        for each in _round(total.done["effects"]):
            while number < _round(each).stop or (len(begun) <= jobs and _likely(number, effects, total)):
                begun.append(pool.apply_async(_work, (("effects", seed, number),)))
                number += 1
            yield begun.popleft().get()


def _likely(number: int, effects: int, total: Total) -> bool:
    """Whether a batch will be needed, by how many effects there were in one so far."""
    done = total.done["effects"]
    return done > 0 and total.counts["effects"] / done * (number - number % ROUND) < effects


def smaller(failures: list[Found], tries: int, jobs: int) -> Iterator[tuple[str, Case, Failure]]:
    """Every failure with a smaller case that shows it."""
    with _pool(jobs) as pool:
        yield from (pool.imap if pool is not None else map)(_small, [(found, tries) for found in failures])


def _small(work: tuple[Found, int]) -> tuple[str, Case, Failure]:
    found, tries = work
    return found.failure.signature, *minimised(found.case, found.failure, tries)


def _pool(jobs: int) -> AbstractContextManager[Pool | None]:
    fork = multiprocessing.get_context("fork")
    return fork.Pool(jobs, _quiet, maxtasksperchild=TASKS) if jobs > 1 else nullcontext()


def _quiet() -> None:
    gc.freeze()  # what is imported is there for good
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the program around does with it, helpers must end by it


def main(arguments: list[str] | None = None) -> int:
    """Run; the result is 1 if something failed."""
    options = _options(arguments)
    about = {"seed": options.seed, "commit": commit()}
    total = Total(_read(options.resume, about))
    begun, last = time.monotonic(), 0.0
    spent = float(total.counts["seconds"])
    stopped, new = False, list[Found]()
    try:
        for what, batch in run(options.seed, options.effects, options.packs, total, options.jobs):
            new += total.add(what, batch)
            total.counts["seconds"] = int(spent + time.monotonic() - begun)
            _write(options.resume, {**about, **total.data()})
            if time.monotonic() - last > EVERY:
                last = time.monotonic()
                _progress(total, options)
        for signature, case, failure in smaller(new, options.minimise, options.jobs) if options.minimise else ():
            print(f"made smaller: {signature}", file=sys.stderr, flush=True)
            total.show(signature, case, failure)
            _write(options.resume, {**about, **total.data()})
    except KeyboardInterrupt:
        stopped = True
    seconds = spent + time.monotonic() - begun
    print("\n".join(report_lines(total, commit=about["commit"], seed=options.seed, seconds=seconds)))
    if stopped:
        print("stopped" + (f"; go on with --resume {options.resume}" if options.resume else ""), file=sys.stderr)
        return 130
    return 1 if faults(total) else 0


def commit() -> str:
    """What is being tested."""
    here = Path(__file__).parent
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=here, capture_output=True, text=True, check=False
    )
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=here, capture_output=True, text=True, check=False)
    return (found.stdout.strip() or "unknown") + (" (changed)" if changed.stdout.strip() else "")


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.generator", description="Generate packs, and see that all is well."
    )
    parser.add_argument("--effects", type=int, default=2000, help="effects (2000)")
    parser.add_argument("--packs", type=int, default=20, help="whole packs (20)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other cases (1)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--resume", type=Path, help="keep progress here, and go on with what is there")
    parser.add_argument(
        "--minimise", type=int, default=TRIES, help=f"smaller cases that are tried for a failure ({TRIES}); 0 for none"
    )
    return parser.parse_args(arguments)


def _read(path: Path | None, about: dict[str, Any]) -> dict[str, Any] | None:
    """Progress of the same run; another one is not mixed with it."""
    if path is None or not path.exists():
        return None
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for name, value in about.items():
        if data[name] != value:
            raise SystemExit(f"{path} is about {name} {data[name]}, not {value}: begin another file")
    return data


def _write(path: Path | None, data: dict[str, Any]) -> None:
    if path is not None:
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(json.dumps(data), "utf-8")
        os.replace(beside, path)


def _progress(total: Total, options: argparse.Namespace) -> None:
    print(
        f"{total.counts['effects']}/{options.effects} effects, {total.done['packs']}/{options.packs} packs, "
        f"{total.counts['games']} games, {total.counts['decisions']} decisions, "
        f"{len(total.failures)} causes of failure, {total.counts['seconds']} s",
        file=sys.stderr,
        flush=True,
    )
