"""Whole games: random play with everything checked that must always hold, and the laws of the machine.

`python -m tests.invariants --games 20000 --seed 1` is the long form.
"""

from __future__ import annotations

import doctest
import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, GameError, IllegalAnswerError, Rules, load_rules
from dunerules.problems import CannotRunError
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import State

from .invariants import GAME, Chooser, Report, series
from .support import ROOT, python

GAMES = int(os.environ.get("DUNERULES_GAMES", "200"))
"""Random games of the test; two processes play about seven a second."""


LEADERS = {
    "paul_atreides", "duke_leto_atreides", "baron_vladimir_harkonnen", "glossu_the_beast_rabban", "helena_richese",
    "count_ilban_richese", "countess_ariana_thorvald", "earl_memnon_thorvald",
}  # fmt: skip


@cache
def base() -> Rules:
    return load_rules(GAME)


def middle(seed: int, seats: int, answers: int) -> Game:
    """A game some answers after its beginning."""
    game, chooser = Game.new(base(), seats=seats, seed=seed), Chooser(seed)
    for _ in range(answers):
        if not game.over:
            game.answer(*chooser.answer(game.state))
    return game


# ---- random games


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return list(series(GAMES, 7, every=80, jobs=2))


def test_random_games_keep_every_invariant(reports: list[Report]) -> None:
    assert [str(report) for report in reports if report.wrong] == []


def test_the_random_games_are_varied(reports: list[Report]) -> None:
    assert {report.seats for report in reports} == {3, 4}
    assert {leader for report in reports for leader in report.leaders} == LEADERS
    assert {"move", "order", "number", "thing", "choose"} <= {kind for report in reports for kind in report.kinds}
    assert len({report.hash for report in reports}) == len(reports)
    assert max(report.rounds for report in reports) <= 10


def test_every_decision_of_a_game_clones_saves_and_redeals() -> None:
    assert [str(report) for report in series(2, 11, every=1, jobs=2) if report.wrong] == []


# ---- same input, same game


@pytest.mark.parametrize("seats", [3, 4])
def test_equal_seeds_and_answers_give_equal_hashes(seats: int) -> None:
    chooser, hashes, answers = Chooser(5), [], []
    game = Game.new(base(), seats=seats, seed=99)
    while not game.over:
        hashes.append(game.hash())
        answers.append(chooser.answer(game.state))
        game.answer(*answers[-1])
    again = Game.new(base(), seats=seats, seed=99, log=False)
    for answer, hash_ in zip(answers, hashes, strict=True):
        assert again.hash() == hash_
        again.answer(*answer)
    assert again.hash() == game.hash()
    assert again.winners == game.winners
    assert Game.new(base(), seats=seats, seed=100).hash() != hashes[0]


CONTINUE = """
import json, sys
from dunerules.game import Game, load_rules
from tests.invariants import Chooser
chooser = Chooser(77)
for line in sys.stdin:
    game = Game.load(load_rules(sys.argv[1]), json.loads(line))
    for _ in range(60):
        if not game.over:
            game.answer(*chooser.answer(game.state))
    print(game.hash())
"""


def test_a_game_goes_on_in_another_process(tmp_path: Path) -> None:
    import subprocess
    import sys

    saved, expected, chooser = [], [], Chooser(77)
    for answers in (1, 40, 41, 111, 152):
        game = middle(3, 4, answers)
        saved.append(json.dumps(game.save()))
        for _ in range(60):
            if not game.over:
                game.answer(*chooser.answer(game.state))
        expected.append(game.hash())
    ran = subprocess.run(
        [sys.executable, "-c", CONTINUE, GAME],
        input="\n".join(saved),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )
    assert ran.stderr == ""
    assert ran.stdout.split() == expected


def test_hashes_do_not_depend_on_the_hash_seed_of_python() -> None:
    code = "from tests.test_runtime import middle\nprint(middle(8, 3, 90).hash(), middle(8, 4, 90).hash())"
    outputs = {python("-c", code, env={"PYTHONHASHSEED": seed}).stdout for seed in ("0", "1")}
    assert len(outputs) == 1
    assert len(outputs.pop().split()) == 2


# ---- answers and saves


def test_an_illegal_answer_changes_nothing() -> None:
    game = middle(4, 3, 30)
    before = game.hash()
    assert game.question is not None
    for answer in ((), (len(game.question.options),), (-1,), (0, 0)):
        if not game.question.low <= len(set(answer)) <= game.question.high or answer:
            with pytest.raises(IllegalAnswerError):
                game.answer(*answer)
    assert game.hash() == before


def test_a_finished_game_takes_no_answer() -> None:
    game = middle(4, 3, 5000)
    assert game.over
    assert game.question is None
    with pytest.raises(IllegalAnswerError, match="over"):
        game.answer(0)


def test_a_save_of_other_packs_is_refused() -> None:
    data = middle(4, 3, 10).save()
    data["locks"] = {"base": "0" * 64}
    with pytest.raises(CannotRunError, match="other packs"):
        Game.load(base(), data)


