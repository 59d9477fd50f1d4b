"""What a catalogue says of its language in its headers: its name, and the plural rules in the form gettext reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path

from dunerules.packs.source import decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.resources import content_directory

__all__ = ["LanguageFacts", "language_facts", "plural_forms"]

_OTHERWISE = "otherwise"
_RELATION = re.compile(r"(?P<value>n(?: % \d+)?) (?P<sign>=|!=|in|not in) (?P<ranges>[\d., ]+)")


@dataclass(frozen=True, slots=True)
class LanguageFacts:
    """The name of a language in itself, and its `Plural-Forms`; empty if its lexicon does not tell."""

    name: str
    plural_forms: str = ""


def language_facts(root: Path, language: str) -> LanguageFacts:
    """What the lexicon of a language tells about it; one beside the pack counts before the shipped one."""
    for folder in (root, content_directory() / "locales"):
        path = folder / language / "lexicon.yaml"
        if lexists(path):
            data, _ = read_bytes(path, shown_path(path))
            source, _ = decode(data or b"", path.name)
            node = read_yaml(source)[0] if source is not None else None
            if node is not None:
                plurals = node.get("plurals")
                rules = [value.value for _, _, value in plurals.entries()] if plurals is not None else []
                return LanguageFacts(node.text("name", language), plural_forms(rules))
    return LanguageFacts(language)


def plural_forms(rules: list[str]) -> str:
    """Rules such as `n % 10 in 2..4`, in order, as gettext writes them; nothing if one cannot be said so."""
    tests = [_test(rule) for rule in rules if isinstance(rule, str) and rule.strip() != _OTHERWISE]
    if not rules or not all(tests):
        return ""
    if len(tests) == len(rules):
        tests.pop()  # the last category is what all other numbers fall into
    choice = "".join(f"{test} ? {number} : " for number, test in enumerate(tests)) + str(len(tests))
    return f"nplurals={len(tests) + 1}; plural={f'({choice})' if tests else '0'};"


def _test(rule: str) -> str:
    either = []
    for group in rule.split(" or "):
        parts = [_relation(part.strip()) for part in group.split(" and ")]
        if not all(parts):
            return ""
        either.append(" && ".join(parts))
    return " || ".join(either)


def _relation(text: str) -> str:
    found = _RELATION.fullmatch(text)
    if found is None:
        return ""
    value = found["value"].replace(" ", "")
    ranges = [part.strip().partition("..") for part in found["ranges"].split(",")]
    tests = [f"{value}>={low} && {value}<={high}" if high else f"{value}=={low}" for low, _, high in ranges]
    joined = tests[0] if len(tests) == 1 else "(" + " || ".join(tests) + ")"
    if found["sign"] in {"=", "in"}:
        return joined
    if len(ranges) == 1:
        low, _, high = ranges[0]
        return f"({value}<{low} || {value}>{high})" if high else f"{value}!={low}"
    return f"!{joined}"
