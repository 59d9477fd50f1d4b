"""Tries to prove wrong what `Question.matters` says: questions that are said not to matter are answered in every way.

    python -m tests.weighing --batches 40 --games 20 --seed 1

Effects of generated packs are put in an order by pairs and threes, at random positions, and the shipped packs are
played; wherever an order is said not to matter all orders must come to the same game, and in every world that the seat
cannot tell from this one the same must be said.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from dunerules.game import Game
from dunerules.runtime.machine import GameError
from dunerules.runtime.state import Frame

from .generator.batch import written
from .generator.load import HopelessError, load, workplace
from .generator.positions import random_position, take_position
from .generator.properties import answer_of
from .generator.stage import Stage
from .orders import weigh
from .table import rules_of

__all__ = ["weigh_effects", "weigh_games"]

PAIRS = 40
"""Orders of effects that are tried with one generated pack."""
LONGEST = 1000
"""Decisions of a game that are looked at."""


# ---- effects of generated packs


def weigh_effects(seed: int, number: int) -> Counter[bool]:
    """Orders of effects of one generated pack: how many are said to matter."""
    chance, said = Random(f"{seed} weighing {number}"), Counter[bool]()
    with workplace() as root:
        builder, _, _ = written(number, chance, root, PAIRS)
        try:
            loaded = load(builder.files, root, builder.words)
        except HopelessError:
            return said
        stage = Stage(loaded.rules, root, compares=False, speaks=False)
        seats = loaded.rules.ruleset.seats[0] + 1
        game, addresses = stage.effect_game(seats, 0)
        layout = game.machine.table.layout
        live = [
            (thing, program)
            for thing, declared in enumerate(layout.things)
            for program in declared.slots.values()
            if layout.copies.get(thing)
        ]
        for _ in range(PAIRS if len(live) > 2 else 0):
            game, _ = stage.effect_game(seats, chance.getrandbits(30))
            ordered = chance.sample(live, chance.choice((2, 2, 3)))
            ids = [layout.things[thing].id for thing, _ in ordered]
            try:
                take_position(game.state, random_position(chance, addresses, ids), addresses)
                _put_in_order(game, [(program, layout.copies[thing][0]) for thing, program in ordered], chance)
                if game.state.pending is not None and game.state.pending.kind == "order":
                    said[weigh(game, chance)] += 1
            except GameError as error:
                if not error.limit:
                    raise
    return said


def _put_in_order(game: Game, effects: list[tuple[int, int]], chance: Random) -> None:
    """Somebody is asked for the order of some programs, each on a thing."""
    seat, all_ = chance.randrange(game.seats), game.machine.shop.programs.all
    left = tuple(
        (program, seat, this, -1, (0,) * all_[program].slots, f"effect {program} {this}") for program, this in effects
    )
    game.state.frames.append(Frame(game.machine.shop.events.ordering, seat, seat, -1, -1, [left]))
    game.machine.run(game.state)


# ---- the shipped packs


def weigh_games(pack: str, players: int, seed: int, *, sure: float = 1.0) -> Counter[bool]:
    """A random game: how many orders are said to matter. Only so many of the questions are looked at."""
    chance, said = Random(seed), Counter[bool]()
    game = rules_of(pack).game(players=players, seed=seed, log=False)
    for _ in range(LONGEST):
        pending = game.state.pending
        if pending is None:
            break
        if pending.kind == "order" and chance.random() < sure:
            said[weigh(game, chance)] += 1
        game.answer(*answer_of(pending, chance))
    return said


def main() -> None:
    """The long form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    said = Counter[bool]()
    for number in range(wanted.batches):
        said += weigh_effects(wanted.seed, number)
    print(f"generated effects: {said[False]} of {said.total()} orders do not matter")
    for pack in ("base", "immortality", "conquest", "betrayal"):
        said = Counter[bool]()
        for number in range(wanted.games):
            seats = [each for each in rules_of(pack).players if each > 1]
            said += weigh_games(pack, seats[number % len(seats)], wanted.seed * 1000 + number)
        print(f"{pack}: {said[False]} of {said.total()} orders do not matter")


if __name__ == "__main__":
    main()
