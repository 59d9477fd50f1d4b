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

from dunerules.bots import RandomBot
from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, Rules, load
from dunerules.kept import checksum
from dunerules.problems import CannotRunError
from dunerules.questions import IllegalAnswerError
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import GameError, State

from .invariants import GAME, Report, series
from .support import ROOT, python, write_files

GAMES = int(os.environ.get("DUNERULES_GAMES", "150"))
"""Random games of the test; two processes play about eleven a second."""


LEADERS = {
    "paul_atreides", "duke_leto_atreides", "baron_vladimir_harkonnen", "glossu_the_beast_rabban", "helena_richese",
    "count_ilban_richese", "countess_ariana_thorvald", "earl_memnon_thorvald",
}  # fmt: skip


@cache
def base() -> Rules:
    return load(GAME)


def middle(seed: int, seats: int, answers: int) -> Game:
    """A game some answers after its beginning."""
    game, chooser = base().game(seats=seats, seed=seed), RandomBot(seed)
    for _ in range(answers):
        if not game.over:
            game.answer(*chooser.choose(game))
    return game


# ---- random games


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return list(series(GAMES, 7, every=80, jobs=2))


def test_random_games_keep_every_invariant(reports: list[Report]) -> None:
    assert [str(report) for report in reports if report.wrong] == []


def test_the_random_games_are_varied(reports: list[Report]) -> None:
    assert {report.players for report in reports} == {3, 4}
    assert {leader for report in reports for leader in report.leaders} == LEADERS
    assert {"move", "order", "number", "thing", "choose"} <= {kind for report in reports for kind in report.kinds}
    assert len({report.hash for report in reports}) == len(reports)
    assert max(report.rounds for report in reports) <= 10


def test_random_games_of_secret_identities_keep_every_invariant() -> None:
    reports = list(series(25, 7, every=25, jobs=2, packs=("betrayal",)))
    assert [str(report) for report in reports if report.wrong] == []
    assert {report.players for report in reports} == {4, 5, 6, 7, 8}
    assert len({who for report in reports for who in report.leaders}) == 8
    assert {"move", "seat", "label", "choose"} <= {kind for report in reports for kind in report.kinds}


def test_random_games_of_forces_and_storms_keep_every_invariant() -> None:
    reports = list(series(24, 7, every=25, jobs=2, packs=("conquest",)))
    reports += list(series(12, 8, every=25, jobs=2, packs=("conquest",), players=(2,)))
    assert [str(report) for report in reports if report.wrong] == []
    assert {report.players for report in reports} == {2, 3, 4}
    assert len({who for report in reports for who in report.leaders}) >= 4
    assert {"move", "number", "place", "thing", "choose", "may"} <= {
        kind for report in reports for kind in report.kinds
    }


@pytest.mark.parametrize(("players", "games"), [(1, 16), (2, 8)])
def test_random_games_against_automated_seats_keep_every_invariant(players: int, games: int) -> None:
    """Every choice of options once: all leaders may turn up, and every difficulty does."""
    reports = list(series(games, 13, every=40, jobs=2, players=(players,)))
    assert [str(report) for report in reports if report.wrong] == []
    assert len({str(report.options) for report in reports}) == games // (2 if players == 2 else 1)


def test_every_decision_of_a_game_clones_saves_and_redeals() -> None:
    assert [str(report) for report in series(2, 11, every=1, jobs=2) if report.wrong] == []


# ---- same input, same game


@pytest.mark.parametrize("seats", [3, 4])
def test_equal_seeds_and_answers_give_equal_hashes(seats: int) -> None:
    chooser, hashes, answers = RandomBot(5), [], []
    game = base().game(seats=seats, seed=99)
    while not game.over:
        hashes.append(game.hash())
        answers.append(chooser.choose(game))
        game.answer(*answers[-1])
    again = base().game(seats=seats, seed=99, log=False)
    for answer, hash_ in zip(answers, hashes, strict=True):
        assert again.hash() == hash_
        again.answer(*answer)
    assert again.hash() == game.hash()
    assert again.winners == game.winners
    assert base().game(seats=seats, seed=100).hash() != hashes[0]


