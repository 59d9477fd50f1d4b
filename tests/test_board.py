"""The board: rings, and how far it is, also on boards of thousands of places."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.runtime.board import FAR

RINGS = """\
=== board.yaml
edges: [[harbour, hill]]
rings:
  coast: [harbour, hill, cave]
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour}
  hill: {name: Hill}
  cave: {name: Cave}
  desert: {name: Desert}
=== rules.yaml
flow: each seat { if CONDITION { gain 1 gold } }
scoring: {score: gold}
"""


@pytest.mark.parametrize(
    "condition",
    [
        "ahead of cave = harbour",
        "ahead of harbour by 5 = cave",
        "ahead of harbour by (0 - 1) = cave",
        "ahead of (ahead of harbour) = cave",
        "ahead of hill by 0 = hill",
        "count(spot[ahead of it = hill]) = 1",
        "not (ahead of desert = harbour) and not (ahead of desert = desert)",
        "not (ahead of (ahead of desert) = harbour)",
        "distance of harbour from hill = 1 and distance of hill from hill = 0",
        "distance of harbour from desert = 1000000",
        "distance of (ahead of desert) from (ahead of desert) = 1000000",
        "count(spot[it = ahead of desert]) = 0",
    ],
)
def test_rings_and_distances(condition: str, tmp_path: Path) -> None:
    write_snippet(RINGS.replace("CONDITION", condition), tmp_path)
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in game.standings()] == [(1,), (1,)]


def test_a_board_of_thousands_of_places_is_laid_out_at_once(tmp_path: Path) -> None:
    count = 1_200
    places = "".join(f"  s{number}: {{name: S}}\n" for number in range(count))
    edges = ", ".join(f"[s{number}, s{number + 1}]" for number in range(count - 1))
    rules = "flow: each seat { if distance of s0 from s1199 = 1199 { gain 1 gold } }\nscoring: {score: gold}\n"
    write_snippet(
        f"=== spots.yaml\nkind: spot\nobjects:\n{places}=== board.yaml\nedges: [{edges}]\n=== rules.yaml\n{rules}",
        tmp_path,
    )
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in game.standings()] == [(1,), (1,)]
    board = game.machine.table.layout.board
    assert {board.distance(start, -1) for start in range(count)} == {FAR}
    for start in (*range(0, count, 4), 0):  # more starts than are remembered
        assert board.distance(start, count - 1) == count - 1 - start
