"""The same for the reference: how it is done, and how it is tried."""

from __future__ import annotations

from typing import Any

from dunerules.dsl import meaning as m
from tests.reference import changes
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.possible import VERBS as TRIED
from tests.reference.possible import Tasks, Trial
from tests.reference.state import Context
from tests.reference.verbs import VERBS, Running, _change


def halve(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`halve gold`"""
    at = e.counter_at(g, dict(act.arguments)["what"], c)
    if at is None:
        return 0
    return (yield from _change(g, "halve", at, e.read(g, at) // 2, c))


def tried(trial: Trial, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
    """There must be something of it."""
    at = e.counter_at(trial.g, dict(act.arguments)["what"], c)
    if at is None or e.read(trial.g, at) < 1:
        return False
    trial.given = e.read(trial.g, at) - e.read(trial.g, at) // 2
    changes.put(trial.g, at, e.read(trial.g, at) // 2)
    return left


VERBS["halve"] = halve
TRIED["halve"] = tried
