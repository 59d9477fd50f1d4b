"""Numbers, conditions, seats, things and groups: what an expression is worth now, in the eyes of a context.

Nobody, nothing and nowhere are `None`. A group is a tuple.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from tests.reference import modifiers
from tests.reference.game import Game
from tests.reference.grids import step
from tests.reference.state import Context, CounterAt, Label, Pile, Spot, most_of

__all__ = [
    "Described", "Pieces", "Pool", "Whole", "bind", "counter_at", "counter_to_change", "field_of",
    "group", "holds", "members", "number",
    "piles", "quantity", "read", "same", "value",
]  # fmt: skip

UNREACHABLE = 1_000_000
"""The distance of places no way leads between."""


@dataclass(frozen=True)
class Described:
    """Things as they were described by a caller: looked for when they are taken, in the eyes of that caller."""

    of: m.Expression
    context: Context


@dataclass(frozen=True)
class Pool:
    """A pool; `seat` is its own owner, if it has one."""

    name: str
    seat: int | None
    owned: bool


@dataclass(frozen=True)
class Pieces:
    """A kind of pieces and whose they are."""

    piece: str
    seat: int | None


@dataclass(frozen=True)
class Whole:
    """A quantity: the way, and the number."""

    mode: str
    amount: int


def number(g: Game, node: m.Expression, c: Context) -> int:
    """A number; nothing is 0."""
    found = value(g, node, c)
    if isinstance(found, CounterAt):
        found = read(g, found)
    if isinstance(found, Whole):
        return found.amount
    return most_of(int(found or 0))


def holds(g: Game, node: m.Expression, c: Context) -> bool:
    """A condition."""
    return bool(value(g, node, c))


def group(g: Game, node: m.Expression, c: Context) -> tuple[Any, ...]:
    """A group; a single one is a group of one, and nothing an empty one."""
    return members(value(g, node, c), g)


def members(found: Any, g: Game) -> tuple[Any, ...]:
    """The members of what may be a group, one, or nothing."""
    if isinstance(found, Described):
        return group(g, found.of, found.context)
    if found is None:
        return ()
    return found if type(found) is tuple else (found,)


def value(g: Game, node: m.Expression, c: Context) -> Any:
    """What an expression is."""
    return _READERS[type(node)](g, node, c)


def same(g: Game, left: Any, right: Any) -> bool:
    """Whether two are the same. The id of a thing stands for every copy of it."""
    if type(left) is int and isinstance(right, Label):
        return g.table.label(left) == right
    if type(right) is int and isinstance(left, Label):
        return g.table.label(right) == left
    return bool(left == right)


def contains(g: Game, whole: Iterable[Any], member: Any) -> bool:
    """Whether a group has a member."""
    return any(same(g, each, member) for each in whole)


# ---- names


def _constant(g: Game, node: m.Constant, c: Context) -> int:
    return node.value


def _local(g: Game, node: m.Local, c: Context) -> Any:
    found = c.names[node.name]
    if isinstance(found, Described):
        return members(found, g)
    return found


def _special(g: Game, node: m.Special, c: Context) -> Any:
    return {"this": c.this, "it": (c.it, *c.around)[node.outer], "here": c.here}[node.which]


def _seat(g: Game, node: m.SeatRef, c: Context) -> Any:
    if node.which in {"you", "owner"}:
        found = c.you if node.which == "you" else c.owner
        return found if found is None or _passes(g, node.where, found, c, seat=True) else None
    seats = g.in_order(c.you)
    if node.which == "opponent":
        seats = [seat for seat in seats if seat != c.you]
    return tuple(seat for seat in seats if _passes(g, node.where, seat, c, seat=True))


def _passes(g: Game, where: m.Expression | None, candidate: Any, c: Context, *, seat: bool) -> bool:
    """Whether a candidate passes a filter. In a filter over seats `you` is the candidate."""
    if where is None:
        return True
    return holds(g, where, _asking(candidate, c, seat=seat))


def _asking(candidate: Any, c: Context, *, seat: bool) -> Context:
    """Where something is asked of a candidate: that of the filter around has a name at most."""
    return replace(c, it=candidate, around=(c.it, *c.around), you=candidate if seat else c.you)


def _object(g: Game, node: m.ObjectRef, c: Context) -> Label:
    return Label(node.kind, node.id)


def _nothing(g: Game, node: m.Nothing, c: Context) -> None:
    """`none`."""
    del g, node, c


def _option(g: Game, node: m.OptionRef, c: Context) -> bool:
    return g.table.options[node.option] == node.value


# ---- counters and pieces


def _counter(g: Game, node: m.CounterRef, c: Context) -> Any:
    at = counter_at(g, node, c)
    return read(g, at) if at is not None else (0 if node.type.name == "amount" else None)


def counter_at(g: Game, node: m.Expression, c: Context) -> CounterAt | None:
    """Which counter is meant; none if it is of nobody, or with or at nothing."""
    if isinstance(node, m.Local):
        found = c.names[node.name]
        assert found is None or isinstance(found, CounterAt)
        return found
    assert isinstance(node, m.CounterRef)
    seat = None
    if "seat" in g.words.counters[node.counter].per:
        seat = c.you if node.owner is None else _single(g, node.owner, c)
        if seat is None:
            return None
    indexes = tuple(_kept_for(g, index, c) for _, index in node.indexes)
    return None if None in indexes else CounterAt(node.counter, seat, indexes)


def _kept_for(g: Game, node: m.Expression, c: Context) -> Any:
    """A label, place, thing or seat that a counter is kept for; of a declared thing the first copy."""
    found = _single(g, node, c)
    if isinstance(found, Label) and g.words.kinds.get(found.kind) is not None and node.type.name == "thing":
        return next(iter(g.table.numbers.get(found, ())), None)
    return found


def counter_to_change(g: Game, node: m.Expression, c: Context) -> CounterAt | None:
    """Which counter is to be changed; none also if it is on a thing that does not lie where it has such a one."""
    at = counter_at(g, node, c)
    thing = g.table.marked(at) if at is not None else None
    return at if at is None or thing is None or g.table.has_mark(at, g.state.where(thing)) else None


def read(g: Game, at: CounterAt) -> Any:
    """What a counter is at."""
    return g.state.counters[at]


def _single(g: Game, node: m.Expression, c: Context) -> Any:
    """One seat, place, label or thing; a group never stands here."""
    found = value(g, node, c)
    assert type(found) is not tuple, f"a group where one is wanted: {node}"
    return found


def _pieces(g: Game, node: m.PieceRef, c: Context) -> int:
    seat = c.you if node.owner is None else _single(g, node.owner, c)
    where: Any = node.pool if node.place is None else _single(g, node.place, c)
    return 0 if seat is None or where is None else g.state.pieces[Spot(node.piece, seat, where)]


# ---- zones and things


def _zone(g: Game, node: m.ZoneRef, c: Context) -> tuple[Pile, ...]:
    """All zones meant: those of one owner after those of another, each in the order they are joined."""
    found: list[Pile] = []
    for owner in (None,) if node.owner is None else group(g, node.owner, c):
        for name in node.zones:
            for part in g.words.zone_parts(name):
                pile = _pile(part.name, part.per, owner, c)
                if pile is not None and pile not in found:
                    found.append(pile)
    return tuple(found)


def _pile(name: str, per: str, owner: Any, c: Context) -> Pile | None:
    if per == "game":
        return Pile(name, None)
    if per == "seat":
        seat = c.you if owner is None else owner
        return Pile(name, seat) if seat is not None else None
    place = c.here if owner is None else owner
    return Pile(name, place) if isinstance(place, Label) and place.kind == per else None


def piles(g: Game, node: m.Expression, c: Context) -> tuple[Pile, ...]:
    """The zones an argument means."""
    found = value(g, node, c)
    return found if found is not None else ()


def _named(g: Game, node: m.Named, c: Context) -> tuple[Any, ...]:
    """All of a kind that lie where it says and pass the filter."""
    found = candidates(g, node, c)
    seat = node.type.name == "seat"
    return tuple(each for each in found if _passes(g, node.where, each, c, seat=seat))


def candidates(g: Game, node: m.Named, c: Context) -> tuple[Any, ...]:
    """What a filter is asked about."""
    if node.zone is None:
        kind = g.words.kinds.get(node.kind)
        if kind is None or kind.role != "thing":
            return tuple(g.table.members(node.kind))
        found: tuple[Any, ...] = tuple(range(len(g.table.copies)))
    elif node.zone.type.name == "zone":
        found = tuple(thing for pile in piles(g, node.zone, c) for thing in g.state.zones[pile])
    elif node.zone.type.name == "place" and node.kind:
        places = group(g, node.zone, c)
        found = tuple(each for pile, things in g.state.zones.items() if pile.of in places for each in things)
    else:
        found = group(g, node.zone, c)
    if node.kind in g.words.kinds and g.words.kinds[node.kind].role == "thing":
        found = tuple(each for each in found if g.table.declared(each).kind == node.kind)  # type: ignore[union-attr]
    return found


def field_of(g: Game, name: str, thing: int | Label | None, c: Context) -> Any:
    """A field of a thing, place or label, or what is asked of it in a slot.

    Without it: a field is 0, no or nothing; a slot that is a number is 0; one that is a condition asks nothing, so it
    holds.
    """
    declared = g.table.declared(thing) if thing is not None else None
    if declared is None:
        return None
    if name in declared.asked:
        with g.asking():
            here = thing if isinstance(thing, Label) and g.words.kinds[thing.kind].role == "place" else c.here
            owner = c.owner if c.owner is not None else c.you
            return value(g, declared.asked[name], replace(c, owner=owner, this=thing, here=here, it=None, names={}))
    if g.words.kinds[declared.kind].slots.get(name) == "condition":
        return True
    kind = g.words.kinds[declared.kind].fields.get(name)
    if kind is None or name not in declared.fields:
        return () if kind is not None and kind.type.many else None
    found = declared.fields[name]
    if kind.type.of:
        return tuple(Label(kind.type.of, each) for each in found) if kind.type.many else Label(kind.type.of, found)
    return tuple(found) if kind.type.many else found


def _field(g: Game, node: m.FieldRef, c: Context) -> Any:
    found = field_of(g, node.field, _single(g, node.object, c), c)
    if found is None and node.type.many:
        return ()
    if found is None and node.type.name in {"amount", "condition"}:
        return 0 if node.type.name == "amount" else False
    return found


# ---- values


def _value(g: Game, node: m.ValueRef, c: Context) -> Any:
    """A value of the kernel or of a pack, with all that modifies it."""
    kinds = {each.name: each.types[0] for each in g.words.values[node.value].parameters}
    given = {name: bind(g, argument, c, kinds[name]) for name, argument in node.arguments}
    with g.asking():
        if node.value in g.rules.values:
            inner = replace(c, names=given, it=None)
            found = value(g, g.rules.values[node.value][1], inner)
        else:
            found = _KERNEL[node.value](g, given)
        return modifiers.modified(g, node.value, given, found, c)


def _ahead(g: Game, given: dict[str, Any]) -> Label | None:
    place = given["p"]
    if "d" in given:
        return _step(g, place, given["d"], given["n"])
    for ring in g.words.rings.values():
        if place is not None and place.id in ring:
            return Label(place.kind, ring[(ring.index(place.id) + given["n"]) % len(ring)])
    return None


def _step(g: Game, place: Label | None, direction: Label | None, steps: int) -> Label | None:
    if place is None or direction is None:
        return None
    found = step(g.words, place.kind, place.id, direction.kind, direction.id, steps)
    return Label(place.kind, found) if found else None


def _line(g: Game, given: dict[str, Any]) -> tuple[Label, ...]:
    found: list[Label] = []
    while (following := _step(g, given["p"], given["d"], len(found) + 1)) is not None:
        found.append(following)
    return tuple(found[: max(given["n"], 0)] if "n" in given else found)


def _beside(g: Game, given: dict[str, Any]) -> bool:
    place, other = given["p"], given["other"]
    edges = g.rules.edges
    return None not in (place, other) and ((place.id, other.id) in edges or (other.id, place.id) in edges)


def _beyond(g: Game, given: dict[str, Any]) -> bool:
    place, other = given["p"], given["other"]
    return None not in (place, other) and (other.id, place.id) in g.rules.paths


def _distance(g: Game, given: dict[str, Any]) -> int:
    place, other = given["p"], given["other"]
    if None in (place, other):
        return UNREACHABLE
    reached, steps = {place.id}, 0
    while other.id not in reached:
        near = {b for edge in g.rules.edges for a, b in (edge, edge[::-1]) if a in reached}
        if near <= reached:
            return UNREACHABLE
        reached, steps = reached | near, steps + 1
    return steps


def _holder(g: Game, given: dict[str, Any]) -> int | None:
    return g.state.holders.get(given["t"])


def _location(g: Game, given: dict[str, Any]) -> Label | None:
    thing = given["t"]
    of = g.state.where(thing).of if type(thing) is int else None
    return of if isinstance(of, Label) else None


def _next(g: Game, given: dict[str, Any]) -> int | None:
    return None if given["s"] is None else (given["s"] + 1) % len(g.table.seats)


_KERNEL = {
    "ahead": _ahead,
    "automated": lambda g, given: False,
    "beside": _beside,
    "beyond": _beyond,
    "distance": _distance,
    "holder": _holder,
    "line": _line,
    "location": _location,
    "next": _next,
}


# ---- conditions and arithmetic


def _count(g: Game, node: m.Count, c: Context) -> int:
    return len(group(g, node.of, c))


def _exists(g: Game, node: m.Exists, c: Context) -> bool:
    if isinstance(node.of, m.SlotRef):
        thing = _single(g, node.of.object, c)
        declared = g.table.declared(thing) if thing is not None else None
        return declared is not None and node.of.slot in declared.slots
    return len(group(g, node.of, c)) > 0


def _over(g: Game, node: m.Over, c: Context) -> int | bool:
    """Something asked of each member of a group; where these are seats, `you` is the one that is asked about."""
    seat = node.each.type.name == "seat"
    asked = [_asking(each, c, seat=seat) for each in group(g, node.each, c)]
    if node.which == "all":
        return all(holds(g, node.of, each) for each in asked)
    numbers = [number(g, node.of, each) for each in asked]
    if node.which == "sum":
        return most_of(sum(numbers))
    return (max if node.which == "most" else min)(numbers, default=0)


def _if(g: Game, node: m.If, c: Context) -> Any:
    return value(g, node.then if holds(g, node.test, c) else node.otherwise, c)


def _extreme(g: Game, node: m.Extreme, c: Context) -> int:
    numbers = [number(g, each, c) for each in node.of]
    return max(numbers) if node.which == "most" else min(numbers)


def _arithmetic(g: Game, node: m.Arithmetic, c: Context) -> int:
    found = 0
    for sign, term in node.terms:
        amount = number(g, term, c)
        if sign == "/":
            found = math.floor(Fraction(found, amount)) if amount else 0
        else:
            found = most_of(found * amount if sign == "*" else found - amount if sign == "-" else found + amount)
    return found


def _compare(g: Game, node: m.Compare, c: Context) -> bool:
    if node.left.type.name in {"amount", "counter", "quantity"}:
        left, right = number(g, node.left, c), number(g, node.right, c)
        return {
            "=": left == right,
            "!=": left != right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[node.operator]
    return same(g, value(g, node.left, c), value(g, node.right, c)) == (node.operator == "=")


def _has(g: Game, node: m.Has, c: Context) -> bool:
    return contains(g, group(g, node.group, c), _single(g, node.member, c))


def _not(g: Game, node: m.Not, c: Context) -> bool:
    return not holds(g, node.part, c)


def _all(g: Game, node: m.All, c: Context) -> bool:
    return all(holds(g, part, c) for part in node.parts)


def _any(g: Game, node: m.Any, c: Context) -> bool:
    return any(holds(g, part, c) for part in node.parts)


def _always(g: Game, node: m.Always, c: Context) -> bool:
    return True


# ---- arguments


def quantity(g: Game, node: m.Expression | None, c: Context, times: int = 1) -> Whole:
    """The way and the number, which is never below zero; left out it is one."""
    if node is None:
        return Whole("exactly", times)
    if isinstance(node, m.Quantity):
        if isinstance(node.amount, m.Local) and isinstance(c.names.get(node.amount.name), Whole):
            inner = c.names[node.amount.name]
            return Whole(inner.mode, most_of(inner.amount * times))
        amount = number(g, node.amount, c) if node.amount is not None else 0
        return Whole(node.mode, most_of(max(amount, 0) * times))
    if isinstance(node, m.Local) and isinstance(c.names[node.name], Whole):
        inner = c.names[node.name]
        return Whole(inner.mode, most_of(inner.amount * times))
    return Whole("exactly", most_of(max(number(g, node, c), 0) * times))


def pool(g: Game, node: m.WordRef, c: Context) -> Pool:
    """A pool, with its owner if it has one."""
    return Pool(node.name, _single(g, node.owner, c) if node.owner is not None else None, node.owner is not None)


def pieces(g: Game, node: m.Expression, c: Context) -> Pieces:
    """A kind of pieces and whose they are: the acting seat's, if nobody is named."""
    if isinstance(node, m.Local):
        found = c.names[node.name]
        assert isinstance(found, Pieces)
        return found
    assert isinstance(node, m.WordRef)
    return Pieces(node.name, c.you if node.owner is None else _single(g, node.owner, c))


