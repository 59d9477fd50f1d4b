"""Scenarios: every shipped one is a test, and the framework says clearly what is wrong with a failing one."""

from __future__ import annotations

from functools import cache

import pytest

from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.record import Scenario, ScenarioFile, read_scenarios
from dunerules.scenarios.report import shown_failure, shown_problem
from dunerules.scenarios.run import play
from dunerules.scenarios.stage import Book, load_book

from .support import CONTENT


@cache
def book(packs: tuple[str, ...]) -> Book:
    return load_book(packs)


FILES = [read_scenarios(path) for path in find_scenario_files([CONTENT])]
SHIPPED = [
    pytest.param(file, scenario, id=f"{file.path.stem}: {scenario.name}")
    for file in FILES
    for scenario in file.scenarios
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_a_shipped_file_is_well_formed(file: ScenarioFile) -> None:
    assert not file.problems, "\n".join(map(shown_problem, file.problems))


@pytest.mark.parametrize(("file", "scenario"), SHIPPED)
def test_a_shipped_scenario_passes(file: ScenarioFile, scenario: Scenario) -> None:
    outcome = play(scenario, book(file.packs))
    assert outcome.passed, shown_failure(outcome)
