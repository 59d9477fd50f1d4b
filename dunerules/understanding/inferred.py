"""What the words of packs turn out to be: types of their verbs and values, and definitions without an end."""

from __future__ import annotations

from typing import cast

from dunerules.dsl import tree as t
from dunerules.dsl.infer import infer
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.vocabulary import Use, Vocabulary
from dunerules.packs.content import Content, Entry
from dunerules.packs.nodes import body_of, whole
from dunerules.problems import Problem, Span, problem

__all__ = ["infer_words"]


def infer_words(content: Content, words: Vocabulary) -> list[Problem]:
    """Types of the packs' own verbs and values; definitions in circles, and those that grow too large, are reported."""
    values = {
        entry.id: _tree(entry, "is", "expression")
        for entry in content.section("value")
        if not words.values[entry.id].kernel
    }
    verbs = {
        entry.id: _tree(entry, "do", "effect") for entry in content.section("verb") if not words.verbs[entry.id].kernel
    }
    procedures = {entry.id: _tree(entry, "do", "effect") for entry in content.section("procedure")}
    uses = {entry.id: cast(Use, entry.node.text("use")) for entry in content.section("verb") if entry.node.text("use")}
    inferred = infer(
        words,
        {name: cast(t.Expression, tree) for name, tree in values.items() if tree is not None},
        {name: cast(t.Body, tree) for name, tree in verbs.items() if tree is not None},
        {name: cast(t.Body, tree) for name, tree in procedures.items() if tree is not None},
        uses,
    )
    found = []
    for circle in inferred.circles:
        message = f"`{circle[0]}` is defined by itself: {' -> '.join(circle)}"
        found.append(problem("DR208", message, _defined(content, circle[0]), expected="a definition in other words"))
    for name, (what, most) in inferred.large.items():
        found.append(problem("DR210", f"`{name}` {what}", _defined(content, name), expected=f"at most {most}"))
    return found


def _defined(content: Content, name: str) -> Span:
    """Where a definition stands."""
    keys = [(section, "", name) for section in ("value", "verb", "procedure")]
    return next(content.entries[key] for key in keys if key in content.entries).key.span


def _tree(entry: Entry, key: str, start: Start) -> t.Root | None:
    written = body_of(entry.node, key)
    node = whole(written) if written is not None else None
    if node is None or node.kind != "text":
        return None
    tree = parse(node.value, start)
    return None if isinstance(tree, SyntaxFault) else tree
