"""What is missing in a lexicon, and what in it can never be used."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.language.lexicon import Lexicon
from dunerules.packs.nodes import Node
from dunerules.problems import Problem, problem

__all__ = ["check_lexicon"]


def check_lexicon(node: Node, lexicon: Lexicon) -> Iterator[Problem]:
    """The findings in one file of a lexicon, judged by the grammar of its language."""
    yield from _unreachable(node, lexicon)
    for name, key, value in _entries(node, "nouns"):
        for where in ("forms", "counted"):
            for number, _, forms in _entries(value, where):
                yield from _lacking(f"noun `{name}`", number, forms, key, lexicon.cases)
    for name, key, value in _entries(node, "adjectives"):
        for part in value.items():
            for number, _, forms in _entries(part, "forms"):
                yield from _lacking(f"adjective `{name}`", number, forms, key, lexicon.cases)
    for name, key, value in _entries(node, "verbs"):
        yield from _lacking(f"verb `{name}`", "", value, key, lexicon.verb_forms)


def _unreachable(node: Node, lexicon: Lexicon) -> Iterator[Problem]:
    """Categories that no whole number falls into: amounts in games are whole numbers."""
    reachable = lexicon.plurals.reachable()
    for name, key, _ in _entries(node, "plurals"):
        if name in lexicon.plurals.categories and name not in reachable:
            expected = f"only {', '.join(each for each in lexicon.plurals.categories if each in reachable)}"
            yield problem("DR822", f"no whole number is `{name}` in this language", key.span, expected=expected)


def _lacking(what: str, number: str, forms: Node, key: Node, wanted: tuple[str, ...]) -> Iterator[Problem]:
    if forms.kind != "map":
        return  # one text for all of them
    lacking = [form for form in wanted if forms.get(form) is None]
    if lacking:
        within = f" in the {number}" if number else ""
        message = f"the {what} has no {' and no '.join(lacking)}{within}"
        yield problem("DR821", message, key.span, expected=", ".join(wanted))


def _entries(node: Node, name: str) -> Iterator[tuple[str, Node, Node]]:
    inner = node.get(name)
    return inner.entries() if inner is not None else iter(())
