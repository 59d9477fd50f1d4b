"""Corners of what effects may say: single things where groups are gone through, quantities, and nobody who acts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.problems import CannotRunError
from dunerules.scenarios.record import read_scenarios
from dunerules.scenarios.run import play
from dunerules.scenarios.stage import load_book
from dunerules.understanding.desk import Desk

from .support import write_files

WORDS = """\
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card:
    fields:
      cost: number
      colours: {type: colour, many: true, tag: true}
    slots:
      worth: number
      play: effect
    active: [table]
  spot:
    role: place
    slots: {rent: number}
counters:
  gold: {per: seat}
  debt: {per: seat, min: -5}
  bid: {per: seat, hidden: true}
  leading: {per: game, holds: seat}
pieces:
  cube: {count: 8, pools: [stock, camp], home: stock}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  pile: {per: seat, holds: card, sight: all}
  stall: {per: spot, holds: card, sight: none}
  box: {per: game, holds: card, sight: all}
=== cards.yaml
kind: card
defaults: {start: box, copies: 3}
objects:
  coin: {name: Coin, cost: 2, colours: [red], worth: 2, play: gain 1 gold}
  ring: {name: Ring, cost: 3, colours: [blue], worth: cost of this - 2}
  rope: {name: Rope, cost: 1}
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour, rent: 4}
  hill: {name: Hill, rent: gold}
  cave: {name: Cave}
=== verbs.yaml
verbs: {}
=== rules.yaml
flow: each seat { offer actions }
procedures:
  market: offer actions
  barter: offer barters
  auction: may { offer actions }
moves:
  pair:
    group: actions
    takes: {a: card in hand, b: card in hand of (holder of a)}
    if: not (a = b)
    do: move a from hand to pile, move b from hand to table
  from_stall:
    group: barters
    takes: {p: spot, c: card in stall of p}
    do: move c from stall of p to table
scoring: {score: gold}
"""


def passes(tmp_path: Path, scenarios: str, words: str = WORDS) -> None:
    """Scenarios of the small game above pass."""
    write_snippet(words, tmp_path)
    write_files(tmp_path, {"scenarios/corners.yaml": f"seats: 3\nscenarios:\n{scenarios}"})
    file = read_scenarios(tmp_path / "scenarios" / "corners.yaml")
    assert not file.problems
    book = load_book((str(tmp_path),))
    outcomes = [play(each, book) for each in file.scenarios]
    assert [(each.scenario.name, each.faults, each.got) for each in outcomes if not each.passed] == []


def test_sums_of_slots_that_are_numbers(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  of things, what lacks it counts nothing:
    given: {hand of seat 1: [coin, ring, rope]}
    start: gain (sum(worth each card in hand)) gold of seat 1
    expect: {gold of seat 1: 3}
  of places, in the eyes of who asks:
    given: {gold of seat 1: 2}
    start: gain (sum(rent each spot)) gold of seat 1
    expect: {gold of seat 1: 8}
  of nothing:
    start: gain (sum(worth each card in hand)) gold of seat 1
    expect: {}
""",
    )


