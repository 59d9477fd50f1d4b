"""Abilities: what is announced, who reacts, what is replaced and modified, and how games end. All on made-up packs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from dunerules.checker.snippets import snippet_files
from dunerules.game import Game, load
from dunerules.runtime.asking import asking
from dunerules.runtime.state import GameError
from dunerules.scenarios.record import Scenario, read_scenarios
from dunerules.scenarios.report import shown_failure, shown_problem
from dunerules.scenarios.run import play
from dunerules.scenarios.stage import Book, load_book
from dunerules.speech.questions import option, prompt
from dunerules.speech.speaker import Speaker
from dunerules.understanding.desk import Desk

from .support import write_files

PACK = """\
=== pack.yaml
id: probe
version: "1.0"
title: Probe
authors: [you]
licence: CC0-1.0
=== game.yaml
id: probe
title: Probe
seats: {min: 2, max: 4}
first: leading
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card:
    fields:
      cost: number
      colours: {type: colour, many: true, tag: true}
    slots:
      play: effect
    active: [table, shelf]
  spot: {role: place}
counters:
  gold: {per: seat}
  debt: {per: seat, min: -5}
  fame: {per: [seat, colour], max: 10}
  pot: {per: game, thresholds: [{at: 3, up: gain 1 debt}, {at: 5, up: gain 1 debt of leading, down: gain 2 gold}]}
  bid: {per: seat, hidden: true}
  leading: {per: game, holds: seat}
pieces:
  cube: {count: 8, pools: [stock, camp], home: stock, places: spot}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  pile: {per: seat, holds: card, sight: all}
  shelf: {per: game, holds: card, sight: all}
  box: {per: game, holds: card, sight: all}
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour}
  hill:
    name: Hill
    abilities:
      - {when: anyone sing, if: debt = 1, do: gain 1 fame with red}
=== verbs.yaml
verbs:
  take: {takes: {n: amount}, do: move top n card from deck to hand}
  sing: gain 0 debt  # dunerules: ignore[DR605]: only to be heard
  curse: gain 1 debt
  hail: {takes: {c: counter, s: to seat}, do: gain 0 debt}  # dunerules: ignore[DR605]: only to be heard
  burn: {takes: {z: zone}, do: move all card from z to box}
  collect: {takes: {n: amount}, do: gain n fame with red}
  watch: {takes: {z: zone, n: quantity}, do: "until end game { when you sing { move n card from z to pile } }"}
values:
  power: {takes: {s: of seat = you}, is: gold of s + 1}
  income: gold + 1
  rich: {takes: {s: of seat = you}, is: gold of s > 100}
=== rules.yaml
flow: repeat 3 { each seat { turn } }
procedures:
  turn: {do: "take 1, offer actions"}
  rest: gain 1 gold
  nap: gain 1 debt, leave nap, gain 1 debt
moves:
  play_card:
    group: actions
    takes: {c: card in hand}
    do: move c from hand to table, run play of c
abilities:
  - {when: anyone sing, if: debt = 2, do: gain 1 fame with blue}
  - {while: income + 10, if: pot = 1}
scoring:
  score: gold
