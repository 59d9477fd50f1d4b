"""What redealing needs to know of a table, as numbers: which hidden objects may change places, and hidden counters."""

from __future__ import annotations

from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import TRIES, Redealer

__all__ = ["world_sizes", "world_tables"]


def world_sizes(machine: Machine) -> dict[str, int]:
    """How often worlds are dealt, and how much there is to know."""
    return {"REDEALS": TRIES, "HIDDEN_CELLS": len(Redealer(machine).hidden), "MOVES": len(machine.moves.by_name)}


def world_tables(machine: Machine) -> dict[str, list[int]]:
    """By seat and zone the group it mixes with, by object its back, the cells of hidden counters, picks by move."""
    redealer, numbers = Redealer(machine), dict[tuple[str, int], int]()
    backs = map(redealer.back, range(len(machine.table.layout.objects)))
    cells, owners, starts = zip(*redealer.hidden, strict=True) if redealer.hidden else ((), (), ())
    return {
        "MIXES": [group for groups in redealer.groups for group in groups],
        "BACK": [numbers.setdefault(each, len(numbers)) for each in backs],
        "HIDDEN_CELL": [*cells], "HIDDEN_OWNER": [*owners], "HIDDEN_START": [*starts],
        "MOVE_PICKS": [len(move.takes) for move in machine.moves.by_name.values()],
    }  # fmt: skip
