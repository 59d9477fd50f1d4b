"""Values need not be asked again until something they read has changed: `Touching.value`, tried in random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from dunerules.core.analyses.touches import EVERYTHING, LASTING, ZONES, meet
from dunerules.dsl import meaning as m
from dunerules.dsl.slots import slot_name
from dunerules.dsl.types import SEAT
from dunerules.runtime.layout import Layout
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import Frame, State
from dunerules.runtime.touching import Touching

from .generator.properties import answer_of
from .table import rules_of


def _regions(layout: Layout) -> Iterator[tuple[str, int, int]]:
    for name, cells in layout.cells.items():
        yield name, cells.base, cells.base + cells.size
    for (piece, pool), cells in layout.pools.items():
        yield f"{piece} at" if pool == "@" else f"{piece} in {pool}", cells.base, cells.base + cells.size


def changes(before: State, after: State, layout: Layout) -> set[str]:
    """The regions in which two states differ."""
    found = {name for name, low, high in _regions(layout) if before.cells[low:high] != after.cells[low:high]}
    found |= {
        f"zone {name}"
        for name, one, other in zip(layout.zone_names, before.zones, after.zones, strict=True)
        if one != other
    }
    found |= {ZONES} if before.holders != after.holders else set()
    return found | ({LASTING} if before.lasting != after.lasting else set())


class Values:
    """All values of a machine that are asked of nobody or of a seat."""

    def __init__(self, machine: Machine) -> None:
        touching, words = Touching(machine.shop), machine.table.rules.words
        self.machine = machine
        self.reads: dict[str, frozenset[str]] = {}
        self._asked = {}
        for name, (parameters, _) in machine.table.rules.values.items():
            if all(each.types[0] == SEAT for each in parameters) and len(parameters) < 2:
                given = tuple((each.name, m.Local(slot_name(0), SEAT)) for each in parameters)
                self._asked[name] = machine.evaluator.compile(m.ValueRef(name, given, words.values[name].type))
                self.reads[name] = touching.value(name)

    def now(self, s: State) -> dict[tuple[str, int], Any]:
        """What they are, by name and seat."""
        seats = range(self.machine.table.seats)
        s.looks = 0
        return {
            (name, seat): asked(s, Frame(-1, seat, seat, -1, -1, [seat]), -1)
            for name, asked in self._asked.items()
            for seat in seats
        }


@pytest.mark.parametrize(("pack", "seed"), [("base", 19), ("immortality", 20), ("conquest", 4), ("betrayal", 4)])
def test_a_value_changes_only_with_what_it_reads(pack: str, seed: int) -> None:
    """In the first two games a condition of something that lasts decides."""
    chance, rules = Random(seed), rules_of(pack)
    game = rules.game(players=max(rules.players), seed=seed, log=False)
    values, layout = Values(game.machine), game.machine.table.layout
    known = {name for name, read in values.reads.items() if EVERYTHING not in read}
    assert len(known) > 10, f"of {len(values.reads)}"
    before, was, changed = game.state.clone(), values.now(game.state), set()
    for _ in range(155):
        if game.state.pending is None:
            break
        game.answer(*answer_of(game.state.pending, chance))
        now, written = values.now(game.state), changes(before, game.state, layout)
        for (name, seat), value in now.items():
            if value != was[name, seat]:
                changed.add(name)
                assert meet(values.reads[name], written), f"{name} of seat {seat} has become {value}"
        before, was = game.state.clone(), now
    assert changed & known
