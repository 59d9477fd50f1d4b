"""Every tree that differs from a meant one in a single place, with the name of the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT, Type
from dunerules.dsl.walk import walk
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.text.amounts import known_number
from dunerules.text.context import Context
from dunerules.text.hands import own_pools
from dunerules.text.meanings import Meanings

from .structure import put_together
from .synonyms import same_answers

__all__ = ["Change", "changes", "moved", "used"]

Change: TypeAlias = tuple[str, Any]
"""What was changed, and the whole tree with it."""

OPERATORS = (">=", "<=", ">", "<", "=", "!=")
MODES = ("exactly", "up to", "any", "all", "random", "blind")
ENDS = ("top", "bottom")
_PASSED_OVER = {"span", "name_span", "type", "told", "maybe", "name", "verb"}
NEIGHBOUR = m.ValueRef("next", (("s", m.SeatRef("you", SEAT)),), SEAT)
"""Somebody who is not the acting seat, wherever a text stands."""
OWNER = m.SeatRef("owner", SEAT)
_READER = {"you", "owner"}


def _who(node: Any, *, yours: bool) -> str | None:
    """How the seat is called that something belongs to, or that it is. `yours`: `you` did what was waited for."""
    owner = getattr(node, "owner", None) if hasattr(node, "owner") else node
    if owner is None or (yours and isinstance(owner, m.Local) and owner.name == "actor"):
        return "you"
    return owner.which if isinstance(owner, m.SeatRef) else None


def _plain_context(meanings: Meanings) -> Context:
    return Context(Locale("", Lexicon("")), meanings)


def moved(act: m.Act, meanings: Meanings) -> m.Act:
    """A call with the owners of all pools."""
    return own_pools(act, _plain_context(meanings))[0]


def changes(node: Any, meanings: Meanings, *, others: bool = False, yours: bool = False) -> Iterator[Change]:
    """Every tree with one difference, outermost differences first.

    `others` says that somebody else than the owner acts here: elsewhere `you` and `owner` are the same seat. `yours`
    says that this follows what `you` did: there `actor` is the same seat too.
    """
    event = getattr(node, "event", None)
    if isinstance(event, m.EventPattern):
        yours = event.subject == m.SeatRef("you", SEAT)
    worked_out = known_number(node, _plain_context(meanings)) if isinstance(node, m.Arithmetic | m.Extreme) else None
    if worked_out is not None:  # it is told as a number, and must change where the number does
        yield "worked out: number", m.Constant(worked_out + 1)
        return
    for name, changed in _own(node, meanings):
        if others or not {_who(node, yours=yours), _who(changed, yours=yours)} <= _READER:
            yield name, changed
    others = others or (isinstance(node, m.Each) and node.of.type.name == "seat") or isinstance(node, m.SeatRef)
    others = others or (isinstance(node, m.Over) and node.each.type.name == "seat")
    if not is_dataclass(node) or isinstance(node, Type):
        return
    for each in fields(node):
        if each.name in _PASSED_OVER and not (each.name == "verb" and not isinstance(node, m.Act)):
            continue
        value = given = getattr(node, each.name)
        if each.name == "arguments":
            value = tuple(pair for pair in given if used(node, pair[0], meanings))
        for name, changed in _inside(value, meanings, others=others, yours=yours):
            whole = tuple({**dict(given), **dict(changed)}.items()) if each.name == "arguments" else changed
            other = replace(node, **{each.name: whole})  # type: ignore[type-var]
            same = (
                isinstance(node, m.Act) and isinstance(other, m.Act) and moved(node, meanings) == moved(other, meanings)
            )
            yield "Act: pool of the pieces" if same else name, other


def used(node: Any, parameter: str, meanings: Meanings) -> bool:
    """Whether a verb or value of a pack does anything with an argument."""
    body: Any = None
    if isinstance(node, m.ValueRef):
        body = meanings.value(node.value)[1]
    elif isinstance(node, m.Act) and not node.verb.kernel and not node.procedure:
        body = meanings.verb(node.verb.name)[1]
    return body is None or any(isinstance(part, m.Local) and part.name == parameter for part in walk(body))


def _inside(value: Any, meanings: Meanings, *, others: bool, yours: bool) -> Iterator[Change]:
    if isinstance(value, tuple):
        for at, element in enumerate(value):
            for name, changed in _inside(element, meanings, others=others, yours=yours):
                yield name, (*value[:at], changed, *value[at + 1 :])
    elif is_dataclass(value) and not isinstance(value, type | Type):
        yield from changes(value, meanings, others=others, yours=yours)


def _own(node: Any, meanings: Meanings) -> Iterator[Change]:
    make = _MAKERS.get(type(node))
    found = make(node, meanings) if make is not None else iter(())
    for name, changed in (*found, *put_together(node, meanings)):
        if changed != node:
            yield f"{type(node).__name__}: {name}", changed


# ---- expressions


def _constant(node: m.Constant, _: Meanings) -> Iterator[Change]:
    yield "number", replace(node, value=node.value + 1)


def _seat(node: m.SeatRef, _: Meanings) -> Iterator[Change]:
    if node.which in {"opponent", "seat"}:
        yield "group of seats", replace(node, which="seat" if node.which == "opponent" else "opponent")
    elif node.which in {"you", "owner"}:
        yield "seat", NEIGHBOUR
        yield "seat", replace(node, which="owner" if node.which == "you" else "you")
    if node.where is not None:
        yield "filter", replace(node, where=None)
    elif node.which in {"opponent", "seat"}:
        yield "filter", replace(node, where=m.ValueRef("automated", (("s", m.Special("it", SEAT)),), _CONDITION))


_CONDITION = m.Always().type


def _like(names: Iterator[str] | list[str], name: str) -> list[str]:
    """One other name of a list, always the same one for a name."""
    found = sorted({*names} - {name})
    return found[:1]


def _counter(node: m.CounterRef, meanings: Meanings) -> Iterator[Change]:
    known = meanings.words.counters.get(node.counter)
    if known is not None:
        counters = meanings.words.counters.values()
        same = [each.name for each in counters if (each.per, each.holds) == (known.per, known.holds)]
        for name in _like(same, node.counter):
            yield "counter", replace(node, counter=name)
        if "seat" in known.per:
            yield from _owners(node)


def _owners(node: Any) -> Iterator[Change]:
    if node.owner is None or node.owner == m.SeatRef("you", SEAT):
        yield "owner", replace(node, owner=NEIGHBOUR)
        yield "owner", replace(node, owner=OWNER)
    elif node.owner.type.name == "seat":
        yield "owner", replace(node, owner=OWNER if node.owner != OWNER else None)


def _piece(node: m.PieceRef, meanings: Meanings) -> Iterator[Change]:
    known = meanings.words.pieces.get(node.piece)
    if known is not None and node.pool:
        for pool in _like(list(known.pools), node.pool):
            yield "pool", replace(node, pool=pool)
    yield from _owners(node)


def _field(node: m.FieldRef, meanings: Meanings) -> Iterator[Change]:
    kind = meanings.words.kinds.get(node.object.type.of)
    if kind is not None:
        same = [name for name, each in kind.readable.items() if each == node.type]
        for name in _like(same, node.field):
            yield "field", replace(node, field=name)


def _value(node: m.ValueRef, meanings: Meanings) -> Iterator[Change]:
    known = meanings.words.values.get(node.value)
    if known is not None:
        same = [
            each.name
            for each in meanings.words.values.values()
            if each.type == known.type
            and [(p.name, p.types, p.preposition) for p in each.parameters]
            == [(p.name, p.types, p.preposition) for p in known.parameters]
        ]
        for name in _like(same, node.value):
            yield "value", replace(node, value=name)


def _object(node: m.ObjectRef, meanings: Meanings) -> Iterator[Change]:
    for name in _like(list(meanings.words.members(node.kind)), node.id):
        yield "one of a kind", replace(node, id=name)


def _named(node: m.Named, meanings: Meanings) -> Iterator[Change]:
    if node.where is not None:
        yield "filter", replace(node, where=None)
    else:
        this = m.Special("it", Type(node.type.name, node.type.of))
        yield "filter", replace(node, where=m.Not(m.Compare("=", this, m.Special("this", this.type))))
    if node.zone is not None and node.kind:
        yield "zone", replace(node, zone=None)


def _zone(node: m.ZoneRef, meanings: Meanings) -> Iterator[Change]:
    if len(node.zones) > 1:
        yield "zone", replace(node, zones=node.zones[1:])
    first = node.zones[0]
    if first in meanings.words.zones:
        words = meanings.words
        holder, kinds = words.zone_holder(first), words.zone_kinds(first)
        same = [name for name in words.zones if (words.zone_holder(name), words.zone_kinds(name)) == (holder, kinds)]
        for name in _like(same, first):
            yield "zone", replace(node, zones=(name, *node.zones[1:]))
        if holder == "seat":
            yield from _owners(node)


def _word(node: m.WordRef, meanings: Meanings) -> Iterator[Change]:
    words = meanings.words
    known: dict[str, list[str]] = {
        "pool": sorted(words.pools()),
        "procedure": list(words.procedures),
        "moves": list(words.groups),
        "piece": list(words.pieces),
    }
    for name in _like(known.get(node.type.name, []), node.name):
        yield f"{node.type.name}", replace(node, name=name)
    if node.type.name == "pool":
        yield from _owners(node)


def _slot(node: m.SlotRef, meanings: Meanings) -> Iterator[Change]:
    kind = meanings.words.kinds.get(node.object.type.of)
    if kind is not None:
        same = [name for name, sort in kind.slots.items() if sort in {"effect", "cost"}]
        for name in _like(same, node.slot):
            yield "slot", replace(node, slot=name)


def _option(node: m.OptionRef, meanings: Meanings) -> Iterator[Change]:
    for name in _like(list(meanings.words.options[node.option].values), node.value):
        yield "option", replace(node, value=name)


def _over(node: m.Over, _: Meanings) -> Iterator[Change]:
    for which in ("sum", "most", "least") if node.which != "all" else ():
        yield "sum, most or least", replace(node, which=which)


def _if(node: m.If, _: Meanings) -> Iterator[Change]:
    yield "which one", replace(node, then=node.otherwise, otherwise=node.then)
    yield "one of two", node.then


def _extreme(node: m.Extreme, _: Meanings) -> Iterator[Change]:
    yield "most or least", replace(node, which="least" if node.which == "most" else "most")


def _arithmetic(node: m.Arithmetic, _: Meanings) -> Iterator[Change]:
    for at, (operator, term) in enumerate(node.terms[1:], 1):
        for other in "+-*/":
            if other != operator:
                yield "operator", replace(node, terms=(*node.terms[:at], (other, term), *node.terms[at + 1 :]))
        yield "term", replace(node, terms=(*node.terms[:at], *node.terms[at + 1 :]))


def _compare(node: m.Compare, meanings: Meanings) -> Iterator[Change]:
    for operator in OPERATORS if node.left.type.name == "amount" else ("=", "!="):
        other = replace(node, operator=operator)
        yield "operator that never differs" if same_answers(node, other, meanings) else "operator", other


def _not(node: m.Not, _: Meanings) -> Iterator[Change]:
    yield "not", node.part


def _all(node: m.All, _: Meanings) -> Iterator[Change]:
    yield "and or or", m.Any(node.parts)
    yield from _fewer(node)


def _any(node: m.Any, _: Meanings) -> Iterator[Change]:
    yield "and or or", m.All(node.parts)
    yield from _fewer(node)


def _fewer(node: Any) -> Iterator[Change]:
    for at in range(len(node.parts)):
        rest = (*node.parts[:at], *node.parts[at + 1 :])
        yield "part", rest[0] if len(rest) == 1 else replace(node, parts=rest)


def _negated(node: Any, _: Meanings) -> Iterator[Change]:
    yield "not", m.Not(node)


def _exists(node: m.Exists, _: Meanings) -> Iterator[Change]:
    yield "not", m.Not(node)


def _quantity(node: m.Quantity, _: Meanings) -> Iterator[Change]:
    if node.amount is not None:
        for mode in (*MODES, *ENDS) if node.mode in ENDS else MODES:
            yield "how many", m.Quantity(mode, None if mode in {"any", "all"} else node.amount)
    else:
        yield "how many", m.Quantity("all" if node.mode == "any" else "any", None)
        yield "how many", m.Quantity("exactly", m.Constant(2))


# ---- steps


def _body(node: m.Body, _: Meanings) -> Iterator[Change]:
    if node.cost is not None:
        yield "cost", m.Body((*node.cost, *node.steps))
        yield "cost", m.Body(node.steps)
    for at in range(len(node.steps)):
        if len(node.steps) > 1:
            yield "step", replace(node, steps=(*node.steps[:at], *node.steps[at + 1 :]))
        if not isinstance(node.steps[at], m.May):
            declined = m.May(m.Body((node.steps[at],)))
            yield _may_name(node.steps[at]), replace(node, steps=(*node.steps[:at], declined, *node.steps[at + 1 :]))
    for at in range(len(node.steps) - 1):
        one, two = node.steps[at : at + 2]
        yield "order", replace(node, steps=(*node.steps[:at], two, one, *node.steps[at + 2 :]))
    if len(node.steps) > 1:
        yield "any order", replace(node, steps=(m.AnyOrder("", tuple(m.Body((each,)) for each in node.steps)),))
        yield (
            "choice",
            replace(
                node,
                steps=(m.Choice(m.Quantity("exactly", m.Constant(1)), tuple(m.Body((each,)) for each in node.steps)),),
            ),
        )


def _may_name(step: m.Step) -> str:
    while isinstance(step, m.Body) and step.cost is None and len(step.steps) == 1:
        step = step.steps[0]
    if isinstance(step, m.Body) and step.cost is not None:
        return "may before a price"
    return "may before may" if isinstance(step, m.May) else "may"


def _scaled(node: m.Scaled, _: Meanings) -> Iterator[Change]:
    yield "per", replace(node, each=node.each + 1)


def _act(node: m.Act, meanings: Meanings) -> Iterator[Change]:
    if node.per is not None:
        yield "per", replace(node, per=None)
    same = [
        each.name
        for each in meanings.words.verbs.values()
        if not node.procedure and each.parameters == node.verb.parameters and each.gives == node.verb.gives
    ]
    for name in _like(same, node.verb.name):
        yield "verb", replace(node, verb=meanings.words.verbs[name])


def _branch(node: m.Branch, _: Meanings) -> Iterator[Change]:
    if node.otherwise is not None:
        yield "otherwise", replace(node, otherwise=None)
    if len(node.arms) == 1 and node.otherwise is None:
        yield "condition", node.arms[0][1]


def _choice(node: m.Choice, _: Meanings) -> Iterator[Change]:
    yield "choice", m.Body(tuple(m.Body(each.steps, each.cost) for each in node.bodies))
    if len(node.bodies) > 2:
        yield "option", replace(node, bodies=node.bodies[1:])
    yield "any order", m.AnyOrder("", node.bodies)


def _pick(node: m.Pick, _: Meanings) -> Iterator[Change]:
    yield "each or choose", m.Each("each", node.of, node.name, node.body)


def _may(node: m.May, _: Meanings) -> Iterator[Change]:
    yield "may", node.body


def _each(node: m.Each, meanings: Meanings) -> Iterator[Change]:
    seats = node.of.type.name == "seat"
    for mode in ("each", "secretly", "around", "any order") if seats else ("each", "any order"):
        yield "mode", replace(node, mode=mode)
    if node.mode == "any order":
        yield from _offerings(node, meanings)
    if node.name:
        yield "each or choose", m.Pick(m.Quantity("exactly", m.Constant(1)), node.of, node.name, node.body)


def _offerings(node: Any, meanings: Meanings) -> Iterator[Change]:
    """Other moves that may be made in between, or none."""
    for group in ("", *_like(list(meanings.words.groups), node.offering)):
        if group != node.offering:
            yield "offering", replace(node, offering=group)


def _any_order(node: m.AnyOrder, meanings: Meanings) -> Iterator[Change]:
    yield "any order", m.Body(node.bodies)
    yield from _offerings(node, meanings)


def _repeat(node: m.Repeat, _: Meanings) -> Iterator[Change]:
    yield "repeat", node.body
    if node.condition is not None:
        yield "condition", replace(node, condition=None)


def _event(node: m.EventPattern, meanings: Meanings) -> Iterator[Change]:
    if isinstance(node.subject, m.SeatRef):
        for which in ("you", "opponent", "anyone"):
            yield "seat", replace(node, subject=replace(node.subject, which=which))
    if node.moment:
        yield "start or end", replace(node, moment="end" if node.moment == "start" else "start")
        for name in _like(list(meanings.words.procedures), node.verb):
            yield "procedure", replace(node, verb=name)
    for at in range(len(node.arguments)):
        yield "argument", replace(node, arguments=(*node.arguments[:at], *node.arguments[at + 1 :]))


def _modifier(node: m.Modifier, _: Meanings) -> Iterator[Change]:
    for operator in ("yes", "no") if node.amount is None else ("+", "-", "*", "="):
        yield "operator", replace(node, operator=operator)


def _clause(node: m.Clause, _: Meanings) -> Iterator[Change]:
    if node.event is not None and node.window != "while":
        yield "window", replace(node, window="instead" if node.window == "when" else "when")
    if node.condition is not None:
        yield "condition", replace(node, condition=None)


def _until(node: m.Until, _: Meanings) -> Iterator[Change]:
    if len(node.clauses) > 1:
        yield "clause", replace(node, clauses=node.clauses[1:])


_MAKERS: dict[type, Callable[[Any, Meanings], Iterator[Change]]] = {
    m.Constant: _constant, m.SeatRef: _seat, m.CounterRef: _counter, m.PieceRef: _piece, m.FieldRef: _field,
    m.ValueRef: _value, m.ObjectRef: _object, m.Named: _named, m.ZoneRef: _zone, m.WordRef: _word, m.SlotRef: _slot,
    m.OptionRef: _option, m.Over: _over, m.If: _if, m.Extreme: _extreme, m.Arithmetic: _arithmetic, m.Compare: _compare,
    m.Not: _not, m.All: _all, m.Any: _any, m.Exists: _exists, m.Has: _negated, m.Quantity: _quantity, m.Body: _body,
    m.Scaled: _scaled, m.Act: _act, m.Branch: _branch, m.Choice: _choice, m.Pick: _pick, m.May: _may, m.Each: _each,
    m.AnyOrder: _any_order, m.Repeat: _repeat, m.EventPattern: _event, m.Modifier: _modifier, m.Clause: _clause,
    m.Until: _until,
}  # fmt: skip
