"""The golden playthroughs are what the game does today. `python -m tests.playthroughs` writes them anew."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from dunerules.game import load

from . import GAMES, HERE, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_as_recorded(name: str) -> None:
    recorded = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    packs, seats, seed, choice = GAMES[name]
    got = playthrough(load(*packs), seats, seed, choice).splitlines()
    difference = list(islice(unified_diff(recorded, got, "recorded", "played", lineterm="", n=2), 40))
    assert not difference, "\n".join(["if this is meant, run `python -m tests.playthroughs`", *difference])


def test_playthroughs_are_small_and_whole() -> None:
    files = sorted(HERE.glob("*.txt"))
    assert [file.stem for file in files] == sorted(GAMES)
    assert max(file.stat().st_size for file in files) < 150_000
    for file in files:
        text = file.read_text("utf-8")
        assert "\nwon by seat " in text
        assert text.count("---- everybody sees") >= 5
