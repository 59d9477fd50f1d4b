"""Checks that need all files of a selection: unused words, reactions that set each other off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dunerules.dsl.types import MOVES
from dunerules.kernel.registry import FACTS, KERNEL_VERBS
from dunerules.nearest import nearest
from dunerules.packs.content import OBJECTS, Content
from dunerules.packs.starts import start_of
from dunerules.problems import Problem, Span, problem
from dunerules.understanding.desk import NOBODY
from dunerules.understanding.happens import ANY_ZONE, Event, may_be, shown_event

__all__ = [
    "Reaction",
    "check_departures",
    "check_fired",
    "check_offered",
    "check_reactions",
    "check_rounds",
    "check_unused",
]


class Reaction:
    """A trigger with its place in a file."""

    __slots__ = ("event", "happens", "label", "limited", "span")

    def __init__(self, event: Event, happens: list[Event], limited: bool, label: str, span: Span) -> None:
        self.event = event
        self.happens = happens
        self.limited = limited
        self.label = label
        self.span = span


def check_unused(declared: Mapping[tuple[str, str], Span], used: set[str]) -> Iterator[Problem]:
    """Verbs and values nobody uses: (section, name) to where they are declared."""
    for (section, name), span in declared.items():
        if name not in used and not (section == "verb" and f"when {name}" in used):
            yield problem("DR612", f"{section} `{name}` is never used", span, expected="a use, or no such definition")


def check_offered(content: Content, used: set[str], reported: set[str]) -> Iterator[Problem]:
    """Groups of moves that nothing offers, a game that is never played, and automated seats that nothing is said of."""
    for entry in content.section("move"):
        groups = entry.node.get("group")
        for group in groups.items() if groups is not None and entry.pack in reported else ():
            if f"offer {group.value}" not in used:
                message = f"nothing ever offers the group of moves `{group.value}`"
                near = nearest(str(group.value), {name[6:] for name in used if name.startswith("offer ")})
                yield problem("DR612", message, group.span, expected=f"`offer {group.value}`", nearest=near)
    flow = content.entries.get(("rule", "", "flow"))
    if content.game is not None and content.game.source.pack in reported and flow is None:
        yield problem("DR102", "a game without a `flow`", content.game.span, expected="`flow:` in rules.yaml")
    tables = content.game.get("tables") if content.game is not None else None
    if tables is not None and tables.source.pack in reported and not content.automaton and "automated" not in used:
        expected = "rules under `automaton:` in rules.yaml, or `automated` in a text"
        yield problem("DR102", "nothing says what automated seats do", tables.span, expected=expected)
    if flow is not None and flow.pack in reported and content.game is None:
        yield problem("DR102", "a `flow` without a game.yaml", flow.key.span, expected="game.yaml with the seats")


def check_reactions(reactions: list[Reaction], calls: Mapping[str, list[Event]]) -> Iterator[Problem]:
    """Circles of unlimited reactions: each would set off the next for ever."""
    reached = [_reach(reaction.happens, calls) for reaction in reactions]
    following = [
        [
            j
            for j, other in enumerate(reactions)
            if not other.limited and any(may_be(other.event, event) for event in events)
        ]
        for events in reached
    ]
    told: set[frozenset[int]] = set()
    for start, reaction in enumerate(reactions):
        circle = None if reaction.limited else _circle(start, following)
        if circle is None or frozenset(circle) in told:
            continue
        told.add(frozenset(circle))
        names = " -> ".join(f"{reactions[i].label} ({shown_event(reactions[i].event)})" for i in [*circle, start])
        yield problem(
            "DR613",
            f"reactions that set each other off without end: {names}",
            reaction.span,
            expected="`limit:` on one of them, such as `1 per turn`",
            related=tuple((reactions[i].span, "part of the circle") for i in circle if i != start),
        )


def check_fired(waiting: list[tuple[str, list[str], Span]], done: set[str], content: Content) -> Iterator[Problem]:
    """Abilities that can never fire: nothing does what they wait for, or nothing ever lies where they are active."""
    verbs = {each.partition(" ")[0] for each in done}
    reached = {each.removeprefix("to ") for each in done if each.startswith("to ")}
    reached |= {start_of(each.node).zone for each in content.section(OBJECTS)}
    reached |= {each.id for each in content.section("zone") if each.node.get("refill") is not None}
    for event, zones, span in waiting:
        verb = event.partition(" ")[0]
        if event and verb not in (done if event != verb else verbs) and event not in done:
            yield problem("DR618", f"nothing ever does `{event}`", span, expected="an effect that does it")
        if zones and ANY_ZONE not in done and reached.isdisjoint(zones):
            where = " or ".join(f"`{zone}`" for zone in zones)
            yield problem("DR618", f"nothing ever comes to {where}", span, expected="an effect that moves things there")


def check_rounds(rounds: list[tuple[list[Event], Span]], calls: Mapping[str, list[Event]]) -> Iterator[Problem]:
    """`around` without a way to pass. What a slot does is not known before, so it may pass."""
    for events, span in rounds:
        reached = {verb for verb, _ in _reach(events, calls)}
        if not any(FACTS[verb].passes or FACTS[verb].runs for verb in reached & FACTS.keys()):
            expected = "`may { offer ... }` in it, or the verb `pass`"
            yield problem("DR615", "`around` that nobody can leave: no seat ever passes", span, expected=expected)


def check_departures(
    left: list[tuple[str, str, Span]], calls: Mapping[str, list[Event]], anywhere: set[str]
) -> Iterator[Problem]:
    """Procedures that are left where they never can be running."""
    free = {verb for verb, _ in _reach([(name, ()) for name in anywhere], calls)}
    for of, name, span in left:
        inside = {name, *(verb for verb, _ in _reach(calls.get(name, []), calls))}
        if of and of not in inside and of not in free:
            where = "here" if of == NOBODY else f"in `{of}`"
            message = f"`leave {name}` where `{name}` never can be running: {where}"
            yield problem("DR615", message, span, expected=f"a part of `{name}`, or what it calls")


def _reach(events: list[Event], calls: Mapping[str, list[Event]]) -> set[Event]:
    """All events that follow from some, through the verbs of packs."""
    found: set[Event] = set()
    waiting = list(events)
    while waiting:
        event = waiting.pop()
        if event not in found:
            found.add(event)
            names = [f"offer {group}" for group in _offered(event)] or [event[0]]
            waiting += [each for name in names for each in calls.get(name, [])]
    return found


def _offered(event: Event) -> Iterator[str]:
    """The groups of moves that a verb of the kernel offers."""
    verb, about = KERNEL_VERBS.get(event[0]), dict(event[1])
    for parameter in verb.parameters if verb is not None else ():
        if MOVES in parameter.types:
            yield from about.get(parameter.name, ())


def _circle(start: int, following: list[list[int]]) -> list[int] | None:
    """The shortest way from a reaction back to itself."""
    before: dict[int, int] = {}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        for there in following[here]:
            if there == start:
                path = [here]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if there not in before:
                before[there] = here
                waiting.append(there)
    return None
