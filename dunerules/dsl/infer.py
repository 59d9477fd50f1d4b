"""What the packs' own verbs and values turn out to be: types of values, uses and results of verbs.

Values and verbs may use each other in any order, but never themselves: the language has no recursion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.acting import wants_seat
from dunerules.dsl.agreement import parts_inside
from dunerules.dsl.arguments import is_left_out
from dunerules.dsl.checks import shown_by
from dunerules.dsl.hidden import open_searches
from dunerules.dsl.resolve import resolve_body, resolve_expression
from dunerules.dsl.results import giving_step, result_type
from dunerules.dsl.scope import Report, Scope
from dunerules.dsl.types import AMOUNT, ZONE
from dunerules.dsl.vocabulary import Parameter, Use, Vocabulary
from dunerules.dsl.walk import walk

__all__ = ["LARGEST", "Inferred", "infer"]

DEEPEST = 50
"""Definitions that may stand inside each other. Nobody could read more."""

LARGEST = 5000
"""Parts a definition may come to when all it uses is written out: two uses of one another double with every step."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """What is wrong with definitions."""

    circles: list[list[str]]
    """Names that are defined by themselves, in order."""
    large: dict[str, tuple[str, int]]
    """What definitions come to, and how much of it is allowed. Those that use them are not named again."""


def infer(
    words: Vocabulary,
    values: Mapping[str, t.Expression],
    verbs: Mapping[str, t.Body],
    procedures: Mapping[str, t.Body],
    uses: Mapping[str, Use],
) -> Inferred:
    """Fill in the types of `words`."""
    circles: list[list[str]] = []
    order = _sorted(values, lambda node: set(_mentioned(node)) & values.keys(), circles)
    _, large = _sizes(order, values, _mentioned)
    for name in order:
        word = words.values[name]
        scope = Scope(words, Report(), locals={each.name: each.types[0] for each in word.parameters})
        meant = resolve_expression(values[name], scope)
        seat, owner = _wants(meant, words)
        parameters = _with_groups(word.parameters, meant, words)
        things = meant if meant.type.many and meant.type.name == "thing" else None
        word = replace(word, parameters=parameters, type=meant.type, things=things)
        words.values[name] = replace(word, wants_seat=seat, wants_owner=owner)
    called = {**procedures, **verbs}
    order = _sorted(called, lambda node: set(_called(node)) & called.keys(), circles)
    sizes, large_verbs = _sizes([name for name in order if name in verbs], verbs, _called)
    for name in order:
        if name not in verbs:
            procedure = words.procedures[name]
            scope = Scope(words, Report(), locals={each.name: each.types[0] for each in procedure.parameters})
            body = resolve_body(procedures[name], scope)
            seat, _ = _wants(body, words)
            parameters = _with_groups(procedure.parameters, body, words)
            searches = open_searches(body, words, scope.locals)
            words.procedures[name] = replace(procedure, parameters=parameters, wants_seat=seat, searches=searches)
            continue
        verb = words.verbs[name]
        scope = Scope(words, Report(), locals={each.name: each.types[0] for each in verb.parameters})
        body = resolve_body(verbs[name], scope)
        giving = giving_step(body)
        gives = result_type(giving) if giving is not None else None
        shows = next(filter(None, (shown_by(act, words) for act in walk(body) if isinstance(act, m.Act))), "")
        use = uses.get(name) or _use(verbs[name], words)
        seat, owner = _wants(body, words)
        parameters = _with_groups(verb.parameters, body, words, things=True)
        verb = replace(verb, parameters=parameters, use=use, gives=gives, shows=shows, size=sizes[name])
        verb = replace(verb, inside=parts_inside(body), searches=open_searches(body, words, scope.locals))
        words.verbs[name] = replace(verb, wants_seat=seat, wants_owner=owner)
    for name in values.keys() & words.values.keys():
        if words.values[name].type.name == "unknown":
            words.values[name] = replace(words.values[name], type=AMOUNT)
    return Inferred(circles, large | large_verbs)


def _sizes(
    order: list[str],
    definitions: Mapping[str, t.Expression] | Mapping[str, t.Body],
    used: Callable[[object], list[str]],
) -> tuple[dict[str, int], dict[str, tuple[str, int]]]:
    """How many parts definitions come to, and those that come to too much; each is given after what it uses."""
    sizes: dict[str, int] = {}
    depths: dict[str, int] = {}
    large: dict[str, tuple[str, int]] = {}
    for name in order:
        node = definitions[name]
        size = sum(1 for _ in walk(node)) + sum(sizes.get(each, 1) for each in used(node))
        depth = 1 + max((depths.get(each, 0) for each in used(node)), default=0)
        if size > LARGEST:
            large[name] = f"comes to {size} parts when all it uses is written out", LARGEST
        elif depth > DEEPEST:
            large[name] = f"is {depth} definitions deep", DEEPEST
        sizes[name], depths[name] = (1, 0) if name in large else (size, depth)
    return sizes, large


def _wants(meant: m.Body | m.Expression, words: Vocabulary) -> tuple[bool, bool]:
    """Whether a definition is about a seat that acts, and about one that has the effect."""
    owner = next(wants_seat(meant, words, acting=True), None) is not None
    return owner or next(wants_seat(meant, words), None) is not None, owner


def _with_groups(
    parameters: tuple[Parameter, ...], meant: m.Body | m.Expression, words: Vocabulary, *, things: bool = False
) -> tuple[Parameter, ...]:
    """Parameters, with the types of which groups may be given for them.

    Several zones can be given for one that is only read, and a group of `things` for one that is only taken from.
    """
    names = {each.name: each.types[0] for each in parameters}
    uses, taken = Counter[str](), Counter[str]()
    for node in walk(meant):
        if isinstance(node, m.Local):
            uses[node.name] += 1
        elif isinstance(node, m.Act) or (isinstance(node, m.ValueRef) and node.value in words.values):
            taken.update(_taken_from(node, words))
        elif isinstance(node, m.Named) and isinstance(node.zone, m.Local):
            taken[node.zone.name] += names.get(node.zone.name) == ZONE
    wanted = {"zone", "thing"} if things else {"zone"}
    return tuple(
        replace(
            each, groups=each.types if each.types[0].name in wanted and 0 < uses[each.name] == taken[each.name] else ()
        )
        for each in parameters
    )


def _taken_from(node: m.Act | m.ValueRef, words: Vocabulary) -> Iterator[str]:
    """Names given as arguments where a group could stand. Without a quantity one is meant, so a group could not."""
    word = node.verb if isinstance(node, m.Act) else words.values[node.value]
    given = dict(node.arguments)
    whole = any(isinstance(value, m.Quantity) and is_left_out(value) for value in given.values())
    for parameter in word.parameters:
        value = given.get(parameter.name)
        groups = {kind.name for kind in parameter.groups if kind == ZONE or not whole}
        if isinstance(value, m.Local) and value.type.name in groups:
            yield value.name


def _use(body: t.Body, words: Vocabulary) -> Use:
    """A body that gains anything is a gain; one that only takes is a cost."""
    uses = {words.verbs[name].use for name in _called(body) if name in words.verbs}
    if "gain" in uses:
        return "gain"
    return "cost" if "cost" in uses else "either"


def _mentioned(node: object) -> list[str]:
    return [each.text for each in walk(node) if isinstance(each, t.Name)]


def _called(node: object) -> list[str]:
    return [each.verb.text for each in walk(node) if isinstance(each, t.Call)]


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
