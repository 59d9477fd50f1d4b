"""Programs: verbs.yaml and rules.yaml."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.asking import value_asked
from dunerules.dsl.expressions import fits, resolve_value
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.dsl.resolve import resolve_selection
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, PIECE, PLAIN, POOL, QUANTITY, SEAT, UNKNOWN, one
from dunerules.dsl.vocabulary import Parameter
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.kernel.values import KERNEL_VALUES
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node, body_of
from dunerules.understanding.abilities import read_abilities
from dunerules.understanding.automaton import read_automaton
from dunerules.understanding.declared import check_name, known_name, read_options
from dunerules.understanding.desk import Desk
from dunerules.understanding.happens import happenings
from dunerules.understanding.objects import read_cost
from dunerules.understanding.vocabulary import parameter_of, parameter_parts

__all__ = ["read_contest", "read_program", "read_rule", "read_rules", "read_verbs"]


def read_verbs(node: Node, desk: Desk) -> None:
    """A verbs.yaml."""
    for section, key in (("verb", "verbs"), ("value", "values")):
        inner = node.get(key)
        for _, name, value in inner.entries() if inner is not None else ():
            if id(name) not in desk.skipped:
                read_program(section, name, value, desk)


def read_rules(node: Node, desk: Desk) -> None:
    """A rules.yaml."""
    for section, key in (("procedure", "procedures"), ("move", "moves")):
        inner = node.get(key)
        for _, name, value in inner.entries() if inner is not None else ():
            if id(name) not in desk.skipped:
                read_program(section, name, value, desk)
    read_options(node.get("options"), desk)
    read_abilities(node.get("abilities"), desk.apart(), desk, "rules")
    read_automaton(node.get("automaton"), desk)
    for rule in ("setup", "flow", "end", "scoring"):
        key, part = node.value.get(rule, (None, None))
        if part is not None and id(key) not in desk.skipped:
            read_rule(rule, part, desk)
    screen = node.get("screen")
    if screen is not None:
        _screen(screen, desk)


def _screen(node: Node, desk: Desk) -> None:
    """What is shown must be there, and a part of the table rather than several read as one."""
    words = desk.words
    zones = [zone.name for zone in words.zones.values() if not zone.joins]
    pools = [pool for piece in words.pieces.values() for pool in piece.pools]
    for key in ("hide", "first", "always"):
        known = [*words.counters, *words.pieces, *pools, *zones]
        what = "counter, piece, pool or zone"
        if key == "hide":
            known += [name for kind in words.kinds.values() for name in kind.fields]
            known += [name for name, value in words.values.items() if not value.kernel]
            what = "counter, piece, pool, zone, field or value"
        known_name(node.get(key), known, what, "DR402", desk)
    known_name(node.get("headings"), words.procedures, "procedure", "DR411", desk)
    things = [kind.name for kind in words.kinds.values() if kind.role == "thing"]
    known_name(node.get("alike"), things, "kind", "DR415", desk)
    contests = node.get("contests")
    for _, key_node, contest in contests.entries() if contests is not None else ():
        known_name(key_node, words.procedures, "procedure", "DR411", desk)
        read_contest(contest, desk)


def read_contest(node: Node, desk: Desk) -> tuple[m.Expression | None, m.Expression | None]:
    """What is compared, of the seat in question, and among whom, where nobody acts."""
    compared = desk.expression(node.get("compares"), desk.apart(), AMOUNT)
    among = desk.selection(node.get("among"), desk.apart())
    if among is not None and not isinstance(among, m.Unknown) and among.type.name != "seat":
        desk.report("DR504", "only seats can be compared", node.value["among"][1], "a group of seats")
    desk.for_nobody(node.get("among"), among)
    return compared, among


def read_program(section: str, name: Node, value: Node, desk: Desk) -> None:
    """One verb, value, procedure or move, whole or patched."""
    check_name(name, desk)
    {"verb": _verb, "value": _value, "procedure": _procedure, "move": _move}[section](name, value, desk)


def read_rule(name: str, node: Node, desk: Desk) -> None:
    """`setup`, `flow`, `end` or `scoring`."""
    if name in {"setup", "flow"}:
        desk.of_nobody(node)
    elif name == "end":
        desk.for_nobody(node.get("if"), desk.expression(node.get("if"), desk.apart(), CONDITION))
        desk.event(node.get("at"), desk.apart(), "at")
        desk.of_nobody(node.get("do"))
    else:
        desk.expression(node.get("score"), desk.apart(), AMOUNT)
        desk.expression(node.get("worth"), desk.apart(), AMOUNT)
        among = desk.selection(node.get("among"), desk.apart())
        desk.for_nobody(node.get("among"), among)
        if among is not None and among.type.name not in {SEAT.name, UNKNOWN.name}:
            desk.report("DR504", f"this is a {among.type}", node.value["among"][1], "a group of seats")
        seats = [zone.name for zone in desk.words.zones.values() if zone.per == "seat"]
        known_name(node.get("report"), seats, "zone of a seat", "DR403", desk)
        ties = node.get("ties")
        for tie in ties.value if ties is not None and ties.kind == "list" else ():
            desk.expression(tie, desk.apart(), AMOUNT)


def _verb(name: Node, value: Node, desk: Desk) -> None:
    if name.value in KERNEL_VERBS:
        desk.report("DR201", f"`{name.value}` is a verb of the kernel", name, "another name")
        return
    known = desk.words.verbs.get(str(name.value))
    scope = _parameters(value, desk, known.parameters if known is not None else (), verb=True)
    body = desk.effect(body_of(value, "do"), scope, verb=True, of=str(name.value))
    desk.findings.calls[str(name.value)] = list(happenings(body, desk.words))


def _value(name: Node, value: Node, desk: Desk) -> None:
    if name.value in KERNEL_VALUES:
        desk.report("DR201", f"`{name.value}` is a value of the kernel", name, "another name")
        return
    known = desk.words.values.get(str(name.value))
    scope = _parameters(value, desk, known.parameters if known is not None else ())
    text = body_of(value, "is")
    meant = desk.expression(text, scope)
    if text is not None:
        desk.asks(value_asked(str(name.value)), text, meant)


def _procedure(name: Node, value: Node, desk: Desk) -> None:
    if name.value in desk.words.verbs:
        desk.report("DR201", f"`{name.value}` is a verb too", name, "two names: both are called the same way")
    known = desk.words.procedures.get(str(name.value))
    scope = _parameters(value, desk, known.parameters if known is not None else ())
    body = desk.effect(body_of(value, "do"), scope, of=str(name.value))
    desk.findings.calls[str(name.value)] = list(happenings(body, desk.words))


def _move(name: Node, value: Node, desk: Desk) -> None:
    scope = desk.apart()
    takes = value.get("takes")
    before: dict[str, m.Expression] = {}
    for pick, key, selection in takes.entries() if takes is not None else ():
        check_name(key, desk)
        found = desk.taken(selection, scope, before)
        if found is not None:
            before[pick] = found
        scope = scope.bound(pick, one(found.type) if found is not None else UNKNOWN)
    if takes is None:  # a patch that leaves the picks as they are
        for pick, text in desk.words.picks.get(str(name.value), ()):
            tree = parse(text, "selection")
            known = not isinstance(tree, SyntaxFault)
            found = resolve_selection(cast(t.Selection, tree), scope) if known else None
            scope = scope.bound(pick, one(found.type) if found is not None else UNKNOWN)
    desk.expression(value.get("if"), scope, CONDITION)
    read_cost(value.get("cost"), scope, desk)
    done = happenings(desk.effect(value.get("do"), scope), desk.words)
    group = value.get("group")
    for each in group.items() if group is not None else ():
        desk.findings.calls.setdefault(f"offer {each.value}", []).extend(done)


_OF_VERBS = (COUNTER, PIECE, POOL, QUANTITY)
"""Types only a parameter of a verb can have: they say what to change, and how much of it."""


def _parameters(node: Node, desk: Desk, known: tuple[Parameter, ...], *, verb: bool = False) -> Scope:
    """The scope of a body with its parameters bound; a patch without `takes` leaves them as they are."""
    if node.get("takes") is None:
        return desk.body(known)
    scope = desk.body(())
    prepositions: set[str] = set()
    takes = node.get("takes")
    for name, key, value in takes.entries() if takes is not None else ():
        check_name(key, desk)
        if value.kind != "text":
            continue
        parameter = parameter_of(name, value.value, desk.words)
        if parameter is not None:
            if parameter.preposition and parameter.preposition in prepositions:
                desk.report("DR105", f"two parameters with `{parameter.preposition}`", value, "another preposition")
            prepositions.add(parameter.preposition)
            if parameter.types[0] in _OF_VERBS and not verb:
                message = f"only a verb can take a {parameter.types[0]}"
                expected = f"a verb, or one of {', '.join(sorted(PLAIN.keys() - {each.name for each in _OF_VERBS}))}"
                desk.report("DR416", message, value, expected)
            groups = next((each.groups for each in known if each.name == name), ())
            _default(replace(parameter, groups=groups), value, desk)
            scope = scope.bound(name, parameter.types[0])
            continue
        parts = parameter_parts(value.value)
        if parts is None:
            expected = "a type, with a preposition before it and a default behind it if wanted: `at place = here`"
            desk.report("DR416", f"`{value.value}` is not a parameter", value, expected)
        else:
            desk.report(
                "DR416",
                f"unknown type `{parts[1]}`",
                value,
                "a type, kind or family",
                nearest(parts[1], desk.words.type_names()),
            )
        scope = scope.bound(name, UNKNOWN)
    return scope


def _default(parameter: Parameter, node: Node, desk: Desk) -> None:
    """A default must be something the parameter takes."""
    if not parameter.default:
        return
    tree = parse(parameter.default, "expression")
    scope = desk.scope()
    if (
        isinstance(tree, SyntaxFault)
        or not fits(resolve_value(cast(t.Expression, tree), scope, parameter.types), parameter.types, parameter.groups)
        or scope.report.faults
    ):
        expected = f"a {parameter.types[0]}, `you`, `here` or `this`"
        desk.report("DR504", f"`{parameter.default}` cannot be the default of a {parameter.types[0]}", node, expected)
