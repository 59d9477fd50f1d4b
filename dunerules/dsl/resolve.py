"""Names in steps: from a written effect to a meant one. A pass of its own: it changes nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.arguments import leftover, match_arguments
from dunerules.dsl.expressions import (
    as_amount,
    as_condition,
    fits,
    is_plain,
    resolve_quantity,
    resolve_selection,
    resolve_value,
)  # fmt: skip
from dunerules.dsl.naming import naming
from dunerules.dsl.results import result_type
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, MOVES, PIECE, SEAT, UNKNOWN, Type, many, one
from dunerules.dsl.unknown import SEATS, a_type, some_of
from dunerules.dsl.vocabulary import Kernel, Procedure, Verb, Vocabulary
from dunerules.dsl.words import RESERVED
from dunerules.nearest import nearest

__all__ = [
    "Window",
    "event_scope",
    "resolve_body",
    "resolve_event",
    "resolve_expression",
    "resolve_modifier",
    "resolve_selection",
    "resolve_sight",
]


def resolve_expression(node: t.Expression, scope: Scope, wanted: Type | None = None) -> m.Expression:
    """An expression that stands alone; with `wanted`, one of that type."""
    scope = replace(scope, alone=True)
    if wanted == CONDITION:
        return as_condition(node, scope)
    if wanted == AMOUNT:
        return as_amount(node, scope)
    return resolve_value(node, scope)


def resolve_sight(node: t.Sight, scope: Scope) -> m.Sight:
    """Things that can be seen: all of a group, or so many from one end of the zone they lie in."""
    quantity = m.Quantity("all", None) if node.quantity is None else resolve_quantity(node.quantity, scope)
    group, report = resolve_selection(node.selection, scope), scope.report
    if not isinstance(group, m.Unknown):
        if group.type.name != "thing":
            report.add("DR504", f"this is {a_type(group.type)}", node.selection.span, "things")
        elif quantity.mode not in {"all", "top", "bottom"}:
            report.add("DR504", "nobody is asked which of them are seen", quantity.span, "`all`, `top` or `bottom`")
        elif quantity.mode != "all" and not (isinstance(group, m.Named) and group.zone is not None):
            message = f"`{quantity.mode}` of no zone"
            report.add("DR504", message, node.selection.span, "things `in` a zone")
    return m.Sight(quantity, group, span=node.span)


def resolve_body(node: t.Body, scope: Scope) -> m.Body:
    """A body with all its steps."""
    cost = tuple(_step(step, scope) for step in node.cost) if node.cost is not None else None
    label = node.label.text if node.label is not None else ""
    return m.Body(tuple(_step(step, scope) for step in node.steps), cost, span=node.span, label=label)


def _step(node: t.Step, scope: Scope) -> m.Step:
    span = node.span
    match node:
        case t.Call():
            return _call(node, scope)
        case t.Bind():
            return _bind(node, scope)
        case t.Branch():
            arms = tuple((as_condition(condition, scope), resolve_body(body, scope)) for condition, body in node.arms)
            otherwise = resolve_body(node.otherwise, scope) if node.otherwise is not None else None
            return m.Branch(arms, otherwise, span=span)
        case t.Options():
            bodies = _options(node.bodies, scope)
            return m.Choice(resolve_quantity(node.quantity, scope), bodies, span=span)
        case t.Pick():
            quantity = resolve_quantity(node.quantity, scope)
            group = resolve_selection(node.selection, scope)
            single = isinstance(quantity.amount, m.Constant) and quantity.amount.value == 1
            inner = naming(node.name, one(group.type) if single else many(group.type), scope)
            return m.Pick(quantity, group, node.name.text, resolve_body(node.body, inner), node.name.span, span=span)
        case t.May():
            return m.May(resolve_body(node.body, scope), span=span)
        case t.Each():
            group = resolve_selection(node.selection, scope)
            inner = scope if node.name is None else naming(node.name, one(group.type), scope)
            if node.mode in {"secretly", "around"} and not fits(group, (), (SEAT,)):
                scope.report.add("DR504", f"`{node.mode}` goes through seats", node.selection.span, "a group of seats")
            name = node.name.text if node.name is not None else ""
            offering = _group(node.offering, scope)
            where = node.name.span if node.name is not None else span
            return m.Each(node.mode, group, name, resolve_body(node.body, inner), offering, where, span=span)
        case t.AnyOrder():
            offering = _group(node.offering, scope)
            return m.AnyOrder(offering, _options(node.bodies, scope), span=span)
        case t.Repeat():
            quantity = resolve_quantity(node.quantity, scope)
            if not is_plain(quantity):
                shown = quantity.mode if quantity.mode != "exactly" else "a quantity"
                scope.report.add("DR504", f"`repeat {shown}` has no end", quantity.span, "a number of times")
            condition = as_condition(node.condition, scope) if node.condition is not None else None
            return m.Repeat(quantity, resolve_body(node.body, scope), condition, span=span)
        case t.Let():
            value = resolve_value(node.value, scope)
            inner = naming(node.name, value.type, scope)
            return m.Let(node.name.text, value, resolve_body(node.body, inner), node.name.span, span=span)
        case t.Until():
            event = resolve_event(node.event, scope, "until")
            return m.Until(event, tuple(_clause(clause, scope) for clause in node.clauses), span=span)
        case t.Block():
            return resolve_body(node.body, scope)


def _group(name: t.Name | None, scope: Scope) -> str:
    if name is None:
        return ""
    if name.text not in scope.words.groups:
        scope.report.unknown("DR410", "group of moves", name.text, name.span, set(scope.words.groups))
    scope.report.used.add(f"offer {name.text}")
    return name.text


def _options(bodies: tuple[t.Body, ...], scope: Scope) -> tuple[m.Body, ...]:
    """The options of a choice; those that have a name have each their own."""
    seen: set[str] = set()
    for label in (body.label for body in bodies if body.label is not None):
        if label.text in RESERVED:
            scope.report.add("DR206", f"`{label.text}` is a word of the language itself", label.span, "another name")
        elif label.text in seen:
            scope.report.add("DR505", f"`{label.text}` is the name of another option here", label.span, "another name")
        seen.add(label.text)
    return tuple(resolve_body(body, scope) for body in bodies)


# ---- calls


def _call(node: t.Call, scope: Scope) -> m.Act:
    name = node.verb.text
    words = scope.words
    verb: Verb | Procedure | None = words.verbs.get(name) or words.procedures.get(name)
    if verb is None:
        known = {*words.verbs, *words.procedures}
        expected = ""
        if name in SEATS:
            expected = f"`each {name} {{ ... }}`, for what somebody else does"
        elif name == "todo":
            expected = "`{todo: reason}` as the whole value, for an effect that is not written yet"
        elif name in words.counters or words.kinds_of_piece(name):
            expected = f"a verb before it, such as `gain 1 {name}`"
        elif not nearest(name, known):
            expected = f"a verb: {some_of(known)}"
        scope.report.unknown("DR401", "verb", name, node.verb.span, known, expected)
        return m.Act(Verb(name), (), span=node.span)
    scope.report.used.add(name)
    before = len(scope.report.faults)
    phrases = list(node.phrases)
    head = t.Noun(node.verb, span=node.verb.span)
    arguments = match_arguments(verb, head, node.arguments, phrases, scope)
    scope.report.used.update(
        f"offer {each.name}" for _, each in arguments if isinstance(each, m.WordRef) and each.type == MOVES
    )
    if phrases and len(scope.report.faults) == before:
        leftover(phrases, name, scope)
    arguments = _pointing(_from_inside(verb, arguments))
    per = None
    if node.per is not None:
        selection = node.per.selection
        counted = resolve_value(t.Value((selection.noun,), selection.phrases, span=selection.span), scope, (AMOUNT,))
        if counted.type.many:
            counted = m.Count(counted, span=selection.span)
        elif not fits(counted, (AMOUNT,)):
            scope.report.add("DR504", "this cannot be counted", selection.span, "pieces, a counter or a group")
        per = m.Scaled(node.per.each, counted, span=node.per.span)
    if isinstance(verb, Procedure):
        return m.Act(Verb(name, verb.parameters), arguments, per, procedure=True, span=node.span)
    return m.Act(verb, arguments, per, span=node.span)


def _from_inside(verb: Verb | Procedure, arguments: m.Arguments) -> m.Arguments:
    """`move top 1 card in deck` takes from the deck: an end, or a position, is one of the zone that is named, after
    `from` or `in`."""
    given = dict(arguments)
    quantity, what = given.get("n"), given.get("what")
    ends = isinstance(quantity, m.Quantity) and quantity.mode in {"top", "bottom", "blind"}
    if not (isinstance(verb, Verb) and verb.kernel and ends and "source" not in given):
        return arguments
    if not isinstance(what, m.Named) or what.zone is None or what.zone.type.name != "zone":
        return arguments
    given |= {"what": replace(what, zone=None), "source": what.zone}
    return tuple((each.name, given[each.name]) for each in verb.parameters if each.name in given)


def _pointing(arguments: m.Arguments) -> m.Arguments:
    """`set leading to none`: of what the counter points at."""
    given = dict(arguments)
    what, value = given.get("what"), given.get("value")
    if not isinstance(value, m.Nothing) or not isinstance(what, m.CounterRef) or what.type == AMOUNT:
        return arguments
    return tuple((name, replace(value, type=what.type) if each is value else each) for name, each in arguments)


def _bind(node: t.Bind, scope: Scope) -> m.Act:
    act = _call(node.call, scope)
    gives = result_type(act)
    if gives is None and (act.verb.name in scope.words.verbs or act.procedure):
        expected = "no `as`" if act.verb.kernel else "no `as`; a verb gives what a single step of it gives"
        scope.report.add("DR506", f"`{act.verb.name}` gives nothing to name", node.name.span, expected)
    body = resolve_body(node.body, naming(node.name, gives or UNKNOWN, scope))
    return replace(act, name=node.name.text, body=body, name_span=node.name.span, span=node.span)


# ---- events and modifiers


Window: TypeAlias = Literal["when", "instead", "until", "at"]
"""What waits for an event: a reaction, a replacement, the end of something that lasts, or the end of the game."""


def resolve_event(node: t.Event, scope: Scope, window: Window = "when") -> m.EventPattern:
    """Who does what to what, and what is known by name in what follows."""
    event = _event(node, scope, window)
    known = event_scope(event, scope).locals
    told = tuple((name, kind) for name, kind in known.items() if name not in scope.locals or name == "actor")
    return replace(event, told=told)


def _event(node: t.Event, scope: Scope, window: Window) -> m.EventPattern:
    """Who does what to what. A procedure is watched at its `start` or `end`."""
    words = list(node.words)
    subject = None
    scope = scope.matching()
    if len(words) > 1 and words[0].name.text not in {"start", "end", *scope.words.verbs}:
        first = words.pop(0)
        subject = resolve_value(t.Value((first,), span=first.span), scope.matching(False), (SEAT,))
        if not fits(subject, (), (SEAT,)):
            scope.report.add(
                "DR504", "an event starts with who does it", first.span, "`you`, `opponent`, `anyone`, or the verb"
            )
    head = words.pop(0)
    for noun in [head, *words[:1]] if head.name.text in {"start", "end"} else [head]:
        if noun.where is not None or noun.owner is not None:
            scope.report.add("DR503", f"`{noun.name.text}` has no owner or filter here", noun.span, "the word alone")
    if head.name.text in {"start", "end"}:
        return _moment(node, head, words, subject, scope, window)
    verb = scope.words.verbs.get(head.name.text)
    if verb is None:
        known = {*scope.words.verbs, "start", "end"}
        expected = "`start` or `end` before a procedure" if head.name.text in scope.words.procedures else ""
        if not expected and not nearest(head.name.text, known):
            expected = f"a verb: {some_of(known)}"
        scope.report.unknown("DR401", "verb", head.name.text, head.name.span, known, expected)
        return m.EventPattern(subject, head.name.text, (), span=node.span)
    scope.report.used.add(f"when {verb.name}")
    phrases = list(node.phrases)
    before = len(scope.report.faults)
    arguments = match_arguments(verb, head, words, phrases, scope, pattern=True)
    if len(scope.report.faults) == before:
        leftover(phrases, verb.name, scope)
    if len(scope.report.faults) == before:
        _announced(verb, head, dict(arguments).get("what"), scope, window)
    return m.EventPattern(subject, verb.name, arguments, span=node.span)


def _announced(verb: Verb, head: t.Noun, what: m.Expression | None, scope: Scope, window: Window) -> None:
    """Whether a verb can be waited for, or replaced."""
    if window == "at":
        scope.report.add("DR509", "only the end of a procedure ends the game", head.span, "`end` and a procedure")
    elif verb.kernel is None:
        return
    elif verb.kernel.told is None:
        told = _names(scope.words, lambda facts: facts.told is not None)
        scope.report.add("DR509", f"`{verb.name}` is never announced", head.span, f"one of {', '.join(told)}")
    elif window == "instead":
        pieces = what is not None and what.type == PIECE
        if verb.kernel.replaced != "always" and not (verb.kernel.replaced == "pieces" and pieces):
            always = _names(scope.words, lambda facts: facts.replaced == "always")
            of_pieces = [
                f"`{name}` of pieces" for name in _names(scope.words, lambda facts: facts.replaced == "pieces")
            ]
            expected = ", ".join(["a verb of the pack", *always, *of_pieces, "or the `start` of a procedure"])
            scope.report.add("DR509", f"`{verb.name}` cannot be replaced", head.span, expected)


def _names(words: Vocabulary, holds: Callable[[Kernel], bool]) -> list[str]:
    """The verbs of the kernel of which something holds."""
    return sorted(verb.name for verb in words.verbs.values() if verb.kernel is not None and holds(verb.kernel))


def _moment(
    node: t.Event, head: t.Noun, words: list[t.Noun], subject: m.Expression | None, scope: Scope, window: Window
) -> m.EventPattern:
    name = words[0].name if words else head.name
    if not words or name.text not in {*scope.words.procedures, "game"}:
        known = {*scope.words.procedures, "game"}
        if words:
            scope.report.unknown("DR411", "procedure", name.text, name.span, known)
        else:
            scope.report.add("DR411", f"`{name.text}` of what?", name.span, "a procedure, or `game`")
    elif name.text == "game" and (window, head.name.text) != ("until", "end"):
        message = f"the {head.name.text} of the game is not announced"
        scope.report.add("DR509", message, node.span, "`setup` and `end` of the rules; or `until end game`")
    elif window == "at" and (head.name.text != "end" or subject is not None):
        scope.report.add("DR509", "only the end of a procedure ends the game", node.span, f"`end {name.text}`")
    elif window == "instead" and head.name.text == "end":
        scope.report.add("DR509", "the end of a procedure cannot be replaced", node.span, f"`start {name.text}`")
    elif window == "at" and (words[1:] or node.phrases):
        message = "the game ends whatever a procedure was called with"
        scope.report.add("DR509", message, node.span, f"`end {name.text}` alone")
    phrases, before = list(node.phrases), len(scope.report.faults)
    procedure = scope.words.procedures.get(name.text, Procedure(name.text))
    given = words[1:] if name.text in {*scope.words.procedures, "game"} else []
    arguments = match_arguments(procedure, words[0] if words else head, given, phrases, scope, pattern=True)
    if len(scope.report.faults) == before:
        leftover(phrases, name.text, scope)
    return m.EventPattern(subject, name.text, arguments, head.name.text, span=node.span)


def event_scope(event: m.EventPattern, scope: Scope) -> Scope:
    """The scope of what follows an event: how much or how many, what a verb of a pack or a procedure was called with,
    and `actor`, who did it. A name that means something already keeps its meaning."""
    verb = (scope.words.procedures if event.moment else scope.words.verbs).get(event.verb)
    if verb is None:
        return scope.bound("actor", SEAT)
    given = dict(event.arguments)
    what = given.get("what")
    points = isinstance(what, m.CounterRef) and what.type != AMOUNT
    told = {} if points else _told(verb)
    if isinstance(what, m.CounterRef):
        told |= scope.words.told_of(scope.words.counters[what.counter])
    for name, kind in told.items():
        if name not in scope.locals:
            pattern = given.get(name)
            narrowed = one(pattern.type) if pattern is not None and pattern.type.name == kind.name else kind
            scope = scope.bound(name, narrowed)
    return scope.telling(verb.name, told, {"n", *(each.name for each in verb.parameters)}).bound("actor", SEAT)


_TELLING = frozenset({"amount", "condition", "seat", "place", "label", "thing"})
"""Types of parameters that an event tells by name."""


def _told(verb: Verb | Procedure) -> dict[str, Type]:
    """What is known after a verb or procedure, by name. A thing that may have been a group is not: nobody could say
    which it was. Nor is a quantity: `up to 2` and `all` are no numbers."""
    if isinstance(verb, Verb) and verb.kernel is not None:
        return dict.fromkeys(verb.kernel.told or (), AMOUNT)
    kinds = {each.name: each.types[0] for each in verb.parameters if not each.groups}
    return {name: kind for name, kind in kinds.items() if kind.name in _TELLING}


def resolve_modifier(node: t.Expression, scope: Scope) -> m.Modifier:
    """A value and how it changes: `price - 1`, `limit = 3`, `income * 2`, `open`, `not open`."""
    inner: t.Expression = node
    operator: Any = "yes"
    change: t.Expression | None = None
    match node:
        case t.Not():
            inner, operator = node.part, "no"
        case t.Sum(terms=((_, first), (sign, second))):
            inner, operator, change = first, sign, second
        case t.Product(terms=((_, first), ("*", second))):
            inner, operator, change = first, "*", second
        case t.Compare(operator="="):
            inner, operator, change = node.left, "=", node.right
    found = resolve_value(inner, scope.matching())
    amount = as_amount(change, scope) if change is not None else None
    if not isinstance(found, m.ValueRef):
        if not isinstance(found, m.Unknown):
            scope.report.add(
                "DR507", "only a value can be modified", inner.span, "the name of a value, then + - * or ="
            )
        return m.Modifier(m.ValueRef("", (), AMOUNT), operator, amount, span=node.span)
    if (found.type == CONDITION) != (operator in {"yes", "no"}):
        wanted = "`not` or nothing, for a condition" if found.type == CONDITION else "+ - * or = and an amount"
        scope.report.add("DR507", f"`{found.value}` is {found.type}", node.span, wanted)
    return m.Modifier(found, operator, amount, span=node.span)


def _clause(node: t.Clause, scope: Scope) -> m.Clause:
    if isinstance(node.subject, t.Event):
        event = resolve_event(node.subject, scope, "instead" if node.window == "instead" else "when")
        inner = event_scope(event, scope)
        condition = as_condition(node.condition, inner) if node.condition is not None else None
        assert node.body is not None
        return m.Clause(node.window, event, None, condition, resolve_body(node.body, inner), span=node.span)
    modifier = resolve_modifier(node.subject, scope)
    condition = as_condition(node.condition, scope) if node.condition is not None else None
    return m.Clause(node.window, None, modifier, condition, None, span=node.span)