CONTINUE = """
import json, sys
import dunerules
from dunerules import Game, RandomBot
chooser = RandomBot(77)
for line in sys.stdin:
    game = Game.load(dunerules.load(sys.argv[1]), json.loads(line))
    for _ in range(60):
        if not game.over:
            game.answer(*chooser.choose(game))
    print(game.hash())
"""


def test_a_game_goes_on_in_another_process(tmp_path: Path) -> None:
    import subprocess
    import sys

    saved, expected, chooser = [], [], RandomBot(77)
    for answers in (1, 40, 41, 111, 152):
        game = middle(3, 4, answers)
        saved.append(json.dumps(game.save()))
        for _ in range(60):
            if not game.over:
                game.answer(*chooser.choose(game))
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
    for answer in ((), (len(game.question.names),), (-1,), (0, 0)):
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
    with pytest.raises(CannotRunError, match="edited after it was written"):
        Game.load(base(), data)
    with pytest.raises(CannotRunError, match="other packs"):
        Game.load(base(), {**data, "checksum": checksum(data)})


@pytest.mark.parametrize("seats", [0, 2, 5])
def test_wrong_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(CannotRunError, match="3 to 4 seats"):
        base().game(seats=seats)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(CannotRunError, match="no option `weather`"):
        base().game(seats=3, options={"weather": "fair"})
    for name, (values, _) in base().ruleset.options.items():
        with pytest.raises(CannotRunError, match=f"one of {', '.join(values)}, not `none_of_them`"):
            base().game(seats=3, options={name: "none_of_them"})


COLOURS = {
    "pack.yaml": 'id: paint\nversion: "1.0"\ntitle: Paint\nauthors: [nobody]\nlicence: MIT\n',
    "game.yaml": "id: paint\ntitle: Paint\nseats: {min: 1, max: 1}\n",
    "words.yaml": "traits: {tint: [red, blue]}\nkinds: {rag: {note: Things.}}\nzones: {heap: {holds: rag}}\n"
    "counters: {used: {per: [seat, tint]}}\n",
    "rags.yaml": "kind: rag\nobjects: {rag: {name: Rag, start: heap}, cloth: {name: Cloth, start: heap}}\n",
    "rules.yaml": """flow: "each seat { choose 1 tint as k { gain 1 used with k }, offer paintings }"
moves:
  paint: {group: paintings, takes: {k: "tint[used with it = 0]", r: rag in heap}, do: gain 2 used with k}
scoring: {score: used with red}
""",
}


def test_labels_of_a_family_are_offered_by_their_names(tmp_path: Path) -> None:
    game = load(write_files(tmp_path / "paint", COLOURS)).game(seats=1)
    assert game.question is not None
    assert game.question.names == ("red", "blue")
    game.answer(0)
    assert game.question.names == ("paint blue rag", "paint blue cloth")
    assert game.view(1).question == game.question
    game.answer(1)
    assert game.standings() == [(1, (1,))]


# ---- sight


def test_a_redealt_world_differs_where_nobody_sees_it() -> None:
    game = middle(6, 4, 60)
    redealer = Redealer(game.machine)
    for seat in range(4):
        worlds = [redealer.redeal(game.state, seat, seed) for seed in range(5)]
        assert len({tuple(world.zones) for world in worlds}) == 5
        for world in worlds:
            assert [len(pile) for pile in world.zones] == [len(pile) for pile in game.state.zones]
            other = Game(game.rules, game.machine, game.names, world)
            assert other.view(seat + 1) == game.view(seat + 1)


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
    game, chooser = middle(3, 3, 20), RandomBot(1)
    saved = game.save()
    before = json.dumps(saved)
    for _ in range(10):
        game.answer(*chooser.choose(game))
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
    game = load(tmp_path).game(seats=2)
    play_first_options(game)
    things = sorted(thing for pile in game.state.zones for thing in pile)
    assert things == list(range(len(game.state.where)))
    if text == ELSEWHERE:
        assert "coin" not in game.view(1).zones["table of seat 1"].ids


