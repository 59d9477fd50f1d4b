"""One check from start to end: packs in, problems out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from dunerules.checker.declared import read_board, read_game, read_words
from dunerules.checker.desk import Desk, Findings
from dunerules.checker.objects import read_objects
from dunerules.checker.patched import read_patches
from dunerules.checker.programs import read_rules, read_verbs
from dunerules.checker.whole import Reaction, check_reactions, check_unused
from dunerules.dsl import tree as t
from dunerules.dsl.infer import infer
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.vocabulary import Use, Vocabulary
from dunerules.packs.content import Content, Entry, merge
from dunerules.packs.declare import vocabulary_of
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.problems import Problem, problem

__all__ = ["READERS", "Understanding", "check_selection", "infer_words", "read_file", "understand"]

READERS: dict[str, Callable[[Node, Desk], None]] = {
    "words": read_words,
    "game": read_game,
    "board": read_board,
    "verbs": read_verbs,
    "rules": read_rules,
    "patches": read_patches,
    "objects": read_objects,
}


@dataclass(frozen=True)
class Understanding:
    """The merged content of a selection, its vocabulary, and what is wrong with the merging itself."""

    content: Content
    words: Vocabulary
    problems: list[Problem]


def understand(selection: Selection, object_ids: tuple[tuple[str, str], ...] = ()) -> Understanding:
    """Merge packs and work out what their words mean."""
    content, problems = merge(selection.packs)
    words = vocabulary_of(content, object_ids)
    problems += infer_words(content, words)
    return Understanding(content, words, problems)


def infer_words(content: Content, words: Vocabulary) -> list[Problem]:
    """Types of the packs' own verbs and values; definitions in circles are reported."""
    values = {entry.id: _tree(entry, "is", "expression") for entry in content.section("value")}
    verbs = {entry.id: _tree(entry, "do", "effect") for entry in content.section("verb")}
    uses = {entry.id: cast(Use, entry.node.text("use")) for entry in content.section("verb") if entry.node.text("use")}
    circles = infer(
        words,
        {name: cast(t.Expression, tree) for name, tree in values.items() if tree is not None},
        {name: cast(t.Body, tree) for name, tree in verbs.items() if tree is not None},
        uses,
    )
    found = []
    for circle in circles:
        entry = content.entries.get(("value", "", circle[0])) or content.entries[("verb", "", circle[0])]
        message = f"`{circle[0]}` is defined by itself: {' -> '.join(circle)}"
        found.append(problem("DR208", message, entry.key.span, expected="a definition in other words"))
    return found


def _tree(entry: Entry, key: str, start: Start) -> t.Root | None:
    node = entry.node if entry.node.kind == "text" else entry.node.get(key)
    if node is None or node.kind != "text":
        return None
    tree = parse(node.value, start)
    return None if isinstance(tree, SyntaxFault) else tree


def read_file(file: PackFile, desk: Desk) -> Findings:
    """Everything the language has to say about one file."""
    desk.findings = Findings()
    if file.node is not None and file.kind in READERS:
        READERS[file.kind](file.node, desk)
    return desk.findings


def check_selection(selection: Selection, reported: set[str]) -> list[Problem]:
    """All problems of a selection in the packs whose ids are in `reported`."""
    understanding = understand(selection)
    desk = Desk(understanding.words)
    problems = [*selection.problems, *understanding.problems]
    used: set[str] = set()
    reactions: list[Reaction] = []
    calls: dict[str, list[tuple[str, str]]] = {}
    for pack in selection.packs:
        problems += [*pack.problems, *pack.manifest.problems]
        for file in pack.files:
            findings = read_file(file, desk)
            problems += file.problems + findings.problems
            used |= findings.used
            calls.update(findings.calls)
            source = file.source
            if source is not None:
                reactions += [
                    Reaction(each.event, list(each.happens), each.limited, each.label, source.span(each.start, each.end))
                    for each in findings.triggers
                ]
    declared = {
        (entry.section, entry.id): entry.key.span
        for section in ("verb", "value")
        for entry in understanding.content.section(section)
        if entry.pack in reported
    }
    problems += check_unused(declared, used)
    problems += check_reactions(reactions, calls)
    names = {file.name for pack in selection.packs if pack.id in reported for file in (*pack.files, pack.manifest)}
    roots = {pack.root.name for pack in selection.packs if pack.id in reported}
    return [found for found in problems if found.span.file in names or found.span.file.split("/")[-1] in roots]
