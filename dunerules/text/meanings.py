"""The meaning trees of packs, before verbs are written out: what texts are printed from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dunerules.catalog import refuse_errors
from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, one
from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.loading import load_packs
from dunerules.packs.content import OBJECTS, Content, Entry, ability_keys
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node, body_of, plain
from dunerules.packs.pack import Pack
from dunerules.packs.source import Source
from dunerules.understanding.abilities import EVENTFUL, WINDOWS
from dunerules.understanding.declared import told_by_threshold
from dunerules.understanding.desk import Desk
from dunerules.understanding.objects import object_scope
from dunerules.understanding.understand import understand

__all__ = ["AbilityMeaning", "Meanings", "MoveMeaning", "ObjectMeaning", "Threshold", "load_meanings", "meanings_of"]


@dataclass(frozen=True, slots=True)
class AbilityMeaning:
    """An ability as it is meant. `key` is its id, or its number among those of its holder that have none."""

    key: str
    named: bool
    clause: m.Clause
    limit: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class ObjectMeaning:
    """An object: its data, what its slots say, and its abilities. A slot of `todo` is missing."""

    kind: str
    id: str
    fields: dict[str, Any]
    slots: dict[str, m.Body | m.Expression]
    abilities: tuple[AbilityMeaning, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveMeaning:
    """A move: what it takes, when it can be made, what it costs and does."""

    id: str
    takes: tuple[tuple[str, m.Expression], ...]
    condition: m.Expression | None
    cost: m.Body | None
    do: m.Body | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """What happens when a counter rises to a number or falls below it."""

    at: int
    up: m.Body | None
    down: m.Body | None


@dataclass
class Meanings:
    """Everything packs say, resolved when first asked for."""

    packs: tuple[Pack, ...]
    content: Content
    words: Vocabulary
    _desk: Desk = field(repr=False)
    _objects: dict[tuple[str, str], ObjectMeaning] = field(default_factory=dict, repr=False)
    _verbs: dict[str, tuple[tuple[Parameter, ...], m.Body | None]] = field(default_factory=dict, repr=False)
    _values: dict[str, tuple[tuple[Parameter, ...], m.Expression | None]] = field(default_factory=dict, repr=False)

    @cached_property
    def ids(self) -> tuple[tuple[str, str], ...]:
        """Every object of a known kind as kind and id, in the order of the packs."""
        entries = self.content.section(OBJECTS)
        return tuple((entry.kind, entry.id) for entry in entries if entry.kind in self.words.kinds)

    @cached_property
    def modified(self) -> frozenset[str]:
        """The values that abilities or effects of the packs modify: what they are defined as is not what they are."""
        nodes = [entry.node for entry in self.content.entries.values()]
        nodes += [node for _, node in (*self.content.abilities, *self.content.setups)]
        found = {match[1] for node in nodes for text in _changing(node, "") for match in _MODIFIES.finditer(text)}
        return frozenset(found & set(self.words.values))

    @cached_property
    def moves(self) -> tuple[tuple[str, str], ...]:
        """Every move with its group, or each of its groups."""
        found = []
        for entry in self.content.section("move"):
            groups = entry.node.get("group")
            found += [(entry.id, each.value) for each in (groups.items() if groups is not None else ())]
        return tuple(found)

    def least(self, counter: str) -> int:
        """The least that a counter can be."""
        entry = self.content.entries.get(("counter", "", counter))
        least = entry.node.get("min") if entry is not None else None
        return int(least.value) if least is not None else 0

    def ids_of(self, pack: str) -> list[tuple[str, str]]:
        """Those of the objects that a pack declares."""
        return [(kind, id_) for kind, id_ in self.ids if self.content.entries[OBJECTS, kind, id_].pack == pack]

    def ids_changed_by(self, pack: str) -> list[tuple[str, str]]:
        """Those of the objects that a pack patches."""
        changes = {(kind, id_): self.content.entries[OBJECTS, kind, id_].changes for kind, id_ in self.ids}
        return [key for key, made in changes.items() if any(each.pack == pack for each in made)]

    def object(self, kind: str, id_: str) -> ObjectMeaning:
        """One object."""
        known = self._objects.get((kind, id_))
        if known is None:
            known = self._objects[kind, id_] = self._read(self.content.entries[OBJECTS, kind, id_])
        return known

    def verb(self, name: str) -> tuple[tuple[Parameter, ...], m.Body | None]:
        """What a verb of a pack takes and does."""
        if name not in self._verbs:
            word = self.words.verbs.get(name)
            entry = self.content.entries.get(("verb", "", name))
            parameters = word.parameters if word is not None else ()
            scope, node = self._desk.body(parameters), body_of(entry.node, "do") if entry is not None else None
            body = self._desk.effect(node, scope, verb=True)
            self._verbs[name] = (parameters, body)
        return self._verbs[name]

    def value(self, name: str) -> tuple[tuple[Parameter, ...], m.Expression | None]:
        """What a value of a pack takes and is."""
        if name not in self._values:
            word = self.words.values.get(name)
            entry = self.content.entries.get(("value", "", name))
            parameters = word.parameters if word is not None else ()
            scope, node = self._desk.body(parameters), body_of(entry.node, "is") if entry is not None else None
            found = self._desk.expression(node, scope)
            self._values[name] = (parameters, found)
        return self._values[name]

    def thresholds(self, counter: str) -> tuple[Threshold, ...]:
        """The thresholds of a counter."""
        entry = self.content.entries.get(("counter", "", counter))
        found = entry.node.get("thresholds") if entry is not None else None
        scope = self._desk.apart(told_by_threshold(counter, self.words))
        return tuple(
            Threshold(
                int(plain(each)["at"]),
                self._desk.effect(each.get("up"), scope),
                self._desk.effect(each.get("down"), scope),
            )
            for each in (found.value if found is not None else ())
        )

    def move(self, name: str) -> MoveMeaning:
        """A move."""
        node = self.content.entries["move", "", name].node
        scope = self._desk.apart()
        takes: list[tuple[str, m.Expression]] = []
        found = node.get("takes")
        for pick, _, selection in found.entries() if found is not None else ():
            group = self._desk.selection(selection, scope)
            if group is not None:
                takes.append((pick, group))
                scope = scope.bound(pick, one(group.type))
        return MoveMeaning(
            name,
            tuple(takes),
            self._desk.expression(node.get("if"), scope, CONDITION),
            self._desk.effect(node.get("cost"), scope),
            self._desk.effect(node.get("do"), scope),
        )

    def effect(self, text: str) -> m.Body | None:
        """A text of the language as an effect that stands on no object; nothing if it is wrong."""
        return self._desk.effect(_written(text), self._desk.scope())

    def condition(self, text: str) -> m.Expression | None:
        """A text of the language as a condition."""
        return self._desk.expression(_written(text), self._desk.scope(), CONDITION)

    def ability(self, **texts: str) -> AbilityMeaning | None:
        """An ability written as its keys: `when`, `instead`, `while`, `sees`, `if`, `do`, `limit`."""
        entries = {name: (_written(name), _written(text)) for name, text in texts.items()}
        return self._ability("1", Node(Source("", ""), "map", entries, 0, 0), self._desk.scope())

    # ---- objects

    def _read(self, entry: Entry) -> ObjectMeaning:
        kind = self.words.kinds[entry.kind]
        scope = object_scope(kind, self._desk)
        slots: dict[str, m.Body | m.Expression] = {}
        fields: dict[str, Any] = {}
        for name, _, value in entry.node.entries():
            slot = kind.slots.get(name)
            if slot is not None:
                found = self._slot_meaning(value, slot, scope)
                if found is not None:
                    slots[name] = found
            elif name in kind.fields:
                fields[name] = plain(value)
        abilities = entry.node.get("abilities")
        listed = abilities.value if abilities is not None and abilities.kind == "list" else ()
        read = (self._ability(key, node, scope) for key, node in zip(ability_keys(listed), listed, strict=True))
        return ObjectMeaning(entry.kind, entry.id, fields, slots, tuple(each for each in read if each is not None))

    def _slot_meaning(self, node: Node, slot: str, scope: Scope) -> m.Body | m.Expression | None:
        if slot not in {"condition", "number"}:
            return self._desk.effect(node, scope)
        if node.kind == "number":
            return m.Constant(node.value)
        return self._desk.expression(node, scope, CONDITION if slot == "condition" else AMOUNT)

    def _ability(self, key: str, node: Node, scope: Scope) -> AbilityMeaning | None:
        event, inner = None, scope
        modifier = self._desk.modifier(node.get("while"), scope)
        sight = self._desk.sight(node.get("sees"), scope)
        window: Any = next((name for name in WINDOWS if node.get(name) is not None), None)
        if window in EVENTFUL:
            event, inner = self._desk.event(node.get(window), scope, window)
        condition = self._desk.expression(node.get("if"), inner, CONDITION)
        body = self._desk.effect(node.get("do"), inner)
        if event is None and modifier is None and sight is None:
            return None
        limit = node.text("limit").split()
        clause = m.Clause(window, event, modifier, condition, body, sight)
        named = node.get("name") is not None
        return AbilityMeaning(key, named, clause, (int(limit[0]), limit[2]) if len(limit) == 3 else None)


def load_meanings(*packs: str | Path, in_order: bool = False) -> Meanings:
    """Packs by installed id or by path, with everything they require. Packs with errors are refused."""
    return meanings_of(load_packs(*packs, in_order=in_order))


def meanings_of(selection: Selection) -> Meanings:
    """The meanings of a selection of packs. Definitions without an end are refused, before somebody prints them."""
    understanding = understand(selection)
    refuse_errors(understanding.problems)
    return Meanings(understanding.packs, understanding.content, understanding.words, understanding.desk())


_MODIFIES = re.compile(r"\bwhile\s+(?:not\s+)?([a-z_][a-z0-9_]*)")


def _changing(node: Node, key: str) -> Iterator[str]:
    """Every text in a definition, with the key `while` before what stands under it."""
    if node.kind == "map":
        for name, _, value in node.entries():
            yield from _changing(value, name)
    elif node.kind == "list":
        for value in node.items():
            yield from _changing(value, key)
    elif node.kind == "text":
        yield f"while {node.value}" if key == "while" else str(node.value)


def _written(text: str) -> Node:
    return Node(Source("", text), "text", text, 0, len(text))
