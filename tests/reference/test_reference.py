"""The reference plays the examples of the page about meaning, and shipped effects as the engine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.scenarios.record import read_scenarios
from tests.reference.compare import Book, Slot, compare_effect, compare_game, compare_slots, load_book
from tests.reference.scenarios import faults_of
from tests.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "meaning.md"
SHIPPED = ("base", "immortality", "betrayal", "conquest")
SEATS = {"base": 3, "immortality": 3, "betrayal": 4, "conquest": 4}

NOT_YET: dict[str, str] = {}
"""Shipped slots in which the engine does not follow the page yet, and why. To be empty."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game of the page, with its scenarios."""
    root = tmp_path_factory.mktemp("page") / "meaning"
    for block in blocks(PAGE):
        if block.options.get("pack") == "meaning" and "file" in block.options:
            file = root / block.options["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
    return root


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    return {pack: load_book(pack) for pack in SHIPPED}


def test_examples_of_the_page(page: Path) -> None:
    book = load_book(page)
    wrong = []
    for file in sorted((page / "scenarios").glob("*.yaml")):
        scenarios = read_scenarios(file)
        assert not scenarios.problems
        for scenario in scenarios.scenarios:
            wrong += [f"{file.name}: {scenario.name}: {fault}" for fault in faults_of(book, scenario)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("pack", SHIPPED)
def test_shipped_effects(pack: str, books: dict[str, Book]) -> None:
    """Every other slot, from a position by chance."""
    book, asked = books[pack], 0
    seen = books["base"].reference.things if pack == "immortality" else {}
    things = [each for each in book.rules.things if (each.kind, each.id) not in seen]
    slots: list[Slot] = [(each.kind, each.id, slot, 0) for each in things for slot in each.slots]
    for number, slot in enumerate(slots[::2]):
        if " ".join(slot[:3]) in NOT_YET:
            continue
        run = compare_slots(book, [slot], seats=SEATS[pack], seed=number, shake=number % 7, answers=number, most=12)
        assert run.disagreement is None, str(run.disagreement)
        asked += len(run.answers)
    assert asked > len(slots) // 20


@pytest.mark.parametrize("pack", SHIPPED)
def test_shipped_games(pack: str, books: dict[str, Book]) -> None:
    run = compare_game(books[pack], seats=SEATS[pack], seed=11, answers=11, most=60)
    assert run.disagreement is None, str(run.disagreement)
    assert len(run.answers) == 60 or run.ended == "over"


def test_what_differs_is_told(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference that is wrong on purpose."""
    monkeypatch.setattr("tests.reference.changes.bounded", lambda g, at, value: value + 1)
    run = compare_effect(load_book(page), "gain 2 gold, choose 1 { gain 1 debt | gain 2 debt }", seats=3)
    assert run.disagreement is not None
    assert "counters: gold 0: engine 2, reference 3" in str(run.disagreement)
