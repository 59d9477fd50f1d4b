"""What the records of the Python interface share: seats that count from 1, things by name, and plain data of it all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from dunerules.nearest import nearest

__all__ = ["NO_PICKS", "UNKNOWN", "Fixed", "data_of", "meant", "seat_of"]

UNKNOWN = "?"
"""The name of something that is hidden."""

_PLAIN = frozenset({str, int, bool, type(None)})

_FIELDS: dict[type[Any], tuple[str, ...]] = {}
"""By type of records: what of it is shown."""

K = TypeVar("K")
T = TypeVar("T")


class Fixed(Mapping[K, T]):
    """A mapping that never changes, and tells the nearest names where there is none such."""

    __slots__ = ("_found", "_what")

    def __init__(self, what: str, found: dict[K, T]) -> None:
        self._what = what
        self._found = found

    def __getitem__(self, name: K) -> T:
        try:
            return self._found[name]
        except KeyError:
            raise KeyError(f"there is no {self._what} `{name}`{meant(name, self._found)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[K]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __hash__(self) -> int:
        return hash(frozenset(self._found.items()))

    def __repr__(self) -> str:
        return repr(self._found)


NO_PICKS: Fixed[str, str] = Fixed("pick", {})
"""What is picked where nothing is."""


def meant(name: object, known: Iterable[Any]) -> str:
    """What somebody may have meant by a name that there is not, as the end of a sentence."""
    near = nearest(name, map(str, known)) if isinstance(name, str) else ()
    return f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""


def seat_of(number: int) -> int | None:
    """A seat as everybody counts it, from 1, by its number in the machine; nothing for nobody."""
    return number + 1 if number >= 0 else None


def data_of(value: Any) -> Any:
    """Records, mappings and tuples as plain JSON. Fields that begin with `_` are nobody's business."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return [data_of(each) for each in value]
    if is_dataclass(value):
        return {name: data_of(getattr(value, name)) for name in _shown(kind)}
    return {str(name): data_of(each) for name, each in value.items()} if isinstance(value, Mapping) else value


def _shown(kind: type[Any]) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(each.name for each in fields(kind) if not each.name.startswith("_"))
    return found
