"""What makes a game: packs, table, seed, and the answers, by number and by name.

The number of an option may change with the engine, its name does not. So a game can be played again by names when the
numbers no longer fit. Options of one question that have equal names are told apart by their order: `coin`, `coin #2`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dunerules import __version__
from dunerules.formats import same_line
from dunerules.kept import Data
from dunerules.problems import CannotRunError
from dunerules.runtime.names import Names
from dunerules.runtime.state import Decision, State

__all__ = [
    "Answers",
    "Chosen",
    "Course",
    "GoneError",
    "answer_again",
    "answers_of",
    "course_of",
    "names_of",
    "numbers_given",
    "position",
]

Answers: TypeAlias = tuple[tuple[int, ...], ...]
"""For every answer the seat that gave it, and the numbers of the options."""

Chosen: TypeAlias = tuple[tuple[str, ...], ...]
"""For every answer the names of the options."""

MOST_ANSWERS = 1_000_000
MOST_SEATS = 99


@dataclass(frozen=True, kw_only=True)
class Course:
    """A game from its start to where it is. Equal courses are equal games."""

    version: str
    locks: dict[str, str]
    packs: dict[str, str]
    """The versions of the packs; none if they were not written down."""
    seats: int
    automated: int
    options: dict[str, str]
    seed: int
    answers: Answers
    chosen: Chosen
    """None if they were not written down."""
    held: tuple[str, ...] = ()
    """Things that somebody holds from the start: `coin in hand of seat 1`."""

    def foreign(self, locks: Mapping[str, str]) -> str:
        """Why this is no game of packs with these locks, played by this engine; nothing if it is."""
        if not same_line(self.version, __version__):
            return f"was made by dunerules {self.version[:40]}, this is {__version__}"
        if self.locks == locks:
            return ""
        names = sorted(self.locks.keys() ^ locks.keys()) or [
            name for name, lock in sorted(self.locks.items()) if locks[name] != lock
        ]
        return f"was made with other packs, or other versions of them: {', '.join(names)}"


# ---- names of options


def names_of(names: Names, decision: Decision) -> tuple[str, ...]:
    """A name for every option of a decision, each another one. They are thought of once."""
    if decision.labels is None:
        seen: Counter[str] = Counter()
        labels = []
        for option in decision.options:
            name = names.option(option, decision.kind)
            seen[name] += 1
            labels.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
        decision.labels = tuple(labels)
    return decision.labels


class GoneError(Exception):
    """An answer that cannot be given any more; the message says which, and why."""


def answer_again(names: Names, state: State, course: Course, number: int, *, by_name: bool) -> tuple[int, ...]:
    """The numbers to give answer `number` of a course with, counted from 0, in the state that it was given in.

    `by_name` finds them by their names; otherwise they are those of the course, and the names must fit.
    """
    seat, *numbers = course.answers[number]
    which = f"answer {number + 1}, by seat {seat + 1}"
    decision = next((each for each in state.asked() if each.seat == seat), None)
    if decision is None:
        raise GoneError(f"{which}: nothing is asked of this seat")
    if not course.chosen:
        return tuple(numbers)
    offered, chosen = names_of(names, decision), course.chosen[number]
    gone = [f"`{name[:80]}`" for name in chosen if name not in offered]
    if gone:
        raise GoneError(f"{which}: {', '.join(gone)} is not offered")
    found = tuple(map(offered.index, chosen))
    if not by_name and list(found) != numbers:
        raise GoneError(f"{which}: option {numbers} is not {', '.join(chosen)}")
    return found


# ---- answers of a state


def answers_of(names: Names, state: State) -> tuple[Answers, Chosen] | None:
    """The answers that made a state, and their names; nothing if it was not come to by answers alone.

    A game without a log has kept the numbers alone, so there are no names.
    """
    if state.given is None:
        return None
    answers: list[tuple[int, ...]] = []
    chosen: list[tuple[str, ...]] = []
    link = state.given
    while len(link) == 3:
        link, asked, given = link
        if isinstance(asked, int):
            answers.append((asked, *given))
        else:
            labels = names_of(names, asked)
            answers.append((asked.seat, *given))
            chosen.append(tuple(labels[number] for number in given))
    before, named = link or ((), ())  # a loaded state begins with the answers it was saved with
    every = (*named, *reversed(chosen)) if len(chosen) == len(answers) and len(named) == len(before) else ()
    return (*before, *reversed(answers)), every


def numbers_given(state: State) -> list[tuple[int, ...]] | None:
    """The answers that made a state by seat and number; nothing if it was not come to by answers alone."""
    if state.given is None:
        return None
    found: list[tuple[int, ...]] = []
    link = state.given
    while len(link) == 3:
        link, asked, given = link
        found.append((asked if isinstance(asked, int) else asked.seat, *given))
    return [*(link[0] if link else ()), *reversed(found)]


def position(names: Names, state: State) -> str:
    """A fingerprint of what lies on the table and what is asked, by names alone: no engine's numbers are in it."""
    layout, cells = names.layout, state.cells
    counters = {
        names.cell(number): names.cell_value(name, cells[number])
        for name, each in layout.cells.items()
        for number in range(each.base, each.base + each.size)
    }
    pools = (range(each.base, each.base + each.size) for each in layout.pools.values())
    said = {
        "counters": counters,
        "pieces": {names.cell(number): cells[number] for pool in pools for number in pool},
        "zones": {names.zone(number): [*map(names.object, pile)] for number, pile in enumerate(state.zones)},
        "asked": [[each.seat, each.low, each.high, sorted(names_of(names, each))] for each in state.asked()],
        "result": state.result,
    }
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


