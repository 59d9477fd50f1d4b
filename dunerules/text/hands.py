"""Whose something is that is moved, and where that must be said: behind what is somebody else's, or if it changes."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import PIECE, POOL, SEAT
from dunerules.dsl.walk import walk
from dunerules.language.grammar import NounPhrase
from dunerules.text.binding import turns, written_out
from dunerules.text.context import Bound, Context, given_for
from dunerules.text.facts import is_acting, is_reader

__all__ = [
    "beside_another",
    "changes_hands",
    "counts_own",
    "is_anothers",
    "own_counter",
    "own_ends",
    "own_pools",
    "told_of_another",
]


def told_of_another(body: m.Body, context: Context) -> bool:
    """Whether something of the acting seat is told beside somebody else, whose it could be: both are called *their*."""
    acts = [each for each in walk(body) if isinstance(each, m.Act)]
    told = any(_by_own(each, context) or _is_told_of_another(each, context) for each in acts)
    return told or _comes_back(body, context)


def _comes_back(body: m.Body, context: Context) -> bool:
    """Whether the acting seat does something behind what somebody else gains, loses or pays."""
    acts = [each for each in written_out(body, context) if isinstance(each, m.Act) and each.verb.kernel]
    others = [_is_by_another(each, context) for each in acts]
    return True in others and False in others[others.index(True) :]


def _is_by_another(act: m.Act, context: Context) -> bool:
    what = dict(act.arguments).get("what")
    counts = act.verb.kernel is not None and "n" in dict(act.arguments)
    if not counts or not isinstance(what, m.CounterRef) or _is_own(what, context):
        return False
    return not is_reader(what.owner, context) and "seat" in context.meanings.words.counters[what.counter].per


def _is_told_of_another(act: m.Act, context: Context) -> bool:
    if turns(act, context) and any(_is_given(each, context) for _, each in act.arguments):
        return True
    act, context = own_pools(act, context)
    return beside_another(act, context) or changes_hands(act, context) or counts_own(act, context)


def _is_given(argument: m.Expression, context: Context) -> bool:
    """Whether something of the acting seat is given to a verb, or that seat itself."""
    if isinstance(argument, m.CounterRef | m.ZoneRef | m.WordRef):
        return _is_own(argument, context)
    return isinstance(argument, m.SeatRef) and argument.which == "you"


def beside_another(act: m.Act, context: Context) -> bool:
    """Whether a step is about a zone or pool of the acting seat behind one of somebody else who is not the reader."""
    ends = [each for _, each in act.arguments if _is_held(each, context)]
    others = [is_anothers(each, context) and not _is_readers(each, context) for each in ends]
    return any(other and not is_anothers(behind, context) for other, behind in zip(others, ends[1:], strict=False))


def counts_own(act: m.Act, context: Context) -> bool:
    """Whether something of the acting seat is counted beside what is somebody else's: as many, or *for each* of it."""
    numbers = (*walk(act.per), *walk(dict(act.arguments).get("n")))
    counted = (each for each in numbers if isinstance(each, m.CounterRef | m.PieceRef | m.ZoneRef))
    return any(_is_own(each, context) for each in counted) and any(
        _belongs_to_another(each, context) for _, each in act.arguments
    )


def _belongs_to_another(argument: m.Expression, context: Context) -> bool:
    """Whether a step is about the pieces of somebody else, or a zone or pool."""
    pieces, where = given_for(argument, context)
    if isinstance(pieces, m.WordRef) and pieces.type == PIECE:
        return where.actor != context.actor or not is_acting(pieces.owner, where)
    return is_anothers(argument, context)


def own_ends(act: m.Act, context: Context) -> list[str]:
    """The parameters of a step that are zones and pools of the acting seat."""
    ends = ((name, each) for name, each in act.arguments if _is_held(each, context))
    return [name for name, each in ends if not is_anothers(each, context)]


def is_anothers(part: m.Expression | None, context: Context) -> bool:
    """Whether something lies in a zone or pool of a seat that does not act."""
    if part is None or isinstance(part, m.Named):
        return part is not None and is_anothers(part.zone, context)
    found, where = given_for(part, context)
    if not isinstance(found, m.ZoneRef | m.WordRef) or not _is_held(part, context):
        return False
    if isinstance(found, m.WordRef) and found.owner is None:  # it goes with the pieces
        return False
    return where.actor != context.actor or not is_acting(found.owner, replace(where, explicit=False))


def _is_held(part: m.Expression, context: Context) -> bool:
    """Whether it is a zone or pool that every seat has."""
    found, _ = given_for(part, context)
    if isinstance(found, m.ZoneRef):
        return all(context.meanings.words.zone_holder(name) == SEAT.name for name in found.zones)
    return isinstance(found, m.WordRef) and found.type == POOL


