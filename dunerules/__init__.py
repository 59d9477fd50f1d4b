"""Board games as data: packs, an effect language, a checker, and the machine that plays them.

    import dunerules

    rules = dunerules.load("base")
    game = rules.game(seats=4, seed=7)

Everything that is named here is imported when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dunerules.bots import Bot, RandomBot, Result, SimpleBot, make_bot, play_game, play_out
    from dunerules.game import Game, Rules, Setting, Standing, load
    from dunerules.log import Event
    from dunerules.native_games import Outcome, play_many
    from dunerules.playouts import Playout, play_out_many
    from dunerules.problems import CannotRunError, RefusedError
    from dunerules.questions import IllegalAnswerError, Option, Question
    from dunerules.runtime.refusals import Reason
    from dunerules.runtime.state import GameError
    from dunerules.views import Counter, Pieces, Thing, View, Zone

__version__ = "0.3.0"

__all__ = [
    "Bot", "CannotRunError", "Counter", "Event", "Game", "GameError", "IllegalAnswerError", "Option",
    "Outcome", "Pieces", "Playout", "Question", "RandomBot", "Reason", "RefusedError", "Result", "Rules", "Setting",
    "SimpleBot", "Standing", "Thing", "View", "Zone", "load", "make_bot", "play_game", "play_many", "play_out",
    "play_out_many",
]  # fmt: skip

_HOMES = (
    "problems", "runtime.state", "runtime.refusals", "questions", "views", "log", "game", "bots", "native_games",
    "playouts",
)  # fmt: skip
"""The modules that have these names, each after those it needs."""


def __getattr__(name: str) -> Any:
    for home in _HOMES if name in __all__ else ():
        module = import_module(f"{__name__}.{home}")
        if name in module.__all__:
            return getattr(module, name)
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
