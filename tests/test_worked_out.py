"""What expressions work out: of each of a group."""

from __future__ import annotations

from pathlib import Path

from .test_corners import passes


def test_what_is_asked_of_each(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  a number below zero is the most of all that are there:
    given: {gold of seat 1: 1}
    start: set debt to (most(gold - 4 each seat)) of seat 1
    expect: {debt of seat 1: -3}
  the least of nothing is 0:
    start: set debt to (least(cost - 9 each card in hand)) of seat 1
    expect: {}
  the seat that is asked about is you, and the owner stays:
    given: {gold of seat 1: 1, gold of seat 2: 4, gold of seat 3: 2}
    start: gain (sum(most(gold - gold of owner, 0) each opponent)) debt of seat 1
    expect: {debt of seat 1: 4}
  filters inside and outside:
    given: {table of seat 1: [coin, ring], table of seat 2: [ring, ring, rope]}
    start: gain (sum(count(card[cost >= 2] in table) each seat[card[blue] in table])) gold of seat 1
    expect: {gold of seat 1: 4}
  things of a named group:
    given: {hand of seat 1: [coin, ring, rope]}
    start: choose 2 card in hand as some { gain (sum(cost * cost each some)) gold } of seat 1
    do: [[ring, rope]]
    expect: {gold of seat 1: 10}
  one thing is a group of one, and nothing is none:
    given: {hand of seat 1: [ring], leading: seat 2, gold of seat 2: 3}
    start: >-
      gain (sum(gold + 1 each leading)) gold, set leading to (next of (next of you)),
      gain (most(gold + 1 each leading)) gold of seat 1
    expect: {gold of seat 1: 5, leading: seat 3}
  all of them:
    given: {gold of seat 1: 1, gold of seat 2: 1, gold of seat 3: 1}
    start: if all(gold >= 1 each seat) { gain 1 gold }, if all(gold >= 2 each seat) { gain 5 gold } of seat 1
    expect: {gold of seat 1: 2}
  slots of each, in the eyes of who asks:
    given: {gold of seat 1: 2}
    start: gain (most(rent + 1 each spot)) gold of seat 1
    expect: {gold of seat 1: 7}
""",
    )


def test_nobody_need_act_where_seats_are_asked(tmp_path: Path) -> None:
    words = """\
=== rules.yaml
setup: each seat { gain 2 gold }
flow: repeat (most(gold each seat)) { each seat { if all(gold < 4 each seat) { gain 1 gold } } }
scoring: {score: gold}
"""
    passes(
        tmp_path,
        "  it goes on:\n    start: gain 1 gold of seat 1\n    expect: {gold of seat 1: 1}\n",
        words_with(words),
    )


def test_one_of_two(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  only the one that is meant is asked:
    start: gain (1 if gold = 0 else 999999999 * 10) gold of seat 1
    expect: {gold of seat 1: 1}
  seats, and nobody:
    given: {gold of seat 1: 1}
    start: >-
      gain 2 gold of (leading if gold = 1 else you),
      gain 2 debt of (leading if gold = 0 else next of you) of seat 1
    expect: {debt of seat 2: 2}
  places:
    given: {gold of seat 1: 3}
    start: gain (rent of (hill if gold >= 3 else cave)) debt of seat 1
    expect: {debt of seat 1: 3}
  in filters, of the candidate:
    given: {hand of seat 1: [coin, ring, rope], gold of seat 1: 2}
    start: gain (count(card[(cost if red else gold) = 2] in hand)) debt of seat 1
    expect: {debt of seat 1: 3}
  what must be there to pay:
    given: {gold of seat 1: 1}
    start: pay (2 if gold >= 1 else 0) gold -> gain 1 debt of seat 1
    expect: {}
""",
    )


