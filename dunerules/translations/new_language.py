"""A new language pack: every file of a language, with all that is wanted in it still to be written.

What it is in English stands in a comment above each entry. The result can be loaded at once: what is to be written is
shown between angle brackets, like everything that is missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dunerules.formats import FORMAT
from dunerules.language.extract import Collection
from dunerules.language.places import PROGRAM, SOURCE_LANGUAGE
from dunerules.language.reading import TODO, read_locale_file
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import Pack
from dunerules.packs.versions import parse_version
from dunerules.translations.grammar_needs import LEXICON, PHRASES, file_of
from dunerules.translations.phrase_keys import is_optional

__all__ = ["manifest", "noun_lines", "phrase_lines", "word_files"]

_WIDE = 118


def manifest(id_: str, code: str, name: str, packs: Sequence[Pack], author: str) -> str:
    """The `pack.yaml` of a language pack for some packs."""
    titles = " and ".join(pack.title for pack in packs)
    lines = [
        f"format: {FORMAT}",
        f"id: {id_}",
        'version: "0.1"',
        f"title: {_quoted(f'{name}: {titles}')}",
        f"authors: [{_quoted(author)}]",
        f"licence: {TODO}",
        f"languages: [{code}]",
        "requires:",
        *(f"  {pack.id}: {_quoted(_range(pack.version))}" for pack in packs),
    ]
    return _text(lines)


def _range(version: str) -> str:
    """This version and those that follow it in the same line."""
    major, _, _ = parse_version(version) or (0, 0, 0)
    return f">={version}, <{major + 1}"


def word_files(
    collection: Collection, language: str, name: str, cases: Sequence[str] = ()
) -> Iterator[tuple[Path, str]]:
    """The lexicon and the phrases of a language for a collection, as far as the English has any: paths and texts."""
    called = name if collection.name == PROGRAM else ""
    writers = {LEXICON: lambda node: _lexicon(node, language, called, cases), PHRASES: _phrases}
    for kind, write in writers.items():
        file = file_of(collection, kind)
        path = collection.home / SOURCE_LANGUAGE / file
        node, _ = read_locale_file(path, kind.partition(".")[0]) if path.is_file() else (None, [])
        if node is not None:
            yield collection.root / language / file, write(node)


# ---- lexicon.yaml


_CASES = ("nom",)

_GRAMMAR = """\
# Plural categories in the order they are tried, each with a rule on n (`n % 10 in 2..4`); the last is `otherwise`.
plurals:
  one: n = 1
  other: otherwise
# The cases of nouns; the first is that of a word that stands alone. Give each noun a map by case in place of one text,
# such as `singular: {{nom: ..., acc: ...}}`; a text is the same in all cases.
cases: [{cases}]
numbers: [singular, plural]
# By plural category: in which number a counted noun stands, and in which case instead of the one asked for.
counts:
  one: {{number: singular}}
  other: {{number: plural}}
# do: what a card tells the reader to do; you: the reader does; they: somebody does; inf: after `may`
verb_forms: [do, you, they, inf]
"""


def _lexicon(english: Node, language: str, name: str, cases: Sequence[str]) -> str:
    """The lexicon of a language, or without a `name` what it has for a pack: every word of the English."""
    lines = [f"format: {FORMAT}", f"language: {language}"]
    if name:
        lines += [f"name: {_quoted(name)}", *_GRAMMAR.format(cases=", ".join(cases or _CASES)).splitlines()]
        lines += ["# Prepositions by what they say, each with a slot of a case, such as `from: out of {nom}`."]
        lines += _section(english, "relations", _relation)
    lines += _section(english, "nouns", lambda key, value: noun_lines(key, value, cases))
    lines += _section(english, "verbs", _verb)
    lines += _section(english, "adjectives", _adjective)
    return _text(lines)


def _section(english: Node, name: str, entry: Callable[[str, Node], Iterator[str]]) -> Iterator[str]:
    inner = english.get(name)
    found = [line for key, _, value in (inner.entries() if inner is not None else ()) for line in entry(key, value)]
    if found:
        yield f"{name}:"
        yield from found


def _relation(key: str, value: Node) -> Iterator[str]:
    yield f"  {key}: {TODO}  # {_line(str(value.value))}"


def noun_lines(key: str, value: Node, cases: Sequence[str] = ()) -> Iterator[str]:
    """A noun to be written, with its English above it; in each of several cases."""
    form = f"{{{', '.join(f'{case}: {TODO}' for case in cases)}}}" if len(cases) > 1 else TODO
    mark = "# " if "[" in key else ""  # a noun of its own for some of a kind: a language may do without
    if value.kind == "text":
        shown = [str(value.value)]
        numbers = ["singular"]
    else:
        forms = value.get("forms")
        numbers = [number for number, _, _ in forms.entries()] if forms is not None else []
        shown = [_plainly(each) for _, _, each in (forms.entries() if forms is not None else ())]
    yield from _comment("; ".join(shown), value.text("note") if value.kind == "map" else "")
    if len(cases) < 2:
        inner = ", ".join(f"{number}: {form}" for number in numbers)
        yield f"  {mark}{key}: {{forms: {{{inner}}}}}"
        return
    yield f"  {mark}{key}:"
    yield f"  {mark}  forms:"
    yield from (f"  {mark}    {number}: {form}" for number in numbers)


def _plainly(forms: Node) -> str:
    if forms.kind == "text":
        return str(forms.value)
    return ", ".join(dict.fromkeys(str(value.value) for _, _, value in forms.entries()))


def _verb(key: str, value: Node) -> Iterator[str]:
    forms = {name: str(each.value) for name, _, each in value.entries()}
    yield from _comment(", ".join(f"{name}: {form}" for name, form in forms.items()))
    yield f"  {key}: {{do: {TODO}, you: {TODO}, they: {TODO}, inf: {TODO}}}"


def _adjective(key: str, value: Node) -> Iterator[str]:
    shown = str(value.value) if value.kind == "text" else json.dumps(plain(value), ensure_ascii=False)
    yield from _comment(shown)
    yield f"  {key}: {TODO}"


# ---- phrases.yaml


def _phrases(english: Node) -> str:
    """Every phrase of the English, to be written; those that a language may do without stand in comments."""
    lines = [
        f"format: {FORMAT}",
        "# Above each key: how English says it, variant by variant, and for what. What stands in braces is filled in.",
        "# A phrase is one template, or a list of variants, `- {when: {n: 1}, text: ...}`: the first that fits.",
        "phrases:",
    ]
    inner = english.get("phrases")
    for key, _, value in inner.entries() if inner is not None else ():
        lines += phrase_lines(key, value)
    return _text(lines)


def phrase_lines(key: str, value: Node) -> Iterator[str]:
    """A phrase to be written, with its English above it."""
    for each in value.items():
        when = each.get("when") if each.kind == "map" else None
        asked = f" when {json.dumps(plain(when), ensure_ascii=False)}" if when is not None else ""
        text = each.text("text") if each.kind == "map" else str(each.value)
        yield from _comment(f"English{asked}: {text}")
    if is_optional(key):
        yield "  # A language may do without this one; take the mark away to have it."
        yield f"  # {key}: {TODO}"
    else:
        yield f"  {key}: {TODO}"


# ---- small parts


def _comment(*texts: str) -> Iterator[str]:
    for text in filter(None, texts):
        rest = _line(text)
        while rest:
            cut = len(rest) if len(rest) <= _WIDE - 4 else max(rest.rfind(" ", 0, _WIDE - 4), 1)
            yield f"  # {rest[:cut]}"
            rest = rest[cut:].strip()


def _line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