def test_one_thing_where_a_group_is_gone_through(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  picked from:
    given: {hand of seat 1: [coin, ring]}
    start: "move 1 card from hand to table as x { choose 1 x as y { move y from table to pile } } of seat 1"
    do: [coin]
    expect: {seat 1: {moved: {coin: hand -> pile}}}
  gone through:
    given: {hand of seat 1: [coin]}
    start: "move 1 card from hand to table as x { each x as y { gain 1 gold } } of seat 1"
    expect: {seat 1: {gold: 1, moved: {coin: hand -> table}}}
  in any order:
    given: {hand of seat 1: [coin]}
    start: "move 1 card from hand to table as x { any order each x as y { gain 1 gold } } of seat 1"
    expect: {seat 1: {gold: 1, moved: {coin: hand -> table}}}
  none of them:
    start: >-
      move top 1 card from deck to table as x { choose 1 x as y { gain 1 gold }, each x as z { gain 1 gold } } of seat 1
    expect: {}
""",
    )


def test_things_on_a_place_and_of_one_kind_in_a_group(tmp_path: Path) -> None:
    more = """\
=== words/more.yaml
kinds:
  gem: {}
zones:
  den: {per: spot, sight: all}
  bag: {per: game, holds: gem}
=== gems.yaml
kind: gem
objects:
  opal: {name: Opal, start: bag}
"""
    passes(
        tmp_path,
        """\
  in all zones of the place:
    given: {stall of hill: [coin], den of hill: [ring, opal], den of cave: [rope]}
    start: gain (count(card at hill)) gold, gain (count(gem at hill)) debt of seat 1
    expect: {seat 1: {gold: 2, debt: 1}}
  picked, with a filter:
    given: {stall of hill: [coin], den of hill: [ring, rope, opal]}
    start: choose 1 spot[card[blue] at it] as p { choose 1 card[cost >= 2] at p as c { run play of c } } of seat 1
    do: [only_offered: [coin, ring], coin]
    expect: {gold of seat 1: 1}
  moved:
    given: {stall of hill: [coin], den of hill: [ring]}
    start: move all card at hill to table of seat 1
    expect: {moved: {coin: stall of hill -> table of seat 1, ring: den of hill -> table of seat 1}}
  from an end of a pile, of what lies elsewhere:
    given: {hand of seat 1: [coin], pile of seat 1: [ring]}
    start: move top 1 card in hand from pile to table, gain (count(card in table)) gold of seat 1
    expect: {}
  nowhere:
    given: {hand of seat 1: [coin]}
    start: "move 1 card from hand to table as c { gain (count(card at (location of c))) gold } of seat 1"
    expect: {seat 1: {moved: {coin: hand -> table}}}
  those of a kind among others:
    given: {den of hill: [ring, opal, rope]}
    start: "reveal den of hill as some { gain (count(card in some)) gold, gain (count(gem in some)) debt } of seat 1"
    expect: {seat 1: {gold: 2, debt: 1}}
""",
        WORDS + more,
    )


def test_positions_in_piles(tmp_path: Path) -> None:
    more = """\
=== words/more.yaml
zones:
  supply: {per: game, holds: card, sight: none}
  row: {per: game, holds: card, capacity: 2, refill: supply}
  fresh: {per: seat, holds: card, sight: none, refill: pile}
=== verbs/more.yaml
verbs:
  bury: {takes: {c: card, p: at amount}, do: move c to deck at p}
"""
    passes(
        tmp_path,
        """\
  at the bottom of what a row is filled from:
    given: {row: [coin, ring], supply: [rope]}
    start: move coin from row to supply at bottom of seat 1
    expect: {row: [rope, ring], supply: [coin], moved: {coin: row -> supply, rope: supply -> row}}
  into a row that is full:
    given: {row: [coin, ring], supply: [rope], hand of seat 1: [rope]}
    start: move 1 card from hand to row at 2 of seat 1
    expect: {row: [coin, rope, ring]}
    strict: false
  into a pile that is empty:
    given: {pile of seat 1: [coin, ring], hand of seat 1: [rope]}
    start: move 1 card from hand to fresh at 3 of seat 1
    expect: {seat 1: {moved: {rope: hand -> fresh}, fresh: [rope]}}
  a position that a verb is given, beside a place:
    given: {stall of hill: [coin], deck of seat 1: [ring, rope]}
    start: choose 1 card at hill as c { bury c at 2 } of seat 1
    expect: {deck of seat 1: [ring, coin, rope]}
    strict: false
  in a price:
    given: {hand of seat 1: [coin, ring], deck of seat 1: [rope]}
    start: move 1 card from hand to deck at bottom, move bottom 1 card[blue] from deck to table -> gain 1 gold of seat 1
    do: [true]
    expect: {seat 1: {gold: 1, moved: {ring: hand -> table}}}
""",
        WORDS + more,
    )


SUPPLY = """\
=== words/more.yaml
zones:
  row: {per: spot, holds: card}
  purse: {joins: [hand, table]}
=== more.yaml
kind: card
defaults: {copies: 2, start: row of hill}
objects:
  copper: {name: Copper}
  silver: {name: Silver, start: row of cave}
  estate: {name: Estate, copies: 3}
"""


def test_objects_begin_in_the_zone_of_a_place(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  as many as it says, in order of declaration:
    start: move top 1 card from row of hill to hand, move bottom 1 card from row of hill to table of seat 1
    expect: {seat 1: {moved: {copper: row of hill -> hand, estate: row of hill -> table}}}
  the others lie elsewhere:
    start: gain (count(card in row of cave)) gold, gain (count(card[estate] at hill)) debt of seat 1
    expect: {seat 1: {gold: 2, debt: 3}}
""",
        WORDS + SUPPLY,
    )


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("row", "every spot has a `row` of its own"),
        ("row of hil", "DR405"),
        ("raw of hill", "unknown zone `raw`"),
        ("box of hill", "`box` is of no place"),
        ("hand of hill", "`hand` is of no place"),
        ("purse of hill", "several zones read as one"),
        ("row of coin", "unknown spot `coin`"),
        ("row of hill of cave", "unknown spot `hill of cave`"),
    ],
)
def test_places_that_nothing_begins_at(start: str, message: str, tmp_path: Path) -> None:
    write_snippet(WORDS + SUPPLY.replace("start: row of cave", f"start: {start}"), tmp_path)
    with pytest.raises(CannotRunError) as caught:
        load(str(tmp_path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("move 1 cube from stock to camp at 2", "lie in no order"),
        ("move 1 cube from stock to camp at bottom", "lie in no order"),
        ("move 1 card from hand to bottom", "`bottom` says nothing here"),
        ("gain 1 gold at bottom", "`at` does not go with `gold`"),
        ("move 1 card from hand to deck at 2 at bottom", "`at` twice"),
        ("move 1 card from hand to deck at botom", "`botom`"),
        ("until you move card to deck at 2 { while never }", "this is an amount"),
    ],
)
def test_positions_that_say_nothing(effect: str, message: str, tmp_path: Path) -> None:
    write_snippet(WORDS.replace("play: gain 1 gold", f'play: "{effect}"'), tmp_path)
    with pytest.raises(CannotRunError) as caught:
        load(str(tmp_path))
    assert message in str(caught.value)


