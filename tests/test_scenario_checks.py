"""Scenarios that bite: names exist, checks look at the moment they stand at, and nothing passes by saying nothing."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import write_snippet
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.playing import Playing
from dunerules.scenarios.record import Scenario, ScenarioFile, lines_of, read_scenarios
from dunerules.scenarios.report import shown_failure, shown_problem
from dunerules.scenarios.run import Outcome, play
from dunerules.scenarios.stage import Book, load_book

from .support import CONTENT, problems_of
from .test_scenarios import book as cached_book

YARD = """
=== cards.yaml
kind: card
objects:
  ring: {cost: 1, copies: 3, start: deck, play: gain 1 gold}
  rope: {cost: 2, copies: 3, start: deck, play: "choose 1 { gain 2 gold | lose 1 gold -> gain 1 fame with red }"}
  coat: {cost: 4, copies: 3, start: box}
  sack: {cost: 3, copies: 2, start: deck, play: "move 1 card[cost = 1] from hand to pile"}
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card:
    fields: {cost: number}
    slots: {play: effect}
    active: [table]
  spot:
    role: place
    slots: {visit: effect}
counters:
  gold: {per: seat, min: -5}
  fame: {per: [seat, colour], max: 10}
  bid: {per: seat, hidden: true}
  leading: {per: game, holds: seat}
  weather: {per: game, holds: colour}
  favourite: {per: seat, holds: card}
pieces:
  cube: {count: 8, pools: [stock, camp], places: spot, home: stock}
zones:
  deck: {per: seat, holds: card, sight: none, refill: pile}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  pile: {per: seat, holds: card, sight: all}
  box: {per: game, holds: card, sight: all}
=== rules.yaml
setup: each seat { gain 1 gold, take 2 }
flow: repeat 9 { each seat { turn } }
procedures:
  turn: take 1, offer actions
  auction: "secretly each seat { choose 1 { gain 1 bid | gain 2 bid } }"
  harvest: each seat { gain 1 gold }
moves:
  play_card:
    group: actions
    takes: {c: card in hand}
    do: move c from hand to table, run play of c
  go:
    group: actions
    takes: {p: spot}
    if: have 1 cube in camp
    do: move 1 cube from camp to p, run visit of p
scoring:
  score: gold
abilities:
  - {name: a tithe, when: you gain gold, limit: 1 per game, do: gain 1 bid}
=== verbs.yaml
verbs:
  take:
    takes: {n: amount}
    do: move top n card from deck to hand
values:
  income: gold + count(card in hand)
  rich: gold >= 3
  rival:
    is: seat[gold > gold of you]
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour, visit: gain 1 gold}
  hill: {name: Hill, visit: take 1}
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Book]:
    root = tmp_path_factory.mktemp("yard")
    write_snippet(YARD, root)
    return root, load_book((str(root),))


class Yard:
    """Plays scenarios of a small game."""

    def __init__(self, root: Path, book: Book) -> None:
        self.root = root
        self.book = book

    def outcomes(self, text: str) -> dict[str, Outcome]:
        folder = self.root / "scenarios"
        folder.mkdir(exist_ok=True)
        path = folder / "some.yaml"
        path.write_text(textwrap.dedent(text), "utf-8")
        file = read_scenarios(path)
        assert not file.problems, "\n".join(map(shown_problem, file.problems))
        return {scenario.name: play(scenario, self.book) for scenario in file.scenarios}

    def one(self, body: str) -> Outcome:
        return self.outcomes(f"seats: 3\nscenarios:\n  this one:\n{textwrap.indent(textwrap.dedent(body), '    ')}")[
            "this one"
        ]

    def passes(self, body: str) -> None:
        outcome = self.one(body)
        assert outcome.passed, "\n".join(shown_failure(outcome))

    def says(self, body: str) -> str:
        outcome = self.one(body)
        assert not outcome.passed
        return "\n".join(map(str, outcome.faults))


@pytest.fixture
def play_yard(yard: tuple[Path, Book]) -> Yard:
    return Yard(*yard)


TURN = """
start: turn of seat 1
given: {seat 1: {hand: [rope], deck: [ring, sack, ...]}}
"""

