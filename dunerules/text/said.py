"""What steps say: clauses that can stand beside others, and sentences of their own; and how they are put together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from dunerules.language.grammar import NounPhrase
from dunerules.language.lexicon import absent
from dunerules.text.context import Context
from dunerules.text.letters import lettered
from dunerules.text.lists import Clause, joined, joined_clauses

__all__ = [
    "Said", "Sentence", "after_another", "apart", "arm", "bracketed", "clauses", "closed", "firm", "follows_subject",
    "inner", "repeated", "row", "sentences", "whole",
]  # fmt: skip

_SEPARATOR = ";"
"""What stands between sentences that are parts of another one, in every language."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words that make a sentence of their own."""

    text: str
    open: bool = True
    """Whether what follows in the same sentence could be taken for a part of it."""
    bare: bool = False
    """Whether its subject is the acting seat and is not said."""
    another: bool = False
    """Whether somebody else than the acting seat does it."""
    listing: bool = False
    """Whether it is a list that goes on to the end."""


Said: TypeAlias = Clause | Sentence


def sentences(said: list[Said], context: Context) -> list[Sentence]:
    """Neighbouring clauses become one sentence."""
    found: list[Sentence] = []
    run: list[Clause] = []
    for each in [*said, None]:
        if isinstance(each, Clause) and not each.alone and not (run and each.begins(run[-1])):
            run.append(each)
            continue
        if run:
            found.append(Sentence(joined_clauses(run, "and", context.locale), open=False))
            run = []
        if isinstance(each, Clause) and not each.alone:
            run.append(each)
        elif each is not None:
            found.append(each if isinstance(each, Sentence) else Sentence(each.text, open=each.open))
    return [each for each in found if each.text]


def clauses(said: list[Said], context: Context, how: str = "and") -> str | None:
    """All of it as one clause; nothing if it needs sentences of its own."""
    plain = [each for each in said if isinstance(each, Clause) and (len(said) == 1 or not each.alone)]
    if any(each.begins(before) for before, each in pairwise(plain)):
        return None
    return joined_clauses(plain, how, context.locale) if plain and len(plain) == len(said) else None


def inner(said: list[Said], context: Context) -> str:
    """All of it as a part of another sentence: what would swallow its neighbours stands in brackets.

    If the first of several parts does so, all of them do: else it would be taken for the whole.
    """
    found = sentences(said, context)
    if len(found) < 2:
        return "".join(each.text for each in found)
    told = [_beside(each, context, last=each is found[-1]) for each in found]
    words = joined(told, "inner", context.locale)
    return words if told[0] == found[0].text else bracketed(words, context)


def _beside(each: Sentence, context: Context, *, last: bool) -> str:
    """A sentence beside others: the last one swallows nothing, unless it has parts itself."""
    closed = not each.open or (last and (each.listing or _SEPARATOR not in each.text))
    return each.text if closed else bracketed(each.text, context)


def row(parts: list[list[Said]], how: str, context: Context) -> str:
    """Several things to do, each of them apart from the others."""
    told = []
    for number, said in enumerate(parts, 1):
        found = sentences(said, context)
        words = inner(said, context)
        last = number == len(parts) and not (found and found[0].listing)  # two lists would be taken for one
        whole = len(found) == 1 and _beside(found[0], context, last=last) == words
        told.append(repeated(words, context) if whole else bracketed(words, context))
    return joined(told, how, context.locale)


def arm(said: list[Said], context: Context) -> str:
    """All of it where `otherwise` follows: in brackets if that could be taken for a part of it."""
    found = sentences(said, context)
    words = inner(said, context)
    return bracketed(words, context) if found and found[-1].open else words


def firm(words: str, context: Context) -> str:
    """Words behind a condition: in brackets if an `otherwise` in them could be its own."""
    if _SEPARATOR not in words:
        return words
    rest = context.locale.phrase("step.else", {"body": ""}).strip()
    return bracketed(words, context) if rest in words and rest in _outside(words) else words


def whole(said: list[Said], context: Context) -> str:
    """All of it behind a condition or in a loop: in brackets if a later part has one of its own, and is beside it."""
    words = inner(said, context)
    return bracketed(words, context) if any(each.open for each in sentences(said, context)[1:]) else words


def _outside(words: str) -> str:
    """Words without what stands in brackets."""
    depth, found = 0, []
    for mark in words:
        depth += mark == "("
        if depth == 0:
            found.append(mark)
        depth -= mark == ")"
    return "".join(found)


def apart(words: str, context: Context) -> str:
    """Words that stand beside others: in brackets if they have parts themselves."""
    return bracketed(words, context) if _SEPARATOR in words else words


def repeated(words: str, context: Context) -> str:
    """Words that are said of several things or times: in brackets if a stop in them could be taken for their end."""
    return bracketed(words, context) if f"{context.locale.lexicon.typography.stop} " in words else words


def closed(said: list[Said], context: Context) -> str:
    """All of it where something else follows: in brackets if it has parts, or could swallow what follows."""
    return apart(arm(said, context), context)


def bracketed(words: str, context: Context) -> str:
    """Words that belong together; once is enough."""
    return words if _in_brackets(words) else context.locale.phrase("step.scope", {"body": words})


def _in_brackets(words: str) -> bool:
    """Whether the bracket that words begin with is closed at their end."""
    depth = 0
    for at, mark in enumerate(words, 1):
        depth += (mark == "(") - (mark == ")")
        if depth == 0:
            return at == len(words) and at > 1
    return False


def follows_subject(said: list[Said]) -> bool:
    """Whether words for the acting seat can stand directly before it."""
    return bool(said) and (not said[0].impersonal if isinstance(said[0], Clause) else said[0].bare)


def after_another(said: list[Said], context: Context) -> list[Said]:
    """What the acting seat does after somebody else did something: then that seat is named again."""
    if not follows_subject(said):
        return said
    noun = context.locale.noun("seat.they")
    who: str | NounPhrase = lettered(noun, context.letter, context) if noun is not None else absent("seat.they")
    first, *rest = said
    told = context.locale.phrase("step.done_by", {"who": who, "body": first.text})
    alone = Clause((told,), alone=True, open=first.open) if isinstance(first, Clause) else Sentence(told, first.open)
    return [alone, *rest]
