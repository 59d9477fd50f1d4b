"""Moves that are offered, and what is done in any order."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from tests.reference import expressions as e
from tests.reference import possible, sights, steps, verbs
from tests.reference.game import Game
from tests.reference.load import Move
from tests.reference.questions import ask
from tests.reference.state import Context, Question

__all__ = ["each_in_any_order", "in_any_order", "legal", "make", "offer", "offered"]

Running = Generator[Question, Any, Any]


def legal(g: Game, group: str, c: Context) -> list[tuple[Any, ...]]:
    """Every legal move of a group, with every way to make its picks."""
    return [("move", move.name, *picks) for move in g.rules.moves.get(group, ()) for picks in _ways(g, move, (), c)]


def _ways(g: Game, move: Move, picks: tuple[Any, ...], c: Context) -> Iterator[tuple[Any, ...]]:
    g.step()
    inner = _context(move, picks, c)
    if len(picks) < len(move.takes):
        selection = move.takes[len(picks)][1]
        found = e.group(g, selection, inner)
        for each in verbs.equal_once(g, c.you, verbs.listed(g, c, found)) if selection.type.name == "thing" else found:
            yield from _ways(g, move, (*picks, each), c)
    elif (move.condition is None or e.holds(g, move.condition, inner)) and (
        move.cost is None or possible.cost(g, move.cost.steps, inner)
    ):
        yield picks


def _context(move: Move, picks: tuple[Any, ...], c: Context) -> Context:
    """The context of a move: it is the acting seat's, and its picks are named."""
    return Context(c.you, c.you, names=dict(zip([name for name, _ in move.takes], picks, strict=False)))


def make(g: Game, option: tuple[Any, ...], c: Context) -> Running:
    """Make a move: its cost, then what it does."""
    _, name, *picks = option
    move = next(each for moves in g.rules.moves.values() for each in moves if each.name == name)
    inner = _context(move, tuple(picks), c)
    with g.waiting():
        if move.cost is not None:
            yield from steps.cost(g, move.cost.steps, inner)
        if move.do is not None:
            yield from steps.body(g, move.do, inner)


def offered(body: m.Body) -> str:
    """The group that a body offers, if that is all it does."""
    if body.cost is None and len(body.steps) == 1:
        [only] = body.steps
        if isinstance(only, m.Act) and only.verb.name == "offer":
            group = dict(only.arguments)["group"]
            assert isinstance(group, m.WordRef)
            return group.name
    return ""


def offer(g: Game, group: str, c: Context, *, passing: bool = False) -> Running:
    """One of the legal moves; or passing, where that is allowed. Gives whether one was made."""
    if c.you is None:
        return False
    options: list[Any] = legal(g, group, c)
    if passing or not options:
        options.append("pass")
    [chosen] = yield from ask(g, c.you, "move", 1, 1, options, secret=_secret(g, group, c))
    if chosen == "pass":
        return False
    yield from make(g, chosen, c)
    return True


def _secret(g: Game, group: str, c: Context) -> bool:
    """Whether a seat holds things that others cannot see and that moves of a group may be made with."""
    return sights.still(g, lambda: _holds_secrets(g, group, c))


def _holds_secrets(g: Game, group: str, c: Context) -> bool:
    for move in g.rules.moves.get(group, ()):
        for _, selection in move.takes:
            if not isinstance(selection, m.Named) or not isinstance(selection.zone, m.ZoneRef):
                continue
            if any(isinstance(part, m.Local) for part in walk(selection.zone)):
                continue  # where it lies depends on what was picked before
            for pile in e.piles(g, selection.zone, _context(move, (), c)):
                kinds = g.words.zone_kinds(pile.zone)
                lying = g.state.zones[pile] if not kinds or selection.kind in kinds else ()
                if any(_hidden(g, each, c) for each in lying):
                    return True
    return False


def _hidden(g: Game, thing: int, c: Context) -> bool:
    return g.state.holders[thing] == c.you and any(not g.sees(seat, thing) for seat in g.table.seats if seat != c.you)


# ---- in any order


def in_any_order(g: Game, node: m.AnyOrder, c: Context, after: Any) -> Running:
    """Bodies in the order the seat likes; those that have nothing to do are left out when it is asked."""
    left = list(range(len(node.bodies)))
    while True:
        options = [("body", number) for number in left if has_work(g, node.bodies[number], c)]
        chosen = yield from _next(g, node.offering, options, c)
        if chosen is None:
            return
        if chosen[0] == "body":
            left.remove(chosen[1])
            yield from steps.body(g, node.bodies[chosen[1]], c, after)


def each_in_any_order(g: Game, node: m.Each, c: Context, after: Any) -> Running:
    """Members in the order the seat likes; the group is asked for anew before every turn."""
    done: list[Any] = []
    kind = steps.kind_of(g, node.of)
    while True:
        waiting = [each for each in e.group(g, node.of, c) if each not in done]
        able = [each for each in waiting if has_work(g, node.body, steps.member(node, c, each))]
        options = [
            (kind, each) for each in (verbs.equal_once(g, c.you, verbs.listed(g, c, able)) if kind == "thing" else able)
        ]
        chosen = yield from _next(g, node.offering, options, c)
        if chosen is None:
            return
        if chosen[0] == kind:
            done.append(chosen[1])
            yield from steps.body(g, node.body, steps.member(node, c, chosen[1]), after)


def _next(g: Game, offering: str, options: list[Any], c: Context) -> Running:
    """What is done next; a move of the group that is offered is made at once. Nothing, if all is done."""
    if c.you is None:
        return None
    moves: list[Any] = legal(g, offering, c) if offering else []
    secret = bool(offering) and _secret(g, offering, c)
    if not options and not moves and not secret:
        return None
    found = yield from ask(g, c.you, "order", 1, 1, [*options, *moves, *(() if options else ("done",))], secret=secret)
    [chosen] = found
    if chosen == "done":
        return None
    if chosen[0] == "move":
        yield from make(g, chosen, c)
    return chosen


def has_work(g: Game, body: m.Body, c: Context) -> bool:
    """Whether a body has anything to do: not if it is an `if` that does not hold or runs a slot that is not there."""
    if body.cost is not None or len(body.steps) != 1:
        return True
    [only] = body.steps
    if isinstance(only, m.Body):
        return has_work(g, only, c)
    if isinstance(only, m.Branch):
        arm = next((then for condition, then in only.arms if e.holds(g, condition, c)), only.otherwise)
        return arm is not None and has_work(g, arm, c)
    if isinstance(only, m.Act) and only.verb.name == "run":
        return bool(verbs.slots(g, only, c))
    return True
