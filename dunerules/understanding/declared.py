"""Declarations: words.yaml, game.yaml and board.yaml refer only to what exists."""

from __future__ import annotations

from collections.abc import Iterable

from dunerules.dsl.types import PLAIN, SEAT, Type
from dunerules.dsl.unknown import MOST_SHOWN, some_of
from dunerules.dsl.vocabulary import OTHER, Vocabulary
from dunerules.dsl.words import RESERVED
from dunerules.nearest import nearest
from dunerules.packs.content import OBJECTS, RULES, SECTIONS
from dunerules.packs.nodes import Node, plain
from dunerules.understanding.demands import read_demands
from dunerules.understanding.desk import Desk
from dunerules.understanding.vocabulary import field_type

__all__ = [
    "OWN_KEYS",
    "check_name",
    "each_once",
    "known_name",
    "read_game",
    "read_option",
    "read_options",
    "read_section",
    "read_words",
    "told_by_threshold",
]

OWN_KEYS = ("name", "copies", "start", "abilities", "note", "reconstruction")
"""Keys every object may have, whatever its kind."""


def check_name(key: Node, desk: Desk) -> None:
    """A declared name may not be a word of the language."""
    if key.value in RESERVED:
        desk.report("DR206", f"`{key.value}` is a word of the language itself", key, "another name")


def known_name(node: Node | None, known: Iterable[str], what: str, code: str, desk: Desk) -> None:
    """Every name in a value must be among `known`."""
    if node is None:
        return
    names = set(known)
    for item in node.items():
        if item.kind == "text" and item.value not in names:
            near = nearest(item.value, names)
            expected = some_of(names) if len(names) <= MOST_SHOWN or not near else f"a {what}"
            desk.report(code, f"unknown {what} `{item.value[:60]}`", item, expected, near)


def read_words(node: Node, desk: Desk) -> None:
    """A words.yaml."""
    for section, (kind, key) in SECTIONS.items():
        inner = node.get(key) if kind == "words" else None
        for _, name, value in inner.entries() if inner is not None else ():
            if id(name) not in desk.skipped:
                check_name(name, desk)
                read_section(section, name, value, desk)


def read_section(section: str, name: Node, value: Node, desk: Desk) -> None:
    """One definition of a section of words.yaml, whole or patched."""
    {"trait": _trait, "kind": _kind, "counter": _counter, "piece": _piece, "zone": _zone}[section](name, value, desk)


def _trait(name: Node, value: Node, desk: Desk) -> None:
    if name.value in PLAIN:
        desk.report("DR206", f"`{name.value}` cannot name a family: parameters use it", name, "another name")
    for item in value.items():
        check_name(item, desk)
    each_once(value, "family", desk)


def _kind(name: Node, value: Node, desk: Desk) -> None:
    if name.value in {*SECTIONS, *PLAIN, OBJECTS, *RULES}:
        desk.report("DR206", f"`{name.value}` cannot name a kind: patches and parameters use it", name, "another name")
    words = desk.words
    fields, slots = value.get("fields"), value.get("slots")
    for field, key, node in fields.entries() if fields is not None else ():
        _own_name(key, desk)
        if slots is not None and slots.get(field) is not None:
            desk.report("DR201", f"`{field}` is a field and a slot", key, "two names")
        kind = node if node.kind == "text" else node.get("type")
        if kind is not None and kind.kind == "text" and field_type(kind.value, words) is None:
            known = {"number", "text", "flag", *words.families, *words.kinds}
            desk.report(
                "DR416",
                f"unknown type `{kind.value}`",
                kind,
                "number, text, flag, a family or a kind",
                nearest(kind.value, known),
            )
    for _, key, _node in slots.entries() if slots is not None else ():
        _own_name(key, desk)
    known_name(value.get("active"), words.zones, "zone", "DR403", desk)
    if str(name.value) in words.kinds:
        for _ in read_demands(words.kinds[str(name.value)], value, desk):
            pass


def _own_name(key: Node, desk: Desk) -> None:
    """A field or slot may not be called like a key every object has."""
    check_name(key, desk)
    if key.value in OWN_KEYS:
        desk.report("DR206", f"every object may have a `{key.value}` already", key, "another name")


