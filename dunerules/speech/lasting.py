"""What lasts for a time, as it begins and ends: whose it is, until when, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.slots import rewrite
from dunerules.dsl.types import Type
from dunerules.dsl.walk import changed
from dunerules.speech.done_as import seat_of, seat_phrases
from dunerules.speech.speaker import Speaker, seat_name
from dunerules.text.context import Known, Name

__all__ = ["lasting"]


def lasting(speaker: Speaker, entry: Sequence[Any]) -> str:
    """An `until` that begins or ends, quoted as it is meant for whoever has it."""
    which, number, whose, about = entry
    machine = speaker.game.machine
    clauses, hidden = machine.abilities.temporary[number].code.clauses, machine.table.rules.screen.get("hide", ())
    if all(clause.modifier is not None and clause.modifier.value.value in hidden for clause in clauses):
        return ""
    words = _words(speaker, number, whose, about)
    if whose < 0:
        return speaker.say(f"event.{which}_for_all", what=words)
    if whose == speaker.viewer:
        return speaker.say(f"event.{which}_for_you", what=words)
    return speaker.say(f"event.{which}", who=seat_name(speaker, whose), what=words)


def _words(speaker: Speaker, number: int, whose: int, about: tuple[Any, ...]) -> str:
    """What lasts, with what its names stand for."""
    machine = speaker.game.machine
    code = machine.abilities.temporary[number].code
    step = m.Until(code.event, code.clauses)
    on, here, *values = about
    kinds = {name: kind for (name, _), kind in zip(code.locals, code.kinds, strict=True)}
    known = {name: _known(speaker, kinds[name], value) for name, value in zip(kinds, values, strict=True)}
    step = rewrite(step, {name: found for name, found in known.items() if found is not None})
    called: dict[str, Name] = {name: Known(kinds[name]) for name, found in known.items() if found is None}
    things = machine.table.layout.things
    this = (things[on].kind, things[on].id) if on >= 0 else None
    if here >= 0:
        step = _placed(step, m.ObjectRef(things[here].kind, things[here].id, Type("place", things[here].kind)))
    return speaker.printer.on(this, step, {**seat_phrases(replace(speaker, viewer=whose)), **called})


def _placed(node: Any, place: m.ObjectRef) -> Any:
    """A step with the place where it is done."""
    if isinstance(node, m.Special) and node.which == "here":
        return place
    return changed(node, lambda part: _placed(part, place))


def _known(speaker: Speaker, kind: Type, value: Any) -> m.Expression | None:
    """What a name stands for, as something that can be told."""
    table = speaker.game.machine.table
    if not isinstance(value, int) or (value < 0 and kind.name != "amount"):
        return None
    if kind.name == "amount":
        return m.Constant(value)
    if kind.name == "seat":
        return seat_of(value)
    family = table.rules.words.families.get(kind.of)
    if family is not None:
        return m.ObjectRef(kind.of, family[value], kind)
    if kind.name not in {"thing", "place"}:
        return None
    declared = table.layout.things[value]
    return m.ObjectRef(declared.kind, declared.id, Type(kind.name, declared.kind))
