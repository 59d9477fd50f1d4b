"""What stands in a save: the state of a game, and the seed and the answers that made it. Seats count from 0 in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from dunerules import __version__
from dunerules.answers import Course, answers_of, course_of
from dunerules.kept import opened, refuse_strange, sealed
from dunerules.problems import CannotRunError
from dunerules.runtime.names import Names
from dunerules.runtime.state import State

__all__ = ["Save", "hash_of", "read_save", "save_of"]


@dataclass(frozen=True)
class Save:
    """What a save says: the course of its game, and the state as JSON, which nobody has looked at."""

    course: Course
    played: bool
    """Whether it tells the answers."""
    state: Any

    def must_tell(self, otherwise: str) -> None:
        """Refuse a save without answers."""
        if not self.played:
            raise CannotRunError(f"this save does not tell which answers made it: {otherwise}")


def save_of(
    names: Names, state: State, locks: Mapping[str, str], versions: Mapping[str, str], held: Sequence[str] = ()
) -> dict[str, Any]:
    """A game of packs with these locks and versions, as a save; nothing is said of what is held if nothing is."""
    answers, chosen = answers_of(names, state) or (None, None)
    table, data = names.table, state.data()
    said = {
        "version": __version__,
        "locks": locks,
        "packs": versions,
        "seats": table.seats,
        "automated": table.seats - table.players,
        "options": table.options,
        "seed": data["seed"],
        "answers": None if answers is None else [*map(list, answers)],
        "chosen": None if chosen is None else [*map(list, chosen)],
        **({"held": [*held]} if held else {}),
        "state": data,
    }
    return sealed("save", said)


def read_save(data: Any) -> Save:
    """A save from JSON; a `CannotRunError` says what is wrong with it."""
    said = opened("save", data)
    refuse_strange("save", said, [*(field.name for field in fields(Course)), "state"])
    return Save(Course(**course_of("save", said)), said.get("answers") is not None, said.get("state"))


def hash_of(data: Any) -> str:
    """A fingerprint of the data of a state: equal on every machine."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