UNKNOWN = {
    # names of options
    "do: [{not_offered: [fly_to_the_moon]}]\nopen: true": "`fly_to_the_moon` is never offered",
    "do: [{not_offered: [play_crad ring]}]\nopen: true": "did you mean `play_card`?",
    "do: [{not_offered: [play_card rign]}]\nopen: true": "did you mean `ring`?",
    "do: [{not_offered: [play_card harbour]}]\nopen: true": "no option can ever be called so",
    "do: [{not_offered: [go ring]}]\nopen: true": "no option can ever be called so",
    "do: [{not_offered: [gain 7 gold]}]\nopen: true": "no option can ever be called so",
    "do: [{not_offered: {go hill: e}}]\nopen: true": "but because: `have 1 cube in camp` does not hold",
    "do: [{offered: [play_card]}]\nopen: true": "fits 2 options: name the one that is meant, or write `play_card ...`",
    "do: [{only_offered: [play_card]}]\nopen: true": "fits 2 options",
    "do: [{only_offered: [go ...]}]\nopen: true": "`go ...` is not offered",
    # other names
    "ignore: [glod]\nopen: true": "there is no counter `glod` to ignore; did you mean `gold`?",
    "ignore: [cube]\nopen: true": "there is no counter `cube` to ignore",
    "do: [{hides: {seat 2: [hnad of seat 1]}}]\nopen: true": "did you mean `hand`?",
    "do: [{hides: {seat 2: [table of seat 1]}}]\nopen: true": "`table of seat 1` is empty: there is nothing to hide",
    "do: [{sees: {seat 9: {hand: []}}}]\nopen: true": "there is no seat 9",
    "do: [{sees: {seat 1: {hnad: [ring]}}}]\nopen: true": "did you mean `hand`?",
    "do: [{check: {incom of seat 1: 1}}]\nopen: true": "there is no counter, piece or zone `incom`",
    "like: this one": "`like` goes in a circle",
    "like: that one": "there is no scenario `that one` in this file",
}


@pytest.mark.parametrize("body", UNKNOWN)
def test_a_name_is_the_name_of_something(body: str, play_yard: Yard) -> None:
    assert UNKNOWN[body] in play_yard.says(TURN + body)


NOTHING = [
    "strict: false\ndo: [play_card rope, gain 2 gold]",
    "strict: false\ndo: [play_card rope, gain 2 gold]\nexpect: {}",
    "strict: false\ndo: [play_card rope, gain 2 gold]\nexpect: {hand of seat 1: {mixed: true}}",
    "open: true\nstrict: false\ndo: [{check: {}}]",
    "open: true\ndo: [{check: {seat 1: {}}}]",
    "open: true\ndo: [{sees: {}}]",
    "open: true\ndo: [{sees: {seat 1: {}}}]",
    "open: true\ndo: [{hides: {seat 1: []}}]",
    "open: true\ndo: [{offered: []}]",
    "open: true\ndo: [{not_offered: []}]",
    "open: true\ndo: [{not_offered: {}}]",
    "open: true\ndo: [{seat 1: {offered: []}}]",
    "open: true\nexpect: {moved: {}}",
    "open: true\nexpect: {hand of seat 1: {}}",
    "open: true\nexpect: {hand of seat 1: {top: []}}",
]


@pytest.mark.parametrize("body", NOTHING)
def test_what_asserts_nothing_is_an_error(body: str, play_yard: Yard) -> None:
    outcome = play_yard.one(TURN + body)
    assert [fault.code for fault in outcome.faults] == ["DR902"]
    assert "asserts nothing" in str(outcome.faults[0])


def test_no_gain_and_no_loss_can_be_expected(play_yard: Yard) -> None:
    start = TURN + "open: true\nstrict: false\n"
    play_yard.passes(start + "expect: {hand of seat 1: {lost: []}, pile of seat 1: {gained: []}}")
    assert "nothing should be gained, and ring was" in play_yard.says(start + "expect: {hand of seat 1: {gained: []}}")


