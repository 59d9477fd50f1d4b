"""Filling templates: slots become words in the right case, number, gender and person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from dunerules.language.clauses import LOOSE, TIED, begun, laid_out
from dunerules.language.lexicon import Lexicon, Noun, absent
from dunerules.language.template import (
    Adjective,
    Ending,
    Loose,
    Optional,
    Part,
    Slot,
    Template,
    VerbForm,
    parse_template,
    slots_of,
)

__all__ = [
    "PLAIN_VOICE",
    "Amount",
    "Grammar",
    "Listing",
    "NounPhrase",
    "Value",
    "Voice",
    "fill",
    "fill_counted",
    "fill_segments",
    "numeral",
    "said",
]


@dataclass(frozen=True, slots=True)
class Voice:
    """In which form verbs stand (`do`, `you`, `they`, `inf`, `to`), whether the next one follows its subject directly,
    and whose infinitives they are."""

    mood: str = "do"
    first: bool = False
    person: str = "you"


PLAIN_VOICE = Voice()


@dataclass(frozen=True, slots=True)
class Amount:
    """How many: a number if it is known, else words for it; `mode` is the mode of a quantity."""

    count: int | None
    words: str = ""
    mode: str = "exactly"


class Grammar(Protocol):
    """What filling a template needs to know of a locale."""

    @property
    def lexicon(self) -> Lexicon:
        """The words."""

    def counted(self, amount: Amount, noun: NounPhrase, case: str) -> str:
        """An amount of something in a case."""


@dataclass(frozen=True)
class NounPhrase:
    """A noun with what belongs to it, in any case and number.

    `template` puts the noun (`{noun}`) between its attributes; without one it stands alone.
    """

    locale: Grammar
    noun: Noun | NounPhrase
    template: Template | None = None
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def head(self) -> Noun:
        """The noun itself."""
        return self.noun if isinstance(self.noun, Noun) else self.noun.head

    def has(self, template: Template | None) -> bool:
        """Whether a template was put around the noun, however far within."""
        within = isinstance(self.noun, NounPhrase) and self.noun.has(template)
        return template is not None and (self.template == template or within)

    @property
    def together(self) -> NounPhrase:
        """The same, of all of the places it tells of."""
        noun = self.noun.together if isinstance(self.noun, NounPhrase) else self.noun
        values = {name: each.together if isinstance(each, Listing) else each for name, each in self.values.items()}
        return replace(self, noun=noun, values=values)

    def form(self, form: str = "", count: int | None = None, number: str = "") -> str:
        """The phrase in a case, or behind the preposition of a relation."""
        lexicon = self.locale.lexicon
        relation = self.head.relations.get(form)
        if relation is None or ("{" not in relation and self.template is not None and form in lexicon.relations):
            relation = lexicon.relations.get(form)  # words that stand for the bare noun would lose what belongs to it
        if relation is None:
            return self._cased(form or lexicon.plain, count, number)
        template = parse_template(relation, lexicon.forms)
        cases: dict[str, Value] = {case: _Cased(self, case, count, number) for case in lexicon.cases}
        return fill(template, cases, self.locale)

    def _cased(self, case: str, count: int | None, number: str) -> str:
        inner = NounPhrase(self.locale, self.noun) if isinstance(self.noun, Noun) else self.noun
        if self.template is None:
            if isinstance(self.noun, Noun):
                return self.locale.lexicon.form(self.noun, case, count, number)
            return inner.form(case, count, number)
        filling = _Filling(self.locale, {**self.values, "noun": inner}, PLAIN_VOICE, inner, case, count, number)
        return _whole(self.template, filling)

    @property
    def number(self) -> str:
        """The grammatical number that its own template puts the noun into, if it does."""
        for slot in slots_of(self.template) if self.template is not None else ():
            if isinstance(slot, Slot) and slot.name == "noun" and slot.noun in self.locale.lexicon.numbers:
                return slot.noun
        return self.noun.number if isinstance(self.noun, NounPhrase) else ""


@dataclass(frozen=True)
class Listing:
    """Several noun phrases in one case, joined by the language's own words."""

    parts: tuple[NounPhrase | Listing, ...]
    join: Callable[[list[str]], str]
    whole: Callable[[list[str]], str] | None = None
    """How they are joined where no preposition stands before each of them: as one whole."""
    both: Callable[[list[str]], str] | None = None
    """How they are joined where all of them are meant, and not one or the other."""

    def form(self, form: str = "", count: int | None = None, number: str = "") -> str:
        """Every part in the case, joined."""
        found = [part.form(form, count, number) for part in self.parts]
        cased = not form or (bool(self.parts) and form in self.locale.lexicon.cases)
        return self.whole(found) if self.whole is not None and cased else self.join(found)

    @property
    def locale(self) -> Grammar:
        """The language of its parts."""
        return self.parts[0].locale

    @property
    def together(self) -> Listing:
        """The same where all of them are meant."""
        return replace(self, join=self.both) if self.both is not None else self

    @property
    def piled(self) -> Listing:
        """The same as one whole, also behind prepositions."""
        return replace(self, join=self.whole) if self.whole is not None else self


