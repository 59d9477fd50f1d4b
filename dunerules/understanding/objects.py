"""Objects: fields of the right type, slots of effect language, abilities."""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl.asking import ANY_OBJECT, slot_asked
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, PLACE, TEXT, Type, one
from dunerules.dsl.vocabulary import Field, Kind
from dunerules.dsl.walk import walk
from dunerules.nearest import nearest
from dunerules.packs.grids import COLUMN, ROW
from dunerules.packs.misfits import FLAG, LIST, NUMBER, misfit
from dunerules.packs.misfits import TEXT as TEXT_VALUE
from dunerules.packs.nodes import Node, whole
from dunerules.packs.starts import Start, start_of
from dunerules.problems import problem
from dunerules.understanding.abilities import read_abilities
from dunerules.understanding.declared import OWN_KEYS
from dunerules.understanding.desk import Desk
from dunerules.understanding.happens import always_run

__all__ = ["object_scope", "read_cost", "read_object", "read_objects"]


_MOST_KEYS = 200
"""An object with more keys than this is damaged: no near names are looked for."""

_MOST_NEAR = 3
"""Slots that are named where a word for slots at large is written."""

_MOST_SHOWN = 12
"""Names that are listed where another one is wanted."""

_SLOTS = {"effect": "an effect", "cost": "a cost", "condition": "a condition", "number": "a number"}

_BASIC = {AMOUNT: "number", CONDITION: "flag", TEXT: "text"}
"""Kinds of values in a file, by the type of a field."""


def read_objects(node: Node, desk: Desk) -> None:
    """A file of objects."""
    kind_node = node.get("kind")
    if kind_node is None or kind_node.kind != "text":
        return
    kind = desk.words.kinds.get(kind_node.value)
    if kind is None:
        near = nearest(kind_node.value, desk.words.kinds)
        desk.report("DR415", f"unknown kind `{kind_node.value}`", kind_node, "a kind from words.yaml", near)
        return
    scope = object_scope(kind, desk)
    defaults = node.get("defaults")
    if defaults is not None:
        read_object(defaults, kind, scope, desk, entire=False)
    inherited = frozenset(defaults.value) if defaults is not None and defaults.kind == "map" else frozenset()
    objects = node.get("objects")
    for _, key, value in objects.entries() if objects is not None else ():
        if id(key) not in desk.skipped:
            read_object(value, kind, scope, desk, key=key, inherited=inherited)


def read_object(
    node: Node,
    kind: Kind,
    scope: Scope,
    desk: Desk,
    *,
    key: Node | None = None,
    entire: bool = True,
    inherited: frozenset[str] = frozenset(),
) -> None:
    """One object, or with `entire=False` some keys of one; `scope` is that of its texts."""
    label = str(key.value) if key is not None else kind.name
    id_ = label.rpartition("/")[2] if key is not None else ANY_OBJECT
    meant: set[str] = set()
    for name, name_node, value in node.entries():
        if name in kind.slots:
            near = _for_number(name, node, kind) if value.kind == "number" else ()
            read = read_slot(value, kind.slots[name], scope, desk, near)
            if isinstance(read, m.Body) and kind.slots[name] == "effect":  # what it runs is not asked beforehand
                _always_runs(value, read, kind, id_, name, desk)
                read = None
            desk.asks(slot_asked(kind.name, id_, name), value, read, id_)
        elif name in kind.fields:
            _field(value, kind.fields[name], desk)
        elif name == "abilities":
            read_abilities(value, scope, desk, label, kind.name, kind.active, id_)
        elif name == "copies" and kind.role != "thing":
            desk.report("DR105", f"a {kind.role} has no copies", name_node, "no `copies`")
        elif name == "start" and kind.role != "thing":
            desk.report("DR105", f"a {kind.role} lies in no zone", name_node, "no `start`")
        elif name == "start":
            _start(value, start_of(node), kind, desk)
        elif name not in OWN_KEYS:
            meant.update(_unknown_key(name, name_node, node, kind, desk))
    if entire:
        keys = node.value.keys() | inherited | meant
        if desk.words.grids:
            keys.update(_from_grid(kind, id_, desk))
        if "copies" in keys and "start" not in keys and kind.role == "thing":
            desk.report(
                "DR102", "key `start` is missing: copies of it would lie nowhere", key or node, "`start:` a zone"
            )
        for field in kind.fields.values():
            if field.required and field.name not in keys:
                desk.report(
                    "DR102", f"key `{field.name}` is missing", key or node, f"`{field.name}:` of every {kind.name}"
                )