=== cards.yaml
kind: card
defaults: {start: box, copies: 3}
objects:
  coin: {name: Coin, cost: 2, colours: [red]}
  ring: {name: Ring, cost: 3, colours: [blue]}
  rope: {name: Rope, cost: 1}
  lost_from_camp: {name: A, abilities: [{when: you lose cube from camp, do: gain n gold}]}
  moved_to_camp: {name: B, abilities: [{when: you move cube to camp, do: gain n gold}]}
  moved_to_hill: {name: C, abilities: [{when: anyone move cube of you from stock to hill, do: gain n gold}]}
  red_from_hand: {name: D, abilities: [{when: "you move card[red] from hand", do: gain n gold}]}
  to_pile: {name: E, abilities: [{when: anyone move card to pile of you, do: gain n gold}]}
  sees: {name: F, abilities: [{when: you look coin, do: gain n gold}, {when: you reveal hand, do: gain n debt}]}
  chance: {name: G, abilities: [{when: you shuffle deck, do: gain 1 gold}, {when: you roll, do: gain sides debt}]}
  hears_set: {name: H, abilities: [{when: you set gold, do: gain n debt}]}
  mine: {name: I, abilities: [{when: anyone gain gold of you, do: gain n debt}]}
  hailed: {name: J, abilities: [{when: anyone hail gold of opponent, do: gain 1 debt of actor}]}
  burnt: {name: K, abilities: [{when: you burn hand, do: gain 1 gold}]}
  free: {name: L, abilities: [{when: anyone sing, do: gain 1 gold}]}
  other: {name: M, abilities: [{when: you sing, do: gain 3 gold}]}
  no_gain: {name: N, abilities: [{instead: you gain gold, do: gain n fame with red}]}
  no_loss: {name: O, abilities: [{instead: you lose gold, do: gain n debt}]}
  no_set: {name: P, abilities: [{instead: anyone set gold, do: gain n debt}]}
  no_lost_cube: {name: Q, abilities: [{instead: you lose cube from camp, do: gain n debt}]}
  no_move: {name: R, abilities: [{instead: you move cube to camp, do: gain n debt}]}
  no_rest: {name: S, abilities: [{instead: you start rest, do: gain 2 debt}]}
  doubler: {name: T, abilities: [{instead: you take, do: take (n * 2)}]}
  no_curse: {name: U, abilities: [{instead: you curse, do: "choose 1 { reveal this | curse }"}]}
  no_collect: {name: V, abilities: [{instead: you collect, do: gain 1 debt}]}
  no_take: {name: W, abilities: [{instead: opponent take, do: gain 1 gold}]}
  banner: {name: X, abilities: [{while: power + 2}]}
  purse: {name: Y, abilities: [{while: income + 2}, {while: rich}]}
  judge: {name: Z, abilities: [{while: power of opponent * 3, if: gold >= 1}]}
  once: {name: AA, abilities: [{when: you sing, limit: 1 per game, do: gain 1 gold}]}
