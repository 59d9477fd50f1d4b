"""The text engine as a game uses it: effects, conditions, boxes and names of the packs in play, in one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import CONDITION
from dunerules.dsl.vocabulary import Field
from dunerules.language.grammar import NounPhrase, Value
from dunerules.language.locale import Locale, absent
from dunerules.language.phrases import Phrase
from dunerules.language.sources import with_sources
from dunerules.language.typography import sentence
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack
from dunerules.text.arguments import Arguments
from dunerules.text.bare import fixed
from dunerules.text.context import Context, Name
from dunerules.text.meanings import Meanings, meanings_of
from dunerules.text.nouns import phrase_of
from dunerules.text.render import (
    RECONSTRUCTED,
    clause_text,
    condition_text,
    describe,
    effect_text,
    footnote,
    log_text,
    wish_text,
)
from dunerules.text.steps import cost_words
from dunerules.understanding.ruleset import Ruleset

__all__ = ["Printer"]


Names: TypeAlias = Mapping[str, NounPhrase]
_NOBODY: Names = {}


class Printer:
    """Words for the packs of a game."""

    def __init__(self, ruleset: Ruleset, packs: tuple[Pack, ...], locale: Locale) -> None:
        self.ruleset = ruleset
        self.locale = with_sources(locale, packs)
        self.meanings: Meanings = meanings_of(Selection(packs, order=ruleset.order))
        self._boxes: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._slots: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
        self._short: dict[tuple[str, str], str] = {}

    def title(self) -> str:
        """What the game is called."""
        game = self.meanings.content.game
        return self.name("game", game.text("id")) if game is not None else ""

    def name(self, kind: str, id_: str) -> str:
        """The name of anything declared; shown as absent if the language has none."""
        found = self.locale.name(kind, id_)
        return found if found is not None else absent(f"{kind}.{id_}")

    @cached_property
    def _of_the_log(self) -> Locale:
        """The language with what it says of verbs that were done, before what it says of them in general, and with its
        words as what has happened is told."""
        phrases = dict(self.locale.phrases)
        for verb in self.ruleset.words.verbs:
            own, key = phrases.get(f"log.{verb}"), f"verb.{verb}"
            if own is not None:
                phrases[key] = Phrase(key, (*own.variants, *(phrases[key].variants if key in phrases else ())))
        return replace(self.locale, phrases=phrases, lexicon=self.locale.lexicon.of_the_log)

    # ---- effects and conditions

    @property
    def _context(self) -> Context:
        return Context(self.locale, self.meanings)

    def steps(self, steps: tuple[m.Step, ...], names: Names = _NOBODY) -> str:
        """An effect as sentences, as it would stand on a card; `names` are what it calls somebody."""
        return effect_text(m.Body(steps), self._context.naming(names))

    def wish(self, steps: tuple[m.Step, ...], names: Names = _NOBODY) -> str:
        """An effect as something one may want to do."""
        body = m.Body(steps)
        while body.cost is None and len(body.steps) == 1 and isinstance(body.steps[0], m.Body | m.May):
            body = body.steps[0] if isinstance(body.steps[0], m.Body) else body.steps[0].body
        return wish_text(body, self._context.naming(names))

    def you(self) -> NounPhrase:
        """The reader, as a noun that a sentence can put into any case."""
        return self.locale.noun("seat.you") or self.text(absent("seat.you"))

    def has_phrase(self, act: m.Act) -> bool:
        """Whether the language has a phrase of its own for a verb that was done, with its arguments."""
        facts = Arguments(dict(act.arguments), act.verb.parameters, self._context).facts
        return self._of_the_log.template(f"verb.{act.verb.name}", facts.shape, facts.open) is not None

    def told(self, step: m.Step, who: str = "", names: Names = _NOBODY) -> str:
        """What somebody has done, as a sentence; without a name it is the reader. `names` are what it calls others."""
        context = replace(self._context, locale=self._of_the_log, happened=True).naming(names)
        body = m.Body((step,))
        if who:
            return log_text(who, body, context)
        words = self.locale.message("play.event.you", what=clause_text(body, context, "you"))
        return sentence(words, self.locale.lexicon.typography)

    def on(self, this: tuple[str, str] | None, step: m.Step, names: Mapping[str, Name]) -> str:
        """A step as it would stand on an object, as sentences, with what its names stand for."""
        return effect_text(m.Body((step,)), replace(self._context, this=this).naming(names))

    def expression(self, part: m.Expression) -> str:
        """A condition, or a thing or group of things."""
        if part.type == CONDITION:
            return condition_text(part, self._context)
        found = phrase_of(part, self._context, many=True)
        return found.form() if found is not None else absent("expression")

    def several(self, part: m.Expression) -> str:
        """What some things are, without their number."""
        found = phrase_of(part, self._context)
        return (
            found.form(number=self.locale.lexicon.numbers[-1])
            if isinstance(found, NounPhrase)
            else absent("expression")
        )

    def measure(self, part: m.Expression) -> str:
        """What a number is a number of, as the title of a column."""
        if isinstance(part, m.CounterRef):
            return self.name("counter", part.counter)
        if isinstance(part, m.PieceRef) and part.pool:
            pieces = self.ruleset.words.pieces
            alone = part.piece not in pieces or sum(part.pool in each.pools for each in pieces.values()) == 1
            title = self.name("pool", part.pool)
            return title if alone else f"{title} ({self.name('piece', part.piece)})"
        found = phrase_of(part, self._context, many=True)
        return found.form() if found is not None else self.locale.message("play.points")

    # ---- objects and moves

    def boxes(self, kind: str, id_: str) -> list[tuple[str, str]]:
        """Everything an object says: the title and the words of each part."""
        key = (kind, id_)
        if key not in self._boxes:
            panels = describe(self.meanings, self.locale, kind, id_, "words")
            note = footnote(self.meanings, self.locale, kind, id_)
            notes = [("", f"{RECONSTRUCTED} {note}")] if note else []
            self._boxes[key] = [*((panel.title, panel.words) for panel in panels), *notes]
        return self._boxes[key]

    def short(self, kind: str, id_: str) -> str:
        """The same in short: marks as on the printed thing, and whatever flags it has."""
        key = (kind, id_)
        if key not in self._short:
            flags = {name for name, field in self.meanings.words.kinds[kind].fields.items() if _is_flag(field)}
            parts = []
            for panel in describe(self.meanings, self.locale, kind, id_, "both"):
                if panel.title:
                    parts.append(f"{panel.title}: {panel.icons or panel.words}")
                elif panel.slot in flags:
                    parts.append(panel.words)
            if footnote(self.meanings, self.locale, kind, id_):
                parts.append(RECONSTRUCTED)
            self._short[key] = " ".join(parts)
        return self._short[key]

    def slot(self, kind: str, id_: str, slot: str) -> str:
        """What one slot of an object says."""
        return self.slots(kind, id_).get(slot, ("", ""))[1]

    def slots(self, kind: str, id_: str) -> dict[str, tuple[str, str]]:
        """The effects and abilities of an object: what each is called, and what it says."""
        key = (kind, id_)
        if key not in self._slots:
            panels = describe(self.meanings, self.locale, kind, id_, "words")
            self._slots[key] = {panel.slot: (panel.title, panel.words) for panel in panels if panel.title}
        return self._slots[key]

    def cost(self, move: str) -> str:
        """What a move costs."""
        body = self.meanings.move(move).cost
        return cost_words(body, self._context) if body is not None else ""

    def noun(self, kind: str, id_: str) -> NounPhrase:
        """An object as a noun that a sentence can put into any case."""
        return fixed(self.name(kind, id_), self._context, f"{kind}.{id_}")

    def text(self, words: str) -> NounPhrase:
        """A text that is the same in every case, such as the name of a player."""
        return fixed(words, self._context)

    def numbered(self, noun: str, n: int) -> NounPhrase | None:
        """A noun of the lexicon with its number behind or before it; nothing if the language lacks either."""
        found, template = self.locale.noun(noun), self.locale.template("noun.numbered")
        return (
            NounPhrase(self.locale, found, template, {"n": n}) if found is not None and template is not None else None
        )

    def move(self, move: str, picks: Mapping[str, tuple[Value, bool]]) -> str:
        """A move by its name with what it picks, as far as that needs to be said."""
        shown = [pick.form() if isinstance(pick, NounPhrase) else str(pick) for pick, told in picks.values() if told]
        return f"{self.name('move', move)}: {', '.join(shown)}" if shown else self.name("move", move)


def _is_flag(field: Field) -> bool:
    return field.type == CONDITION