def _for_number(name: str, node: Node, kind: Kind) -> tuple[str, ...]:
    """Fields that a number may have been meant for which stands in a slot."""
    return nearest(name, {each.name for each in kind.fields.values() if each.type == AMOUNT} - node.value.keys())


def _unknown_key(name: str, key: Node, node: Node, kind: Kind, desk: Desk) -> tuple[str, ...]:
    """Say that a kind has no such key; the result is what may have been meant."""
    known = {*kind.slots, *kind.fields, *OWN_KEYS}
    near: tuple[str, ...] = ()
    expected = "one of " + ", ".join(sorted(known))
    if len(node.value) <= _MOST_KEYS:
        kinds = nearest(name, {*kind.slots.values()} - {name}) if name not in _SLOTS else (name,)
        slots = tuple(slot for slot, what in kind.slots.items() if what in kinds and slot not in node.value)
        near = nearest(name, known - node.value.keys()) or slots[:_MOST_NEAR] or nearest(name, known)
    if name == "id":
        expected, near = "no such key: the id is the name before the colon", ()
    desk.report("DR101", f"unknown key `{name}` of a {kind.name}", key, expected, near)
    return near


def _from_grid(kind: Kind, id_: str, desk: Desk) -> tuple[str, ...]:
    """The keys of an object that a grid fills, if it is a place of one."""
    grids = desk.words.grids.values()
    return (COLUMN, ROW) if any(grid.kind == kind.name and id_ in grid.places for grid in grids) else ()


def object_scope(kind: Kind, desk: Desk) -> Scope:
    """The scope of texts on an object of a kind."""
    return desk.scope(this=kind.type, here=kind.type if kind.role == "place" else PLACE)


def read_slot(
    node: Node, slot: str, scope: Scope, desk: Desk, near: tuple[str, ...] = ()
) -> m.Body | m.Expression | None:
    """A text in a slot, or `todo`; `near` are keys that a number may have been meant for."""
    if node.kind == "number" and slot == "number":
        return None
    misplaced = node.kind == "map" and slot in {"condition", "number"} and node.get("todo") is None
    if misplaced or node.kind not in {"text", "map"}:
        message, _ = misfit(node, f"{_SLOTS.get(slot, slot)} as a text")
        steps = [str(each.value) for each in node.value if each.kind == "text"] if node.kind == "list" else []
        expected = (
            f"one text, with commas: `{', '.join(steps)}`"
            if steps
            else f"{_SLOTS.get(slot, slot)} in the language of effects"
        )
        desk.report("DR103", message, node, expected, near)
        return None
    if slot in {"condition", "number"} and node.kind == "text":
        return desk.expression(node, scope, CONDITION if slot == "condition" else AMOUNT)
    if slot == "cost":
        return read_cost(node, scope, desk)
    return desk.effect(node, scope)


def _always_runs(node: Node, body: m.Body, kind: Kind, id_: str, slot: str, desk: Desk) -> None:
    """Take note of what the effect in a slot always runs."""
    found = tuple(always_run(body, kind.name, id_))
    if found:
        desk.findings.running.append((slot_asked(kind.name, id_, slot), found, node))


