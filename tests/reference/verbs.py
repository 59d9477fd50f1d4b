"""The verbs of the kernel. Each is done in four steps: find out what is meant, ask, change the state, tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.acting import wants_seat
from dunerules.dsl.results import result_type
from dunerules.dsl.types import PIECE, SEAT
from tests.reference import abilities as a
from tests.reference import changes, moves, possible, sights, steps
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.questions import ask, how_many
from tests.reference.state import Context, CounterAt, GameOver, Label, Pile, Question, Spot

__all__ = [
    "VERBS", "LeaveError", "Taking", "described", "equal_once", "listed", "named", "pick", "piles_in", "shown",
    "slots", "taking", "unasked", "unequal_ways", "where_pieces",
]  # fmt: skip

Running = Generator[Question, Any, Any]


class LeaveError(Exception):
    """A procedure is left; it ends it and all it has started."""

    def __init__(self, procedure: str) -> None:
        super().__init__(procedure)
        self.procedure = procedure


def named(act: m.Act, result: Any) -> Any:
    """What `as` names: of things one, where exactly one was asked for."""
    gives = result_type(act)
    if type(result) is tuple and gives is not None and not gives.many:
        return result[0] if result else None
    return result


# ---- counters


def gain(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`gain 2 gold`"""
    at, amount = _counter_and_amount(g, act, c)
    if at is None:
        return 0
    return (yield from _change(g, "gain", at, e.read(g, at) + amount.amount, c))