def _counter(name: Node, value: Node, desk: Desk) -> None:
    words = desk.words
    per = value.get("per")
    if per is not None:
        _indexes(per, desk)
    _marks(per, value, desk)
    holds = value.get("holds")
    if holds is not None:
        known_name(holds, {"number", "seat", *words.families, *words.kinds}, "type", "DR416", desk)
    known_name(value.get("reset"), {*words.procedures, "game"}, "procedure", "DR411", desk)
    _bounds(value, desk)
    thresholds = value.get("thresholds")
    for threshold in thresholds.value if thresholds is not None and thresholds.kind == "list" else ():
        scope = desk.apart(told_by_threshold(str(name.value), words))
        desk.effect(threshold.get("up"), scope)
        desk.effect(threshold.get("down"), scope)
        if "up" not in threshold.value and "down" not in threshold.value:
            desk.report("DR105", "a threshold where nothing happens", threshold, "`up`, `down` or both")
        at, high = threshold.get("at"), value.get("max")
        if at is not None and high is not None and at.value > high.value:
            desk.report("DR105", f"a threshold at {at.value} is never reached", at, f"at most {high.value}")


def _indexes(per: Node, desk: Desk) -> None:
    """What a counter is kept for: each once, or one of them twice; things only once, and of one kind."""
    words, items = desk.words, per.items()
    known = {"game", SEAT.name, *words.families, *words.kinds}
    if len(items) > 1 and any(item.value == "game" for item in items):
        desk.report("DR105", "`game` beside other holders", per, "`game` alone, or the others alone")
    seen: dict[str, int] = {}
    for item in items:
        if item.kind != "text":
            continue
        seen[item.value] = number = seen.get(item.value, 0) + 1
        kind = words.index_type(item.value) if item.value in known else None
        if item.value != "game" and kind is None:
            near = nearest(item.value, known)
            desk.report(
                "DR416", f"a counter cannot be per `{item.value}`", item, "game, seat, a family or a kind", near
            )
        elif number > 1 and (item.value == "game" or (kind is not None and kind.name == "thing")):
            desk.report("DR201", f"`{item.value}` twice in one counter", item, "each once")
        elif number > 2 or sum(each > 1 for each in seen.values()) > 1:
            desk.report("DR201", f"`{item.value}` once more in one counter", item, "one of them twice at most")
        elif number == 2 and f"{OTHER}{item.value}" in known:
            message = f"the second {item.value} is called `{OTHER}{item.value}`, and so is something else"
            desk.report("DR201", message, item, f"`{item.value}` once, or another name for `{OTHER}{item.value}`")
    things = [item for item in items if item.value in words.kinds and words.kinds[item.value].role == "thing"]
    for item in things[1:]:
        if item.value != things[0].value:
            message = f"a counter cannot be on a {things[0].value} and a {item.value}"
            desk.report("DR105", message, item, "one kind of things")


def _marks(per: Node | None, value: Node, desk: Desk) -> None:
    """A counter on things: where they have it, and who sees it."""
    words, zones, hidden = desk.words, value.get("in"), value.get("hidden")
    names = [item.value for item in per.items()] if per is not None else []
    marked = [name for name in names if name in words.kinds and words.kinds[name].role == "thing"]
    if zones is not None and not marked:
        desk.report("DR105", "`in` of a counter that is on no things", zones, "`per:` a kind of things, or no `in`")
        return
    known_name(zones, words.zones, "zone", "DR403", desk)
    for item in zones.items() if zones is not None else ():
        held = words.zone_kinds(str(item.value)) if item.value in words.zones else ()
        if held and not set(marked) & set(held):
            message = f"no {marked[0]} can lie in `{item.value}`, which holds {', '.join(held)}"
            desk.report("DR105", message, item, f"a zone that holds {marked[0]}")
    if marked and hidden is not None and hidden.value is True and SEAT.name not in names:
        desk.report("DR105", "nobody could see it", hidden, f"`per: [seat, {marked[0]}]`, or no `hidden`")


def told_by_threshold(counter: str, words: Vocabulary) -> dict[str, Type]:
    """What is known by name where a counter comes to a threshold: whose it is, besides a seat."""
    return words.told_of(words.counters[counter]) if counter in words.counters else {}


def _bounds(value: Node, desk: Desk) -> None:
    low, high, start = value.get("min"), value.get("max"), value.get("start")
    least = low.value if low is not None and low.kind == "number" else 0
    if high is not None and high.kind == "number" and high.value < least:
        desk.report("DR105", f"`max` {high.value} is below `min` {least}", high, f"at least {least}")
    elif start is not None and start.kind == "number":
        most = high.value if high is not None and high.kind == "number" else start.value
        if not least <= start.value <= most:
            desk.report("DR105", f"`start` {start.value} is out of bounds", start, f"{least} to {most}")


