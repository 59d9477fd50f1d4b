"""Every part of a noun is meant or reported: no filter, owner or preposition is dropped on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dunerules.dsl import meaning as m
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.resolve import resolve_body, resolve_event, resolve_expression
from dunerules.dsl.scope import Report, Scope
from dunerules.dsl.types import AMOUNT, CONDITION, NOTHING, PLACE, SEAT, THING, many, one, thing
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.dsl.words import BUILT_IN
from dunerules.packs.library import Library
from dunerules.understanding.understand import understand

from .support import tiny_pack

MARK = 7919
"""A number that stands nowhere else: if it is in the meaning, the part it stands in is meant."""

DECORATIONS = {
    "filter": f"{{}}[gold = {MARK}]",
    "seat": f"{{}} of (somebody by {MARK})",
    "card": f"{{}} of (something by {MARK})",
    "place": f"{{}} of (somewhere by {MARK})",
    "group": f"{{}} of (card[cost = {MARK}] in hand)",
    "in": f"{{}} in (card[cost = {MARK}] in hand)",
    "on": f"{{}} on (somewhere by {MARK})",
    "at": f"{{}} at (somewhere by {MARK})",
    "with": f"{{}} with (some_colour by {MARK})",
}

EFFECTS = """\
gain 1 {} / lose 1 {} / lose 1 cube from {} / move 1 {} to pile / move 1 card from {} to pile / move 1 card to {}
look 1 {} / reveal {} / run {} / copy {} / set {} to 1 / set leading to {} / shuffle {} / win {} / offer {} / leave {}
take 1 per {} / choose 1 {} as x {{ gain 1 gold }} / each {} {{ gain 1 gold }} / let x = {} {{ gain 1 gold }}
gain ({}) gold / run play of ({}) / turn {}"""
CONDITIONS = """\
{} / have 1 {} / {} > 1 / {} = you / leading = {} / count({}) > 1 / sum({}) > 1 / {} has red / colours of this has {}
card[{}] in hand / most({}, 1) > 1 / cost of ({}) > 1 / card in ({}) / length = {} / beside of ({}) hill"""
EVENTS = "you {} / {} gain gold / you gain {} / you move {} from hand / start {} / {} turn"

PACK = {
    "words/more.yaml": "counters: {a: {holds: card}, b: {holds: spot}, c: {holds: colour}}",
    "verbs/more.yaml": """\
values:
  somebody: {takes: {n: by amount}, is: leading}
  something: {takes: {n: by amount}, is: a}
  somewhere: {takes: {n: by amount}, is: b}
  some_colour: {takes: {n: by amount}, is: c}
""",
    "game.yaml": """\
id: example
title: An example
seats: {min: 2, max: 4}
options: {length: {values: [short, long], default: short}}
""",
}
"""Ways to speak of one seat, card, place or label with a number in it, and an option."""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    path: Path = tmp_path_factory.mktemp("nouns") / "example"
    library = Library.of([tiny_pack(path, PACK)])
    return understand(library.select(library.add(path))).words


def nouns(words: Vocabulary) -> Iterator[str]:
    """Every name a noun can be made of."""
    declared = (words.counters, words.pieces, words.zones, words.values, words.kinds, words.families, words.options)
    yield from (name for group in (*declared, words.groups, words.procedures, words.verbs) for name in group)
    yield from (
        *words.pools(),
        *words.slots(),
        *BUILT_IN,
        "cost",
        "colours",
        "shore",
        "short",
        "red",
        "harbour",
        "local",
        "some",
    )


READ: dict[Start, Callable[[Any, Scope], object]] = {
    "effect": resolve_body,
    "expression": resolve_expression,
    "event": resolve_event,
}


def patterns() -> Iterator[tuple[Start, str]]:
    """Every place a noun can stand in."""
    for start, listed in zip(READ, (EFFECTS, CONDITIONS, EVENTS), strict=True):
        yield from ((start, pattern) for pattern in listed.replace("\n", " / ").split(" / "))


@pytest.mark.parametrize("decoration", DECORATIONS.values(), ids=list(DECORATIONS))
def test_every_part_of_a_noun_is_meant_or_reported(decoration: str, words: Vocabulary) -> None:
    names = {"local": thing("card"), "some": many(thing("card"))}
    texts = [(start, pattern, name) for start, pattern in patterns() for name in dict.fromkeys(nouns(words))]
    read = 0
    for start, pattern, name in random.Random(decoration).sample(texts, 900):
        text = pattern.format(decoration.format(name))
        tree = parse(text, start)
        if isinstance(tree, SyntaxFault):
            continue
        scope = Scope(words, Report(), this=thing("card"), locals=names)
        meant = READ[start](tree, scope)
        kept = any(isinstance(each, m.Constant) and each.value == MARK for each in walk(meant))
        assert kept or scope.report.faults, f"a part of `{text}` means nothing"
        read += 1
    assert read > 300


@pytest.mark.parametrize(("pattern", "having"), [("gain (cost of {}) gold", "card"), ("run play of {}", "card")])
def test_only_objects_have_fields_and_slots(pattern: str, having: str, words: Vocabulary) -> None:
    """Whatever type a name has: `cost of c` is meant if that may be an object that has a cost, or else reported."""
    types = {one(each) for kind in words.kinds.values() for each in (kind.type, *kind.readable.values())}
    types |= {SEAT, THING, PLACE, AMOUNT, CONDITION}
    for kind in types:
        tree = parse(pattern.format("local"), "effect")
        scope = Scope(words, Report(), this=NOTHING, locals={"local": kind})
        READ["effect"](tree, scope)
        may_have = kind in (words.kinds[having].type, THING, PLACE)
        assert may_have != bool(scope.report.faults), kind