def test_all_that_fit_can_be_meant(play_yard: Yard) -> None:
    play_yard.passes(TURN + "open: true\nstrict: false\ndo: [{only_offered: [play_card ...]}]")
    play_yard.passes(
        TURN + "open: true\nstrict: false\ndo: [{not_offered: [go ...]}, {not_offered: {go: cube in camp}}]"
    )


def test_effects_are_named_by_words_that_follow_each_other(play_yard: Yard) -> None:
    said = play_yard.says(TURN + "do: [play_card rope, lose gain]")
    assert "`lose gain` is not offered" in said


# ---- the moment

SACK = """
start: turn of seat 1
given: {seat 1: {hand: [sack, rope], deck: [ring, ...]}}
strict: false
"""


def test_what_had_one_answer_can_be_named_or_not(play_yard: Yard) -> None:
    """A seat that must pick the only card that fits is asked all the same: the others cannot know."""
    ending = "expect: {pile of seat 1: [ring]}"
    play_yard.passes(SACK + "do: [play_card sack]\n" + ending)
    play_yard.passes(SACK + "do: [play_card sack, ring]\n" + ending)
    play_yard.passes(SACK + "do: [play_card sack, {seat 1: ring}]\n" + ending)
    play_yard.passes(SACK + "do: [play_card sack, {pass_forced: all}, {check: {pile of seat 1: [ring]}}]\n" + ending)
    said = play_yard.says(SACK + "do: [play_card sack, rope]\n" + ending)
    assert "nobody is asked anything any more; the only options were done by themselves: seat 1: ring" in said


def test_what_was_never_asked_can_be_named(play_yard: Yard) -> None:
    forced = "start: choose 1 seat[gold > 1] as s { gain 1 gold of s } of seat 2\ngiven: {gold of seat 3: 2}\n"
    play_yard.passes(forced + "do: [seat 3]\nexpect: {gold of seat 3: 3, bid of seat 3: 1}")
    play_yard.passes(forced + "do: [{seat 2: seat 3}]\nexpect: {gold of seat 3: 3, bid of seat 3: 1}")
    play_yard.passes(forced + "expect: {gold of seat 3: 3, bid of seat 3: 1}")
    assert "nobody is asked" in play_yard.says(forced + "do: [seat 3, seat 3]")
    assert "nobody is asked" in play_yard.says(forced + "do: [{seat 1: seat 3}]")
    assert "nobody is asked" in play_yard.says(forced + "do: [seat 1]")


def test_checks_pass_no_question(play_yard: Yard) -> None:
    """Each looks before the only card is discarded."""
    for check in (
        "check: {hand of seat 1: [ring, rope]}",
        "sees: {seat 1: {hand: [ring, rope]}}",
        "hides: {seat 2: [hand of seat 1]}",
        "offered: [ring]",
        "only_offered: [ring]",
        "not_offered: [rope]",
    ):
        play_yard.passes(SACK + f"do: [play_card sack, {{{check}}}, {{check: {{hand of seat 1: 2}}}}]")


def test_what_is_done_is_not_called_not_offered(play_yard: Yard) -> None:
    gone = textwrap.dedent("""
    start:
      - choose 1 seat[gold > 1] as s { gain 1 gold of s } of seat 2
      - turn of seat 1
    given: {gold of seat 3: 2, seat 1: {hand: [rope], deck: [ring, ...]}}
    open: true
    strict: false
    """)
    assert "it was the only option and is done" in play_yard.says(gone + "do: [{not_offered: [seat 3]}]")
    assert "it was the only option and is done" in play_yard.says(gone + "do: [{offered: [seat 3]}]")


def test_a_seat_stands_before_any_check(play_yard: Yard) -> None:
    play_yard.passes(
        TURN
        + """
open: true
strict: false
do:
  - seat 1: {only_offered: [play_card rope, play_card ring], not_offered: [go hill]}
  - seat 2: {hides: [hand of seat 1], sees: {hand of seat 1: 2}}
  - seat 1: {sees: {hand: [rope, ring]}, check: {hand: {gained: [ring]}}}
"""
    )
    assert "seat 1 is asked, not seat 2" in play_yard.says(
        TURN + "open: true\nstrict: false\ndo: [{seat 2: {offered: [play_card rope]}}]"
    )