def test_later_picks_of_a_move_name_earlier_ones(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  an owner that a pick decides:
    given: {hand of seat 1: [coin, ring]}
    start: market of seat 1
    do: [only_offered: [pair coin ring, pair ring coin], pair coin ring]
    expect: {seat 1: {moved: {coin: hand -> pile, ring: hand -> table}}}
  a place that a pick decides:
    given: {stall of hill: [coin]}
    start: barter of seat 2
    expect: {table of seat 2: [coin]}
    strict: false
""",
    )


@pytest.mark.parametrize("taken", ["this", "here", "you", "coin", "next of you"])
def test_single_things_as_picks_of_moves_break_nothing(taken: str, tmp_path: Path) -> None:
    rules = "flow: each seat { may { offer actions } }\nmoves:\n"
    rules += f"  odd:\n    group: actions\n    takes: {{c: {taken}}}\n    do: gain 1 gold\nscoring: {{score: gold}}\n"
    write_snippet(WORDS.partition("=== rules.yaml")[0] + "=== rules.yaml\n" + rules, tmp_path)
    with suppress(CannotRunError):  # the checker may refuse it
        game = load(tmp_path).game(seats=2)
        while not game.over:
            game.answer(0)


def test_choosing_by_every_quantity(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  all without asking:
    given: {hand of seat 1: [coin, ring]}
    start: choose all card in hand as some { gain (count(some)) gold } of seat 1
    expect: {gold of seat 1: 2}
  all seats without asking:
    start: choose all opponent as some { each some as o { gain 1 gold of o } } of seat 1
    expect: {gold of seat 2: 1, gold of seat 3: 1}
  less than one of some things:
    given: {hand of seat 1: [coin, ring]}
    start: >-
      choose (gold - 9) card in hand as some { gain 1 gold }, choose up to (gold - 9) spot as s { gain 1 gold }
      of seat 1
    expect: {}
  less than one of some options:
    start: >-
      choose (gold - 9) { gain 1 gold | gain 2 gold }, choose up to (gold - 9) { gain 1 gold | gain 2 gold }
      of seat 1
    expect: {}
  more options than can be taken:
    given: {gold of seat 1: 1}
    start: choose 2 { pay 1 gold | pay 5 gold | gain 1 debt } of seat 1
    expect: {seat 1: {gold: 0, debt: 1}}
  options by chance:
    start: choose random 1 { gain 1 gold | gain 1 gold, gain 0 debt | pay 5 gold } of seat 1
    expect: {gold of seat 1: 1}
  two options by chance:
    start: choose random 2 { gain 1 gold | gain 1 debt | pay 5 gold } of seat 1
    expect: {seat 1: {gold: 1, debt: 1}}
  things by chance:
    given: {hand of seat 1: [coin, ring]}
    start: choose random 2 card in hand as some { gain (count(some)) gold } of seat 1
    expect: {gold of seat 1: 2}
""",
    )


def test_where_nobody_acts_nothing_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such texts are refused; if they are run all the same nothing breaks."""
    monkeypatch.setattr(Desk, "for_nobody", lambda *_: None)
    passes(
        tmp_path,
        """\
  nothing is picked, and nothing optional done:
    start: >-
      choose 1 card in box as c { move c from box to stall of hill }, may { move top 1 card from box to stall of hill },
      move 1 card from box to stall of hill, market, auction
    expect: {}
  what is in any order is done as it is written:
    start: "any order { move top 1 card from box to stall of hill | move all card from stall of hill to stall of cave }"
    expect: {moved: {coin: box -> stall of cave}}
""",
    )


TWINS = """\
=== cards.yaml
kind: card
defaults: {start: box, copies: 3}
objects:
  coin: {name: Coin, abilities: [{when: you gain gold, do: gain 1 debt}]}
  ring: {name: Ring, abilities: [{when: you gain gold, do: "gain 1 debt, gain 1 debt"}]}
"""


def test_the_order_of_equal_reactions_is_not_asked(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  copies that lie together:
    given: {table of seat 1: [coin, coin, coin]}
    start: gain 1 gold of seat 1
    expect: {seat 1: {gold: 1, debt: 3}}
  others:
    given: {table of seat 1: [coin, ring]}
    start: gain 1 gold of seat 1
    do: [ring]
    expect: {seat 1: {gold: 1, debt: 3}}
""",
        WORDS + TWINS,
    )


def test_a_cost_with_many_ways_to_pick_is_not_hidden(tmp_path: Path) -> None:
    """All of the first five hundred pairs take a coin, and all coins are needed behind."""
    passes(
        tmp_path,
        """\
  it may be paid:
    given: {hand of seat 1: [16 coin, 24 rope]}
    start: move 2 card from hand to pile, move 16 card[red] from hand to table -> gain 1 gold of seat 1
    do: [false]
    expect: {}
""",
        WORDS.replace("copies: 3", "copies: 30"),
    )


MARKET = """\
=== verbs.yaml
verbs:
  settle: {takes: {where: pool}, do: "each seat { move 1 cube from stock to where }"}
=== rules.yaml
flow: each seat { offer shows }
procedures:
  greet: {takes: {who: seat}, do: gain 1 gold}
  fair: offer shows
  rounds: around seat { may { offer shows } }
moves:
  show:
    group: shows
    takes: {c: "card[red] in hand of owner"}
    do: move c from hand to table
scoring: {score: gold}
"""


def test_what_is_about_nobody_is_not_begun(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  a procedure for a pointer at nobody:
    start: greet leading of seat 1
    expect: {}
  nothing is drawn for a zone of nobody:
    given: {hand of seat 1: [coin, ring, rope], deck of seat 1: [coin]}
    start: >-
      move random 1 card from hand to hand of leading, move top 1 card from deck to hand of leading, roll 1 of seat 1
    expect: {}
""",
        WORDS + MARKET,
    )


def test_chance_is_kept_where_nothing_is_drawn(tmp_path: Path) -> None:
    write_snippet(WORDS + "=== rules.yaml\nflow: roll 2\nscoring: {score: gold}\n", tmp_path)
    before = load(tmp_path).game(seats=2).state.chance
    nowhere = "move random 1 card from box to hand of leading, roll 2"
    write_snippet(WORDS + f"=== rules.yaml\nflow: {nowhere}\nscoring: {{score: gold}}\n", tmp_path)
    assert load(tmp_path).game(seats=2).state.chance == before


def test_a_pool_without_an_owner_goes_with_the_pieces(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  given to a verb in which others act:
    start: settle camp of seat 1
    expect:
      seat 1: {cube in camp: 1, cube in stock: -1}
      seat 2: {cube in camp: 1, cube in stock: -1}
      seat 3: {cube in camp: 1, cube in stock: -1}
  unless it has one:
    start: settle camp of you of seat 1
    expect:
      seat 1: {cube in camp: 3, cube in stock: -1}
      cube in stock of seat 2: -1
      cube in stock of seat 3: -1
""",
        WORDS + MARKET,
    )


