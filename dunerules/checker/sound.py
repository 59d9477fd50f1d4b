"""Objects that are not what their kind demands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.packs.content import OBJECTS, Entry
from dunerules.packs.starts import start_of
from dunerules.problems import Problem, Span, problem
from dunerules.understanding.demands import COPIES, Printed, read_demands
from dunerules.understanding.understand import Understanding

__all__ = ["check_sound"]


def check_sound(understanding: Understanding) -> Iterator[Problem]:
    """Objects that are not what their kind demands, with the message of its pack."""
    content, words = understanding.content, understanding.words
    desk, printed = understanding.desk(), Printed(content)
    objects: dict[str, list[Entry]] = {}
    for each in content.section(OBJECTS):
        objects.setdefault(each.kind, []).append(each)
    for entry in content.section("kind"):
        kind = words.kinds[entry.id]
        things = objects.get(entry.id, [])
        demands = list(read_demands(kind, entry.node, desk))
        somewhere = kind.role == "thing" and any(start_of(each.node).zone in words.zones for each in things)
        for thing in things if demands or somewhere else ():
            unmet = list(_unmet(thing, demands, printed))
            yield from unmet
            if somewhere and not unmet and not start_of(thing.node).zone:
                yield _nowhere(thing)


def _nowhere(thing: Entry) -> Problem:
    """A thing lies where it starts, and no effect makes another one: without a start it is in no game."""
    message = (
        f"`{thing.id}` lies nowhere, so it is never seen in a game: other objects of kind `{thing.kind}` have a start"
    )
    return problem("DR620", message, thing.key.span, expected="`start:` a zone, and `copies:`")


def _unmet(thing: Entry, demands: list[Any], printed: Printed) -> Iterator[Problem]:
    for rule, when, holds in demands:
        if holds is not None and (when is None or printed.value(when, (thing,))) and not printed.value(holds, (thing,)):
            expected = f"`{rule.text('is')}` of every {thing.kind}"
            if when is not None:
                expected += f" with `{rule.text('if')}`"
            message, span = f"`{thing.id}`: {rule.text('say')}", _made_so(thing, when, holds)
            yield problem("DR617", message, span, expected=expected, related=((rule.span, "demanded here"),))


def _made_so(thing: Entry, *asked: m.Expression | None) -> Span:
    """Where an object was given what a demand is about: by the last patch of that, or where it is declared."""
    parts = [part for each in asked if each is not None for part in walk(each)]
    keys = {part.field for part in parts if isinstance(part, m.FieldRef)}
    keys |= {part.slot for part in parts if isinstance(part, m.SlotRef)}
    keys |= {COPIES, "start"} if any(isinstance(part, m.Local) for part in parts) else set()
    touches = [touch for change in thing.changes for touch in change.touches if not touch.key or touch.key in keys]
    return touches[-1].span if touches else thing.key.span
