"""A language in which what has a symbol is said by it: every form of such a noun is one sign.

Lines of marks are printed with it as with any other language, so whatever a pack or a language says in marks can be
drawn, and nothing is looked for in finished texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from dunerules.language.lexicon import Forms, Lexicon, Noun
from dunerules.language.locale import Locale
from dunerules.language.phrases import Phrase, Variant
from dunerules.language.template import Adjective, Optional, Part, Template, VerbForm

__all__ = ["FIRST", "drawn", "signs"]

FIRST = 0xE000
"""The first of the signs, in the part of Unicode that is for private use."""

_MARK = "icon.verb."
_LETTERS = re.compile(r"[^\W\d_][^\[\](){}|+−×/→]*[^\W\d_]|[^\W\d_]")


def signs(keys: Iterable[str]) -> dict[str, str]:
    """A sign for each symbol, always the same."""
    return {key: chr(FIRST + number) for number, key in enumerate(sorted(keys)) if FIRST + number < 0xF8FF}


def drawn(locale: Locale, sign: Mapping[str, str]) -> Locale:
    """The same language with signs for nouns that have one, and for verbs in marks."""
    lexicon = locale.lexicon
    nouns = {key: _noun(noun, sign[key], lexicon) if key in sign else noun for key, noun in lexicon.nouns.items()}
    phrases = {key: _phrase(key, phrase, sign) for key, phrase in locale.phrases.items()}
    return replace(locale, lexicon=replace(lexicon, nouns=nouns), phrases=phrases)


def _noun(noun: Noun, sign: str, lexicon: Lexicon) -> Noun:
    forms: dict[str, Forms] = {number: dict.fromkeys(lexicon.cases, sign) for number in lexicon.numbers}
    relations = dict.fromkeys(noun.relations, sign)
    return replace(noun, forms=forms, counted={}, relations=relations, icon=sign)


def _phrase(key: str, phrase: Phrase, sign: Mapping[str, str]) -> Phrase:
    verb = key.removeprefix(_MARK)
    if not key.startswith(_MARK) or f"verb.{verb}" not in sign:
        return phrase
    variants = tuple(_variant(each, sign[f"verb.{verb}"]) for each in phrase.variants)
    return replace(phrase, variants=variants)


def _variant(variant: Variant, sign: str) -> Variant:
    segments = tuple(tuple(_part(part, sign) for part in segment) for segment in variant.template.segments)
    return replace(variant, template=Template(variant.template.text, segments))


def _part(part: Part, sign: str) -> Part:
    """The words of a mark become the sign of its verb; numbers and nouns in it stay."""
    if isinstance(part, str):
        return _LETTERS.sub(sign, part)
    if isinstance(part, VerbForm | Adjective):
        return sign if isinstance(part, VerbForm) else ""
    if isinstance(part, Optional):
        return Optional(tuple(_part(each, sign) for each in part.parts))
    return part