@dataclass(frozen=True, slots=True)
class _Cased:
    """A noun phrase whose case is settled."""

    phrase: NounPhrase
    case: str
    count: int | None
    number: str

    def __str__(self) -> str:
        return self.phrase.form(self.case, self.count, self.number)


Value: TypeAlias = str | int | Amount | NounPhrase | Listing | _Cased


def said(value: Value) -> str:
    """A value by itself, in the case of a word that stands alone."""
    if isinstance(value, NounPhrase | Listing):
        return value.form()
    if isinstance(value, Amount):
        return str(value.count) if value.count is not None else value.words
    return str(value)


def numeral(number: int, lexicon: Lexicon) -> str:
    """A number with the minus of the language."""
    return str(number) if number >= 0 else f"{lexicon.typography.minus}{-number}"


@dataclass(slots=True)
class _Filling:
    """One template being filled; `noun` is what adjectives agree with, `end` the rest of the verb of a clause."""

    locale: Grammar
    values: Mapping[str, Value]
    voice: Voice
    noun: NounPhrase | None = None
    case: str = ""
    count: int | None = None
    number: str = ""
    end: str = ""
    loose: bool = False


def fill(template: Template, values: Mapping[str, Value], locale: Grammar, voice: Voice = PLAIN_VOICE) -> str:
    """A template with its slots filled. A slot without a value is shown as absent."""
    return _whole(template, _Filling(locale, values, voice))


def fill_counted(template: Template, values: Mapping[str, Value], locale: Grammar, case: str, count: int | None) -> str:
    """A template around a noun (`{noun}`) in a case, of which there are so many."""
    noun = values["noun"]
    assert isinstance(noun, NounPhrase)
    return _whole(template, _Filling(locale, values, PLAIN_VOICE, noun, case, count))


def fill_segments(
    template: Template, values: Mapping[str, Value], locale: Grammar, voice: Voice = PLAIN_VOICE
) -> tuple[tuple[str, ...], str]:
    """The same, segment by segment, and what stands where the clause ends."""
    filling = _Filling(locale, values, voice)
    segments = tuple(_parts(segment, filling) or "" for segment in template.segments)
    return (*segments[:-1], segments[-1] + TIED) if filling.loose else segments, filling.end


def _whole(template: Template, filling: _Filling) -> str:
    """All segments, with the end of the clause."""
    words = " ".join(filter(None, (_parts(segment, filling) for segment in template.segments)))
    words = words + TIED if filling.loose else words
    return begun(words, filling.end) if filling.end else words


