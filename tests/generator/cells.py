"""What must occur: every verb with every quantity, target and owner that the page of meanings allows."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CELLS", "Cell"]


class Cell(NamedTuple):
    """A verb, how much of what, and whose."""

    verb: str
    quantity: str
    target: str
    owner: str


_SOME = ("exactly", "up to", "any", "all")
_SEATS = ("none", "you", "seat")
_SPOTS = (*_SEATS, "place")
_KEPT = (*_SPOTS, "thing", "other")

CELLS: tuple[Cell, ...] = (
    *(Cell(verb, "exactly", "counter", owner) for verb in ("gain", "pay") for owner in _KEPT),
    *(Cell("lose", quantity, "counter", owner) for quantity in _SOME for owner in _KEPT),
    *(Cell("set", "value", "counter", owner) for owner in _KEPT),
    *(Cell("set", "value", "pointer", owner) for owner in (*_SPOTS, "thing")),
    *(Cell(verb, quantity, "piece", owner) for verb in ("lose", "move") for quantity in _SOME for owner in _SEATS),
    *(
        Cell(verb, quantity, "thing", owner)
        for verb in ("move", "look")
        for quantity in (*_SOME, "random", "blind", "top", "bottom")
        for owner in _SPOTS
    ),
    *(Cell("choose", quantity, "thing", owner) for quantity in (*_SOME, "random", "blind") for owner in _SPOTS),
    *(
        Cell("choose", quantity, target, "none")
        for quantity in (*_SOME, "random")
        for target in ("seat", "place", "label")
    ),
    *(Cell("choose", quantity, "option", "none") for quantity in ("exactly", "up to", "any", "random")),
    *(Cell("reveal", "all", target, owner) for target in ("thing", "zone") for owner in _SPOTS),
    *(Cell("shuffle", "all", "zone", owner) for owner in _SPOTS),
    *(Cell(verb, "all", "seat", "none") for verb in ("win",)),
    *(Cell(verb, "exactly", "number", "none") for verb in ("roll", "repeat")),
    *(Cell(verb, "all", "slot", owner) for verb in ("run", "copy") for owner in ("none", "thing")),
    *(
        Cell(verb, "all", target, "none")
        for verb, target in (("offer", "moves"), ("pass", "nothing"), ("leave", "procedure"))
    ),
)
"""Owner `place`: of a place, or kept at one; `thing`: of a thing, place or label, or on one; `other`: for another."""