def pay(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`pay 2 gold`: as much as there is."""
    at, amount = _counter_and_amount(g, act, c)
    if at is None:
        return 0
    return (yield from _change(g, "pay", at, e.read(g, at) - amount.amount, c))


def lose(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`lose 2 gold`, `lose up to 2 cube from camp`"""
    given = dict(act.arguments)
    if given["what"].type.name == "piece":
        return (yield from _lose_pieces(g, act, c))
    at, amount = _counter_and_amount(g, act, c)
    if at is None:
        return 0
    there = e.read(g, at) - g.table.bounds(at.counter)[0]
    count = yield from _how_many(g, c, amount, there)
    return (yield from _change(g, "lose", at, e.read(g, at) - count, c))


def _counter_and_amount(g: Game, act: m.Act, c: Context) -> tuple[CounterAt | None, e.Whole]:
    given = dict(act.arguments)
    return e.counter_to_change(g, given["what"], c), e.quantity(g, given["n"], c, steps.times(g, act, c))


def _how_many(g: Game, c: Context, amount: e.Whole, there: int) -> Running:
    """How many of what is there: all, as many as are said, or as the seat says."""
    if amount.mode == "all":
        return there
    most = there if amount.mode == "any" else min(amount.amount, there)
    if amount.mode == "exactly":
        return most
    return (yield from how_many(g, c.you, most))


def _change(g: Game, verb: str, at: CounterAt, wanted: int, c: Context) -> Running:
    """Change a counter, unless something happens instead; then thresholds, then reactions. Gives by how much."""
    before = e.read(g, at)
    new = changes.bounded(g, at, wanted)
    by = abs(new - before)
    if by == 0:
        return 0
    event = a.Event(verb, at.seat if at.seat is not None else c.you, {**_named(g, at), "n": by, "what": at})
    if verb != "pay" and (yield from a.replaced(g, event)):
        return 0
    before = e.read(g, at)
    changes.put(g, at, new)
    yield from _thresholds(g, at, before, new, c)
    yield from a.announce(g, event)
    return by


def _thresholds(g: Game, at: CounterAt, before: int, new: int, c: Context) -> Running:
    """What happens on reaching numbers and on falling below them, for the seat whose counter it is."""
    seat = at.seat if at.seat is not None else c.you
    inner = Context(seat, seat, names=_named(g, at))
    for each in sorted(g.rules.thresholds.get(at.counter, ()), key=lambda each: each.at if new > before else -each.at):
        crossed = each.up if before < each.at <= new else each.down if new < each.at <= before else None
        if crossed is not None and (seat is not None or not any(wants_seat(crossed, g.words))):
            with g.waiting():
                yield from steps.body(g, crossed, inner)


def _named(g: Game, at: CounterAt) -> dict[str, Any]:
    """What a counter is kept for, by name."""
    names = [index for index in g.words.counters[at.counter].per if index not in {"seat", "game"}]
    return dict(zip(names, at.indexes, strict=True))


def set_(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`set bid to 3`, `set leading to you`: about the counter, also if that is to point at nobody."""
    given = dict(act.arguments)
    at = e.counter_to_change(g, given["what"], c)
    if at is None:
        return 0
    if g.words.counters[at.counter].holds.name == "amount":
        return (yield from _change(g, "set", at, e.number(g, given["value"], c), c))
    new = e.value(g, given["value"], c)
    if e.read(g, at) == new:
        return 0
    event = a.Event("set", at.seat if at.seat is not None else c.you, {**_named(g, at), "n": 0, "what": at})
    if not (yield from a.replaced(g, event)):
        changes.put(g, at, new)
        yield from a.announce(g, event)
    return 0


# ---- pieces


def where_pieces(g: Game, what: e.Pieces, node: m.Expression | None, c: Context) -> Spot | None:
    """Where pieces are: the owner of a pool is its own, or else that of the pieces. Left out it is their home."""
    where: Any = g.words.pieces[what.piece].home
    seat = what.seat
    if node is not None:
        where = e.value(g, node, c)
        if isinstance(where, e.Pool):
            where, seat = where.name, where.seat if where.owned else what.seat
    return None if where is None or seat is None else Spot(what.piece, seat, where)


def kinds_apart(g: Game, act: m.Act, c: Context) -> list[tuple[m.Act, Context]]:
    """A step about a family of pieces: the same about each of its kinds; whose and where they are is settled once."""
    given = dict(act.arguments)
    what = e.pieces(g, given["what"], c)
    settled = {"whose": what.seat}
    for name in ("source", "target"):
        if name in given:
            settled[name] = e.value(g, given[name], c)
            given[name] = m.Local(name, given[name].type)
    inner = replace(c, names=settled)
    return [
        (
            replace(
                act,
                arguments=tuple({**given, "what": m.WordRef(kind, PIECE, m.Local("whose", SEAT))}.items()),
                per=None,
            ),
            inner,
        )
        for kind in g.words.piece_families[what.piece]
    ]


def is_family(g: Game, act: m.Act, c: Context) -> bool:
    """Whether a step is about pieces of several kinds."""
    return e.pieces(g, dict(act.arguments)["what"], c).piece in g.words.piece_families


def with_number(act: m.Act, mode: Any, amount: int | None) -> m.Act:
    """The same step with another quantity."""
    quantity = m.Quantity(mode, None if amount is None else m.Constant(amount), span=(1, 1))
    return replace(act, arguments=tuple({**dict(act.arguments), "n": quantity}.items()))


def standing(g: Game, act: m.Act, c: Context) -> int:
    """How many there are to take from."""
    given = dict(act.arguments)
    source = where_pieces(g, e.pieces(g, given["what"], c), given["source"], c)
    return g.state.pieces[source] if source is not None else 0


def _family(g: Game, act: m.Act, c: Context, one_kind: Callable[[Game, m.Act, Context], Running]) -> Running:
    """Kind by kind: what the others cannot give must be, of the rest the seat says how many."""
    amount = e.quantity(g, dict(act.arguments).get("n"), c, steps.times(g, act, c))
    kinds = kinds_apart(g, act, c)
    left, total = amount.amount, 0
    for at, (each, inner) in enumerate(kinds):
        if amount.mode in {"any", "all"}:
            total += yield from one_kind(g, with_number(each, amount.mode, None), inner)
            continue
        got = 0
        if amount.mode == "exactly":
            must = max(left - sum(standing(g, *other) for other in kinds[at + 1 :]), 0)
            got = yield from one_kind(g, with_number(each, "exactly", must), inner)
            left -= must
            total += got
            if at == len(kinds) - 1:
                break
        got = yield from one_kind(g, with_number(each, "up to", max(left, 0)), inner)
        left -= got
        total += got
    return total


def _lose_pieces(g: Game, act: m.Act, c: Context) -> Running:
    if is_family(g, act, c):
        return (yield from _family(g, act, c, _lose_pieces))
    given = dict(act.arguments)
    what = e.pieces(g, given["what"], c)
    source = where_pieces(g, what, given.get("source"), c)
    if source is None:
        return 0
    amount = e.quantity(g, given["n"], c, steps.times(g, act, c))
    count = yield from _how_many(g, c, amount, g.state.pieces[source])
    home = Spot(source.piece, source.seat, g.words.pieces[source.piece].home)
    values = {"n": count, "what": e.Pieces(source.piece, source.seat), "source": source}
    return (yield from _shift(g, a.Event("lose", source.seat, values), source, home, count))


def _move_pieces(g: Game, act: m.Act, c: Context) -> Running:
    if is_family(g, act, c):
        return (yield from _family(g, act, c, _move_pieces))
    given = dict(act.arguments)
    what = e.pieces(g, given["what"], c)
    source, target = (where_pieces(g, what, given.get(name), c) for name in ("source", "target"))
    if source is None or target is None:
        return 0
    amount = e.quantity(g, given.get("n"), c, steps.times(g, act, c))
    count = yield from _how_many(g, c, amount, g.state.pieces[source])
    values = {"n": count, "what": what, "source": source, "target": target}
    return (yield from _shift(g, a.Event("move", c.you, values), source, target, count))


def _shift(g: Game, event: a.Event, source: Spot, target: Spot, count: int) -> Running:
    if count == 0 or (yield from a.replaced(g, event)):
        return 0
    changes.shift(g, source, target, count)
    yield from a.announce(g, event)
    return count


# ---- things


@dataclass(frozen=True)
class Taking:
    """What a step takes from: how many, candidates in order, and the zones they are taken from."""

    amount: e.Whole
    candidates: tuple[int, ...]
    piles: tuple[Pile, ...]


def taking(g: Game, act: m.Act, c: Context) -> Taking:
    """What `move` and `look` take from. A filter narrows first; piles are made anew if too little fits."""
    given = dict(act.arguments)
    what, source, n = given["what"], given.get("source"), given.get("n")
    amount = e.quantity(g, n, c, steps.times(g, act, c))
    named = isinstance(what, m.Local) and type(c.names[what.name]) is tuple
    if named and steps.left_out(n):
        amount = e.Whole("all", 0)
    piles = e.piles(g, source, c) if source is not None else piles_in(g, what, c)

    def fitting() -> tuple[int, ...]:
        wanted = described(g, what, c)
        if source is None:
            return tuple(each for each in wanted if type(each) is int)
        lying = [thing for pile in piles for thing in g.state.zones[pile]]
        if named and amount.mode not in {"top", "bottom"}:
            return tuple(each for each in wanted if each in lying)
        return tuple(thing for thing in lying if e.contains(g, wanted, thing))

    found = fitting()
    single = not what.type.many and not (isinstance(what, m.Local) and isinstance(c.names[what.name], e.Described))
    if single and not isinstance(what, m.ObjectRef):  # nothing is picked of one thing
        return Taking(amount, found, ())
    if source is None and not piles:
        piles = tuple(dict.fromkeys(g.state.where(thing) for thing in found))
    if amount.mode in {"top", "bottom"}:
        for pile in piles:
            if len(found) < amount.amount:
                changes.make_anew(g, pile)
                found = fitting()
    return Taking(amount, found, piles)


def described(g: Game, what: m.Expression, c: Context) -> tuple[Any, ...]:
    """The things meant; an id means every copy."""
    found = e.group(g, what, c)
    if any(isinstance(each, Label) for each in found):
        return tuple(thing for thing in range(len(g.table.copies)) if e.contains(g, found, thing))
    return found


def piles_in(g: Game, what: m.Expression, c: Context) -> tuple[Pile, ...]:
    """The zones that a description itself names."""
    found = c.names.get(what.name) if isinstance(what, m.Local) else None
    if isinstance(found, e.Described):
        return piles_in(g, found.of, found.context)
    if isinstance(what, m.Named) and what.zone is not None and what.zone.type.name == "zone":
        return e.piles(g, what.zone, c)
    return ()


def pick(g: Game, c: Context, amount: e.Whole, kind: str, candidates: Sequence[Any], piles: Sequence[Pile]) -> Running:
    """So many of some candidates, as the seat likes, or by chance, or from one end."""
    n = amount.amount
    if amount.mode == "blind":
        return (yield from _by_position(g, c, n, candidates))
    if amount.mode not in {"exactly", "up to", "any"}:
        return unasked(g, amount, candidates)
    high = len(candidates) if amount.mode == "any" else n
    options = list(candidates)
    if kind == "thing" and high < len(candidates):
        options = equal_once(g, c.you, listed(g, c, candidates), high)
    low, hidden = 0, False
    if amount.mode == "exactly":
        low, asked = n, c.you is not None and n > 0 and bool(candidates)
        hidden = asked and sights.still(g, lambda: _others_cannot_know(g, c.you, piles, candidates, n))
    found = yield from ask(g, c.you, kind, low, high, options, secret=hidden)
    return _first_ones(g, c, options, found) if kind == "thing" else tuple(found)


def _by_position(g: Game, c: Context, n: int, candidates: Sequence[int]) -> Running:
    """So many things, of which the seat is told only where they lie."""
    positions = []
    for thing in candidates:
        pile = g.state.where(thing)
        positions.append(("at", pile, g.state.zones[pile].index(thing) + 1))
    found = yield from ask(g, c.you, "blind", n, n, positions)
    lying = [(g.state.zones[pile], place) for _, pile, place in found]
    return tuple(things[place - 1] for things, place in lying if place <= len(things))


def _first_ones(g: Game, c: Context, options: Sequence[int], found: Sequence[int]) -> tuple[int, ...]:
    """What was picked, but of equal things those that are listed first."""
    alike = {each: _like(g, c.you, each) for each in options}
    left = list(listed(g, c, options))
    first = []
    for each in found:
        one = next(other for other in left if alike[other] == alike[each])
        left.remove(one)
        first.append(one)
    return tuple(first)


def unasked(g: Game, amount: e.Whole, candidates: Sequence[Any]) -> tuple[Any, ...]:
    """What is taken where the seat has no say: all, some by chance, or from one end."""
    n = amount.amount
    if amount.mode == "random":
        return tuple(changes.draw(g, candidates, n))
    if amount.mode == "bottom":
        return tuple(candidates[::-1][:n])
    return tuple(candidates if amount.mode == "all" else candidates[:n])


def _others_cannot_know(g: Game, you: int | None, piles: Sequence[Pile], candidates: Sequence[Any], n: int) -> bool:
    """Whether, for all that somebody sees, more than so many might fit."""
    hidden = [pile for pile in piles if g.words.zones[pile.zone].sight != "all"]
    lying = [thing for pile in hidden for thing in g.state.zones[pile]]
    for seat in g.table.seats if len({*lying, *candidates}) > n else ():
        unseen = [thing for thing in lying if seat != you and not g.sees(seat, thing)]
        if unseen and len({*unseen, *candidates}) > n:
            return True
    return False


def listed(g: Game, c: Context, candidates: Sequence[int]) -> Sequence[int]:
    """Things to pick from: as they lie, or as they are declared, if one of them is hidden from who picks."""
    picking = g.table.seats if c.you is None else [c.you]
    hidden = any(not g.sees(seat, each) for each in candidates for seat in picking)
    return sorted(candidates) if hidden else candidates


def equal_once(g: Game, you: int | None, candidates: Sequence[int], most: int = 1) -> list[int]:
    """Things of which equal ones are listed once, or as often as they can be picked."""
    kept, often = [], Counter[Any]()
    for each in candidates:
        often[_like(g, you, each)] += 1
        if often[_like(g, you, each)] <= most:
            kept.append(each)
    return kept


def _like(g: Game, you: int | None, thing: int) -> tuple[Any, ...]:
    """What equal things share: they are copies of one object in one zone, with the same marks, for all a seat sees."""
    return (g.table.label(thing), g.state.where(thing), *changes.seen_marks(g, you, thing))


def unequal_ways(g: Game, you: int | None, candidates: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """The ways to pick so many, in order; of those that take equal things only the first."""
    if count == 0:
        yield ()
    elif len(candidates) >= count:
        first, *rest = candidates
        for way in unequal_ways(g, you, rest, count - 1):
            yield (first, *way)
        yield from unequal_ways(g, you, [each for each in rest if _like(g, you, each) != _like(g, you, first)], count)


def move(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`move 1 card from hand to pile`, `move 2 cube from stock to camp`"""
    given = dict(act.arguments)
    if given["what"].type.name == "piece":
        return (yield from _move_pieces(g, act, c))
    target = e.piles(g, given["target"], c)
    if not target or e.value(g, given["what"], c) is None:
        return ()
    found = taking(g, act, c)
    candidates: Sequence[int] = found.candidates
    if after is not None and found.amount == e.Whole("exactly", 1):
        candidates = [each for each in candidates if possible.leaves_a_way(g, act, c, each, after)] or candidates
    taken = yield from pick(g, c, found.amount, "thing", candidates, found.piles)
    if taken:
        at, (sure, by) = position(g, act, c), told_apart(g, act, c, found)
        moved = changes.carry(g, taken, target[0], at, sure=sure, by=by)
        yield from a.announce(g, a.Event("move", c.you, things=moved))
    return taken


def told_apart(g: Game, act: m.Act, c: Context, found: Taking) -> tuple[bool, int | None]:
    """Whether everybody can tell which things of a zone a step takes, and who picks them by name."""
    given = dict(act.arguments)
    what, source, mode = given["what"], given.get("source"), found.amount.mode
    described = c.names.get(what.name) if isinstance(what, m.Local) else None
    if isinstance(described, e.Described):
        what = described.of
    if mode == "blind":
        return True, None
    if mode in {"top", "bottom", "all"}:
        if not isinstance(what, m.Named) or what.where is not None:
            return False, None
        zone = source if what.zone is None else what.zone
        if what.zone is not None and source is not None and what.zone != source:
            return False, None
        if zone is None or zone.type.name != "zone":
            return False, None
        kinds = [set(g.words.zones[pile.zone].holds) for pile in found.piles]
        return not what.kind or all(each == {what.kind} for each in kinds), None
    single = not what.type.many and not isinstance(what, (m.Named, m.ObjectRef, m.FieldRef))
    return False, None if mode == "random" or (mode == "exactly" and single) else c.you


def position(g: Game, act: m.Act, c: Context) -> int:
    """Where in its zone something is laid, from 1."""
    at = dict(act.arguments).get("at")
    if at is None:
        return 1
    return 1_000_000 if isinstance(at, m.Quantity) else e.number(g, at, c)


def look(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`look top 2 card from deck`"""
    found = taking(g, act, c)
    taken = yield from pick(g, c, found.amount, "thing", found.candidates, found.piles)
    if c.you is not None:
        changes.see(g, taken, [c.you])
    yield from _tell_of(g, "look", taken, c)
    return taken


def shown(g: Game, act: m.Act, c: Context) -> tuple[int, ...]:
    """What `reveal` is about."""
    what = dict(act.arguments)["what"]
    if what.type.name == "zone":
        return tuple(thing for pile in e.piles(g, what, c) for thing in g.state.zones[pile])
    return tuple(each for each in described(g, what, c) if type(each) is int)


def reveal(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`reveal c`, `reveal hand`"""
    taken = shown(g, act, c)
    changes.see(g, taken, g.table.seats)
    yield from _tell_of(g, "reveal", taken, c)
    return taken


def _tell_of(g: Game, verb: str, things: Sequence[int], c: Context) -> Running:
    if things:
        where = tuple((thing, g.state.where(thing), g.state.where(thing)) for thing in things)
        yield from a.announce(g, a.Event(verb, c.you, things=where))


def shuffle(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`shuffle deck`"""
    piles = e.piles(g, dict(act.arguments)["zone"], c)
    for pile in piles:
        changes.shuffle(g, pile)
    if piles:
        yield from a.announce(g, a.Event("shuffle", c.you, {"zone": piles}))


def roll(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`roll 6`"""
    sides = max(e.number(g, dict(act.arguments)["sides"], c), 0)
    shown = changes.roll(g, sides)
    yield from a.announce(g, a.Event("roll", c.you, {"sides": sides}))
    return shown


# ---- slots, moves, procedures


def run(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`run play of c`; of a group the slots of all, in their order."""
    for body, inner, cost in slots(g, act, c):
        with g.waiting():
            yield from steps.body(g, body, inner, () if cost and after is None else after)


def slots(g: Game, act: m.Act, c: Context) -> list[tuple[m.Body, Context, bool]]:
    """What stands in the slots meant, with the context to run it in, and whether it is a cost."""
    slot = dict(act.arguments)["slot"]
    assert isinstance(slot, m.SlotRef)
    found = []
    for thing in e.group(g, slot.object, c):
        declared = g.table.declared(thing)
        if declared is not None and slot.slot in declared.slots:
            kind = g.words.kinds[declared.kind]
            here = thing if kind.role == "place" else c.here
            inner = (
                Context(c.you, c.you, thing, here) if act.verb.name == "run" else Context(c.you, c.you, c.this, c.here)
            )
            found.append((declared.slots[slot.slot], inner, kind.slots[slot.slot] == "cost"))
    return found


def offer(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`offer actions`"""
    group = dict(act.arguments)["group"]
    assert isinstance(group, m.WordRef)
    yield from moves.offer(g, group.name, c)


def pass_(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`pass`: counts for the innermost round."""
    if g.rounds:
        g.rounds[-1].passed = True
    yield from ()


def leave(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`leave turn`: where it is not running nothing happens."""
    procedure = dict(act.arguments)["procedure"]
    assert isinstance(procedure, m.WordRef)
    if procedure.name in g.running:
        raise LeaveError(procedure.name)
    yield from ()


def win(g: Game, act: m.Act, c: Context, after: Any) -> Running:
    """`win you`: the game ends there and then."""
    winners = e.group(g, dict(act.arguments)["who"], c)
    if winners:
        g.state.result = tuple(sorted(winners))
        raise GameOver
    yield from ()


VERBS: dict[str, Callable[[Game, m.Act, Context, Any], Running]] = {
    "copy": run, "gain": gain, "leave": leave, "look": look, "lose": lose, "move": move, "offer": offer, "pass": pass_,
    "pay": pay, "reveal": reveal, "roll": roll, "run": run, "set": set_, "shuffle": shuffle, "win": win,
}  # fmt: skip
