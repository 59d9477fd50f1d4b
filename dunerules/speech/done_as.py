"""What has happened, told as the verb of a pack that it was done as.

Entries of the log keep the verbs of packs that a kernel verb was part of. The outermost one that the kernel verb stands
for, and that the language has a phrase for, is told with its arguments as they came out: `draw 2` of one card that was
left is one card drawn. All else is told in terms of the kernel, so that what a verb does in several steps is told once
and in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.language.grammar import NounPhrase
from dunerules.speech.speaker import Speaker, seat_phrase

__all__ = ["done_as", "seat_of", "seat_phrases"]


def done_as(speaker: Speaker, part_of: tuple[Any, ...], found: Mapping[str, m.Expression]) -> tuple[int, m.Act] | None:
    """Who has done what, as a verb of a pack, if anything stands for one; `found` says what has happened, by where a
    kernel verb says it."""
    if not part_of or part_of[0] < 0:
        return None
    actor, verbs = part_of
    words = speaker.game.machine.table.rules.words
    for verb, about, whole in verbs:
        if whole and all(path in found for _, path in about):
            kinds = {each.name: each.types[0].name for each in words.verbs[verb].parameters}
            given = ((name, _argument(found[path], kinds[name])) for name, path in about)
            act = m.Act(words.verbs[verb], tuple(given))
            if speaker.printer.has_phrase(act):
                return actor, act
    return None


def _argument(value: m.Expression, kind: str) -> m.Expression:
    """A number, as so many if that is what a parameter takes."""
    return m.Quantity("exactly", value) if kind == "quantity" and isinstance(value, m.Constant) else value


def seat_of(seat: int) -> m.Local:
    """A seat, by a name of its own."""
    return m.Local(f"seat {seat}", SEAT)


def seat_phrases(speaker: Speaker) -> dict[str, NounPhrase]:
    """What `seat_of` is called, for every seat."""
    return {seat_of(seat).name: seat_phrase(speaker, seat) for seat in range(speaker.game.machine.table.seats)}
