"""How soon the language server answers while somebody types in a large pack.

Limits are for what one waits, on a machine that does nothing else. Beside other work one waits longer; so the processor
time that the server itself has used meanwhile stands beside it.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.generate import generate
from benchmarks.rows import Row
from dunerules.resources import content_directory
from tests.lsp import Client, uri

__all__ = ["measure_server"]

GROUP = "server"
_PAUSE = 0.25
"""Seconds between two keys of somebody who types."""


@dataclass(frozen=True, order=True)
class Took:
    """Seconds that one has waited, and seconds of the processor that the server has used meanwhile."""

    waited: float
    used: float


class Clock:
    """Starts when it is made."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.started, self.used = time.perf_counter(), _used(process)

    def took(self) -> Took:
        return Took(time.perf_counter() - self.started, _used(self.process) - self.used)


def _used(process: int) -> float:
    """Seconds of the processor that all threads of a process have used; 0 where the system does not tell."""
    total = 0
    for task in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            total += int(task.read_text().split()[0])
    return total / 1e9


def _rows(name: str, took: list[Took], part: float, limit: float) -> Iterator[Row]:
    """What was waited at some place of all that were measured in order, with the processor time in the middle."""
    waited = sorted(each.waited for each in took)
    used = statistics.median(each.used for each in took)
    value = waited[min(len(waited) - 1, int(len(waited) * part))]
    yield Row(GROUP, name, value * 1000, "ms", limit, f"processor time, median: {used * 1000:.0f} ms")


def measure_server(place: Path, cards: int, edits: int, say: Callable[[str], None]) -> list[Row]:
    """All rows about the server."""
    say("measuring: the language server ...")
    root = generate(place / "served" / "large", cards).root
    base = _base(place / "served" / "base")
    client = Client(root.parent)
    try:
        started = time.perf_counter()
        client.start(root.parent)
        path = sorted(root.glob("cards/*.yaml"))[3 % len(list(root.glob("cards/*.yaml")))]
        client.open(path)
        client.findings(path, lambda _: True)
        ready = time.perf_counter() - started
        _quiet(client)
        typed = list(_typed(client, path, edits))
        completed = list(_completed(client, path, edits))
        own, rest = _word(client, base / "verbs.yaml", root, max(3, edits // 10))
        memory = _memory(client.process.pid)
    finally:
        client.process.kill()
    size = f"{cards} cards, a file of {path.stat().st_size // 1000} KB; load of the machine {os.getloadavg()[0]:.1f}"
    return [
        Row(GROUP, "from the start to the first findings", ready * 1000, "ms", None, size),
        *_rows("an edit in a card, median", typed, 0.5, 100),
        *_rows("an edit in a card, 95th of 100", typed, 0.95, 250),
        *_rows("completion, median", completed, 0.5, 50),
        *_rows("a word used everywhere, its own file, median", own, 0.5, 100),
        *_rows("a word used everywhere, the rest, median", rest, 0.5, 2000),
        Row(GROUP, "memory, at most", memory, "MB", 300),
    ]


def _base(root: Path) -> Path:
    """A copy of the shipped base pack beside the large one, so that its words can be edited."""
    for source in (content_directory() / "base").rglob("*.yaml"):
        relative = source.relative_to(content_directory() / "base")
        if "scenarios" not in relative.parts:
            target = root / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    return root


def _quiet(client: Client) -> None:
    """Wait until the first check of everything is over."""
    time.sleep(1)
    client.request("workspace/symbol", {"query": "zzz"})


def _told(client: Client, path: Path, version: int) -> None:
    address = uri(path)

    def fits(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and params["uri"] == address
            and params.get("version") == version
        )

    client.wait(fits)


def _typed(client: Client, path: Path, edits: int) -> Iterator[Took]:
    """Letters typed behind an effect, one after the other, and taken away again."""
    lines = client.texts[uri(path)].split("\n")
    number = next(i for i, line in enumerate(lines) if i > len(lines) // 2 and "reveal: gain" in line)
    column = len(lines[number])
    for count in range(edits):
        at = column + count % 6
        here, behind = {"line": number, "character": at}, {"line": number, "character": column + 6}
        last = count % 6 == 5
        start = {"line": number, "character": column} if last else here
        text = "" if last else ", draw 1"[count % 6]
        change = {"range": {"start": start, "end": behind if last else here}, "text": text}
        clock = Clock(client.process.pid)
        client.changes(path, [change])
        _told(client, path, client.versions[uri(path)])
        yield clock.took()
        time.sleep(_PAUSE)


def _completed(client: Client, path: Path, edits: int) -> Iterator[Took]:
    position = client.find(path, "reveal: gain 1 ", len("reveal: gain 1 "))
    for _ in range(edits):
        clock = Clock(client.process.pid)
        client.request("textDocument/completion", position)
        yield clock.took()
        time.sleep(_PAUSE / 5)


def _word(client: Client, path: Path, root: Path, edits: int) -> tuple[list[Took], list[Took]]:
    """A verb loses its name, which makes all files wrong that use it, and gets it again."""
    text = client.open(path)
    _told(client, path, 1)
    time.sleep(1)
    verb = "  recruit:"
    other = next(each for each in sorted(root.glob("cards/*.yaml")) if b"recruit" in each.read_bytes())
    own, rest = [], []
    for count in range(edits):
        wrong = count % 2 == 0
        clock = Clock(client.process.pid)
        new = text.replace(verb, "  recruits:") if wrong else text
        client.change(path, f"{new}# {count}\n")  # a text that nobody has seen before
        _told(client, path, client.versions[uri(path)])
        own.append(clock.took())
        client.findings(other, lambda found, wrong=wrong: bool(found) == wrong)  # type: ignore[misc]
        rest.append(clock.took())
        time.sleep(1)
    return own, rest


def _memory(process: int) -> float:
    """The most that the server has held so far, in megabytes; nothing where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    if not os.path.exists(status):
        return 0.0
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) / 1024
