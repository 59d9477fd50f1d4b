"""Telling: which verbs of packs a kernel verb is part of, and what their parameters are in it. The log keeps that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dunerules.dsl import meaning as m
from dunerules.dsl.program import PartOf
from dunerules.dsl.slots import rewrite
from dunerules.dsl.types import AMOUNT

__all__ = ["Around", "closed", "either", "entered", "left", "parts_of", "stood"]

_CERTAIN = frozenset({"exactly", "top", "bottom", "random", "blind"})
"""Quantities that come to their number, as far as there is enough."""


class Around(NamedTuple):
    """A verb of a pack that is being written out."""

    verb: str
    names: Mapping[str, str]
    """By name in the text that is being written out: the parameter of the verb it stands for."""
    given: frozenset[str]
    """The parameters that the verb was called with."""
    open: bool = True
    """Whether a kernel verb may stand for it: none has so far, and this is no part that is done several times."""


def entered(around: tuple[Around, ...], act: m.Act) -> tuple[Around, ...]:
    """Inside a verb of a pack: its parameters, and those of the verbs around it that are handed on to it."""
    handed = {} if act.per is not None else {name: _local(value) for name, value in act.arguments}
    outer = (
        each._replace(names={name: each.names[local] for name, local in handed.items() if local in each.names})
        for each in around
    )
    given = frozenset(name for name, _ in act.arguments)
    return *outer, Around(act.verb.name, {name: name for name in given}, given)


def left(outside: tuple[Around, ...], inside: tuple[Around, ...]) -> tuple[Around, ...]:
    """Behind a verb of a pack: what in it stood for a verb around it."""
    return tuple(
        each if each.open is inner.open else each._replace(open=inner.open)
        for each, inner in zip(outside, inside, strict=False)
    )


def closed(around: tuple[Around, ...]) -> tuple[Around, ...]:
    """Inside what may be done several times, or by another seat: nothing there stands for a whole verb."""
    return tuple(each._replace(open=False) if each.open else each for each in around)


def either(around: list[tuple[Around, ...]]) -> tuple[Around, ...]:
    """Behind several ways, of which one was gone."""
    return tuple(same[0]._replace(open=all(each.open for each in same)) for same in zip(*around, strict=True))


def parts_of(around: tuple[Around, ...], act: m.Act, names: Mapping[str, m.Expression]) -> tuple[PartOf, ...]:
    """What a kernel verb is part of, outermost first."""
    if not around:
        return ()
    arguments = [(path, part, _local(part)) for path, part in _arguments(act)]
    told: dict[str, bool] = {}
    found = []
    for each in around:
        about = {path: each.names[local] for path, _, local in arguments if local in each.names}
        whole = each.open and each.given == frozenset(about.values())
        for path, part, _ in arguments if whole else ():
            if path not in about:
                if path not in told:
                    told[path] = _is_fixed(path, rewrite(part, names))
                whole = whole and told[path]
        found.append(PartOf(each.verb, tuple((name, path) for path, name in about.items()), whole))
    return tuple(found)


def stood(around: tuple[Around, ...], parts: tuple[PartOf, ...]) -> tuple[Around, ...]:
    """Behind a kernel verb: what it stands for is told."""
    return tuple(each._replace(open=False) if part.whole else each for each, part in zip(around, parts, strict=True))


def _local(part: m.Expression | None) -> str:
    """The name that an argument is, and nothing else."""
    if isinstance(part, m.Quantity) and part.mode in _CERTAIN:
        part = part.amount
    return part.name if isinstance(part, m.Local) else ""


def _arguments(act: m.Act) -> Iterator[tuple[str, m.Expression | None]]:
    """What a kernel verb says, by where it says it: `n`, `source`, `target.owner`, `what.` and an index."""
    for name, value in act.arguments:
        if isinstance(value, (m.ZoneRef, m.WordRef)) or (isinstance(value, m.CounterRef) and name == "what"):
            if value.owner is not None:
                yield f"{name}.owner", value.owner
            if isinstance(value, m.CounterRef):
                yield from ((f"{name}.{index}", of) for index, of in value.indexes)
        elif (name == "n" and act.per is not None) or (name == "value" and value.type == AMOUNT):
            yield name, None  # a number is told by how much it has changed, not by what it is now
        else:
            yield name, value


def _is_fixed(path: str, part: m.Expression | None) -> bool:
    """Whether this is the same whenever the verb of a pack is done, so that its name says it. Of numbers only 1 is sure
    to happen whole, or not at all."""
    if path == "at":
        return isinstance(part, (m.Constant, m.Quantity))
    if isinstance(part, m.Quantity):
        return part.mode in _CERTAIN and part.amount == m.Constant(1)
    if isinstance(part, m.Constant):
        return path == "n" and part.value == 1
    if isinstance(part, (m.ZoneRef, m.WordRef)):
        return part.owner is None or _is_fixed(path, part.owner)
    if isinstance(part, m.SeatRef):
        return part.which == "you"
    return isinstance(part, (m.ObjectRef, m.Named))
