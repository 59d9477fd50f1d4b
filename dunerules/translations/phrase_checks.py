"""Whether phrases fit together with the words of packs and of the lexicon: known keys, known slots, known words."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.language.phrases import Phrase, Variant
from dunerules.language.template import Adjective, Slot, VerbForm, slots_of
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.problems import Problem, problem
from dunerules.translations.corrections import corrected
from dunerules.translations.phrase_keys import BEGINNINGS, About, about, known_keys

__all__ = ["check_phrases", "is_phrase"]


def check_phrases(locale: Locale, words: Vocabulary) -> Iterator[Problem]:
    """Everything that is wrong with the phrases of a locale, for packs with these words."""
    for phrase in locale.phrases.values():
        told = about(phrase.key, words)
        for variant in phrase.variants:
            if variant.node is None:
                continue
            if told is None:
                yield from _unknown_key(phrase, variant.node, words)
                break
            for part in slots_of(variant.template):
                yield from _part(part, told.slots, variant.node, locale.lexicon)
            yield from _unknown_shapes(variant, told)


def is_phrase(key: str) -> bool:
    """Whether a key is one of a phrase, judged by how it begins."""
    return key.partition(".")[0] in BEGINNINGS


def _unknown_key(phrase: Phrase, node: Node, words: Vocabulary) -> Iterator[Problem]:
    first, _, rest = phrase.key.partition(".")
    known = known_keys(words)
    near = nearest(phrase.key, known)
    if not rest:  # a bare name, without what it is a name of
        names = {first, *nearest(first, {key.rpartition(".")[2] for key in known})}
        near = tuple(key for key in known if key.rpartition(".")[2] in names)[:3] or near
    message = f"nothing is said by `{phrase.key}`"
    yield problem("DR824", message, node.span, expected="a known key, such as `verb.gain`", nearest=near)


def _unknown_shapes(variant: Variant, told: About) -> Iterator[Problem]:
    """What a variant asks for in `when` is something that can be told."""
    asked = variant.asked
    for name, key, _ in asked.entries() if asked is not None else ():
        if name.partition(".")[0] not in told.shapes:
            message = f"`when` asks for `{name}`, which is nothing here"
            near = nearest(name, told.shapes)
            yield problem(
                "DR824",
                message,
                key.span,
                expected=", ".join(sorted(told.shapes)),
                nearest=near,
                edits=corrected(near, key),
            )


def _part(
    part: Slot | VerbForm | Adjective, allowed: frozenset[str], node: Node, lexicon: Lexicon
) -> Iterator[Problem]:
    if isinstance(part, VerbForm):
        if part.verb not in lexicon.verbs:
            yield _unknown(f"unknown verb `{part.verb}`", part.verb, lexicon.verbs, "a verb of the lexicon", part, node)
        elif part.form and part.form not in lexicon.verbs[part.verb]:
            yield _unknown(
                f"unknown form `{part.form}`", part.form, lexicon.verb_forms, "a form of the verb", part, node
            )
    elif isinstance(part, Adjective):
        if part.word not in lexicon.adjectives:
            message = f"unknown adjective `{part.word}`"
            yield _unknown(message, part.word, lexicon.adjectives, "an adjective of the lexicon", part, node)
    else:
        yield from _slot_faults(part, allowed, node, lexicon)


def _slot_faults(slot: Slot, allowed: frozenset[str], node: Node, lexicon: Lexicon) -> Iterator[Problem]:
    if slot.name.partition(".")[0] not in allowed:
        expected = ", ".join(sorted(allowed)) or "no slots"
        yield _unknown(f"unknown slot `{slot.name}`", slot.name, allowed, expected, slot, node)
    if slot.noun and slot.noun not in {*lexicon.nouns, *lexicon.numbers, *allowed}:
        noun, _, last = slot.noun.rpartition(".")
        if not noun or noun in {*lexicon.nouns, *lexicon.numbers, *allowed}:
            forms = sorted(lexicon.forms)
            message = f"unknown case or relation `{last}`"
            yield _unknown(message, last, forms, ", ".join(forms), slot, node, "DR823")
        else:
            message = f"unknown noun `{slot.noun}`"
            yield _unknown(message, slot.noun, lexicon.nouns, "a noun of the lexicon", slot, node)


def _unknown(
    message: str,
    name: str,
    known: Collection[str],
    expected: str,
    part: Slot | VerbForm | Adjective,
    node: Node,
    code: str = "DR824",
) -> Problem:
    """A name in a template that stands for nothing; the one that can have been meant is put in its place by a fix."""
    near = nearest(name, known)
    at = node.value.find(name, part.start, part.end)
    edits = corrected(near, node, at, at + len(name)) if at >= 0 else ()
    span = node.offset_span(part.start, part.end)
    return problem(code, message, span, expected=expected, nearest=near, edits=edits)
