"""Two engines written by hand, played at random, at their fastest: what a decision costs elsewhere.

Both count like we do: a decision counts if it has two answers or more. Chance is Python's own generator on all sides.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["Catan", "Dominion"]


class Dominion:
    """pyminion: Dominion for two, with ten random piles of its first set, or always the same ten.

    Its log is switched off whole: without that it still makes every line of it and throws it away. And the words for
    its lines, which it makes all the same (the whole supply for each buy), are empty; `wordy` leaves them as they are.
    """

    def __init__(self, *piles: str, wordy: bool = False) -> None:
        logging.disable(logging.CRITICAL)
        if not wordy:
            _silence("pyminion.core", "pyminion.player")
        from pyminion.bots.bot import Bot
        from pyminion.expansions import base
        from pyminion.game import Game

        chosen = [getattr(base, pile) for pile in piles] or None

        self._new: Callable[[_Decider], Any] = lambda decider: Game(
            [Bot(decider, "one"), Bot(decider, "two")], [base.base_set], kingdom_cards=chosen, log_stdout=False
        )

    def play(self, seed: int) -> int:
        """One whole game; how many decisions it took."""
        random.seed(seed)
        decider = _Decider()
        self._new(decider).play()
        return decider.decisions


def _silence(*modules: str) -> None:
    """Whatever is defined there is an empty text, wherever somebody wants it as one."""
    for module in map(import_module, modules):
        for found in vars(module).values():
            if isinstance(found, type) and found.__module__ == module.__name__:
                for name in {"__repr__", "__str__"} & {*vars(found)}:
                    setattr(found, name, lambda _: "")


class _Decider:
    """Answers everything pyminion asks with any legal answer, each number of cards as likely."""

    def __init__(self) -> None:
        self.decisions = 0

    def _one(self, cards: list[Any], *, may: bool) -> Any:
        options: list[Any] = list({card.name: card for card in cards}.values())
        if may:
            options.append(None)
        self.decisions += len(options) > 1
        return options[int(random.random() * len(options))] if options else None

    def _some(self, cards: list[Any], low: int, high: int) -> list[Any]:
        high = len(cards) if high < 0 else min(high, len(cards))
        self.decisions += low < high or (low < len(cards) and low > 0)
        return random.sample(cards, random.randint(low, high))

    def action_phase_decision(self, valid_actions: list[Any], *_: Any) -> Any:
        """A card to play, or none."""
        return self._one(valid_actions, may=True)

    def treasure_phase_decision(self, valid_treasures: list[Any], *_: Any) -> list[Any]:
        """Some of the treasures; asked again until it is none."""
        return self._some(valid_treasures, 0, -1)

    def buy_phase_decision(self, valid_cards: list[Any], **_: Any) -> Any:
        """A card to buy, or none."""
        return self._one(valid_cards, may=True)

    def multi_play_decision(self, valid_cards: list[Any], required: bool, **_: Any) -> Any:
        """A card to play twice."""
        return self._one(valid_cards, may=not required)

    def binary_decision(self, **_: Any) -> bool:
        """Yes or no."""
        self.decisions += 1
        return random.random() < 0.5

    def _cards(self, valid_cards: list[Any], **given: Any) -> list[Any]:
        """Some of the cards. The bounds are named after what is asked, `min_num_...` and `max_num_...`."""
        low = next((value for name, value in given.items() if name.startswith("min_num")), 0)
        high = next((value for name, value in given.items() if name.startswith("max_num")), -1)
        return self._some(valid_cards, low, high)

    discard_decision = trash_decision = gain_decision = topdeck_decision = _cards


class Catan:
    """catanatron: Catan for four. Answers are taken from what it offers, so it need not look whether it offers them."""

    def __init__(self) -> None:
        from catanatron.game import TURNS_LIMIT, Game
        from catanatron.models.player import Color, RandomPlayer

        self._longest: int = TURNS_LIMIT
        self._new: Callable[[int], Any] = lambda seed: Game([RandomPlayer(color) for color in Color], seed=seed + 1)

    def play(self, seed: int) -> int:
        """One whole game; how many decisions it took."""
        game, decisions = self._new(seed), 0
        while game.winning_color() is None and game.state.num_turns < self._longest:
            actions = game.state.playable_actions
            decisions += len(actions) > 1
            game.execute(actions[int(random.random() * len(actions))], validate_action=False)
        return decisions

    def copies(self, seed: int) -> list[Any]:
        """A copy of a game at each of its decisions."""
        game = self._new(seed)
        found: list[Any] = []
        while game.winning_color() is None:
            found.append(game.copy())
            game.play_tick()
        return found
