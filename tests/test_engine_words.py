"""The engine knows no game: no word that a pack declares occurs in the code, the grammar or the examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from .support import PACKAGE, plain_yaml, shipped_files

GENERIC = {
    # things and acts of any card or board game
    "card", "control", "cost", "deck", "discard", "draw", "hand", "icon", "icons", "level", "market", "play", "price",
    "rank", "reveal", "round", "row", "turn", "turns", "visit", "win", "winners",
    # English and programming at large
    "allowed", "another", "behind", "box", "closed", "done", "first", "native", "needs", "opening", "ready", "second",
    "seconds", "third", "waiting",
}  # fmt: skip
"""Declared words that the engine may use all the same, because they belong to every game or to no game."""

NEVER = [
    "spice", "solari", "persuasion", "troop", "troops", "garrison", "influence", "intrigue", "conflict_deck",
    "imperium", "emperor", "fremen", "bene_gesserit", "landsraad", "alliance", "mentat", "swordmaster", "specimen",
    "specimens", "tleilax", "tleilaxu", "graft", "harkonnen", "atreides", "traitor", "storm", "stronghold", "leader",
    "hagal", "persuade", "sword",
]  # fmt: skip
"""Words of the four games that must not occur whatever the packs of today declare."""

SUFFIXES = {".py", ".lark", ".toml", ".txt"}


def names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from value


def words_of(document: dict[str, Any]) -> Iterator[str]:
    """Every word that one file of a pack declares."""
    for family, members in document.get("traits", {}).items():
        yield family
        yield from members
    for kind, definition in document.get("kinds", {}).items():
        yield kind
        yield from definition.get("fields", {})
        yield from definition.get("slots", {})
    for section in (
        "counters",
        "pieces",
        "zones",
        "verbs",
        "values",
        "procedures",
        "moves",
        "options",
        "rings",
        "objects",
    ):
        for name, definition in document.get(section, {}).items():
            yield name
            if isinstance(definition, dict):
                for key in ("pools", "group", "values"):
                    yield from names(definition.get(key))


@cache
def declared() -> frozenset[str]:
    documents = [plain_yaml(path.read_text("utf-8")) for path in shipped_files()]
    return frozenset(word for document in documents for word in words_of(document))


def sources() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in SUFFIXES and "data" not in path.parts)


def runs(line: str) -> Iterator[str]:
    """The words of a line and every run of words in an identifier: `a_b_c` is a, a_b, a_b_c, b, b_c and c."""
    for match in re.finditer(r"[A-Za-z0-9_]+", line):
        parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", match[0]).lower().strip("_").split("_")
        for start in range(len(parts)):
            for end in range(start + 1, len(parts) + 1):
                yield "_".join(parts[start:end])


@cache
def occurrences() -> dict[str, list[str]]:
    """Where every run of words occurs in the engine."""
    found: dict[str, list[str]] = {}
    for path in sources():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for run in set(runs(line)):
                found.setdefault(run, []).append(f"{path.relative_to(PACKAGE)}:{number}")
    return found


def test_there_is_something_to_search_for_and_in() -> None:
    assert len(declared()) > 200
    assert {"spice", "paul_atreides", "reveal_turn", "combat_moves", "one_each", "garrison", "sword"} <= declared()
    assert len(sources()) > 50
    assert "problem" in occurrences()
    assert list(runs("someWord(big_red_dog)"))[:4] == ["some", "some_word", "word", "big"]


def test_no_word_of_a_pack_occurs_in_the_engine() -> None:
    found = [
        f"{word}: {', '.join(occurrences()[word][:5])}"
        for word in sorted(declared() - GENERIC)
        if word in occurrences()
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("word", NEVER)
def test_words_of_the_games_never_occur(word: str) -> None:
    places = [place for place in occurrences().get(word, []) if place.partition(":")[0].endswith((".py", ".lark"))]
    assert not places


def test_the_list_of_generic_words_is_as_short_as_it_can_be() -> None:
    needless = {word for word in GENERIC if word not in declared() or word not in occurrences()}
    assert not needless
