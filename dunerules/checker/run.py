"""One check from start to end: packs in, problems out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, cast

from dunerules.checker.cache import digest
from dunerules.checker.catalog import errors_in
from dunerules.checker.circles import Askings, check_asking
from dunerules.checker.declared import read_board, read_game, read_words
from dunerules.checker.desk import Desk, Findings
from dunerules.checker.happens import Event, event_from
from dunerules.checker.layout import check_layout
from dunerules.checker.modeline import check_modelines
from dunerules.checker.objects import read_objects
from dunerules.checker.patched import read_patches
from dunerules.checker.programs import read_rules, read_verbs
from dunerules.checker.sound import check_sound
from dunerules.checker.whole import (
    Reaction,
    check_departures,
    check_meanings,
    check_offered,
    check_reactions,
    check_rounds,
    check_unused,
)
from dunerules.dsl import tree as t
from dunerules.dsl.infer import infer
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.vocabulary import Use, Vocabulary
from dunerules.packs.content import Content, Entry, merge
from dunerules.packs.declare import vocabulary_of
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, first_character, problem

__all__ = [
    "READERS", "Memory", "Understanding", "check_selection", "infer_words", "read_file", "understand",
    "vocabulary_print",
]  # fmt: skip

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


def understand(selection: Selection, known: Vocabulary | None = None) -> Understanding:
    """Merge packs and work out what their words mean; `known` is that, where it was worked out without a fault."""
    content, problems = merge(selection.packs)
    words = known
    if words is None:
        words = vocabulary_of(content)
        problems += infer_words(content, words)
    problems += [*check_meanings(content), *check_layout(content, words)]
    return Understanding(content, words, problems)


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


class Memory(Protocol):
    """Remembers what files said under a vocabulary."""

    def read(self, file: PackFile, vocabulary: str) -> dict[str, Any]:
        """What a file said, or nothing."""

    def write(self, file: PackFile, vocabulary: str, said: dict[str, Any]) -> None:
        """Remember what a file said."""


def check_selection(
    selection: Selection,
    reported: set[str],
    memory: Memory | None = None,
    understanding: Understanding | None = None,
    desk: Desk | None = None,
) -> list[Problem]:
    """All problems in the files of the packs `reported`, as parts of a selection that may be understood already."""
    understanding = understanding or understand(selection)
    desk = desk or Desk(understanding.words)
    vocabulary = vocabulary_print(selection)
    problems = list(understanding.problems)
    used: set[str] = set()
    reactions: list[Reaction] = []
    calls: dict[str, list[Event]] = {}
    asking = Askings()
    anywhere: set[str] = set()
    rounds: list[tuple[list[Event], Span]] = []
    left: list[tuple[str, str, Span]] = []
    for pack in selection.packs:
        problems += [*pack.manifest.problems, *check_modelines(pack)]
        for file in pack.files:
            said = memory.read(file, vocabulary) if memory is not None else {}
            if not said:
                said = _say(file, read_file(file, desk))
                if memory is not None:
                    memory.write(file, vocabulary, said)
            problems += said["problems"]
            used |= set(said["used"])
            for name, events in said["calls"].items():
                more = calls.get(name, []) if name.startswith("offer ") else []
                calls[name] = [*more, *map(event_from, events)]
            reactions += _reactions(file, said["triggers"])
            anywhere |= set(said["anywhere"])
            if file.source is not None:
                asking.add(file.source, said["asking"])
                for events, start, end in said["rounds"]:
                    rounds.append((list(map(event_from, events)), file.source.span(start, end)))
                left += [(of, name, file.source.span(start, end)) for of, name, start, end in said["departures"]]
    declared = {
        (entry.section, entry.id): entry.key.span
        for section in ("verb", "value")
        for entry in understanding.content.section(section)
        if entry.pack in reported
    }
    problems += check_unused(declared, used)
    problems += check_sound(understanding.content, understanding.words)
    problems += check_offered(understanding.content, used, reported)
    problems += check_reactions(reactions, calls)
    problems += [*check_rounds(rounds, calls), *check_departures(left, calls, anywhere)]
    if not any(found.code == "DR208" for found in problems):
        problems += check_asking(asking)
    own = [pack for pack in selection.packs if pack.id in reported]
    names = {file.name for pack in own for file in (*pack.files, pack.manifest)}
    elsewhere = [found for found in problems if found.span.file not in names]
    return [*(found for found in problems if found.span.file in names), *_broken_elsewhere(selection, own, elsewhere)]


def _broken_elsewhere(selection: Selection, own: list[Pack], elsewhere: list[Problem]) -> Iterator[Problem]:
    """What these packs make wrong in packs they are used with: errors that none of those has by itself."""
    wrong = errors_in(elsewhere)
    if not wrong:
        return
    others = [pack for pack in selection.packs if pack not in own]
    before = [found for pack in others for found in check_selection(_required(selection, pack), {pack.id})]
    for found in [found for found in wrong if found not in before]:
        message = f"with this pack, `{found.span.file}` says something wrong: {found.message}"
        related = ((found.span, found.code),)
        expected = "a pack that leaves others whole"
        yield problem("DR209", message, _responsible(own), expected=expected, related=related)


def _required(selection: Selection, pack: Pack) -> Selection:
    """A pack of a selection with all it requires."""
    by_id, wanted, waiting = {each.id: each for each in selection.packs}, {pack.id}, [pack]
    while waiting:
        for id_ in waiting.pop().ranges("requires").keys() & by_id.keys() - wanted:
            wanted.add(id_)
            waiting.append(by_id[id_])
    return Selection(tuple(each for each in selection.packs if each.id in wanted))


def _responsible(packs: list[Pack]) -> Span:
    """Where packs change what others say: the first patch, or else what they require."""
    patches = [file.node for pack in packs for file in pack.files if file.kind == "patches" and file.node is not None]
    manifests = [pack.manifest.node for pack in packs if pack.manifest.node is not None]
    required = [found for node in manifests if (found := node.get("requires")) is not None]
    for node in (*patches, *required):
        return next((key.span for _, key, _ in node.entries()), node.span)
    return first_character(packs[0].manifest.name)


def vocabulary_print(selection: Selection) -> str:
    """Changes whenever the meaning of a word may: with every file but those of objects, of which only ids count."""
    parts: list[bytes | str] = []
    for pack in selection.packs:
        for file in pack.files:
            objects = file.node.get("objects") if file.node is not None and file.kind == "objects" else None
            if file.kind != "objects":
                parts.append(file.data)
            elif file.node is not None and objects is not None:
                parts.append(" ".join([file.node.text("kind"), *(name for name, _, _ in objects.entries())]))
    return digest(*parts)


def _say(file: PackFile, findings: Findings) -> dict[str, Any]:
    """What a file said, as JSON but for the problems."""
    return {
        "problems": file.problems + findings.problems,
        "used": sorted(findings.used),
        "calls": findings.calls,
        "triggers": [
            [each.event, each.happens, each.limited, each.label, each.start, each.end] for each in findings.triggers
        ],
        "rounds": [list(each) for each in findings.rounds],
        "departures": [list(each) for each in findings.departures],
        "anywhere": sorted(findings.anywhere),
        "asking": findings.asking,
    }


def _reactions(file: PackFile, triggers: list[Any]) -> Iterator[Reaction]:
    for event, happens, limited, label, start, end in triggers:
        if file.source is not None:
            span = file.source.span(start, end)
            yield Reaction(event_from(event), list(map(event_from, happens)), limited, label, span)
