"""One check from start to end: packs in, problems out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from dunerules.catalog import errors_in
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
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem, Span, first_character, problem
from dunerules.understanding.desk import Findings
from dunerules.understanding.happens import Event, event_from
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
    packs, desk = understanding.packs, understanding.desk()
    vocabulary = vocabulary_print(packs)
    problems = list(understanding.problems)
    used: set[str] = set()
    reactions: list[Reaction] = []
    calls: dict[str, list[Event]] = {}
    asking = Askings()
    running: list[Running] = []
    anywhere: set[str] = set()
    rounds: list[tuple[list[Event], Span]] = []
    left: list[tuple[str, str, Span]] = []
    done: set[str] = set()
    waiting: list[tuple[str, list[str], Span]] = []
    for pack in packs:
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
            done |= set(said["done"])
            if file.source is not None:
                asking.add(file.source, said["asking"])
                running += [
                    Running(of, list(map(tuple, slots)), file.source.span(*span))
                    for of, slots, *span in said["running"]
                ]
                for events, start, end in said["rounds"]:
                    rounds.append((list(map(event_from, events)), file.source.span(start, end)))
                waiting += [(event, zones, file.source.span(*span)) for event, zones, *span in said["waiting"]]
                left += [(of, name, file.source.span(start, end)) for of, name, start, end in said["departures"]]
    declared = {
        (entry.section, entry.id): entry.key.span
        for section in ("verb", "value")
        for entry in understanding.content.section(section)
        if entry.pack in reported
    }
    problems += check_unused(declared, used)
    problems += check_sound(understanding)
    problems += check_offered(understanding.content, used, reported)
    problems += check_reactions(reactions, calls)
    problems += [*check_rounds(rounds, calls), *check_departures(left, calls, anywhere)]
    if not any(found.code == "DR208" for found in problems):
        problems += check_asking(asking)
    if all_is_read(problems):
        problems += check_fired(waiting, done, understanding.content)
    problems += check_running(running, done, understanding.content)
    own = [pack for pack in packs if pack.id in reported]
    names = {file.name for pack in own for file in (*pack.files, pack.manifest)}
    elsewhere = [found for found in problems if found.span.file not in names]
    return [*(found for found in problems if found.span.file in names), *_broken_elsewhere(packs, own, elsewhere)]


def _broken_elsewhere(packs: tuple[Pack, ...], own: list[Pack], elsewhere: list[Problem]) -> Iterator[Problem]:
    """What these packs make wrong in packs they are used with: errors that none of those has by itself."""
    wrong = errors_in(elsewhere)
    if not wrong:
        return
    others = [pack for pack in packs if pack not in own]
    before = [found for pack in others for found in check_selection(_required(packs, pack), {pack.id})]
    for found in [found for found in wrong if found not in before]:
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
        "done": sorted(findings.done),
        "waiting": [list(each) for each in findings.waiting],
        "running": [list(each) for each in findings.running],
        "asking": findings.asking,
    }


def _reactions(file: PackFile, triggers: list[Any]) -> Iterator[Reaction]:
    for event, happens, limited, label, start, end in triggers:
        if file.source is not None:
            span = file.source.span(start, end)
            yield Reaction(event_from(event), list(map(event_from, happens)), limited, label, span)
