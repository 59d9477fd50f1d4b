"""Questions whose answers all lead to the same game: `Question.matters`, tried by giving every answer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.touches import ANYTHING, Touched, commute, meet, reads, touched
from dunerules.game import Game, load
from dunerules.play.session import Session
from dunerules.replays import Recorder, read_replay, verify
from dunerules.runtime import touching

from .broken import BrokenError
from .core.known import KNOWN, read
from .orders import weigh
from .support import write_files
from .table import Script
from .weighing import weigh_effects, weigh_games

# ---- what steps touch


def test_what_expressions_read() -> None:
    assert reads(read("(read gold (you))")) == {"gold"}
    assert reads(read("(length (pile (zonenumber hand you)))")) == {"zone hand"}
    assert reads(read("(length (pile 3))")) == {"zones"}
    assert reads(read("(holder p0)")) == {"zones"}
    assert reads(read("(call @twice (1))")) == {"*"}


def test_all_zones_are_every_zone() -> None:
    assert meet({"zone hand"}, {"zones"})
    assert meet({"zones"}, {"zone hand"})
    assert not meet({"zone hand"}, {"zone deck", "gold"})
    assert meet({"*"}, {"gold"})
    assert not meet({"*"}, ())


def _gain(sign: str, amount: ir.Expr, slot: int = -1) -> st.Steps:
    """As verbs describe a change of a counter."""
    region = KNOWN.regions["gold"]
    number, before, value = map(ir.Variable, ("number", "before", "value"))
    after = ir.Arithmetic((ir.Term("+", before), ir.Term(sign, amount)))
    steps: list[st.Step] = [
        st.Let("number", ir.CellNumber(region, (ir.FramePart("you"),))),
        st.Let("before", ir.Held(number)),
        st.Need(ir.Compare(">=", before, amount)),
        st.Let("value", after),
        st.Clamp("value", 0, 99),
        st.Write(region, number, value),
        st.Note(ir.Truth(True), (number, before, value)),
    ]
    return (*steps, st.Put(slot, ir.Difference(value, before))) if slot >= 0 else tuple(steps)


def test_raising_is_no_reading() -> None:
    raised = touched(_gain("+", ir.Number(2)))
    assert raised == Touched(frozenset(), frozenset({("gold", "+")}))
    assert touched(_gain("-", ir.Number(2))).written == {("gold", "-")}
    assert touched(_gain("+", read("(read debt (you))"))).written == {("gold", "=")}, "debt may be below zero"
    assert touched(_gain("+", read("(read era ())"))) == Touched(frozenset({"era"}), frozenset({("gold", "+")}))
    assert touched(_gain("+", ir.Number(2), slot=0)).read == {"gold"}, "how much it was depends on how much there was"


def test_what_commutes() -> None:
    raised, lowered = touched(_gain("+", ir.Number(2))), touched(_gain("-", ir.Number(1)))
    counted = touched(_gain("+", ir.Number(2), slot=0))
    assert commute(raised, raised)
    assert commute(lowered, lowered)
    assert not commute(raised, lowered), "bounds: 0 - 1 + 2 and 0 + 2 - 1"
    assert not commute(raised, counted)
    assert commute(raised, Touched(frozenset({"debt"}), frozenset({("zone hand", "=")})))
    assert not commute(Touched(), ANYTHING)
    assert touched((st.Ask("number", "n", "any", ir.Members(()), None, ir.Members(()), ""),)).changed == {"*"}


# ---- a made-up pack

PACK = {
    "pack.yaml": 'id: orders\nversion: "1.0"\ntitle: Orders\nauthors: [you]\nlicence: CC0-1.0\n',
    "game.yaml": "id: orders\ntitle: Orders\nseats: {min: 2, max: 3}\n",
    "words.yaml": """\
kinds:
  card:
    slots: {play: effect}
    active: [table]
counters:
  gold: {per: seat, max: 20}
  wood: {per: seat}
  glory: {per: seat}
  step: {per: seat, thresholds: [{at: 2, up: gain 1 glory}]}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  secret: {per: seat, holds: card, sight: owner}
""",
    "cards.yaml": """\
