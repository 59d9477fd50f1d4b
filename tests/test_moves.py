"""Moves are listed by plans that test as little as they can; testing every combination must give the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from dunerules.bots import RandomBot
from dunerules.dsl import meaning as m
from dunerules.game import Rules, load
from dunerules.runtime.evaluate import numbered
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
            for thing in machine.questions.distinct(s, f.you, found) if things else found:
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
