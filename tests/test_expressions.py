"""Expressions of packs in the core language: values written out, facts of a table, and what stands apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.core.text import show
from dunerules.game import load
from dunerules.runtime.machine import Machine

WORDS = """\
kind: card
objects:
  coin: {start: deck, cost: 2}
  plain: {start: deck, cost: 1, play: "if %s { gain 1 gold }"}
=== verbs/values.yaml
values:
  wealth: {takes: {s: of seat}, is: gold of s}
  twice: {takes: {s: of seat}, is: wealth of s + wealth of s}
  poorer: {takes: {s: of seat}, is: "count(seat[gold < gold of s])"}
  like: {takes: {c: of card}, is: "count(card[cost = cost of c] in hand)"}
  lucky: "gold >= 3"
=== cards/lucky.yaml
kind: card
objects:
  charm: {start: hand, abilities: [{while: lucky}]}
=== game.yaml
id: example
title: An example
seats: {min: 2, max: 4}
options: {mode: {values: [short, long], default: short}}
=== rules.yaml
flow: each seat { gain 1 gold }
scoring: {score: gold}
"""


def machine_of(condition: str, folder: Path) -> Machine:
    write_snippet(WORDS % condition, folder)
    return load(folder).machine(3, {})[0]


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("wealth of you >= 2", "(>= (read gold (you)) 2)"),
        ("twice of you >= 2", "(>= (sum (read gold (you)) + (read gold (you))) 2)"),
        # in a filter of seats `you` is another seat, but an argument stays what it was
        (
            "poorer of you = 1",
            "(= (length (filter i0 (if (>= you 0) (column $orders you) (call @order (-1))) "
            "(< (read gold (i0)) (read gold (you))))) 1)",
        ),
        # and so does `it`, in a filter inside another
        (
            "card[like of it >= 2] in hand",
            "(some i0 (pile (zonenumber hand you)) (>= (length (filter i1 (pile (zonenumber hand you)) "
            "(= (column $cost i1) (column $cost i0)))) 2) true 1)",
        ),
        ("mode = long and gold >= 1", "false"),
        ("mode = short and gold >= 1", "(>= (read gold (you)) 1)"),
        ("count(seat) >= 3 or gold >= 1", "true"),
        ("not lucky", "(not (either ((call @lucky.active (you)) (>= (read gold (you)) 3))))"),
    ],
)
def test_what_is_built(condition: str, wanted: str, tmp_path: Path) -> None:
    machine = machine_of(condition, tmp_path)
    program = machine.programs[machine.table.programs_of("play", "label")[machine.table.label("card", "plain")]]
    built = show(machine.evaluator.core.build(program.code[0].condition))  # type: ignore[union-attr]
    assert built == wanted
