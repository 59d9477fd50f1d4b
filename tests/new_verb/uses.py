"""Packs that use the verb. In a copy of the project that has it this is a file of tests; here there is no such verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.catalog import catalog
from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, load
from dunerules.problems import Problem
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.render import effect_text, log_text
from tests.reference.compare import compare_effect, load_book
from tests.support import codes, problems_of, shown
from tests.words import LANGUAGES, base, locale_of

GAME = """\
kind: card
objects:
  watcher: {start: table, abilities: [{when: you halve gold, do: gain n fame with blue}]}
=== rules.yaml
setup: each seat { gain 5 gold }
flow: each seat { offer actions }
moves:
  give: {group: actions, cost: halve gold, do: gain 1 fame with red}
  give_twice: {group: actions, cost: "halve gold, halve gold", do: gain 2 fame with red}
  give_rest: {group: actions, cost: "pay 5 gold, halve gold", do: gain 9 fame with red}
  rest: {group: actions, do: pass}
scoring: {score: gold}
"""


def _errors(root: Path) -> list[Problem]:
    return [each for each in problems_of(root) if catalog()[each.code].severity == "error"]


def _game(root: Path, text: str = GAME) -> Game:
    write_snippet(text, root)
    assert not _errors(root), shown(_errors(root))
    return load(root).game(seats=2)


def _counters(game: Game) -> dict[str, object]:
    """What the first seat has."""
    found, fame = game.view().counters, "fame of seat 1 with"
    names = {"gold": "gold of seat 1", "red": f"{fame} red", "blue": f"{fame} blue"}
    return {short: found[name].value for short, name in names.items()}


def test_it_is_checked(tmp_path: Path) -> None:
    write_snippet(GAME.replace("cost: halve gold", "cost: halve 2 gold"), tmp_path)
    assert codes(_errors(tmp_path)) == ["DR504"]
    _game(tmp_path)


def test_it_is_played_and_announced(tmp_path: Path) -> None:
    game = _game(tmp_path)
    game.answer("give")
    assert _counters(game) == {"gold": 2, "red": 1, "blue": 3}


def test_it_is_foreseen_and_refused_with_the_reason(tmp_path: Path) -> None:
    game = _game(tmp_path)
    assert game.question is not None
    assert game.question.names == ("give", "give_twice", "rest"), "of nothing there is no half"
    assert [reason.kind for reason in game.why_not("give_rest")] == ["cost"]
    assert not game.why_not("give")


def test_it_can_be_replaced(tmp_path: Path) -> None:
    game = _game(tmp_path, GAME.replace("{when: you halve gold, do: gain n", "{instead: you halve gold, do: gain n"))
    game.answer("give")
    assert _counters(game) == {"gold": 5, "red": 1, "blue": 3}


EFFECTS = (
    "halve gold",
    "halve gold as n { gain n fame with red }",
    "halve gold -> gain 1 fame with red",
    "pay 3 gold, halve gold -> gain 1 fame with red",
    "gain 1 gold, halve gold, halve gold",
    "choose 1 { halve gold | gain 1 gold | gain 2 gold, halve gold }",
    "may { halve gold }",
    "each opponent { halve gold -> gain 1 fame with blue }",
)


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_reference_says_the_same(effect: str, tmp_path: Path) -> None:
    write_snippet(GAME, tmp_path)
    book = load_book(tmp_path)
    for gold in (0, 1, 2, 4, 5):
        run = compare_effect(book, effect, seats=2, given={"gold of seat 1": gold, "gold of seat 2": 3}, answers=gold)
        assert run.disagreement is None, str(run.disagreement)


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_told(code: str) -> None:
    context, body = Context(locale_of(code), base(), this=("card", "dagger")), base().effect("halve spice")
    waits = base().ability(when="you halve spice", do="gain n solari")
    assert body is not None
    assert waits is not None
    for text in (effect_text(body, context), log_text("Alia", body, context), ability(waits, context)):
        assert "⟨" not in text
        assert {"en": "half of", "pl": "połowę", "cs": "polovinu"}[code] in text
