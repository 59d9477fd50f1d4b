"""What an expression asks for: values and slots of objects, by name. For finding what asks for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import parts

__all__ = ["ANY_OBJECT", "asked", "slot_asked", "value_asked"]

ANY_OBJECT = "*"
"""The id of an object that is known only in the game."""


def value_asked(name: str) -> str:
    """How a value is called among what is asked."""
    return f"value {name}"


def slot_asked(kind: str, id_: str, slot: str) -> str:
    """How a slot of an object is called among what is asked."""
    return f"slot {kind}/{id_} {slot}"


def asked(node: Any, words: Vocabulary, this: str) -> Iterator[str]:
    """What is asked, or run, in a text on the object with the id `this`. What lasts is asked later, and not counted."""
    if isinstance(node, m.Until):
        return
    if isinstance(node, m.ValueRef) and node.value in words.values and not words.values[node.value].kernel:
        yield value_asked(node.value)
    elif isinstance(node, m.FieldRef):
        yield from _slots(node.field, node.object, words, this)
    elif isinstance(node, m.Act) and node.verb.kernel is not None and node.verb.kernel.runs == "there":
        slot = dict(node.arguments).get("slot")
        if isinstance(slot, m.SlotRef):
            yield from _slots(slot.slot, slot.object, words, this)
    for part in parts(node):
        yield from asked(part, words, this)


def _slots(name: str, of: m.Expression, words: Vocabulary, this: str) -> Iterator[str]:
    id_ = ANY_OBJECT
    if isinstance(of, m.ObjectRef):
        id_ = of.id
    elif isinstance(of, m.Special) and of.which == "this":
        id_ = this
    for kind in [of.type.of] if of.type.of else words.kinds:
        if kind in words.kinds and name in words.kinds[kind].slots:
            yield slot_asked(kind, id_, name)