def read_cost(node: Node | None, scope: Scope, desk: Desk) -> m.Body | None:
    """An effect that only takes."""
    body = desk.effect(node, scope)
    if node is None or body is None:
        return None
    node = whole(node)
    for act in walk(body):
        if isinstance(act, m.Act) and act.verb.use == "gain":
            span = node.offset_span(*act.span)
            message = f"`{act.verb.name}` is a gain and stands in a cost"
            desk.findings.problems.append(problem("DR601", message, span, expected="only what is given up"))
    return body


def _start(node: Node, start: Start, kind: Kind, desk: Desk) -> None:
    """Where copies begin: a zone of the game, of a seat, or of a place that is named."""
    zones, zone = desk.words.zones, start.zone
    if node.kind != "text":
        return  # the shape of the file has been reported
    if zone not in zones:
        desk.report("DR403", f"unknown zone `{zone}`", node, "a zone from words.yaml", nearest(zone, zones))
        return
    holds, per = desk.words.zone_kinds(zone), desk.words.zone_holder(zone)
    if holds and kind.name not in holds:
        desk.report("DR105", f"a {kind.name} cannot lie in `{zone}`", node, f"a zone that holds {kind.name}")
    elif zones[zone].joins:
        desk.report("DR105", f"`{zone}` is several zones read as one", node, f"one of {', '.join(zones[zone].joins)}")
    elif per in {"game", "seat"}:
        if start.place:
            desk.report("DR105", f"`{zone}` is of no place", node, f"`{zone}` alone")
    elif not start.place:
        message = f"every {per} has a `{zone}` of its own: nothing says in which of them"
        desk.report("DR105", message, node, f"`{zone} of` a {per}, or a zone of the game or of a seat")
    elif not desk.words.is_member(start.place, per):
        known = desk.words.members(per)
        shown = ", ".join(known) if len(known) <= _MOST_SHOWN else f"a {per}"
        desk.report("DR405", f"unknown {per} `{start.place}`", node, shown, nearest(start.place, known))


def _field(node: Node, field: Field, desk: Desk) -> None:
    if field.type.many and node.kind == "map":
        _misfit(node, LIST, desk)
    elif field.type.many:
        kind, seen = one(field.type), set[object]()
        for item in node.items():
            _single(item, kind, desk)
            if item.kind in {"text", "number"} and item.value in seen:
                desk.report("DR105", f"`{item.value}` twice in one list", item, "each once")
            seen.add(item.value if item.kind in {"text", "number"} else id(item))
    elif node.kind == "list":
        _misfit(node, f"one {_BASIC.get(field.type) or field.type.of}", desk)
    else:
        _single(node, field.type, desk)


def _misfit(node: Node, wanted: str, desk: Desk, expected: str = "") -> None:
    message, expected = misfit(node, wanted, expected)
    desk.report("DR103", message, node, expected)


def _single(node: Node, kind: Type, desk: Desk) -> None:
    basic = _BASIC.get(kind)
    if basic is not None:
        if node.kind != basic:
            _misfit(node, {"number": NUMBER, "flag": FLAG, "text": TEXT_VALUE}[basic], desk)
    elif node.kind != "text" or not desk.words.is_member(node.value, kind.of):
        known = desk.words.members(kind.of)
        code = "DR404" if kind.name == "label" else "DR405" if kind.name == "place" else "DR407"
        shown = ", ".join(known) if len(known) <= _MOST_SHOWN else f"a {kind.of}"
        if node.kind == "text" and node.value.startswith("-"):
            desk.report(code, f"unknown {kind.of} `{node.value[:60]}`", node, "a blank behind each `-`")
        elif node.kind == "text" and "," in node.value:
            desk.report(code, f"unknown {kind.of} `{node.value[:60]}`", node, f"a list: `[{node.value[:60]}]`")
        elif node.kind == "text":
            desk.report(code, f"unknown {kind.of} `{node.value[:60]}`", node, shown, nearest(node.value, known))
        else:
            _misfit(node, f"a {kind.of}", desk, shown)
