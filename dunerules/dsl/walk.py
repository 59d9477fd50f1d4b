"""Going through trees of frozen records, written or meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

__all__ = ["changed", "parts", "walk"]

_PASSED_OVER = frozenset({"span", "name_span", "type"})
_LEAVES = frozenset({"Type", "Verb"})
_FIELDS: dict[type, tuple[str, ...] | None] = {}
"""By type: the fields that can hold records; nothing for what is no record."""


def _fields(kind: type[Any]) -> tuple[str, ...] | None:
    if not is_dataclass(kind) or kind.__name__ in _LEAVES:
        found = None
    else:
        found = tuple(each.name for each in fields(kind) if each.name not in _PASSED_OVER)
    _FIELDS[kind] = found
    return found


def parts(node: Any) -> list[Any]:
    """The records directly inside a record, or in a tuple, in order."""
    found: list[Any] = []
    if type(node) is tuple:
        _collect(node, found)
    for name in _FIELDS.get(type(node)) or _fields(type(node)) or ():
        _collect(getattr(node, name), found)
    return found


def _collect(value: Any, found: list[Any]) -> None:
    kind = type(value)
    if kind is tuple:
        for element in value:
            _collect(element, found)
    elif kind is not str and kind is not int and value is not None:
        known = _FIELDS[kind] if kind in _FIELDS else _fields(kind)
        if known is not None:
            found.append(value)


def walk(node: Any) -> Iterator[Any]:
    """A record and everything inside it, outermost first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += reversed(parts(here))


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A record with `change` done to every record directly inside it."""
    found = {}
    for name in _FIELDS.get(type(node)) or _fields(type(node)) or ():
        before = getattr(node, name)
        after = _changed(before, change)
        if after is not before:
            found[name] = after
    return replace(node, **found) if found else node


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if type(value) is tuple:
        after = tuple(_changed(element, change) for element in value)
        return after if any(new is not old for new, old in zip(after, value, strict=True)) else value
    kind = type(value)
    known = _FIELDS[kind] if kind in _FIELDS else _fields(kind)
    return value if known is None else change(value)
