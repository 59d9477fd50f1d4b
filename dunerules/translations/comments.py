"""What translators are told about each text, as comments in catalogues: what it is, where players see it, what the
thing says in English, and what its slots stand for.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from dunerules.language.extract import MESSAGE, Collection, Text
from dunerules.language.locale import load_locale
from dunerules.language.places import SOURCE_LANGUAGE, spoken
from dunerules.language.sources import with_sources
from dunerules.language.template import plain_slots
from dunerules.language.typography import NO_BREAK
from dunerules.packs.library import Selection
from dunerules.problems import CannotRunError
from dunerules.text.meanings import meanings_of
from dunerules.text.render import describe

__all__ = ["comments_of", "meaning_of_slot"]

_SHOWN = {
    "pack": "Title of a pack. Shown in the list of games and in the book.",
    "game": "Title of a game. Shown in the list of games and above the book.",
    "ability": "Name of an ability. Shown before its text, in prompts and the log.",
    "kind": "What such things are called. Shown in headings of the book.",
    "counter": "What is counted. Shown at the table, in the log and in the book.",
    "piece": "Name of pieces. Shown at the table, in the log and in the book.",
    "pool": "Where a player keeps pieces. Shown at the table and in the log.",
    "zone": "Where cards lie. Shown at the table and in the log.",
    "procedure": "A part of the game. Shown as a heading of the log and in the book.",
    "move": "What a player may do. Shown in prompts and in the log.",
    "trait": "Heading of labels. Shown on things that have them and in the book.",
    "option": "A setting of the game, or a value of one. Shown at the start and in the book.",
    "must": "Shown to authors by `dunerules check`, if a thing is not as demanded.",
    "book": "Prose of the book.",
}
"""By the kind of a text. Texts of all other kinds are names of things, or of labels of things."""

_MESSAGES = {
    "play.about": "Shown by the command that lists what one can type while playing.",
    "play.again": "Shown when a saved game is gone on with.",
    "play.ask": "A prompt: asks a player something.",
    "play.board": "A heading of the table, shown while playing.",
    "play.command": "A word that players type.",
    "play.event": "A line of the log of a game, or a part of one.",
    "play.how": "How many may be chosen: fills {how} of prompts.",
    "play.option": "An answer that can be chosen, in the list below a prompt.",
    "play.seat": "What a player is called while playing, in prompts and in the log.",
    "play.trouble": "Shown when an answer that was typed does not fit.",
    "play.why": "Tells why something cannot be done now.",
    "play": "Shown while playing, around prompts.",
    "book.part": "A heading of the book.",
    "book.notation": "Explains an icon in the legend of the book.",
    "book.sign": "A footnote of the book and of printed texts.",
    "book": "Shown in the book.",
    "": "Shown by the program.",
}
"""Where messages are shown, by the beginning of their ids; the longest that fits counts."""

_SLOTS = {
    "before": "the number before",
    "command": "a word that players type, from the messages `play.command`",
    "cost": "a cost, as it is printed",
    "effect": "an effect, as sentences",
    "file": "the name of a file",
    "game": "the title of the game",
    "high": "the largest number",
    "how": "how many, from the messages `play.how`",
    "kind": "what is counted",
    "low": "the smallest number",
    "more": "what came of it",
    "move": "the name of a move",
    "n": "a number",
    "name": "the name of a thing",
    "names": "names of things, with commas between them",
    "pack": "the title of a pack",
    "packs": "titles of packs, with their versions",
    "phase": "the name of a part of the game",
    "picks": "what has been chosen so far",
    "rows": "players, each with a number",
    "sample": "what a missing text looks like",
    "source": "the name of a thing or place",
    "text": "the prompt itself",
    "typed": "what the player has typed",
    "value": "a number or a name",
    "version": "the version of the program",
    "what": "a thing, or what is done",
    "where": "the name of a place",
    "who": "the name of a player, or of several",
    "why": "why not, as the system says it",
    "words": "a condition, as a clause",
    "play.ask.may what": "what may be done, with the verb in the infinitive",
    "play.ask.number what": "what is done, as a sentence",
    "play.ask.number_of what": "what is done, as a sentence",
    "play.ask.pick what": "what becomes of the things that are chosen, as a sentence",
    "play.event.begins what": "a rule that holds, as a sentence",
    "play.event.begins_for_all what": "a rule that holds, as a sentence",
    "play.event.begins_for_you what": "a rule that holds, as a sentence",
    "play.event.contest what": "what players are compared by",
    "play.event.came what": "what is counted",
    "play.event.ends what": "a rule that held, as a sentence",
    "play.event.ends_for_all what": "a rule that held, as a sentence",
    "play.event.ends_for_you what": "a rule that held, as a sentence",
    "play.event.more what": "what happened",
    "play.event.move what": "a move, as in the list of options",
    "play.event.now what": "what is counted",
    "play.event.now_from what": "what is counted",
    "play.event.you what": "what is done, with the verb as after “you”",
    "play.event.your_move what": "a move, as in the list of options",
    "play.option.at_known what": "the name of a card",
    "play.option.several what": "an option",
    "play.seat n": "the number of the seat",
    "play.why.nothing what": "the things that could have been chosen from",
    "play.why.pick what": "the things that could be chosen",
    "play.why.refused what": "what was asked about",
}
"""What a slot stands for: in messages whose ids begin so, or anywhere."""

_WIDTH = 75
"""Characters on a line of a comment; longer ones would be broken when they are written, and read otherwise."""


def comments_of(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Lines for translators about the texts of a catalogue, by id."""
    said = dict(_said(collection))
    found = {text.id: (*_about(text), *said.get(text.id, ())) for text in collection.texts}
    return {id_: tuple(part for line in lines for part in _wrapped(line)) for id_, lines in found.items()}


