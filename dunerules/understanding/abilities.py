"""Abilities: reactions, replacements, modifiers and what a seat sees, wherever they are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dunerules.dsl import meaning as m
from dunerules.dsl.asking import ANY_OBJECT
from dunerules.dsl.constant import constant
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import CONDITION
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.understanding.declared import check_name
from dunerules.understanding.desk import Desk, Trigger
from dunerules.understanding.happens import awaited, event_of, happenings

__all__ = ["EVENTFUL", "WINDOWS", "read_abilities"]

EVENTFUL: tuple[Literal["when"], Literal["instead"]] = ("when", "instead")
"""What waits for an event."""
WINDOWS = (*EVENTFUL, "while", "sees")
"""An ability is written with one of these keys."""


def read_abilities(
    node: Node | None,
    scope: Scope,
    desk: Desk,
    label: str,
    kind: str = "",
    default: tuple[str, ...] = (),
    this: str = ANY_OBJECT,
) -> None:
    """Every ability of a list. `kind` and `this` are the kind and id of the holder, `default` where they work."""
    if node is None or node.kind != "list":
        return
    known: set[str] = set()
    for ability in node.value:
        if ability.kind == "map" and id(ability.get("id")) not in desk.skipped:
            _own_id(ability, known, kind, desk)
            _ability(ability, scope, desk, label, kind, default, this)


def _own_id(node: Node, known: set[str], kind: str, desk: Desk) -> None:
    """An id is that of one ability; behind the target of its holder it must not mean a key of that too."""
    id_, holder = node.get("id"), desk.words.kinds.get(kind)
    if id_ is None:
        return
    check_name(id_, desk)
    if id_.value in known:
        desk.report("DR201", f"two abilities with the id `{id_.value}`", id_, "another id")
    elif holder is not None and id_.value in holder.slots:
        desk.report("DR201", f"`{id_.value}` is a slot of every {kind} too", id_, "another id")
    known.add(str(id_.value))


def _ability(node: Node, scope: Scope, desk: Desk, label: str, kind: str, default: tuple[str, ...], this: str) -> None:
    written = [name for name in WINDOWS if name in node.value]
    if len(written) != 1:
        what = "an ability without a window" if not written else f"an ability with {' and '.join(written)}"
        desk.report("DR105", what, node, "exactly one of `when`, `instead`, `while`, `sees`")
    active = _active(node, desk, kind, default)
    _limit(node, desk, written)
    event, inner = (None, scope)
    for window in EVENTFUL:
        if window in node.value:
            event, inner = desk.event(node.get(window), scope, window)
    modifier = desk.modifier(node.get("while"), scope)
    desk.sight(node.get("sees"), scope)
    condition = desk.expression(node.get("if"), inner, CONDITION)
    if condition is not None and constant(condition) is False:
        desk.report("DR610", "the ability can never be active: its condition never holds", node.value["if"][1])
    if modifier is not None:
        desk.modifies(modifier, condition, node.value["while"][1], this, node.text("name") or label)
    effect, eventful = node.get("do"), bool({*written} & {*EVENTFUL})
    if effect is None and eventful:
        desk.report("DR102", "key `do` is missing", node.value[written[0]][0], "`do:` with what happens")
    if effect is not None and written and not eventful:
        does = "only changes a value" if written == ["while"] else "only shows things"
        desk.report("DR105", f"`do` with `{written[0]}`", effect, f"`when`, to do something; `{written[0]}` {does}")
    body = desk.effect(effect, inner)
    broken = event is not None and any(isinstance(value, m.Unknown) for _, value in event.arguments)
    if event is not None and "when" in node.value and not broken:
        _trigger(node, event, body, desk, label)
    if not broken and (event is not None or active):
        desk.findings.waiting.append((awaited(event) if event is not None else "", active, node))


def _trigger(node: Node, event: m.EventPattern, body: m.Body | None, desk: Desk, label: str) -> None:
    key = node.value["when"][1]
    limited = "limit" in node.value
    desk.findings.triggers.append(
        Trigger(
            event_of(event, desk.words),
            happenings(body, desk.words),
            limited,
            node.text("name") or label,
            key,
        )
    )


def _active(node: Node, desk: Desk, kind: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Whether the holder can ever lie where the ability works: the zones, if it is a thing."""
    written = node.get("active")
    words = desk.words
    holder = words.kinds.get(kind)
    thing = holder is not None and holder.role == "thing"
    if written is None:
        if kind and thing and not default:
            message = f"the ability can never be active: nothing says where a {kind} must lie"
            desk.report("DR610", message, node, f"`active:` here, or for kind `{kind}`")
        return _parts(default, desk) if thing else ()
    for zone in written.items():
        if zone.value not in words.zones:
            desk.report("DR403", f"unknown zone `{zone.value}`", zone, "a zone", nearest(str(zone.value), words.zones))
            continue
        holds = words.zone_kinds(zone.value)
        if kind and holds and kind not in holds:
            message = f"the ability can never be active: a {kind} never lies in `{zone.value}`"
            desk.report("DR610", message, zone, f"a zone that holds {kind}")
    return _parts([str(zone.value) for zone in written.items()], desk) if thing else ()


def _parts(zones: Iterable[str], desk: Desk) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.name for name in zones for part in desk.words.zone_parts(name)))


def _limit(node: Node, desk: Desk, written: list[str]) -> None:
    limit = node.get("limit")
    if limit is None or limit.kind != "text":
        return
    if written and not {*written} & {*EVENTFUL}:
        desk.report("DR609", "a limit without a trigger", limit, f"`when` or `instead`; `{written[0]}` is always on")
    span = limit.value.rpartition(" ")[2]
    known = {*desk.words.procedures, "game"}
    if span not in known:
        message = f"unknown procedure `{span}` in a limit"
        desk.report("DR411", message, limit, "`game` or a procedure", nearest(span, known))