"""

SCENARIOS = """\
seats: 3
given: {leading: seat 1}
scenarios:
  what an event tells is known in the if and the body of a lasting reaction:
    given: {deck of seat 1: [coin, ring, rope]}
    start: until end turn { when anyone take if actor = you and n > 1 { gain n gold } }, take 1, take 2 of seat 1
    expect: {lasting: 1, seat 1: {gold: 2, moved: {coin: deck -> hand, ring: deck -> hand, rope: deck -> hand}}}
  and of a lasting replacement, with names from around it:
    given: {deck of seat 1: [coin, ring, rope], gold of seat 1: 5}
    start: |-
      let k = gold { until end turn { instead you take if n > 1 and k > n { gain (k + n) debt } } }, lose 5 gold,
      take 2 of seat 1
    expect: {lasting: 1, seat 1: {gold: -5, debt: 7}}
  a name from around is not lost to the event:
    start: let n = 7 { until end turn { when you gain debt if n = 7 { gain n gold } } }, gain 1 debt of seat 1
    expect: {lasting: 1, seat 1: {gold: 7, debt: 1}}
  zones and quantities are kept by what lasts:
    given: {hand of seat 1: [coin, ring], hand of seat 2: [rope]}
    start: watch hand up to 1, sing of seat 1
    do: [[ring]]
    expect: {lasting: 1, seat 1: {moved: {ring: hand -> pile}}}
  what lasts is the acting seat's, whosever effect makes it:
    start: each opponent { until end turn { when you sing { gain 1 gold } } }, each seat { sing } of seat 1
    expect: {lasting: 2, seat 2: {gold: 1}, seat 3: {gold: 1}}
  reactions to what ends them still run, also their own:
    start: until you gain debt { when you gain debt { gain n gold } }, gain 2 debt, gain 1 debt of seat 1
    expect: {seat 1: {gold: 2, debt: 3}}
  reactions of what ends run once more:
    given: {hand of seat 1: [coin]}
    start: until you end rest { when you end rest { gain 5 debt } }, rest, rest of seat 1
    expect: {seat 1: {gold: 2, debt: 5}}

  pieces tell where they were lost from:
    given: {table of seat 1: [lost_from_camp], cube in camp of seat 1: 3}
    start: lose 2 cube from camp of seat 1
    expect: {seat 1: {gold: 2, cube in camp: -2, cube in stock: "+2"}}
  and whose they are, whoever makes them lose them:
    given: {table of seat 2: [lost_from_camp], cube in camp of seat 2: 3}
    start: choose 1 opponent[cube in camp >= 1] as o { lose 1 cube of o from camp } of seat 1
    expect: {seat 2: {gold: 1, cube in camp: -1, cube in stock: "+1"}}
  a place is not a pool:
    given: {table of seat 1: [lost_from_camp], cube at hill of seat 1: 1}
    start: lose 1 cube from hill of seat 1
    expect: {seat 1: {cube at hill: -1, cube in stock: "+1"}}
  pieces tell where they go:
    given: {table of seat 1: [moved_to_camp], cube in camp of seat 1: 1}
    start: move 2 cube from stock to camp, move 1 cube from camp to stock of seat 1
    expect: {seat 1: {gold: 2, cube in camp: "+1", cube in stock: -1}}
  places and owners of pieces:
    given: {table of seat 2: [moved_to_hill]}
    start: |-
      move 1 cube from stock to hill,
      each opponent as o { move 2 cube of o from stock to hill, move 1 cube of o from stock to harbour } of seat 1
    expect:
      seat 1: {cube at hill: 1, cube in stock: -1}
      seat 2: {gold: 2, cube at hill: 2, cube at harbour: 1, cube in stock: -3}
      seat 3: {cube at hill: 2, cube at harbour: 1, cube in stock: -3}
  any of several things may fit, and those that do are counted:
    given: {table of seat 1: [red_from_hand], hand of seat 1: [ring, coin, rope, coin], deck of seat 1: [coin]}
    start: move all card from hand to pile, move all card from deck to pile of seat 1
    expect:
      seat 1:
        gold: 2
        moved: {ring: hand -> pile, coin: [hand -> pile, hand -> pile, deck -> pile], rope: hand -> pile}
  of one step each thing by where it was:
    given: {table of seat 1: [red_from_hand], hand of seat 1: [coin], deck of seat 1: [coin]}
    start: move all card[coin] from deck/hand to pile of seat 1
    expect: {seat 1: {gold: 1, moved: {coin: [hand -> pile, deck -> pile]}}}
  zones of others:
    given: {table of seat 2: [to_pile], hand of seat 1: [coin]}
    start: choose 1 opponent[count(table) = 1] as o { move all card from hand to pile of o } of seat 1
    expect: {gold of seat 2: 1, moved: {coin: hand of seat 1 -> pile of seat 2}}
  looking and revealing:
    given: {table of seat 1: [sees], deck of seat 1: [coin, ring, coin], hand of seat 1: [rope, ring]}
    start: look top 3 card from deck, reveal hand, look top 1 card from pile of seat 1
    expect: {seat 1: {gold: 2, debt: 2}}
  shuffling and rolling:
    given: {table of seat 1: [chance]}
    start: shuffle deck, shuffle hand, roll 6, roll 4 of seat 1
    expect: {seat 1: {gold: 1, debt: 10}}
  set tells by how much:
    given: {table of seat 1: [hears_set], gold of seat 1: 5}
    start: set gold to 2, set gold to 2 of seat 1
    expect: {seat 1: {gold: -3, debt: 3}}
  whose counter a pattern says:
    given: {table of seat 2: [mine]}
    start: gain 1 gold, each opponent as o { gain 2 gold of o } of seat 1
    expect: {seat 1: {gold: 1}, seat 2: {gold: 2, debt: 2}, seat 3: {gold: 2}}
  a counter that a verb was called with:
    given: {table of seat 1: [hailed]}
    start: hail gold to you, hail debt to you, each opponent { hail gold to you } of seat 1
    expect: {seat 2: {debt: 1}, seat 3: {debt: 1}}
  a zone that a verb was called with:
    given: {table of seat 1: [burnt]}
    start: burn hand, burn pile of seat 1
    expect: {gold of seat 1: 1}

  a thing that nobody holds acts for whoever did it:
    given: {shelf: [free]}
    start: each opponent { sing } of seat 1
    expect: {seat 2: {gold: 1}, seat 3: {gold: 1}}
  abilities of places come before the own ones, and all are found before any runs:
    given: {table of seat 1: [free], debt of seat 1: 1}
    start: sing of seat 1
    expect: {seat 1: {gold: 1, fame with red: 1}}
  own reactions are run in the order the seat likes:
    given: {table of seat 1: [free, other], table of seat 2: [free]}
    start: sing of seat 1
    do: [only_offered: [reaction free, reaction other], reaction other]
    expect: {gold of seat 1: 4, gold of seat 2: 1}
  lasting reactions are told from each other:
    start: until end turn { when you sing { gain 1 gold }, when you sing { gain 1 debt } }, sing of seat 1
    do:
      - only_offered: ["reaction when you sing { gain 1 gold }", "reaction when you sing { gain 1 debt }"]
      - "reaction when you sing { gain 1 debt }"
    expect: {lasting: 1, seat 1: {gold: 1, debt: 1}}
  a limit counts:
    given: {table of seat 1: [once]}
    start: sing, sing, sing of seat 1
    expect: {gold of seat 1: 1}

  gain is replaced:
    given: {table of seat 1: [no_gain]}
    start: gain 3 gold as n { gain n debt }, each opponent { gain 1 gold } of seat 1
    expect: {fame of seat 1 with red: 3, gold of seat 2: 1, gold of seat 3: 1}
  what would not change is not replaced:
    given: {table of seat 1: [no_loss]}
    start: lose 2 gold of seat 1
    expect: {}
  lose is replaced, and n is what it would have been:
    given: {table of seat 1: [no_loss], gold of seat 1: 2}
    start: lose 5 gold of seat 1
    expect: {debt of seat 1: 2}
  a replaced cost is paid:
    given: {table of seat 1: [no_loss], gold of seat 1: 2}
    start: lose 1 gold -> gain 1 fame with blue of seat 1
    do: [true]
    expect: {seat 1: {debt: 1, fame with blue: 1}}
  pay is not lose:
    given: {table of seat 1: [no_loss], gold of seat 1: 2}
    start: pay 1 gold -> gain 1 fame with blue of seat 1
    do: [true]
    expect: {seat 1: {gold: -1, fame with blue: 1}}
  set is replaced:
    given: {table of seat 2: [no_set], gold of seat 1: 2}
    start: set gold to 6 of seat 1
    expect: {debt of seat 2: 4}
  lost pieces are replaced:
    given: {table of seat 1: [no_lost_cube], cube in camp of seat 1: 3, cube at hill of seat 1: 1}
    start: lose 2 cube from camp as n { gain n gold }, lose 1 cube from hill of seat 1
    expect: {seat 1: {debt: 2, cube at hill: -1, cube in stock: "+1"}}
  moved pieces are replaced:
    given: {table of seat 1: [no_move]}
    start: move up to 2 cube from stock to camp, move 1 cube from stock to hill of seat 1
    do: [2]
    expect: {seat 1: {debt: 2, cube at hill: 1, cube in stock: -1}}
  the start of a procedure is replaced, and neither it nor its end is announced:
    given: {table of seat 1: [no_rest]}
    start: until you end rest { when you start rest { gain 5 gold } }, rest of seat 1
    expect: {debt of seat 1: 2, lasting: 1}
  a replacement may do what it replaces:
    given: {table of seat 1: [doubler], deck of seat 1: [coin, ring, rope]}
    start: take 1 of seat 1
    expect: {seat 1: {moved: {coin: deck -> hand, ring: deck -> hand}}}
  each copy replaces once:
    given: {table of seat 1: [doubler, doubler], deck of seat 1: [coin, ring, rope, coin, ring]}
    start: take 1 of seat 1
    expect: {seat 1: {moved: {2 coin: deck -> hand, ring: deck -> hand, rope: deck -> hand}}}
  a lasting one too:
    given: {deck of seat 1: [coin, ring, rope]}
    start: until end turn { instead you take { take (n + 1) } }, take 1 of seat 1
    expect: {lasting: 1, seat 1: {moved: {coin: deck -> hand, ring: deck -> hand}}}
  a replacement may let it happen:
    given: {table of seat 1: [no_curse]}
    start: curse of seat 1
    do: [curse]
    expect: {debt of seat 1: 1}
  what a replaced verb of a pack gives is nothing:
    given: {table of seat 1: [no_collect], gold of seat 1: 3}
    start: collect 2 as n { gain n fame with blue } of seat 1
    expect: {debt of seat 1: 1}
  the thing a replaced verb would give is no thing at all:
    given: {table of seat 2: [no_take], deck of seat 1: [coin], hand of seat 1: [ring]}
    start: take 1 as c { move c from hand to pile } of seat 1
    expect: {gold of seat 2: 1}

  a modifier is about the seat that has it, whoever asks:
    given: {table of seat 2: [banner]}
    start: each seat as o { gain (power of o) debt }, choose 1 opponent[power = 3] as o { gain 1 gold of o } of seat 1
    expect: {seat 1: {debt: 1}, seat 2: {debt: 3, gold: 1}, seat 3: {debt: 1}}
  and not about others that its seat asks about:
    given: {table of seat 1: [banner]}
    start: each opponent as o { gain (power of o) debt of o } of seat 1
    expect: {debt of seat 2: 1, debt of seat 3: 1}
  a value that is about no seat is changed when its seat asks:
    given: {table of seat 1: [purse]}
    start: each seat { gain income debt } of seat 1
    expect: {debt of seat 1: 3, debt of seat 2: 1, debt of seat 3: 1}
  a plain grant is for the seat that has it too:
    given: {table of seat 2: [purse]}
    start: each seat as o { if rich of o { gain 1 debt of o } }, if rich { gain 1 gold } of seat 1
    expect: {debt of seat 2: 1}
  a modifier that names seats:
    given: {table of seat 1: [judge], gold of seat 1: 1}
    start: each seat as o { gain (power of o) debt of o } of seat 1
    expect: {debt of seat 1: 2, debt of seat 2: 3, debt of seat 3: 3}
  of a thing that nobody holds, for everybody:
    given: {shelf: [banner]}
    start: each seat as o { gain (power of o) debt of o } of seat 1
    expect: {debt of seat 1: 3, debt of seat 2: 3, debt of seat 3: 3}
  of the game, for everybody:
    given: {pot: 1}
    start: each seat { gain income debt } of seat 1
    expect: {debt of seat 1: 11, debt of seat 2: 11, debt of seat 3: 11}

  thresholds of a counter of the game are for the acting seat:
    start: gain 5 pot of seat 2
    expect: {pot: 5, debt of seat 2: 1, debt of seat 1: 1}
  and are done before reactions are looked for:
    start: until end turn { when you gain pot if debt = 1 { gain 1 gold } }, gain 3 pot of seat 2
    expect: {pot: 3, lasting: 1, seat 2: {debt: 1, gold: 1}}
  where nobody acts those that want a seat are not done:
    start: gain 5 pot
    expect: {pot: 5, debt of seat 1: 1}
  what lasts for nobody acts for whoever does it:
    start: "until end turn { when anyone sing { gain 1 gold }, while income + 4 }, each seat { sing, gain income debt }"
    expect: {lasting: 1, seat 1: {gold: 1, debt: 6}, seat 2: {gold: 1, debt: 6}, seat 3: {gold: 1, debt: 6}}
  and not at all where nobody does:
    start: "until end turn { when gain pot { gain 1 gold }, when gain pot { gain 1 gold of leading } }, gain 1 pot"
    expect: {lasting: 1, pot: 1, gold of seat 1: 1}
  what nobody does is no end of what lasts until somebody does it:
    start: "until you gain pot { when anyone sing { gain 1 gold } }, gain 1 pot, each seat { sing, gain 1 pot }"
    expect: {pot: 4, gold of seat 1: 1, debt of seat 2: 1}

  leaving what is not running does nothing:
    start: leave rest, gain 1 gold of seat 1  # dunerules: ignore
    expect: {gold of seat 1: 1}
  leaving what is running ends it:
    start: nap, gain 1 gold of seat 1
    expect: {seat 1: {gold: 1, debt: 1}}
  nobody does not win:
    given: {leading: nobody}
    start: win leading, gain 1 gold of seat 1
    expect: {gold of seat 1: 1}