def _parts(parts: tuple[Part, ...], filling: _Filling, *, optional: bool = False) -> str | None:
    """The words of some parts; nothing if they are optional and a slot is empty."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, Optional):
            words.append(_parts(part.parts, filling, optional=True) or "")
        elif isinstance(part, VerbForm):
            words.append(_verb(part, filling))
        elif isinstance(part, Adjective):
            words.append(_adjective(part, parts, filling))
        elif isinstance(part, Ending):
            words = [begun("".join(words), filling.end)]
            filling.end = ""
        elif isinstance(part, Loose):
            filling.loose = True
            words.append(LOOSE)
        else:
            value = filling.values.get(part.name)
            if optional and (value is None or value == ""):
                return None
            words.append(absent(part.name) if value is None else _filled_slot(part, value, filling))
    return "".join(words)


def _verb(part: VerbForm, filling: _Filling) -> str:
    voice = filling.voice
    lexicon, first = filling.locale.lexicon, voice.first and not part.form
    found, end = lexicon.verb_parts(part.verb, part.form or voice.mood, voice.person, first=first)
    before, filling.end = filling.end, end
    if not part.form:
        filling.voice = replace(voice, first=False) if voice.first else voice
    return f"{before} {found}" if before else found


def _adjective(part: Adjective, parts: tuple[Part, ...], filling: _Filling) -> str:
    """An adjective in the form of the noun, or of that of a slot, either of which may stand after it."""
    lexicon = filling.locale.lexicon
    if filling.noun is not None and not part.slot:
        noun, case, count, number = filling.noun, filling.case, filling.count, filling.number
        for other in parts:
            if isinstance(other, Slot) and "noun" in (other.name, other.noun):
                value = filling.values.get(other.name)
                case = other.form if other.form in lexicon.cases else case
                count = value if isinstance(value, int) else count
                if other.noun in lexicon.numbers:
                    count, number = None, other.noun
                break
    else:
        standing = _agreeing_with(part, parts, filling)
        if standing is None:
            return absent(f"~{part.word}")
        noun, case, count, number = standing
    if count is None and noun.head.forms and number not in noun.head.forms:
        number = next(iter(noun.head.forms))  # a noun without a plural
    return lexicon.agreeing(part.word, noun.head.gender, case, count, number)


def _agreeing_with(
    part: Adjective, parts: tuple[Part, ...], filling: _Filling
) -> tuple[NounPhrase, str, int | None, str] | None:
    """The noun that an adjective agrees with, and how that stands: of the slot it names, else the nearest behind it."""
    numbers = filling.locale.lexicon.numbers
    slots = [each for each in parts if isinstance(each, Slot)]
    if part.slot:
        slots = [each for each in slots if part.slot in (each.name, each.noun)]
    else:
        slots.sort(key=lambda each: each.start < part.start)  # those behind it come first
    for slot in slots:
        value = filling.values.get(slot.name)
        while isinstance(value, Listing):  # an adjective before a list is that of its first part
            value = value.parts[0]
        if slot.noun and isinstance(value, int | Amount):
            counted = _noun_named(slot.noun, filling)
            if counted is not None:
                case = _case(slot.form, counted) or filling.case
                count = value if isinstance(value, int) else value.count
                return counted, case, count, "" if count is not None else counted.number or numbers[-1]
        elif isinstance(value, NounPhrase):
            number = slot.noun if slot.noun in numbers else value.number
            return value, _case(slot.form, value), None, number
    return None


def _case(form: str, noun: NounPhrase) -> str:
    """The case that a form puts a noun into: itself, or that of a relation."""
    lexicon = noun.locale.lexicon
    relation = noun.head.relations.get(form) or lexicon.relations.get(form)
    if relation is None:
        return form
    slots = slots_of(parse_template(relation, lexicon.forms))
    return next((each.name for each in slots if isinstance(each, Slot) and each.name in lexicon.cases), lexicon.plain)


def _filled_slot(slot: Slot, value: Value, filling: _Filling) -> str:
    lexicon = filling.locale.lexicon
    if isinstance(value, NounPhrase | Listing):
        number = slot.noun if slot.noun in lexicon.numbers else ""
        if slot.name != "noun":
            return value.form(slot.form, None, number)
        return value.form(slot.form or filling.case, None if number else filling.count, number or filling.number)
    if slot.noun and isinstance(value, int | Amount):
        counted = _noun_named(slot.noun, filling)
        if counted is None:
            return absent(slot.noun)
        case = slot.form or filling.case or lexicon.plain
        if isinstance(value, int):
            return f"{numeral(value, lexicon)} {counted.form(case, value)}"
        return filling.locale.counted(value, counted, case)
    if isinstance(value, int):
        return numeral(value, lexicon)
    if slot.form and slot.form in lexicon.clauses:
        return laid_out(said(value), lexicon.clauses[slot.form])
    return said(value)


def _noun_named(name: str, filling: _Filling) -> NounPhrase | None:
    """The noun of another slot, or of the lexicon."""
    value = filling.values.get(name)
    if isinstance(value, NounPhrase):
        return value
    noun = filling.locale.lexicon.noun(name)
    return NounPhrase(filling.locale, noun) if noun is not None else None
