"""The log: what is done is told as the verb of a pack it was done as, and lasting effects begin and end in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dunerules.bots import RandomBot
from dunerules.checker.snippets import snippet_files
from dunerules.chronicle import Chronicle
from dunerules.game import Game, load
from dunerules.speech.events import event
from dunerules.speech.speaker import Speaker

from .logs import entries
from .support import locale_problems_of, write_files
from .table import printer, rules_of

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
seats: {min: 2, max: 2}
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card: {fields: {cost: number}}
  spot: {role: place}
counters:
  gold: {per: seat, max: 9}
  fame: {per: [seat, colour]}
  leader: {per: game, holds: seat}
pieces:
  cube: {count: 8, pools: [stock, camp], home: stock, places: spot}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  table: {per: seat, holds: card, sight: all}
  box: {per: game, holds: card, sight: all}
=== spots.yaml
kind: spot
objects:
  harbour: {name: Harbour}
=== cards.yaml
kind: card
defaults: {start: box, cost: 1}
objects:
  coin: {name: Coin, copies: 2}
  ring: {name: Ring, copies: 2}
=== verbs.yaml
verbs:
  take: {takes: {n: amount}, do: move top n card from deck to hand}
  grab: {takes: {n: amount}, do: take n}
  hoard: {takes: {n: amount}, do: take n}
  mint: {takes: {n: amount}, do: "gain n gold, gain n fame with red"}
  land: {takes: {p: spot}, do: move 1 cube from stock to p}
  settle: {takes: {p: spot}, do: "move 1 cube from stock to p, gain 1 gold"}
  risk: {takes: {n: amount}, do: "if gold = 0 { gain n gold }, gain n fame with red"}
  ruin: move all cube from stock to camp
  honour: {takes: {c: colour, s: to seat}, do: gain 1 fame of s with c}
  levy: "each opponent { gain 1 gold }"
  double: gain gold gold
  scrap: {takes: {n: quantity = 1, what: card, source: from zone = hand}, do: move n what from source to box}
  sing: gain 1 gold
values:
  bold: gold > 5
=== rules.yaml
setup: |-
  each seat { set leader to you },
  each seat { move 1 card[coin] from box to deck, move 1 card[ring] from box to deck }
flow: each seat { turn }
procedures:
  turn: {do: "EFFECT"}
scoring:
  score: gold
=== locales/en/probe.phrases.yaml
format: 1
phrases:
  verb.take: "{*draw} | {n:kind.card}"
  verb.grab: "{*take} {n:kind.card} at once"
  verb.mint: "{*gain} {n} of {your} own"
  verb.land: "{*move} cubes to {p}"
  log.land: "{*move} 1 cube to {p}"
  verb.risk: "{*gain} {n} by luck"
  verb.ruin: "{*lose} everything"
  verb.honour: "{*gain} honour of {c} for {s}"
  verb.levy: "{*gain} gold for everybody"
  verb.double: "{*gain} as much again"
  verb.scrap: "{*lose} {n:what} | [[{source:from}]] for ever"
"""


def pack(tmp_path: Path, effect: str, abilities: str = "") -> Path:
    text = PACK.replace("EFFECT", effect).replace("scoring:", f"{abilities}scoring:")
    return write_files(tmp_path, snippet_files(text))


def game_of(tmp_path: Path, effect: str, abilities: str = "", *, log: bool = True) -> Game:
    return load(pack(tmp_path, effect, abilities)).game(seats=2, seed=1, log=log)


def story(game: Game, viewer: int = -1, language: str = "en") -> list[str]:
    """What a seat is told of a game that has asked nothing."""
    speaker = Speaker(game.rules.printer(language), game, ("human",) * 2, viewer)
    lines = (event(speaker, entry).replace("\u00a0", " ") for entry in Chronicle(game).seen(viewer))
    return [line for line in lines if line]


CASES = {
    "as it came out": ("take 3", "Player 1 draws 2 cards."),
    "the outermost with a phrase": ("grab 1", "Player 1 takes 1 card at once."),
    "not one without a phrase": ("hoard 1", "Player 1 draws 1 card."),
    "as what happened, without a phrase": ("settle harbour", "Player 1 moves 1 Cube from their Stock to Harbour."),
    "on one of several ways": ("risk 2", "Player 1 gains 2 by luck."),
    "and behind them as it is": ("risk 2", "Player 1 gains 2 Fame (Red)."),
    "a place": ("land harbour", "Player 1 moves 1 cube to Harbour."),
    "a seat and a label": ("honour blue to leader", "Player 1 gains honour of Blue for Player 2."),
    "a thing and a zone": (
        "take 2, scrap all card from hand",
        "Player 1 loses 2 cards for ever: Ring, Coin.",
    ),
    "the first step of several": ("mint 2", "Player 1 gains 2 of their own."),
    "and the others as they are": ("mint 2", "Player 1 gains 2 Fame (Red)."),
    "not what gives another number": ("gain 2 gold, double", "Player 1 gains 2 Gold."),
    "not how many, where the verb does not say it": ("ruin", "Player 1 moves 8 Cube from their Stock to their Camp."),
    "not what others do in it": ("levy", "Player 2 gains 1 Gold."),
}


