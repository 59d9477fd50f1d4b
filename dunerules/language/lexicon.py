"""The words of a language: nouns, verbs and adjectives with their forms, and how numbers and prepositions work.

Everything here is data of a locale. Python knows that there are cases, numbers, plural categories and genders, and no
language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from dunerules.language.clauses import GAP, Kind, verb_marked
from dunerules.language.plural import PluralRules

__all__ = [
    "COUNTED", "INFINITIVES", "MANY", "PURPOSE", "TOLD", "AdjectiveWord", "Count", "Lexicon", "Noun", "Typography",
    "Vocal", "absent",
]  # fmt: skip

MANY = "many"
"""The form of a verb of several; a verb without it does as one does."""
TOLD = "told_"
"""How forms of a verb begin that tell what has happened, in a log; a verb without them tells it as a text does."""
PURPOSE = "to"
"""The form of a verb behind *in order to*; a verb without it stands there as behind *may*."""
INFINITIVES = ("inf", PURPOSE)
"""Forms that do not tell who does it; with `_they` they are those of somebody else than the reader."""
COUNTED = "counted"
"""The form of a verb of so many; a verb without it does as several do."""

Forms = Mapping[str, str]
"""By case."""


def absent(what: str) -> str:
    """How a missing text is shown: its id between angle brackets, never another language."""
    return f"⟨{what}⟩"


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun: by number and case, by plural category where that differs, and its own prepositions."""

    key: str
    gender: str = ""
    forms: Mapping[str, Forms] = field(default_factory=dict)
    counted: Mapping[str, Forms] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    icon: str = ""


@dataclass(frozen=True, slots=True)
class AdjectiveWord:
    """An adjective or determiner: by gender, number and case. The gender `` is for all others."""

    key: str
    forms: Mapping[str, Mapping[str, Forms]]


@dataclass(frozen=True, slots=True)
class Count:
    """How a noun stands after a number: in which grammatical number, and in which case instead of the one asked for."""

    number: str
    cases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Vocal:
    """A short word that changes before some beginnings: `z` to `ze` before `s`."""

    word: str
    becomes: str
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Typography:
    """Rules of setting: what must not stand at the end of a line, and which words change before which others."""

    stays: frozenset[str] = frozenset()
    numbers_stay: bool = False
    vocal: tuple[Vocal, ...] = ()
    quotes: tuple[str, str] = ("“", "”")
    clitics: frozenset[str] = frozenset()
    """Short words that stand second in their clause."""
    contractions: Mapping[str, str] = field(default_factory=dict)
    """Two words that become one: `zu dem` to `zum`."""
    minus: str = "−"
    """What stands before a number below nothing."""
    stop: str = "."
    """What ends a sentence."""
    spaced: frozenset[str] = frozenset()
    """Marks that a blank stands before."""
    capital_after_colon: bool = False
    """Whether a sentence that goes on from a title begins with a capital letter all the same."""


