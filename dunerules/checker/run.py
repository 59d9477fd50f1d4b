"""One check from start to end: packs in, problems out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from dunerules.catalog import errors_in
from dunerules.checker.blame import blamed, removed_by, told_removed
from dunerules.checker.circles import Askings, Running, check_asking, check_running
from dunerules.checker.ignores import all_is_read
from dunerules.checker.modeline import check_modelines
from dunerules.checker.sound import check_sound
from dunerules.checker.whole import (
    Reaction,
    check_departures,
    check_fired,
    check_offered,
    check_reactions,
    check_rounds,
    check_unused,
)
from dunerules.digests import digest
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, first_character, problem
from dunerules.understanding.desk import Findings
from dunerules.understanding.happens import Event, event_from
from dunerules.understanding.patched import read_entry
from dunerules.understanding.readers import read_file
from dunerules.understanding.understand import Understanding, understand

__all__ = ["Memory", "check_selection", "check_understanding", "vocabulary_print"]


class Memory(Protocol):
    """Remembers what files said under a vocabulary."""

    def read(self, file: PackFile, vocabulary: str) -> dict[str, Any]:
        """What a file said, or nothing."""

    def write(self, file: PackFile, vocabulary: str, said: dict[str, Any]) -> None:
        """Remember what a file said."""


def check_selection(selection: Selection, reported: set[str], memory: Memory | None = None) -> list[Problem]:
    """All problems in the files of the packs `reported`, as parts of a selection."""
    return check_understanding(understand(selection), reported, memory)


def check_understanding(
    understanding: Understanding, reported: set[str], memory: Memory | None = None
) -> list[Problem]:
    """The same of packs that are understood already."""
    packs, content, desk = understanding.packs, understanding.content, understanding.desk()
    patched = [entry for entry in content.entries.values() if entry.changes]
    desk.skipped = frozenset(id(entry.key) for entry in (*patched, *content.removed.values()))
    vocabulary = vocabulary_print(packs)
    told = _Told([*understanding.problems])
    for pack in packs:
        told.problems += [*pack.manifest.problems, *check_modelines(pack)]
        for file in pack.files:
            said = memory.read(file, vocabulary) if memory is not None else {}
            if not said:
                findings = read_file(file, desk)
                said = {**_say(findings, _offsets), "problems": file.problems + findings.problems}
                if memory is not None:
                    memory.write(file, vocabulary, said)
            told.add(said, _spans(file))
    desk.skipped, blame = frozenset(), dict[Problem, Span]()
    for entry in patched:
        desk.findings = Findings()
        read_entry(entry, desk)
        blame.update((found, blamed(entry, found)) for found in desk.findings.problems)
        told.add({**_say(desk.findings, _span), "problems": desk.findings.problems}, _itself)
    declared = {
        (entry.section, entry.id): entry.key.span
        for section in ("verb", "value")
        for entry in content.section(section)
        if entry.pack in reported
    }
    problems = [*told.problems, *check_unused(declared, told.used)]
    problems += check_sound(understanding)
    problems += check_offered(content, told.used, reported)
    problems += check_reactions(told.reactions, told.calls)
    problems += [*check_rounds(told.rounds, told.calls), *check_departures(told.left, told.calls, told.anywhere)]
    if not any(found.code == "DR208" for found in problems):
        problems += check_asking(told.asking)
    if all_is_read(problems):
        problems += check_fired(told.waiting, told.done, content)
    problems += check_running(told.running, told.done, content)
    own = [pack for pack in packs if pack.id in reported]
    names = {file.name for pack in own for file in (*pack.files, pack.manifest)}
    elsewhere = [found for found in problems if found.span.file not in names]
    ours = [told_removed(found, content) for found in problems if found.span.file in names]
    return [*ours, *_broken_elsewhere(understanding, own, elsewhere, blame)]


@dataclass
class _Told:
    """What all files and patched definitions told, put together."""

    problems: list[Problem]
    used: set[str] = field(default_factory=set)
    reactions: list[Reaction] = field(default_factory=list)
    calls: dict[str, list[Event]] = field(default_factory=dict)
    asking: Askings = field(default_factory=Askings)
    running: list[Running] = field(default_factory=list)
    anywhere: set[str] = field(default_factory=set)
    rounds: list[tuple[list[Event], Span]] = field(default_factory=list)
    left: list[tuple[str, str, Span]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    waiting: list[tuple[str, list[str], Span]] = field(default_factory=list)

    def add(self, said: dict[str, Any], span: Callable[[Any], Span]) -> None:
        """What one of them said; `span` is where something stands that it tells the place of."""
        self.problems += said["problems"]
        self.used |= set(said["used"])
        for name, events in said["calls"].items():
            more = self.calls.get(name, []) if name.startswith("offer ") else []
            self.calls[name] = [*more, *map(event_from, events)]
        for event, happens, limited, label, place in said["triggers"]:
            self.reactions.append(
                Reaction(event_from(event), list(map(event_from, happens)), limited, label, span(place))
            )
        self.anywhere |= set(said["anywhere"])
        self.done |= set(said["done"])
        self.asking.add(said["asking"], span)
        self.running += [Running(of, list(map(tuple, slots)), span(place)) for of, slots, place in said["running"]]
        self.rounds += [(list(map(event_from, events)), span(place)) for events, place in said["rounds"]]
        self.waiting += [(event, zones, span(place)) for event, zones, place in said["waiting"]]
        self.left += [(of, name, span(place)) for of, name, place in said["departures"]]


def _spans(file: PackFile) -> Callable[[Any], Span]:
    source = file.source
    return lambda place: source.span(*place) if source is not None else first_character(file.name)


def _offsets(node: Node) -> tuple[int, int]:
    return node.start, node.end


def _span(node: Node) -> Span:
    return node.span


def _itself(span: Span) -> Span:
    return span


def _broken_elsewhere(
    understanding: Understanding, own: list[Pack], elsewhere: list[Problem], blame: dict[Problem, Span]
) -> Iterator[Problem]:
    """What these packs make wrong in packs they are used with: errors that none of those has by itself."""
    packs, wrong = understanding.packs, errors_in(elsewhere)
    files = {file.name for pack in own for file in pack.files}
    if not wrong:
        return
    others = [pack for pack in packs if pack not in own]
    before = [found for pack in others for found in check_selection(_required(packs, pack), {pack.id})]
    for found in [found for found in wrong if found not in before]:
        if found in blame and blame[found].file in files:
            message, related = f"as it is patched here: {found.message}", (*found.related, (found.span, "said here"))
            yield replace(found, message=message, span=blame[found], edits=(), related=related)
            continue
        remover = removed_by(found, understanding.content)
        if remover is not None and remover.span.file in files:
            message = f"`{found.span.file}` still uses what is removed here: {found.message}"
            yield problem(
                "DR209", message, remover.span, expected="a patch of that too", related=((found.span, "used here"),)
            )
            continue
        message = f"with this pack, `{found.span.file}` says something wrong: {found.message}"
        related = ((found.span, found.code),)
        expected = "a pack that leaves others whole"
        yield problem("DR209", message, _responsible(own), expected=expected, related=related)


def _required(packs: tuple[Pack, ...], pack: Pack) -> Selection:
    """One of some packs with all it requires."""
    by_id, wanted, waiting = {each.id: each for each in packs}, {pack.id}, [pack]
    while waiting:
        for id_ in waiting.pop().ranges("requires").keys() & by_id.keys() - wanted:
            wanted.add(id_)
            waiting.append(by_id[id_])
    return Selection(tuple(each for each in packs if each.id in wanted))


def _responsible(packs: list[Pack]) -> Span:
    """Where packs change what others say: the first patch, or else what they require."""
    patches = [file.node for pack in packs for file in pack.files if file.kind == "patches" and file.node is not None]
    manifests = [pack.manifest.node for pack in packs if pack.manifest.node is not None]
    required = [found for node in manifests if (found := node.get("requires")) is not None]
    for node in (*patches, *required):
        return next((key.span for _, key, _ in node.entries()), node.span)
    return first_character(packs[0].manifest.name)


def vocabulary_print(packs: Iterable[Pack]) -> str:
    """Changes whenever the meaning of a word may: with every file but those of objects, of which only ids count."""
    parts: list[bytes | str] = []
    for pack in packs:
        for file in pack.files:
            objects = file.node.get("objects") if file.node is not None and file.kind == "objects" else None
            if file.kind != "objects":
                parts.append(file.data)
            elif file.node is not None and objects is not None:
                parts.append(" ".join([file.node.text("kind"), *(name for name, _, _ in objects.entries())]))
    return digest(*parts)


def _say(findings: Findings, place: Callable[[Node], Any]) -> dict[str, Any]:
    """What was found but for the problems, as JSON if places are."""
    return {
        "used": sorted(findings.used),
        "calls": findings.calls,
        "triggers": [
            [each.event, each.happens, each.limited, each.label, place(each.node)] for each in findings.triggers
        ],
        "rounds": [[events, place(node)] for events, node in findings.rounds],
        "departures": [[of, name, place(node)] for of, name, node in findings.departures],
        "anywhere": sorted(findings.anywhere),
        "done": sorted(findings.done),
        "waiting": [[event, zones, place(node)] for event, zones, node in findings.waiting],
        "running": [[of, slots, place(node)] for of, slots, node in findings.running],
        "asking": [[of, asks, by, place(node)] for of, asks, by, node in findings.asking],
    }