def test_a_round_begins_with_the_acting_seat_and_its_moves_are_theirs(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  seat 2 is asked first:
    given: {hand of seat 1: [coin], hand of seat 2: [coin]}
    start: rounds of seat 2
    do: [show coin, pass]
    expect: {moved: {coin: hand of seat 2 -> table of seat 2}}
  without a move it is asked all the same, because nobody could know:
    given: {hand of seat 1: [ring]}
    start: fair of seat 1
    do: [only_offered: [pass], pass]
    expect: {}
""",
        WORDS + MARKET,
    )


def test_what_is_given_counts_for_what_is_needed_behind_it(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  an amount:
    given: {gold of seat 1: 3, cube in stock of seat 1: 1, cube in camp of seat 1: 7}
    start: pay 2 gold as n { lose n cube from stock } -> gain 1 debt of seat 1
    expect: {}
  what is looked at:
    given: {deck of seat 1: [ring, coin], hand of seat 1: [rope]}
    start: >-
      choose 1 {
        look bottom 1 card from deck as c { move c to table } | look 1 card[red] from hand as c { move c to table }
      } of seat 1
    expect: {seat 1: {moved: {coin: deck -> table}}}
  what would be picked to look at:
    given: {hand of seat 1: [rope, coin, ring]}
    start: "may { look 1 card from hand as c { move c to table } } of seat 1"
    do: [true, ring]
    expect: {seat 1: {moved: {ring: hand -> table}}}
""",
    )


def test_equal_reactions_are_one_option(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  two of one and one of another:
    given: {table of seat 1: [coin, coin, ring]}
    start: gain 1 gold of seat 1
    do: [only_offered: [coin, ring], ring]
    expect: {seat 1: {gold: 1, debt: 4}}
  lasting ones made alike:
    start: "repeat 2 { until you end fair { when you gain gold { gain 1 debt } } }, gain 1 gold of seat 1"
    expect: {seat 1: {gold: 1, debt: 2}}
    strict: false
""",
        WORDS + TWINS + MARKET,
    )


def test_an_if_with_several_arms_that_do_not_hold_is_nothing_to_do(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  no option:
    start: "choose 1 { if gold > 3 { gain 1 gold } else if gold > 2 { gain 2 gold } | gain 1 debt } of seat 1"
    expect: {debt of seat 1: 1}
  nor inside one that holds:
    start: "choose 1 { if gold = 0 { if gold > 2 { gain 2 gold } } | gain 1 debt } of seat 1"
    expect: {debt of seat 1: 1}
  but with another step it is one:
    start: "choose 1 { if gold > 3 { gain 1 gold }, if gold > 2 { gain 1 gold } | gain 1 debt } of seat 1"
    do: [gain 1 debt]
    expect: {debt of seat 1: 1}
  not asked:
    start: "may { if gold > 3 { gain 1 gold } else if gold > 2 { gain 2 gold } } of seat 1"
    expect: {}
  left out of any order:
    start: "any order { if gold > 3 { gain 1 gold } else if gold > 2 { gain 2 gold } | gain 1 debt } of seat 1"
    expect: {debt of seat 1: 1}
  the last arm holds:
    given: {gold of seat 1: 1}
    start: "choose 1 { if gold > 3 { gain 1 gold } else if gold > 0 { gain 2 gold } | pay 5 gold } of seat 1"
    expect: {gold of seat 1: 3}
""",
    )


def test_all_seats_answer_in_secret_before_the_game_is_over(tmp_path: Path) -> None:
    rules = "flow: roll 2\nprocedures: {close: roll 2}\nscoring: {score: bid}\nend:\n"
    rules += "  if: gold of leading > 0\n  at: end close\n"
    rules += '  do: "secretly each seat { choose 1 { gain 1 bid | gain 2 bid } }"\n'
    write_snippet(WORDS.partition("=== rules.yaml")[0] + "=== rules.yaml\n" + rules, tmp_path)
    game = load(tmp_path).game(seats=2)
    for _ in range(2):
        assert not game.over
        game.answer(1)
    assert game.over
    assert game.state.result == (0, 1)


def test_a_slot_that_is_a_cost_is_tried_for_the_seat_that_pays(tmp_path: Path) -> None:
    """Also where nobody owns what offers it."""
    words = (WORDS + MARKET).replace("      play: effect\n", "      play: effect\n      price: cost\n")
    words = words.replace(
        '    takes: {c: "card[red] in hand of owner"}\n', "    takes: {c: card in hand}\n    cost: run price of c\n"
    )
    words = words.replace("play: gain 1 gold}", "price: lose (gold of owner) cube from camp}")
    passes(
        tmp_path,
        """\
  more than there is:
    given: {hand of seat 1: [coin], gold of seat 1: 1}
    start: each seat { offer shows }
    do: [only_offered: [pass], pass]
    expect: {}
""",
        words,
    )


@pytest.mark.parametrize(
    "rules",
    [
        "flow: each seat { offer acts }\nmoves:\n  act: {group: acts, do: gain 1 heat}\n",
        "flow: each seat { offer acts }\nmoves:\n  act: {group: acts, if: heat > 2, do: gain 1 gold}\n",
        "flow: gain 1 heat at here\n",
        "flow: move top 1 card from stall to box\n",
        "flow: roll 2\nabilities: [{when: roll, do: gain 1 heat}]\n",
    ],
)
def test_here_where_it_never_is_a_place_is_an_error(rules: str, tmp_path: Path) -> None:
    words = WORDS.partition("=== rules.yaml")[0].replace("counters:\n", "counters:\n  heat: {per: spot}\n", 1)
    write_snippet(f"{words}=== rules.yaml\n{rules}scoring: {{score: gold}}\n", tmp_path)
    with pytest.raises(CannotRunError, match=r"DR402 .*no place is `here`"):
        load(str(tmp_path))


def test_patterns_and_procedures_may_leave_the_place_out(tmp_path: Path) -> None:
    words = WORDS.partition("=== rules.yaml")[0].replace("counters:\n", "counters:\n  heat: {per: spot}\n", 1)
    rules = (
        "flow: each seat { warm }\nprocedures: {warm: gain 1 heat}\nabilities: [{when: gain heat, do: gain 1 gold}]\n"
    )
    write_snippet(f"{words}=== rules.yaml\n{rules}scoring: {{score: gold}}\n", tmp_path)
    load(tmp_path)


