"""Scenarios played by the reference: the same files, the same answers by name, the same whole difference expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dunerules.scenarios.answers import chosen
from dunerules.scenarios.difference import differ
from dunerules.scenarios.expect import Comparison
from dunerules.scenarios.record import Scenario
from tests.reference.matching import Matching
from tests.reference.starts import Book, Start
from tests.reference.state import Label, Question

__all__ = ["faults_of"]


def faults_of(book: Book, scenario: Scenario) -> Iterator[str]:
    """What is wrong when the reference plays a scenario. Steps may be answers and `only_offered`."""
    start = Start(book, scenario)
    before, addresses, pair = start.position, start.addresses, start.matching
    playing = start.reference()
    for step in scenario.steps:
        question = playing.question
        if question is None:
            yield "nobody is asked anything any more"
            return
        shown = [_name(pair, question, option) for option in question.options]
        offered = step.get("only_offered")
        if offered is not None:
            wanted = {str(each.value) for each in offered.items()}
            if wanted != set(shown):
                yield f"offered are {shown}"
            continue
        playing.answer([question.options[number] for number in chosen(step, shown)])
    if playing.question is not None and not _forced(playing.question):
        yield f"a decision is left open: {playing.question}"
    after = before.clone()
    pair.back(playing.g.state, after)
    comparison = Comparison(differ(before, after, addresses, over=after.result is not None), after, addresses)
    yield from map(str, comparison.wrong(scenario.expect))
    yield from comparison.unmentioned(scenario.ignore)


def _forced(question: Question) -> bool:
    return question.low == question.high == len(question.options)


def _name(pair: Matching, question: Question, option: Any) -> str:
    """An option as scenarios name it."""
    if isinstance(option, Label):
        return option.id
    if isinstance(option, int) and question.kind == "thing":
        return pair.table.copies[option].id
    return str(option)