"""


@cache
def probe() -> tuple[Path, Book]:
    root = write_files(Path(mkdtemp()) / "probe", snippet_files(PACK))
    return root, load_book((str(root),))


@cache
def scenarios() -> Mapping[str, Scenario]:
    root, _ = probe()
    write_files(root, {"scenarios/all.yaml": SCENARIOS})
    file = read_scenarios(root / "scenarios" / "all.yaml")
    assert not file.problems, "\n".join(map(shown_problem, file.problems))
    return {each.name: each for each in file.scenarios}


NAMES = [
    line[2:-1] for line in SCENARIOS.partition("scenarios:")[2].splitlines() if line[:3].strip() and line[:2] == "  "
]


@pytest.mark.parametrize("name", NAMES)
def test_an_ability_does_what_the_page_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "for_nobody", lambda *_: None)  # some begin what is refused elsewhere
    outcome = play(scenarios()[name], probe()[1])
    assert outcome.passed, shown_failure(outcome)


# ---- whole games


def played(tmp_path: Path, rules: str, cards: str = "", seats: int = 3) -> Game:
    """A game of the made-up pack with other rules, run to its first decision or its end."""
    files = {**snippet_files(PACK), "rules.yaml": rules} | ({"cards.yaml": cards} if cards else {})
    return load(write_files(tmp_path, files)).game(seats=seats)


def cells(game: Game, counter: str) -> list[int]:
    """A counter, seat by seat."""
    found = game.machine.table.layout.cells[counter]
    return game.state.cells[found.base : found.base + found.size]


BARE = "kind: card\nobjects:\n  coin: {name: Coin, start: box}\n"


def test_an_ability_that_wants_a_seat_sleeps_where_nobody_acts(tmp_path: Path) -> None:
    rules = """\
