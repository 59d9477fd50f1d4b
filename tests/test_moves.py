"""Moves are listed by plans that test as little as they can; testing every combination must give the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from dunerules.bots import RandomBot
from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.vocabulary import Parameter
from dunerules.game import Rules, load
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.inline import NEVER, Values, asked_values, put_in_place, written_out
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import Frame, State
from dunerules.understanding.ruleset import Move

from .invariants import GAME


@cache
def rules() -> Rules:
    return load(GAME)


def every_combination(machine: Machine, s: State, f: Frame, move: Move) -> Iterator[tuple[object, ...]]:
    """The legal ways to make a move by the book: one pick after the other, everything tested at the end."""
    names = tuple(name for name, _ in move.takes)
    compile_ = machine.evaluator.compile
    groups = [(compile_(numbered(group, names)), group.type.name == "thing") for _, group in move.takes]
    condition = compile_(numbered(move.condition or m.Always(), names))
    frame = Frame(-1, f.you, f.owner, -1, -1, [-1] * max(1, len(names)))

    def picking(number: int) -> Iterator[tuple[object, ...]]:
        if number < len(groups):
            group, things = groups[number]
            found = group(s, frame, -1)
            for thing in machine.distinct(found) if things else found:
                frame.slots[number] = thing
                yield from picking(number + 1)
        elif condition(s, frame, -1):
            slots = frame.slots + [0] * (machine.programs[move.cost].slots if move.cost >= 0 else 0)
            scratch = Frame(move.cost, f.you, f.owner, -1, -1, slots)
            if machine.legality.program(move.cost)(s, scratch):
                yield ("move", move.name, *frame.slots[: len(names)])

    return picking(0)


@pytest.mark.parametrize("seed", range(1, 9))  # in each of these games some value is modified
def test_plans_list_what_testing_every_combination_gives(seed: int) -> None:
    game = rules().game(seats=3 + seed % 2, seed=seed, log=False)
    machine, chooser = game.machine, RandomBot(seed)
    modified, asked = set(), 0
    while not game.over:
        pending = game.state.pending
        assert pending is not None
        if (asked + seed) % 5 == 0:
            frame = Frame(-1, pending.seat, pending.seat, -1, -1, [])
            for name, moves in machine.table.rules.moves.items():
                expected = [each for move in moves for each in every_combination(machine, game.state, frame, move)]
                assert machine.moves.listing(name)(game.state, frame) == expected
                modified.add(machine.moves.groups[name].modified(game.state, pending.seat))
        asked += 1
        game.answer(*chooser.choose(game))
    assert modified - {0}, "no value was modified in all the game"


# ---- values written out

YOU = m.SeatRef("you", SEAT)
IT = m.Special("it", Type("thing", "card"))
NUMBER = m.CounterRef("gold", None, (), AMOUNT)


def own(seat: m.Expression) -> m.CounterRef:
    return m.CounterRef("gold", seat, (), AMOUNT)


def asked(name: str, **given: m.Expression) -> m.ValueRef:
    return m.ValueRef(name, tuple(given.items()), AMOUNT)


def parameter(name: str) -> Parameter:
    return Parameter(name, (SEAT,))


S = m.Local("s", SEAT)
VALUES: Values = {
    "wealth": ((parameter("s"),), own(S)),
    "poorer": ((parameter("s"),), m.Count(m.SeatRef("seat", Type("seat", many=True), m.Compare("<", NUMBER, own(S))))),
    "twice": ((parameter("s"),), m.Arithmetic((("+", asked("wealth", s=S)), ("+", asked("wealth", s=S))))),
    "never": ((), NEVER),
}


def test_a_value_is_replaced_by_its_body_with_the_arguments_in_place() -> None:
    assert written_out(asked("wealth", s=YOU), VALUES, lambda _: False) == own(YOU)
    twice = written_out(asked("twice", s=m.Local("#3", SEAT)), VALUES, lambda _: False)
    assert twice == m.Arithmetic((("+", own(m.Local("#3", SEAT))), ("+", own(m.Local("#3", SEAT)))))


def test_a_value_that_may_be_modified_is_kept() -> None:
    assert written_out(asked("wealth", s=YOU), VALUES, lambda name: name == "wealth") == asked("wealth", s=YOU)


def test_you_is_not_put_into_a_filter_of_seats_where_it_would_be_another_seat() -> None:
    assert put_in_place(asked("poorer", s=YOU), VALUES) is None
    assert put_in_place(asked("poorer", s=m.Local("#0", SEAT)), VALUES) is not None
    assert put_in_place(asked("poorer", s=m.SeatRef("owner", SEAT)), VALUES) is not None


def test_it_is_not_put_into_another_filter() -> None:
    where = m.Compare("=", m.FieldRef("cost", IT, AMOUNT), m.FieldRef("cost", m.Local("c", IT.type), AMOUNT))
    values = {
        "like": ((Parameter("c", (IT.type,)),), m.Count(m.Named("card", where, None, Type("thing", "card", True))))
    }
    assert put_in_place(asked("like", c=IT), values) is None
    assert put_in_place(asked("like", c=m.Special("this", IT.type)), values) is not None


def test_what_can_never_hold_folds() -> None:
    never = m.ValueRef("never", (), CONDITION)
    rich = m.Compare(">=", NUMBER, m.Constant(3))
    assert written_out(m.All((rich, never)), VALUES, lambda _: False) == NEVER
    assert written_out(m.All((rich, m.Not(never))), VALUES, lambda _: False) == rich
    assert written_out(m.Any((never, rich)), VALUES, lambda _: False) == rich


def test_values_that_are_asked_for_other_seats_are_known() -> None:
    node = m.SeatRef("seat", Type("seat", many=True), m.Compare(">", asked("wealth", s=YOU), m.Constant(1)))
    assert dict(asked_values(node, VALUES)) == {"wealth": True}
    assert dict(asked_values(asked("twice", s=YOU), VALUES)) == {"twice": False, "wealth": False}
