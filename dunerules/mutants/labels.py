"""Options keep the names they have in the unchanged pack.

An option is called by the text of its rule. If that text is what was changed, an answer by name would miss it, and the
mutant would be noticed by what is printed and not by what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.lower import Definitions
from dunerules.dsl.walk import changed, walk
from dunerules.understanding.ruleset import Ruleset

__all__ = ["relabelled"]


def relabelled(before: Ruleset, after: Ruleset) -> None:
    """Give the programs and verbs of changed rules the labels of those they were made of."""
    if len(before.programs) == len(after.programs):
        after.programs = [_program(*pair) for pair in zip(before.programs, after.programs, strict=True)]
    after.verbs = _verbs(before.verbs, after.verbs)


# ---- programs


def _program(before: p.Program, after: p.Program) -> p.Program:
    old = [code.labels for code in before.code if isinstance(code, (p.Choose, p.Order, p.Lasting))]
    new = [code.labels for code in after.code if isinstance(code, (p.Choose, p.Order, p.Lasting))]
    if old == new or len(old) != len(new):
        return after
    labels = iter(map(_labels, old, new))
    named = (p.Choose, p.Order, p.Lasting)
    codes = (replace(code, labels=next(labels)) if isinstance(code, named) else code for code in after.code)
    return replace(after, code=tuple(codes))


def _labels(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of some options; if one is gone, what it was called is gone with it."""
    if len(old) == len(new):
        return old
    left = iter([label for label in old if label not in new])
    strange = {label for label in new if label not in old}
    return tuple(next(left, label) if label in strange else label for label in new)


# ---- verbs, which are written out in texts that scenarios start


def _verbs(before: Definitions, after: Definitions) -> Definitions:
    found = dict(after)
    for name, (parameters, body, text) in after.items():
        if name in before and before[name][2] != text:
            old_spans, new_spans = ([*_spans(each[name][1])] for each in (before, after))
            if len(old_spans) == len(new_spans):
                found[name] = (
                    parameters,
                    _respanned(body, dict(zip(new_spans, old_spans, strict=True))),
                    before[name][2],
                )
    return found


def _named(node: Any) -> Sequence[Any]:
    """The parts of a step that are called by their text."""
    if isinstance(node, (m.Choice, m.AnyOrder)):
        return node.bodies
    return node.clauses if isinstance(node, m.Until) else ()


def _spans(body: m.Body) -> Iterator[tuple[int, int]]:
    for node in walk(body):
        yield from (part.span for part in _named(node))


def _respanned(node: Any, spans: dict[tuple[int, int], tuple[int, int]]) -> Any:
    """A body in which what is called by its text stands where it stood in the unchanged one."""
    inner = changed(node, lambda part: _respanned(part, spans))
    if isinstance(inner, (m.Body, m.Clause)) and inner.span in spans:
        return replace(inner, span=spans[inner.span])
    return inner