def _is_readers(part: m.Expression, context: Context) -> bool:
    found, where = given_for(part, context)
    return isinstance(found, m.ZoneRef | m.WordRef) and is_reader(found.owner, where)


def _by_own(act: m.Act, context: Context) -> bool:
    given = dict(act.arguments)
    what = given.pop("what", None)
    if act.verb.kernel is None or not isinstance(what, m.CounterRef) or _is_own(what, context):
        return False
    owned = (m.CounterRef, m.PieceRef, m.ZoneRef)
    parts = (each for part in (*given.values(), act.per) for each in walk(part))
    return any(isinstance(each, owned) and _is_own(each, context) for each in parts)


def _is_own(part: m.CounterRef | m.PieceRef | m.ZoneRef | m.WordRef, context: Context) -> bool:
    """Whether it is the acting seat's, also by the name of that seat."""
    return is_acting(part.owner, replace(context, explicit=False))


_THEIRS = "owner of the pieces"
"""The name of the seat whose pieces or counter it is, where a parameter stands for them."""

_YOU = m.SeatRef("you", SEAT)


def own_counter(act: m.Act, context: Context) -> tuple[m.Act, Context]:
    """A counter that a parameter stands for is that of who gave it, and not of who acts."""
    what = dict(act.arguments).get("what")
    if not act.verb.kernel or not isinstance(what, m.Local):
        return act, context
    found, where = given_for(what, context)
    if not isinstance(found, m.CounterRef) or (found.owner is None and where.actor == context.actor):
        return act, context
    names = {_THEIRS: Bound(found.owner or _YOU, where)}
    names |= {f"{_THEIRS} {name}": Bound(each, where) for name, each in found.indexes}
    indexes = tuple((name, m.Local(f"{_THEIRS} {name}", each.type)) for name, each in found.indexes)
    seats = "seat" in context.meanings.words.counters[found.counter].per
    counter = replace(found, owner=m.Local(_THEIRS, SEAT) if seats else None, indexes=indexes)
    given = {**dict(act.arguments), "what": counter}
    return replace(act, arguments=tuple(given.items())), context.naming(names)


def own_pools(act: m.Act, context: Context) -> tuple[m.Act, Context]:
    """Pieces that are moved stay with their owner: that is whose pools are meant."""
    given = dict(act.arguments)
    what = given.get("what")
    if not act.verb.kernel or what is None or what.type != PIECE:
        return act, context
    owner: m.Expression | None = None
    found, where = given_for(what, context)
    if isinstance(found, m.Local):
        anything = isinstance(where.names.get(found.name), NounPhrase)  # in an event: of anybody
        owner = m.SeatRef("whoever", SEAT) if anything else None
    elif isinstance(found, m.WordRef):
        owner = found.owner
        if isinstance(what, m.Local) and (owner is not None or where.actor != context.actor):  # of who gave them
            context = context.naming({_THEIRS: Bound(owner or _YOU, replace(where, another=True))})
            owner = m.Local(_THEIRS, SEAT)
            what = replace(found, owner=owner)
    if owner is None:
        return act, context
    ends = [name for name in ("source", "target") if name in given]
    for name in ends:
        pool, _ = given_for(given[name], context)
        if isinstance(pool, m.WordRef) and pool.type == POOL and pool.owner is None:
            given[name] = replace(pool, owner=owner)
    if isinstance(what, m.WordRef):
        told = not any(_leaves_owner(given[name], context) for name in ends)
        given["what"] = replace(what, owner=None) if told else what
    return replace(act, arguments=tuple(given.items())), context


def _leaves_owner(end: m.Expression, context: Context) -> bool:
    """Whether pieces are moved from or to where nothing says whose they are: a place, or a pool that is left open."""
    return end.type.name == "place" or isinstance(given_for(end, context)[0], m.Local)


def changes_hands(act: m.Act, context: Context) -> bool:
    """Whether pieces out of somebody else's pool lie at a place as those of the acting seat."""
    given = dict(act.arguments)
    what, source, target = (given.get(name) for name in ("what", "source", "target"))
    if not act.verb.kernel or what is None or what.type != PIECE or source is None or target is None:
        return False
    pieces, _ = given_for(what, context)
    own = isinstance(pieces, m.WordRef) and pieces.owner is None
    pool, where = given_for(source, context)
    if not own or not isinstance(pool, m.WordRef) or pool.type != POOL or target.type.name != "place":
        return False
    return not is_acting(pool.owner, where)