@pytest.mark.parametrize("case", CASES)
def test_a_verb_is_told_with_its_arguments(case: str, tmp_path: Path) -> None:
    effect, line = CASES[case]
    assert line in story(game_of(tmp_path, effect))


def test_what_is_done_instead_is_told_in_place_of_a_verb(tmp_path: Path) -> None:
    lines = story(game_of(tmp_path, "take 2", "abilities:\n  - {instead: anyone take, do: gain n gold}\n"))
    assert "Player 1 gains 2 Gold." in lines
    assert not any("draws" in line for line in lines)


def test_only_one_step_is_told_as_the_verb(tmp_path: Path) -> None:
    lines = story(game_of(tmp_path, "mint 2"))
    gained = [line for line in lines if line.startswith("Player 1 gains")]
    assert gained == [line for effect, line in CASES.values() if effect == "mint 2"]


@pytest.mark.parametrize("way", ["if gold = 0 { gain n gold } else { gain n gold }", "may { gain n gold }"])
def test_a_step_on_one_of_several_ways_stands_for_a_verb(way: str, tmp_path: Path) -> None:
    text = PACK.replace("gain n gold, gain n fame with red", way).replace("EFFECT", "mint 2, mint 1")
    game = load(write_files(tmp_path, snippet_files(text))).game(seats=2, seed=1)
    while not game.over:
        game.answer(1)
    assert [entry[-1][1].verbs[0].whole for entry in entries(game) if entry[0] == "cell" and entry[-1]] == [True] * 4


def test_the_log_changes_no_game(tmp_path: Path) -> None:
    effect = "take 2, mint 1, until end turn { when you sing { gain 1 gold } }, sing"
    with_log, without = (game_of(tmp_path, effect, log=log) for log in (True, False))
    assert with_log.hash() == without.hash()
    assert entries(with_log)
    assert not entries(without)


def test_a_phrase_of_the_log_is_about_a_verb_of_a_pack(tmp_path: Path) -> None:
    root = pack(tmp_path, "take 1")
    write_files(root, {"locales/en/probe.phrases.yaml": 'format: 1\nphrases:\n  log.lnad: x\n  log.land: "{q}"\n'})
    found = [each for each in locale_problems_of(root, "en") if each.code == "DR824"]
    assert [each.message for each in found] == ["nothing is said by `log.lnad`", "unknown slot `q`"]
    assert found[0].nearest[:1] == ("log.land",)


# ---- lasting effects

KNOWN = {
    "to all": (
        "until end turn { when you gain gold { gain 2 fame with red } }",
        "gain 2 Fame (Red)",
        "gain 2 Fame (Red)",
    ),
    "what was picked": (
        "choose 1 colour as k { until end turn { when you gain gold { gain 1 fame with k } } }",
        "gain 1 Fame (Red)",
        "gain 1 Fame (Red)",
    ),
    "what all can count": (
        "take 1, let k = count(hand) { until end turn { when you gain gold { gain k fame with red } } }",
        "gain 1 Fame (Red)",
        "gain 1 Fame (Red)",
    ),
    "not what others cannot count": (
        "take 2, let k = count(card[coin] in hand) { until end turn { when you gain gold { gain k fame with red } } }",
        "gain 1 Fame (Red)",
        "",
    ),
    "not under a condition that others cannot judge": (
        "take 2, if card[coin] in hand { until end turn { when you gain gold { gain 2 fame with red } } }",
        "gain 2 Fame (Red)",
        "",
    ),
    "under one that all can judge": (
        "take 2, if count(hand) > 1 { until end turn { when you gain gold { gain 2 fame with red } } }",
        "gain 2 Fame (Red)",
        "gain 2 Fame (Red)",
    ),
    "not a hidden thing": (
        "take 1, each card in hand as c { until end turn { when you gain gold { move c from hand to table } } }",
        "move 1 Coin card",
        "",
    ),
    "a thing that lies open": (
        "take 1, move all card from hand to table, "
        "each card in table as c { until end turn { when you gain gold { move c from table to box } } }",
        "move 1 Coin card",
        "move 1 Coin card",
    ),
}


