"""Several zones are told as one pile where an end of it counts, and the zones of several seats as those of all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from dunerules.language.locale import load_locale
from dunerules.language.typography import NO_BREAK
from dunerules.text.context import Context
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import effect_text
from tests.support import manifest, write_files

from . import LANGUAGES

GAMES = (("base", "immortality"), ("betrayal",), ("conquest",))


def told(text: str, meanings: Meanings, code: str) -> str:
    body = meanings.effect(text)
    assert body is not None, text
    return effect_text(body, Context(load_locale(code, meanings.packs)[0], meanings)).replace(NO_BREAK, " ")


def calls(meanings: Meanings) -> Iterator[tuple[str, str, str]]:
    """Every kind from the top of every two neighbours among its zones, in both orders, to every zone for it."""
    words = meanings.words
    for kind in words.kinds:
        zones = [zone for zone in words.zones if kind in words.zone_kinds(zone)]
        for one, two in pairwise(zones):
            for a, b in ((one, two), (two, one)):
                yield from ((a, b, f"move top 2 {kind} from {a}/{b} to {target}") for target in zones)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("packs", GAMES, ids="+".join)
def test_what_is_taken_from_the_top_of_two_zones_comes_from_one_pile(packs: tuple[str, ...], code: str) -> None:
    meanings = load_meanings(*packs)
    locale = load_locale(code, meanings.packs)[0]
    pile = locale.phrase("list.pile.two", {"a": "", "b": ""}).strip()
    joined = {zone.joins for zone in meanings.words.zones.values()}  # those have a noun of their own
    read = 0
    for a, b, text in calls(meanings):
        body = meanings.effect(text) if (a, b) not in joined else None
        if body is not None:
            read += 1
            assert pile in effect_text(body, Context(locale, meanings)).replace(NO_BREAK, " "), text
    assert read > 50


def test_so_it_is_behind_a_preposition_too(tmp_path: Path) -> None:
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "verbs.yaml": (
                "verbs:\n  burn: {takes: {n: quantity, what: card, z: from zone}, do: move n what from z to discard}\n"
            ),
            "locales/en/more.phrases.yaml": "phrases:\n  verb.burn: '{*trash} {n:what} {z:from}'\n",
        },
    )
    meanings = load_meanings("base", pack)
    assert told("burn 2 card from hand/discard", meanings, "en") == (
        "Trash 2 cards from your hand or from your discard pile."
    )
    assert told("burn bottom 2 card from hand/discard", meanings, "en") == (
        "Trash the bottom 2 cards from your hand followed by from your discard pile."
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "in the received tokens of all players who have a trait card"),
        ("pl", "wśród otrzymanych żetonów wszystkich graczy, którzy mają kartę cechy"),
        ("cs", "mezi obdrženými žetony všech hráčů, kteří mají kartu vlastností"),
    ],
)
def test_zones_of_seats_that_a_value_stands_for_are_those_of_all_of_them(code: str, words: str) -> None:
    text = "gain (count(house_token in received_tokens of atreides_like)) marker"
    assert words in told(text, load_meanings("betrayal"), code)
