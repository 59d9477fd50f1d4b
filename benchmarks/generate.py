"""A large pack made of the shipped cards: the same kinds of effects, with other numbers and names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dunerules.resources import content_directory, schema_directory

__all__ = ["Generated", "generate", "generate_unused"]

_SLOTS = ("agent", "reveal", "acquire", "trashed")
_FIELDS = ("cost", "factions", "icons", "copies")
_A_FILE = 250
"""Cards in one file."""

_WIDEST = 96
"""Characters of an effect on one line; longer ones are block scalars, as in the shipped files."""

_SWAPPED = (("spice", "solari", "water"), ("emperor", "guild", "bene_gesserit", "fremen"), ("persuasion", "sword"))
"""Names that may stand for each other in a template without making it wrong."""

_NAME = re.compile(r"[a-z_]+")
_AMOUNT = re.compile(r"\b(gain|pay|draw|recruit|lose|deploy up to|retreat up to) ([0-9]+)\b")


@dataclass(frozen=True)
class Generated:
    """A pack on disk and what is in it."""

    root: Path
    cards: int
    effects: int
    different: int
    size: int

    @property
    def files(self) -> list[Path]:
        """The files of cards."""
        return sorted(self.root.glob("cards/*.yaml"))


def generate_unused(root: Path, cards: int) -> Path:
    """The same pack, with all its cards in the box, where the game never looks for them."""
    return generate(root, cards, start="box").root


def generate(root: Path, cards: int, seed: int = 1, start: str = "imperium_deck") -> Generated:
    """Write a pack with so many cards, 2.4 effects each, that requires the shipped base pack."""
    chance = random.Random(seed)
    shipped = list(_shipped_cards())
    templates = {slot: [card[slot] for card in shipped if slot in card] for slot in _SLOTS}
    schemas = schema_directory()
    (root / "cards").mkdir(parents=True, exist_ok=True)
    (root / "pack.yaml").write_text(
        f"# yaml-language-server: $schema={schemas}/pack.schema.json\n"
        'id: large\nversion: "1.0"\ntitle: A large pack\nauthors: [the benchmark]\nlicence: MIT\n'
        'requires: {base: "*"}\n',
        "utf-8",
    )
    effects: list[str] = []
    size = 0
    for first in range(0, cards, _A_FILE):
        lines = [f"# yaml-language-server: $schema={schemas}/objects.schema.json", "kind: card", "defaults:"]
        lines += ["  copies: 1", f"  start: {start}", "objects:"]
        for number in range(first, min(first + _A_FILE, cards)):
            lines += _card(number, chance, shipped, templates, effects)
        text = "\n".join(lines) + "\n"
        (root / "cards" / f"cards_{first // _A_FILE:03}.yaml").write_text(text, "utf-8")
        size += len(text)
    return Generated(root, cards, len(effects), len(set(effects)), size)


def _shipped_cards() -> Iterator[dict[str, Any]]:
    for path in sorted((content_directory() / "base" / "cards").glob("*.yaml")):
        content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        yield from content["objects"].values()


def _card(
    number: int,
    chance: random.Random,
    shipped: list[dict[str, Any]],
    templates: dict[str, list[str]],
    effects: list[str],
) -> Iterator[str]:
    like = chance.choice([card for card in shipped if "icons" in card])  # without an icon it could not have `agent`
    yield f"  card_{number:05}:"
    yield f"    name: {like['name'].replace(':', '')} {number}"
    for key in _FIELDS:
        if key in like:
            value = like[key]
            yield f"    {key}: " + (f"[{', '.join(value)}]" if isinstance(value, list) else str(value))
    slots = ["agent", "reveal"] + (["acquire"] if number % 5 < 2 else [])
    for slot in slots:
        effect = _effect(chance, templates[slot])
        effects.append(effect)
        if len(effect) > _WIDEST:
            yield f"    {slot}: |-"
            yield from (f"      {line}" for line in effect.replace(", ", ",\n").split("\n"))
        else:
            yield f"    {slot}: {effect}"
    yield ""


def _effect(chance: random.Random, templates: list[str]) -> str:
    """A template, or two of them one after the other, with all amounts moved and names exchanged."""
    effect = " ".join(chance.choice(templates).split())
    if chance.random() < 0.35 and "->" not in effect:
        more = " ".join(chance.choice(templates).split())
        if "->" not in more and more != effect:
            effect = f"{effect}, {more}"
    step = chance.choice((0, 0, 0, 1, 2, 3, 4, 5))
    effect = _AMOUNT.sub(lambda found: f"{found[1]} {int(found[2]) + step}", effect)
    for names in _SWAPPED:
        others = dict(zip(names, chance.sample(names, len(names)), strict=True))
        effect = _NAME.sub(lambda found, others=others: others.get(found[0], found[0]), effect)  # type: ignore[misc]
    return effect
