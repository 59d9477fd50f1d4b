"""The long command: pieces of work over some processes, with progress that can be gone on with.

Every piece is a process of its own. One that dies, of a sanitizer's finding or worse, or does not end, is told as a
difference, with the game it was at.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shlex
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from .twin import DifferenceError, Tally
from .work import Seen

__all__ = ["Piece", "Progress", "report_lines", "run"]

LONGEST = 1800.0
"""Seconds of a piece of work."""
EVERY = 15.0
"""Seconds between lines of progress."""

_SPAWN = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Piece:
    """A piece of work: its name, what it belongs to in the report, what is done, and how to do it again."""

    name: str
    group: str
    do: Callable[[Tally, Seen], str]
    """Gives why nothing could be compared, or nothing."""
    again: str
    """`GAME` stands for the game that went wrong."""

    def difference(self, what: str, game: int) -> str:
        """How a difference is told."""
        return f"{what}\n  again: {self.again.replace('GAME', str(game))}"


@dataclass
class Progress:
    """What came of the pieces that are done, kept in a file that belongs to one run."""

    path: Path | None
    about: dict[str, Any]
    done: dict[str, tuple[str, Tally]] = field(default_factory=dict)
    """By piece: its group, and what was compared."""
    refused: dict[str, str] = field(default_factory=dict)
    """By piece: why nothing was compared."""
    seconds: float = 0.0

    @classmethod
    def of(cls, path: Path | None, about: dict[str, Any]) -> Progress:
        """Go on with a file, if there is one; one of another run is not mixed with this one."""
        found = cls(path, about)
        if path is None or not path.exists():
            return found
        data = json.loads(path.read_text("utf-8"))
        for name, value in about.items():
            if data.get("about", {}).get(name) != value:
                told = data.get("about", {}).get(name)
                raise SystemExit(f"{path} belongs to another run: {name} {told}, not {value}. Begin another file")
        found.seconds, found.refused = data["seconds"], data["refused"]
        for name, (group, tally) in data["done"].items():
            found.done[name] = group, Tally(**{**tally, "given_up": Counter(tally["given_up"])})
        return found

    def write(self) -> None:
        """Replace the file as a whole."""
        if self.path is not None:
            done = {name: (group, vars(tally)) for name, (group, tally) in self.done.items()}
            data = {"about": self.about, "seconds": self.seconds, "refused": self.refused, "done": done}
            beside = self.path.with_name(f"{self.path.name}.new")
            beside.write_text(json.dumps(data), "utf-8")
            os.replace(beside, self.path)

    def total(self, group: str | None = None) -> Tally:
        """All that was compared, or all of a group."""
        total = Tally()
        for each, tally in self.done.values():
            if group in (None, each):
                total.add(tally)
        return total


@dataclass
class _Running:
    """A piece of work in its process."""

    piece: Piece
    process: BaseProcess
    pipe: Connection
    at: Any
    """Shared with it: the game it is at."""
    since: float

    def ended(self) -> tuple[Tally, str]:
        """What it says, or that it died."""
        try:
            tally, refused = self.pipe.recv()
        except EOFError:
            self.process.join()
            tally, refused = self._lost(f"the process ended with {self.process.exitcode}"), ""
        self.process.join()
        return tally, refused

    def killed(self) -> tuple[Tally, str]:
        """It took too long."""
        self.process.kill()
        self.process.join()
        return self._lost(f"it took more than {LONGEST:.0f} s"), ""

    def _lost(self, why: str) -> Tally:
        return Tally(different=[self.piece.difference(f"{self.piece.name}: {why}", self.at.value)])


def _child(piece: Piece, pipe: Connection, at: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def seen(game: int) -> None:
        at.value = game

    tally, refused = Tally(), ""
    try:
        refused = piece.do(tally, seen)
    except DifferenceError as error:
        tally.different.append(piece.difference(str(error), at.value))
    except Exception:
        tally.different.append(piece.difference(f"{piece.name}: {traceback.format_exc()}", at.value))
    pipe.send((tally, refused))


def _started(piece: Piece) -> _Running:
    ours, theirs = _SPAWN.Pipe(duplex=False)
    at = _SPAWN.Value("q", -1)
    process = _SPAWN.Process(target=_child, args=(piece, theirs, at))
    process.start()
    theirs.close()
    return _Running(piece, process, ours, at, time.monotonic())


def run(pieces: Iterable[Piece], jobs: int, progress: Progress) -> Iterator[tuple[Piece, Tally]]:
    """All pieces that are not done yet, each in its own process, so many at once; in the order in which they end."""
    left = (piece for piece in pieces if piece.name not in progress.done)
    running: list[_Running] = []
    last = time.monotonic()
    try:
        while True:
            while len(running) < jobs and (piece := next(left, None)) is not None:
                running.append(_started(piece))
            if not running:
                return
            ready = wait([each.pipe for each in running], 1.0)
            now = time.monotonic()
            progress.seconds, last = progress.seconds + now - last, now
            over = [each for each in running if each.pipe in ready or now - each.since > LONGEST]
            for each in over:
                running.remove(each)
                tally, refused = each.ended() if each.pipe in ready else each.killed()
                each.pipe.close()
                progress.done[each.piece.name] = each.piece.group, tally
                if refused:
                    progress.refused[each.piece.name] = refused
                yield each.piece, tally
            if over:
                progress.write()
    finally:
        for each in running:
            each.process.kill()
            each.process.join()


class Telling:
    """Lines of progress, and every difference at once."""

    def __init__(self, progress: Progress, wanted: int) -> None:
        self.progress, self.wanted, self.last = progress, wanted, 0.0

    def told(self, piece: Piece, tally: Tally) -> None:
        """Tell of a piece that is done."""
        for each in tally.different:
            print(f"DIFFERENT {each}", flush=True)
        if time.monotonic() - self.last > EVERY:
            self.last, total = time.monotonic(), self.progress.total()
            print(
                f"{total.games:,}/{self.wanted:,} games, {total.decisions:,} decisions, "
                f"{len(total.different)} differences, {self.progress.seconds:.0f} s; {piece.name}",
                file=sys.stderr,
                flush=True,
            )


def report_lines(progress: Progress) -> Iterator[str]:
    """What was compared, by pack, and all differences."""
    yield ", ".join(f"{name} {value}" for name, value in progress.about.items()) + f", {progress.seconds:.0f} s"
    groups: dict[str, list[Tally]] = {}
    for group, tally in progress.done.values():
        groups.setdefault(group, []).append(tally)
    for group, rows in sorted(groups.items()):
        counts = [tally.games for tally in rows]
        yield f"{group}: {len(rows)} x {min(counts)} to {max(counts)} games; {_counted(progress.total(group))}"
    yield f"all: {_counted(progress.total())}"
    for why, count in Counter(progress.refused.values()).most_common():
        yield f"nothing to compare in {count}: {why}"
    different = progress.total().different
    yield f"{len(different)} differences"
    yield from different


def _counted(tally: Tally) -> str:
    given_up = ", ".join(f"{count} {why}" for why, count in tally.given_up.most_common()) or "none"
    return (
        f"{tally.games:,} games, {tally.decisions:,} decisions, {tally.states:,} states compared "
        f"({tally.whole:,} as JSON), {tally.damaged:,} damaged, {tally.worlds:,} worlds, {tally.playouts:,} playouts; "
        f"given up by native code: {given_up}"
    )


def command(**given: Any) -> str:
    """How to do something again."""
    said = (f"--{name} {shlex.quote(str(value))}" for name, value in given.items())
    return f"python -m tests.native {' '.join(said)}"
