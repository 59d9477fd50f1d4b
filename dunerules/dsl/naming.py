"""New names: for what a step gives, picks or goes through, and for the candidate of a filter."""

from __future__ import annotations

from dunerules.dsl import tree as t
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import Type
from dunerules.dsl.words import RESERVED

__all__ = ["asking", "candidate_used", "naming"]


def naming(name: t.Name, kind: Type, scope: Scope) -> Scope:
    """The scope inside a body that names something."""
    _must_be_new(name, scope)
    return scope.bound(name.text, kind)


def asking(candidate: Type, name: t.Name | None, scope: Scope) -> Scope:
    """The scope inside a filter, or of what is asked of each of a group, whose candidate may have a name."""
    inner = scope.filtering(candidate)
    if name is None:
        return inner
    _must_be_new(name, scope)
    scope.report.used.add(candidate_used(name.text))
    return inner.naming_it(name.text)


def candidate_used(name: str) -> str:
    """How the name of a candidate is called among what a text uses."""
    return f"candidate {name}"


def _must_be_new(name: t.Name, scope: Scope) -> None:
    words = scope.words
    if name.text in RESERVED:
        scope.report.add("DR206", f"`{name.text}` is a word of the language itself", name.span, "another name")
    elif any(
        name.text in declared
        for declared in (words.counters, words.pieces, words.piece_families, words.zones, words.values, words.kinds)
    ):
        scope.report.add("DR505", f"`{name.text}` already means something in this game", name.span, "a name of its own")
    elif name.text in scope.locals:
        scope.report.add("DR505", f"`{name.text}` is already bound around here", name.span, "a name of its own")