def _word(g: Game, node: m.WordRef, c: Context) -> Any:
    if node.type.name == "pool":
        return pool(g, node, c)
    return pieces(g, node, c) if node.type.name == "piece" else node.name


def bind(g: Game, node: m.Expression, c: Context, wanted: Type) -> Any:
    """An argument by value. A group of things that is described stays a description, in the eyes of who calls."""
    if wanted.name == "counter":
        return counter_at(g, node, c)
    if wanted.name == "quantity":
        return quantity(g, node, c)
    if wanted.name == "amount":
        return number(g, node, c)
    if isinstance(node, m.Local):
        return c.names[node.name]
    if node.type.name == "thing" and node.type.many:
        return Described(node, c)
    return value(g, node, c)


_READERS: dict[type, Any] = {
    m.Constant: _constant, m.Local: _local, m.Special: _special, m.SeatRef: _seat, m.ObjectRef: _object,
    m.OptionRef: _option, m.CounterRef: _counter, m.PieceRef: _pieces, m.ZoneRef: _zone, m.Named: _named,
    m.FieldRef: _field, m.ValueRef: _value, m.Count: _count, m.Exists: _exists, m.Over: _over, m.If: _if,
    m.Extreme: _extreme, m.Nothing: _nothing,
    m.Arithmetic: _arithmetic, m.Compare: _compare, m.Has: _has, m.Not: _not, m.All: _all, m.Any: _any,
    m.Always: _always, m.WordRef: _word, m.Quantity: quantity,
}  # fmt: skip