def test_seats_that_are_asked_at_once_answer_in_any_order(play_yard: Yard) -> None:
    play_yard.passes(
        """
start: auction
do:
  - seat 3: {only_offered: [gain 1 bid, gain 2 bid]}
  - seat 3: gain 2 bid
  - seat 1: gain 1 bid
  - hides: {seat 1: [bid of seat 3]}
  - seat 2: gain 1 bid
expect: {bid of seat 1: 1, bid of seat 2: 1, bid of seat 3: 2}
"""
    )


def test_face_down_piles_are_seen_in_order(play_yard: Yard) -> None:
    start = """
start: [look top 2 card in deck of seat 1, turn of seat 1]
given: {seat 1: {deck: [ring, rope, sack], pile: [...]}}
open: true
strict: false
"""
    play_yard.passes(start + "do: [{sees: {seat 1: {deck: [rope, '?']}}}]")
    assert "should see deck" in play_yard.says(start + "do: [{sees: {seat 1: {deck: ['?', rope]}}}]")


# ---- what was got can be pasted


def pasted(scenario: Scenario, book: Book) -> list[str]:
    """What is wrong if the difference a scenario makes, in the first of its worlds, is written under `expect`."""
    world = replace(scenario, given=(*scenario.given, *scenario.worlds[0])) if scenario.worlds else scenario
    playing = Playing(world, book)
    for number, act in enumerate(scenario.acts):
        if number:
            playing.begin(number)
        for step in act.steps:
            list(playing.step(step))
    list(playing.end())
    got = playing.difference()
    node, problems = read_yaml(Source("got", "\n".join(got))) if got else (None, [])
    compared = playing.compared()
    wrong = [*map(str, problems), *map(str, compared.wrong(tuple(lines_of(node))))]
    return [*wrong, *compared.unmentioned(playing.left_out())]


FILES = [read_scenarios(path) for path in find_scenario_files([CONTENT])]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_what_was_got_can_be_pasted(file: ScenarioFile) -> None:
    book = cached_book(file.packs)
    wrong = {each.name: faults for each in file.scenarios if (faults := pasted(each, book))}
    assert wrong == {}


# ---- positions, values, and what builds on others

RIGHT = {
    "values of a seat": """
start: gain 3 gold of seat 1
given: {seat 1: {hand: [ring, rope]}, gold of seat 2: -2}
expect:
  seat 1: {gold: 3, bid: 1, income: 2 -> 5, rich: true}
  income of seat 2: -2
  income of seat 1: "+3"
  rich of seat 2: false
  count(card in hand) of seat 1: 2
""",
    "counters below zero": """
start: lose 1 gold of seat 1
given: {gold of seat 1: -2}
expect: {gold of seat 1: -2 -> -3}
""",
    "a change below zero": 'start: lose 1 gold of seat 1\ngiven: {gold of seat 1: -2}\nexpect: {gold of seat 1: "-1"}',
    "pieces between places": """
start: move 2 cube from harbour to hill of seat 1
given: {cube at harbour of seat 1: 3}
expect: {moved: {2 cube: harbour of seat 1 -> hill of seat 1}}
""",
    "pieces from a place, in the block of a seat": """
start: move 1 cube from harbour to camp of seat 1
given: {seat 1: {cube at harbour: 3}}
expect: {seat 1: {moved: {cube: harbour -> camp}}}
""",
    "both ends of a pointer": "start: set leading to next of you of seat 1\nexpect: {leading: nobody -> seat 2}",
    "a counter that points at a thing": """
start: choose 1 card[cost = 2] in hand as c { set favourite to c } of seat 2
given: {seat 2: {hand: [ring, rope], favourite: ring}}
expect: {favourite of seat 2: ring -> rope}
""",
    "of several copies the one that the seat has": """
start: move all card[it = favourite] from hand to pile of seat 2
given: {hand of seat 1: [ring], seat 2: {hand: [rope, ring], favourite: ring}}
expect: {seat 2: {moved: {ring: hand -> pile}}}
""",
    "what is used up": "start: gain 1 gold of seat 1\ngiven: {seat 1: {used: [a tithe]}}\nexpect: {gold of seat 1: 1}",
    "what another seat has used up": """
start: gain 1 gold of seat 1
given: {used of seat 2: [a tithe]}
expect: {gold of seat 1: 1, bid of seat 1: 1}
""",
    "the setup and no more": """
start: setup
strict: false
expect: {gold of seat 3: 1, hand of seat 3: 2}
""",
    "the setup and then something": """
start: [setup, turn of seat 2]
open: true
strict: false
expect: {hand of seat 1: 2, hand of seat 2: 3}
""",
    "a start zone made short": """
start: gain 1 gold of seat 1
given: {box: [coat]}
expect: {gold of seat 1: 1, bid of seat 1: 1}
""",
}


