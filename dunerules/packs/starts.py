"""Where the copies of an object begin: `deck`, or `stack of copper_pile`, the zone of a place."""

from __future__ import annotations

from typing import NamedTuple

from dunerules.packs.nodes import Node

__all__ = ["Start", "start_of"]


class Start(NamedTuple):
    """A zone, and the place it is of, if it is one of a place."""

    zone: str = ""
    place: str = ""


def start_of(node: Node) -> Start:
    """Where an object begins, as its `start` says."""
    zone, _, place = node.text("start").partition(" of ")
    return Start(zone.strip(), place.strip())