def test_division(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  half rounded up and down, by a divisor that may be zero:
    given: {gold of seat 1: 5, gold of seat 2: 2, gold of seat 3: 0}
    start: each seat { set debt to ((gold + 1) / 2 + 10 / gold - gold / 2) } of seat 1
    expect: {debt of seat 1: 3, debt of seat 2: 5}
  from left to right, with a sum before it:
    given: {gold of seat 1: 5}
    start: set debt to (gold * 3 / 2 - gold / 2 * 3 + (gold + gold) / (gold - 2)) of seat 1
    expect: {debt of seat 1: 4}
  below zero:
    given: {gold of seat 1: 3}
    start: set debt to ((0 - gold) / 2 + (0 - gold) / (0 - 2) + gold / (1 - gold)) of seat 1
    expect: {debt of seat 1: -3}
  what is paid:
    given: {gold of seat 1: 5}
    start: pay (gold/2) gold -> gain 1 debt of seat 1
    do: [true]
    expect: {seat 1: {gold: -2, debt: 1}}
  per counts full ones:
    given: {gold of seat 1: 5}
    start: gain 2 debt per 2 gold of seat 1
    expect: {debt of seat 1: 4}
""",
    )


def test_none(tmp_path: Path) -> None:
    words = words_with(
        """\
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card: {fields: {cost: number, beside: card}}
  spot: {role: place}
counters:
  gold: {per: seat}
  leading: {per: game, holds: seat}
  ally: {per: seat, holds: seat}
  goal: {per: seat, holds: spot}
  trump: {per: game, holds: colour}
  prize: {per: game, holds: card}
zones:
  hand: {per: seat, holds: card, sight: owner}
  box: {per: game, holds: card, sight: all}
=== cards.yaml
kind: card
defaults: {start: box, copies: 2}
objects:
  coin: {name: Coin, cost: 2, beside: ring}
  ring: {name: Ring, cost: 3}
=== spots.yaml
kind: spot
objects:
  hill: {name: Hill}
=== verbs.yaml
verbs: {}
=== rules.yaml
flow: each seat { gain 1 gold }
scoring: {score: gold}
"""
    )
    passes(
        tmp_path,
        """\
  pointers of every kind:
    given: {ally of seat 1: seat 2, goal of seat 1: hill, trump: red, hand of seat 1: [ring]}
    start: >-
      choose 1 card in hand as c { set prize to c }, if prize = none { gain 9 gold },
      set ally to none, set goal to none, set trump to none, set prize to none,
      if ally = none and goal = none and none = trump and prize = none { gain 1 gold } of seat 1
    expect: {gold of seat 1: 1, ally of seat 1: nobody, goal of seat 1: nobody, trump: nobody}
  fields that are not there, in a filter:
    given: {hand of seat 1: [coin, ring, ring]}
    start: gain (count(card[beside = none] in hand) + 3 * count(card[beside != none] in hand)) gold of seat 1
    expect: {gold of seat 1: 5}
  one of two:
    given: {ally of seat 1: seat 2}
    start: set ally to (ally if gold = 1 else none), gain 1 gold of (ally if gold = 1 else none) of seat 1
    expect: {ally of seat 1: nobody}
  of others:
    given: {ally of seat 2: seat 1}
    start: gain (count(opponent[ally = none])) gold, set ally of (next of you) to none of seat 1
    expect: {gold of seat 1: 1, ally of seat 2: nobody}
""",
        words,
    )


def test_repeated_while(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  the number is worked out once, the condition before every round:
    given: {gold of seat 1: 3}
    start: repeat gold while gold <= 4 { gain 1 gold } of seat 1
    expect: {gold of seat 1: 5}
  not once if it does not hold:
    start: repeat 3 while gold >= 1 { gain 1 debt }, gain 1 gold of seat 1
    expect: {gold of seat 1: 1}
  with questions in between, and rounds inside rounds:
    given: {gold of seat 1: 2}
    start: >-
      repeat 5 while gold >= 1 { repeat 2 while debt < 3 { gain 1 debt },
      choose 1 { lose 1 gold | gain 1 bid } } of seat 1
    do: [lose 1 gold, gain 1 bid, lose 1 gold]
    expect: {gold of seat 1: 0, debt of seat 1: 3, bid of seat 1: 1}
  a body that is all condition ends like it:
    given: {gold of seat 1: 2}
    start: repeat 999999999 { if gold >= 1 { lose 1 gold } } of seat 1
    expect: {gold of seat 1: 0}
  names, and seats that act:
    given: {gold of seat 2: 3, gold of seat 3: 1}
    start: >-
      each opponent as o { repeat 2 while gold of o >= 1 and gold of owner < 9 {
      lose 1 gold, gain 1 gold of owner } } of seat 1
    expect: {gold of seat 1: 3, gold of seat 2: 1, gold of seat 3: 0}
""",
    )


def words_with(files: str) -> str:
    """The small game of the corners with other rules."""
    from .test_corners import WORDS

    return files if "=== words.yaml" in files else WORDS.split("=== rules.yaml")[0] + files
