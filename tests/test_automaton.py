"""Automated seats: tables that have them, and the rules by which they answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dunerules.checker.cache import Cache
from dunerules.game import Game, Rules, load
from dunerules.inspection.whole import check_targets
from dunerules.packs.targets import Target
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, verify
from dunerules.runtime.state import GameError

PACK = {
    "pack.yaml": 'id: wells\nversion: "1.0"\ntitle: Wells\nauthors: [you]\nlicence: MIT\n',
    "game.yaml": """id: wells
title: Wells
seats: {min: 3, max: 4}
tables:
  - {players: 1, seats: 3, automated: 2}
  - {players: 2, seats: 3, automated: 1}
options:
  thirst: {values: [mild, great], default: mild, players: [1]}
""",
    "words.yaml": """traits:
  colour: [red, blue, green]
kinds:
  well: {role: place, fields: {depth: number}}
  jar: {fields: {size: number}}
counters:
  drunk: {per: seat}
  left: {per: well, start: 5}
  liked: {per: [seat, colour]}
pieces:
  camel: {count: 4, pools: [home, away], home: home}
zones:
  shelf: {per: game, holds: jar, sight: all}
  bag: {per: seat, holds: jar, sight: owner}
""",
    "wells.yaml": "kind: well\nobjects:\n  near: {depth: 1}\n  far: {depth: 3}\n  old: {depth: 3}\n",
    "jars.yaml": """kind: jar
defaults: {start: shelf}
objects:
  cup: {size: 1, copies: 1}
  pot: {size: 2, copies: 1}
  vat: {size: 2, copies: 1}
  tub: {size: 3, copies: 1}
""",
}


SCORE = "scoring: {score: drunk}\n"


def written(tmp_path: Path, turn: str, automaton: str = "", rest: str = SCORE) -> Path:
    for name, text in PACK.items():
        (tmp_path / name).write_text(text, "utf-8")
    rules = f"flow: each seat {{ turn }}\nprocedures:\n  turn: {turn}\n{rest}"
    (tmp_path / "rules.yaml").write_text(rules + (f"automaton:\n{automaton}" if automaton else ""), "utf-8")
    return tmp_path


def wells(tmp_path: Path, turn: str, automaton: str = "", rest: str = SCORE) -> Rules:
    return load(written(tmp_path, turn, automaton, rest))


DRINK = "choose 1 well as w { lose 1 left at w, gain (depth of w) drunk }"


def drunk(game: Game) -> list[int]:
    return [int(game.view().counters[f"drunk of seat {seat}"].value or 0) for seat in (1, 2, 3)]


# ---- tables


def test_a_number_of_players_has_its_table(tmp_path: Path) -> None:
    rules = wells(tmp_path, "if automated { gain 2 drunk } else { gain count(seat[not automated]) drunk }")
    for players, seats, expected in ((1, 3, [1, 2, 2]), (2, 3, [2, 2, 2]), (3, 3, [3, 3, 3])):
        game = rules.game(players=players)
        assert (game.seats, game.players, drunk(game)) == (seats, players, expected)
    assert rules.game(seats=3).players == 3
    with pytest.raises(CannotRunError, match="1, 2, 3, 4 players, not 5"):
        rules.game(players=5)
    with pytest.raises(CannotRunError, match="3 to 4 seats, not 2"):
        rules.game(seats=2)


def test_an_option_may_be_for_some_tables_only(tmp_path: Path) -> None:
    rules = wells(tmp_path, "if thirst = great { gain 3 drunk } else { gain 1 drunk }", "  - {decides: first}\n")
    assert drunk(rules.game(players=1, options={"thirst": "great"})) == [3, 3, 3]
    assert list(rules.ruleset.options_for(1)) == ["thirst"]
    assert list(rules.ruleset.options_for(2)) == []
    with pytest.raises(CannotRunError, match="option `thirst` is for games of 1, not of 2"):
        rules.game(players=2, options={"thirst": "great"})


def test_only_some_seats_can_win(tmp_path: Path) -> None:
    among = 'scoring: {score: drunk, among: "seat[not automated]"}\n'
    game = wells(tmp_path, "if automated { gain 9 drunk }", rest=among).game(players=2)
    assert game.winners == (1, 2)
    assert [seat for seat, _ in game.standings()] == [1, 2]


# ---- answers


def test_a_ranked_place_is_taken_and_equal_ones_are_decided(tmp_path: Path) -> None:
    ranked = "  - {asked: well, least: depth of it, decides: first}\n"
    game = wells(tmp_path, DRINK, ranked).game(players=1)
    game.answer(1)
    assert game.over
    assert drunk(game) == [3, 1, 1]
    tied = '  - {asked: well, most: depth of it, decides: "seat[not automated]"}\n'
    game = wells(tmp_path, DRINK, tied).game(players=1)
    game.answer(0)
    question = game.question
    assert question is not None
    assert (question.seat, question.acting, question.names) == (1, 2, ("far", "old"))
    assert game.view(1).question == question
    loaded = Game.load(game.rules, json.loads(json.dumps(game.save())))
    for each in (game, loaded):
        each.answer(1)
        each.answer(0)
        assert each.view(1).counters["left at old"].value == 4
    assert loaded.hash() == game.hash()


def test_chance_decides_and_the_game_can_be_replayed(tmp_path: Path) -> None:
    rules = wells(tmp_path, DRINK, "  - {decides: chance}\n")
    recorder = Recorder(rules.game(players=1, seed=5), every=1)
    recorder.answer(0)
    assert recorder.game.over
    assert verify(rules, recorder.replay()) is None
    found = set()
    for seed in range(12):
        game = rules.game(players=1, seed=seed)
        game.answer(0)
        found.add(tuple(drunk(game)))
    assert found == {(1, 1, 1), (1, 1, 3), (1, 3, 1), (1, 3, 3)}


def test_of_several_the_sure_ones_are_settled_and_the_rest_is_asked(tmp_path: Path) -> None:
    turn = "if automated { move 2 jar from shelf to bag }"
    rules = wells(tmp_path, turn, "  - {asked: jar, most: size of it, decides: next of you}\n")
    game = rules.game(players=2)
    question = game.question
    assert question is not None
    assert (question.seat, question.low, question.high, question.names) == (1, 1, 1, ("pot", "vat"))
    loaded = Game.load(game.rules, json.loads(json.dumps(game.save())))
    loaded.answer(1)
    zones = loaded.view(3).zones
    assert sorted(zones["bag of seat 3"].ids) == ["tub", "vat"]


def test_every_sort_of_question_has_a_rule(tmp_path: Path) -> None:
    turn = """|-
    if automated {
      may { gain 1 drunk },
      pay 1 drunk -> gain 10 drunk,
      move up to 3 camel from home to away,
      choose 1 { gain 100 drunk | gain 200 drunk },
      choose 1 colour as k { gain 1 liked with k },
      choose 1 opponent as o { gain 1000 drunk of o },
      any order { gain 1 left at near | gain 1 left at far },
      offer deeds
    }"""
    body = turn.replace("pay 1 drunk -> gain 10 drunk", "{ pay 1 drunk -> gain 10 drunk }")
    automaton = """  - {asked: may, accept: true}
  - {asked: pay, accept: false}
  - {asked: number, most: it, decides: first}
  - {asked: option, decides: first}
  - {asked: colour, if: drunk >= 100, least: liked with it, decides: first}
  - {asked: seat, most: drunk of it, decides: first}
  - {asked: order, decides: first}
  - {asked: deeds, decides: first}
