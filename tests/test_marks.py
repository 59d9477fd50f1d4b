"""Counters on single things, and for two of a kind: what is offered, seen, told, kept and dealt anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, Rules, load
from dunerules.play.blocks import Entry
from dunerules.play.screen import Screen
from dunerules.scenarios.record import read_scenarios
from dunerules.scenarios.run import play
from dunerules.scenarios.stage import load_book

from .support import codes, problems_of, write_files

WORDS = """\
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card:
    fields: {cost: number}
    slots: {play: effect}
    active: [table]
  spot: {role: place}
counters:
  gold: {per: seat}
  leading: {per: game, holds: seat}
  harm:
    per: card
    in: [table]
    thresholds:
      - at: 3
        up: move card from table of (holder of card) to pile of (holder of card), gain 1 gold
  hint: {per: card, holds: colour, in: [hand, table, pile]}
  note: {per: [seat, card], hidden: true, in: [hand, table]}
  trust:
    per: [seat, seat]
    start: 1
    thresholds:
      - at: 3
        up: gain 1 gold of other_seat
  road: {per: [spot, spot]}
  accord: {per: [colour, colour]}
zones:
  deck: {per: seat, holds: card, sight: none, refill: pile}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  pile: {per: seat, holds: card, sight: all}
  box: {per: game, holds: card, sight: all}
=== cards.yaml
kind: card
defaults: {start: box, copies: 2}
objects:
  knight: {name: Knight, cost: 2, play: gain 1 harm}
  squire: {name: Squire, cost: 1, play: "choose 1 opponent as o { if trust of o for you >= 2 { gain 1 trust for o } }"}
  bell:
    name: Bell
    abilities:
      - when: gain harm
        if: cost of card >= 2
        do: gain n gold
  bard:
    name: Bard
    abilities:
      - when: you gain trust
        do: gain 1 harm on this
=== spots.yaml
kind: spot
objects:
  hill: {name: Hill}
  bay: {name: Bay}
=== verbs.yaml
verbs:
  hurt: {takes: {n: amount, c: card}, do: gain n harm on c}
  raise: {takes: {n: amount, what: counter}, do: gain n what}
values:
  wounds: {takes: {c: of card}, is: harm on c}
=== rules.yaml
setup: each seat { move top 4 card from box to deck, shuffle deck, move top 4 card from deck to hand }
flow: each seat { offer actions }
moves:
  strike:
    group: actions
    takes: {o: opponent, c: card in table of o}
    do: hurt 1 c
  whisper:
    group: actions
    takes: {o: opponent}
    do: choose random 1 card in hand of o as c { set hint on c to blue, gain 1 note on c, gain 2 trust for o }
  other:
    group: actions
    do: raise 1 gold, gain 1 road at hill for bay, gain 1 accord with red for blue
scoring: {score: gold}
"""

HEAD = "seats: 3\nscenarios:\n"

SCENARIOS = {
    "copies with different marks are two options, the first of equal ones is taken": """
    given: {table of seat 2: [knight, knight], harm on knight 2 in table of seat 2: 1}
    start: choose 1 card in table of (next of you) as c { gain 1 harm on c } of seat 1
    do: ["knight #2"]
    expect: {harm on knight 2 in table of seat 2: 2}
""",
    "equal copies are not asked for": """
    given: {seat 1: {table: [knight, knight], harm on knight in table: 1, harm on knight 2 in table: 1}}
    start: choose 1 card in table as c { gain 1 harm on c } of seat 1
    expect: {harm on knight in table of seat 1: 2}
""",
    "a threshold knows the thing": """
    given: {table of seat 2: [squire], harm on squire in table of seat 2: 2}
    start: choose 1 card in table of (next of you) as c { gain 1 harm on c } of seat 1
    expect: {gold of seat 1: 1, harm on squire in pile of seat 2: 0, moved: {squire: table of seat 2 -> pile of seat 2}}
