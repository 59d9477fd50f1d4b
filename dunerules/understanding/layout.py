"""Whether what packs declare can be laid out together: piles and rows that are filled, rings, and how much there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod

from dunerules.dsl.vocabulary import Vocabulary, Zone
from dunerules.packs.content import Content, Entry
from dunerules.packs.grids import MOST_PLACES
from dunerules.packs.nodes import Node, plain
from dunerules.packs.starts import start_of
from dunerules.problems import Problem, problem

__all__ = ["check_layout"]

MOST_CELLS, MOST_THINGS = 100_000, 20_000


def check_layout(content: Content, words: Vocabulary) -> Iterator[Problem]:
    """Everything that is wrong with zones, rings and sizes once all packs are merged."""
    for entry in content.section("zone"):
        if entry.node.kind == "map" and entry.id in words.zones:
            yield from _filled(entry, words)
    yield from _refilled_in_circles(content)
    yield from _marks_shuffled(content, words)
    yield from _rings(content)
    yield from _sizes(content, words)


def _filled(entry: Entry, words: Vocabulary) -> Iterator[Problem]:
    refill, capacity = entry.node.get("refill"), entry.node.get("capacity")
    if refill is None:
        if capacity is not None:
            expected = "`refill:` with the zone it is kept full from, or no `capacity`"
            yield problem("DR105", "`capacity` without `refill` does nothing", capacity.span, expected=expected)
        return
    zone, source = words.zones[entry.id], words.zones.get(str(refill.value))
    if source is None:
        return  # reported where the file is read
    if source.joins:
        yield problem("DR105", f"`{source.name}` is several zones", refill.span, expected="one zone to be filled from")
    elif zone.per not in {"game", "seat"}:
        expected = "a zone of the game or of seats; or `move` in the rules"
        yield problem("DR105", f"a zone of each {zone.per} cannot be refilled", refill.span, expected=expected)
    elif source.per not in {"game", zone.per}:
        message = f"`{zone.name}` is of the {zone.per}, and `{source.name}` of each {source.per}"
        yield problem("DR105", message, refill.span, expected=f"a zone of the game{_or_seats(zone)}")
    elif zone.holds and not (source.holds and set(source.holds) <= set(zone.holds)):
        message = f"`{source.name}` may hold what `{zone.name}` cannot"
        yield problem("DR105", message, refill.span, expected=f"a zone that holds only {', '.join(zone.holds)}")


def _or_seats(zone: Zone) -> str:
    return " or of each seat" if zone.per == "seat" else ""


def _refilled_in_circles(content: Content) -> Iterator[Problem]:
    sources = {entry.id: entry.node.text("refill") for entry in content.section("zone") if entry.node.kind == "map"}
    told: set[str] = set()
    for start in sources:
        way = [start]
        while sources.get(way[-1]) and sources[way[-1]] not in way:
            way.append(sources[way[-1]])
        if sources.get(way[-1]) == start and start not in told:
            told |= set(way)
            node = content.entries[("zone", "", start)].node.get("refill")
            message = f"`{start}` is refilled from itself: {' -> '.join([*way, start])}"
            if node is not None and len(way) > 1:  # of itself alone is reported where the file is read
                yield problem("DR208", message, node.span, expected="a zone that is not refilled in turn")


def _marks_shuffled(content: Content, words: Vocabulary) -> Iterator[Problem]:
    """Things that are shuffled into a pile lose what is on them: no counter says that it is kept all the same."""
    zones = [entry for entry in content.section("zone") if entry.node.kind == "map" and entry.id in words.zones]
    piles = [(each.id, each.node.text("refill")) for each in zones if each.node.get("capacity") is None]
    for entry in content.section("counter"):
        counter = words.counters[entry.id]
        kind, kept = words.marks(counter), {part.name for zone in counter.zones for part in words.zone_parts(zone)}
        for pile, source in piles if kind else ():
            held = words.zone_kinds(source) if source in words.zones else (pile,)
            if (not held or kind in held) and (not counter.zones or {pile, source} <= kept):
                message = f"`{entry.id}` is lost when every {kind} in `{source}` is shuffled into `{pile}`"
                expected = f"`in:` with the zones where a {kind} has it, not both `{source}` and `{pile}`"
                yield problem("DR105", message, (entry.node.get("in") or entry.key).span, expected=expected)
                break


def _rings(content: Content) -> Iterator[Problem]:
    """A place is on one ring at most, and once."""
    seen: dict[str, tuple[str, Node]] = {}
    for entry in content.section("ring"):
        for item in entry.node.items():
            ring, first = seen.setdefault(str(item.value), (entry.id, item))
            if first is not item:
                where = "twice on one ring" if ring == entry.id else f"on the rings `{ring}` and `{entry.id}`"
                expected = "each place on one ring at most, and once"
                related = ((first.span, f"on `{ring}`"),)
                message = f"`{item.value}` is {where}"
                yield problem("DR105", message, item.span, expected=expected, related=related)


def _sizes(content: Content, words: Vocabulary) -> Iterator[Problem]:
    """How much there is at the most seats: told once, where it comes to too much."""
    seats = _most_seats(content)
    roles = {kind.name: kind.role for kind in words.kinds.values()}
    objects = [entry for entry in content.section("object") if entry.kind in roles]
    things = [(entry, _copies(entry, words, seats)) for entry in objects if roles[entry.kind] != "place"]
    copies = Counter[str]()
    for entry, number in things:
        copies[entry.kind] += number if roles[entry.kind] == "thing" else 0
    cells = (
        (entry, _cells(entry, words, seats, copies)) for key in ("counter", "piece") for entry in content.section(key)
    )
    yield from _too_many(cells, MOST_CELLS, "cells of counters and pieces")
    places = ((entry, 1) for entry in objects if roles[entry.kind] == "place")
    yield from _too_many(places, MOST_PLACES, "places")
    yield from _too_many(things, MOST_THINGS, "things with all copies")


def _cells(entry: Entry, words: Vocabulary, seats: int, copies: Counter[str]) -> int:
    """The numbers that are kept for a counter, or for a piece in its pools and on places."""
    if entry.section == "piece":
        piece = words.pieces[entry.id]
        return seats * (len(piece.pools) + (len(words.members(piece.places)) if piece.places else 0))
    families = [words.index_family(index) for index in words.counters[entry.id].per if index != "game"]
    return prod(seats if each == "seat" else copies.get(each, 0) or len(words.members(each)) for each in families)


def _copies(entry: Entry, words: Vocabulary, seats: int) -> int:
    """Copies of an object: in a zone of seats, for each of them."""
    start, copies = words.zones.get(start_of(entry.node).zone), entry.node.get("copies")
    number = copies.value if copies is not None and copies.kind == "number" else 1
    return number * (seats if start is not None and start.per == "seat" else 1)


def _most_seats(content: Content) -> int:
    data = plain(content.game) if content.game is not None else {}
    numbers = [data.get("seats", {}).get("max"), *(table.get("seats") for table in data.get("tables", ()))]
    return max((number for number in numbers if isinstance(number, int)), default=1)


def _too_many(counted: Iterable[tuple[Entry, int]], most: int, what: str) -> Iterator[Problem]:
    total = 0
    for entry, number in counted:
        before, total = total, total + number
        if before <= most < total:
            message = f"{total:,} {what} up to `{entry.id}`, for the most seats"
            yield problem("DR210", message, entry.key.span, expected=f"at most {most:,}")