FILTERED_VALUE = """\
=== cards.yaml
kind: card
objects:
  seller: {start: hand, play: "each wares[red] as c { move c from hand to table }"}
  ruby: {start: hand, colours: [red], needs: never}
  pearl: {start: hand, colours: [blue], needs: never}
=== verbs/more.yaml
values:
  wares: card[cost = 0] in hand
"""


def test_a_group_that_a_value_gives_can_be_filtered(tmp_path: Path) -> None:
    write_snippet(FILTERED_VALUE, tmp_path)
    game = load(tmp_path).game(seats=2)
    while not game.over:
        game.answer(0)
    assert sorted(game.view(1).zones["table of seat 1"].ids) == ["ruby", "seller"]


UP_TO_ONE = """\
kind: card
objects:
  picker: {start: hand, play: "choose up to 1 card[coin] in hand as c { move c from hand to table }"}
  coin: {start: hand, copies: 2, needs: never}
"""


@pytest.mark.parametrize("answer", [(), (0,)])
def test_a_pick_of_up_to_one_may_be_none(answer: tuple[int, ...], tmp_path: Path) -> None:
    write_snippet(UP_TO_ONE, tmp_path)
    game = load(tmp_path).game(seats=2)
    while not game.over:
        question = game.question
        assert question is not None
        game.answer(*(answer if question.low == 0 else (0,)))
    assert ("coin" in game.view(1).zones["table of seat 1"].ids) == bool(answer)


def play_first_options(game: Game) -> None:
    """The first option, always, to the end."""
    while not game.over:
        game.answer(0)


# ---- several seats at once

BIDDING = """\
=== rules.yaml
setup: each seat { set bid to 9 }
flow: secretly each seat { choose 1 { set bid to 1 | set bid to 2 }, choose 1 { gain 1 bid | gain 2 bid } }
scoring: {score: bid}
"""


def bidding(tmp_path: Path) -> Game:
    write_snippet(BIDDING, tmp_path)
    return load(tmp_path).game(seats=3)


def test_seats_asked_at_once_answer_in_any_order(tmp_path: Path) -> None:
    game = bidding(tmp_path)
    assert [asked.seat for asked in game.questions] == [1, 2, 3]
    game.answer(1, seat=3)
    assert [asked.seat for asked in game.questions] == [1, 2, 3], "every seat is asked twice"
    game.answer(0, seat=3)
    assert [asked.seat for asked in game.questions] == [1, 2]
    with pytest.raises(IllegalAnswerError, match="seat 3 is not asked"):
        game.answer(0, seat=3)
    for seat in (1, 0, 0, 1):
        game.answer(0, seat=seat + 1)
    assert game.over
    assert [points for _, points in sorted(game.standings())] == [(2,), (2,), (3,)]


def test_the_order_of_secret_answers_makes_no_difference(tmp_path: Path) -> None:
    one, other = bidding(tmp_path), bidding(tmp_path)
    for seat in (0, 0, 1, 1, 2, 2):
        one.answer(1, seat=seat + 1)
    for seat in (2, 0, 1, 0, 2, 1):
        other.answer(1, seat=seat + 1)
        again = Game.load(other.rules, json.loads(json.dumps(other.save())))
        assert again.hash() == other.hash() == other.clone().hash()
        other = again
    assert one.hash() == other.hash()


def test_nobody_sees_a_secret_answer_of_another(tmp_path: Path) -> None:
    game = bidding(tmp_path)
    game.answer(1, seat=1)
    other = bidding(tmp_path)
    other.answer(0, seat=1)
    assert game.view(2) == other.view(2)
    assert game.view(1) != other.view(1)


# ---- a counter that points at no place