@pytest.mark.parametrize("what", RIGHT)
def test_what_can_be_given_and_expected(what: str, play_yard: Yard) -> None:
    play_yard.passes(RIGHT[what])


WRONG = {
    "start: gain 1 gold of seat 1\nexpect: {income of seat 1: 5}": "income of seat 1: expected 5, got 0 -> 1",
    "start: gain 1 gold of seat 1\nexpect: {rich of seat 1: true}": "rich of seat 1: expected true, got false",
    "start: gain 1 gold of seat 1\ngiven: {seat 1: {used: [a tihte]}}": "did you mean `a tithe`?",
    "start: gain 1 gold of seat 1\ngiven: {used: [a tithe]}": "whose? write `used of seat 1`",
    "start: gain 1 gold of seat 1\ngiven: {gold of seat 1: -6}": "`gold of seat 1` goes from -5 to",
    "start: set leading to you of seat 2\nexpect: {leading: seat 1 -> seat 2}": "got nobody -> seat 2",
    "start: set weather to blue of seat 1\nexpect: {weather: red}": "weather: expected red, got nothing -> blue",
    "start: choose 1 card in hand as c { set favourite to c } of seat 1\ngiven: {hand of seat 1: [rope]}\n"
    "expect: {favourite of seat 1: ring}": "favourite of seat 1: expected ring, got nothing -> rope",
    "start: move 1 cube from harbour to hill of seat 1\ngiven: {cube at harbour of seat 1: 3}\n"
    "expect: {moved: {cube: harbour -> hill}}": "whose? write `harbour of seat 1`",
}


@pytest.mark.parametrize("body", WRONG)
def test_what_is_not_so_is_said(body: str, play_yard: Yard) -> None:
    assert WRONG[body] in play_yard.says(body)


def test_a_scenario_builds_on_another(play_yard: Yard) -> None:
    outcomes = play_yard.outcomes(
        """
        seats: 3
        scenarios:
          it goes on:
            like: the turn
            do: [lose 1 gold]
            expect: {gold of seat 1: 1, fame of seat 1 with red: 1}
          the turn:
            start: turn of seat 1
            given: {seat 1: {hand: [rope], deck: [ring, sack, ...], gold: 2}}
            do: [play_card rope]
            open: true
            expect: {seat 1: {moved: {rope: hand -> table, ring: deck -> hand}}}
          and something follows:
            like: it goes on
            given: {gold of seat 2: 3}
            start: harvest
            strict: false
            expect: {gold of seat 1: "+1", gold of seat 2: 4}
          what was expected there is not looked at again:
            like: broken
            do: [gain 2 gold]
            strict: false
            expect: {gold of seat 1: "+2"}
          broken:
            like: the turn
            open: true
            expect: {gold of seat 1: 9}
        """
    )
    assert [name for name, outcome in outcomes.items() if not outcome.passed] == ["broken"]


WORLDS = """
start: turn of seat 1
worlds:
  for: %s
  given:
    - {seat 1: {hand: [rope], deck: [ring, ...]}}
    - {seat 1: {hand: [rope], deck: [sack, ...]}}
do: [%s, gain 2 gold]
"""


def test_worlds_that_seats_cannot_tell_apart(play_yard: Yard) -> None:
    play_yard.passes(WORLDS % ("[seat 2, seat 3]", "play_card rope"))
    said = play_yard.says(WORLDS % ("[seat 2, seat 1]", "play_card rope"))
    assert "seat 1 can tell world 1 from world 2 after the start: hand of seat 1" in said
    assert "seat 2 can tell" not in said
    assert "there is no seat 9" in play_yard.says(WORLDS % ("seat 9", "play_card rope"))
    assert "is not offered" in play_yard.says(WORLDS % ("seat 2", "play_card sack"))


