"""Going through trees of frozen records, written or meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

__all__ = ["parts", "walk"]

_LEAVES = frozenset({"Type", "Verb"})


@cache
def _names(record: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(record) if each.name not in {"span", "type"})


def parts(node: object) -> Iterator[object]:
    """The records directly inside a record, in order."""
    record: type[Any] = type(node)
    for name in _names(record):
        yield from _records(getattr(node, name))


def _records(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for element in value:
            yield from _records(element)
    elif is_dataclass(value) and type(value).__name__ not in _LEAVES:
        yield value


def walk(node: object) -> Iterator[object]:
    """A record and everything inside it, outermost first."""
    yield node
    for part in parts(node):
        yield from walk(part)
