"""Templates: a text with slots, read once and filled often.

    {*draw} | {n:kind.card.acc} | [[{source:from}]]

`{what}` is a slot, `{what:acc}` the same in a case or with a relation (`from`, `in`), `{n:kind.card.acc}` an amount of
a noun of the lexicon (or of another slot) in a case, `{*draw}` a verb of the lexicon in the form the sentence asks for,
`{~that}` an adjective that agrees with the noun of the template, `{~that:what}` with a slot. `{*}` is where a clause
ends before the template does, and what stands behind `{>}` goes behind that end (see `clauses`). `[[ ]]` stands around
what is left out when a slot in it is empty, and `|` between the parts of a clause that a list of clauses may share. A
doubled brace is a brace.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

__all__ = [
    "Adjective", "Ending", "Loose", "Optional", "Part", "Slot", "Template", "TemplateError", "VerbForm",
    "parse_template", "plain_slots", "slots_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: its name, the noun it counts (a key of the lexicon or another slot) and the form it asks for."""

    name: str
    noun: str = ""
    form: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class VerbForm:
    """A verb of the lexicon, in the form the sentence asks for; `form` asks for one itself."""

    verb: str
    form: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective or determiner of the lexicon that agrees with the noun, or with that of a slot."""

    word: str
    slot: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a clause: the rest of its verb stands here."""


@dataclass(frozen=True, slots=True)
class Loose:
    """What follows goes behind the end of the clause, if it is its last part."""


@dataclass(frozen=True, slots=True)
class Optional:
    """Parts that are left out when a slot among them is empty."""

    parts: tuple[Part, ...]


Part: TypeAlias = str | Slot | VerbForm | Adjective | Ending | Loose | Optional


@dataclass(frozen=True, slots=True)
class Template:
    """A read template: segments of parts, as written."""

    text: str
    segments: tuple[tuple[Part, ...], ...]


class TemplateError(Exception):
    """What is wrong with a template, and where in it."""

    def __init__(self, message: str, start: int, end: int, expected: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.expected = expected


_TOKEN = re.compile(r"\{\{|\}\}|\{[^{}]*\}|\[\[|\]\]|[{}]|\||[^{}\[\]|]+|[\[\]]")
_NAME = r"[a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)*"
_SLOT = re.compile(rf"(?P<name>{_NAME})(?::(?P<noun>{_NAME}(?:\[[a-z0-9_]+\])?))?\Z")
_VERB = re.compile(rf"\*(?P<verb>{_NAME})(?::(?P<form>[a-z_]+))?\Z")
_ADJECTIVE = re.compile(rf"~(?P<word>{_NAME})(?::(?P<slot>{_NAME}))?\Z")
_MARKS: dict[str, Part] = {"*": Ending(), ">": Loose()}


@lru_cache(maxsize=8192)
def parse_template(text: str, forms: frozenset[str], *, segmented: bool = False) -> Template:
    """A template; `forms` are the cases and relations that may end a slot. Raises `TemplateError`."""
    segments: list[tuple[Part, ...]] = []
    stack: list[list[Part]] = [[]]
    opened: list[int] = []
    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start()
        if token in {"{{", "}}"}:
            _add(stack[-1], token[0])
        elif token == "[[":
            stack.append([])
            opened.append(start)
        elif token == "]]" and opened:
            inner = tuple(stack.pop())
            opened.pop()
            stack[-1].append(Optional(inner))
        elif token == "|" and segmented and not opened:
            segments.append(_trimmed(stack[-1]))
            stack[-1] = []
        elif token.startswith("{") and len(token) > 1:
            stack[-1].append(_parsed_slot(token[1:-1], start, match.end(), forms))
        elif token in {"{", "}"}:
            raise TemplateError(f"a lone `{token}`", start, start + 1, "`{slot}`, or a doubled brace for a brace")
        else:
            _add(stack[-1], token)
    if opened:
        raise TemplateError("`[[` is never closed", opened[-1], opened[-1] + 2, "`]]`")
    segments.append(_trimmed(stack[-1]))
    return Template(text, tuple(segments))


def _add(parts: list[Part], text: str) -> None:
    if parts and isinstance(parts[-1], str):
        parts[-1] += text
    else:
        parts.append(text)


def _trimmed(parts: list[Part]) -> tuple[Part, ...]:
    """Parts without the blanks around the mark between segments."""
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return tuple(part for part in parts if part != "")


def _parsed_slot(inner: str, start: int, end: int, forms: frozenset[str]) -> Part:
    verb = _VERB.match(inner)
    if verb is not None:
        return VerbForm(verb["verb"], verb["form"] or "", start, end)
    adjective = _ADJECTIVE.match(inner)
    if adjective is not None:
        return Adjective(adjective["word"], adjective["slot"] or "", start, end)
    if inner in _MARKS:
        return _MARKS[inner]
    match = _SLOT.match(inner)
    if match is None:
        raise TemplateError(f"`{{{inner}}}` is not a slot", start, end, "such as `{what}`, `{what:case}`, `{*verb}`")
    noun = match["noun"] or ""
    if noun in forms:
        return Slot(match["name"], "", noun, start, end)
    head, _, last = noun.rpartition(".")
    if head and last in forms:
        return Slot(match["name"], head, last, start, end)
    return Slot(match["name"], noun, "", start, end)


def slots_of(template: Template) -> list[Slot | VerbForm | Adjective]:
    """Every slot of a template, those in optional parts too."""
    found: list[Slot | VerbForm | Adjective] = []
    waiting: list[Part] = [part for segment in template.segments for part in segment]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, Optional):
            waiting = [*part.parts, *waiting]
        elif isinstance(part, Slot | VerbForm | Adjective):
            found.append(part)
    return found


def plain_slots(text: str) -> list[str]:
    """The names of the slots of a text, if all are plain, as `{what}`; none if one asks for a form, noun or verb."""
    try:
        found = slots_of(parse_template(text, frozenset()))
    except TemplateError:
        return []
    plain = [slot.name for slot in found if isinstance(slot, Slot) and not slot.noun]
    return [*dict.fromkeys(plain)] if len(plain) == len(found) else []
