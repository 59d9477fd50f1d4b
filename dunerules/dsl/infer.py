"""What the packs' own verbs and values turn out to be: types of values, uses and results of verbs.

Values and verbs may use each other in any order, but never themselves: the language has no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.checks import shown_by
from dunerules.dsl.resolve import resolve_body, resolve_expression, result_type
from dunerules.dsl.scope import Report, Scope
from dunerules.dsl.types import AMOUNT
from dunerules.dsl.vocabulary import Use, Vocabulary
from dunerules.dsl.walk import walk

__all__ = ["infer"]


def infer(
    words: Vocabulary,
    values: Mapping[str, t.Expression],
    verbs: Mapping[str, t.Body],
    procedures: Mapping[str, t.Body],
    uses: Mapping[str, Use],
) -> list[list[str]]:
    """Fill in the types of `words`; the result is every circle of definitions found, as names in order."""
    circles: list[list[str]] = []
    for name in _sorted(values, lambda node: _mentioned(node) & values.keys(), circles):
        word = words.values[name]
        scope = Scope(words, Report(), locals={each.name: each.types[0] for each in word.parameters})
        words.values[name] = replace(word, type=resolve_expression(values[name], scope).type)
    called = {**procedures, **verbs}
    for name in _sorted(called, lambda node: _called(node) & called.keys(), circles):
        if name not in verbs:
            continue
        verb = words.verbs[name]
        scope = Scope(words, Report(), locals={each.name: each.types[0] for each in verb.parameters})
        body = resolve_body(verbs[name], scope)
        last = body.steps[-1]
        gives = result_type(last) if isinstance(last, m.Act) else None
        shows = next(filter(None, (shown_by(act, words) for act in walk(body) if isinstance(act, m.Act))), "")
        words.verbs[name] = replace(verb, use=uses.get(name) or _use(verbs[name], words), gives=gives, shows=shows)
    for name in values.keys() & words.values.keys():
        if words.values[name].type.name == "unknown":
            words.values[name] = replace(words.values[name], type=AMOUNT)
    return circles


def _use(body: t.Body, words: Vocabulary) -> Use:
    """A body that gains anything is a gain; one that only takes is a cost."""
    uses = {words.verbs[name].use for name in _called(body) if name in words.verbs}
    if "gain" in uses:
        return "gain"
    return "cost" if "cost" in uses else "either"


def _mentioned(node: object) -> set[str]:
    return {each.text for each in walk(node) if isinstance(each, t.Name)}


def _called(node: object) -> set[str]:
    return {each.verb.text for each in walk(node) if isinstance(each, t.Call)}


def _sorted(
    definitions: Mapping[str, t.Expression] | Mapping[str, t.Body],
    needs: Callable[[object], Iterable[str]],
    circles: list[list[str]],
) -> list[str]:
    """Names so that each comes after what it needs. Each circle is noted once and cut."""
    done: dict[str, None] = {}
    for start in definitions:
        if start in done:
            continue
        stack = [(start, sorted(needs(definitions[start])))]
        path = [start]
        while stack:
            name, waiting = stack[-1]
            if not waiting:
                done[name] = None
                stack.pop()
                path.pop()
                continue
            following = waiting.pop(0)
            if following in path:
                circles.append([*path[path.index(following) :], following])
            elif following not in done:
                stack.append((following, sorted(needs(definitions[following]))))
                path.append(following)
    return list(done)
