"""Rules as Python source: everything packs say can be written, and means what it meant."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dunerules.bots import RandomBot
from dunerules.checker.snippets import write_snippet
from dunerules.core import steps as st
from dunerules.core.text import show_steps
from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, SEAT
from dunerules.dsl.vocabulary import Parameter
from dunerules.game import Rules, load
from dunerules.problems import CannotRunError
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import make_plan, plan_steps
from dunerules.runtime.state import Frame
from dunerules.runtime.steps import ProgramBuilder
from dunerules.runtime.values import Values, large_values, used_values
from dunerules.tables import table_of
from dunerules.text.meanings import load_meanings

from .support import PACKAGE, ROOT
from .test_moves import every_combination

PACKS = [
    (("base",), 4),
    (("base", "immortality"), 3),
    (("base", "immortality"), 1),
    (("betrayal",), 6),
    (("conquest",), 4),
]


def machine_of(packs: tuple[str, ...], players: int) -> Machine:
    rules = load(*packs)
    seats, automated = table_of(rules.ruleset, players)
    return rules.machine(seats, {}, automated)[0]


# Steps and plans are made when they are first needed. No game comes to all of them, so all are made here.


@pytest.mark.parametrize(("packs", "players"), PACKS)
def test_every_step_of_every_program_can_be_written(packs: tuple[str, ...], players: int) -> None:
    machine = machine_of(packs, players)
    for number, program in enumerate(machine.programs):
        builder = ProgramBuilder(machine.shop, number)
        assert all(callable(builder.operation(pc, len(program.code))) for pc in range(len(program.code)))
        machine.builders.plain(number)


@pytest.mark.parametrize(("packs", "players"), PACKS)
def test_every_move_has_a_plan_whatever_is_modified(packs: tuple[str, ...], players: int) -> None:
    machine = machine_of(packs, players)
    touched = sorted(machine.evaluator.modifiers.values)
    for moves in machine.table.rules.moves.values():
        for move in moves:
            assert plan_steps(machine.legality, machine.questions, move, frozenset()), (
                f"{move.name} can be made, whatever modifies it"
            )
            quiet = ([], touched, *([one] for one in touched))
            assert all(
                callable(make_plan(machine.legality, machine.questions, [move], frozenset(each))) for each in quiet
            )


def test_the_page_about_the_engine_shows_what_is_written() -> None:
    machine = machine_of(("base",), 4)
    program = machine.table.programs_of("reveal", "label")[machine.table.label("card", "diplomacy")]
    code = machine.programs[program].code
    steps, end = ProgramBuilder(machine.shop, program).joined(0, len(code))
    assert end == len(code)
    page = (ROOT / "docs" / "engine.md").read_text("utf-8")
    assert isinstance(steps[0], st.When)
    for shown in (show_steps(steps[0].then).split("\n"), machine.shop.operations.doing.lines(steps)):
        assert "".join(f"    {line}\n" for line in shown) in page


def test_python_is_made_in_one_place() -> None:
    making = re.compile(r"(?<!def )(?<![.\w])(?:exec|eval|compile)\(|\.define\(|core\.source")
    found = [
        path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if making.search(path.read_text("utf-8"))
    ]
    assert {name for name in found if not name.startswith("core/")} == set()
    assert {"core/source.py", "core/python.py", "core/python_steps.py"} <= set(found)


# ---- costs, whatever they are made of

COST = """\
kind: card
objects:
  ace: {{start: hand, copies: 2, cost: 2, price: pay 2 gold}}
  king: {{start: hand, copies: 2, cost: 1, price: "pay 1 gold, pay 1 fame with red"}}
  jack: {{start: hand}}
=== rules.yaml
setup: each seat {{ gain 3 gold, gain 2 fame with red }}
flow: repeat 6 {{ each seat {{ may {{ offer actions }} }} }}
moves:
  act:
    group: actions
    takes: {{{takes}}}
    cost: {cost}
    do: move c from hand to table
scoring: {{score: gold}}
"""
ONE, TWO = "c: card in hand", "d: card in hand, c: card in hand"


@pytest.mark.parametrize(
    ("takes", "cost"),
    [
        (ONE, "pay 1 gold, pay 1 fame with red"),
        (ONE, "choose 1 { pay 1 gold | pay 1 fame with red }"),
        (ONE, "lose 1 gold as n { pay n gold }"),
        (ONE, "roll 6 as n { pay n gold }"),
        (ONE, "pay most(gold) gold"),
        (ONE, "run price of c"),
        (ONE, "if gold >= 2 { pay 2 gold } else { pay 1 fame with red }"),
        (TWO, "pay (cost of c) gold, pay 1 fame with red"),
        (TWO, "pay (cost of d) gold, pay 1 fame with red"),
        (TWO, "pay (cost of c + cost of d) gold"),
        (TWO, "run price of d, run price of c"),
    ],
)
def test_a_plan_lists_what_can_be_paid(takes: str, cost: str, tmp_path: Path) -> None:
    write_snippet(COST.format(takes=takes, cost=cost), tmp_path)
    rules, offered = load(tmp_path), 0
    for seed in range(4):
        game, chooser = rules.game(seats=2, seed=seed, log=False), RandomBot(seed)
        listing = game.machine.moves.listing("actions")
        while not game.over:
            asked = game.state.pending
            assert asked is not None
            frame = Frame(-1, asked.seat, asked.seat, -1, -1, [])
            (move,) = game.machine.table.rules.moves["actions"]
            found = listing(game.state, frame)
            assert found == list(every_combination(game.machine, game.state, frame, move))
            offered += len(found)
            game.answer(*chooser.choose(game))
    assert offered


# ---- what a card grants

GRANT = """\
kind: card
objects:
  ace: {start: hand, abilities: [{while: free}]}