def test_worlds_differ_by_the_log_too(play_yard: Yard) -> None:
    """What went to the pile is out of sight again, and was seen on its way."""
    text = """
    start: ["move 1 card from hand to table, move all card from table to deck, shuffle deck of seat 1"]
    worlds:
      for: seat 2
      given:
        - {seat 1: {hand: [rope], deck: [...]}}
        - {seat 1: {hand: [sack], deck: [...]}}
    """
    assert "the log" in play_yard.says(textwrap.dedent(text))


def test_options_have_names_of_their_own(play_yard: Yard) -> None:
    chosen = 'start: "choose 1 { rich = gain 2 gold | poor = lose 1 gold | gain 1 gold } of seat 2"\n'
    ending = "expect: {gold of seat 2: 2, bid of seat 2: 1}"
    play_yard.passes(chosen + "do: [{only_offered: [rich, poor, gain 1 gold]}, rich]\n" + ending)
    assert "`gain 2 gold` is not offered" in play_yard.says(chosen + "do: [gain 2 gold]\n" + ending)
    assert "`rich` is the name of another option here" in play_yard.says(
        'start: "choose 1 { rich = gain 2 gold | rich = lose 1 gold } of seat 2"'
    )
    ordered = 'start: "any order { first = gain 2 gold | last = lose 1 gold } of seat 2"\n'
    play_yard.passes(ordered + "do: [last, first]\nexpect: {gold of seat 2: 1, bid of seat 2: 1}")


def test_a_fault_of_the_engine_shows_where(play_yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise TypeError("out of order")

    play_yard.passes(TURN + "strict: false\ndo: [play_card rope, gain 2 gold]\nexpect: {gold of seat 1: 2}")
    monkeypatch.setattr(Playing, "end", broken)
    said = play_yard.says(TURN + "strict: false\ndo: [play_card rope, gain 2 gold]\nexpect: {gold of seat 1: 2}")
    assert "the engine failed: TypeError: out of order" in said
    assert "in test_scenario_checks.py:" in said
    assert "scenarios/run.py:" in said
    assert "after seat 1: play_card rope; seat 1: gain 2 gold" in said
    assert "/dunerules/" not in said


def test_the_summary_tells_of_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.yaml").write_text(
        "packs: base\nscenarios:\n  a coin: {start: gain 1 solari of seat 1, expect: {solari of seat 1: 1}}\n"
    )
    (tmp_path / "broken.yaml").write_text("packs: base\nscenarois: {}\n")
    assert main(["test", str(tmp_path)]) == 2
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 file could not be read"


def test_check_looks_at_scenarios_and_remembers_them(tmp_path: Path) -> None:
    root, cache = tmp_path / "example", tmp_path / "cache"
    write_snippet(YARD, root)
    text = "scenarios:\n  a coin:\n    start: gain 1 gold of seat 1\n    expect: {%s of seat 1: 1, bid of seat 1: 1}\n"
    file = root / "scenarios" / "some.yaml"
    file.parent.mkdir()
    file.write_text(text % "glod")
    for _ in range(2):
        found = [each for each in problems_of(root, cache) if each.code == "DR901"]
        assert [(each.span.line, each.span.column) for each in found] == [(4, 14)]
    file.write_text(text % "gold")
    assert [each for each in problems_of(root, cache) if each.code.startswith("DR9")] == []
    words = root / "words.yaml"
    words.write_text(
        words.read_text().replace("  bid: {per: seat, hidden: true}", "  bidding: {per: seat, hidden: true}")
    )
    assert "DR901" not in {each.code for each in problems_of(root, cache)}, (
        "a pack with errors says nothing of scenarios"
    )
    for name in ("words.yaml", "rules.yaml"):
        path = root / name
        path.write_text(path.read_text().replace(" bid", " bidding").replace("biddingding", "bidding"))
    assert {each.code for each in problems_of(root, cache)} >= {"DR901"}
