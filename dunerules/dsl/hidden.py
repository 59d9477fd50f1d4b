"""Picks by name among things that the picking seat cannot see: whoever may pick reads them all.

A text is gone through step by step, because it matters who acts there and what has been looked at before. In a verb or
procedure some of it depends on the arguments; such picks are kept with the verb and judged where it is called.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.agreement import substituted
from dunerules.dsl.record import record
from dunerules.dsl.scope import Fault
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import QUANTITY, SEAT, many
from dunerules.dsl.vocabulary import Procedure, Verb, Vocabulary, Zone
from dunerules.dsl.walk import changed, parts, walk

__all__ = ["hidden_picks", "may_pick", "open_searches", "search_by_move"]

_YOU, _OWNER = m.SeatRef("you", SEAT), m.SeatRef("owner", SEAT)
_CALLER = m.SeatRef("caller", SEAT)
"""The acting seat of a call, in what is given to a verb that lets other seats act."""

_OPPONENT = m.SeatRef("opponent", many(SEAT))
_NEXT = m.ValueRef("next", (("s", _YOU),), SEAT)
"""Seats that are never the one that asks."""

_ASKING = ("exactly", "up to", "any")
"""Quantities of things that the seat picks."""

_EVERY = m.Quantity("any", None)
"""Where all that there is can be picked."""

_MEANT = "if a search is meant, `# dunerules: ignore[DR616]:` and why"
_INSTEAD = {
    "act": f"`top`, `random` or `blind`, as in `top 1`; or `look all` of it first; {_MEANT}",
    "choose": f"`random` or `blind`, as in `random 1`; or `look all` of it first; {_MEANT}",
    "any order": f"no `any order`; or `look all` of it first; {_MEANT}",
    "takes": f"no such pick, and `top 1`, `random 1` or `blind 1` in what the move does; {_MEANT}",
}
"""By what asks the seat: what shows it nothing, or says that it is shown."""

_SEEN = {"owner": "which only its owner sees", "others": "which its owner does not see"}
"""By sight: from whom a zone is hidden."""

Answer: TypeAlias = bool | None
"""Yes, no, or nobody knows before the verb is called."""


@record(frozen=True, slots=True)
class Shown:
    """A zone of which all has been shown, or all of some things: to the acting seat, or to everybody."""

    zone: m.Expression
    what: m.Named | None
    to_all: bool


@record(frozen=True, slots=True)
class Search:
    """Things that a seat picks by name, and who the seat is."""

    by: Literal["act", "choose", "any order", "takes"]
    quantity: m.Quantity
    what: m.Expression
    source: m.Expression | None
    acting: tuple[m.Expression, ...]
    """What stands for the picking seat, besides `you`."""
    turned: bool = False
    """Whether another seat picks than the one that the whole text is done by."""
    shown: tuple[Shown, ...] = ()
    """What has been shown to the picking seat before."""
    named: tuple[str, ...] = ()
    """Names of seats that were given before."""
    apart: tuple[m.Expression, ...] = ()
    """What stands for seats that are not the picking one."""
    inside: str = ""
    """The verb or procedure that was called."""
    span: Offsets = field(default=(0, 0), compare=False)


@record(frozen=True, slots=True)
class _Spot:
    """Where a step stands: who acts there, and what has been shown to that seat."""

    acting: tuple[m.Expression, ...]
    turned: bool = False
    shown: tuple[Shown, ...] = ()
    named: tuple[str, ...] = ()
    apart: tuple[m.Expression, ...] = (_OPPONENT, _NEXT)


def may_pick(node: Any, words: Vocabulary) -> bool:
    """Whether a record, anywhere in a text, can be of a pick by name: most texts have none and need no such check."""
    if isinstance(node, m.Act):
        return bool(not node.verb.kernel and _word(node, words).searches)
    return isinstance(node, m.Each) or (isinstance(node, m.Quantity) and node.mode in _ASKING)


def _word(act: m.Act, words: Vocabulary) -> Verb | Procedure:
    """The verb or procedure that is called."""
    return words.procedures[act.verb.name] if act.procedure else act.verb


def hidden_picks(body: m.Body, words: Vocabulary, parameters: Collection[str] | None = None) -> Iterator[Fault]:
    """Picks that are searches. In a verb or procedure, what depends on its `parameters` is left to its calls."""
    for search in _searches(body, words, called=parameters is not None):
        yield from _fault(search, words, parameters or ())


def search_by_move(taken: m.Expression, words: Vocabulary, before: Mapping[str, m.Expression]) -> Iterator[Fault]:
    """The same for what a move takes, after what it has taken `before`, by name: all there is to take is listed."""
    spot = _Spot((_OWNER,))
    for name, each in before.items():
        spot = _naming(name, each, spot)
    yield from _fault(_search("takes", _EVERY, taken, None, spot, taken.span), words, ())


def open_searches(body: m.Body, words: Vocabulary, parameters: Collection[str]) -> tuple[Search, ...]:
    """Picks in the body of a verb or procedure that may be searches, by what it is called with."""
    found: dict[Search, None] = {}
    for search in _searches(body, words, called=True):
        if _is_search(search, words, parameters) is None:
            own = {each.name for each in walk(search) if isinstance(each, m.Local)} - {*parameters}
            kept = substituted(replace(search, acting=(), shown=(), apart=()), dict.fromkeys(own, m.Unknown()))
            acting, apart = (
                tuple(each for each in seats if not isinstance(each, m.Local) or each.name not in own)
                for seats in (search.acting, search.apart)
            )
            found[replace(kept, acting=acting, named=(), apart=apart)] = None
    return tuple(found)


# ---- every pick of a text


def _searches(body: m.Body, words: Vocabulary, *, called: bool) -> Iterator[Search]:
    """What seats pick by name. Who owns a verb is known only to its callers."""
    return _steps(body, _Spot(() if called else (_OWNER,)), words)


def _steps(body: m.Body, spot: _Spot, words: Vocabulary) -> Iterator[Search]:
    for step in (*(body.cost or ()), *body.steps):
        if isinstance(step, m.Act):
            yield from _act(step, spot, words)
            shown = tuple(_shows(step))
            spot = replace(spot, shown=(*spot.shown, *shown)) if shown else spot
            if step.body is not None:
                yield from _steps(step.body, spot, words)
            continue
        yield from _picks(step, spot)
        inner = _turned(step, spot) if isinstance(step, m.Each) else spot
        if isinstance(step, m.Pick):
            inner = _naming(step.name, step.of, spot)
        for part in (step,) if isinstance(step, m.Body) else parts(step):
            if isinstance(part, m.Body):
                yield from _steps(part, inner, words)
            elif isinstance(part, m.Clause) and part.body is not None:
                yield from _steps(part.body, replace(inner, shown=()), words)


def _act(act: m.Act, spot: _Spot, words: Vocabulary) -> Iterator[Search]:
    """What the seat is asked to pick by a verb."""
    if not act.verb.kernel:
        yield from (_called(each, act, spot) for each in _word(act, words).searches)
    else:
        given = dict(act.arguments)
        quantity, what, source = given.get("n"), given.get("what"), given.get("source")
        if isinstance(quantity, m.Quantity) and what is not None and what.type.name == "thing":
            zone = what.zone if isinstance(what, m.Named) else None
            span = (source or zone or what).span
            yield _search("act", quantity, what, source, spot, span)


def _picks(step: m.Step, spot: _Spot) -> Iterator[Search]:
    """What the seat is asked to pick by another step itself."""
    if isinstance(step, m.Pick) and step.of.type.name == "thing":
        yield _search("choose", step.quantity, step.of, None, spot, step.of.span)
    elif isinstance(step, m.Each) and step.mode == "any order" and step.of.type.name == "thing":
        yield _search("any order", _EVERY, step.of, None, spot, step.of.span)


def _search(
    by: Literal["act", "choose", "any order", "takes"],
    quantity: m.Quantity,
    what: m.Expression,
    source: m.Expression | None,
    spot: _Spot,
    span: Offsets,
) -> Search:
    """A pick of the seat that acts somewhere."""
    about = (spot.acting, spot.turned, spot.shown, spot.named, spot.apart)
    return Search(by, quantity, what, source, *about, span=span)


def _naming(name: str, of: m.Expression, spot: _Spot) -> _Spot:
    """Where one of some seats has a name; of anything else nothing is kept."""
    if of.type.name != SEAT.name:
        return spot
    others = isinstance(of, m.SeatRef) and of.which == _OPPONENT.which
    apart = (*spot.apart, m.Local(name, SEAT)) if others else spot.apart
    return replace(spot, named=(*spot.named, name), apart=apart)


def _turned(each: m.Each, spot: _Spot) -> _Spot:
    """Inside `each` over seats, where every one acts in turn."""
    if each.of.type.name != SEAT.name or each.of == _YOU:
        return spot
    acting: list[m.Expression] = [m.Local(each.name, SEAT)] if each.name else []
    if each.of == _OWNER or (isinstance(each.of, m.Local) and not each.of.type.many):
        acting.append(each.of)
    apart: tuple[m.Expression, ...] = (_OPPONENT, _NEXT)
    if isinstance(each.of, m.SeatRef) and each.of.which == _OPPONENT.which:
        apart += (*spot.acting, _CALLER)
    named = (*spot.named, each.name) if each.name else spot.named
    return _Spot(tuple(acting), turned=True, shown=_shown_to_others(spot), named=named, apart=apart)


def _called(search: Search, act: m.Act, spot: _Spot) -> Search:
    """A pick inside a verb or procedure, as it is called. Arguments are meant in the eyes of the caller."""
    given = dict(act.arguments)
    if search.turned:
        given = {name: _in_eyes_of_caller(value, spot.acting) for name, value in given.items()}
    found: Search = replace(substituted(search, given), inside=act.verb.name, span=_verb(act))
    if search.turned:
        return replace(found, shown=_shown_to_others(spot), named=spot.named, apart=search.apart)
    acting = (*spot.acting, *found.acting, *((_OWNER,) if act.procedure else ()))  # a procedure is its starter's own
    apart = (*spot.apart, *found.apart)
    return replace(found, acting=acting, turned=spot.turned, shown=spot.shown, named=spot.named, apart=apart)


def _shown_to_others(spot: _Spot) -> tuple[Shown, ...]:
    return tuple(_in_eyes_of_caller(each) for each in spot.shown if each.to_all)


def _in_eyes_of_caller(node: Any, acting: tuple[m.Expression, ...] = ()) -> Any:
    if node == _YOU or node in acting:
        return _CALLER
    if isinstance(node, m.SeatRef) and node.which == _OPPONENT.which:
        return replace(node, which="opponent of the caller")
    if isinstance(node, m.ZoneRef) and node.owner is None:
        return replace(node, owner=_CALLER)
    return changed(node, lambda each: _in_eyes_of_caller(each, acting))


def _verb(act: m.Act) -> Offsets:
    start, _ = act.span
    return start, start + len(act.verb.name)


# ---- what has been shown


def _shows(act: m.Act) -> Iterator[Shown]:
    """Zones of which a verb shows all, or all of some things."""
    if act.verb.kernel is None or not act.verb.kernel.shows:
        return
    given = dict(act.arguments)
    quantity, what, to_all = given.get("n"), given.get("what"), act.verb.kernel.shows == "all"
    if isinstance(what, m.ZoneRef):
        yield Shown(what, None, to_all)
    elif isinstance(what, m.Named) and not (isinstance(quantity, m.Quantity) and quantity.mode != "all"):
        zone = what.zone or given.get("source")
        if zone is not None:
            yield Shown(zone, replace(what, zone=None), to_all)


def _was_shown(zone: m.Expression, what: m.Named, shown: tuple[Shown, ...]) -> bool:
    bare = replace(what, zone=None)
    return any(
        each.zone == zone
        and (each.what is None or each.what == bare or (each.what.where is None and each.what.type == what.type))
        for each in shown
    )


# ---- whether a pick is a search


def _fault(search: Search, words: Vocabulary, parameters: Collection[str]) -> Iterator[Fault]:
    if _is_search(search, words, parameters):
        zone, what = _where(search, words)
        part = next(each for each in _parts(zone, what, words) if _is_hidden(each, zone, search, parameters))
        seen = _SEEN.get(part.sight, "which nobody sees into")
        message = f"a pick by name from `{part.name}`, {seen}: who picks reads all that lies there"
        message += f", inside `{search.inside}`" if search.inside else ""
        yield Fault("DR616", message, search.span, _INSTEAD[search.by])


def _is_search(search: Search, words: Vocabulary, parameters: Collection[str]) -> Answer:
    """Whether the seat is asked, about things it does not know, in a zone that it does not see into."""
    if search.quantity.mode not in _ASKING:
        return False
    zone, what = _where(search, words)
    given = isinstance(what, m.Local) and what.name in parameters
    if isinstance(what, m.Named) and zone is not None:
        if _is_among_known(what.where) or _was_shown(zone, what, search.shown):
            return False
    elif not given:
        return False
    hidden = _any_hidden(zone, what, search, words, parameters) if zone is not None else None
    amount = search.quantity.amount
    in_any_way = isinstance(amount, m.Local) and amount.type == QUANTITY
    return None if hidden and (given or in_any_way) else hidden


def _where(search: Search, words: Vocabulary) -> tuple[m.Expression | None, m.Expression]:
    """The zone or place that things are picked from, and what of it; values of packs are read as they are defined."""
    what, zone = search.what, search.source
    while True:
        if isinstance(what, m.ValueRef) and what.value in words.values and words.values[what.value].things is not None:
            what = substituted(words.values[what.value].things, dict(what.arguments))
        elif isinstance(what, m.Named) and what.zone is not None and what.zone.type.name == "thing":
            if _is_among_known(what.where):
                return zone, what
            what = what.zone
        else:
            return (what.zone or zone if isinstance(what, m.Named) else zone), what


def _is_among_known(where: m.Expression | None) -> bool:
    """Whether a filter lets pass only members of a named group: whoever named it has seen them."""
    if isinstance(where, m.All):
        return any(map(_is_among_known, where.parts))
    return isinstance(where, m.Has) and isinstance(where.group, m.Local) and m.is_it(where.member)


def _any_hidden(
    zone: m.Expression, what: m.Expression, search: Search, words: Vocabulary, parameters: Collection[str]
) -> Answer:
    """Whether the seat does not see into the zone, or into one of several."""
    if isinstance(zone, m.Local) and zone.name in parameters:
        return None
    answers = {_is_hidden(part, zone, search, parameters) for part in _parts(zone, what, words)}
    return True if True in answers else None if None in answers else False


def _parts(zone: m.Expression | None, what: m.Expression, words: Vocabulary) -> list[Zone]:
    """The zones that are meant and may hold such things; by a place, all of its."""
    meant: Iterable[Zone] = ()
    if isinstance(zone, m.ZoneRef):
        meant = (part for name in zone.zones for part in words.zone_parts(name))
    elif zone is not None and zone.type.name == "place":
        meant = (each for each in words.zones.values() if each.per == zone.type.of)
    return [part for part in meant if not part.holds or not what.type.of or what.type.of in part.holds]


def _is_hidden(part: Zone, zone: m.Expression | None, search: Search, parameters: Collection[str]) -> Answer:
    """Whether the picking seat does not see what lies in a zone."""
    if part.sight not in _SEEN or part.per != "seat":
        return part.sight != "all"
    owner, others = zone.owner if isinstance(zone, m.ZoneRef) else None, part.sight == "others"
    if owner is None or owner == _YOU or owner in search.acting:
        return others
    given = isinstance(owner, m.Local) and owner.name in parameters
    if given or (owner == _OWNER and not search.turned):
        return None
    if others and (owner in search.apart or (isinstance(owner, m.SeatRef) and owner.which == _OPPONENT.which)):
        return False
    return not (others and isinstance(owner, m.Local) and owner.name not in search.named)
