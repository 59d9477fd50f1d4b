"""Rows are full when setup is over, and stay so."""

from __future__ import annotations

from pathlib import Path

from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, load

from .test_corners import passes

ROWS = """\
=== words.yaml
kinds:
  card: {fields: {cost: number}}
  spot: {role: place}
counters:
  gold: {per: seat}
pieces: {}
zones:
  stack: {per: game, holds: card, sight: none}
  row: {per: game, holds: card, sight: all, capacity: 3, refill: stack}
  shelf: {per: seat, holds: card, sight: none}
  stall: {per: seat, holds: card, sight: all, capacity: 1, refill: shelf}
  hand: {per: seat, holds: card, sight: owner}
=== game.yaml
id: example
title: An example
seats: {min: 2, max: 4}
=== cards.yaml
kind: card
defaults: {start: stack}
objects:
  one: {name: One}
  two: {name: Two}
  three: {name: Three}
  four: {name: Four}
  five: {name: Five}
  six: {name: Six}
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour}
  hill: {name: Hill}
=== verbs.yaml
verbs:
  buy: choose 1 card in row as c { move c from row to hand }
=== rules.yaml
setup: move top 1 card from stack to row, choose random 1 seat as s { move bottom 1 card from stack to shelf of s }
flow: each seat { buy }
scoring: {score: gold}
"""


def lying(game: Game, zone: str) -> list[str]:
    return list(game.view(1).zones[zone].ids)


def test_rows_are_full_from_the_start_and_stay_so(tmp_path: Path) -> None:
    write_snippet(ROWS, tmp_path)
    game = load(tmp_path).game(seats=2)
    assert lying(game, "row") == ["two", "three", "one"]
    assert sorted(map(len, (lying(game, f"stall of seat {seat}") for seat in (1, 2)))) == [0, 1]
    game.answer(0)
    assert lying(game, "row") == ["four", "three", "one"]
    game.answer(0)
    assert lying(game, "row") == ["five", "three", "one"]
    assert game.over


def test_a_scenario_sets_no_rows_up_but_a_whole_game_does(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  nothing is set up:
    start: gain 1 gold of seat 1
    expect: {gold of seat 1: 1}
  what is taken is filled up:
    given: {row: [three], stack: [four, five, ...]}
    start: buy of seat 1
    expect: {hand of seat 1: [three], row: [four, five, one]}
    strict: false
  the game:
    start: game
    do: [one, two, three]
    expect: {hand of seat 1: [one], hand of seat 2: [two], hand of seat 3: [three]}
    strict: false
""",
        ROWS,
    )


def test_what_comes_back_at_once_was_moved_to_the_pile(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  back in the row:
    given: {row: [three], stack: []}
    start: >-
      until buy { when you move card to stack { gain 1 gold }, when you move card to row { gain 10 gold } },
      move three to stack of seat 1
    expect: {gold of seat 1: 1, lasting: 1}
""",
        ROWS,
    )