setup: each seat { set leading to you }
flow: gain 5 pot, lose 2 pot, peace
procedures:
  peace: gain 1 pot
abilities:
  - {when: gain pot, do: gain 1 gold}
  - {when: gain pot, do: "each seat { gain 1 debt }"}
  - {when: anyone start peace, if: gold = 0, do: gain 1 pot}
  - {instead: lose pot, if: gold = 0, do: gain 1 pot}
  - {instead: you gain pot, do: gain 1 debt}
  - {while: income + 10, if: gold = 0}
scoring: {score: gold}
"""
    cards = """\
kind: card
objects:
  idle: {name: Idle, start: shelf, abilities: [{when: start peace, do: gain 7 gold}, {when: gain pot, do: gain 9 gold}]}
"""
    game = played(tmp_path, rules, cards)
    assert game.over
    assert cells(game, "gold") == [0, 0, 0]
    assert cells(game, "pot") == [4]
    assert cells(game, "debt") == [2, 2, 3], "those that name their seats do react, and so does a threshold"


END = """\
flow: repeat 2 {{ each seat {{ turn }} }}
procedures:
  turn: gain 1 gold
  last: gain 1 debt of leading
setup: each seat {{ set leading to you }}
end:
  if: {condition}
  at: end {event}
  do: last, gain 10 pot  # of which a threshold makes a debt too