@pytest.mark.parametrize(
    "cards", ["defaults: {copies: 3}\nobjects:\n  coin: {name: Coin}\n", "objects:\n  coin: {copies: 3}\n"]
)
def test_copies_that_would_lie_nowhere_are_an_error(cards: str, tmp_path: Path) -> None:
    write_snippet(f"{WORDS}=== cards.yaml\nkind: card\n{cards}", tmp_path)
    with pytest.raises(CannotRunError, match=r"DR102 .*copies of it would lie nowhere"):
        load(str(tmp_path))


def test_thresholds_are_done_in_the_order_in_which_they_are_passed(tmp_path: Path) -> None:
    rows = ", ".join(f"{{at: {at}, up: set debt to {at}, down: set debt to {at}}}" for at in (4, 2))
    passes(
        tmp_path,
        """\
  up:
    start: gain 5 luck of seat 1
    expect: {seat 1: {luck: 5, debt: 4}}
  and down:
    given: {luck of seat 1: 5}
    start: lose all luck of seat 1
    expect: {seat 1: {luck: -5, debt: 2}}
""",
        WORDS.replace("counters:\n", f"counters:\n  luck: {{per: seat, thresholds: [{rows}]}}\n", 1),
    )


def test_a_named_group_of_seats_goes_in_order_from_who_acts(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  each:
    start: "choose 2 seat as some { each some { each some { set leading to you } } } of seat 1"
    do: [[seat 1, seat 2]]
    expect: {leading: seat 1}
  each, filtered:
    start: "choose 2 seat as some { each some { each some[gold = 0] { set leading to you } } } of seat 1"
    do: [[seat 1, seat 2]]
    expect: {leading: seat 1}
""",
    )


def test_pieces_that_a_cost_has_moved_can_be_given_on(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  from where they were moved to:
    start: move 2 cube from stock to camp, move 1 cube from camp to stock -> gain 1 gold of seat 1
    do: [true]
    expect: {seat 1: {gold: 1, cube in stock: -1, cube in camp: 1}}
""",
    )


def test_a_slot_that_a_move_asks_is_about_who_makes_it(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  also where the offer is the effect of another:
    given: {hand of seat 2: [coin], gold of seat 2: 1}
    start: each opponent[gold = 1] { offer trades } of seat 1
    do: [spend coin]
    expect: {seat 2: {moved: {coin: hand -> pile}}}
""",
        WORDS.replace("worth: number", "worth: number\n      needs: condition")
        .replace("play: gain 1 gold}", "play: gain 1 gold, needs: gold of owner >= 1}")
        .replace("flow: each seat { offer actions }", "flow: each seat { offer actions, offer trades }")
        .replace(
            "moves:\n",
            """\
moves:
  spend: {group: trades, takes: {c: card in hand}, if: needs of c, do: move c from hand to pile}
""",
        ),
    )


def test_a_slot_that_runs_itself_is_tried_so_far_only(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  as an option of a choice:
    given: {table of seat 1: [coin]}
    start: each card in table as c { run play of c } of seat 1
    do: [if gold = 0, gain 1 gold]
    expect: {gold of seat 1: 1}
""",
        WORDS.replace("play: gain 1 gold}", 'play: "choose 1 { gain 1 gold | if gold = 0 { run play of this } }"}'),
    )


def test_a_slot_that_is_asked_is_about_the_owner_of_what_asks(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  also where a filter asks it of others:
    given: {table of seat 1: [coin], gold of seat 1: 2}
    start: each card in table as c { each opponent[needs of c] { gain 1 debt } } of seat 1
    expect: {debt of seat 2: 1, debt of seat 3: 1}
""",
        WORDS.replace("worth: number", "worth: number\n      needs: condition").replace(
            "play: gain 1 gold}", "play: gain 1 gold, needs: gold of owner >= 1}"
        ),
    )


def test_a_round_goes_on_to_seats_that_have_not_passed(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  also if others drop out when they pass:
    start: around seat[gold = 0] { gain 1 gold, pass } of seat 3
    expect: {gold of seat 1: 1, gold of seat 2: 1, gold of seat 3: 1}
""",
    )


def test_a_pass_counts_for_the_innermost_round_only(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  who passes before a round inside has passed after it:
    start: around seat { gain 1 gold, pass, around opponent { gain 1 debt, pass } } of seat 1
    expect:
      seat 1: {gold: 1, debt: 2}
      seat 2: {gold: 1, debt: 2}
      seat 3: {gold: 1, debt: 2}
  who passes in a round inside does not pass outside:
    start: around seat { gain 1 gold, around opponent { pass }, if gold >= 2 { pass } } of seat 1
    expect: {gold of seat 1: 2, gold of seat 2: 2, gold of seat 3: 2}
  leaving a round inside leaves its pass behind:
    start: around seat { gain 1 gold, left_early, if gold >= 2 { pass } } of seat 1
    expect: {gold of seat 1: 2, gold of seat 2: 2, gold of seat 3: 2}
""",
        WORDS.replace("procedures:", "procedures:\n  left_early: around seat { pass, leave left_early }"),
    )


def test_a_pile_that_is_made_anew_pays_only_with_what_fits(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  what lies behind it and does not fit pays nothing:
    given: {pile of seat 1: [coin, coin]}
    start: move top 1 ring from deck to box -> gain 1 gold of seat 1
    expect: {}
  what fits there does:
    given: {pile of seat 1: [coin, ring]}
    start: move top 1 ring from deck to box -> gain 1 gold of seat 1
    do: ["yes"]
    expect: {gold of seat 1: 1, moved: {ring: pile of seat 1 -> box, coin: pile of seat 1 -> deck of seat 1}}
  what is taken from anyway is not there twice:
    given: {pile of seat 1: [ring]}
    start: move top 2 ring from deck/pile to box -> gain 1 gold of seat 1
    expect: {}
""",
        WORDS.replace(
            "deck: {per: seat, holds: card, sight: none}", "deck: {per: seat, holds: card, sight: none, refill: pile}"
        ),
    )