"""
    moves = "moves:\n  sing: {group: deeds, do: gain 5 drunk}\n  sleep: {group: deeds, do: gain 6 drunk}\n"
    game = wells(tmp_path, body, automaton, moves + "scoring: {score: drunk}\n").game(players=2)
    assert game.over
    assert drunk(game) == [1000, 0, 106]
    assert game.view(1).pieces["camel in away of seat 3"].count == 3


def test_what_no_rule_covers_is_named(tmp_path: Path) -> None:
    rules = wells(tmp_path, DRINK, "  - {asked: colour, decides: first}\n")
    game = rules.game(players=1)
    with pytest.raises(GameError, match=r"seat 2 answers a question about `well` with 3 options, in turn"):
        game.answer(0)
    nobody = wells(tmp_path, DRINK, '  - {decides: "seat[automated]"}\n')
    with pytest.raises(GameError, match="leaves a question of seat 2 to nobody who plays"):
        nobody.game(players=1).answer(0)


# ---- the checker


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{asked: wel, decides: first}", "DR416 nobody is asked about `wel`"),
        ("{asked: well, most: depht of it, decides: first}", "DR404 unknown trait or field `depht`"),
        ("{asked: well, most: left at it, decides: first}", ""),
        ("{asked: well, most: drunk}", "DR102 key `decides` is missing"),
        ("{asked: option, most: drunk, decides: first}", "DR105 `most` where nothing can be ranked"),
        ("{asked: well, accept: true}", "DR105 `accept` where the answer is not yes or no"),
        ("{asked: well, most: drunk, least: drunk, decides: first}", "DR105 a rule that answers in two ways"),
        ("{decides: shelf}", "DR504 this is"),
        ("{decides: first}\n  - {asked: well, decides: chance}", "DR610 the rule can never apply"),
        ("{asked: well, decides: first}\n  - {asked: well, decides: chance}", "DR610 the rule can never apply"),
        ("{asked: well, if: drunk >= 1, decides: first}\n  - {asked: well, decides: chance}", ""),
        ("{asks: well, decides: first}", "DR101 unknown key `asks`"),
    ],
)
def test_the_checker_reads_rules(rule: str, said: str, tmp_path: Path) -> None:
    written(tmp_path, DRINK)
    path = tmp_path / "rules.yaml"
    path.write_text(path.read_text("utf-8") + f"automaton:\n  - {rule}\n", "utf-8")
    problems = check_targets([Target(tmp_path)], Cache(None)).problems
    found = [f"{each.code} {each.message}" for each in problems]
    assert any(each.startswith(said) for each in found) if said else not found, found


def test_the_checker_misses_what_automated_seats_do(tmp_path: Path) -> None:
    written(tmp_path, DRINK)
    said = [each.message for each in check_targets([Target(tmp_path)], Cache(None)).problems]
    assert said == ["nothing says what automated seats do"]
    written(tmp_path, f"if not automated {{ {DRINK} }}")
    assert check_targets([Target(tmp_path)], Cache(None)).problems == []


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ("[{players: 1, seats: 3, automated: 1}]", "DR105 3 seats for 1 and 1"),
        ("[{players: 3, seats: 4, automated: 1}]", "DR201 two tables for 3 players"),
        ("[{players: 1, seats: 3}]", "DR102"),
        ("[{players: 1, seats: 2, automated: 1}, {players: 1, seats: 3, automated: 2}]", "DR201 two tables"),
    ],
)
def test_the_checker_reads_tables(tables: str, said: str, tmp_path: Path) -> None:
    written(tmp_path, DRINK)
    (tmp_path / "game.yaml").write_text(
        f"id: wells\ntitle: Wells\nseats: {{min: 3, max: 4}}\ntables: {tables}\n", "utf-8"
    )
    problems = check_targets([Target(tmp_path)], Cache(None)).problems
    assert [each for each in problems if f"{each.code} {each.message}".startswith(said)], problems