scoring: {{score: gold}}
"""


@pytest.mark.parametrize(
    ("condition", "event", "gold"),
    [
        ("pot > 100", "turn", [2, 2, 2]),
        ("count(seat[gold >= 1]) = 2", "turn", [1, 0, 1]),
        ("pot = 0", "last", [2, 2, 2]),
    ],
)
def test_the_end_is_done_once_however_the_game_comes_to_it(
    condition: str, event: str, gold: list[int], tmp_path: Path
) -> None:
    game = played(tmp_path, END.format(condition=condition, event=event), BARE)
    assert game.over
    assert (cells(game, "gold"), cells(game, "pot"), sum(cells(game, "debt"))) == (gold, [10], 2)


def test_winning_ends_the_game_at_once(tmp_path: Path) -> None:
    rules = """\
flow: each seat { turn }, gain 1 pot
procedures:
  turn: gain 1 gold, choose 1 { win next of you | gain 2 bid }, gain 50 gold
end: {if: pot > 100, at: end turn, do: gain 10 pot}
scoring: {score: gold}
"""
    game = played(tmp_path, rules, BARE)
    game.answer(0)
    assert game.over
    assert game.winners == (2,)
    assert not game.questions
    assert (cells(game, "gold"), cells(game, "pot")) == ([1, 0, 0], [0])


STRANDS = """\
setup: each seat {{ set leading to you }}
flow: each seat[leading = you] {{ vote }}, each seat {{ gain 1 gold }}
procedures:
  vote: ballot, gain 10 gold
  ballot: secretly each seat {{ choose 1 {{ gain 2 bid | leave {left} }}, gain 1 bid }}, gain 100 gold
