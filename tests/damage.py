"""Damaging JSON in every way that keeps it JSON."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

__all__ = ["damaged", "places"]

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 99, 10**30, -(10**30), 1.5, "", "x", "\u0000\ud800", [], {}, [[]], ["x"], [0, 0],
    {"x": 1}, [[[[[[[[0]]]]]]]],
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside another."""
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def damaged(data: Any, count: int, seed: int = 0) -> Iterator[tuple[str, Any]]:
    """Copies of some data with one damage each, and what was done. First each top-level part, then anything."""
    chance = random.Random(seed)
    found = list(places(data))
    shallow = [path for path in found if len(path) == 1]
    for number in range(count):
        path = shallow[number % len(shallow)] if number < 3 * len(shallow) else chance.choice(found)
        other = copy.deepcopy(data)
        around = other
        for key in path[:-1]:
            around = around[key]
        yield _damage(around, path[-1], chance) + f" at {path}", other


def _damage(around: Any, key: Any, chance: random.Random) -> str:
    value = around[key]
    way = chance.choice(("delete", "retype", "double", "swap", "shift"))
    if way == "delete":
        del around[key]
    elif way == "double" and isinstance(around, list):
        around.insert(key, copy.deepcopy(value))
    elif way == "swap" and len(around) > 1:
        other = chance.choice([*around] if isinstance(around, dict) else range(len(around)))
        around[key], around[other] = around[other], around[key]
    elif way == "shift" and type(value) is int:
        around[key] = value + chance.choice((-1, 1, 1000))
    else:
        around[key] = copy.deepcopy(chance.choice(_VALUES))
    return way
