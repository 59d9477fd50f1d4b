"""Words of packs that cannot stand beside each other: nouns that mean two things, zones that join in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dunerules.kernel.values import KERNEL_VALUES
from dunerules.packs.content import Content, Entry
from dunerules.packs.nodes import plain
from dunerules.problems import Problem, problem

__all__ = ["check_meanings"]

_NOUNS = ("trait", "kind", "counter", "piece", "zone", "value", "option")
"""Sections whose names stand in the same places of a text."""


def check_meanings(content: Content) -> Iterator[Problem]:
    """Nouns that mean two things, and zones that join each other in a circle."""
    first: dict[str, Entry] = {}
    for section in _NOUNS:
        for entry in content.section(section):
            other = first.setdefault(entry.id, entry)
            if entry.id in KERNEL_VALUES and section != "value":
                yield problem(
                    "DR201", f"`{entry.id}` is a value of the kernel", entry.key.span, expected="another name"
                )
            if other is not entry:
                yield problem(
                    "DR201",
                    f"`{entry.id}` is a {section} and a {other.section}",
                    entry.key.span,
                    expected="two names: a text could mean either",
                    related=((other.key.span, f"the {other.section}"),),
                )
    joins = {
        entry.id: plain(entry.node).get("joins", ()) for entry in content.section("zone") if entry.node.kind == "map"
    }
    for name in joins:
        if name in _joined(name, joins):
            span = content.entries[("zone", "", name)].key.span
            yield problem(
                "DR208", f"zone `{name}` joins itself", span, expected="zones that are not joined in a circle"
            )


def _joined(name: str, joins: Mapping[str, Sequence[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(joins.get(name, ()))
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.add(part)
            waiting += joins.get(part, ())
    return found
