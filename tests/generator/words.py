"""Worlds to write texts for: the shipped packs, and made-up ones with everything a pack can declare."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.loading import load_packs
from dunerules.packs.library import Library
from dunerules.understanding.understand import understand, understand_anew

from .files import Files, written

__all__ = ["SHIPPED", "Ground", "made_up", "shipped"]

LOCALES = Path(__file__).parent / "locales"
"""The words of made-up packs in three languages."""

SHIPPED: tuple[tuple[str, ...], ...] = (("base",), ("base", "immortality"), ("betrayal",), ("conquest",))


@dataclass(frozen=True)
class Ground:
    """What a pack is built on: its first files, and the words it can use."""

    name: str
    files: Files
    words: Vocabulary
    shelf: str
    """A zone of the game that holds anything."""


@cache
def _words_of(packs: tuple[str, ...]) -> Vocabulary:
    return understand(load_packs(*packs)).words


def manifest(requires: tuple[str, ...] = ()) -> dict[str, Any]:
    """A pack.yaml."""
    found: dict[str, Any] = {
        "id": "generated",
        "version": "1.0",
        "title": "Generated",
        "authors": ["chance"],
        "licence": "MIT",
    }
    return {**found, **({"requires": dict.fromkeys(requires, "*")} if requires else {})}


def shipped(packs: tuple[str, ...]) -> Ground:
    """An expansion of shipped packs."""
    return Ground("+".join(packs), {"pack.yaml": manifest(packs)}, copy.deepcopy(_words_of(packs)), "box")


def made_up(chance: Random, place: Path) -> Ground:
    """A game of its own."""
    files: Files = {
        "pack.yaml": manifest(),
        "game.yaml": {
            "id": "generated",
            "title": "Generated",
            "seats": {"min": 2, "max": 4},
            "first": "leading",
            "options": {"length": {"values": ["short", "long"], "default": chance.choice(("short", "long"))}},
        },
        "words.yaml": _nouns(chance),
        "spots.yaml": {"kind": "spot", "objects": _spots(chance)},
        "guilds.yaml": {
            "kind": "guild",
            "objects": {name: {"name": name.title(), "rank": chance.randint(0, 3)} for name in ("smiths", "weavers")},
        },
        "board.yaml": _board(chance),
    }
    written(files, place)
    copytree(LOCALES, place.parent / "locales", dirs_exist_ok=True)
    library = Library.of([])
    selection = library.select(library.add(place))
    return Ground("made up", files, understand_anew(selection).words, "box")


def _nouns(chance: Random) -> dict[str, Any]:
    def sight() -> str:
        return chance.choice(("none", "owner", "others", "count", "all"))

    counters: dict[str, Any] = {
        "gold": {"per": "seat", **({"max": chance.choice((5, 20))} if chance.random() < 0.5 else {})},
        "debt": {"per": "seat", "min": chance.choice((-5, 0)), "max": 20, "start": chance.choice((0, 2))},
        "fame": {"per": ["seat", "colour"], "max": 10},
        "trade": {"per": ["seat", "guild"]},
        "heat": {"per": "spot", "max": 9},
        "mood": {"per": "colour"},
        "loot": {"per": ["seat", "spot"]},
        "deep": {"per": ["seat", "colour", "spot"], "max": 4},
        "bid": {"per": "seat", "hidden": True, "max": 9},
        "era": {"per": "game", "start": 1},
        "leading": {"per": "game", "holds": "seat"},
        "rival": {"per": "seat", "holds": "seat"},
        "loved": {"per": "game", "holds": "colour"},
        "ally": {"per": "seat", "holds": "guild"},
        "camping": {"per": "seat", "holds": "spot"},
        "warden": {"per": "spot", "holds": "seat"},
        "pet": {"per": "seat", "holds": "card"},
        "harm": {"per": "card", "in": chance.choice((["table", "row"], ["own"], ["hand", "deck"])), "max": 6},
        "hint": {"per": "card", "holds": "colour", "in": ["hand", "table", "pile", "stack", "sleeve"]},
        "polish": {"per": "gem", "start": chance.choice((0, 1))},
        "claim": {"per": ["seat", "card"], "hidden": chance.random() < 0.5, "max": 3, "in": ["own", "row", "crypt"]},
        "trust": {"per": ["seat", "seat"], "start": chance.choice((0, 2))},
        "road": {"per": ["spot", "spot"]},
        "accord": {"per": ["seat", "colour", "colour"], "max": 5},
    }
    if chance.random() < 0.5:
        counters["era"]["reset"] = "turn"
    pieces: dict[str, Any] = {
        "cube": {
            "count": chance.randint(3, 8),
            "pools": ["stock", "camp"],
            "home": "stock",
            "places": "spot",
            "family": "unit",
        },
        "knight": {
            "count": chance.randint(2, 5),
            "pools": ["stock", "camp", "field"],
            "start": "camp",
            "home": "stock",
            "family": "unit",
        },
    }
    zones: dict[str, Any] = {
        "deck": {"per": "seat", "holds": "card", "sight": "none", "refill": "pile"},
        "hand": {"per": "seat", "holds": "card", "sight": "owner"},
        "table": {"per": "seat", "holds": "card", "sight": "all"},
        "pile": {"per": "seat", "holds": "card", "sight": "all"},
        "sleeve": {
            "per": "seat",
            "holds": ["card", "gem"],
            "sight": chance.choice(("owner", "others", "none", "count")),
        },
        "pouch": {"per": "seat", "holds": "gem", "sight": sight()},
        "source": {"per": "game", "holds": "card", "sight": chance.choice(("none", "count"))},
        "row": {"per": "game", "holds": "card", "sight": "all", "capacity": chance.randint(2, 4), "refill": "source"},
        "vault": {"per": "game", "sight": sight().replace("owner", "count").replace("others", "none")},
        "stack": {"per": "spot", "holds": "card", "sight": chance.choice(("all", "none"))},
        "crypt": {"per": "spot", "holds": ["card", "gem"], "sight": "count"},
        "box": {"per": "game", "sight": "all"},
        "own": {"joins": ["hand", "table"]},
        "around_here": {"joins": ["row", "vault"]},
    }
    return {
        "traits": {"colour": ["red", "blue", "green"], "metal": ["tin", "iron"], "heading": [*_HEADINGS, "inward"]},
        "kinds": {
            "card": {
                "fields": {
                    "cost": "number",
                    "colours": {"type": "colour", "many": True, "tag": True},
                    "metal": "metal",
                    "goal": "spot",
                    "shiny": "flag",
                    "patron": "guild",
                },
                "slots": {"play": "effect", "use": "effect", "price": "cost", "needs": "condition", "worth": "number"},
                "active": ["table", "row"],
            },
            "gem": {
                "fields": {"carat": {"type": "number", "required": True}, "hue": {"type": "colour", "tag": True}},
                "slots": {"spent": "effect"},
                "active": ["pouch"],
            },
            "spot": {
                "role": "place",
                "fields": {"shore": "flag", "rich": "number", "twin": "spot"},
                "slots": {"visit": "effect", "toll": "cost", "open": "condition"},
            },
            "guild": {"role": "label", "fields": {"rank": "number"}, "slots": {"bonus": "effect"}},
        },
        "counters": counters,
        "pieces": pieces,
        "zones": zones,
    }


def _spots(chance: Random) -> dict[str, Any]:
    names = ("harbour", "hill", "cave", "desert", "tower")
    found: dict[str, Any] = {}
    for name in names:
        found[name] = {"name": name.title()}
        if chance.random() < 0.5:
            found[name]["shore"] = True
        if chance.random() < 0.5:
            found[name]["rich"] = chance.randint(0, 4)
        if chance.random() < 0.4:
            found[name]["twin"] = chance.choice(names)
    return found


def _board(chance: Random) -> dict[str, Any]:
    names = ["harbour", "hill", "cave", "desert", "tower"]
    chance.shuffle(names)
    return {
        "edges": [[names[0], names[1]], [names[1], names[2]]],
        "paths": [[names[2], names[3]]],
        "rings": {"coast": names[: chance.choice((3, 4))]},
        "grids": {"field": _grid(chance)},
    }


_HEADINGS = {"east": (1, 0), "south": (0, 1), "askew": (-1, 1), "leap": (2, -1)}
"""Directions of the grid; `inward` leads nowhere."""


def _grid(chance: Random) -> dict[str, Any]:
    directions = {"heading": {name: list(way) for name, way in _HEADINGS.items()}}
    found = {
        "kind": "spot",
        "columns": chance.choice((1, 2, 3)),
        "rows": chance.choice((1, 2)),
        "directions": directions,
    }
    return {**found, "edges": []} if chance.random() < 0.3 else found