@dataclass(frozen=True)
class Lexicon:
    """All words of one language and the packs in use."""

    code: str
    name: str = ""
    plurals: PluralRules = field(default_factory=lambda: PluralRules(()))
    cases: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ("singular", "plural")
    counts: Mapping[str, Count] = field(default_factory=dict)
    genders: Mapping[str, Mapping[str, Forms]] = field(default_factory=dict)
    """By gender and plural category: cases to be replaced after a number."""
    verb_forms: tuple[str, ...] = ()
    clauses: Mapping[str, Kind] = field(default_factory=dict)
    """Kinds of clauses by their names."""
    relations: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, Noun] = field(default_factory=dict)
    verbs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    adjectives: Mapping[str, AdjectiveWord] = field(default_factory=dict)
    typography: Typography = field(default_factory=Typography)

    @cached_property
    def forms(self) -> frozenset[str]:
        """What may end a slot: a case, a relation of any noun, or a kind of clause."""
        own = (name for noun in self.nouns.values() for name in noun.relations)
        return frozenset([*self.cases, *self.relations, *own, *self.clauses])

    @property
    def of_the_log(self) -> Lexicon:
        """The same words, with verbs as what has happened is told."""
        verbs = {
            key: {**forms, **{name.removeprefix(TOLD): form for name, form in forms.items() if name.startswith(TOLD)}}
            for key, forms in self.verbs.items()
        }
        return replace(self, verbs=verbs)

    @property
    def plain(self) -> str:
        """The case of a noun that stands alone."""
        return self.cases[0] if self.cases else ""

    def noun(self, key: str) -> Noun | None:
        """A noun by its key."""
        return self.nouns.get(key)

    def standing(self, gender: str, case: str, count: int | None, number: str) -> tuple[str, str]:
        """The grammatical number and case in which words of a gender stand, after a number if there is one."""
        if count is None:
            return number or (self.numbers[0] if self.numbers else ""), case
        category = self.plurals.category(count)
        rule = self.counts.get(category)
        if rule is None:
            return number or self.numbers[-1], case
        changed = self.genders.get(gender, {}).get(category, {})
        return rule.number, changed.get(case) or rule.cases.get(case) or case

    def form(self, noun: Noun, case: str, count: int | None = None, number: str = "") -> str:
        """A noun in a case, after a number if there is one. What the lexicon lacks is shown as absent."""
        case = case or self.plain
        if count is not None:
            special = noun.counted.get(self.plurals.category(count), {}).get(case)
            if special is not None:
                return special
        number, case = self.standing(noun.gender, case, count, number)
        forms = noun.forms.get(number)
        if forms is None and noun.forms:
            forms = next(iter(noun.forms.values()))  # a noun without a plural
        found = (forms or {}).get(case)
        return found if found is not None else absent(f"{noun.key}.{number}.{case}")

    def agreeing(self, word: str, gender: str, case: str, count: int | None, number: str) -> str:
        """An adjective in the form that agrees with a noun."""
        adjective = self.adjectives.get(word)
        if adjective is None:
            return absent(f"~{word}")
        number, case = self.standing(gender, case or self.plain, count, number)
        by_number = adjective.forms.get(gender) or adjective.forms.get("") or {}
        if not by_number and not gender and adjective.forms:
            by_number = next(iter(adjective.forms.values()))  # the noun is not in the lexicon, and that shows already
        forms = by_number.get(number)
        if forms is None and by_number:
            forms = next(iter(by_number.values()))
        found = (forms or {}).get(case)
        return found if found is not None else absent(f"~{word}.{gender}.{number}.{case}")

    def verb(self, key: str, form: str, person: str = "you", *, first: bool = False) -> str:
        """A verb in a form; `first` asks for the one that follows its subject directly, if there is another, and an
        infinitive can be that of somebody else than the reader."""
        forms = self.verbs.get(key)
        if forms is None:
            return absent(f"*{key}")
        found = forms.get(f"{form}_first") if first else None
        if found is None and form in INFINITIVES and person != "you":
            found = forms.get(f"{form}_they")
        found = found if found is not None else forms.get(form)
        if found is None and form == PURPOSE:
            return self.verb(key, "inf", person)
        if found is None and form == COUNTED:
            found = forms.get(MANY)
        if found is None and form in {MANY, COUNTED}:
            found = forms.get("they")  # several do it as one does, unless the lexicon says otherwise
        return found if found is not None else absent(f"*{key}.{form}")

    def verb_parts(self, key: str, form: str, person: str = "you", *, first: bool = False) -> tuple[str, str]:
        """A verb in a form: what stands in its place, and what stands where its clause ends."""
        found, forms = self.verb(key, form, person, first=first), self.verbs.get(key, {})
        if not self.clauses and GAP not in found:
            return found, ""
        others = {kind: forms[name] for kind in self.clauses if (name := f"{kind}_{form}") in forms}
        finite, somebody = form not in INFINITIVES, form == "they"
        return verb_marked(found, others, marked=bool(self.clauses), finite=finite, somebody=somebody)
