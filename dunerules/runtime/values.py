"""Values of packs: which are asked by what, and which are too large to be written out wherever they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.dsl.vocabulary import Parameter
from dunerules.dsl.walk import parts, walk

__all__ = ["Values", "large_values", "used_values"]

Values = Mapping[str, tuple[tuple[Parameter, ...], m.Expression]]
"""By name: parameters and body."""

_LARGEST = 200
"""Parts of a value that is written out; values that ask each other twice would double with every one."""


def large_values(values: Values) -> frozenset[str]:
    """Values that are too large to be written out wherever they are asked."""
    sizes: dict[str, int] = {}
    asked = {
        name: [each.value for each in walk(body) if isinstance(each, m.ValueRef) and each.value in values]
        for name, (_, body) in values.items()
    }
    for name in TopologicalSorter(asked).static_order():
        size = sum(1 for _ in walk(values[name][1])) + sum(sizes[each] for each in asked[name])
        sizes[name] = min(size, _LARGEST + 1)
    return frozenset(name for name, size in sizes.items() if size > _LARGEST)


def used_values(node: Any, values: Values) -> set[tuple[str, bool]]:
    """Every value an expression or code comes to ask, and whether it may be for another seat than the one that asks."""
    found: set[tuple[str, bool]] = set()
    waiting: list[tuple[Any, bool]] = [(node, False)]
    while waiting:
        asking, other = waiting.pop()
        for part, seats in _with_filters(asking, seats=other):
            if isinstance(part, m.ValueRef) and part.value in values and (part.value, seats) not in found:
                found.add((part.value, seats))
                waiting.append((values[part.value][1], seats))
    return found


def _with_filters(node: Any, *, seats: bool) -> Iterator[tuple[Any, bool]]:
    yield node, seats
    asked = m.asked_of_each(node)
    of_seats = asked[0] if asked is not None and asked[1].name == SEAT.name else None
    for part in parts(node):
        yield from _with_filters(part, seats=seats or part is of_seats)
