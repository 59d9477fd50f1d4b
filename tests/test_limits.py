"""The limits of a game: what goes beyond them ends with an error that names the limit and what was running."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.bots import SimpleBot
from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.problems import CannotRunError
from dunerules.runtime import limits
from dunerules.runtime.state import GameError

from .support import write_files


@pytest.fixture(autouse=True)
def _sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of what takes long, divided by twenty."""
    monkeypatch.setattr("dunerules.runtime.programs.FUEL", limits.FUEL // 20)
    monkeypatch.setattr("dunerules.runtime.limits.FUEL", limits.FUEL // 20)
    monkeypatch.setattr("dunerules.runtime.plans.LOOKS", limits.LOOKS // 20)
    monkeypatch.setattr("dunerules.runtime.limits.LOOKS", limits.LOOKS // 20)


# ---- every command tells the reason

ENDLESS_TURN = """\
=== cards.yaml
kind: card
objects:
  coin: {start: deck, copies: 5, play: loop}
=== rules.yaml
setup: each seat { take 3 }
flow: repeat 9 { each seat { turn } }
procedures:
  turn: offer actions
  loop: repeat 500000 { gain 1 gold, lose 1 gold }
moves:
  play_card:
    group: actions
    takes: {c: card in hand}
    do: move c from hand to table, run play of c
  rest: {group: actions, do: gain 1 fame with red}
scoring: {score: gold}
"""
ENDLESS_SETUP = """\
=== rules.yaml
setup: each seat { repeat 500000 { gain 1 gold, lose 1 gold } }
flow: each seat { gain 1 gold }
scoring: {score: gold}
"""
REASON = "never come to an end here (limit: fuel)"


def test_an_error_names_its_limit_and_what_was_running(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    game = load(tmp_path).game(seats=2)
    with pytest.raises(GameError, match=r"limit: fuel.*turn -> move play_card -> play of coin -> loop") as caught:
        game.answer(0)
    assert caught.value.limit == "fuel"


def test_a_bot_that_looks_ahead_at_an_endless_answer_gives_another_one(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    game = load(tmp_path).game(seats=2)
    assert game.question is not None
    (number,) = SimpleBot(1).choose(game)
    assert game.question.names[number] == "rest"


def test_sim_tells_every_reason_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    assert main(["sim", "--game", str(tmp_path), "--players", "2", "--games", "3"]) == 1
    shown = capsys.readouterr().out
    assert "3 games, 0 shared wins, 3 ended by an error" in shown
    assert shown.count(REASON) == 1
    assert "3 of them: " in shown


@pytest.mark.parametrize(
    "command",
    [
        ["play", "--seats", "random,random", "--save", "SAVE"],
        ["replay", "SAVE", "--record", "--players", "2"],
    ],
)
def test_an_endless_setup_is_told_by(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_SETUP, tmp_path / "pack")
    words = [str(tmp_path / "save.json") if word == "SAVE" else word for word in command]
    assert main([*words, "--game", str(tmp_path / "pack")]) == 2
    shown = capsys.readouterr().err
    assert REASON in shown
    assert "internal error" not in shown
    assert not (tmp_path / "save.json").exists()


def test_an_endless_turn_is_told_by_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path / "pack")
    save = str(tmp_path / "save.json")
    assert main(["play", "--game", str(tmp_path / "pack"), "--seats", "simple,random", "--save", save]) == 2
    shown = capsys.readouterr().err
    assert REASON in shown
    assert "the game is saved as it was before the last answer" in shown


def test_a_scenario_that_never_ends_fails_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    write_files(tmp_path, {"scenarios/endless.yaml": "seats: 2\nscenarios:\n  round: {start: loop of seat 1}\n"})
    assert main(["test", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert REASON in shown
    assert "the engine failed" not in shown


# ---- what goes beyond a limit

CARDS = "=== cards.yaml\nkind: card\ndefaults: {start: deck, copies: 50, cost: 900000000}\nobjects:\n"
CARDS += "".join(f"  c{number}: {{name: C}}\n" for number in range(8))
FILTERS = "count(card[count(card[count(card[count(card[cost of it > gold]) = gold]) = gold]) = gold])"
ALL_PLACES = "".join(f"  s{number}: {{name: S}}\n" for number in range(10))
ROW = "".join(f"  s{number}: {{name: S, fee: fee of s{number + 1} + 1}}\n" for number in range(60))
CHAIN = "".join(f"  s{number}: {{name: S, fee: fee of s{number + 1} + fee of s{number + 1}}}\n" for number in range(40))
SLOTS = """\
=== words.yaml
kinds:
  card: {fields: {cost: number}, slots: {play: effect, needs: condition, price: cost}, active: [table]}
  spot: {role: place, slots: {fee: number, visit: effect, toll: cost}}
counters:
  gold: {per: seat}
  leading: {per: game, holds: seat}
pieces: {cube: {count: 99, pools: [stock, camp], home: stock}}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
=== verbs.yaml
verbs: {take: {takes: {n: amount}, do: move top n card from deck to hand}}
values:
  weight: gold + 1
=== spots.yaml
kind: spot
objects:
  s0: {name: S}
"""


def flow(text: str) -> str:
    return f"=== rules.yaml\nflow: each seat {{ {text} }}\nscoring: {{score: gold}}\n"


def moves(text: str) -> str:
    return f"=== rules.yaml\nflow: each seat {{ offer acts }}\nscoring: {{score: gold}}\nmoves:\n{text}"


SPOTS = "=== spots.yaml\nkind: spot\nobjects:\n"
ONE_CARD = "=== cards.yaml\nkind: card\nobjects:\n"
BEYOND = {
    "filters in filters": ("fuel", CARDS + flow(f"gain ({FILTERS}) gold")),
    "a filter again and again": (
        "fuel",
        CARDS + flow("repeat 9000 { gain 1 gold, if count(card[cost of it > gold]) = 7 { gain 1 gold } }"),
    ),
    "products of products": (
        "numbers",
        SLOTS + flow("let a = 99999 { let b = a * a { let c = b * b { gain c gold } } }"),
    ),
    "a product below zero": ("numbers", SLOTS + flow("let a = 0 - 99999 { let b = a * 99999 { gain b gold } }")),
    "a sum": ("numbers", CARDS + flow("gain (sum(cost each card in deck)) gold")),
    "a number too large on the way": ("numbers", SLOTS + flow("let a = 999999999 { gain (a * a - a * a) gold }")),
    "slots that ask each other twice": (
        "fuel",
        SLOTS + SPOTS + CHAIN + "  s40: {name: S, fee: gold}\n" + flow("gain (fee of s0) gold"),
    ),
    "a slot that asks itself": (
        "depth",
        SLOTS + SPOTS + "  s0: {name: S, fee: fee of this + 1}\n" + flow("gain (fee of s0) gold"),
    ),
    "a slot that asks itself by name": (
        "depth",
        SLOTS + SPOTS + "  s0: {name: S, fee: fee of s0 + 1}\n" + flow("gain (fee of s0) gold"),
    ),
    "slots that ask each other in a long row": (
        "depth",
        SLOTS + SPOTS + ROW + "  s60: {name: S, fee: gold}\n" + flow("gain (fee of s0) gold"),
    ),
    "a price that runs itself": (
        "depth",
        SLOTS + ONE_CARD + "  coin: {start: hand, price: run price of this}\n"
        + moves("  buy: {group: acts, takes: {c: card in hand}, cost: run price of c, do: gain 1 gold}\n"),
    ),
    "a price of a place that runs itself by name": (
        "depth",
        SLOTS + SPOTS + "  s0: {name: S, toll: run toll of s0}\n"
        + moves("  buy: {group: acts, cost: run toll of s0, do: gain 1 gold}\n"),
    ),
    "an effect that always runs itself": (
        "depth",
        SLOTS + ONE_CARD + "  coin: {start: hand, play: 'gain 1 gold, run play of this, gain 1 gold'}\n"
        + flow("choose 1 card in hand as c { run play of c }"),
    ),
    "an effect that runs itself": (
        "depth",
        SLOTS + ONE_CARD + "  coin: {start: hand, play: 'gain 1 gold, if gold > 0 { run play of this }'}\n"
        + flow("choose 1 card in hand as c { run play of c }"),
    ),
    "a move with twelve picks": (
        "options",
        SLOTS + SPOTS + ALL_PLACES
        + moves(f"  go: {{group: acts, takes: {{{', '.join(f'p{n}: spot' for n in range(12))}}}, do: gain 1 gold}}\n"),
    ),
    "a move with twelve picks and none that fits": (
        "fuel",
        SLOTS + SPOTS + ALL_PLACES
        + moves(
            f"  go:\n    group: acts\n    takes: {{{', '.join(f'p{n}: spot' for n in range(12))}}}\n"
            "    if: p10 = s0 and p11 = s1 and p10 = p11\n    do: gain 1 gold\n"
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BEYOND)
def test_beyond_a_limit(case: str, tmp_path: Path) -> None:
    limit, files = BEYOND[case]
    write_snippet(files, tmp_path)
    with pytest.raises(CannotRunError) as caught:
        load(tmp_path).game(seats=2)
    if isinstance(caught.value, GameError) or limit != "depth":
        assert f"limit: {limit}" in str(caught.value)
    else:  # what goes round is refused beforehand
        assert re.search("DR208|DR619", str(caught.value))


def test_a_modifier_that_asks_for_its_own_value_goes_too_deep(tmp_path: Path) -> None:
    card = "  coin: {start: table, abilities: [{while: weight + 1, if: weight > 3}]}\n"
    write_snippet(SLOTS + ONE_CARD + card + flow("gain (weight) gold"), tmp_path)
    with pytest.raises(CannotRunError, match=r"limit: depth|DR208"):
        load(tmp_path).game(seats=2)


def test_what_is_looked_at_is_counted_from_decision_to_decision(tmp_path: Path) -> None:
    """Long games end as well as short ones: nothing is left over from before the last decision."""
    counting = "if count(card[count(card[cost of it > gold]) = 7]) = 1 { gain 1 gold }"
    effect = f"repeat 30 {{ may {{ gain 1 gold }}, repeat 3 {{ {counting}, gain 0 gold }} }}"
    write_snippet(CARDS.replace("50", "8") + flow(effect), tmp_path)
    game = load(tmp_path).game(seats=2)
    while not game.over:
        game.answer(1)
        for _ in range(20):
            game.view(1), game.standings(), game.why_not("nothing")
