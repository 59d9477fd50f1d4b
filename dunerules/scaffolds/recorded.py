"""Scenarios that are found by playing: what is started, the answers that are asked for, what becomes different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.files import unsaved
from dunerules.game import Game
from dunerules.scaffolds.objects import counters_of_seats
from dunerules.scaffolds.writing import shown
from dunerules.scenarios.playing import LEFT_OPEN
from dunerules.scenarios.record import read_scenarios
from dunerules.scenarios.run import Outcome, play
from dunerules.scenarios.stage import Book

__all__ = ["Start", "recorded", "recorded_with_means"]

_MOST_ANSWERS = 12
_AMOUNTS = (1, 2, 3, 5, 10)
"""How much a seat is given to pay with, until it is enough."""
_MOST_THINGS = 3
"""How many things a zone is given."""
_YES_AND_NO = {"yes": "true", "no": "false"}
"""As they are written in YAML."""


class Start(NamedTuple):
    """What a scenario begins with: its name, its lines under `given`, what `this` is, and what is run."""

    name: str
    run: str
    given: tuple[tuple[str, str], ...] = ()
    this: str = ""


def recorded(start: Start, path: Path, book: Book) -> str:
    """The text of a file with one scenario that passes and says something; nothing if none is found.

    Questions are answered with their first options, as few as are allowed; if that does nothing, with their last.
    """
    return _answered(start, path, book, first=True) or _answered(start, path, book, first=False)


def recorded_with_means(start: Start, path: Path, book: Book) -> str:
    """The same where an effect has a price: seat 1 is given what it may take, and in the end only what it does take."""
    if not _stands(start, path, book):
        return ""
    things = [*_things(start, path, book)]
    for amount in _AMOUNTS:
        counted = [(f"{name} of seat 1", str(amount)) for name in counters_of_seats(book.rules.words)]
        means = [each for each in counted if _stands(_with(start, [each]), path, book)]
        for given in (means, [*means, *things]):
            text = recorded(_with(start, given), path, book)
            if text:
                return _with_less(start, given, text, path, book)
    return ""


def _with_less(start: Start, given: Sequence[tuple[str, str]], text: str, path: Path, book: Book) -> str:
    """A scenario without those lines under `given` that it does not need."""
    kept = [*given]
    for each in given:
        fewer = [line for line in kept if line != each]
        shorter = recorded(_with(start, fewer), path, book)
        if shorter:
            kept, text = fewer, shorter
    return text


def _things(start: Start, path: Path, book: Book) -> Iterator[tuple[str, str]]:
    """For every zone of seat 1 that is not spoken of yet, a few things that can lie there."""
    words = book.rules.words
    spoken_of = {place for place, _ in start.given}
    used = {start.this.partition(" ")[0]}
    for name, zone in words.zones.items():
        place = f"{name} of seat 1"
        if zone.per != "seat" or zone.joins or place in spoken_of:
            continue
        able = (id_ for id_ in _fitting(name, words) if _stands(_with(start, [(place, f"[{id_}]")]), path, book))
        things = [*islice((id_ for id_ in able if id_ not in used), _MOST_THINGS)]
        if things:
            used.update(things)
            yield place, f"[{', '.join(things)}]"


def _fitting(zone: str, words: Vocabulary) -> list[str]:
    return [id_ for kind in words.zone_kinds(zone) or words.objects for id_ in words.objects.get(kind, ())]


def _with(start: Start, given: Sequence[tuple[str, str]]) -> Start:
    return start._replace(given=(*start.given, *given))


def _stands(start: Start, path: Path, book: Book) -> bool:
    """Whether there is such a position, whatever comes of it."""
    return _played(_text(start, []), path, book)[1] is not None


def _answered(start: Start, path: Path, book: Book, *, first: bool) -> str:
    answers: list[list[str]] = []
    for _ in range(_MOST_ANSWERS):
        outcome, game = _played(_text(start, answers), path, book)
        if outcome is None:
            return ""
        if not any(str(fault).startswith(LEFT_OPEN) for fault in outcome.faults):
            text = _text(start, answers, outcome.got)
            again, _ = _played(text, path, book)
            return text if outcome.got and again is not None and again.passed else ""
        question = game.question if game is not None else None
        if question is None:
            return ""
        names, count = [_YES_AND_NO.get(name, name) for name in map(str, question.names)], max(1, question.low)
        answers.append(names[:count] if first else names[-count:])
    return ""


def _played(text: str, path: Path, book: Book) -> tuple[Outcome | None, Game | None]:
    with unsaved({path: text.encode()}):
        file = read_scenarios(path)
    if not file.scenarios:
        return None, None
    seen: list[Game] = []
    outcome = play(file.scenarios[0], book, seen.append)
    return outcome, seen[-1] if len(seen) > 1 else None


def _text(start: Start, answers: Sequence[Sequence[str]], got: Sequence[str] = ()) -> str:
    lines = ["scenarios:", f"  {shown(start.name)}:"]
    if start.given:
        lines += ["    given:", *(f"      {place}: {value}" for place, value in start.given)]
    if start.this:
        lines.append(f"    this: {start.this}")
    lines.append(f"    start: {shown(start.run)}")
    if answers:
        lines.append("    do:")
        for answer in answers:
            said = _option(answer[0]) if len(answer) == 1 else f"[{', '.join(map(_option, answer))}]"
            lines.append(f"      - {said}")
    if got:
        lines += ["    expect:", *(f"      {line}" for line in got)]
    return "".join(f"{line}\n" for line in lines)


def _option(name: str) -> str:
    return name if name in _YES_AND_NO.values() else shown(name)