scoring: {{score: gold}}
"""


@pytest.mark.parametrize(
    ("left", "gold", "bid"),
    [
        ("ballot", [1, 1, 11], [0, 3, 0]),  # it and all parts are over
        ("vote", [1, 1, 1], [0, 3, 0]),
    ],
)
def test_what_is_left_while_seats_are_asked_at_once(left: str, gold: list[int], bid: list[int], tmp_path: Path) -> None:
    game = played(tmp_path, STRANDS.format(left=left), BARE)
    game.answer(0, seat=2)
    game.answer(1, seat=1)
    assert game.over
    assert cells(game, "gold") == gold
    assert cells(game, "bid") == bid


def test_a_circle_names_what_goes_round(tmp_path: Path) -> None:
    rules = """\
flow: each seat { greet }
procedures:
  greet: gain 1 gold
scoring: {score: gold}
"""
    cards = """\
kind: card
defaults: {start: table}
objects:
  echo: {name: Echo, abilities: [{when: you gain gold, do: gain 1 debt}]}
  answer: {name: Answer, abilities: [{when: you gain debt, do: gain 1 gold}]}
"""
    with pytest.raises(GameError, match=r"reaction echo -> reaction answer -> reaction echo"):
        played(tmp_path, rules, cards)


def test_only_so_many_effects_last_at_once(tmp_path: Path) -> None:
    rules = """\
flow: each seat { repeat 2000 { until start peace { when you gain debt { gain 1 gold } } } }
procedures:
  peace: gain 1 pot
scoring: {score: gold}
"""
    with pytest.raises(GameError, match="lasting effects"):
        played(tmp_path, rules, BARE)


ORDER = """\
flow: each seat { until end game { when you sing { gain 1 gold }, when you sing { gain 2 debt } } }, each seat { sing }
scoring: {score: gold}
"""

TWO = """\
kind: card
defaults: {start: table}
objects:
  lute: {name: Lute, abilities: [{when: you sing, do: gain 3 gold}]}
  horn: {name: Horn, abilities: [{when: you sing, do: gain 3 debt}]}
