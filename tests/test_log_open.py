"""The log tells a seat no verb of a pack and no lasting effect that it could know hidden things by.

In every case two games differ only in what the first seat holds, and come to the same on the table, by different verbs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dunerules.checker.snippets import snippet_files
from dunerules.game import Game, load

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
seats: {min: 2, max: 2}
=== words.yaml
traits:
  colour: [red, blue]
kinds:
  card: {fields: {cost: number}, slots: {gift: effect}}
  sign: {slots: {apt: condition}}
counters:
  gold: {per: seat, max: 99}
  noted: {per: seat, holds: colour, hidden: true}
  turns: {per: game}
zones:
  deck: {per: seat, holds: card, sight: none}
  hand: {per: seat, holds: card, sight: owner}
  wall: {per: game, holds: sign, sight: all}
  box: {per: game, holds: card, sight: all}
=== cards.yaml
kind: card
defaults: {start: box}
objects:
  coin: {name: Coin, cost: 1, copies: 2, gift: mint 2}
  ring: {name: Ring, cost: 2, copies: 2, gift: earn 2}
=== signs.yaml
kind: sign
objects:
  arrow: {name: Arrow, start: wall, apt: "card[coin] in hand"}
=== verbs.yaml
verbs:
  mint: {takes: {n: amount}, do: gain n gold}
  earn: {takes: {n: amount}, do: gain n gold}
  sing: gain 1 turns
  hum: gain 1 turns
  yield: {takes: {n: amount}, do: gain n gold}
values:
  rich: {is: "card[coin] in hand"}
  lucky: {is: "turns < 0"}
=== rules.yaml
setup: |-
  each seat {
    gain 1 turns,
    if turns = 1 { FIRST, SECOND } else { move 1 card[coin] from box to deck, move 1 card[ring] from box to deck }
  }
flow: whole
procedures:
  whole: {do: "round"}
  round: {do: "EFFECT"}
  pay_out: {do: "mint 2"}
  hand_out: {do: "earn 2"}
  given: {takes: {n: amount}, do: "if n = 1 { mint 2 } else { earn 2 }"}
ABILITIES
scoring:
  score: gold
=== locales/en/probe.phrases.yaml
format: 1
phrases:
  verb.mint: "{*gain} {n} of {your} mint"
  verb.earn: "{*gain} {n} by work"
  verb.sing: "{*play} a song"
  verb.hum: "{*play} a tune"
  verb.yield: "{*gain} {n} of {your} field"
"""

DEALT = ("move 1 card[coin] from box to deck", "move 1 card[ring] from box to deck")
"""Who draws one card gets that which was dealt last."""

START = "each seat { move top 1 card from deck to hand }, "
BOTH = "{ mint 2 } else { earn 2 }"


class Case(NamedTuple):
    """What is done, and what is active then."""

    effect: str
    own: bool = True
    """Whether the seat that acts can know what it depends on, and is told."""
    abilities: str = ""


CASES = {
    "a branch": Case(f"each seat {{ if card[coin] in hand {BOTH} }}"),
    "a loop": Case("each seat { each card[coin] in hand as c { mint 2 }, each card[ring] in hand as c { earn 2 } }"),
    "as often": Case(
        "each seat { repeat count(card[coin] in hand) { mint 2 }, repeat count(card[ring] in hand) { earn 2 } }"
    ),
    "a value": Case(f"each seat {{ if rich {BOTH} }}"),
    "a changed value": Case(
        f"each seat {{ if lucky {BOTH} }}",
        own=False,
        abilities="abilities:\n  - {while: lucky, if: 'card[coin] in hand'}\n",
    ),
    "a number": Case(f"each seat {{ let k = count(card[coin] in hand) {{ if k = 1 {BOTH} }} }}"),
    "what was given": Case("each seat { let k = count(card[coin] in hand) { given k } }"),
    "a procedure": Case("each seat { if card[coin] in hand { pay_out } else { hand_out } }"),
    "a slot": Case("each seat { each card in hand as c { run gift of c } }"),
    "a slot that is asked": Case(f"each seat {{ each sign in wall as g {{ if apt of g {BOTH} }} }}"),
    "a field": Case(f"each seat {{ each card in hand as c {{ if cost of c = 1 {BOTH} }} }}"),
    "a slot of a pile": Case("each seat { each card in deck as c { run gift of c } }", own=False),
    "another hand": Case(f"each seat {{ if count(card[coin] in hand of opponent) > 0 {BOTH} }}", own=False),
    "somebody's hand": Case(
        "each seat[card[coin] in hand] { mint 2 }, each seat[not card[coin] in hand] { earn 2 }", own=False
    ),
    "a reaction": Case(
        "each seat { sing }",
        abilities="abilities:\n"
        "  - {when: you sing, if: 'card[coin] in hand', do: mint 2}\n"
        "  - {when: you sing, if: 'card[ring] in hand', do: earn 2}\n",
    ),
    "a reaction to what was done unseen": Case(
        "each seat { if card[coin] in hand { sing } else { hum } }",
        abilities="abilities:\n  - {when: you sing, do: mint 2}\n  - {when: you hum, do: earn 2}\n",
    ),
    "a replacement": Case(
        "each seat { yield 2 }",
        own=False,
        abilities="abilities:\n  - {instead: you yield, if: 'card[coin] in hand', do: mint n}\n",
    ),
    "what lasts": Case("each seat { if card[coin] in hand { until end round { when you sing { mint 1 } } } }"),
    "how long": Case(
        "each seat { until you sing { when you yield { mint 1 } } }, "
        "each seat { if card[coin] in hand { sing } else { hum } }"
    ),
    "what it is about": Case(
        "each seat { let k = count(card[coin] in hand) { until end round { when you sing { mint k } } } }"
    ),
    "in secret": Case(
        "secretly each seat { if card[coin] in hand { set noted to red } else { set noted to blue } }, "
        f"each seat {{ if noted = red {BOTH} }}"
    ),
}


def played(root: Path, case: Case, dealt: Sequence[str]) -> Game:
    """A game in which seats have drawn the card that was dealt last."""
    text = PACK.replace("FIRST", dealt[0]).replace("SECOND", dealt[1]).replace("EFFECT", START + case.effect)
    game = load(write_files(root, snippet_files(text.replace("ABILITIES\n", case.abilities)))).game(seats=2, seed=1)
    while not game.over:
        game.answer(0)
    return game


def told(game: Game, seat: int | None) -> list[tuple[dict[str, Any], str]]:
    """The log from the first round on, as data and as sentences."""
    log = game.log(seat)
    start = next(number for number, event in enumerate(log) if event.target == "hand of seat 2") + 1
    return [(event.data(), event.text()) for event in log[start:]]


@pytest.mark.parametrize("case", CASES)
def test_the_log_is_the_same_whatever_a_seat_cannot_know(case: str, tmp_path: Path) -> None:
    one, other = (
        played(tmp_path / str(number), CASES[case], dealt) for number, dealt in enumerate((DEALT, DEALT[::-1]))
    )
    assert told(one, None) != told(other, None)
    assert told(one, 2) == told(other, 2)
    assert (told(one, 1) != told(other, 1)) is CASES[case].own
