"""Scenarios that are found by playing: what is started, the answers that are asked for, what becomes different."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dunerules.files import unsaved
from dunerules.game import Game
from dunerules.scaffolds.writing import shown
from dunerules.scenarios.playing import LEFT_OPEN
from dunerules.scenarios.record import read_scenarios
from dunerules.scenarios.run import Outcome, play
from dunerules.scenarios.stage import Book

__all__ = ["Start", "recorded"]

_MOST_ANSWERS = 12
_YES_AND_NO = {"yes": "true", "no": "false"}
"""As they are written in YAML."""


class Start(NamedTuple):
    """What a scenario begins with: its name, what lies where, what `this` is, and what is run."""

    name: str
    run: str
    given: tuple[tuple[str, str], ...] = ()
    this: str = ""


def recorded(start: Start, path: Path, book: Book) -> str:
    """The text of a file with one scenario that passes and says something; nothing if none is found.

    Questions are answered with their first options, as few as are allowed; if that does nothing, with their last.
    """
    return _answered(start, path, book, first=True) or _answered(start, path, book, first=False)


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
        lines += ["    given:", *(f"      {place}: [{thing}]" for place, thing in start.given)]
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