def _piece(_: Node, value: Node, desk: Desk) -> None:
    pools = value.get("pools")
    names = [item.value for item in pools.items()] if pools is not None else []
    for item in pools.items() if pools is not None else ():
        check_name(item, desk)
    if pools is not None:
        each_once(pools, "piece", desk)
    known_name(value.get("home"), names, "pool", "DR409", desk)
    known_name(value.get("start"), names, "pool", "DR409", desk)
    places = [kind.name for kind in desk.words.kinds.values() if kind.role == "place"]
    known_name(value.get("places"), places, "kind of place", "DR415", desk)
    family = value.get("family")
    if family is not None:
        check_name(family, desk)
        words = desk.words
        others = (words.families, words.kinds, words.counters, words.pieces, words.zones, words.values, words.options)
        if any(family.value in names for names in others):
            desk.report("DR201", f"`{family.value}` already means something in this game", family, "another name")


def _zone(name: Node, value: Node, desk: Desk) -> None:
    words = desk.words
    joins = value.get("joins")
    if joins is not None:
        known_name(joins, words.zones, "zone", "DR403", desk)
        for key in value.value.keys() - {"joins", "note"}:
            desk.report("DR105", f"`{key}` with `joins`", value.value[key][0], "`joins` alone: the parts say the rest")
        return
    places = {kind.name for kind in words.kinds.values() if kind.role == "place"}
    known_name(value.get("per"), {"game", "seat", *places}, "holder", "DR416", desk)
    things = [kind.name for kind in words.kinds.values() if kind.role == "thing"]
    known_name(value.get("holds"), things, "kind", "DR415", desk)
    sight = value.get("sight")
    if sight is not None and sight.value == "others" and value.text("per") != "seat":
        desk.report("DR105", "no seat is the owner of this zone", sight, "`per: seat`, or another sight")
    known_name(value.get("refill"), words.zones.keys() - {name.value}, "zone", "DR403", desk)


def read_game(node: Node, desk: Desk) -> None:
    """A game.yaml."""
    seats = node.get("seats")
    low, high = (seats.get("min"), seats.get("max")) if seats is not None else (None, None)
    if low is not None and high is not None and low.kind == high.kind == "number" and low.value > high.value:
        desk.report("DR105", f"at least {low.value} seats but at most {high.value}", low, "`min` not above `max`")
    _tables(node, desk)
    counters = desk.words.counters
    pointers = [counter.name for counter in counters.values() if counter.holds == SEAT]
    first = node.get("first")
    known_name(first, pointers, "counter that holds a seat", "DR406", desk)
    if first is not None and first.value in pointers and counters[first.value].per != ("game",):
        every = " and ".join(counters[first.value].per)
        message = f"every {every} has a `{first.value}` of its own: nothing says which of them"
        desk.report("DR105", message, first, "a counter of the game")
    read_options(node.get("options"), desk)


def read_options(options: Node | None, desk: Desk) -> None:
    """The options of a game, or those a pack adds to it."""
    for _, key, option in options.entries() if options is not None else ():
        if id(key) not in desk.skipped:
            check_name(key, desk)
            read_option(option, desk)


def _tables(node: Node, desk: Desk) -> None:
    """Tables with automated seats: one for a number of players, and the players are the seats that are left."""
    tables, seats = node.get("tables"), node.get("seats")
    taken = plain(seats) if seats is not None else {}
    seen: set[int] = set()
    for table in tables.value if tables is not None and tables.kind == "list" else ():
        if table.kind != "map" or any(value.kind != "number" for _, value in table.value.values()):
            continue
        said = plain(table)
        if len(said) == 3 and said["players"] + said["automated"] != said["seats"]:
            expected = "`seats` that are the players and the automated seats together"
            desk.report(
                "DR105", f"{said['seats']} seats for {said['players']} and {said['automated']}", table, expected
            )
        number = said.get("players", 0)
        if number in seen or taken.get("min", 99) <= number <= taken.get("max", 0):
            desk.report("DR201", f"two tables for {number} players", table, "one; the others are between min and max")
        seen.add(number)


def read_option(option: Node, desk: Desk) -> None:
    """One option, or some keys of one."""
    values = option.get("values")
    if values is not None:
        each_once(values, "option", desk)
        for item in values.items():
            check_name(item, desk)
        known_name(option.get("default"), [item.value for item in values.items()], "value", "DR413", desk)


def each_once(node: Node, what: str, desk: Desk) -> None:
    """No name twice in a list."""
    seen: set[str] = set()
    for item in node.items():
        if item.value in seen:
            desk.report("DR201", f"`{item.value}` twice in one {what}", item, "each once")
        seen.add(item.value)
