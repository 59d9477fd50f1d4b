"""The order in which hidden things lie tells nobody anything: not by the options of a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.bots import RandomBot
from dunerules.checker.snippets import write_snippet
from dunerules.game import Game, Rules, load
from dunerules.runtime.chance import shuffled
from dunerules.runtime.views import can_see

PEEKING = """\
=== cards.yaml
kind: card
defaults: {start: deck, copies: 3}
objects:
  coin: {name: Coin, cost: 1}
  ring: {name: Ring, cost: 2}
  rope: {name: Rope, cost: 3}
=== rules.yaml
setup: each seat { shuffle deck, move top 4 card from deck to hand, shuffle deck }
flow: repeat 2 { each seat { look_around } }
procedures:
  look_around: |-
    choose 1 card in deck as c { gain (cost of c) gold },
    choose up to 2 card in deck as some { gain (count(some)) gold },
    choose 1 opponent as o { choose 1 card in hand of o as c { gain (cost of c) gold } },
    move 1 card from deck to pile,
    move up to 2 card[cost >= 2] from deck to table,
    any order each card in deck as c { gain (cost of c) gold },
    offer takes
moves:
  dig: {group: takes, takes: {c: card in deck}, do: move c from deck to hand}
  steal: {group: takes, takes: {o: opponent, c: "card[cost >= 2] in hand of o"}, do: move c from hand of o to hand}
scoring: {score: gold}
"""


def otherwise(game: Game, seed: int) -> Game:
    """The same position, with what the asked seat cannot see in each zone in another order, and its question anew."""
    state = game.state.clone()
    assert state.pending is not None
    seat = state.pending.seat
    for zone, pile in enumerate(state.zones):
        places = [place for place, thing in enumerate(pile) if not can_see(game.machine, state, seat, thing)]
        mixed, _ = shuffled(seed, zone * 1000, tuple(pile[place] for place in places))
        turned = list(pile)
        for place, thing in zip(places, mixed, strict=True):
            turned[place] = thing
        state.zones[zone] = tuple(turned)
    if state.pending.acting == seat:
        state.pending = None
        game.machine.run(state)
    return Game(game.rules, game.machine, game.names, state)


def compared(rules: Rules, seats: int, seed: int, most: int = 10_000) -> int:
    """How many questions of a game were compared; all are the same in worlds that differ by hidden order only."""
    game, bot = rules.game(seats=seats, seed=seed, log=False), RandomBot(seed)
    count = 0
    while game.state.pending is not None and count < most:
        count += 1
        other = otherwise(game, seed + count)
        assert other.state.pending is not None
        assert other.state.pending.options == game.state.pending.options
        assert other.question == game.question
        game.answer(*bot.choose(game))
    return count


@pytest.mark.parametrize("seed", range(4))
def test_a_pack_that_picks_from_hidden_zones(seed: int, tmp_path: Path) -> None:
    write_snippet(PEEKING, tmp_path)
    assert compared(load(tmp_path), 3, seed) > 20


@pytest.mark.parametrize(("pack", "seats"), [("base", 4), ("immortality", 4), ("betrayal", 6), ("conquest", 4)])
def test_shipped_games(pack: str, seats: int) -> None:
    packs = ("base", pack) if pack == "immortality" else (pack,)
    assert compared(load(*packs), seats, 5, 150) > 50
