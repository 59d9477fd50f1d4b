"""Going through trees of frozen records, written or meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["parts", "walk"]

_LEAVES = frozenset({"Type", "Verb"})


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(record: type[Any]) -> tuple[str, ...]:
    """The fields of a record that can hold other records; asked very often."""
    known = _NAMES.get(record)
    if known is None:
        known = _NAMES[record] = tuple(
            each.name for each in fields(record) if each.name not in {"span", "name_span", "type"}
        )
    return known


def parts(node: Any) -> Iterator[object]:
    """The records directly inside a record, in order."""
    for name in _names(type(node)):
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