"""


@pytest.mark.parametrize("language", ["en", "pl", "cs"])
def test_the_order_of_reactions_can_be_asked_of_people(language: str, tmp_path: Path) -> None:
    game = played(tmp_path, ORDER, TWO)
    asked = game.state.pending
    assert asked is not None
    speaker = Speaker(game.rules.printer(language), game, ("human",) * 3, 0)
    assert prompt(speaker, asked)
    shown = [option(speaker, asked, number)[0] for number in range(len(asked.options))]
    assert ["lute" in shown[0].lower(), "horn" in shown[1].lower()] == [True, True]
    assert len(set(shown)) == 4
    assert "1" in shown[2]
    assert "2" in shown[3]


def test_an_order_of_reactions_refuses_by_name(tmp_path: Path) -> None:
    game = played(tmp_path, ORDER, TWO)
    lasting = ("reaction when you sing { gain 1 gold }", "reaction when you sing { gain 2 debt }")
    assert game.question is not None
    assert game.question.names == ("reaction lute", "reaction horn", *lasting)
    assert [str(reason) for reason in game.why_not("sing")] == ["it is none of the options"]
    assert asking(game.machine, game.state) is None


# ---- every event, whoever waits for it

EVENTS = {
    "gain gold": "gain 1 gold",
    "lose gold": "lose 1 gold",
    "pay gold": "pay 1 gold",
    "set gold": "set gold to 9",
    "gain fame with red": "gain 1 fame with red",
    "gain pot": "gain 1 pot",
    "lose cube from camp": "lose 1 cube from camp",
    "lose cube from hill": "lose 1 cube from hill",
    "move cube to hill": "move 1 cube from stock to hill",
    "move cube from camp": "move 1 cube from camp to harbour",
    "move coin from hand": "move 1 card[coin] from hand to pile",
    "move card[blue] to box": "move all card from deck to box",
    "look ring": "look top 2 card from deck",
    "reveal hand": "reveal hand",
    "shuffle pile": "shuffle pile",
    "roll": "roll 6",
    "sing": "sing",
    "start doze": "doze",
    "end nap": "nap",
}
HOLDERS = {"rule": "anyone", "place": "anyone", "shelf": "anyone", "you": "you", "foe": "opponent"}
LASTING = {"last": "you", "last_foe": "opponent"}


def _ability(number: int, holder: str, who: str, event: str) -> str:
    return f"{{when: '{who} {event}', do: gain 1 heard with e{number}_{holder}}}"


def _listed(holder: str) -> str:
    return ", ".join(_ability(n, holder, HOLDERS[holder], event) for n, event in enumerate(EVENTS))


@cache
def listening() -> Game:
    """A game in which everything that can have an ability waits for every event, and any of them can be done."""
    clauses = ", ".join(
        f"when {who} {event} {{ gain 1 heard with e{number}_{name} }}"
        for number, event in enumerate(EVENTS)
        for name, who in LASTING.items()
    )
    labels = [f"e{number}_{name}" for number in range(len(EVENTS)) for name in (*HOLDERS, *LASTING)]
    moves = "".join(f"  m{n}: {{group: tests, do: '{effect}'}}\n" for n, effect in enumerate(EVENTS.values()))
    files = snippet_files(PACK)
    files["words.yaml"] = files["words.yaml"].replace("[red, blue]", f"[red, blue]\n  hearing: [{', '.join(labels)}]")
    files["words.yaml"] = files["words.yaml"].replace("counters:", "counters:\n  heard: {per: [seat, hearing]}")
    hill = f"  hill: {{name: I, abilities: [{_listed('place')}]}}"
    files["spots.yaml"] = f"kind: spot\nobjects:\n  harbour: {{name: H}}\n{hill}\n"
    files["rules.yaml"] = f"""\
setup: |-
  each seat {{ gain 3 gold, set leading to you, move 3 cube from stock to camp, move 1 cube from stock to hill }}
flow: |-
  each seat {{ until end game {{ {clauses} }} }},
  each seat[leading = you] {{ offer tests }}
procedures:
  doze: gain 1 debt
  nap: leave nap
moves:
{moves}abilities: [{_listed("rule")}]
scoring: {{score: gold}}
"""
    files["cards.yaml"] = f"""\
kind: card
objects:
  coin: {{name: Coin, colours: [red], start: hand}}
  gem: {{name: Gem, colours: [blue], start: hand}}
  ring: {{name: Ring, colours: [blue], start: deck}}
  rope: {{name: Rope, start: deck}}
  yours: {{name: Y, start: table, abilities: [{_listed("you")}]}}
  foes: {{name: F, start: table, abilities: [{_listed("foe")}]}}
  free: {{name: S, start: shelf, abilities: [{_listed("shelf")}]}}
"""
    root = write_files(Path(mkdtemp()) / "listening", files)
    game = load(root).game(seats=3)
    while game.question is not None and game.question.kind != "move":  # what setup does is heard too
        game.answer(0)
    return game


@pytest.mark.parametrize("number", range(len(EVENTS)), ids=list(EVENTS))
def test_an_event_is_heard_by_all_that_wait_for_it_and_by_nobody_else(number: int) -> None:
    game = listening().clone()
    before = cells(game, "heard")
    assert game.question is not None
    game.answer(game.question.names.index(f"m{number}"))
    while not game.over:  # asked for an order of reactions, with effects that last
        game = Game.load(game.rules, json.loads(json.dumps(game.save())))
        game.answer(0)
    labels = [(seat, label) for seat in range(3) for label in game.machine.table.rules.words.families["hearing"]]
    changes = [after - old for after, old in zip(cells(game, "heard"), before, strict=True)]
    found = {label: change for label, change in zip(labels, changes, strict=True) if change}
    acting = {(2, f"e{number}_{name}"): 1 for name in ("rule", "place", "shelf", "you", "last")}
    others = {(seat, f"e{number}_{name}"): 1 for seat in (0, 1) for name in ("foe", "last_foe")}
    assert found == acting | others