kind: card
defaults: {copies: 2}
objects:
  coin: {name: Coin, start: deck, play: gain 1 gold}
  log: {name: Log, start: deck, play: gain 1 wood}
  axe: {name: Axe, start: deck, play: gain (wood) gold}
  bell: {name: Bell, start: secret, abilities: [{when: you gain wood, do: gain 1 gold}]}
""",
    "rules.yaml": """\
setup: each seat { shuffle deck, move top 3 card from deck to hand }
flow: each seat { turn }
procedures:
  turn: TURN
moves:
  play_one: {group: plays, takes: {c: card in hand}, do: "move c from hand to table, run play of c"}
abilities: []
scoring: {score: gold}
""",
}


def game_of(tmp_path: Path, turn: str, *, ability: str = "", **files: str) -> Game:
    """The first question of a game with this turn."""
    rules = PACK["rules.yaml"].replace("TURN", turn)
    rules = rules.replace("abilities: []\n", f"abilities: [{ability}]\n" if ability else "")
    root = write_files(tmp_path / "orders", {**PACK, **files, "rules.yaml": rules})
    return load(root).game(seats=2, seed=3)


SAME = [
    "any order { gain 1 gold | gain 1 wood }",
    "any order { gain 1 gold | gain 2 gold }",
    "any order { lose 1 gold | lose 2 gold | gain 1 wood }",
    "any order { gain (wood) gold | gain 1 glory }",
    "any order { move top 1 card from deck to hand | gain 1 gold }",
    "any order { move top 1 card from deck to hand | if wood > 0 { gain 1 gold } | gain 1 glory }",
    "any order each seat as s { gain 1 gold of s }",
    "gain 1 step, any order { gain 1 step | gain 1 wood }",
]
OTHER = [
    "any order { gain 1 gold | lose 1 gold }",
    "any order { gain (wood) gold | gain 1 wood }",
    "any order { set gold to 3 | gain 1 gold }",
    "any order { if wood > 0 { gain 1 gold } | gain 1 wood | gain 1 glory }",
    "any order { move top 1 card from deck to hand | move all card from hand to table }",
    "any order { gain 1 gold | may { gain 1 wood } }",
    "any order { shuffle deck | move top 1 card from deck to hand }",
    "any order offering plays { gain 1 gold | gain 1 wood }",
    "gain 1 step, any order { gain 1 step | set glory to 0 }",
    "gain 1 gold, any order { gain 1 gold | until end turn { when you gain gold { gain 1 wood } } }",
    "any order each card in hand as c { run play of c }",
]


@pytest.mark.parametrize("turn", SAME)
def test_orders_that_do_not_matter(turn: str, tmp_path: Path) -> None:
    game = game_of(tmp_path, f'"{turn}"')
    assert not weigh(game, Random(1))


@pytest.mark.parametrize("turn", OTHER)
def test_orders_that_matter(turn: str, tmp_path: Path) -> None:
    game = game_of(tmp_path, f'"{turn}"')
    assert weigh(game, Random(1))


def test_moves_in_between_matter_while_they_can_come(tmp_path: Path) -> None:
    """With an empty hand nothing can be played, and nobody could think so."""
    turn = '"move all card from hand to table, any order offering plays { gain 1 gold | gain 1 wood }"'
    assert not weigh(game_of(tmp_path, turn), Random(1))
    drawn = turn.replace("gain 1 wood", "move top 1 card from deck to hand")
    assert weigh(game_of(tmp_path, drawn), Random(1))


def test_what_reacts_is_followed(tmp_path: Path) -> None:
    turn = '"any order { gain 1 gold | gain 1 wood }"'
    ability = "{when: anyone gain wood, do: lose 1 gold}"
    assert weigh(game_of(tmp_path, turn, ability=ability), Random(1))
    ability = "{when: 'anyone[gold > 0] gain wood', do: gain 1 glory}"
    assert weigh(game_of(tmp_path, turn, ability=ability), Random(1)), "who does it is looked at in the event"
    ability = "{when: anyone gain wood, if: gold > 0, do: gain 1 glory}"
    assert weigh(game_of(tmp_path, turn, ability=ability), Random(1))
    ability = "{when: anyone gain wood, do: gain 1 glory}"
    assert not weigh(game_of(tmp_path, turn, ability=ability), Random(1))


@pytest.mark.parametrize(("zone", "matters"), [("table", False), ("secret", True)])
def test_what_nobody_sees_might_be_active(zone: str, matters: bool, tmp_path: Path) -> None:
    """On the table all see that there is no such card; among hidden ones it may be."""
    words = PACK["words.yaml"].replace("active: [table]", f"active: [{zone}]")
    cards = PACK["cards.yaml"].replace("do: gain 1 gold", "do: lose 1 gold").replace("start: secret", "start: deck")
    turn = '"any order { gain 1 gold | gain 1 wood }"'
    assert weigh(game_of(tmp_path, turn, **{"words.yaml": words, "cards.yaml": cards}), Random(1)) == matters


@pytest.mark.parametrize(("which", "matters"), [("coin", False), ("let", True)])
def test_what_was_worked_out_is_not_looked_at(which: str, matters: bool, tmp_path: Path) -> None:
    """What a name stands for may come from hidden things: only what everybody can know decides."""
    words = PACK["words.yaml"].replace("kinds:\n", "kinds:\n  mood: {role: label, slots: {bring: effect}}\n")
    words = words.replace("  gold: {", "  shade: {per: game, holds: mood, hidden: true}\n  gold: {")
    moods = "kind: mood\nobjects:\n"
    for number in range(9):
        moods += f"  mood_{number}: {{name: Mood, bring: gain {number + 1} {'wood' if number else 'gold'}}}\n"
    order = "any order { run bring of x | lose 1 wood }"
    turn = f"set shade to mood_0, let x = shade {{ {order} }}" if which == "let" else f"{order}".replace("x", "mood_0")
    game = game_of(tmp_path, f'"{turn}"', **{"words.yaml": words, "moods.yaml": moods})
    assert weigh(game, Random(1)) == matters


def test_an_answer_is_kept_like_any_other(tmp_path: Path) -> None:
    game = game_of(tmp_path, f'"{SAME[0]}"')
    other = game.clone()
    question = game.question
    assert question is not None
    game.answer(1)
    other.answer(0)
    assert game.save()["answers"] != other.save()["answers"]
    assert game.hash() == other.hash()
    assert not question.matters, "asked later it still says what was so"


def test_where_it_is_wrong_it_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If thresholds were forgotten, or reading, giving every answer would show it."""
    monkeypatch.setattr(touching, "reads", lambda *_: frozenset())
    monkeypatch.setattr("dunerules.core.analyses.touches.reads", lambda *_: frozenset())
    with pytest.raises(BrokenError, match="an answer matters"):
        weigh(game_of(tmp_path, f'"{OTHER[1]}"'), Random(1))


