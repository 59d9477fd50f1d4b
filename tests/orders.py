"""Whether what `Question.matters` says is so: a question that is said not to matter is answered in every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

from dunerules.dsl import program as p
from dunerules.game import Game
from dunerules.runtime.state import State

from .broken import require

__all__ = ["weigh"]

WORLDS = 2
FURTHER = 4
"""Questions that are answered after the order, to see that both games go on alike."""


def table_of(state: State) -> dict[str, Any]:
    """All that makes a game, but for what slots of programs still hold that nobody asks for any more."""
    data = state.data()
    for frame in (*data["frames"], *(frame for strand in data["strands"] for frame in strand[0])):
        frame[5] = []
    return data


def weigh(game: Game, chance: Random) -> bool:
    """Look whether what is said of the pending question is so; whether it is said to matter."""
    question, state = game.question, game.state
    assert question is not None
    assert state.pending is not None
    matters = question.matters
    for world in game.worlds(question.seat, WORLDS, chance.getrandbits(30)):
        asked = next(each for each in world.questions if each.seat == question.seat)
        require(asked.matters == matters, "a redealt world tells whether an answer matters")
    if matters:
        return True
    require(len(question.options) > 1, "a question with one answer is asked for its own sake")
    seed = chance.getrandbits(30)
    ends = [_ended(game.clone(), order, seed) for order in _orders(state, chance)]
    for end in ends[1:]:
        require(end == ends[0], f"an answer matters: {question.names}")
    return False


def _orders(state: State, chance: Random) -> Iterator[tuple[Any, ...]]:
    assert state.pending is not None
    options = state.pending.options
    if len(options) <= 3:
        yield from permutations(map(_marked, options))
        return
    for first in options:
        rest = [each for each in options if each != first]
        yield tuple(map(_marked, (first, *chance.sample(rest, len(rest)))))


def _marked(option: tuple[Any, ...]) -> Any:
    """What an option of an order is known by while others go: reactions are numbered anew, so by their text."""
    return option[2:] if option[0] == "reaction" else option


def _done(game: Game) -> int:
    """How much of the order that is asked about is done: in a loop, or by the next event, another one begins with none;
    -1 if it is not asked about an order."""
    state, shop = game.state, game.machine.shop
    frame = state.frames[-1]
    if state.pending is None or state.pending.kind != "order":
        return -1
    if frame.program == shop.events.ordering:
        return 1_000 - len(frame.slots[0])
    order = shop.programs.all[frame.program].code[frame.pc]
    assert isinstance(order, (p.Order, p.OrderEach))
    done = frame.slots[order.done]
    return done.bit_count() if isinstance(done, int) else len(done)


def _ended(game: Game, order: tuple[Any, ...], seed: int) -> list[Any]:
    """A game when the order is done, and some questions later."""
    state = game.state
    frame, done = state.frames[-1], _done(game)
    for wanted in (*order, *[None] * 100):  # then copies
        if state.pending is None or state.frames[-1] is not frame or _done(game) < done:
            break  # the last one comes by itself
        options = state.pending.options
        found = next((n for n, each in enumerate(options) if _marked(each) == wanted), None)
        if wanted is None and not any(option[0] in {"move", "done"} for option in options):
            found = 0
        if found is not None:
            done = _done(game) + 1
            game.answer(found)
    found_: list[Any] = [table_of(state)]
    chance = Random(seed)
    for _ in range(FURTHER):
        if state.pending is None:
            break
        asked = state.pending
        game.answer(*chance.sample(range(len(asked.options)), chance.randint(asked.low, asked.high)))
        found_.append(table_of(state))
    return found_
