"""Steps: one short function for each. A step is a generator that asks by yielding questions.

`after` is what else of a cost is still to be done behind a step, as tasks that can be tried; nothing outside of a cost.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.results import result_type
from tests.reference import abilities as a
from tests.reference import changes, moves, possible, verbs
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.questions import ask, yes
from tests.reference.state import Context, Question, Round

__all__ = ["body", "call", "cost", "kind_of", "left_out", "procedure", "times"]

Running = Generator[Question, Any, Any]


def body(g: Game, node: m.Body, c: Context, after: Any = None, *, paid: bool = False) -> Running:
    """Steps in order. A cost is asked for first, if it can be paid, unless that was settled before."""
    if node.cost is not None:
        if not paid and not (possible.arrow(g, node, c) and (yield from yes(g, c.you, "pay"))):
            return None
        yield from cost(g, node.cost, c)
        after = None
    return (yield from _sequence(g, node.steps, c, after))


def cost(g: Game, nodes: tuple[m.Step, ...], c: Context) -> Running:
    """The steps of a cost: where a thing is picked, only what leaves a way to pay the rest is offered."""
    return (yield from _sequence(g, nodes, c, ()))


def _sequence(g: Game, nodes: tuple[m.Step, ...], c: Context, after: Any) -> Running:
    """Steps one after the other. Gives what the last of them gives that gives anything."""
    given = None
    for number, node in enumerate(nodes):
        behind = None if after is None else (*possible.tasks(nodes[number + 1 :], c, cost=True), *after)
        found = yield from step(g, node, c, behind)
        if isinstance(node, m.Act) and result_type(node) is not None:
            given = found
    return given


def step(g: Game, node: m.Step, c: Context, after: Any) -> Running:
    """One step."""
    g.step()
    return (yield from _STEPS[type(node)](g, node, c, after))


# ---- calls


def _act(g: Game, node: m.Act, c: Context, after: Any) -> Running:
    """A verb or procedure; `as` names what it gives."""
    behind = after
    if after is not None and node.body is not None:
        behind = (possible.Named(node, c), *after)
    if node.verb.kernel:
        found = yield from verbs.VERBS[node.verb.name](g, node, c, behind)
    elif node.procedure:
        found = yield from _start(g, node, c)
    else:
        found = yield from call(g, node, c, behind)
    if node.body is not None:
        yield from body(g, node.body, c.naming(node.name, verbs.named(node, found)), after)
    return found


def times(g: Game, node: m.Act, c: Context) -> int:
    """What `per` counts."""
    return 1 if node.per is None else max(e.number(g, node.per.of, c), 0) // node.per.each


def left_out(quantity: m.Expression | None) -> bool:
    """Whether a quantity was not written but is the default."""
    return quantity is None or (isinstance(quantity, m.Quantity) and quantity.span == (0, 0))


def arguments(g: Game, node: m.Act, c: Context) -> dict[str, Any] | None:
    """The parameters of a verb or procedure of a pack, by value; nothing if one of them is nobody or nothing."""
    given = dict(node.arguments)
    found: dict[str, Any] = {}
    for parameter in node.verb.parameters:
        if parameter.name not in given:
            continue
        value = e.bind(g, given[parameter.name], c, parameter.types[0])
        if value is None or (parameter.types[0].name == "zone" and not value):
            return None
        if (isinstance(value, e.Pool) and value.owned and value.seat is None) or (
            isinstance(value, e.Pieces) and value.seat is None
        ):
            return None
        found[parameter.name] = value
    _multiply(found, times(g, node, c))
    _all_of_a_named_group(node, found)
    return found


def _multiply(found: dict[str, Any], by: int) -> None:
    amount = found.get("n")
    if isinstance(amount, e.Whole):
        found["n"] = e.Whole(amount.mode, amount.amount * by)
    elif amount is not None and by != 1:
        found["n"] = max(amount, 0) * by


def _all_of_a_named_group(node: m.Act, found: dict[str, Any]) -> None:
    """If a named group stands where a quantity is left out, all of it is meant."""
    groups = any(type(value) is tuple and value and type(value[0]) is int for value in found.values())
    for name, value in node.arguments:
        if groups and isinstance(found.get(name), e.Whole) and left_out(value):
            found[name] = e.Whole("all", 0)


def call(g: Game, node: m.Act, c: Context, after: Any) -> Running:
    """A verb of a pack: done as a whole, then announced; or not at all."""
    given = arguments(g, node, c)
    if given is None:
        return None
    event = a.Event(node.verb.name, c.you, given)
    if (yield from a.replaced(g, event)):
        return None
    found = yield from body(g, g.rules.verbs[node.verb.name][1], replace(c, names=given, it=None), after)
    yield from a.announce(g, event)
    return found


def _start(g: Game, node: m.Act, c: Context) -> Running:
    given = arguments(g, node, c)
    if given is not None:
        yield from procedure(g, node.verb.name, given, c)


def procedure(g: Game, name: str, given: dict[str, Any], c: Context) -> Running:
    """A procedure runs for the seat that acts: counters go back, its start is told, it runs, its end is told."""
    start = a.Event(name, c.you, given, "start")
    if (yield from a.replaced(g, start)):
        return
    for counter, data in g.rules.counters.items():
        if data.get("reset") == name:
            fresh = g.table.new_state(0).counters
            for at in g.table.counters(counter):
                changes.put(g, at, fresh[at])
    a.renew(g, name)
    g.running.append(name)
    try:
        with g.waiting():
            yield from a.announce(g, start)
            inner = Context(c.you, c.you, c.this, c.here, names=given)
            yield from body(g, g.rules.procedures[name][1], inner)
    except verbs.LeaveError as left:
        if left.procedure != name:
            raise
    finally:
        g.running.pop()
    yield from a.announce(g, a.Event(name, c.you, given, "end"))


# ---- choices


def _branch(g: Game, node: m.Branch, c: Context, after: Any) -> Running:
    for condition, then in node.arms:
        if e.holds(g, condition, c):
            return (yield from body(g, then, c, after))
    if node.otherwise is not None:
        return (yield from body(g, node.otherwise, c, after))
    return None


def _choice(g: Game, node: m.Choice, c: Context, after: Any) -> Running:
    """Some of the options that can be taken. One that is an arrow is not asked again."""
    amount = e.quantity(g, node.quantity, c)
    able = [
        number for number, option in enumerate(node.bodies) if possible.option(g, option, c, cost=after is not None)
    ]
    low, high = {
        "exactly": (amount.amount, amount.amount),
        "up to": (0, amount.amount),
        "any": (0, len(able)),
        "random": (0, 0),
        "all": (len(able), len(able)),
    }[amount.mode]
    if amount.mode == "random":
        chosen = changes.draw(g, able, amount.amount)
    else:
        chosen = yield from ask(g, c.you, "choose", low, high, able, bodies=node.bodies)
    for number in chosen:
        yield from body(g, node.bodies[number], c, after, paid=True)


def _pick(g: Game, node: m.Pick, c: Context, after: Any) -> Running:
    """A choice from seats, places, labels or things."""
    amount = e.quantity(g, node.quantity, c)
    kind, candidates = kind_of(g, node.of), e.group(g, node.of, c)
    piles = verbs.piles_in(g, node.of, c)
    if kind == "thing" and not piles:
        piles = tuple(dict.fromkeys(map(g.state.where, candidates)))
    chosen = yield from verbs.pick(g, c, amount, kind, candidates, piles)
    if kind == "seat":  # in order of play, also if they were picked in another order
        chosen = tuple(each for each in candidates if each in chosen)
    if not chosen:
        return
    single = isinstance(node.quantity.amount, m.Constant) and node.quantity.amount.value == 1
    yield from body(g, node.body, c.naming(node.name, chosen[0] if single else tuple(chosen)), after)


def kind_of(g: Game, node: m.Expression) -> str:
    """What a question is about: a family of labels is named."""
    family = node.type.name == "label" and node.type.of in g.words.families
    return f"label {node.type.of}" if family else node.type.name


def _may(g: Game, node: m.May, c: Context, after: Any) -> Running:
    """A body that may be declined. An offer in it is declined by passing, and an arrow may be declined anyway."""
    group = moves.offered(node.body)
    if group:
        made = yield from moves.offer(g, group, c, passing=True)
        if not made and c.round is not None and c.round.seat == c.you:
            c.round.passed = True
    elif node.body.cost is not None or (possible.option(g, node.body, c) and (yield from yes(g, c.you, "may"))):
        yield from body(g, node.body, c, _inside(after))


# ---- going through things


def _each(g: Game, node: m.Each, c: Context, after: Any) -> Running:
    yield from {"each": _in_turn, "secretly": _secretly, "around": _around, "any order": moves.each_in_any_order}[
        node.mode
    ](g, node, c, _inside(after))


def _inside(after: Any) -> Any:
    """What is behind a step of a cost inside of something that is done in turns or perhaps: nothing is foreseen."""
    return None if after is None else ()


def member(node: m.Each, c: Context, one: Any) -> Context:
    """The context of the turn of one: of a group of seats, that seat acts."""
    inner = c.naming(node.name, one)
    return inner.acting(one) if node.of.type.name == "seat" else inner


def _in_turn(g: Game, node: m.Each, c: Context, after: Any) -> Running:
    for one in in_order(g, e.group(g, node.of, c), c, seats=node.of.type.name == "seat"):
        yield from body(g, node.body, member(node, c, one), after)


def in_order(g: Game, group: tuple[Any, ...], c: Context, *, seats: bool) -> tuple[Any, ...]:
    """Seats in order of play, all else as it is given."""
    return tuple(seat for seat in g.in_order(c.you) if seat in group) if seats else group


def _secretly(g: Game, node: m.Each, c: Context, after: Any) -> Running:
    """All seats come to their first question; then they answer, here in order of play. What runs for one of them does
    not run for the others."""
    waiting = []
    running, replacing, rounds, depth = outside = g.going_on()
    try:
        for one in in_order(g, e.group(g, node.of, c), c, seats=node.of.type.name == "seat"):
            g.go_on([*running], [*replacing], [*rounds], depth)
            strand = body(g, node.body, member(node, c, one), after)
            try:
                waiting.append((strand, next(strand), g.going_on()))
            except StopIteration:
                continue
        for strand, asked, inside in waiting:
            question, inner = asked, inside
            while True:
                answer = yield question
                g.go_on(*inner)
                try:
                    question = strand.send(answer)
                except StopIteration:
                    break
                inner = g.going_on()
    finally:
        g.go_on(*outside)


def _around(g: Game, node: m.Each, c: Context, after: Any) -> Running:
    """Seats again and again, until all of them have passed in a row."""
    turn = Round()
    passed: set[int] = set()
    while True:
        g.step()
        seats = e.group(g, node.of, c)
        if set(seats) <= passed:
            return
        following = g.in_order(c.you) if turn.seat < 0 else g.in_order((turn.seat + 1) % len(g.table.seats))
        turn.seat, turn.passed = next(seat for seat in following if seat in seats), False
        g.rounds.append(turn)
        try:
            yield from body(g, node.body, replace(member(node, c, turn.seat), round=turn), after)
        finally:
            g.rounds.pop()
        passed = {*passed, turn.seat} if turn.passed else set()


def _any_order(g: Game, node: m.AnyOrder, c: Context, after: Any) -> Running:
    yield from moves.in_any_order(g, node, c, _inside(after))


def _repeat(g: Game, node: m.Repeat, c: Context, after: Any) -> Running:
    for _ in range(e.quantity(g, node.quantity, c).amount):
        if possible.holds_nothing(g, node.body, c):
            return  # nothing changes any more
        if node.condition is not None and not e.holds(g, node.condition, c):
            return
        g.step()
        yield from body(g, node.body, c, _inside(after))


def _let(g: Game, node: m.Let, c: Context, after: Any) -> Running:
    yield from body(g, node.body, c.naming(node.name, e.value(g, node.value, c)), after)


def _until(g: Game, node: m.Until, c: Context, after: Any) -> Running:
    a.last(g, node, c)
    yield from ()


def _body(g: Game, node: m.Body, c: Context, after: Any) -> Running:
    return (yield from body(g, node, c, after))


_STEPS: dict[type, Any] = {
    m.Act: _act, m.Branch: _branch, m.Choice: _choice, m.Pick: _pick, m.May: _may, m.Each: _each,
    m.AnyOrder: _any_order, m.Repeat: _repeat, m.Let: _let, m.Until: _until, m.Body: _body,
}  # fmt: skip
