"""The steps from one format to the next for what the program writes itself. Files are brought over as they are read.

A step is a function from data to data that changes top-level keys. It may be given anything that has a right checksum,
so it trusts no value. What an older version did not write down stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["KEPT_STEPS", "Data"]

Data: TypeAlias = dict[str, Any]


def _replay_4(data: Data) -> Data:
    """Answers are known by name too, and so are the versions of packs."""
    rest = {key: value for key, value in data.items() if key != "replay"}
    return {"dunerules": "replay", "format": 4, **rest, "packs": {}, "chosen": [], "position": ""}


def _save_1(data: Data) -> Data:
    """There is a number, and there are the answers that made the state."""
    rest = {key: value for key, value in data.items() if key != "dunerules"}
    start = {"dunerules": "save", "format": 1, "version": data["dunerules"]}
    state = data["state"]
    seed = state.get("seed") if isinstance(state, dict) else None
    return {**start, "automated": 0, **rest, "packs": {}, "seed": seed, "answers": None, "chosen": None}


def _simulation_1(data: Data) -> Data:
    """There is a number."""
    return {"dunerules": "simulation", "format": 1, **data}


KEPT_STEPS: dict[str, dict[int, Callable[[Data], Data]]] = {
    "replay": {3: _replay_4},
    "save": {0: _save_1},
    "simulation": {0: _simulation_1},
    "mutation": {},
}
"""By kind of file and format: what brings it to the next format. Replays of formats 1 and 2 were never published."""
