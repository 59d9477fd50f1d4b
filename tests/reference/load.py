"""What packs say, as trees: every text of merged content understood and kept beside the data it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, one
from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.packs.content import Content, Entry
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node, plain
from dunerules.understanding.desk import Desk
from dunerules.understanding.objects import object_scope
from dunerules.understanding.understand import understand
from tests.reference.grids import grid_edges

__all__ = ["Ability", "Move", "Rules", "Thing", "Threshold", "load_rules"]


@dataclass(frozen=True)
class Ability:
    """A standing ability; `holder` is the kind and id of the thing it stands on, or nothing for one of the game."""

    number: int
    label: str
    holder: tuple[str, str] | None
    active: tuple[str, ...]
    clause: m.Clause
    limit: tuple[int, str] | None = None


@dataclass(frozen=True)
class Move:
    """What a seat may do when its group is offered."""

    name: str
    takes: tuple[tuple[str, m.Expression], ...]
    condition: m.Expression | None
    cost: m.Body | None
    do: m.Body | None


@dataclass(frozen=True)
class Thing:
    """A declared object: data, effects in its slots, and what is asked of it."""

    kind: str
    id: str
    fields: dict[str, Any]
    slots: dict[str, m.Body]
    asked: dict[str, m.Expression]
    copies: int
    start: str


@dataclass(frozen=True)
class Threshold:
    """What happens when a counter reaches a number, and when it falls below."""

    at: int
    up: m.Body | None
    down: m.Body | None


@dataclass(eq=False)
class Rules:
    """A whole game as trees."""

    words: Vocabulary
    desk: Desk
    verbs: dict[str, tuple[tuple[Parameter, ...], m.Body]] = field(default_factory=dict)
    values: dict[str, tuple[tuple[Parameter, ...], m.Expression]] = field(default_factory=dict)
    procedures: dict[str, tuple[tuple[Parameter, ...], m.Body]] = field(default_factory=dict)
    counters: dict[str, dict[str, Any]] = field(default_factory=dict)
    pieces: dict[str, dict[str, Any]] = field(default_factory=dict)
    zones: dict[str, dict[str, Any]] = field(default_factory=dict)
    thresholds: dict[str, list[Threshold]] = field(default_factory=dict)
    things: dict[tuple[str, str], Thing] = field(default_factory=dict)
    abilities: list[Ability] = field(default_factory=list)
    moves: dict[str, list[Move]] = field(default_factory=dict)
    setups: list[m.Body] = field(default_factory=list)
    flow: m.Body | None = None
    end: tuple[m.Expression, m.EventPattern, m.Body | None] | None = None
    score: m.Expression | None = None
    ties: list[m.Expression] = field(default_factory=list)
    among: m.Expression | None = None
    first: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """Options with their defaults."""
    seats: tuple[int, int] = (1, 1)
    edges: list[tuple[str, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)


def load_rules(selection: Selection) -> Rules:
    """The trees of a selection of packs without errors."""
    understanding = understand(selection)
    rules = Rules(understanding.words, Desk(understanding.words))
    content = understanding.content
    _definitions(rules, content)
    for entry in content.section("object"):
        _thing(rules, entry)
    for pack, node in content.abilities:
        _ability(rules, node, rules.desk.scope(), pack, None, ())
    for entry in content.section("move"):
        _move(rules, entry)
    _game(rules, content)
    return rules


def _definitions(rules: Rules, content: Content) -> None:
    desk, words = rules.desk, rules.words
    for entry in content.section("verb"):
        rules.verbs[entry.id] = _defined(rules, entry, words.verbs[entry.id].parameters)
    for entry in content.section("procedure"):
        rules.procedures[entry.id] = _defined(rules, entry, words.procedures[entry.id].parameters)
    for entry in content.section("value"):
        parameters = words.values[entry.id].parameters
        meant = desk.expression(_short(entry.node, "is"), _scope(rules, parameters))
        if meant is not None:
            rules.values[entry.id] = (parameters, meant)
    for name, table in (("counter", rules.counters), ("piece", rules.pieces), ("zone", rules.zones)):
        for entry in content.section(name):
            table[entry.id] = plain(entry.node)
    for entry in content.section("counter"):
        _thresholds(rules, entry)


def _defined(rules: Rules, entry: Entry, parameters: tuple[Parameter, ...]) -> tuple[tuple[Parameter, ...], m.Body]:
    body = _effect(rules.desk, _short(entry.node, "do"), _scope(rules, parameters))
    return parameters, body or m.Body(())


def _scope(rules: Rules, parameters: tuple[Parameter, ...]) -> Scope:
    return rules.desk.scope({each.name: each.types[0] for each in parameters})


def _effect(desk: Desk, node: Node | None, scope: Scope) -> m.Body | None:
    """An effect; one in named steps is all of them one after the other. One with a cost stays a body of its own."""
    if node is None or node.kind != "map" or node.get("todo") is not None:
        return desk.effect(node, scope)
    bodies = (desk.effect(step, scope) for _, _, step in node.entries())
    return m.Body(tuple(step for body in bodies if body is not None for step in _steps(body)))


def _steps(body: m.Body) -> tuple[m.Step, ...]:
    return body.steps if body.cost is None else (body,)


def _short(node: Node, key: str) -> Node | None:
    return node if node.kind == "text" else node.get(key)


def _thresholds(rules: Rules, entry: Entry) -> None:
    listed = entry.node.get("thresholds")
    if listed is None:
        return
    kinds = {index: rules.words.index_type(index) for index in rules.words.counters[entry.id].per if index != "seat"}
    scope = rules.desk.scope({index: kind for index, kind in kinds.items() if kind is not None})
    rules.thresholds[entry.id] = [
        Threshold(
            plain(each)["at"], _effect(rules.desk, each.get("up"), scope), _effect(rules.desk, each.get("down"), scope)
        )
        for each in listed.value
    ]


def _thing(rules: Rules, entry: Entry) -> None:
    kind, desk = rules.words.kinds[entry.kind], rules.desk
    scope = object_scope(kind, desk)
    fields: dict[str, Any] = {}
    slots: dict[str, m.Body] = {}
    asked: dict[str, m.Expression] = {}
    for name, _, value in entry.node.entries():
        slot = kind.slots.get(name)
        if slot in {"effect", "cost"}:
            body = _effect(desk, value, scope)
            if body is not None:
                slots[name] = body
        elif slot is not None:
            meant = desk.expression(value, scope, CONDITION if slot == "condition" else AMOUNT)
            asked[name] = m.Constant(value.value) if value.kind == "number" else meant or m.Always()
        elif name in kind.fields:
            fields[name] = [each.value for each in value.items()] if kind.fields[name].type.many else value.value
    copies = entry.node.get("copies")
    number = copies.value if copies is not None else 1
    start = entry.node.text("start")
    rules.things[(entry.kind, entry.id)] = Thing(entry.kind, entry.id, fields, slots, asked, number, start)
    abilities = entry.node.get("abilities")
    for node in abilities.value if abilities is not None else ():
        _ability(rules, node, scope, entry.id, (entry.kind, entry.id), kind.active)


def _ability(
    rules: Rules, node: Node, scope: Scope, label: str, holder: tuple[str, str] | None, active: tuple[str, ...]
) -> None:
    desk = rules.desk
    window: Any = next(name for name in ("when", "instead", "while", "sees") if name in node.value)
    event, inner = None, scope
    modifier, sight = desk.modifier(node.get("while"), scope), desk.sight(node.get("sees"), scope)
    if window in {"when", "instead"}:
        event, inner = desk.event(node.get(window), scope)
    condition = desk.expression(node.get("if"), inner, CONDITION)
    clause = m.Clause(window, event, modifier, condition, _effect(desk, node.get("do"), inner), sight)
    zones, limit = node.get("active"), node.text("limit")
    rules.abilities.append(
        Ability(
            len(rules.abilities),
            node.text("name") or label,
            holder,
            tuple(each.value for each in zones.items()) if zones is not None else active,
            clause,
            (int(limit.split()[0]), limit.split()[2]) if limit else None,
        )
    )


def _move(rules: Rules, entry: Entry) -> None:
    desk, node = rules.desk, entry.node
    scope = desk.scope()
    takes: list[tuple[str, m.Expression]] = []
    found = node.get("takes")
    for name, _, selection in found.entries() if found is not None else ():
        group = desk.selection(selection, scope)
        assert group is not None
        takes.append((name, group))
        scope = scope.bound(name, one(group.type))
    condition = desk.expression(node.get("if"), scope, CONDITION)
    move = Move(
        entry.id, tuple(takes), condition, _effect(desk, node.get("cost"), scope), _effect(desk, node.get("do"), scope)
    )
    groups = node.get("group")
    for each in groups.items() if groups is not None else ():
        rules.moves.setdefault(each.value, []).append(move)


def _game(rules: Rules, content: Content) -> None:
    desk, scope = rules.desk, rules.desk.scope()
    rules.setups = [body for _, node in content.setups if (body := _effect(desk, node, scope)) is not None]
    entries = {entry.id: entry.node for entry in content.section("rule")}
    rules.flow = _effect(desk, entries.get("flow"), scope)
    if "end" in entries:
        condition = desk.expression(entries["end"].get("if"), scope, CONDITION)
        event, _ = desk.event(entries["end"].get("at"), scope)
        if condition is not None and event is not None:
            rules.end = (condition, event, _effect(desk, entries["end"].get("do"), scope))
    if "scoring" in entries:
        scoring = entries["scoring"]
        rules.score = desk.expression(scoring.get("score"), scope, AMOUNT)
        ties = scoring.get("ties")
        found = [desk.expression(tie, scope, AMOUNT) for tie in (ties.value if ties is not None else ())]
        rules.ties = [tie for tie in found if tie is not None]
        rules.among = desk.selection(scoring.get("among"), scope)
    if content.game is not None:
        data = plain(content.game)
        rules.first = data.get("first", "")
        rules.seats = (data["seats"]["min"], data["seats"]["max"])
        rules.options = {entry.id: plain(entry.node)["default"] for entry in content.section("option")}
    rules.edges, rules.paths = [*content.edges, *grid_edges(rules.words)], content.paths