# ---- games by chance


@pytest.mark.parametrize("number", [1, 2, 3])
def test_generated_effects(number: int) -> None:
    said = weigh_effects(15, number)
    assert said.total() > 5
    assert said[True]


def test_some_generated_effects_do_not_matter() -> None:
    assert sum((weigh_effects(5, number) for number in (2, 4)), Counter[bool]())[False]


@pytest.mark.parametrize(("pack", "seed"), [("base", 2), ("immortality", 1)])
def test_shipped_games(pack: str, seed: int) -> None:
    said = weigh_games(pack, 3, seed, sure=0.4)
    assert said[True]


# ---- at a terminal


@pytest.mark.parametrize(("ask_all", "asked"), [(False, 0), (True, 2)])
def test_people_are_not_asked_what_does_not_matter(ask_all: bool, asked: int, tmp_path: Path) -> None:
    game = game_of(tmp_path, f'"{SAME[0]}"')
    paper = Script(iter(["2"] * 5))
    recorder = Recorder(game, seating=("human", "human"))
    Session(recorder, game.rules.printer("en"), paper, tmp_path / "game.json", ask_all=ask_all).run()
    assert game.over
    assert len([line for line in paper.shown if line == "> 2"]) == asked
    replay = read_replay(tmp_path / "game.json")
    assert len(replay.answers) == 2
    assert verify(game.rules, replay) is None