def _wrapped(line: str) -> list[str]:
    return wrap(line.replace(NO_BREAK, " "), _WIDTH, break_long_words=False, break_on_hyphens=False)


def meaning_of_slot(message: str, slot: str) -> str:
    """What a slot of a message stands for; nothing if nobody has said it."""
    return next((_SLOTS[key] for each in _beginnings(message) if (key := f"{each} {slot}".strip()) in _SLOTS), "")


def _about(text: Text) -> Iterator[str]:
    if text.kind == MESSAGE:
        id_ = text.id.removeprefix(f"{MESSAGE}.")
        yield next(_MESSAGES[each] for each in _beginnings(id_) if each in _MESSAGES)
        for slot in plain_slots(text.source):
            meaning = meaning_of_slot(id_, slot)
            if meaning:
                yield f"{{{slot}}}: {meaning}"
        return
    if text.kind == "book" and text.id.endswith(".title"):
        yield "Title of a chapter of the book."
    else:
        name = f"{spoken(text.kind)}: its name. Shown above its text, in prompts, the log and the book."
        yield _SHOWN.get(text.kind, name)
    if text.comment:
        yield f"Note of the author: {text.comment}"


def _beginnings(id_: str) -> Iterator[str]:
    """An id, then its beginnings, the longest first; the last is nothing."""
    parts = id_.split(".")
    return (".".join(parts[:count]) for count in range(len(parts), -1, -1))


# ---- what things say


def _said(collection: Collection) -> Iterator[tuple[str, list[str]]]:
    """What things say in English, for their names and for the names of their abilities."""
    if not collection.packs:
        return
    try:
        locale = with_sources(load_locale(SOURCE_LANGUAGE, collection.packs)[0], collection.packs)
        meanings = meanings_of(Selection(collection.packs))
    except CannotRunError:  # a pack with errors says nothing for certain
        return
    wanted = {text.id for text in collection.texts}
    named = {text.rpartition(".ability.")[0] for text in wanted if ".ability." in text}
    for kind, id_ in meanings.ids:
        thing = f"{kind}.{id_}"
        if f"{thing}.name" in wanted or thing in named:
            panels = describe(meanings, locale, kind, id_, "words")
            lines = {panel.slot: f"{panel.title}: {panel.words}" if panel.title else panel.words for panel in panels}
            yield f"{thing}.name", [*lines.values()]
            yield from ((f"{thing}.{slot}.name", [panels[n].words]) for n, slot in enumerate(lines) if "." in slot)
