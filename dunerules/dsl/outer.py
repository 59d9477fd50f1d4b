"""Candidates that are spoken of from inside another filter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import changed, parts

__all__ = ["further_in", "spoken_of_within"]


def spoken_of_within(node: Any, outer: int = 0) -> bool:
    """Whether something in a filter speaks of the candidate of that filter from inside another one."""
    if outer and m.is_it(node, outer):
        return True
    asked = m.asked_of_each(node)
    inner = asked[0] if asked is not None else None
    return any(spoken_of_within(part, outer + (part is inner)) for part in parts(node))


def further_in(node: Any, depth: int = 0) -> Any:
    """The same expression where one more filter is around it."""
    if isinstance(node, m.Special):
        return replace(node, outer=node.outer + 1) if node.which == "it" and node.outer >= depth else node
    asked = m.asked_of_each(node)
    inner = asked[0] if asked is not None else None
    return changed(node, lambda part: further_in(part, depth + (part is inner)))
