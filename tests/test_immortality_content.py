"""The expansion as a whole: clean, complete, named, covered by scenarios, and nothing to the base game without it."""

from __future__ import annotations

from functools import cache

import pytest

from dunerules.catalog import severity_of
from dunerules.game import load
from dunerules.packs.content import Content
from dunerules.packs.library import Library
from dunerules.packs.nodes import plain
from dunerules.understanding.understand import understand

from .invariants import series
from .support import CONTENT, problems_of, shown

PACK = CONTENT / "immortality"


@cache
def content() -> Content:
    library = Library.of([PACK])
    return understand(library.select(library.add(PACK))).content


def own(kind: str) -> dict[str, dict[str, object]]:
    """The objects of a kind that the expansion declares."""
    found = (entry for entry in content().section("object") if entry.pack == "immortality" and entry.kind == kind)
    return {entry.id: dict(plain(entry.node)) for entry in found}


def copies(kind: str, start: str) -> int:
    return sum(int(str(each.get("copies", 1))) for each in own(kind).values() if each.get("start") == start)


def test_the_pack_is_clean_and_nothing_is_left_to_do() -> None:
    found = problems_of(PACK)
    assert not [each for each in found if severity_of(each.code) != "info"], shown(found)
    assert not [each for each in found if each.code == "DR611"], shown(found)


def test_everything_in_the_box_is_there() -> None:
    assert copies("card", "imperium_deck") == 30
    assert copies("card", "tleilaxu_deck") == 18
    assert copies("card", "deck") == 2
    assert copies("card", "reclaimed") == 1
    assert copies("intrigue", "intrigue_deck") == 15
    assert copies("hagal", "hagal_cards") == 4
    assert (len(own("card")), len(own("intrigue"))) == (25 + 18 + 2, 11)
    assert sum(bool(each.get("graft")) for each in own("card").values()) == 5 + 12
    assert len(own("research_hex")) == 22
    assert len(content().paths) == 32


@pytest.mark.parametrize("kind", ["card", "intrigue", "research_hex", "hagal"])
def test_everything_has_a_name_and_a_scenario(kind: str) -> None:
    scenarios = "\n".join(path.read_text("utf-8") for path in sorted((PACK / "scenarios").glob("*.yaml")))
    assert [id_ for id_, each in own(kind).items() if not each.get("name")] == []
    assert [id_ for id_ in own(kind) if scenarios.count(id_) < 2] == []


def test_every_change_of_the_base_game_has_a_reason() -> None:
    changed = [entry for entry in content().entries.values() if entry.changes]
    assert {entry.pack for entry in changed} == {"base"}
    assert all(change.reason for entry in changed for change in entry.changes)


def test_the_base_game_knows_nothing_of_it() -> None:
    alone, together = load("base"), load("base", "immortality")
    assert alone.locks["base"] == together.locks["base"]
    assert "goal_variant" not in alone.ruleset.options
    assert "goal_variant" in together.ruleset.options
    files = [path for path in sorted((CONTENT / "base").rglob("*.yaml")) if path.name not in {"book.yaml", "look.yaml"}]
    words = {word for path in files for word in path.read_text("utf-8").split()}
    assert not words & {"tleilaxu_track", "specimen", "graft", "tanks", "markers", "advance"}


def test_random_games_keep_every_invariant() -> None:
    reports = list(series(16, 3, every=80, jobs=2, packs=("base", "immortality")))
    assert [str(report) for report in reports if report.wrong] == []
    assert {report.players for report in reports} == {3, 4}
    assert {report.options["goal_variant"] for report in reports} == {"usual_goal", "eleven_points"}


@pytest.mark.parametrize(("players", "games"), [(1, 8), (2, 2)])
def test_random_games_against_rivals_keep_every_invariant(players: int, games: int) -> None:
    """Alone at every difficulty, to the usual goal and to the longer one; and two players."""
    reports = list(series(games, 17, every=80, jobs=2, packs=("base", "immortality"), players=(players,)))
    assert [str(report) for report in reports if report.wrong] == []
    chosen = {(report.options.get("difficulty"), report.options["goal_variant"]) for report in reports}
    assert len(chosen) == games


def test_leaders_open_when_all_is_set_up() -> None:
    """The Baron chooses his factions after all setup, that of expansions too."""
    rules = load("base", "immortality")
    opened = 0
    for seed in range(12):
        game = rules.game(players=3, seed=seed)
        zones, asked = game.view(1).zones, game.state.pending
        assert zones["tleilaxu_left"].things
        assert zones["tleilaxu_right"].things
        if asked is not None and asked.kind == "thing":
            opened += 1
    assert opened
