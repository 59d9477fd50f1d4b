"""A new object of any kind: what its kind demands, where others of it start, and an effect like those of others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dunerules.dsl.types import AMOUNT, CONDITION, TEXT, one
from dunerules.dsl.vocabulary import Field, Kind, Vocabulary
from dunerules.nearest import nearest
from dunerules.packs.content import OBJECTS, Entry
from dunerules.packs.starts import start_of
from dunerules.problems import CannotRunError
from dunerules.scaffolds.writing import Value, shown
from dunerules.understanding.understand import Understanding

__all__ = ["Needed", "Template", "counters_of_seats", "object_text"]

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_MOST_EFFECTS = 8
_OWN = ("name", "copies", "start")


@dataclass(frozen=True)
class Needed:
    """A key that a new object must have: what may stand there, and what stands there if nobody says."""

    key: str
    may_be: tuple[str, ...]
    default: Value


class Template:
    """What a new object of a kind can look like, judged by its kind and by the objects that there are."""

    def __init__(self, kind: Kind, understanding: Understanding) -> None:
        self.kind = kind
        self.words = understanding.words
        content = understanding.content
        self.others: list[Entry] = [each for each in content.section(OBJECTS) if each.kind == kind.name]
        self.declared = content.entries["kind", "", kind.name].node

    def needed(self) -> Iterator[Needed]:
        """Fields that the kind requires, or demands under `must`, and where a thing starts."""
        if self.kind.role == "thing":
            zones = self._zones()
            if zones:
                yield Needed("start", tuple(zones), zones[0])
        demands = self.declared.get("must")
        said = " ".join(rule.text(part) for _, _, rule in demands.entries() for part in ("if", "is")) if demands else ""
        for field in self.kind.fields.values():
            if field.required or field.name in _WORD.findall(said):
                yield Needed(field.name, self._may_be(field), self._default(field))

    def effects(self) -> Iterator[tuple[str, str]]:
        """Slots that hold an effect on other objects, with the shortest of these effects; the usual slot first."""
        used: Counter[str] = Counter()
        texts: dict[str, set[str]] = {}
        for each in self.others:
            for name, _, value in each.node.entries():
                if self.kind.slots.get(name) == "effect" and value.kind == "text" and "this" not in value.value:
                    used[name] += 1
                    texts.setdefault(name, set()).add(value.value)
        for slot in sorted(used, key=lambda name: (-used[name], list(self.kind.slots).index(name))):
            for text in sorted(texts[slot], key=lambda text: (len(text), text))[:_MOST_EFFECTS]:
                yield slot, text
        counters = counters_of_seats(self.words)
        for slot, what in self.kind.slots.items():
            if what == "effect" and slot not in used:
                yield from ((slot, f"gain 1 {counter}") for counter in counters[:1])

    def value(self, key: str, text: str) -> Value:
        """What somebody wrote for a key, as the value that belongs there."""
        known = {*self.kind.fields, *self.kind.slots, *_OWN, "note"}
        if key not in known:
            near = nearest(key, known)
            hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
            raise CannotRunError(f"a {self.kind.name} has no `{key}`{hint} (it has {', '.join(sorted(known))})")
        field = self.kind.fields.get(key)
        number = key == "copies" or (field is not None and field.type == AMOUNT)
        if number and re.fullmatch(r"-?[0-9]{1,9}", text):
            return int(text)
        if field is not None and field.type == CONDITION and text in {"true", "false"}:
            return text == "true"
        if field is not None and field.type.many:
            return [part.strip() for part in text.strip("[]").split(",") if part.strip()]
        return text

    def zones_of_seats(self) -> list[str]:
        """Zones of a seat where such a thing may lie; those first where its abilities work."""
        zones = [name for name, zone in self.words.zones.items() if zone.per == "seat" and not zone.joins]
        fitting = [name for name in zones if not (held := self.words.zone_kinds(name)) or self.kind.name in held]
        return sorted(fitting, key=lambda name: name not in self.kind.active)

    def _zones(self) -> list[str]:
        """Where such things start: the usual zone first."""
        common = Counter(start_of(each.node).zone for each in self.others if not start_of(each.node).place)
        found = [zone for zone, _ in common.most_common() if zone in self.words.zones]
        for name, zone in self.words.zones.items():
            fits = not (held := self.words.zone_kinds(name)) or self.kind.name in held
            if fits and zone.per in {"game", "seat"} and not zone.joins and name not in found:
                found.append(name)
        return found

    def _may_be(self, field: Field) -> tuple[str, ...]:
        return self.words.members(one(field.type).of) if one(field.type).of else ()

    def _default(self, field: Field) -> Value:
        kind = one(field.type)
        single: Value = 1 if kind == AMOUNT else True if kind == CONDITION else "text" if kind == TEXT else ""
        if single == "":
            members = self._may_be(field)
            if not members:
                raise CannotRunError(f"there is nothing that `{field.name}` could be: no pack declares a {kind.of}")
            single = members[0]
        return [str(single)] if field.type.many else single


def counters_of_seats(words: Vocabulary) -> list[str]:
    """Counters that every seat has one of, and that are plain numbers."""
    return [name for name, each in words.counters.items() if each.per == ("seat",) and each.holds == AMOUNT]


def object_text(kind: str, id_: str, keys: Mapping[str, Value]) -> str:
    """A file with one object."""
    lines = [f"kind: {kind}", "objects:", f"  {id_}:"]
    return "".join(f"{line}\n" for line in [*lines, *(f"    {key}: {shown(value)}" for key, value in keys.items())])
