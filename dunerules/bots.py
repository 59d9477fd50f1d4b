"""Bots: seats that play by themselves, in any game.

A bot is asked for an answer and gives one; it never changes the game it is asked about. `random` takes any legal
answer, each number of options as likely and each option as likely. `simple` looks one step ahead: it tries answers in
worlds it cannot tell from the real one, and takes what leaves it with the best position, by the pack's own `worth`
(or score, where a pack declares none).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dunerules.dsl.meaning import Constant
from dunerules.game import Game
from dunerules.problems import CannotRunError
from dunerules.runtime.chance import below
from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import Decision, Frame, GameError, State

__all__ = ["BOTS", "Bot", "RandomBot", "SimpleBot", "make_bot"]

TRIED = 32
"""How many answers a looking bot tries at most."""

AHEAD = 4
"""How many of its own decisions it then answers by the first option, to see what came of it."""


class Bot(Protocol):
    """Anything that can be asked for an answer."""

    def choose(self, game: Game) -> tuple[int, ...]:
        """An answer to the pending decision; the game stays as it is."""
        ...


class RandomBot:
    """Uniform legal answers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counter = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self.counter += 1
        return below(self.seed, self.counter, limit)

    def choose(self, game: Game) -> tuple[int, ...]:
        """Any legal answer."""
        return self.answer(_pending(game.state))

    def answer(self, asked: Decision) -> tuple[int, ...]:
        """Any legal answer to a decision."""
        count = asked.low + self.below(asked.high - asked.low + 1)
        left = list(range(len(asked.options)))
        return tuple(left.pop(self.below(len(left))) for _ in range(count))


class SimpleBot:
    """The answer after which the own position is worth most, as far as one step shows."""

    def __init__(self, seed: int) -> None:
        self.chance = RandomBot(seed)
        self._machine: Machine | None = None

    def choose(self, game: Game) -> tuple[int, ...]:
        """The best of the answers tried; of equal ones any."""
        asked = _pending(game.state)
        answers = self._answers(asked)
        if len(answers) == 1:
            return answers[0]
        if self._machine is not game.machine:
            self._machine = game.machine
            self._redealer = Redealer(game.machine)
            self._worth = _worth(game.machine)
        world = self._redealer.redeal(game.state, asked.seat, self.chance.below(1 << 62))
        world.log = None
        found = [(self._value(world, asked.seat, answer), -self.chance.below(1 << 30), answer) for answer in answers]
        return max(found)[2]

    def _answers(self, asked: Decision) -> list[tuple[int, ...]]:
        """Every option by itself; of several at once, some by chance."""
        size = len(asked.options)
        if asked.high == 1:
            single: list[tuple[int, ...]] = [] if asked.low else [()]
            single += [(number,) for number in range(size)]
            while len(single) > TRIED:
                single.pop(self.chance.below(len(single)))
            return single
        return sorted({self.chance.answer(asked) for _ in range(min(TRIED, 4 * size))})

    def _value(self, world: State, seat: int, answer: tuple[int, ...]) -> int:
        """What an answer leads to is worth; least of all what the rules do not come through."""
        try:
            return self._looked_ahead(world, seat, answer)
        except GameError:
            return -(1 << 41)

    def _looked_ahead(self, world: State, seat: int, answer: tuple[int, ...]) -> int:
        assert self._machine is not None
        state = world.clone()
        state.answer = answer
        self._machine.run(state)
        for _ in range(AHEAD):
            asked = state.pending
            if asked is None or asked.seat != seat:
                break
            state.answer = tuple(range(max(asked.low, min(1, asked.high))))
            self._machine.run(state)
        if state.result is not None:
            return (1 << 40) if seat in state.result else -(1 << 40)
        worths = [self._worth(state, each) for each in range(self._machine.table.seats)]
        mine = worths.pop(seat)
        return 2 * mine - max(worths, default=0)


def _pending(state: State) -> Decision:
    if state.pending is None:
        raise CannotRunError("nobody is asked anything: the game is over")
    return state.pending


def _worth(machine: Machine) -> Callable[[State, int], int]:
    rules = machine.table.rules
    ask = machine.evaluator.compile(rules.worth or rules.score or Constant(0))
    return lambda state, seat: int(ask(state, Frame(-1, seat, seat, -1, -1, []), -1))


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "simple": SimpleBot}


def make_bot(name: str, seed: int) -> Bot:
    """A bot by name."""
    if name not in BOTS:
        raise CannotRunError(f"there is no bot `{name}`; there are {', '.join(BOTS)}")
    return BOTS[name](seed)
