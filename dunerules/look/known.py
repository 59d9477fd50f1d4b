"""What a look can speak of: everything that packs declare, by key."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.packs.content import OBJECTS, Content

__all__ = ["Known"]


class Known:
    """The keys of what packs declare: `counter.gold`, `kind.card`, `slot.play`, `colour.red`, `card.harbour`."""

    def __init__(self, content: Content, words: Vocabulary) -> None:
        self.content, self.words = content, words

    @cached_property
    def keys(self) -> frozenset[str]:
        """All of them."""
        words = self.words
        slots = words.slots()
        fields = {field for kind in words.kinds.values() for field in kind.fields}
        pools = words.pools()
        found: dict[str, Iterable[str]] = {
            "counter": words.counters, "piece": words.pieces, "kind": words.kinds, "zone": words.zones,
            "verb": words.verbs, "value": words.values, "slot": slots, "field": fields, "pool": pools,
            "procedure": words.procedures, **words.families,
        }  # fmt: skip
        named = {f"{section}.{name}" for section, names in found.items() for name in names}
        return frozenset(named | {f"{each.kind}.{each.id}" for each in self.content.section(OBJECTS)})
