"""What is wrong with a translation: one short generator a rule.

Each looks at one catalogue of one language, side by side with what there is to translate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dunerules.language.catalog import Catalog, Entry
from dunerules.language.extract import Text
from dunerules.language.lexicon import Lexicon
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.language.template import Slot, TemplateError, VerbForm, parse_template, slots_of
from dunerules.language.typography import NO_BREAK, set_text
from dunerules.nearest import nearest
from dunerules.problems import Problem, Span, problem
from dunerules.text.overrides import rule_of
from dunerules.translations.corrections import retyped
from dunerules.translations.override_texts import OVERRIDE
from dunerules.translations.terms import Limits, Term, term_findings

__all__ = ["CHECKS", "Desk", "check_catalog"]


@dataclass(frozen=True)
class Desk:
    """One catalogue with everything that is needed to judge it."""

    language: str
    catalog: Catalog
    texts: dict[str, Text]
    file: str
    """The catalogue as messages call it."""
    lexicon: Lexicon
    terms: tuple[Term, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def original(self) -> bool:
        """Whether this is the language everything is translated from."""
        return self.language == SOURCE_LANGUAGE

    def translated(self) -> Iterator[tuple[Entry, Text]]:
        """Entries with a text that is asked for."""
        for entry in self.catalog.entries:
            text = self.texts.get(entry.id)
            if text is not None and entry.text and not entry.obsolete:
                yield entry, text


Check: TypeAlias = Callable[[Desk], Iterator[Problem]]


def check_catalog(desk: Desk) -> list[Problem]:
    """Everything the rules find, without what notes of translators allow."""
    return [found for check in CHECKS for found in check(desk)]


# ---- the file


def header(desk: Desk) -> Iterator[Problem]:
    """The headers name the language of the folder and UTF-8."""
    where = Span(desk.file, 1, 1, 1, 2)
    if not desk.catalog.entries or desk.catalog.damaged:
        return
    named = desk.catalog.header("Language").replace("_", "-")
    if named.lower() != desk.language.lower():
        message = f"the header says that the language is `{named}`" if named else "no header tells the language"
        yield problem("DR804", message, where, expected=f"`Language: {desk.language.replace('-', '_')}`")
    content = desk.catalog.header("Content-Type")
    if "charset=utf-8" not in content.lower().replace(" ", ""):
        yield problem("DR804", "no header tells that this is UTF-8", where, expected="`charset=UTF-8`")


def missing(desk: Desk) -> Iterator[Problem]:
    """Every text has a translation."""
    if desk.catalog.source is None:
        if desk.texts and not desk.catalog.damaged:
            message = f"there is no catalogue of {len(desk.texts)} texts"
            yield problem("DR805", message, Span(desk.file, 1, 1, 1, 2), expected="`dunerules i18n update`")
        return
    absent = 0
    for id_ in desk.texts:
        entry = desk.catalog.get(id_)
        if entry is None:
            absent += 1
        elif not entry.text:
            span = desk.catalog.span(entry, "msgstr")
            yield problem("DR805", f"`{id_}` is not translated", span, expected=f"what `{_cut(entry.source)}` means")
    if absent:
        message = f"{absent} text{'s are' if absent > 1 else ' is'} not in this catalogue"
        yield problem("DR805", message, Span(desk.file, 1, 1, 1, 2), expected="`dunerules i18n update`")


def fuzzy(desk: Desk) -> Iterator[Problem]:
    """No translation waits to be looked at again."""
    for entry, text in desk.translated():
        span = desk.catalog.span(entry, "msgstr")
        if text.kind == OVERRIDE:
            yield from _stale(entry, text, span)
        elif entry.source != text.source:
            expected = f"`{_cut(text.source)}`; `dunerules i18n update` brings it here"
            yield problem("DR808", f"the English of `{entry.id}` has changed", span, expected=expected)
        elif entry.fuzzy:
            was = f", written for `{_cut(entry.previous)}`" if entry.previous else ""
            expected = "a translator to look at it and take the flag away"
            yield problem("DR806", f"`{entry.id}` is fuzzy{was}", span, expected=expected)


def _stale(entry: Entry, text: Text, span: Span) -> Iterator[Problem]:
    """What has changed since a sentence was written by hand."""
    if rule_of(*entry.notes, *entry.comments) != rule_of(text.comment):
        what = "the rule"
    else:
        what = "the English" if entry.source != text.source else "the rule or the English" if entry.fuzzy else ""
    if what:
        message = f"{what} of `{entry.id}` has changed since this was written by hand"
        expected = f"a sentence for `{_cut(text.source)}`; then `dunerules i18n update`, and no flag `fuzzy`"
        yield problem("DR816", message, span, expected=expected)


def orphan(desk: Desk) -> Iterator[Problem]:
    """Every entry is asked for."""
    for entry in desk.catalog.entries:
        if not entry.obsolete and entry.id not in desk.texts:
            near = nearest(entry.id, desk.texts)
            message = f"nothing is called `{entry.id}`" if entry.id else "an entry without an id (`msgctxt`)"
            expected = "an id of the pack; `dunerules i18n update` puts others aside"
            yield problem("DR807", message, desk.catalog.span(entry), expected=expected, nearest=near)


# ---- slots


def slots(desk: Desk) -> Iterator[Problem]:
    """A translation has the slots of its source, and no others."""
    for entry, _ in desk.translated():
        wanted, _ = _slots(entry.source, desk.lexicon)
        got, fault = _slots(entry.text, desk.lexicon)
        span = desk.catalog.span(entry, "msgstr")
        if fault is not None:
            yield problem("DR809", fault.message, span, expected=fault.expected)
        elif wanted is not None and got is not None and got ^ wanted:
            lost = [f"`{{{name}}}` is missing" for name in sorted(wanted - got)]
            new = [f"`{{{name}}}` is not in the source" for name in sorted(got - wanted)]
            expected = f"the slots {', '.join(f'`{{{name}}}`' for name in sorted(wanted))}" if wanted else "no slots"
            yield problem("DR809", "; ".join([*lost, *new]), span, expected=expected)


def _slots(text: str, lexicon: Lexicon) -> tuple[set[str] | None, TemplateError | None]:
    try:
        found = slots_of(parse_template(text, lexicon.forms))
    except TemplateError as fault:
        return None, fault
    return {slot.name for slot in found if isinstance(slot, Slot)}, None


def words(desk: Desk) -> Iterator[Problem]:
    """Slots ask for cases, nouns and verbs that the lexicon has."""
    if not desk.lexicon.cases:
        return
    for entry, _ in desk.translated():
        try:
            found = slots_of(parse_template(entry.text, desk.lexicon.forms))
        except TemplateError:
            continue
        names = {slot.name for slot in found if isinstance(slot, Slot)}
        for slot in found:
            span = desk.catalog.span(entry, "msgstr")
            if isinstance(slot, VerbForm) and slot.verb not in desk.lexicon.verbs:
                near = nearest(slot.verb, desk.lexicon.verbs)
                yield problem("DR821", f"the lexicon has no verb `{slot.verb}`", span, nearest=near)
            elif isinstance(slot, Slot) and slot.noun and slot.noun not in {*names, *desk.lexicon.nouns}:
                yield _unknown(slot, names, desk, span)


def _unknown(slot: Slot, names: set[str], desk: Desk, span: Span) -> Problem:
    """A slot asks for what is neither a case nor a noun, or for an unknown case of a noun."""
    head, _, last = slot.noun.rpartition(".")
    if not head or head in {*names, *desk.lexicon.nouns}:
        known = sorted(desk.lexicon.forms)
        message, near = f"unknown case `{last}`", nearest(last, known)
        return problem("DR823", message, span, expected=", ".join(desk.lexicon.cases), nearest=near)
    wanted = head if slot.form == "" and last in desk.lexicon.forms else slot.noun
    return problem("DR821", f"the lexicon has no noun `{wanted}`", span, nearest=nearest(wanted, desk.lexicon.nouns))


# ---- words and letters


def same(desk: Desk) -> Iterator[Problem]:
    """A translation is not simply the English again."""
    if desk.original:
        return
    for entry, _ in desk.translated():
        bare = re.sub(r"\{[^}]*\}", "", entry.text)
        if entry.text == entry.source and entry.claim != "official" and any(map(str.isalpha, bare)):
            message = f"`{_cut(entry.text)}` is the same as the English"
            expected = "a translation, or a note `dunerules: ignore[DR810]: why`"
            yield problem("DR810", message, desk.catalog.span(entry, "msgstr"), expected=expected)


def glossary(desk: Desk) -> Iterator[Problem]:
    """Words of the glossary are used, and forbidden ones are not; printed names are as they are."""
    if desk.original:
        return
    for entry, _ in desk.translated():
        if entry.claim != "official":
            for code, message, expected in term_findings(entry.source, entry.text, desk.terms):
                yield problem(code, message, desk.catalog.span(entry, "msgstr"), expected=expected)


def width(desk: Desk) -> Iterator[Problem]:
    """A text fits its panel."""
    for entry, _ in desk.translated():
        most, shown = desk.limits.of(entry.id), len(re.sub(r"\{[^}]*\}", "00", entry.text))
        if most and shown > most:
            message = f"`{_cut(entry.text)}` is {shown} characters wide"
            yield problem("DR813", message, desk.catalog.span(entry, "msgstr"), expected=f"at most {most}")


def typography(desk: Desk) -> Iterator[Problem]:
    """Blanks that must not break do not, and short words have the form that the next word asks for.

    Messages, prose and sentences by hand are set when they are shown, so that blanks in them are no matter of the
    translator; names can stand anywhere and bring their own.
    """
    for entry, _ in desk.translated():
        for line in entry.text.split("\n"):
            plain = line.replace(NO_BREAK, " ").strip()
            wanted = set_text(plain, desk.lexicon.typography, by_hand=True)
            span = desk.catalog.span(entry, "msgstr")
            if wanted.replace(NO_BREAK, " ") != plain:
                was, now = _difference(plain, wanted.replace(NO_BREAK, " "))
                edits = retyped(desk.catalog, entry, wanted) if entry.text == line else ()
                yield problem("DR815", f"`{was}` is written otherwise here", span, expected=f"`{now}`", edits=edits)
            elif entry.id.endswith(".name"):
                loose = [at for at, c in enumerate(wanted) if c == NO_BREAK and line.strip()[at] != NO_BREAK]
                for at in loose[:1]:
                    word = wanted[:at].split()[-1]
                    message = f"a line could break after `{word}`"
                    edits = retyped(desk.catalog, entry, wanted) if entry.text == line else ()
                    expected = "a no-break blank (U+00A0) after it"
                    yield problem("DR814", message, span, expected=expected, edits=edits)


def _difference(before: str, after: str) -> tuple[str, str]:
    """The first words in which two texts differ, with the word that follows."""
    left, right = before.split(), after.split()
    at = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    return " ".join(left[at : at + 2]), " ".join(right[at : at + 2])


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


CHECKS: tuple[Check, ...] = (header, missing, fuzzy, orphan, slots, words, same, glossary, width, typography)
