"""Whole loops with both back ends: games of bots that look ahead, and playouts."""

from __future__ import annotations

from random import Random

from dunerules.bots import bot_seed, make_bot, play_on
from dunerules.game import Game, Rules
from dunerules.native_games import policies
from dunerules.playouts import Wanted
from dunerules.runtime.names import Names
from dunerules.runtime.state import GameError

from .twin import DifferenceError, Tally, Twin

__all__ = ["compare_loops"]

LOOKING = 80
"""Decisions of a game of bots that look ahead."""


def compare_loops(rules: Rules, twin: Twin, seed: int, tally: Tally) -> None:
    """The beginning of a game by a mix of bots, and playouts from there."""
    chance, machine, native = Random(f"{seed} loops"), twin.machine, twin.native
    names = [chance.choice(("random", "simple", "simple")) for _ in range(machine.table.players)]
    seeds = [bot_seed(seed, seat) for seat in range(machine.table.seats)]
    block = native.block()
    status = native.start(block, seed)
    played = native.play_on(block, seeds, LOOKING, bots=policies(names)) if status >= 0 else None
    try:
        game = Game(rules, machine, Names(machine), machine.start(seed, log=False))
        found = play_on(game, [make_bot(name, own) for name, own in zip(names, seeds, strict=False)], LOOKING)
    except GameError:
        if played is not None and played.status >= 0:
            raise DifferenceError(f"{names}: Python ended with an error, and native code goes on") from None
        return
    if played is None or played.status < 0:
        tally.given_up[f"{names}"] += 1
        return
    if (played.decisions, played.rounds) != found:
        raise DifferenceError(f"{names}: {played} instead of {found}")
    tally.playouts += 1
    twin.look(block, game.state, tally, f"{names}", whole=True)
    for seat in (None, chance.randrange(game.seats)):
        for bot, decisions, rounds in (("random", None, None), ("simple", 6, None), ("random", None, 1)):
            wanted = Wanted(game, seat, [bot] * game.players, decisions, rounds)
            some = [chance.getrandbits(62) for _ in range(2)]
            by_native, by_python = wanted.by_native(native, some), [wanted.by_python(each) for each in some]
            for mine, other in zip(by_native, by_python, strict=True):
                if mine is not None and mine != other:
                    raise DifferenceError(f"playout for {seat} by {bot}: {mine} instead of {other}")
                if mine is None:
                    tally.given_up["playouts"] += 1
                tally.playouts += mine is not None
