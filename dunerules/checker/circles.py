"""What comes back to itself, found when all files have been read: values, slots and modifiers that ask for themselves,
and effects that always run themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dunerules.dsl.asking import ANY_OBJECT
from dunerules.kernel.registry import FACTS
from dunerules.packs.content import OBJECTS, Content
from dunerules.problems import Problem, Span, problem

__all__ = ["Asking", "Askings", "Running", "check_asking", "check_running"]


_ENDING = frozenset(name for name, facts in FACTS.items() if facts.over)
"""Verbs that end more than their own effect."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A text that something is worked out by: what it is part of, what it asks, who has it, and where it stands."""

    part_of: str
    asks: tuple[str, ...]
    by: str
    """The holder of a modifier; empty for a definition."""
    span: Span


@dataclass(slots=True)
class Askings:
    """All texts that something is worked out by, as they are read."""

    definitions: dict[str, Asking | None] = field(default_factory=dict)
    """By what they are part of; nothing for what asks for nothing. A patched one counts as the last pack says it."""
    modifiers: list[Asking] = field(default_factory=list)

    def add(self, told: Iterable[tuple[str, Iterable[str], str, Any]], span: Callable[[Any], Span]) -> None:
        """What texts ask for: part of what, asks, holder, and the place, whose `span` is worked out if it matters."""
        for part_of, asks, by, place in told:
            text = Asking(part_of, tuple(asks), by, span(place)) if asks else None
            if not by:
                self.definitions[part_of] = text
            elif text is not None:
                self.modifiers.append(text)


def check_asking(texts: Askings) -> Iterator[Problem]:
    """Circles of definitions, each once, and every modifier that comes back to what it modifies."""
    definitions = [text for text in texts.definitions.values() if text is not None]
    modifiers = texts.modifiers
    told: set[str] = set()
    graph = _graph(definitions)
    for text in definitions:
        circle = None if text.part_of in told else _shortest(text, graph)
        if circle is not None:
            told |= set(circle)
            yield _problem(f"{_shown(circle[0])} asks for itself", circle, text)
    graph = _graph([*definitions, *modifiers])
    for text in modifiers:
        circle = _shortest(text, graph)
        if circle is not None and not told & set(circle):
            yield _problem(f"a modifier of `{text.by}` asks for what it modifies", circle, text)


@dataclass(frozen=True, slots=True)
class Running:
    """An effect in a slot: of what, and the slots that it always runs, each with whether something comes before."""

    slot: str
    runs: list[tuple[str, bool]]
    span: Span


def check_running(effects: list[Running], done: set[str], content: Content) -> Iterator[Problem]:
    """Effects that always run themselves. What comes before may end it, if anything ever ends a game or procedure."""
    unstopped = not done & _ENDING and ("rule", "", "end") not in content.entries
    now = [each for each in effects if _as_played(each, content)]
    texts = [
        Asking(each.slot, tuple(slot for slot, later in each.runs if unstopped or not later), "", each.span)
        for each in now
    ]
    told: set[str] = set()
    graph = _graph(texts)
    for text in texts:
        circle = None if text.part_of in told else _shortest(text, graph)
        if circle is not None:
            told |= set(circle)
            way = " -> ".join(map(_shown, circle))
            message = f"{_shown(circle[0])} always runs itself: {way}"
            yield problem("DR619", message, text.span, expected="a condition or a choice on the way")


def _as_played(effect: Running, content: Content) -> bool:
    """Whether an effect is not patched away."""
    kind, _, rest = effect.slot.removeprefix("slot ").partition("/")
    id_, _, slot = rest.partition(" ")
    entry = content.entries.get((OBJECTS, kind, id_))
    node = entry.node.get(slot) if entry is not None else None
    return node is not None and node.span == effect.span


def _problem(what: str, circle: list[str], text: Asking) -> Problem:
    way = " -> ".join(map(_shown, circle))
    return problem("DR208", f"{what}: {way}", text.span, expected="something worked out by other things")


def _graph(texts: list[Asking]) -> dict[str, list[str]]:
    """What asks for what, of all that could be in a circle."""
    graph: dict[str, dict[str, None]] = {}
    for text in texts:
        graph.setdefault(text.part_of, {}).update(dict.fromkeys(text.asks))
    for name in list(graph):
        sort, _, rest = name.partition(" ")
        if sort == "slot":
            kind, slot = rest.partition("/")[0], rest.rpartition(" ")[2]
            graph.setdefault(f"slot {kind}/{ANY_OBJECT} {slot}", {})[name] = None
    while True:
        ends = {name for name, asks in graph.items() if not any(each in graph for each in asks)}
        if not ends:
            return {name: [each for each in asks if each in graph] for name, asks in graph.items()}
        graph = {name: asks for name, asks in graph.items() if name not in ends}


def _shortest(text: Asking, graph: Mapping[str, list[str]]) -> list[str] | None:
    """The shortest way from what a text is part of, by what it asks, back to it."""
    waiting = [[text.part_of, each] for each in text.asks if each in graph]
    seen: set[str] = set()
    for path in waiting:
        if path[-1] == text.part_of:
            return path
        for each in graph[path[-1]]:
            if each not in seen:
                seen.add(each)
                waiting.append([*path, each])
    return None


def _shown(name: str) -> str:
    sort, _, rest = name.partition(" ")
    if sort == "value":
        return f"`{rest}`"
    kind, _, owner = rest.partition("/")
    id_, _, slot = owner.partition(" ")
    return f"`{slot}` of {f'any {kind}' if id_ == ANY_OBJECT else f'`{id_}`'}"
