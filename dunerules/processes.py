"""Work that several processes share: each part by whoever is free, what comes of it in order."""

from __future__ import annotations

import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from dunerules.problems import CannotRunError

__all__ = ["shared_out"]

Part = TypeVar("Part")
Made = TypeVar("Made")

_AHEAD = 2
"""Parts that a process is given at once: it need not wait for the next."""


def shared_out(
    work: Callable[[Part], Made], parts: Iterable[Part], jobs: int, prepare: Callable[..., None], *given: object
) -> Iterator[Made]:
    """What some work makes of parts, in their order. Each process calls `prepare` with what is given before it works.

    Nothing waits but for a result, and no more is asked of parts than is worked on. What goes wrong in a process goes
    on here, at its turn. When this ends in whatever way, so do the processes; and when nobody is there any more to take
    their results."""
    helpers: dict[Connection, BaseProcess] = {}
    left, made, open_parts = enumerate(parts), dict[int, Made | Exception](), 0

    def give(helper: Connection) -> None:
        nonlocal open_parts
        for each in islice(left, 1):
            with _there():
                helper.send(each)
            open_parts += 1

    try:
        for _ in range(jobs):
            helper, process = _started(helpers, work, prepare, given)
            helpers[helper] = process
        for helper in [*helpers] * _AHEAD:
            give(helper)
        for turn in count():
            while turn not in made:
                if not open_parts:
                    return
                ready = wait(helpers)
                for helper in (each for each in helpers if each in ready):
                    with _there():
                        number, found = helper.recv()
                    made[number] = found
                    open_parts -= 1
                    give(helper)
            result = made.pop(turn)
            if isinstance(result, Exception):
                raise result
            yield result
    finally:
        for process in helpers.values():
            process.terminate()
        for helper, process in helpers.items():
            process.join()
            helper.close()


def _started(
    others: Iterable[Connection], work: Callable[[Any], Any], prepare: Callable[..., None], given: tuple[object, ...]
) -> tuple[Connection, BaseProcess]:
    """A new process, and the way to it."""
    fork = sys.platform == "linux"
    context = get_context("fork") if fork else get_context("spawn")
    here, there = context.Pipe()
    inherited = [here, *others] if fork else []
    process = context.Process(target=_help, args=(there, inherited, work, prepare, given), daemon=True)
    process.start()
    there.close()
    return here, process


@contextmanager
def _there() -> Iterator[None]:
    """While a process is spoken with: it may have gone."""
    try:
        yield
    except (EOFError, OSError):
        raise CannotRunError("a process that helps was ended from outside") from None


def _help(
    there: Connection,
    inherited: Iterable[Connection],
    work: Callable[[Any], Any],
    prepare: Callable[..., None],
    given: tuple[object, ...],
) -> None:
    """A new process: it leaves Ctrl-C to its parent, and works until that has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the program around does with it, helpers must end by it
    for each in inherited:  # else nobody would notice that the parent has gone
        each.close()
    prepare(*given)
    try:
        while True:
            number, part = there.recv()
            there.send((number, _tried(work, part)))
    except (EOFError, OSError):
        return


def _tried(work: Callable[[Any], Any], part: object) -> Any:
    try:
        return work(part)
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)).rstrip())
        return error
