"""The games in examples/: clean, tested by their scenarios, played to the end; together they use what packs can say."""

from __future__ import annotations

from pathlib import Path

import pytest

import dunerules
from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.record import read_scenarios
from dunerules.scenarios.report import shown_failure
from dunerules.scenarios.run import play
from dunerules.scenarios.stage import load_book

from .support import problems_of

EXAMPLES = sorted(each.parent for each in (Path(__file__).resolve().parent.parent / "examples").glob("*/game.yaml"))
"""Every game, by its folder; languages have none."""

USED = {
    "at bottom": "to the bottom of a pile",
    "per: fighter": "a counter on things",
    "per: rocket": "a pointer on things",
    " on ": "what such a counter is on",
    "none": "nobody, nothing, nowhere",
    "sum(": "a sum over a group",
    "most(": "the most of a group",
    "all(": "whether all are so",
    " / ": "division",
    " if ": "one of two by a condition",
    " while ": "a repetition with a condition",
    "sight: others": "what only others see",
    "grids:": "a grid",
    "line[": "a line along a direction",
    "ahead of p with d": "a step along a direction",
}
"""What some example is for."""


@pytest.mark.parametrize("root", EXAMPLES, ids=lambda root: root.name)
def test_an_example_is_clean_and_does_what_its_scenarios_say(root: Path) -> None:
    assert problems_of(root) == []
    book = load_book((str(root),))
    files = map(read_scenarios, find_scenario_files([root]))
    outcomes = [play(each, book) for file in files for each in file.scenarios]
    assert outcomes
    assert [shown_failure(each) for each in outcomes if not each.passed] == []


@pytest.mark.parametrize("root", EXAMPLES, ids=lambda root: root.name)
def test_an_example_is_played_to_the_end(root: Path) -> None:
    rules = dunerules.load(root)
    for players in rules.players:
        for bot in ("random", "simple"):
            assert dunerules.play_game(rules, [bot] * players, seed=players).winners


def test_examples_use_what_they_are_for() -> None:
    texts = [file.read_text("utf-8") for root in EXAMPLES for file in root.glob("*.yaml")]
    assert len(EXAMPLES) == 6
    assert [what for what in USED if not any(what in text for text in texts)] == []