=== verbs/free.yaml
values: {free: never}
=== words/ground.yaml
zones: {ground: {per: spot, holds: card, sight: all}}
=== rules.yaml
setup: |-
  choose random 1 seat as s { set leading to s },
  each seat[it = leading] { move all card from hand to ground of hill }
flow: each seat { if free { gain 1 gold } }
scoring: {score: gold}
"""


def test_a_card_on_a_place_grants_something_to_the_seat_that_has_it(tmp_path: Path) -> None:
    write_snippet(GRANT, tmp_path)
    words = tmp_path / "words.yaml"
    words.write_text(words.read_text("utf-8").replace("active: [table]", "active: [ground]"), "utf-8")
    first = load(tmp_path).game(seats=3).machine
    assert "free" in first.evaluator.modifiers.granted
    state, cells = first.start(1), first.table.layout.cells
    gold, leading = cells["gold"].base, cells["leading"].base
    assert [seat for seat in range(3) if state.cells[gold + seat]] == [state.cells[leading]]


# ---- games that write at once


def answered(rules: Rules, seed: int) -> str:
    game, chooser = rules.game(seats=4, seed=seed, log=False), RandomBot(seed)
    for _ in range(200):
        game.answer(*chooser.choose(game))
    return game.hash()


@pytest.fixture
def hasty() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_may_come_to_the_same_unwritten_step() -> None:
    seeds, fresh = range(6), load("base")
    fresh.machine(4, {})  # compiled, but nothing of it is written yet
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda seed: answered(fresh, seed), seeds))
    other = load("base")
    assert together == [answered(other, seed) for seed in seeds]


# ---- amounts


def amount(machine: Machine, node: m.Expression) -> int:
    game = Frame(-1, 0, 0, -1, -1, [])
    return machine.evaluator.compile(node)(machine.start(1), game, -1)  # type: ignore[no-any-return]


def joined(*terms: tuple[str, int]) -> m.Arithmetic:
    return m.Arithmetic(tuple((sign, m.Constant(value)) for sign, value in terms))


def test_amounts_are_joined_from_left_to_right() -> None:
    machine = machine_of(("base",), 3)
    assert amount(machine, joined(("+", 2), ("+", 3), ("*", 4))) == 20
    assert amount(machine, joined(("+", 2), ("*", 3), ("-", 4), ("*", 5), ("*", 2))) == 20
    assert amount(machine, m.Arithmetic((("+", m.Constant(2)), ("*", joined(("+", 3), ("+", 4)))))) == 14


def test_a_sum_may_be_as_long_as_a_text_can_be() -> None:
    machine = machine_of(("base",), 3)
    assert amount(machine, joined(*[("+", 1)] * 1000)) == 1000
    deep: m.Expression = m.Constant(1)
    for _ in range(200):
        deep = m.Extreme("most", (deep, m.Constant(2)))
    assert amount(machine, deep) == 2


# ---- definitions without an end

DOUBLED = ", ".join(f"v{number + 1}: 'v{number}, v{number}'" for number in range(60))
DEEP = ", ".join(f"v{number + 1}: 'v{number}, take 1'" for number in range(400))
SUMS = ", ".join(f"v{number + 1}: v{number} + v{number}" for number in range(60))


@pytest.mark.parametrize(
    ("definitions", "play", "message"),
    [
        ("verbs: {v0: v1, v1: v0}", "v0", "is defined by itself"),
        (f"verbs: {{v0: take 1, {DOUBLED}}}", "v60", "comes to .* parts"),
        (f"verbs: {{v0: take 1, {DEEP}}}", "v400", "is 51 definitions deep"),
        (f"values: {{v0: gold, {SUMS}}}", "gain v60 gold", "comes to .* parts"),
    ],
    ids=["circle", "doubled", "deep", "sums"],
)
def test_nothing_is_written_of_definitions_without_an_end(
    definitions: str, play: str, message: str, tmp_path: Path
) -> None:
    write_snippet(f"kind: card\nobjects: {{coin: {{play: {play}}}}}\n=== verbs/endless.yaml\n{definitions}\n", tmp_path)
    for loading in (load, load_meanings):
        with pytest.raises(CannotRunError, match=message):
            loading(tmp_path)


# ---- values that use each other twice


def test_values_that_double_are_asked_and_not_written_out() -> None:
    gold = m.CounterRef("gold", None, (), AMOUNT)
    twice = [m.ValueRef(f"v{number}", (), AMOUNT) for number in range(40)]
    sums = [m.Arithmetic((("+", each), ("+", each))) for each in twice]
    nobody: tuple[Parameter, ...] = ()
    values = {"v0": (nobody, gold)} | {f"v{number + 1}": (nobody, each) for number, each in enumerate(sums)}
    large = large_values(values)
    assert large
    assert "v0" not in large
    assert all(f"v{number}" in large for number in range(20, 41))
    assert len(used_values(twice[-1], values)) == 40


def test_a_value_asked_in_a_filter_of_seats_is_for_another_seat() -> None:
    wealth = m.ValueRef("wealth", (), AMOUNT)
    rich = m.SeatRef("seat", SEAT, m.Compare(">=", wealth, m.Constant(1)))
    values: Values = {"wealth": ((), m.Constant(1)), "rivals": ((), m.Count(rich))}
    assert used_values(m.ValueRef("rivals", (), AMOUNT), values) == {("rivals", False), ("wealth", True)}