# ---- reading


def course_of(kind: str, data: Data) -> dict[str, Any]:
    """The fields of a course from opened data. Every type and length is asked for: a right checksum proves nothing."""

    def must(holds: bool, what: str) -> None:
        if not holds:
            raise CannotRunError(f"this {kind} is damaged: {what}")

    def texts(key: str) -> dict[str, str]:
        found: Any = data.get(key)
        must(isinstance(found, dict) and all(isinstance(value, str) for value in found.values()), f"it has no {key}")
        return dict(found)

    def number(key: str, low: int, high: int) -> int:
        found: Any = data.get(key)
        must(type(found) is int and low <= found <= high, f"it has no {key}")
        return int(found)

    must(isinstance(data.get("version"), str), "it does not say which version wrote it")
    must(type(data.get("seed")) is int, "it has no seed")
    locks, packs, seats = texts("locks"), texts("packs"), number("seats", 1, MOST_SEATS)
    must(not packs or packs.keys() == locks.keys(), "its packs and their locks do not fit each other")
    answers: Any = data.get("answers")
    chosen: Any = data.get("chosen")
    if answers is chosen is None:  # a position that was not come to by answers alone
        answers, chosen = [], []
    must(isinstance(answers, list) and len(answers) <= MOST_ANSWERS, "it has no answers")
    must(all(_is_answer(each, seats) for each in answers), "it has an answer that nobody can have given")
    must(isinstance(chosen, list) and len(chosen) in {0, len(answers)}, "its answers and their names do not fit")
    for given, named in zip(answers, chosen, strict=False):
        fits = isinstance(named, list) and len(named) == len(given) - 1 and all(isinstance(each, str) for each in named)
        must(fits, "its answers and their names do not fit each other")
    held: Any = data.get("held", [])
    must(isinstance(held, list) and all(isinstance(each, str) for each in held), "it does not say what is held")
    return {
        "version": data["version"],
        "locks": locks,
        "packs": packs,
        "seats": seats,
        "automated": number("automated", 0, seats - 1),
        "options": texts("options"),
        "seed": data["seed"],
        "answers": tuple(map(tuple, answers)),
        "chosen": tuple(map(tuple, chosen)),
        "held": tuple(held),
    }


def _is_answer(data: Any, seats: int) -> bool:
    """Whether some JSON is a seat and the numbers of options."""
    numbers = isinstance(data, list) and bool(data) and all(type(each) is int and each >= 0 for each in data)
    return numbers and data[0] < seats
