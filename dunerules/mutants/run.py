"""Trying the mutants of a pack: each is checked, made into rules, and played by the scenarios that could notice."""

from __future__ import annotations

import gc
import random
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context

from dunerules.mutants.difference import Original
from dunerules.mutants.places import Mutant, mutants_of
from dunerules.mutants.reach import Reached, book_of, watched, without_reasons
from dunerules.mutants.rebuild import Workshop
from dunerules.packs.library import Selection
from dunerules.problems import CannotRunError
from dunerules.scenarios.record import Scenario, ScenarioFile
from dunerules.scenarios.run import play

__all__ = ["KILLED", "REFUSED", "SAME", "SURVIVED", "Trials", "Tried", "chosen", "tried"]

KILLED, SURVIVED, REFUSED, SAME = "killed", "survived", "refused", "same"


@dataclass(frozen=True)
class Tried:
    """What became of a mutant: noticed (by which scenario), not noticed, refused by the checker, or the same rules."""

    result: str
    by: str = ""
    reached: int = 0
    """How many scenarios could have noticed."""


def chosen(mutants: list[Mutant], most: int, seed: int) -> list[Mutant]:
    """At most so many of some mutants, drawn by a seed, in their order."""
    if not most or most >= len(mutants):
        return mutants
    numbers = sorted(random.Random(seed).sample(range(len(mutants)), most))
    return [mutants[number] for number in numbers]


class Trials:
    """A pack with its scenarios, and its mutants to try."""

    def __init__(self, selection: Selection, files: list[ScenarioFile]) -> None:
        self.workshop = Workshop(selection)
        self.original = Original(self.workshop.original.rules)
        self.mutants = mutants_of(self.workshop.pack, self.workshop.words)
        self.reached: list[Reached] = []
        for file in files:
            starts = [each.key.start for each in file.scenarios]
            for scenario, end in zip(file.scenarios, [*starts[1:], sys.maxsize], strict=False):
                self.reached.append(self._watch(scenario, end))

    def _watch(self, scenario: Scenario, end: int) -> Reached:
        scenario = replace(scenario, steps=tuple(map(without_reasons, scenario.steps)))
        outcome, reached = watched(scenario, self.workshop.original, end)
        if not outcome.passed:
            fault = outcome.faults[0]
            raise CannotRunError(f"`{scenario.name}` ({scenario.span}) fails without any change: {fault}")
        return reached

    def try_one(self, mutant: Mutant) -> Tried:
        """What becomes of a mutant."""
        made = self.workshop.make(mutant)
        if made is None:
            return Tried(REFUSED)
        affected = self.original.difference(made.rules)
        if not affected:
            return Tried(SAME)
        fitting = [each for each in self.reached if each.notices(affected)]
        fitting.sort(key=lambda each: (mutant.within not in each.own, len(each.programs)))
        book = book_of(made)
        for each in fitting:
            if not play(each.scenario, book).passed:
                return Tried(KILLED, each.scenario.name, len(fitting))
        return Tried(SURVIVED, "", len(fitting))


# ---- in one process or several


_trials: list[tuple[Trials, list[Mutant]]] = []
"""What a process works on; those that are started inherit it."""

_COLLECTED = 20
"""Mutants after which garbage is looked for: it is not worth it in between."""


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the program around does with it, helpers must end by it
    gc.freeze()
    gc.disable()


def _try_number(number: int) -> Tried:
    trials, mutants = _trials[0]
    if number % _COLLECTED == 0:
        gc.collect()
    return trials.try_one(mutants[number])


def tried(trials: Trials, mutants: list[Mutant], jobs: int = 1, start: int = 0) -> Iterator[Tried]:
    """What becomes of mutants, in order, from number `start` on."""
    numbers = range(start, len(mutants))
    _trials[:] = [(trials, mutants)]
    try:
        if jobs <= 1 or sys.platform != "linux":
            yield from map(_try_number, numbers)
            return
        with get_context("fork").Pool(jobs, _prepare) as pool:
            yield from pool.imap(_try_number, numbers)
    finally:
        _trials.clear()
