"""A noun or phrase of a language in all its forms, and the things whose texts have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from dunerules.language.grammar import Amount, NounPhrase, Value, Voice, fill
from dunerules.language.lexicon import Lexicon, Noun, absent
from dunerules.language.locale import Locale
from dunerules.language.phrases import Phrase, Variant
from dunerules.language.template import Slot, Template, VerbForm, slots_of
from dunerules.language.typography import set_text
from dunerules.matching import fold
from dunerules.nearest import nearest
from dunerules.problems import CannotRunError
from dunerules.text.render import describe
from dunerules.translations.printed import Printed
from dunerules.translations.terms import noun_forms

__all__ = ["Use", "forms_of", "keys_called", "uses_of"]

_NUMBERS = range(26)
"""Every rule of plurals that is known has shown itself by then."""

_MARK = "\ue000"
"""Stands in texts where the word or phrase does that is looked for."""


def keys_called(word: str, locales: Sequence[Locale]) -> list[str]:
    """The keys of nouns and phrases that are meant: by the key itself, or by any form of a noun."""
    keys = dict.fromkeys(key for locale in locales for key in (*locale.lexicon.nouns, *locale.phrases))
    if word in keys:
        return [word]
    nouns = [noun for locale in locales for noun in locale.lexicon.nouns.values()]
    found = dict.fromkeys(noun.key for noun in nouns if fold(word) in map(fold, noun_forms(noun)))
    if not found:
        near = nearest(word, [*keys, *(form for noun in nouns for form in noun_forms(noun))])
        hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
        raise CannotRunError(f"no noun or phrase is called `{word}`{hint}")
    return [*found]


# ---- forms


def forms_of(key: str, language: str, locales: Sequence[Locale]) -> list[str]:
    """A noun in all cases and numbers, and with numbers before it; or a phrase with all its variants."""
    own = [locale for locale in locales if locale.code == language]
    known = [locale for locale in own if key in locale.lexicon.nouns or key in locale.phrases]
    if not known:
        return [f"{language}: {own[0].lexicon.name if own else ''}", f"  {absent(key)}"]
    locale = known[0]
    noun, phrase = locale.noun(key), locale.phrases.get(key)
    gender = f", {noun.head.gender}" if noun is not None and noun.head.gender else ""
    variants = phrase.variants if phrase is not None else ()
    return [
        f"{language}: {locale.lexicon.name}{gender}",
        *(_noun(noun, locale) if noun is not None else ()),
        *(line for variant in variants for line in _variant(variant, locale)),
    ]


def _noun(noun: NounPhrase, locale: Locale) -> Iterator[str]:
    lexicon = locale.lexicon
    for number in noun.head.forms:
        yield f"  {number}: {_by_case(lexicon, partial(noun.form, count=None, number=number))}"
    for name in dict.fromkeys([*lexicon.relations, *noun.head.relations]):
        yield f"  {name}: {set_text(noun.form(name), lexicon.typography)}"
    yield from _by_number(lambda n: _by_case(lexicon, lambda case: locale.counted(Amount(n), noun, case)))


def _by_case(lexicon: Lexicon, form: Callable[[str], str]) -> str:
    if len(lexicon.cases) < 2:
        return form(lexicon.plain)
    return ", ".join(f"{form(case)} ({case})" for case in lexicon.cases)


def _by_number(said: Callable[[int], str], numbers: Iterable[int] = _NUMBERS) -> Iterator[str]:
    """What is said of each number, those together that follow each other and are said alike."""
    for _, group in groupby(numbers, lambda n: said(n).replace(str(n), "#")):
        alike = [*group]
        shown = f"{alike[0]}" if len(alike) == 1 else f"{alike[0]} to {alike[-1]}"
        yield f"  {shown}: {said(alike[0])}"


def _variant(variant: Variant, locale: Locale) -> Iterator[str]:
    """A variant as it is written, then filled: in every form of its verb, or with every number."""
    lexicon = locale.lexicon
    when = ", ".join(f"{name} = {' or '.join(shapes)}" for name, shapes in variant.when.items())
    yield f"  {f'when {when}: ' if when else ''}{variant.template.text}"
    slots = slots_of(variant.template)
    if any(isinstance(slot, VerbForm) and not slot.form for slot in slots):
        for mood in lexicon.verb_forms:
            yield f"    {mood}: {_filled(variant.template, locale, 2, Voice(mood))}"
    if any(isinstance(slot, Slot) and slot.name == "n" for slot in slots):
        wanted = variant.when.get("n", ())
        fits = [n for n in _NUMBERS if not wanted or "*" in wanted or str(n) in wanted]
        yield from (f"  {line}" for line in _by_number(lambda n: _filled(variant.template, locale, n), fits))


def _filled(template: Template, locale: Locale, n: int, voice: Voice | None = None) -> str:
    """A template with a number, with a noun of the lexicon where it wants one, and with the names of other slots."""
    lexicon = locale.lexicon
    slots = [slot for slot in slots_of(template) if isinstance(slot, Slot)]
    values: dict[str, Value] = {slot.name: f"‹{slot.name}›" for slot in slots}
    example = next((noun for noun in lexicon.nouns.values() if len(noun.forms) > 1), None)
    if example is not None:
        declined = [slot.name for slot in slots if slot.form or slot.noun in lexicon.numbers or slot.name == "noun"]
        counted = [slot.noun for slot in slots if slot.noun not in lexicon.nouns and slot.noun not in lexicon.numbers]
        values |= {name: NounPhrase(locale, example) for name in (*declined, *counted)}
    values |= {slot.name: n for slot in slots if slot.name == "n" or slot.noun in lexicon.nouns}
    return set_text(fill(template, values, locale, *([voice] if voice is not None else [])), lexicon.typography)


# ---- uses


@dataclass(frozen=True, slots=True)
class Use:
    """A thing whose text has a noun or phrase, and the panels that have it."""

    kind: str
    id: str
    slots: frozenset[str]


def uses_of(key: str, printed: Printed) -> list[Use]:
    """The things of a pack whose texts have a noun or phrase in a language."""
    if printed.locale is None:
        return []
    marked, meanings = _marked(key, printed.locale), printed.meanings
    found = []
    for kind, id_ in meanings.ids_of(printed.collection.name):
        panels = describe(meanings, marked, kind, id_, "words")
        slots = frozenset(panel.slot for panel in panels if _MARK in panel.words or _MARK in panel.title)
        if slots:
            found.append(Use(kind, id_, slots))
    return found


def _marked(key: str, locale: Locale) -> Locale:
    """The language with a mark in all that it says by a key."""
    lexicon, phrases = locale.lexicon, locale.phrases
    if key in lexicon.nouns:
        lexicon = replace(lexicon, nouns={**lexicon.nouns, key: _marked_noun(lexicon.nouns[key])})
    if key in phrases:
        variants = tuple(replace(each, template=_marked_template(each.template)) for each in phrases[key].variants)
        phrases = {**phrases, key: Phrase(key, variants)}
    return replace(locale, lexicon=lexicon, phrases=phrases)


def _marked_noun(noun: Noun) -> Noun:
    def marked(forms: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
        return {number: {case: f"{form}{_MARK}" for case, form in cases.items()} for number, cases in forms.items()}

    relations = {name: f"{text}{_MARK}" for name, text in noun.relations.items()}
    return replace(noun, forms=marked(noun.forms), counted=marked(noun.counted), relations=relations)


def _marked_template(template: Template) -> Template:
    first, *others = template.segments
    return replace(template, segments=((*first, _MARK), *others))