@pytest.mark.parametrize("case", KNOWN)
def test_what_lasts_is_told_to_those_who_may_know(case: str, tmp_path: Path) -> None:
    effect, own, other = KNOWN[case]
    game = game_of(tmp_path, effect)
    while not game.over:
        game.answer(0)
    for viewer, words, who in ((0, own, "For you"), (1, other, "Player 1"), (-1, other, "Player 1")):
        lines = [line for line in story(game, viewer) if line.startswith(f"{who}, ") and "“" in line]
        if not words:
            assert not lines
            continue
        begins, ends = lines[:2]
        assert begins.startswith(f"{who}, from now on: “Until the end of the turn, when you gain Gold, ")
        assert words.replace("Coin", "") in begins.replace("Coin", "").replace("Ring", "")
        assert ends == begins.replace("from now on", "no longer")


def test_the_log_of_others_is_the_same_whatever_is_hidden(tmp_path: Path) -> None:
    """A number worked out from a hand, and as many lasting effects as cards in it, tell nobody about the hand."""
    effect = (
        "take 1, "
        "let k = count(card[coin] in hand) { until end turn { when you gain gold { gain k fame with red } } }, "
        "each card[coin] in hand as c { until end turn { when you gain gold { move c from hand to deck } } }"
    )
    logs = set()
    for swapped in (False, True):
        setup = "move 1 card[ring] from box to deck, move 1 card[coin] from box to deck"
        text = PACK.replace("EFFECT", effect)
        if swapped:
            text = text.replace("move 1 card[coin] from box to deck, move 1 card[ring] from box to deck", setup)
        game = load(write_files(tmp_path / str(swapped), snippet_files(text))).game(seats=2, seed=1)
        first = [entry for entry in entries(game, 1) if entry[0] in {"begins", "ends"} and entry[2] == 0]
        logs.add(tuple(first))
        assert any(entry[0] == "begins" and entry[2] == 0 for entry in entries(game, 0))
    assert logs == {()}


def test_what_only_keeps_books_is_not_told(tmp_path: Path) -> None:
    """Values that a pack hides: of an effect that changes only these nothing is told."""
    for hidden, count in (("fame", 2), ("bold", 0)):
        game = game_of(
            tmp_path / hidden,
            "until end turn { while bold }, if bold { gain 1 gold }",
            f"screen:\n  hide: [{hidden}]\n",
        )
        assert [event.kind for event in game.log(1)].count("begins") == 2
        assert sum("“" in event.text() for event in game.log(1) if event.kind == "begins") == count


VOICE = {
    "en": "Bot 2, from now on: “Until the start of your next turn, opponents cannot send Agents to Arrakeen.”",
    "pl": "Bot 2, od teraz obowiązuje: Do początku twojej następnej tury przeciwnicy nie mogą wysyłać agentów na pole "
    "„Arrakin”.",
    "cs": "Bot 2, odteď platí: „Do začátku tvého příštího tahu: soupeři nemohou vysílat agenty na herní pole Arrakén.“",
}


@pytest.mark.parametrize("language", VOICE)
def test_what_lasts_has_words_in_every_language(language: str) -> None:
    game = rules_of().game(seats=3, seed=1)
    names = game.machine.table.layout.thing_index
    found = [
        (number, each.code)
        for number, each in enumerate(game.machine.abilities.temporary)
        if [name for name, _ in each.code.locals] == ["p"]
    ]
    assert len(found) == 1
    speaker = Speaker(printer(language), game, ("human", "simple", "simple"), 0)
    entry = ("begins", found[0][0], 1, (-1, -1, names["space", "arrakeen"]))
    assert event(speaker, entry).replace("\u00a0", " ") == VOICE[language]


def test_every_beginning_has_one_end_at_most() -> None:
    """In games of all packs that have lasting effects, also for every seat."""
    game, bot = load("base", "immortality").game(seats=4, seed=3), RandomBot(3)
    while not game.over:
        game.answer(*bot.choose(game))
    serials: dict[str, list[Any]] = {"begins": [], "ends": []}
    for entry in entries(game):
        if entry[0] in serials:
            serials[entry[0]].append(entry[1:])
    assert serials["ends"]
    assert len(set(serials["begins"])) == len(serials["begins"])
    assert set(serials["ends"]) <= set(serials["begins"])
    left = {each[1] for each in game.state.lasting}
    assert {each[-1] for each in serials["begins"]} - {each[-1] for each in serials["ends"]} == left