""",
    "an event knows the thing, and its filter": """
    given: {table of seat 2: [bell, squire, knight]}
    start: each card in table of (next of you) as c { gain 1 harm on c } of seat 1
    expect:
      gold of seat 2: 1
      harm on bell in table of seat 2: 1
      harm on squire in table of seat 2: 1
      harm on knight in table of seat 2: 1
""",
    "the whole of a verb with a counter on a thing": """
    given: {table of seat 1: [knight]}
    start: each card in table as c { raise 2 harm on c, gain (wounds of c) gold } of seat 1
    expect: {harm on knight in table of seat 1: 2, gold of seat 1: 2}
""",
    "a cost that a thing cannot pay": """
    given: {table of seat 1: [knight, squire], harm on knight in table of seat 1: 1}
    start: each card in table as c { pay 1 harm on c -> gain 1 gold } of seat 1
    do: [true]
    expect: {harm on knight in table of seat 1: 0, gold of seat 1: 1}
""",
    "where things do not have it nothing can be paid or gained": """
    given: {hand of seat 1: [knight]}
    start: each card in hand as c { gain 1 harm on c, pay 0 harm on c, { pay 1 harm on c -> gain 1 gold } } of seat 1
    expect: {}
""",
    "a mark goes with its thing": """
    given: {hand of seat 1: [knight], hint on knight in hand of seat 1: red}
    start: move all card from hand to table of seat 1
    expect: {hint on knight in table of seat 1: red, seat 1: {moved: {knight: hand -> table}}}
""",
    "a pile that is made anew takes them off": """
    given: {pile of seat 1: [knight], hint on knight in pile of seat 1: red}
    start: move top 1 card from deck to hand of seat 1
    expect: {hint on knight in hand of seat 1: nothing, seat 1: {moved: {knight: pile -> hand}}}
""",
    "in a text on the thing it is left out": """
    given: {table of seat 1: [knight]}
    start: each card in table as c { run play of c } of seat 1
    expect: {harm on knight in table of seat 1: 1}
""",
    "reactions of copies with different marks differ": """
    given: {table of seat 1: [bard, bard], harm on bard 2 in table of seat 1: 1}
    start: gain 1 trust for you of seat 1
    do: ["reaction bard #2"]
    expect: {trust of seat 1 for seat 1: 2, harm on bard in table of seat 1: 1, harm on bard 2 in table of seat 1: 2}
""",
    "trust has a direction and a threshold": """
    start: "each opponent as o { gain 2 trust of owner for o } of seat 1"
    expect:
      trust of seat 1 for seat 2: 3
      trust of seat 1 for seat 3: 3
      gold of seat 2: 1
      gold of seat 3: 1
""",
    "pairs of places and of labels": """
    start: gain 2 road at hill for bay, gain 1 road at bay for hill, gain 1 accord with red for blue of seat 1
    expect: {road at hill for bay: 2, road at bay for hill: 1, accord with red for blue: 1}
""",
    "in a filter the candidate is the first of two": """
    given: {accord with red for blue: 2}
    start: each colour[accord for blue >= 2] as k { gain 1 gold } of seat 1
    expect: {gold of seat 1: 1}
""",
    "a hidden mark is its own seat's": """
    given: {table of seat 2: [knight], note of seat 1 on knight in table of seat 2: 2}
    start: choose 1 { gain 1 gold | gain 2 gold } of seat 1
    open: true
    do:
      - sees: {seat 1: {note of seat 1 on knight in table of seat 2: 2}}
      - hides: {seat 2: [note of seat 1 on knight in table of seat 2]}
