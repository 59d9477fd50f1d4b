"""Names of packs are never names of the program: whatever the program calls something, a pack may call its own so."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from dunerules.dsl.types import PLAIN
from dunerules.dsl.words import RESERVED
from dunerules.game import load
from dunerules.kernel.values import KERNEL_VALUES
from dunerules.language.locale import load_locale
from dunerules.text.meanings import load_meanings
from dunerules.text.render import describe

from .support import PACKAGE, problems_of, shown, tiny_pack


def names_of_the_program() -> list[str]:
    """What several functions call a parameter, and some of Python's own words."""
    found = Counter(dict.fromkeys(_SURELY, _OFTEN))
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.arguments):
                found.update(each.arg for each in (*node.posonlyargs, *node.args, *node.kwonlyargs))
    legal = {each for each, times in found.items() if times >= _OFTEN and re.fullmatch(r"[a-z][a-z0-9_]*", each)}
    return sorted(legal - RESERVED - KERNEL_VALUES.keys() - PLAIN.keys() - _WORDS)


_OFTEN = 8
_SURELY = ("self", "cls", "args", "kwargs", "lambda", "class", "node", "which", "name", "context", "scope", "shape")

_WORDS = {"colour", "card", "spot", "cost", "leading", "gold", "stock", "camp", "deck", "hand", "table", "pile"} | {
    "game", "seat", "number", "text", "flag", "label", "place", "thing", "amount", "counter", "zone", "piece", "pool",
    "object", "trait", "kind", "verb", "value", "procedure", "move", "option", "ring", "rule", "group", "slot",
    "effect", "condition", "bid", "fame", "cube", "shore", "price", "needs", "play", "visit", "income", "take",
}  # fmt: skip
"""Words of the tiny game and of the language, which a second thing cannot be called by."""

NAMES = names_of_the_program()


def locals_pack(root: Path) -> Path:
    """Every name as a parameter of a verb, of a value and of a procedure, as a pick and as a local name."""
    verbs, values, procedures, moves, cards = [], [], [], [], []
    for number, name in enumerate(NAMES):
        verbs.append(f"  v{number}: {{takes: {{{name}: amount}}, do: gain {name} gold}}")
        values.append(f"  w{number}: {{takes: {{{name}: of seat}}, is: gold of {name}}}")
        procedures.append(f"  p{number}: {{takes: {{{name}: amount}}, do: gain {name} gold}}")
        moves.append(
            f"  m{number}: {{group: actions, takes: {{{name}: card in hand}}, do: move {name} from hand to pile}}"
        )
        play = (
            f"v{number} 1, p{number} 1, gain (w{number} of you) gold, let {name} = gold {{ gain {name} gold }}, "
            f"each seat as {name} {{ gain 1 gold of {name} }}, "
            f"choose up to 1 card in hand as {name} {{ move {name} from hand to pile }}, "
            f"move top 1 card from deck to hand as {name} {{ move {name} from hand to pile }}"
        )
        cards.append(f'  c{number}: {{name: C, start: deck, play: "{play}"}}')
    return tiny_pack(
        root,
        {
            "verbs/more.yaml": "\n".join(["verbs:", *verbs, "values:", *values, ""]),
            "rules/more.yaml": "\n".join(["procedures:", *procedures, "moves:", *moves, ""]),
            "cards.yaml": "\n".join(["kind: card", "objects:", *cards, ""]),
        },
    )


def families_pack(root: Path) -> Path:
    """Every name as a family of labels that a counter is kept for, with thresholds, and as an option."""
    families, counters, cards = [], [], []
    for number, name in enumerate(NAMES):
        families.append(f"  {name}: [a{number}, b{number}]")
        threshold = f"{{at: 1, up: gain 1 gold, down: lose 1 n{number} with {name}}}"
        counters.append(f"  n{number}: {{per: [seat, {name}], max: 5, thresholds: [{threshold}]}}")
        play = f"gain 1 n{number} with a{number}, choose 1 {name} as l {{ gain 1 n{number} with l }}"
        cards.append(f'  c{number}: {{name: C, start: deck, play: "{play}"}}')
    return tiny_pack(
        root,
        {
            "words/more.yaml": "\n".join(["traits:", *families, "counters:", *counters, ""]),
            "cards.yaml": "\n".join(["kind: card", "objects:", *cards, ""]),
        },
    )


@pytest.mark.parametrize("make", [locals_pack, families_pack])
def test_a_pack_may_call_its_own_what_the_program_calls_something(make: object, tmp_path: Path) -> None:
    assert len(NAMES) > 50
    assert set(_SURELY) <= set(NAMES)
    root = make(tmp_path / "example")  # type: ignore[operator]
    found = problems_of(root)
    assert not found, shown(found[:20])
    game = load(root).game(seats=2, seed=3)
    for _ in range(20):
        question = game.question
        if question is not None:
            game.answer(*range(max(1, question.low)))
    meanings = load_meanings(root)
    locale, _ = load_locale("en", meanings.packs)
    for kind, id_ in meanings.ids:
        if kind == "card":
            assert any(panel.slot == "play" for panel in describe(meanings, locale, kind, id_, "both"))
