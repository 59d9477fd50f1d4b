"""Rules as Python source: everything packs say can be written, and means what it meant."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from dunerules.bots import RandomBot
from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, SEAT
from dunerules.dsl.vocabulary import Parameter
from dunerules.game import Game, Rules, load_rules
from dunerules.runtime.inline import Values, asked_values, large_values, written_out
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import make_plan
from dunerules.runtime.state import Frame
from dunerules.runtime.steps import ProgramWriter, make_plain

from .support import ROOT

PACKS = [(("base",), 4), (("base", "immortality"), 3), (("base", "immortality"), 1), (("betrayal",), 6)]


def machine_of(packs: tuple[str, ...], players: int) -> Machine:
    rules = load_rules(*packs)
    seats, automated = rules.table(players)
    return rules.machine(seats, {}, automated)[0]


# Steps and plans are made when they are first needed. No game comes to all of them, so all are made here.


@pytest.mark.parametrize(("packs", "players"), PACKS)
def test_every_step_of_every_program_can_be_written(packs: tuple[str, ...], players: int) -> None:
    machine = machine_of(packs, players)
    for number, program in enumerate(machine.programs):
        writer = ProgramWriter(machine, number, program.code)
        assert all(callable(writer.step(pc, len(program.code))) for pc in range(len(program.code)))
        make_plain(machine, number)


@pytest.mark.parametrize(("packs", "players"), PACKS)
def test_every_move_has_a_plan_whatever_is_modified(packs: tuple[str, ...], players: int) -> None:
    machine = machine_of(packs, players)
    touched = sorted(machine.evaluator.modifiers.values)
    for moves in machine.table.rules.moves.values():
        for move in moves:
            for kept in (touched, [], *([value] for value in touched)):
                make_plan(machine, move, kept.__contains__)


def test_the_page_about_the_engine_shows_what_is_written() -> None:
    machine = machine_of(("base",), 4)
    program = machine.table.programs["reveal"][machine.table.label("card", "diplomacy")]
    code = machine.programs[program].code
    lines, end = ProgramWriter(machine, program, code).joined(0, len(code))
    assert end == len(code)
    page = (ROOT / "docs" / "engine.md").read_text("utf-8")
    assert "".join(f"    {line}\n" for line in lines) in page


# ---- games that write at once


def answered(rules: Rules, seed: int) -> str:
    game, chooser = Game.new(rules, seats=4, seed=seed, log=False), RandomBot(seed)
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
    seeds, fresh = range(6), load_rules("base")
    fresh.machine(4, {})  # compiled, but nothing of it is written yet
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda seed: answered(fresh, seed), seeds))
    other = load_rules("base")
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
    assert len(asked_values(twice[-1], values)) == 40
    assert written_out(sums[-1], values, large.__contains__) == sums[-1]


def test_a_value_asked_in_a_filter_of_seats_is_for_another_seat() -> None:
    wealth = m.ValueRef("wealth", (), AMOUNT)
    rich = m.SeatRef("seat", SEAT, m.Compare(">=", wealth, m.Constant(1)))
    values: Values = {"wealth": ((), m.Constant(1)), "rivals": ((), m.Count(rich))}
    assert asked_values(m.ValueRef("rivals", (), AMOUNT), values) == {("rivals", False), ("wealth", True)}
