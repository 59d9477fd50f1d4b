"""Going through trees of frozen records, written or meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, TypeAlias

__all__ = ["changed", "parts", "walk", "walk_to"]

_PASSED_OVER = frozenset({"span", "name_span", "type"})
_LEAVES = frozenset({"Type", "Verb"})
_PLAIN = frozenset({"str", "int", "bool", "tuple[str, ...]"})
"""Annotations of fields that hold no records."""

Inside: TypeAlias = Callable[[Any], tuple[Any, ...]]


def _nothing(_: Any) -> tuple[Any, ...]:
    """What is inside a record that has no field for records."""
    return ()


class _Inside(dict[type, "Inside | None"]):
    """By type: what gets the values of those fields that can hold records; nothing for what is no record."""

    def __missing__(self, kind: type[Any]) -> Inside | None:
        found: Inside | None = None
        if is_dataclass(kind) and kind.__name__ not in _LEAVES:
            names = _names(kind)
            getter: Any = attrgetter(*names) if names else _nothing
            found = getter if len(names) != 1 else lambda node: (getter(node),)
        self[kind] = found
        return found


def _names(kind: type[Any]) -> list[str]:
    """The fields of a type of records that can hold records."""
    return [each.name for each in fields(kind) if each.name not in _PASSED_OVER and not _is_plain(str(each.type))]


def _is_plain(annotation: str) -> bool:
    return annotation in _PLAIN or annotation.startswith("Literal[")


_INSIDE = _Inside()


def parts(node: Any) -> list[Any]:
    """The records directly inside a record, or in a tuple, in order."""
    return _records(_values(node), [])


def _values(node: Any) -> tuple[Any, ...]:
    """What a tuple holds, or a record in those fields that can hold records."""
    inside = _INSIDE[type(node)]
    return inside(node) if inside is not None else node if type(node) is tuple else ()


def _records(values: Iterable[Any], found: list[Any]) -> list[Any]:
    for value in values:
        if type(value) is tuple:
            _records(value, found)
        elif _INSIDE[type(value)] is not None:
            found.append(value)
    return found


def walk(node: Any) -> list[Any]:
    """A record or tuple and everything inside it, outermost first."""
    found = [node]
    _gather(_values(node), found)
    return found


def _gather(values: Iterable[Any], found: list[Any]) -> None:
    for value in values:
        kind = type(value)
        if kind is tuple:
            if value:
                _gather(value, found)
            continue
        inside = _INSIDE[kind]
        if inside is not None:
            found.append(value)
            if inside is not _nothing:
                _gather(inside(value), found)


def walk_to(node: Any, kinds: Collection[type]) -> list[Any]:
    """The same, but of records of some kinds nothing that is inside them."""
    found: list[Any] = []
    _gather_to((node,), kinds, found)
    return found


def _gather_to(values: Iterable[Any], kinds: Collection[type], found: list[Any]) -> None:
    for value in values:
        kind = type(value)
        inside = _INSIDE[kind]
        if inside is not None:
            found.append(value)
            if inside is not _nothing and kind not in kinds:
                _gather_to(inside(value), kinds, found)
        elif kind is tuple:
            _gather_to(value, kinds, found)


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A record with `change` done to every record directly inside it."""
    inside = _INSIDE[type(node)]
    if inside is None or inside is _nothing:
        return node
    before = inside(node)
    after = _changed(before, change)
    return node if after is before else _REMAKE[type(node)](node, after)


class _Remake(dict[type, Callable[[Any, tuple[Any, ...]], Any]]):
    """By type: what makes a record with other values in those fields that can hold records."""

    def __missing__(self, kind: type[Any]) -> Callable[[Any, tuple[Any, ...]], Any]:
        names = _names(kind)
        given = [each.name for each in fields(kind) if each.init]
        places = [given.index(name) for name in names]

        def remade(node: Any, values: tuple[Any, ...]) -> Any:
            whole = [getattr(node, name) for name in given]
            for place, value in zip(places, values, strict=True):
                whole[place] = value
            return kind(*whole)

        self[kind] = remade if given != names else lambda _, values: kind(*values)
        return self[kind]


_REMAKE = _Remake()


def _changed(values: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The same values, if nothing changes."""
    different = False
    found = []
    for value in values:
        kind = type(value)
        after = _changed(value, change) if kind is tuple else value if _INSIDE[kind] is None else change(value)
        different = different or after is not value
        found.append(after)
    return tuple(found) if different else values
