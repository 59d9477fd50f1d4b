"""Battle plans, traitors and market cards are seen by nobody who may not: redealt worlds look the same to a seat."""

from __future__ import annotations

import pytest

from dunerules.runtime.redeal import Redealer

from .table import rules_of
from .test_sight import positions, same_to

PACK = "conquest"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_seat_cannot_know_makes_no_difference_to_it(seats: int) -> None:
    redealer: Redealer | None = None
    found: list[str] = []
    for game, chooser in positions(rules_of(PACK), seats, seats):
        redealer = redealer or Redealer(game.machine)
        found += ["\n".join(same_to(game, redealer, seat, chooser.below(1 << 40))) for seat in range(seats)]
    assert not any(found), "\n".join(list(filter(None, found))[:3])
    assert len(found) > 100


def test_worlds_differ_where_they_may() -> None:
    """Otherwise the test above could not fail."""
    game = rules_of(PACK).game(seats=4, seed=3)
    while game.state.pending is not None and not game.state.cells[game.machine.table.layout.cells["round"].base]:
        game.answer(*range(game.state.pending.low))
    redealer, zones = Redealer(game.machine), game.machine.table.layout.zones
    worlds = [redealer.redeal(game.state, 0, seed) for seed in range(40)]
    for zone in ("traitors", "battle_hand"):
        piles = {tuple(sorted(world.zones[zones[zone].base + 1])) for world in worlds}
        assert len(piles) > 3 or not game.state.zones[zones[zone].base + 1], zone
        assert {world.zones[zones[zone].base] for world in worlds} == {game.state.zones[zones[zone].base]}
