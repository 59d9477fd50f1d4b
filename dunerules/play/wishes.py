"""Asking about things: what a card or place says, and why something one would like to do is not offered."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.matching import fold, matching
from dunerules.play.blocks import Block, Entry, Heading, Paragraph
from dunerules.runtime.asking import asking
from dunerules.runtime.refusals import why_not
from dunerules.speech.questions import option, refusal
from dunerules.speech.speaker import Speaker, boxes, fields_of, label, thing_name, word
from dunerules.understanding.ruleset import Move

__all__ = ["explained", "mentioned", "refused"]

_MOST = 4
"""How many things of like names are explained at once."""


def mentioned(speaker: Speaker, text: str) -> list[int]:
    """The things somebody may mean: those the text names or begins to name, else all whose names occur in it."""
    things = speaker.game.machine.table.layout.things
    shown = [thing_name(speaker, number) for number in range(len(things))]
    every = [*shown, *(thing.id for thing in things)]
    found = [number % len(things) for number in matching(text, every)]
    if not found:
        folded = f" {fold(text)} "
        inside = [number for number, name in enumerate(every) if fold(name) and f" {fold(name)} " in folded]
        longest = [
            number
            for number in inside
            if not any(other != number and f" {fold(every[number])} " in f" {fold(every[other])} x" for other in inside)
        ]
        found = [number % len(things) for number in longest or inside]
    return list(dict.fromkeys(found))


def explained(speaker: Speaker, text: str) -> list[Block]:
    """What everything of a name says."""
    found: list[Block] = []
    for thing in mentioned(speaker, text)[:_MOST]:
        found += _thing(speaker, thing)
    return found or list(_member(speaker, text))


def _thing(speaker: Speaker, thing: int) -> Iterator[Block]:
    declared = speaker.game.machine.table.layout.things[thing]
    fields = fields_of(speaker, thing)
    kind = label(speaker, "kind", declared.kind)
    yield Heading(f"{thing_name(speaker, thing)} - {kind}{f' ({fields})' if fields else ''}")
    for title, words in boxes(speaker, thing):
        yield Entry("", f"{title}:", words) if title else Entry("", words, style="")


def _member(speaker: Speaker, text: str) -> Iterator[Block]:
    """A label without an object of its own: the places and things that bear it."""
    table = speaker.game.machine.table
    families = table.rules.words.families
    members = [(family, member) for family, listed in families.items() for member in listed]
    shown = [word(speaker, family, member) for family, member in members]
    found = matching(text, [*shown, *(member for _, member in members)])
    for number in list(dict.fromkeys(each % len(members) for each in found))[:_MOST]:
        family, member = members[number]
        bearing = [
            thing_name(speaker, thing)
            for thing, declared in enumerate(table.layout.things)
            if any(
                member == value or (isinstance(value, list) and member in value) for value in declared.fields.values()
            )
        ]
        yield Heading(f"{word(speaker, family, member)} - {label(speaker, 'trait', family)}")
        yield Paragraph(", ".join(dict.fromkeys(bearing)))


# ---- why not


def refused(speaker: Speaker, text: str) -> list[Block]:
    """Whether what the text is about can be done now, and if not, why."""
    game = speaker.game
    about = asking(game.machine, game.state)
    pending = game.state.pending
    if about is None or pending is None or not about.group or pending.seat != speaker.viewer:
        return []
    say = speaker.printer.locale.message
    things = mentioned(speaker, text)
    moves = game.machine.table.rules.moves.get(about.group, [])
    wishes = [(move, wish) for move in moves if (wish := _wish(speaker, move, things)) is not None]
    wishes = wishes if things else [(move, move.name) for move in moves if _named(speaker, move, text)]
    found: list[Block] = []
    names = [game.names.option(each, pending.kind) for each in pending.options]
    for _, wish in wishes:
        offered = [number for number, name in enumerate(names) if _fits(wish, name)]
        if offered:
            found += [Paragraph(say("play.why.allowed"))]
            found += [Entry("", option(speaker, pending, number, 0)[0]) for number in offered[:_MOST]]
            return found
    for move, wish in wishes:
        reasons = why_not(game.machine, game.names, game.state, wish)
        if all(reason.kind == "nothing" for reason in reasons) and len(wishes) > 1:
            continue
        found.append(Paragraph(say("play.why.refused", what=label(speaker, "move", move.name)), "ask"))
        found += [Entry(" -", refusal(speaker, reason), style="") for reason in reasons]
    return found


def _wish(speaker: Speaker, move: Move, things: list[int]) -> str | None:
    """A move with the things it could take, in its order; nothing if it takes none of them."""
    declared = speaker.game.machine.table.layout.things
    left = list(things)
    picks = []
    for _, group in move.takes:
        fitting = next((thing for thing in left if declared[thing].kind == group.type.of), None)
        if fitting is not None:
            picks.append(declared[fitting].id)
            left = [thing for thing in left if declared[thing].kind != group.type.of]
    return " ".join([move.name, *picks]) if picks else None


def _named(speaker: Speaker, move: Move, text: str) -> bool:
    return bool(matching(text, [label(speaker, "move", move.name), move.name]))


def _fits(wish: str, name: str) -> bool:
    """Whether an option has all the words of a wish, in order."""
    words = iter(name.split())
    return all(word in words for word in wish.split())
