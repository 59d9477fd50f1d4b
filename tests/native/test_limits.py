"""Both back ends come to a limit at the same place: what is just within it is played, what is just beyond it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.native.compiler import find_compiler
from dunerules.runtime.state import GameError
from tests.test_limits import CARDS, SLOTS, SPOTS, flow, moves

from .twin import LIMIT, Twin

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")


def row(length: int) -> str:
    """Places of which each asks the next one, so many in all."""
    asking = "".join(f"  s{n}: {{name: S, fee: fee of s{n + 1} + 1}}\n" for n in range(length - 1))
    return f"{SPOTS}{asking}  s{length - 1}: {{name: S, fee: gold}}\n"


def unlike(count: int) -> str:
    return "=== cards.yaml\nkind: card\ndefaults: {start: hand, cost: 1}\nobjects:\n" + "".join(
        f"  c{n}: {{name: C}}\n" for n in range(count)
    )


def run(length: int) -> str:
    """Places of which each runs the next one."""
    running = "".join(f"  s{n}: {{name: S, visit: run visit of s{n + 1}}}\n" for n in range(length - 1))
    return f"{SPOTS}{running}  s{length - 1}: {{name: S, visit: gain 1 gold}}\n"


def tolls(length: int) -> str:
    """Places of which each takes the toll of the next one twice."""
    twice = "pay 1 gold, pay 1 gold, run toll of s{0}, run toll of s{0}"
    taking = "".join(f"  s{n}: {{name: S, toll: '{twice.format(n + 1)}'}}\n" for n in range(length - 1))
    return f"{SPOTS}{taking}  s{length - 1}: {{name: S, toll: pay 0 gold}}\n"


COUNTING = "gain 1 gold, gain (count(card[count(card[cost of it > gold]) = gold])) gold"
EDGES: dict[str, tuple[str, int, Callable[[int], str]]] = {
    # two turns of `each`, and so many of each `repeat`
    "turns": ("fuel", 99_999, lambda n: SLOTS + flow(f"repeat {n} {{ gain 0 gold }}")),
    # a turn and a procedure each time
    "procedures": (
        "fuel", 49_999,
        lambda n: SLOTS + flow(f"repeat {n} {{ work }}") + "procedures: {work: gain 1 gold}\n",
    ),
    # a turn, and a slot that is run at once or next
    "slots": (
        "fuel", 49_999,
        lambda n: SLOTS + SPOTS + "  s0: {name: S, visit: gain 1 gold}\n" + flow(f"repeat {n} {{ run visit of s0 }}"),
    ),
    "slots that run others": (
        "fuel", 33_333,
        lambda n: SLOTS + SPOTS + "  s0: {name: S, visit: run visit of s1}\n  s1: {name: S, visit: gain 1 gold}\n"
        + flow(f"repeat {n} {{ run visit of s0 }}"),
    ),
    # a turn, and one for each of two seats in it
    "loops in loops": (
        "fuel", 33_333,
        lambda n: SLOTS + flow(f"repeat {n} {{ each seat {{ gain 1 gold }} }}"),
    ),
    "looks": ("fuel", 1, lambda n: CARDS + flow(f"repeat {n} {{ {COUNTING} }}")),
    # every toll that is tried is a program that is begun
    "trials": (
        "fuel", 15,
        lambda n: SLOTS + tolls(n) + moves("  go: {group: acts, cost: run toll of s0, do: gain 1 gold}\n")
        .replace("each seat {", "each seat { gain 900000 gold,"),
    ),
    "looks of a listing": (
        "fuel", 125,
        lambda n: SLOTS + unlike(n) + moves(
            "  go:\n    group: acts\n    takes: {a: card in hand, b: card in hand, c: card in hand}\n"
            "    if: cost of a + cost of b + cost of c > 9\n    do: gain 1 gold\n"
        ),
    ),
    "numbers": ("numbers", 1_000, lambda n: SLOTS + flow(f"gain {n} gold, if gold * 1000000 > 5 {{ lose 1 gold }}")),
    "numbers below zero": (
        "numbers", 1_000, lambda n: SLOTS + flow(f"gain {n} gold, if 0 - gold * 1000000 > 5 {{ lose 1 gold }}"),
    ),
    # a product that has no room in 32 bits, and would be within the limit again there
    "numbers in 64 bits": (
        "numbers", 1_000,
        lambda n: SLOTS + flow(f"gain {n if n <= 1_000 else 4_295} gold, if gold * 1000000 > 5 {{ lose 1 gold }}"),
    ),
    "options of a move": (
        "options", 99,
        lambda n: SLOTS + unlike(n) + moves(
            "  go: {group: acts, takes: {a: card in hand, b: card in hand}, do: gain 1 gold}\n"
            "  rest: {group: acts, do: gain 1 gold}\n"
        ),
    ),
    "lasting effects": (
        "lasting effects", 500,
        lambda n: SLOTS + flow(f"repeat {n} {{ until end turn {{ while weight + 1 }} }}")
        + "procedures: {turn: gain 1 gold}\n",
    ),
    "programs that wait for each other": ("depth", 499, lambda n: SLOTS + run(n) + flow("run visit of s0")),
    "values that ask each other": (
        "depth", 52, lambda n: SLOTS + row(n) + flow("gain (fee of s0) gold"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", EDGES)
def test_both_come_to_a_limit_at_the_same_place(case: str, tmp_path: Path) -> None:
    limit, within, text = EDGES[case]
    compiler = find_compiler()
    assert compiler is not None
    for count in (within, within + 1):
        write_snippet(text(count), tmp_path / str(count))
        machine, _ = load(tmp_path / str(count)).machine(2, {})
        twin = Twin(machine, compiler)
        status = twin.native.start(twin.native.block(), 3)
        if count == within:
            machine.start(3)
            assert status >= 0
        else:
            with pytest.raises(GameError) as caught:
                machine.start(3)
            assert caught.value.limit == limit
            assert status == LIMIT
