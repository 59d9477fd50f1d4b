"""Scenarios played by the reference: the same files, the same answers by name, the same whole difference expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.packs.nodes import Node
from dunerules.scenarios.addresses import Addresses
from dunerules.scenarios.answers import chosen, matching, text_of
from dunerules.scenarios.difference import differ
from dunerules.scenarios.expect import Comparison
from dunerules.scenarios.record import Scenario
from tests.reference.matching import Matching
from tests.reference.play import Playing
from tests.reference.starts import Book, Start
from tests.reference.state import Label, Question

__all__ = ["faults_of"]

_UNSEEN = "?"
"""A thing that a seat does not know."""


def faults_of(book: Book, scenario: Scenario) -> Iterator[str]:
    """What is wrong when the reference plays a scenario. Steps may be answers, `only_offered`, `sees` and `hides`."""
    start = Start(book, scenario)
    before, addresses, pair = start.position, start.addresses, start.matching
    playing = start.shadow().playing()
    text = str(scenario.starts[0].value)
    for step in scenario.steps:
        if step.get("sees") or step.get("hides"):
            yield from _looks(playing, pair, start.addresses, step)
            continue
        offered = step.get("only_offered")
        names = [text_of(each) for each in (offered or step).items()]
        _go_on(playing, names, pair, text)
        if playing.question is None:
            yield "nobody is asked anything any more"
            return
        shown = _names(pair, playing.question, text)
        if offered is None:
            playing.answer([playing.question.options[number] for number in chosen(step, shown)])
        elif set(names) != set(_counted(shown) if any("#" in name for name in names) else shown):
            yield f"offered are {shown}"
    if not scenario.open:
        _go_on(playing, None, pair, text)
    if (playing.question is not None) != scenario.open:
        yield f"a decision is left open: {playing.question}" if playing.question else "no decision is open at the end"
    after = before.clone()
    pair.back(playing.g.state, after)
    comparison = Comparison(differ(before, after, addresses, over=after.result is not None), after, addresses)
    yield from map(str, comparison.wrong(scenario.expect))
    yield from comparison.unmentioned(scenario.ignored)


def _looks(playing: Playing, pair: Matching, addresses: Addresses, step: Node) -> Iterator[str]:
    """What is wrong with what seats see of zones: things by name and in order. Where nothing lies nothing is hidden."""
    for check, _, seats in step.entries():
        for seat, _, said in seats.entries():
            wanted: dict[str, list[Any] | None]
            if check == "hides":
                wanted = {str(zone.value): None for zone in said.items()}
            else:
                zones = [(zone, things) for zone, _, things in said.entries() if things.kind == "list"]  # or a counter
                wanted = {zone: [each.value for each in things.items()] for zone, things in zones}
            for zone, things in wanted.items():
                lying = playing.g.state.zones[pair.zones[addresses.zone(zone, seat)]]
                got = [_seen(playing, pair, int(seat.split()[1]) - 1, thing) for thing in lying]
                if got != things and not (things is None and set(got) == {_UNSEEN}):
                    yield f"{seat} sees {got} of {zone}, and should see {things or 'nothing'}"


def _seen(playing: Playing, pair: Matching, seat: int, thing: int) -> str:
    return pair.table.copies[thing].id if playing.g.sees(seat, thing) else _UNSEEN


def _go_on(playing: Playing, wanted: list[str] | None, pair: Matching, text: str) -> None:
    """Answer what has one answer only, up to a question that a step is about."""
    while (question := playing.question) is not None:
        forced = question.low == question.high == len(question.options)
        shown = _names(pair, question, text)
        if not forced or (wanted is not None and all(matching(name, shown) for name in wanted)):
            return
        playing.answer(list(question.options))


def _names(pair: Matching, question: Question, text: str) -> list[str]:
    """The options of a question as scenarios name them."""
    return [_name(pair, question, option, text) for option in question.options]


def _counted(names: list[str]) -> list[str]:
    """The same, with equal ones counted on: `coin`, `coin #2`."""
    often = [names[: number + 1].count(name) for number, name in enumerate(names)]
    return [name if count == 1 else f"{name} #{count}" for name, count in zip(names, often, strict=True)]


def _name(pair: Matching, question: Question, option: Any, text: str) -> str:
    if question.kind == "choose":
        start, end = question.bodies[option].span
        return text[start:end]
    if isinstance(option, Label):
        return option.id
    if isinstance(option, int) and question.kind == "thing":
        return pair.table.copies[option].id
    if question.kind == "blind":
        _, pile, place = option
        return f"{pair.names.zone(pair.zones.index(pile))} at {place}"
    return str(option)