@pytest.mark.parametrize("seats", [0, 2, 5])
def test_wrong_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(CannotRunError, match="3 to 4 seats"):
        Game.new(base(), seats=seats)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(CannotRunError, match="no option `weather`"):
        Game.new(base(), seats=3, options={"weather": "fair"})
    for name, (values, _) in base().ruleset.options.items():
        with pytest.raises(CannotRunError, match=f"one of {', '.join(values)}, not `none_of_them`"):
            Game.new(base(), seats=3, options={name: "none_of_them"})


# ---- sight


def test_a_redealt_world_differs_where_nobody_sees_it() -> None:
    game = middle(6, 4, 60)
    redealer = Redealer(game.machine)
    for seat in range(4):
        worlds = [redealer.redeal(game.state, seat, seed) for seed in range(5)]
        assert len({tuple(world.zones) for world in worlds}) == 5
        for world in worlds:
            assert [len(pile) for pile in world.zones] == [len(pile) for pile in game.state.zones]
            other = Game(game.rules, game.machine, game.names, world, 4)
            assert other.view(seat) == game.view(seat)


def test_a_redeal_keeps_what_is_common_knowledge() -> None:
    game = middle(6, 4, 0)
    layout, kinds = game.machine.table.layout, [layout_kind(game, thing) for thing in range(len(game.state.where))]

    def cards(holders: Sequence[int], seat: int) -> list[int]:
        return [thing for thing, holder in enumerate(holders) if holder == seat and kinds[thing] == "card"]

    def pile(state: State, zone: str, seat: int = 0) -> tuple[int, ...]:
        return state.zones[layout.zones[zone].base + seat]

    redealer = Redealer(game.machine)
    worlds = [redealer.redeal(game.state, 0, seed) for seed in range(20)]
    for world in worlds:
        levels = [layout.things[layout.objects[thing]].fields["level"] for thing in pile(world, "conflict_deck")]
        assert levels == sorted(levels)
        assert sorted(pile(world, "imperium_deck")) == sorted(pile(game.state, "imperium_deck"))
        assert all(cards(world.holders, seat) == cards(game.state.holders, seat) for seat in range(4))
    assert len({tuple(sorted(pile(world, "hand", 1))) for world in worlds}) > 1
    assert len({pile(world, "conflict_deck") for world in worlds}) > 1
    assert {pile(world, "hand", 0) for world in worlds} == {pile(game.state, "hand", 0)}


def layout_kind(game: Game, thing: int) -> str:
    layout = game.machine.table.layout
    return layout.things[layout.objects[thing]].kind


# ---- games beside each other


def test_games_in_threads_do_not_disturb_each_other() -> None:
    seeds = range(20, 26)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda seed: middle(seed, 3 + seed % 2, 120).hash(), seeds))
    assert together == [middle(seed, 3 + seed % 2, 120).hash() for seed in seeds]


def test_a_save_does_not_change_with_the_game() -> None:
    game, chooser = middle(3, 3, 20), Chooser(1)
    saved = game.save()
    before = json.dumps(saved)
    for _ in range(10):
        game.answer(*chooser.answer(game.state))
    assert json.dumps(saved) == before


# ---- what finds nothing does nothing

NOTHING = """\
kind: card
objects:
  seeker: {start: hand, copies: 3, play: "move 1 card[seeker] from pile to hand as c { move c from hand to table }"}
"""

ELSEWHERE = """\
kind: card
objects:
  mover: {start: hand, play: "choose 1 card[coin] in hand as c { move c from hand to pile, move c from hand to table }"}
  coin: {start: hand, needs: never}
"""


@pytest.mark.parametrize("text", [NOTHING, ELSEWHERE])
def test_an_object_that_is_not_where_it_is_taken_from_stays(text: str, tmp_path: Path) -> None:
    write_snippet(text, tmp_path)
    game = Game.new(load_rules(tmp_path), seats=2)
    while not game.over:
        game.answer(0)
    things = sorted(thing for pile in game.state.zones for thing in pile)
    assert things == list(range(len(game.state.where)))
    if text == ELSEWHERE:
        assert "coin" not in game.view(0)["zones"]["table of seat 1"]


# ---- packs that never end

ENDLESS = """\
kind: card
objects:
  banker: {start: table, abilities: [{when: you gain gold, do: "lose 1 fame with red, gain 1 fame with red"}]}
  herald: {start: table, abilities: [{when: you gain fame, do: "lose 1 gold, gain 1 gold"}]}
  coin: {start: deck, play: gain 1 gold}
"""


def test_an_endless_circle_of_reactions_is_an_error_that_names_it(tmp_path: Path) -> None:
    write_snippet(ENDLESS, tmp_path)
    with pytest.raises(GameError, match="banker") as caught:
        Game.new(load_rules(tmp_path), seats=2)
    assert "herald" in str(caught.value)


# ---- the documentation


def test_the_examples_of_the_page_about_python() -> None:
    """Every `>>>` of docs/python.md, one after the other in one session."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 8
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    printed: list[str] = []
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number + 1}", "docs/python.md", 0)
        test.globs = names
        runner.run(test, out=printed.append, clear_globs=False)
    assert not printed, "".join(printed)
