"""Scenarios by native code: the halls they are played in get machines that were compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from dunerules.native_tables import native_machine
from dunerules.problems import CannotRunError
from dunerules.runtime.state import GameError
from dunerules.scenarios.prepared import prepare
from dunerules.scenarios.record import FaultError, Scenario
from dunerules.scenarios.stage import Book

__all__ = ["compile_halls"]


def compile_halls(book: Book, scenarios: Iterable[Scenario], tell: Callable[[str], None]) -> None:
    """Compile a hall for every table of some scenarios: with what all of them start, for that is made programs first.

    What cannot be compiled is told, and stays with Python. What is wrong with a scenario tells who plays it.
    """
    for scenario in scenarios:
        for lines in scenario.worlds or ((),):
            with suppress(FaultError, GameError, CannotRunError):
                prepare(replace(scenario, given=(*scenario.given, *lines)), book)
    for hall in book.halls.values():
        hall.game.machine = native_machine(hall.game.machine, "", tell)
