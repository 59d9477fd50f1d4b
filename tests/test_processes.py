"""Work that several processes share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice

import pytest

from dunerules.problems import CannotRunError
from dunerules.processes import shared_out

from .support import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs what is inherited")

_base: list[int] = []
"""What a process was prepared with."""


def prepare(*given: int) -> None:
    _base.extend(given)


def added(number: int) -> int:
    if number % 3 == 0:
        time.sleep(0.01)  # others come first
    return sum(_base) + number


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def deadly(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("parts", [0, 1, 4, 40])
def test_results_come_in_order(jobs: int, parts: int) -> None:
    assert [*shared_out(added, range(parts), jobs, prepare, 100, 20)] == [120 + number for number in range(parts)]
    assert _base == []


def test_parts_are_asked_for_as_they_are_worked_on() -> None:
    asked: list[int] = []

    def parts() -> Iterator[int]:
        for number in count():
            asked.append(number)
            yield number

    results = shared_out(added, parts(), 2, prepare)
    assert [*islice(results, 10)] == [*range(10)]
    results.close()  # type: ignore[attr-defined]
    assert len(asked) < 30


def test_what_goes_wrong_is_raised_at_its_turn_and_says_where() -> None:
    results = shared_out(failing, range(10), 2, prepare)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three") as found:
        next(results)
    assert "in failing" in "".join(found.value.__notes__)


def test_a_process_that_is_ended_is_told() -> None:
    with pytest.raises(CannotRunError, match="ended from outside"):
        [*shared_out(deadly, range(10), 2, prepare)]


def test_nobody_works_on_without_a_parent() -> None:
    script = (
        "import os, time\n"
        "from dunerules.processes import shared_out\n"
        "def pid(_): time.sleep(0.01); return os.getpid()\n"
        "found = shared_out(pid, range(1000000), 2, lambda: None)\n"
        "print(*{next(found) for _ in range(20)}, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=60)
    helpers = [int(each) for each in done.stdout.split()]
    assert helpers
    deadline = time.monotonic() + 30
    while any(map(_alive, helpers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_alive, helpers))


def _alive(process: int) -> bool:
    """Whether a process is there and no mere entry in the table of processes."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
