"""The board: rings, and how far it is, also on boards of thousands of places."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.language.extract import collections
from dunerules.language.locale import load_locale
from dunerules.language.sources import with_sources
from dunerules.packs.library import Library
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


GRID = """\
=== words/more.yaml
traits:
  straight: [north, east, south, west]
  jump: [knight, lost]
kinds:
  cell:
    role: place
    fields: {column: number, row: number, star: flag}
    slots: {bonus: effect}
counters:
  stone: {per: cell, holds: seat}
  heat: {per: cell}
=== board.yaml
edges: [[b2, harbour]]
grids:
  board:
    kind: cell
    columns: 4
    rows: 3
    directions:
      straight: {north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0]}
      jump: {knight: [1, 2]}
    edges: straight
=== stars.yaml
kind: cell
objects:
  c2: {name: The Star, star: true, bonus: gain 5 gold}
=== patches.yaml
patches:
  - target: cell/d3
    reason: The other corner.
    set: {star: true}
=== rules.yaml
flow: each seat { if CONDITION { gain 1 gold } }
scoring: {score: gold}
"""


@pytest.mark.parametrize(
    "condition",
    [
        "count(cell) = 12 and column of c2 = 3 and row of c2 = 2",
        "ahead of a1 with east = b1 and ahead of a1 with east by 3 = d1",
        "ahead of d1 with east by (0 - 2) = b1 and ahead of b2 with north by 0 = b2",
        "not (ahead of d1 with east = a1) and not (ahead of d1 with east = a2)",
        "not (ahead of (ahead of d1 with east) with west = d1)",
        "not (ahead of harbour = a1)",
        "count(line of a1 with east) = 3 and count(line of a1 with east by 2) = 2",
        "count(line of a1 with east by 0) = 0 and count(line of a1 with east by (0 - 1)) = 0",
        "count(line of a1 with west) = 0 and count(line of (ahead of d1 with east) with west) = 0",
        "count(line[star] of c1 with south) = 1 and line of c1 with south has c2",
        "line of a1 with knight has b3 and count(line of a1 with knight) = 1",
        "count(line of a1 with lost) = 0 and not (ahead of a1 with lost = b1)",
        "sum(row each line of b1 with south) = 5",
        "count(straight[have 3 line of a1 with it]) = 1",
        "distance of a1 from d3 = 5 and distance of a1 from harbour = 3 and beside of harbour b2",
        "beside of b1 a1 and beside of a1 b1 and not beside of b3 a1 and not beside of a2 d1",
        "count(cell[star]) = 2 and count(cell[bonus]) = 1",
    ],
)
def test_grids(condition: str, tmp_path: Path) -> None:
    write_snippet(GRID.replace("CONDITION", condition), tmp_path)
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in game.standings()] == [(1,), (1,)]


def test_a_grid_lies_row_by_row_also_where_its_places_are_written_elsewhere(tmp_path: Path) -> None:
    write_snippet(GRID.replace("CONDITION", "always"), tmp_path)
    places = load(tmp_path).ruleset.words.objects["cell"]
    assert [*places] == [f"{column}{row}" for row in "123" for column in "abcd"]


def test_names_of_a_grid_are_the_same_in_every_language(tmp_path: Path) -> None:
    write_snippet(GRID.replace("CONDITION", "always"), tmp_path)
    library = Library.of([])
    [own] = [each for each in collections([library.add(tmp_path)], library) if each.name != "program"]
    names = {text.id: text.source for text in own.texts if text.id.startswith("cell.")}
    assert names == {"cell.c2.name": "The Star"}
    packs = tuple(own.packs)
    for code in ("en", "pl", "cs"):
        locale = with_sources(load_locale(code, packs)[0], packs)
        assert (locale.name("cell", "d3"), locale.name("cell", "c2") is None) == ("D3", code != "en")


def test_columns_beyond_z_and_prefixes(tmp_path: Path) -> None:
    grid = "grids: {wide: {kind: cell, columns: 28, rows: 1, prefix: w}, low: {kind: cell, columns: 1, rows: 1}}\n"
    before, _, after = GRID.replace("CONDITION", "always").partition("=== board.yaml\n")
    write_snippet(f"{before}=== board.yaml\n{grid}=== rules.yaml{after.partition('=== rules.yaml')[2]}", tmp_path)
    places = [*load(tmp_path).ruleset.words.objects["cell"]]
    assert places[25:] == ["w_z1", "w_aa1", "w_ab1", "a1"]


def test_a_grid_of_thousands_of_places_is_laid_out_at_once(tmp_path: Path) -> None:
    ways = "{straight: {north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0]}}"
    grid = f"grids: {{wide: {{kind: cell, columns: 70, rows: 70, directions: {ways}}}}}\n"
    before, _, after = GRID.replace("CONDITION", "count(line of a1 with south) = 69").partition("=== board.yaml\n")
    write_snippet(f"{before}=== board.yaml\n{grid}=== rules.yaml{after.partition('=== rules.yaml')[2]}", tmp_path)
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in game.standings()] == [(1,), (1,)]