def test_what_is_lost_is_counted_when_it_is_lost(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  a cost that takes all that is left can always be paid:
    given: {gold of seat 1: 1}
    start: choose up to 1 { gain 1 debt | pay 1 gold, lose gold gold -> gain 2 debt } of seat 1
    do: ["pay 1 gold, lose gold gold -> gain 2 debt"]
    expect: {gold of seat 1: -1, debt of seat 1: 2}
""",
    )


def test_a_slot_that_is_asked_where_nobody_owns_the_text_is_asked_as_the_acting_seat(tmp_path: Path) -> None:
    words = WORDS.replace("slots: {rent: number}", "slots: {rent: number, open: condition}")
    words = words.replace("rent: 4}", "rent: 4, open: gold of owner = 0 and gold = 0}")
    words = words.replace("flow:", "setup: each seat { if open of harbour { gain 1 debt } }\nflow:")
    passes(
        tmp_path,
        """\
  all have nothing:
    start: setup
    expect: {debt of seat 1: 1, debt of seat 2: 1, debt of seat 3: 1}
""",
        words,
    )
    write_snippet(
        words.replace(
            "setup: each seat { if open of harbour { gain 1 debt } }", "setup: if open of harbour { shuffle box }"
        ),
        tmp_path / "other",
    )
    with pytest.raises(CannotRunError, match="slot `open` of no seat: nobody acts here"):
        load(tmp_path / "other")


def test_the_slots_of_a_group_are_tried_one_after_the_other(tmp_path: Path) -> None:
    words = WORDS.replace("play: gain 1 gold}", "play: pay 1 gold}")
    words = words.replace("worth: cost of this - 2}", "worth: cost of this - 2, play: pay 2 gold}")
    passes(
        tmp_path,
        """\
  what one of them takes the other does not have:
    given: {table of seat 1: [coin, ring], gold of seat 1: 2}
    start: choose up to 1 { run play of (card in table) | gain 1 debt } of seat 1
    do: [not_offered: run play of (card in table), gain 1 debt]
    expect: {debt of seat 1: 1}
  all can be done if all is there:
    given: {table of seat 1: [coin, ring], gold of seat 1: 3}
    start: choose up to 1 { run play of (card in table) | gain 1 debt } of seat 1
    do: [run play of (card in table)]
    expect: {gold of seat 1: -3}
  with nothing there is nothing to do:
    start: choose up to 1 { run play of (card in table) | gain 1 debt } of seat 1
    do: [run play of (card in table)]
    expect: {}
""",
        words,
    )


def test_a_trial_knows_no_replacements(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  so what is gained there can be paid, whatever comes in its place:
    given: {table of seat 1: [rope]}
    start: choose 1 { gain 2 gold, pay 1 gold | gain 1 debt } of seat 1
    do: [gain 2 gold]
    expect: {debt of seat 1: 2}
""",
        WORDS.replace(
            "rope: {name: Rope, cost: 1}",
            "rope: {name: Rope, cost: 1, abilities: [{instead: you gain gold, do: gain n debt}]}",
        ),
    )


def test_zones_of_several_owners_come_owner_by_owner(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  the table and pile of one before those of another:
    given: {table of seat 2: [coin], pile of seat 2: [ring], table of seat 3: [rope]}
    start: move top 2 card from table/pile of opponent to hand of seat 1
    expect:
      moved: {coin: table of seat 2 -> hand of seat 1, ring: pile of seat 2 -> hand of seat 1}
""",
    )


def test_an_arrow_that_buys_a_choice_from_nothing_is_not_asked(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  also if what is chosen from has a name:
    given: {gold of seat 1: 3}
    start: "choose 1 opponent as o { pay 1 gold -> choose 1 card in table of o as c { gain 1 debt } } of seat 1"
    do: [seat 2]
    expect: {}
""",
    )


def test_a_copied_slot_stands_where_the_copy_does(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  a place that is copied is not here:
    given: {table of seat 1: [coin]}
    this: coin in table of seat 1
    start: copy dig of hill of seat 1
    expect: {}
  one that is run is:
    given: {table of seat 1: [coin]}
    this: coin in table of seat 1
    start: run dig of hill of seat 1
    expect: {heat at hill: 1}
""",
        WORDS.replace("slots: {rent: number}", "slots: {rent: number, dig: effect}")
        .replace("hill: {name: Hill, rent: gold}", "hill: {name: Hill, rent: gold, dig: gain 1 heat}")
        .replace("  gold: {per: seat}\n", "  gold: {per: seat}\n  heat: {per: spot}\n"),
    )


def test_what_chance_will_bring_is_not_foreseen(tmp_path: Path) -> None:
    passes(
        tmp_path,
        "".join(
            f"""\
  what is asked before a card is drawn tells nothing of it, {seed}:
    seed: {seed}
    given: {{gold of seat 1: 1, hand of seat 1: [coin, ring, rope]}}
    start: "look random 1 card from hand as c {{ pay (cost of c) gold }} -> gain 5 debt of seat 1"
    do: [true]
    expect: {{gold of seat 1: 0, debt of seat 1: 5}}
  nor is anybody asked where no card would do, {seed}:
    seed: {seed}
    given: {{gold of seat 1: 1, hand of seat 1: [coin, ring]}}
    start: "look random 1 card from hand as c {{ pay (cost of c) gold }} -> gain 5 debt of seat 1"
    expect: {{}}
"""
            for seed in range(1, 6)
        ),
    )


def test_lasting_effects_are_alike_if_all_they_speak_of_is(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  a name that it does not speak of makes no difference:
    start: "each spot as p { until anyone shuffle { when roll { gain 1 gold } } }, roll 6 of seat 1"
    expect: {gold of seat 1: 3, lasting: 3}
  another value of one that it speaks of does:
    start: "each spot as p { until anyone shuffle { when roll { gain (rent of p) gold } } }, roll 6 of seat 1"
    do: ["reaction when roll { gain (rent of p) gold }", "reaction when roll { gain (rent of p) gold }"]
    expect: {gold of seat 1: 8, lasting: 3}
""",
    )


