"""Values written out: the body of a value in place of its name, wherever that cannot change what is meant.

A value is asked in the frame of whoever asks, only its arguments are its own. So its body can stand in place of its
name, with the arguments in place of its parameters, unless an argument would come to lie inside a filter that changes
what it means: there `it` is another thing, and in a filter of seats `you` is another seat.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.slots import rewrite
from dunerules.dsl.vocabulary import Parameter
from dunerules.dsl.walk import changed, parts, walk

__all__ = [
    "NEVER", "Fact", "Values", "asked_values", "is_never", "large_values", "put_in_place", "standing_on", "written_out",
]  # fmt: skip

Values = Mapping[str, tuple[tuple[Parameter, ...], m.Expression]]
"""By name: parameters and body."""

Fact: TypeAlias = Callable[[m.Expression], m.Expression | None]
"""What an expression is all through a game, where that is known beforehand."""

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip

NEVER = m.Not(m.Always())

_LARGEST = 200
"""Parts of a value that is written out; values that ask each other twice would double with every one."""

_FOLDS = (m.ValueRef, m.OptionRef, m.Count)
"""What may be written out or settled."""


def nothing_known(node: m.Expression) -> m.Expression | None:
    """The fact that nothing is known beforehand."""
    return None


_SIMPLE = (m.Constant, m.CounterRef, m.PieceRef, m.FieldRef)
"""Arguments that may be asked again at every place they stand at; `Local` and references besides."""


def written_out(node: Any, values: Values, kept: Callable[[str], bool], fact: Fact = nothing_known) -> Any:
    """An expression with values written out, but for those that are to be kept, and with what is settled folded."""
    if not any(isinstance(each, _FOLDS) for each in walk(node)):
        return node
    inner = changed(node, lambda part: written_out(part, values, kept, fact))
    if isinstance(inner, m.ValueRef) and inner.value in values and not kept(inner.value):
        body = put_in_place(inner, values)
        if body is not None:
            return written_out(body, values, kept, fact)
    known = fact(inner)
    return _folded(inner) if known is None else known


def put_in_place(ref: m.ValueRef, values: Values) -> m.Expression | None:
    """The body of a value with these arguments; nothing if it cannot stand in place of the value's name."""
    parameters, body = values[ref.value]
    given = dict(ref.arguments)
    if given.keys() != {each.name for each in parameters} or not _fits(body, given, filtered=False, seats=False):
        return None
    placed: m.Expression = rewrite(body, given)
    return placed


def large_values(values: Values) -> frozenset[str]:
    """Values that are too large to be written out wherever they are asked."""
    sizes: dict[str, int] = {}
    asked = {
        name: [each.value for each in walk(body) if isinstance(each, m.ValueRef) and each.value in values]
        for name, (_, body) in values.items()
    }
    for name in TopologicalSorter(asked).static_order():
        size = sum(1 for _ in walk(values[name][1])) + sum(sizes[each] for each in asked[name])
        sizes[name] = min(size, _LARGEST + 1)
    return frozenset(name for name, size in sizes.items() if size > _LARGEST)


def asked_values(node: Any, values: Values) -> set[tuple[str, bool]]:
    """Every value an expression or code comes to ask, and whether it may be for another seat than the one that asks."""
    found: set[tuple[str, bool]] = set()
    waiting: list[tuple[Any, bool]] = [(node, False)]
    while waiting:
        asking, other = waiting.pop()
        for part, seats in _with_filters(asking, seats=other):
            if isinstance(part, m.ValueRef) and part.value in values and (part.value, seats) not in found:
                found.add((part.value, seats))
                waiting.append((values[part.value][1], seats))
    return found


def is_never(node: m.Expression | None) -> bool:
    """Whether a condition cannot hold."""
    return isinstance(node, m.Not) and isinstance(node.part, m.Always)


def standing_on(node: Any, place: m.ObjectRef) -> Any:
    """Something with the place it stands on written out."""
    if isinstance(node, m.Special) and node.which != "it":
        return place
    return changed(node, lambda part: standing_on(part, place))


def _with_filters(node: Any, *, seats: bool) -> Iterator[tuple[Any, bool]]:
    yield node, seats
    for part in parts(node):
        yield from _with_filters(part, seats=seats or (part is _filter(node) and node.type.name == "seat"))


def _filter(node: Any) -> m.Expression | None:
    return node.where if isinstance(node, (m.Named, m.SeatRef)) else None


def _fits(node: Any, given: dict[str, m.Expression], *, filtered: bool, seats: bool) -> bool:
    """Whether every argument means the same at the places its parameter stands at."""
    if isinstance(node, m.Local):
        return node.name not in given or _movable(given[node.name], filtered=filtered, seats=seats)
    for part in parts(node):
        inside = part is _filter(node)
        if not _fits(part, given, filtered=filtered or inside, seats=seats or (inside and node.type.name == "seat")):
            return False
    return True


def _movable(argument: m.Expression, *, filtered: bool, seats: bool) -> bool:
    if isinstance(argument, (m.Local, m.Constant)):
        return True
    if isinstance(argument, m.Special):
        return argument.which != "it" or not filtered
    if isinstance(argument, m.SeatRef):
        return argument.which == "owner" or (argument.which == "you" and not seats)
    if argument.type.name == "thing":  # a declared thing is compared by what it is, a parameter by which copy it is
        return False
    return isinstance(argument, m.ObjectRef) or (isinstance(argument, _SIMPLE) and not filtered)


def _folded(node: Any) -> Any:
    """Conditions without the parts that are settled."""
    if isinstance(node, m.All):
        left = tuple(part for part in node.parts if not isinstance(part, m.Always))
        if any(is_never(part) for part in left):
            return NEVER
        return m.Always() if not left else left[0] if len(left) == 1 else replace(node, parts=left)
    if isinstance(node, m.Any):
        open_ = tuple(part for part in node.parts if not is_never(part))
        if any(isinstance(part, m.Always) for part in open_):
            return m.Always()
        return NEVER if not open_ else open_[0] if len(open_) == 1 else replace(node, parts=open_)
    if isinstance(node, m.Not) and is_never(node.part):
        return m.Always()
    if isinstance(node, (m.Named, m.SeatRef)) and isinstance(node.where, m.Always):
        return replace(node, where=None)
    if isinstance(node, m.Compare) and isinstance(node.left, m.Constant) and isinstance(node.right, m.Constant):
        return m.Always() if TESTS[node.operator](node.left.value, node.right.value) else NEVER
    return node
