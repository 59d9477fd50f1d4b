"""What objects have, in words: fields that are flags or groups, conditions of their own, effects."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.language.grammar import Value
from dunerules.language.lexicon import absent
from dunerules.text.bare import noun_of, slot_title
from dunerules.text.context import Context
from dunerules.text.facts import Facts
from dunerules.text.nouns import phrase_of

__all__ = ["has_field", "has_slot", "is_one_of"]


def has_field(field: m.FieldRef, context: Context) -> str:
    """An object has a flag, or one of its conditions is met."""
    values = _object(field.object, context)
    key = f"if.field.{field.field}"
    kind = context.meanings.words.kinds.get(field.object.type.of)
    if key in context.locale.phrases or kind is None or field.field not in kind.slots:
        values["field"] = noun_of(f"field.{field.field}", context)
        return context.locale.phrase(key if key in context.locale.phrases else "if.field", values)
    values["slot"] = slot_title(field.field, context, kind.name)
    return context.locale.phrase("if.slot", values)


def has_slot(slot: m.SlotRef, context: Context) -> str:
    """An object has an effect."""
    title = slot_title(slot.slot, context, slot.object.type.of)
    return context.locale.phrase("if.has_slot", {**_object(slot.object, context), "slot": title})


def is_one_of(group: m.Named, operator: str, context: Context) -> str:
    """A single thing, place, label or seat is one that passes a filter, or is not."""
    others: m.Expression = replace(group, zone=None, kind=group.kind or group.type.of)
    if group.type.name == SEAT.name:
        others = m.SeatRef("seat", group.type, group.where)
    values: dict[str, Value] = {}
    facts = Facts(context)
    facts.word("op", operator)
    for name, side in (("left", group.zone), ("right", others)):
        found = phrase_of(side, context)
        values[name] = found if found is not None else absent(name)
        if side is not None:
            facts.add(name, side)
    return context.locale.phrase("if.one_of", values, shape=facts.shape)


def _object(thing: m.Expression, context: Context) -> dict[str, Value]:
    found = phrase_of(thing, context)
    return {"object": found if found is not None else absent("object")}
