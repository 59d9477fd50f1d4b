"""Scenarios of format 0: some of their checks first answered every question that has one answer. Now a step says so.

`offered` and `only_offered` passed such questions only up to the one they named; where they stand before another they
fail, and say what is asked there.
"""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.packs.nodes import Node
from dunerules.problems import Edit

__all__ = ["forced_passed"]

_STEP = "pass_forced"
_PASSED = frozenset({"check", "sees", "hides", "not_offered"})


def forced_passed(node: Node | None, text: str) -> Iterator[Edit]:
    """What writes the step before every check that was about a later moment."""
    scenarios = node.get("scenarios") if node is not None else None
    end = "\r\n" if "\r\n" in text else "\n"
    for _, _, scenario in scenarios.entries() if scenarios is not None else ():
        steps = scenario.get("do")
        if steps is None or steps.kind != "list":
            continue
        before = None
        for step in steps.items():
            if step.kind == "map" and _PASSED & step.value.keys() and _checked(before) == set():
                yield _written(steps, step, text, end)
            before = step


def _checked(step: Node | None) -> set[str]:
    """What a step checks, if it leaves no forced question open behind it."""
    return set(step.value) & {*_PASSED, _STEP} if step is not None and step.kind == "map" else set()


def _written(steps: Node, step: Node, text: str, end: str) -> Edit:
    if steps.style == "{":  # in brackets
        return Edit(step.start, step.start, f"{{{_STEP}: all}}, ")
    dash = text.rfind("-", 0, step.start)
    indent = text[text.rfind("\n", 0, dash) + 1 : dash]
    return Edit(step.start, step.start, f"{_STEP}: all{end}{indent}- ")