""",
}


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("marks")
    write_snippet(WORDS, root)
    return root


@pytest.fixture(scope="module")
def rules(pack: Path) -> Rules:
    return load(pack)


def position(rules: Rules) -> Game:
    """A game in which a card in the hand of seat 2 has a hint for all to see, and a note of seat 1."""
    game = rules.game(players=2, seed=1)
    game.answer("whisper seat 2")
    return game


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios(pack: Path, name: str, tmp_path: Path) -> None:
    text = f"{HEAD}  {name}:{SCENARIOS[name]}"
    write_files(pack, {"scenarios/one.yaml": text})
    assert not [each for each in problems_of(pack) if each.code.startswith("DR9")]
    book = load_book((str(pack),))
    outcomes = [play(each, book) for each in read_scenarios(pack / "scenarios" / "one.yaml").scenarios]
    (pack / "scenarios" / "one.yaml").unlink()
    assert [(each.faults, each.got) for each in outcomes if not each.passed] == []


def test_marks_are_seen_on_what_is_hidden(rules: Rules) -> None:
    game = position(rules)
    hidden, own = (game.view(seat).zones["hand of seat 2"].things for seat in (1, 2))
    assert {each.id for each in hidden} == {"?"}
    marks = [(mark.name, mark.value) for each in hidden for mark in each.marks]
    assert marks == [("hint", "blue"), ("note", 1)]
    assert [mark.name for each in own for mark in each.marks] == ["hint"]
    assert not any(name.startswith(("hint", "harm", "note")) for name in game.view(None).counters)


def test_other_worlds_have_the_marks_where_they_were(rules: Rules) -> None:
    game = position(rules)
    faces = set()
    for world in game.worlds(1, 12, seed=5):
        mine, other = (each.view(1).data() for each in (game, world))
        assert mine == other
        faces.add(world.view(None).zones["hand of seat 2"].ids)
    assert len(faces) > 1


def test_the_log_does_not_tell_what_a_hidden_thing_is(rules: Rules) -> None:
    game = position(rules)
    told = [each for each in game.log(1) if each.name.startswith("hint on")]
    assert [(each.name, each.things, each.after) for each in told] == [("hint on ?", ("?",), "blue")]
    assert all("Bell" not in each.text() and "Bard" not in each.text() for each in told)
    assert [each.things for each in game.log(2) if each.name.startswith("hint on")] not in ([], [("?",)])
    assert any(each.name == "trust of seat 1 for seat 2" for each in game.log(2))


def test_saved_and_loaded(rules: Rules) -> None:
    game = position(rules)
    game.answer("other")
    assert game.view(None).counters["road at hill for bay"].value == 1
    again = Game.load(rules, game.save())
    assert again.view(None).data() == game.view(None).data()
    assert again.view(None).counters["trust of seat 1 for seat 2"].value == 3


def test_the_screen_shows_marks_and_pairs(rules: Rules) -> None:
    game = position(rules)
    game.answer("other")
    screen = Screen(game.speaker("en", 0))
    shown = [f"{block.name} {block.more}" for block in screen.marks() if isinstance(block, Entry)]
    assert any("? [Hint: Blue, Note (you): 1]" in line for line in shown), shown
    assert len(screen.tracks(everything=True)) == 3


def test_too_many_cells(tmp_path: Path) -> None:
    shapes = ", ".join(f"s{number}" for number in range(30))
    many = WORDS.replace("copies: 2", "copies: 60").replace("  colour: [", f"  shape: [{shapes}]\n  colour: [")
    many = many.replace("  road: {", "  odd: {per: [card, shape, shape]}\n  road: {")
    write_snippet(many, tmp_path)
    assert "DR210" in codes(problems_of(tmp_path))


SAID = {
    ("knight", "en"): "Gain 1 Harm on this card.",
    ("knight", "pl"): "na tej karcie",
    ("knight", "cs"): "na této kartě",
    ("squire", "en"): "If that player has at least 2 Trust for you, gain 1 Trust for that player.",
    ("squire", "pl"): "wobec ciebie",
    ("squire", "cs"): "vůči tobě",
    (
        "bell",
        "en",
    ): "When a player gains Harm on any card (number A) and the Cost of that card is at least 2, gain Gold",
}


@pytest.mark.parametrize(("card", "language"), SAID)
def test_words(rules: Rules, card: str, language: str) -> None:
    said = " ".join(text for _, text in rules.texts("card", card, language)).replace("\N{NO-BREAK SPACE}", " ")
    assert SAID[card, language] in said