def test_names_around_an_until_keep_their_meaning(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  also if the event would tell something of that name:
    start: "lend 5, gain 2 gold of seat 1"
    expect: {gold of seat 1: 2, debt of seat 1: 5, lasting: 1}
""",
        WORDS
        + """\
=== verbs.yaml
verbs:
  lend: {takes: {n: amount}, do: "until anyone shuffle { when you gain gold { gain n debt } }"}
""",
    )


def test_a_move_may_have_a_hundred_conditions(tmp_path: Path) -> None:
    many = " and ".join(f"gold + {each} >= {each}" for each in range(120))
    passes(
        tmp_path,
        """\
  it is offered if all of them hold:
    given: {hand of seat 1: [coin, rope], gold of seat 1: 1}
    start: offer actions of seat 1
    do: [pair coin rope]
    expect: {moved: {coin: hand of seat 1 -> pile of seat 1, rope: hand of seat 1 -> table of seat 1}}
  and not if one does not:
    given: {hand of seat 1: [coin, rope]}
    start: offer actions of seat 1
    do: [{not_offered: [pair]}, pass]
    expect: {}
""",
        WORDS.replace("if: not (a = b)", f"if: not (a = b) and {many} and gold >= 1"),
    )


def test_nothing_is_tried_behind_a_procedure_that_is_left(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  what stands behind is not done, so it need not be possible:
    start: haggle of seat 1
    do: [true]
    expect: {gold of seat 1: 1}
""",
        WORDS.replace(
            "  market: offer actions\n",
            '  market: offer actions\n  haggle: "may { gain 1 gold, leave haggle, pay 5 gold }, gain 9 debt"\n',
        ),
    )


def test_as_names_all_that_a_per_counts(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  one for every two gold:
    given: {deck of seat 1: [coin, ring, rope, coin], gold of seat 1: 6}
    start: move top 1 card from deck to table per 2 gold as c { each c { gain 1 debt }, move 1 c to pile } of seat 1
    do: [ring]
    expect:
      debt of seat 1: 3
      deck of seat 1: [coin]
      table of seat 1: [coin, rope]
      pile of seat 1: [ring]
  one thing is one however often:
    given: {deck of seat 1: [coin], gold of seat 1: 6}
    start: >-
      choose all card in deck as d { each d as c { move c to table per 2 gold as e { gain (cost of e) debt } } }
      of seat 1
    expect: {debt of seat 1: 2, deck of seat 1: [], table of seat 1: [coin]}
""",
    )


def test_what_a_verb_gives_counts_when_the_rest_is_tried(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  it gives one, so one must be there:
    start: may { earn as n { lose n gold } } of seat 1
    expect: {}
  and then it is:
    given: {gold of seat 1: 1}
    start: may { earn as n { lose n gold } } of seat 1
    do: ["yes"]
    expect: {debt of seat 1: 1, gold of seat 1: 0}
""",
        WORDS.replace("verbs: {}", "verbs: {earn: gain 1 debt}"),
    )


def test_what_a_verb_chooses_is_a_group_however_many_it_was_called_for(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  one of them, or none:
    given: {hand of seat 1: [coin, rope]}
    start: drop up to 1 of seat 1
    do: [rope]
    expect: {debt of seat 1: 1, moved: {rope: hand of seat 1 -> table of seat 1}}
""",
        WORDS
        + """\
=== verbs.yaml
verbs:
  drop: {takes: {n: quantity}, do: "choose n card in hand as c { each c { gain 1 debt }, move c from hand to table }"}
""",
    )


def test_a_pattern_may_name_what_a_counter_points_at(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  it is the leading seat that is blessed:
    given: {leading: seat 2}
    start: bless next of you of seat 1
    expect: {seat 1: {gold: 1}, seat 2: {debt: 1}}
  and here another one:
    given: {leading: seat 2}
    start: bless you of seat 1
    expect: {seat 1: {debt: 1}}
  nobody leads, so nobody fits:
    start: bless you of seat 1
    expect: {seat 1: {debt: 1}}
""",
        WORDS.replace("verbs: {}", "verbs: {bless: {takes: {s: seat}, do: gain 1 debt of s}}").replace(
            "scoring: {score: gold}", "scoring: {score: gold}\nabilities: [{when: bless leading, do: gain 1 gold}]"
        ),
    )


def test_events_tell_what_procedures_were_called_with(tmp_path: Path) -> None:
    rules = """\
  trip:
    takes: {n: amount, c: card, p: spot, s: seat = you, z: from zone = hand}
    do: if n >= 5 { leave trip }, gain n gold of s, choose 1 card in z as d { move d from z to pile }
"""
    abilities = """\
abilities:
  - {when: "start trip card[red] harbour", do: gain (cost of c) debt of s}
  - {when: end trip hill, do: gain n debt of s}
  - {when: you end trip from table, do: gain 1 gold}
  - {instead: you start trip cave, do: gain n debt}
"""
    words = WORDS.replace("procedures:\n", f"procedures:\n{rules}", 1).replace("scoring:", f"{abilities}scoring:", 1)
    passes(
        tmp_path,
        """\
  a thing by a filter, a place by name:
    given: {hand of seat 1: [coin]}
    start: trip 1 coin harbour of seat 1
    expect: {seat 1: {gold: 1, debt: 2, moved: {coin: hand -> pile}}}
  another thing does not fit:
    start: trip 1 ring harbour of seat 1
    expect: {seat 1: {gold: 1}}
  the end knows all of it, also when it is left:
    start: "each seat[it = leading] { trip 7 coin hill }"
    given: {leading: seat 2}
    expect: {seat 2: {debt: 7}}
  and when somebody was asked before:
    given: {hand of seat 1: [coin, ring]}
    start: "choose 1 opponent as o { trip 3 coin hill o } of seat 1"
    do: [seat 2, coin]
    expect: {seat 1: {moved: {coin: hand -> pile}}, seat 2: {gold: 3, debt: 3}}
  zones are matched:
    given: {table of seat 1: [coin]}
    start: trip 1 coin cave you from table of seat 1
    expect: {seat 1: {debt: 1}}
  zones are matched at the end:
    given: {table of seat 1: [rope]}
    start: trip 1 ring harbour you from table of seat 1
    expect: {seat 1: {gold: 2, moved: {rope: table -> pile}}}
""",
        words,
    )


