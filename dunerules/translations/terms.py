"""The glossary of a language and the widths of panels: what translations of one pack are held against.

`terms.yaml` and `<pack>.terms.yaml` in the folder of a language name the words that must be used the same way
everywhere; their forms are those of the lexicon unless the file says others. `limits.yaml` and `<pack>.limits.yaml`
beside the languages say how many characters fit, by id: `thing.*.name: 30`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os.path import lexists
from pathlib import Path

from dunerules.language.extract import read_list
from dunerules.language.lexicon import Lexicon, Noun
from dunerules.packs.nodes import Node
from dunerules.problems import Problem

__all__ = ["Limits", "Term", "noun_forms", "read_limits", "read_terms", "term_findings"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary: what it is in the source, which forms stand for it, and which words must not."""

    key: str
    source: tuple[str, ...]
    use: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """Most characters by pattern of ids; the first that fits counts."""

    patterns: tuple[tuple[str, int], ...] = ()

    def of(self, id_: str) -> int:
        """Most characters of a text; 0 if any number will do."""
        return next((most for pattern, most in self.patterns if fnmatchcase(id_, pattern)), 0)


def noun_forms(noun: Noun) -> tuple[str, ...]:
    """Every form of a noun, each once."""
    forms = [*noun.forms.values(), *noun.counted.values()]
    return tuple(dict.fromkeys(form for each in forms for form in each.values()))


def read_terms(folder: Path, name: str, lexicon: Lexicon, source: Lexicon) -> tuple[tuple[Term, ...], list[Problem]]:
    """The glossary for one catalogue in a language."""
    terms: list[Term] = []
    problems: list[Problem] = []
    for path in (folder / "terms.yaml", folder / f"{name}.terms.yaml"):
        if lexists(path):
            node, found = read_list(path, "terms.schema.json")
            problems += found
            inner = node.get("terms") if node is not None else None
            terms += [_term(key, value, lexicon, source) for key, _, value in (inner.entries() if inner else ())]
    return tuple(terms), problems


def _term(key: str, node: Node, lexicon: Lexicon, source: Lexicon) -> Term:
    def forms(name: str, words: Lexicon) -> tuple[str, ...]:
        noun = words.noun(key)
        return _texts(node.get(name)) or (noun_forms(noun) if noun is not None else ())

    return Term(key, forms("source", source), forms("use", lexicon), _texts(node.get("forbidden")), node.text("note"))


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(str(item.value) for item in node.items()) if node is not None else ()


def read_limits(root: Path, name: str) -> tuple[Limits, list[Problem]]:
    """The widths for one catalogue; those of the pack count before those of all."""
    patterns: list[tuple[str, int]] = []
    problems: list[Problem] = []
    for path in (root / f"{name}.limits.yaml", root / "limits.yaml"):
        if lexists(path):
            node, found = read_list(path, "limits.schema.json")
            problems += found
            entries = node.entries() if node is not None else ()
            patterns += [(pattern, value.value) for pattern, _, value in entries if pattern != "format"]
    return Limits(tuple(patterns)), problems


def term_findings(source: str, text: str, terms: tuple[Term, ...]) -> Iterator[tuple[str, str, str]]:
    """Terms that a translation lacks or must not use: code, what is wrong, what was expected."""
    for term in terms:
        if term.use and _says(source, term.source, term.key) and not _says(text, term.use, term.key):
            expected = f"a form of `{term.use[0]}`"
            yield "DR811", f"the source says `{term.source[0]}`, the translation does not", expected
        for word in term.forbidden:
            if _says(text, (word,), ""):
                use = f"`{term.use[0]}`" if term.use else "another word"
                yield "DR812", f"`{word}` must not be used for `{term.key}`", use


def _says(text: str, words: tuple[str, ...], key: str) -> bool:
    """Whether a text has one of some words, a star standing for any letters, or a slot for the noun of a term."""
    slots = re.findall(r"\{[^}]*\}", text)
    if key and any(re.search(rf":{re.escape(key)}\b", slot) for slot in slots):
        return True
    bare = re.sub(r"\{[^}]*\}", " ", text).replace("\u00a0", " ")
    return any(re.search(_pattern(word), bare, re.IGNORECASE) for word in words)


def _pattern(word: str) -> str:
    before = r"\w*" if word.startswith("*") else ""
    after = r"\w*" if word.endswith("*") else ""
    return rf"(?<!\w){before}{re.escape(word.strip('*'))}{after}(?!\w)"
