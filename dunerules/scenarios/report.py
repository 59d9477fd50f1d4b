"""Outcomes for people: a line a scenario, and for a failed one what was given, done, expected and got."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dunerules.problems import Problem
from dunerules.scenarios.record import shown_value
from dunerules.scenarios.run import Outcome

__all__ = ["shown_failure", "shown_problem"]

_WIDTH = 10
_OWN_LINE = re.compile(r"\n(?=  )")
"""Further lines of a fault are indented; a line break in a name is none."""


def shown_failure(outcome: Outcome) -> list[str]:
    """A failed scenario in full, line by line."""
    scenario = outcome.scenario
    lines = [f"FAILED {scenario.span.file}:{scenario.span.line}: {scenario.name}"]
    for fault in outcome.faults:
        first, *more = _OWN_LINE.split(str(fault))
        lines.append(f"  {fault.span.file}:{fault.span.line}: {first}")
        lines += [f"  {line}" for line in more]
    lines += _part("given", [line.shown for line in scenario.given])
    lines += _part("start", [shown_value(node) for node in scenario.starts])
    lines += _part("done", outcome.done)
    lines += _part("expected", [line.shown for line in scenario.expect])
    lines += _part("got", outcome.got)
    return lines


def _part(title: str, rows: tuple[str, ...] | list[str]) -> Iterator[str]:
    for number, row in enumerate(rows or ["nothing"]):
        yield f"  {title if not number else '':{_WIDTH}}{row}"


def shown_problem(found: Problem) -> str:
    """What is wrong with a file, on one line."""
    said = "; ".join(filter(None, [found.message, f"expected {found.expected}" * bool(found.expected), found.hint]))
    return f"{found.span}: {found.code} {said}"
