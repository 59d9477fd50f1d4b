"""Whether phrases fit together with the words of packs and of the lexicon: known keys, known slots, known words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.language.phrases import Phrase
from dunerules.language.template import Adjective, Slot, VerbForm, slots_of
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.problems import Problem, problem

__all__ = ["check_phrases", "is_phrase"]

_CONSTRUCTS: dict[str, str] = {
    "ability": "limit event condition body change who n procedure",
    "change": "value by subject about who",
    "cost": "",
    "doer": "",
    "counter": "noun",
    "event": "subject procedure own next call your event about",
    "field": "value",
    "filter": "which value condition n field subject",
    "have": "subject n what condition owner",
    "icon": "a b body cost condition options n what of each change event limit",
    "if": "subject n what condition each least left right group member value object field slot",
    "list": "a b",
    "log": "who body",
    "noun": "noun place owner index object slot filter name n who number a b condition",
    "number": "a b of noun n name each condition",
    "object": "noun name",
    "procedure": "your",
    "quantity": "n noun",
    "requirement": "condition",
    "slot": "",
    "step": "n what body cost then options pick condition each until clauses value who name about told offering group "
    "procedure",
    "subject": "who nobody",
    "until": "procedure own next event",
    "verb": "your this least",
    "word": "",
    "zone": "noun owner",
}
"""By the first part of a key: the slots its templates may have besides those of the word they are about."""

_ABOUT_VERBS = ("verb", "event", "cost", "icon.verb", "log")
_ABOUT_VALUES = ("if", "if.not", "filter", "filter.not", "change", "have", "number", "noun.value")


def check_phrases(locale: Locale, words: Vocabulary) -> Iterator[Problem]:
    """Everything that is wrong with the phrases of a locale, for packs with these words."""
    for phrase in locale.phrases.values():
        allowed = _allowed(phrase.key, words)
        for variant in phrase.variants:
            if variant.node is None:
                continue
            if allowed is None:
                yield from _unknown_key(phrase, variant.node, words)
                break
            for part in slots_of(variant.template):
                yield from _part(part, allowed, variant.node, locale.lexicon)


def is_phrase(key: str) -> bool:
    """Whether a key is one of a phrase, judged by how it begins."""
    return key.partition(".")[0] in _CONSTRUCTS


def _parameters(parameters: Iterable[Parameter]) -> set[str]:
    return {each.name for each in parameters}


def _allowed(key: str, words: Vocabulary) -> set[str] | None:
    """The slots that a phrase may have; nothing if nothing is said by that key."""
    first, _, rest = key.partition(".")
    if first not in _CONSTRUCTS:
        return None
    found = set(_CONSTRUCTS[first].split())
    if first in {"verb", "cost"} and rest not in words.verbs:
        return None
    if first == "log" and rest != "does":
        found = set(_CONSTRUCTS["verb"].split())
        if rest not in words.verbs or words.verbs[rest].kernel:
            return None
    if first == "procedure" and rest not in words.procedures:
        return None
    if first == "counter" and rest not in words.counters:
        return None
    for prefix in _ABOUT_VERBS:
        name = key.removeprefix(f"{prefix}.")
        if name != key and name in words.verbs:
            found |= _parameters(words.verbs[name].parameters)
    if first == "procedure":
        found |= _parameters(words.procedures[rest].parameters)
    for prefix in _ABOUT_VALUES:
        for joint in (".", "_"):
            name = key.removeprefix(f"{prefix}{joint}")
            if name != key and name in words.values:
                found |= _parameters(words.values[name].parameters)
            if name != key and name in words.counters:
                found |= {*words.counters[name].per, "owner"}
    if first == "counter":
        found |= set(words.counters[rest].per)
    return found


def _unknown_key(phrase: Phrase, node: Node, words: Vocabulary) -> Iterator[Problem]:
    first, _, rest = phrase.key.partition(".")
    known: dict[str, Collection[str]] = {
        "verb": words.verbs,
        "cost": words.verbs,
        "log": words.verbs,
        "procedure": words.procedures,
        "counter": words.counters,
    }
    names = [f"{first}.{name}" for name in known[first]] if first in known else list(_CONSTRUCTS)
    near = nearest(phrase.key, names) if first in known else tuple(f"{each}.{rest}" for each in nearest(first, names))
    if not rest and first not in known:  # a bare name, without what it is a name of
        near = tuple(
            f"{each}.{name}" for each in known for name in (first, *nearest(first, known[each])) if name in known[each]
        )
    message = f"nothing is said by `{phrase.key}`"
    yield problem("DR824", message, node.span, expected="a known key, such as `verb.gain`", nearest=near[:3])


def _part(part: Slot | VerbForm | Adjective, allowed: set[str], node: Node, lexicon: Lexicon) -> Iterator[Problem]:
    span = node.offset_span(part.start, part.end)
    if isinstance(part, VerbForm):
        if part.verb not in lexicon.verbs:
            near = nearest(part.verb, lexicon.verbs)
            yield problem("DR824", f"unknown verb `{part.verb}`", span, expected="a verb of the lexicon", nearest=near)
        elif part.form and part.form not in lexicon.verbs[part.verb]:
            near = nearest(part.form, lexicon.verb_forms)
            yield problem("DR824", f"unknown form `{part.form}`", span, expected="a form of the verb", nearest=near)
    elif isinstance(part, Adjective):
        if part.word not in lexicon.adjectives:
            near = nearest(part.word, lexicon.adjectives)
            message = f"unknown adjective `{part.word}`"
            yield problem("DR824", message, span, expected="an adjective of the lexicon", nearest=near)
    else:
        yield from _slot_faults(part, allowed, node, lexicon)


def _slot_faults(slot: Slot, allowed: set[str], node: Node, lexicon: Lexicon) -> Iterator[Problem]:
    span = node.offset_span(slot.start, slot.end)
    if slot.name.partition(".")[0] not in allowed:
        expected = ", ".join(sorted(allowed)) or "no slots"
        near = nearest(slot.name, allowed)
        yield problem("DR824", f"unknown slot `{slot.name}`", span, expected=expected, nearest=near)
    if slot.noun and slot.noun not in {*lexicon.nouns, *lexicon.numbers, *allowed}:
        noun, _, last = slot.noun.rpartition(".")
        if not noun or noun in {*lexicon.nouns, *lexicon.numbers, *allowed}:
            forms = sorted(lexicon.forms)
            message = f"unknown case or relation `{last}`"
            yield problem("DR823", message, span, expected=", ".join(forms), nearest=nearest(last, forms))
        else:
            near = nearest(slot.noun, lexicon.nouns)
            yield problem("DR824", f"unknown noun `{slot.noun}`", span, expected="a noun of the lexicon", nearest=near)
