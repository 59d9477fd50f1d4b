"""Some of the recorded games are played again. `python -m tests.recorded` plays all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dunerules.game import load

from . import GAMES, differences, play, recorded, works


@pytest.mark.parametrize("pack", GAMES)
def test_the_same_games_are_played(pack: str) -> None:
    rules = load(pack)
    some = recorded(pack)[:3]
    assert [differences(each, play(pack, rules, each.players, each.options, each.seed)) for each in some] == [
        "",
        "",
        "",
    ]


@pytest.mark.parametrize("pack", GAMES)
def test_all_tables_are_recorded(pack: str) -> None:
    assert [(each.players, each.options, each.seed) for each in recorded(pack)] == list(works(load(pack)))


def test_a_difference_is_told_where_it_begins() -> None:
    first = recorded("base")[3]
    digests = (first.digests[0], "other", *first.digests[2:])
    assert differences(first, first) == ""
    assert "among numbers 51 to 100" in differences(first, replace(first, digests=digests))
    assert differences(first, replace(first, winners=(9,))).endswith("other winners")
