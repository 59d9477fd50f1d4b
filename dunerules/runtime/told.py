"""What the log tells beside what has happened: as part of which verbs of packs, and what begins and ends to last.

Entries keep their origin, the place in a program where something was done. A seat is told of it only if it may know
that (`openness`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dunerules.runtime.machine import Machine

__all__ = ["CHANGES", "LASTING", "WITH_ORIGIN", "told"]

CHANGES: Final = frozenset({"cell", "mark"})
"""Entries of counters: the cell, what it was and is, and the verb."""

WITH_ORIGIN: Final = frozenset({*CHANGES, "pieces", "carry", "look", "reveal"})
"""Entries that end with who acts and the origin, or with nothing."""

LASTING: Final = frozenset({"begins", "ends"})
"""Entries of what lasts."""


def told(machine: Machine, entry: Sequence[Any], seat: int | None) -> Sequence[Any] | None:
    """An entry as it is told to a seat, if at all; to none with everything.

    It ends with who acts and the verbs of packs. What lasts is told with its number, whose it is, and what it is about:
    the object it stands on, the place, and what its names stand for.
    """
    if entry[0] in LASTING:
        return _lasting(machine, entry, seat)
    if entry[0] not in WITH_ORIGIN or not entry[-1]:
        return entry
    actor, origin = entry[-1]
    known = seat is None or machine.table.openness.told(origin, seat, actor)
    return (*entry[:-1], (actor, origin.verbs) if known else ())


def _lasting(machine: Machine, entry: Sequence[Any], seat: int | None) -> Sequence[Any] | None:
    which, number, _, whose, _, this, here, slots = entry
    temporary, openness = machine.abilities.temporary[number], machine.table.openness
    origin = temporary.code.origin
    tells = openness.told if which == "begins" else openness.told_end
    if seat is not None and not tells(origin, seat, whose):
        return None
    objects = machine.table.layout.objects

    def declared(value: Any) -> Any:
        """What objects are copies of: nobody can tell these apart."""
        if isinstance(value, tuple):
            return tuple(map(declared, value))
        return objects[value] if value >= 0 else value

    pairs = zip(slots, temporary.code.kinds, strict=True)
    on = declared(this) if temporary.about_this else -1
    values = (declared(value) if kind.name == "thing" else value for value, kind in pairs)
    return which, number, whose, (on, here, *values)