FAMILY = WORDS.replace(
    "  cube: {count: 8, pools: [stock, camp], home: stock}\n",
    "  cube: {count: 8, pools: [stock, camp], home: stock, places: spot, family: unit}\n"
    "  tank: {count: 4, pools: [stock, camp, shed], home: shed, places: spot, family: unit}\n",
).replace(
    "scoring:",
    "abilities:\n"
    "  - {when: move unit to harbour, do: gain n gold}\n"
    "  - {when: lose unit of opponent from hill, do: gain 1 debt}\n"
    "  - {instead: you move unit from camp to cave, do: gain n debt}\n"
    "scoring:",
)


def test_families_of_pieces(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  the seat says how many of the first kind, and the rest are of the other:
    given: {cube in camp of seat 1: 3, tank in camp of seat 1: 2}
    start: move 3 unit from camp to stock of seat 1
    do: [only_offered: [0, 1, 2], 1]
    expect: {seat 1: {cube in camp: -2, cube in stock: "+2", tank in camp: -1, tank in stock: "+1"}}
  where there is no choice nobody is asked:
    given: {cube in camp of seat 1: 3}
    start: move 2 unit from camp to stock as n { gain n debt } of seat 1
    expect: {seat 1: {debt: 2, cube in camp: -2, cube in stock: "+2"}}
  as many as there are:
    given: {cube in camp of seat 1: 1, tank in camp of seat 1: 2}
    start: lose 5 unit from camp as n { gain n debt } of seat 1
    expect: {seat 1: {debt: 3, cube in camp: -1, cube in stock: "+1", tank in camp: -2, tank in shed: "+2"}}
  a cost needs all of them together:
    given: {cube in camp of seat 1: 1, tank in camp of seat 1: 1}
    start: lose 2 unit from camp -> gain 1 gold of seat 1
    do: [true]
    expect: {seat 1: {gold: 1, cube in camp: -1, cube in stock: "+1", tank in camp: -1, tank in shed: "+1"}}
  and is not offered otherwise:
    given: {cube in camp of seat 1: 1, tank in camp of seat 1: 1}
    start: lose 3 unit from camp -> gain 1 gold of seat 1
    expect: {}
  up to so many, kind by kind:
    given: {cube in camp of seat 1: 2, tank in camp of seat 1: 2}
    start: move up to 3 unit from camp to stock of seat 1
    do: [only_offered: [0, 1, 2], 2, only_offered: [0, 1], 1]
    expect: {seat 1: {cube in camp: -2, cube in stock: "+2", tank in camp: -1, tank in stock: "+1"}}
  all of them:
    given: {cube in camp of seat 1: 2, tank in camp of seat 1: 2}
    start: move all unit from camp to harbour of seat 1
    expect: {seat 1: {gold: 4, cube in camp: -2, cube at harbour: "+2", tank in camp: -2, tank at harbour: "+2"}}
  they are counted together:
    given: {cube in camp of seat 1: 2, tank in camp of seat 1: 1}
    start: |-
      if have 3 unit in camp and count(unit in camp) = 3 {
        gain 1 gold per unit in camp, gain 1 debt per 2 unit in camp
      } of seat 1
    expect: {seat 1: {gold: 3, debt: 1}}
  each kind may be replaced:
    given: {cube in camp of seat 1: 1, tank in camp of seat 1: 1}
    start: move all unit from camp to cave of seat 1
    expect: {seat 1: {debt: 2}}
""",
        FAMILY,
    )


def test_copies_that_lie_elsewhere_are_other_options(tmp_path: Path) -> None:
    passes(
        tmp_path,
        """\
  with another seat:
    given: {table of seat 2: [coin], table of seat 3: [coin]}
    start: choose 1 card in table of opponent as c { move c to box } of seat 1
    do: ["coin #2"]
    expect: {moved: {coin: table of seat 3 -> box}}
  in another zone:
    given: {hand of seat 1: [coin], pile of seat 1: [coin, coin]}
    start: move 1 card from hand/pile to table of seat 1
    do: [only_offered: [coin, "coin #2"], "coin #2"]
    expect: {moved: {coin: pile of seat 1 -> table of seat 1}}
  in one zone they are alike:
    given: {pile of seat 1: [coin, coin]}
    start: move 1 card from hand/pile to table of seat 1
    expect: {moved: {coin: pile of seat 1 -> table of seat 1}}
""",
    )


def test_a_counter_is_given_on_to_a_verb_that_reads_it(tmp_path: Path) -> None:
    more = """\
=== verbs/more.yaml
verbs:
  twice: {takes: {c: counter}, do: gain (c * 2) debt}
  often: {takes: {n: amount}, do: "twice gold, gain n gold"}
"""
    passes(
        tmp_path,
        """\
  as much as there is:
    given: {gold of seat 1: 2}
    start: often 1 of seat 1
    expect: {seat 1: {gold: 3, debt: 4}}
""",
        WORDS + more,
    )
