"""Who can know what an expression says: everybody, only the seat that acts, or nobody for sure.

What lies in zones and what hidden counters hold is seen by those whom their declarations show it to; how many objects
lie somewhere is seen by all. A value is known as well as its definition and all that may change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.dsl.vocabulary import Vocabulary, Zone
from dunerules.dsl.walk import parts

__all__ = ["ALL", "NONE", "OWN", "Known", "Seen", "number_of", "turned"]

NONE: Final = 0
OWN: Final = 1
ALL: Final = 2

Known = Mapping[str, int]
"""By name: who knows what it stands for."""


def number_of(name: str) -> str:
    """The name by which it is kept who knows how many a name stands for."""
    return f"{name} in number"


def turned(level: int) -> int:
    """Who knows something once another seat acts."""
    return level if level == ALL else NONE


@dataclass
class Seen:
    """Judges the expressions of one game."""

    words: Vocabulary
    values: Mapping[str, tuple[Any, m.Expression]]
    """The values of packs: parameters and definitions."""
    asked: Mapping[str, Sequence[m.Expression]] = field(default_factory=dict)
    """By slot: the conditions and numbers that stand in it, on all objects."""
    tops: frozenset[str] = frozenset()
    """Zones of which everybody always sees at least the top."""
    _changed: Mapping[str, int] = field(default_factory=dict)
    _found: dict[str, int] = field(default_factory=dict)

    def forget(self, changed: Mapping[str, int]) -> None:
        """Start over, with who knows all that may change values."""
        self._changed = changed
        self._found.clear()

    def holds(self, condition: m.Expression | None, names: Known) -> int:
        """Who can know whether a condition holds, if there is one."""
        return ALL if condition is None else self.level(condition, names)

    def level(self, node: Any, names: Known) -> int:
        """Who can know what an expression says."""
        judge = _JUDGES.get(type(node))
        return judge(self, node, names) if judge is not None else self.inside(node, names)

    def inside(self, node: Any, names: Known) -> int:
        """The least of all parts."""
        return min((self.level(part, names) for part in parts(node)), default=ALL)

    def local(self, node: m.Local, names: Known) -> int:
        return names.get(node.name, NONE)

    def seats(self, node: m.SeatRef, names: Known) -> int:
        """In a filter of seats each of them acts in turn."""
        return turned(self.inside(node, names))

    def seen_by(self, node: m.SeenBy, names: Known) -> int:
        return turned(self.inside(node, names))

    def counter(self, node: m.CounterRef, names: Known) -> int:
        found = self.inside(node, names)
        if not self.words.counters[node.counter].hidden:
            return found
        return min(found, OWN if "seat" in self.words.counters[node.counter].per and _is_own(node.owner) else NONE)

    def value(self, node: m.ValueRef, names: Known) -> int:
        found = self.inside(node, names)
        if node.value in self.values:
            found = min(found, self._defined(node.value), self._changed.get(node.value, ALL))
        return found

    def data(self, node: m.FieldRef, names: Known) -> int:
        """Everybody knows the data of objects, but not what a slot of them comes to."""
        return min(self.inside(node, names), self._of_slot(node.field))

    def _of_slot(self, slot: str) -> int:
        key = f"slot {slot}"
        if key not in self._found:
            self._found[key] = ALL
            self._found[key] = min((self.level(each, {}) for each in self.asked.get(slot, ())), default=ALL)
        return self._found[key]

    def _defined(self, value: str) -> int:
        if value not in self._found:
            self._found[value] = ALL  # what it says of itself changes nothing
            parameters, definition = self.values[value]
            self._found[value] = self.level(definition, {each.name: ALL for each in parameters})
        return self._found[value]

    def named(self, node: m.Named, names: Known) -> int:
        """Which objects there are of a kind everybody knows, but not where they lie."""
        found = ALL if node.where is None else self.level(node.where, names)
        found = turned(found) if node.type.name == SEAT.name else found
        return found if node.zone is None else min(found, self.lying(node.zone, node.kind, names))

    def over(self, node: m.Over, names: Known) -> int:
        """Who knows the group, and what is asked of each; seats act in turn."""
        asked = self.level(node.of, names)
        return min(self.level(node.each, names), turned(asked) if node.each.type.name == SEAT.name else asked)

    def zone(self, node: m.ZoneRef, names: Known) -> int:
        return self.lying(node, "", names)

    def lying(self, zone: m.Expression, kind: str, names: Known) -> int:
        """Who sees what lies in a zone, or on a place."""
        if not isinstance(zone, m.ZoneRef) and zone.type.name != "place":
            return self.level(zone, names)
        found, own = self.inside(zone, names), isinstance(zone, m.ZoneRef) and _is_own(zone.owner)
        for part in self._zones(zone, kind):
            if part.sight != "all":
                found = min(found, OWN if part.sight == "owner" and part.per == "seat" and own else NONE)
        return found

    def counted(self, node: m.Count | m.Exists, names: Known) -> int:
        """Everybody sees how many objects lie in a zone, if all of it is counted."""
        of = node.of
        if isinstance(of, m.Local):
            return names.get(number_of(of.name), self.local(of, names))
        zone = of.zone if isinstance(of, m.Named) and of.where is None else of
        if not isinstance(zone, m.ZoneRef):
            return self.level(of, names)
        kind = of.kind if isinstance(of, m.Named) else ""
        if kind and any(part.holds != (kind,) for part in self._zones(zone, "")):
            return self.level(of, names)
        return self.inside(zone, names)

    def sees_laid(self, zone: m.Expression) -> bool:
        """Whether everybody sees what is laid on top of a zone, as it lies there."""
        return isinstance(zone, m.ZoneRef) and all(
            part.sight == "all" or part.name in self.tops for part in self._zones(zone, "")
        )

    def hands(self, kind: str) -> set[str]:
        """The zones with objects of a kind that some seats see, and not all."""
        return {
            each.name
            for each in self.words.zones.values()
            if each.sight in {"owner", "others"} and (not each.holds or not kind or kind in each.holds)
        }

    def _zones(self, zone: m.Expression, kind: str) -> Iterator[Zone]:
        if isinstance(zone, m.ZoneRef):
            found = (part for name in zone.zones for part in self.words.zone_parts(name))
        else:
            found = (each for each in self.words.zones.values() if each.per == zone.type.of or not zone.type.of)
        return (each for each in found if not kind or not each.holds or kind in each.holds)

    def nobody(self, _node: Any, _names: Known) -> int:
        return NONE


def _is_own(owner: m.Expression | None) -> bool:
    return owner is None or (isinstance(owner, m.SeatRef) and owner.which == "you")


_JUDGES: dict[type, Callable[[Seen, Any, Known], int]] = {
    m.Local: Seen.local, m.SeatRef: Seen.seats, m.SeenBy: Seen.seen_by, m.CounterRef: Seen.counter,
    m.ValueRef: Seen.value, m.Named: Seen.named, m.ZoneRef: Seen.zone, m.Count: Seen.counted, m.Exists: Seen.counted,
    m.FieldRef: Seen.data, m.Over: Seen.over, m.Refill: Seen.nobody, m.Unknown: Seen.nobody,
}  # fmt: skip