NOWHERE = """\
=== words/more.yaml
kinds:
  stop: {role: place}
counters:
  at_stop: {per: seat, holds: stop}
=== stops.yaml
kind: stop
objects: {first: {}, second: {}, third: {}}
=== board.yaml
edges: [[first, second]]
paths: [[second, third]]
=== rules.yaml
setup: |-
  each seat {
    gain 1 bid per stop[beside at_stop], gain 1 bid per stop[beyond at_stop],
    if distance of first from at_stop <= 9 { gain 1 bid },
    set at_stop to second,
    gain 10 bid per stop[beside at_stop], gain 10 bid per stop[beyond at_stop]
  }
flow: pass
scoring: {score: bid}
"""


def test_no_place_is_beside_or_beyond_nowhere(tmp_path: Path) -> None:
    write_snippet(NOWHERE, tmp_path)
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in game.standings()] == [(20,), (20,)]


# ---- reactions of one seat

TWO_REACTIONS = """\
kind: card
objects:
  banker: {start: table, abilities: [{when: you gain gold, limit: 1 per game, do: "gain 1 fame with red"}]}
  herald:
    start: table
    abilities: [{when: you gain gold, limit: 1 per game, do: "if have fame with red { gain 5 bid }"}]
=== rules.yaml
setup: each seat { gain 1 gold }
flow: pass
scoring: {score: bid}
"""


def test_a_seat_orders_its_own_reactions(tmp_path: Path) -> None:
    write_snippet(TWO_REACTIONS, tmp_path)
    game = load(tmp_path).game(seats=2)
    assert game.question is not None
    assert game.question.names == ("reaction banker", "reaction herald")
    game.answer(0)
    assert game.question is not None
    assert game.question.seat == 2
    game.answer(1)
    assert [points for _, points in sorted(game.standings())] == [(5,), (0,)]


# ---- what a move tells, and what a cost asks for

MOVES_TOLD = """\
kind: card
objects:
  watcher:
    start: table
    abilities:
      - {when: you move card from hand to pile, do: gain 1 gold}
      - {when: you move card from pile, do: gain 100 gold}
  coin: {start: hand}
  gem: {start: pile}
=== rules.yaml
setup: each seat { move 1 card from hand to pile }
flow: pass
scoring: {score: gold}
"""


def test_a_move_is_heard_by_kind_and_zones(tmp_path: Path) -> None:
    write_snippet(MOVES_TOLD, tmp_path)
    game = load(tmp_path).game(seats=2)
    assert [points for _, points in sorted(game.standings())] == [(1,), (1,)]


PIECES_AS_A_COST = """\
=== rules.yaml
setup: each seat { move 1 cube from stock to camp }
flow: |-
  each seat {
    { move 2 cube from camp to stock -> gain 5 gold },
    { move 1 cube from camp to stock -> gain 1 gold }
  }
scoring: {score: gold}
"""


def test_pieces_that_are_not_there_pay_no_cost(tmp_path: Path) -> None:
    write_snippet(PIECES_AS_A_COST, tmp_path)
    game = load(tmp_path).game(seats=2)
    asked = 0
    while not game.over:
        asked += 1
        game.answer(1)
    assert asked == 2
    assert [points for _, points in sorted(game.standings())] == [(1,), (1,)]


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
        play_first_options(load(tmp_path).game(seats=2))
    assert "herald" in str(caught.value)


# ---- the documentation


def test_the_examples_of_the_page_about_python() -> None:
    """Every `>>>` of docs/python.md, one after the other in one session."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 8
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    printed: list[str] = []
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number + 1}", "docs/python.md", 0)
        test.globs = names
        runner.run(test, out=printed.append, clear_globs=False)
    assert not printed, "".join(printed)


def test_a_shipped_pack_goes_before_a_folder_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load("base").locks == base().locks
    with pytest.raises(CannotRunError, match="there is no pack `bas`; did you mean `base`"):
        load("bas")
