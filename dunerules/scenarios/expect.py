"""Comparing a difference with what was expected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dunerules.packs.nodes import Node
from dunerules.runtime.state import State
from dunerules.scenarios.addresses import NOWHERE, Address, Addresses, UnknownNameError, item_named
from dunerules.scenarios.difference import Bag, Difference, pointed, shown_difference
from dunerules.scenarios.position import MORE, first_alike, pointed_at, signed_number
from dunerules.scenarios.record import SEAT, FaultError, Line, shown_value

__all__ = ["KEYS", "Comparison", "way_of"]

_CHANGE = re.compile(r"(?P<sign>[+-])\s*(?P<amount>[0-9]{1,9})\Z")
_COUNTED = re.compile(r"(?:(?P<count>[1-9][0-9]{0,3}) )?(?P<name>.+)\Z")
KEYS = ("gained", "lost", "top", "count", "mixed")
"""What can be said of a part of a zone."""


class Comparison:
    """A difference, of which expectations take away what they explain. What is left was not mentioned."""

    def __init__(
        self, found: Difference, after: State, addresses: Addresses, worth: Callable[[Line], Any] | None = None
    ) -> None:
        self.found = found
        self.after = after
        self.addresses = addresses
        self.worth = worth
        """What a name comes to that is that of a value."""
        self.cells = {number: new - old for number, (old, new) in found.cells.items()}
        self.lost = {zone: Counter(bag) for zone, bag in found.lost.items()}
        self.gained = {zone: Counter(bag) for zone, bag in found.gained.items()}
        self.mixed = set(found.mixed)
        self.lasting = found.lasting[0] != found.lasting[1]
        self.result = found.result is not None

    def wrong(self, lines: Sequence[Line]) -> Iterator[FaultError]:
        """What was expected and is not so. Moves are taken first: they explain parts of zones."""
        for line in sorted(lines, key=lambda line: line.name != "moved"):
            try:
                self._line(line)
            except FaultError as fault:
                yield fault
            except UnknownNameError as error:
                yield FaultError(str(error), line.key.span, error.code)

    def unmentioned(self, left_out: frozenset[str]) -> list[str]:
        """What differs and was not mentioned, as it could be written."""
        counters = self.addresses.counters
        cells = {number: self.found.cells[number] for number in self.cells if counters.get(number) not in left_out}
        left = Difference(
            {number: pair for number, pair in cells.items() if self.cells[number]},
            {zone: bag for zone, bag in self.lost.items() if bag},
            {zone: bag for zone, bag in self.gained.items() if bag},
            frozenset(self.mixed),
            self.found.lasting if self.lasting else (0, 0),
            self.found.result if self.result else None,
        )
        lines = shown_difference(left, self.addresses)
        if lines or not (left.lost or left.gained):
            return lines
        names = self.addresses.names
        lines += [f"{names.zone(zone)}: {{lost: [{_listed(bag)}]}}" for zone, bag in left.lost.items()]
        return lines + [f"{names.zone(zone)}: {{gained: [{_listed(bag)}]}}" for zone, bag in left.gained.items()]

    def _line(self, line: Line) -> None:
        if line.name == "moved":
            self._moved(line)
        elif line.name == "lasting":
            self.lasting = False
            self._number(line, *self.found.lasting, low=0)
        elif line.name == "winners":
            self._winners(line)
        elif (address := self._address(line)) is None:
            self._value(line)
        elif address.zone:
            self._zone(line, address.number)
        else:
            self._cell(line, address.number)

    def _address(self, line: Line) -> Address | None:
        """The cell or zone that a line is about; nothing if it is about a value."""
        try:
            return self.addresses.find(line.name, line.seat, self.after)
        except UnknownNameError:
            if self.worth is None or self.worth(line) is None:
                raise
            return None

    def _value(self, line: Line) -> None:
        value = self.worth(line) if self.worth is not None else None
        assert value is not None
        if value.kind == "amount":
            self._number(line, value.before, value.now, low=-1)
            return
        node = line.value
        if value.kind == "group":
            same = sorted(str(each.value) for each in node.items()) == value.now
        else:
            same = node.value == value.now or {str(node.value), str(value.now)} <= NOWHERE
        if not same:
            got = str(value.now).lower() if value.kind == "condition" else value.now
            raise FaultError(f"{self._name(line)}: expected {shown_value(node)}, got {got}", node.span)

    # ---- counters and pieces

    def _cell(self, line: Line, number: int) -> None:
        self.cells.pop(number, None)
        new = self.after.cells[number]
        old = self.found.cells.get(number, (new, new))[0]
        counter, layout = self.addresses.counters.get(number), self.addresses.layout
        pointing = counter is not None and self.addresses.words.counters[counter].holds.name != "amount"
        if pointing and counter is not None:
            self._pointer(line, counter, old, new)
            return
        low = layout.cells[counter].low if counter is not None else 0
        self._number(line, old, new, low)

    def _pointer(self, line: Line, counter: str, old: int, new: int) -> None:
        """What a counter points at now, or `seat 1 -> seat 2`."""
        said = [pointed_at(counter, part.strip(), self.addresses) for part in str(line.value.value).split("->")]
        was, is_now = (first_alike(counter, value, self.addresses) for value in (old, new))
        if len(said) > 2 or said not in ([is_now], [was, is_now]):
            before, now = (pointed(self.addresses, counter, value) for value in (old, new))
            message = f"{self._name(line)}: expected {line.value.value}, got {before} -> {now}"
            raise FaultError(message, line.value.span)

    def _number(self, line: Line, old: int, new: int, low: int) -> None:
        """An absolute number, a change, or both values."""
        node = line.value
        text = str(node.value)
        before, arrow, after = text.partition("->")
        change = _CHANGE.match(text)
        said = f"{self._name(line)}: expected {text}, got {old} -> {new}"
        if node.kind == "number" and (node.value >= 0 or low < 0):
            right = bool(node.value == new)
        elif change is not None:
            amount = int(change["amount"])
            right = new - old == (amount if change["sign"] == "+" else -amount)
        elif arrow and None not in (wanted := (signed_number(before), signed_number(after))):
            right = wanted == (old, new)
        else:
            raise FaultError(f'{self._name(line)} is a number: write `5`, `"+2"`, `-1` or `3 -> 5`', node.span, "DR904")
        if not right:
            raise FaultError(said, node.span)

    def _winners(self, line: Line) -> None:
        self.result = False
        wanted = []
        for node in line.value.items():
            match = SEAT.match(str(node.value))
            if match is None:
                raise FaultError(f"`{node.value}` is not a seat", node.span, "DR904")
            wanted.append(int(match[1]) - 1)
        if self.found.result is None or sorted(wanted) != sorted(self.found.result):
            got = ", ".join(map(self.addresses.names.seat, self.found.result or ())) or "the game is not over"
            raise FaultError(f"winners: expected {shown_value(line.value)}, got {got}", line.value.span)

    # ---- zones

    def _zone(self, line: Line, zone: int) -> None:
        pile = [self.addresses.label(self.after, each) for each in self.after.zones[zone]]
        if line.value.kind == "list":
            self._explained(zone)
            self._whole(line, zone, pile)
        elif line.value.kind == "number":
            self._explained(zone)
            self._count(line, line.value, pile)
        elif line.value.kind == "map":
            self._parts(line, zone, pile)
        else:
            raise FaultError(
                f"{self._name(line)} is a zone: write a list, or a map of {_or(KEYS)}", line.value.span, "DR904"
            )

    def _explained(self, zone: int) -> None:
        self.lost.pop(zone, None)
        self.gained.pop(zone, None)
        self.mixed.discard(zone)

    def _whole(self, line: Line, zone: int, pile: list[str]) -> None:
        nodes = list(line.value.value)
        more = bool(nodes) and nodes[-1].value == MORE
        wanted = [label for node in nodes[: len(nodes) - more] for label in _labels(node)]
        layout = self.addresses.layout
        ordered = more or layout.zones[layout.zone_names[zone]].sight == "none"
        got = pile[: len(wanted)] if more else pile
        alike = len(got) == len(wanted) and all(map(_alike, wanted, got))
        if not ordered and not alike:
            left = list(got)
            alike = len(got) == len(wanted) and all(_take(left, each) for each in wanted)
        if not alike:
            raise FaultError(
                f"{self._name(line)}: expected {shown_value(line.value)}, got [{', '.join(pile)}]", line.value.span
            )

    def _count(self, line: Line, node: Node, pile: list[str]) -> None:
        if node.value != len(pile):
            raise FaultError(f"{self._name(line)}: expected {node.value} objects, got {len(pile)}", node.span)

    def _parts(self, line: Line, zone: int, pile: list[str]) -> None:
        for key, key_node, value in line.value.entries():
            if key == "gained":
                self._taken(line, self.gained.get(zone, Counter()), value, "gained")
            elif key == "lost":
                self._taken(line, self.lost.get(zone, Counter()), value, "lost")
            elif key == "count":
                self._explained(zone)
                self._count(line, value, pile)
            elif key == "mixed":
                self._explained(zone)
            elif key == "top":
                wanted = [label for node in value.items() for label in _labels(node)]
                got = pile[: len(wanted)]
                if len(got) != len(wanted) or not all(map(_alike, wanted, got)):
                    raise FaultError(
                        f"{self._name(line)}: expected {shown_value(value)} on top, got [{', '.join(got)}]", value.span
                    )
            else:
                raise FaultError(f"`{key}` of a zone: expected {_or(KEYS)}", key_node.span, "DR904")

    def _taken(self, line: Line, bag: Bag, value: Node, what: str) -> None:
        if value.kind == "list" and not value.value and bag:
            raise FaultError(f"{self._name(line)}: nothing should be {what}, and {_listed(bag)} was", value.span)
        for node in value.items():
            for label in _labels(node):
                if not _take_from(bag, label, ""):
                    raise FaultError(f"{self._name(line)}: `{label}` was not {what}", node.span)

    # ---- moves

    def _moved(self, line: Line) -> None:
        if line.value.kind != "map":
            raise FaultError("`moved` is a map: `shield: hand of seat 1 -> deck of seat 1`", line.value.span, "DR904")
        for text, key, value in line.value.entries():
            for route in value.items():
                name, count, source, target = way_of(text, route)
                try:
                    for _ in range(count):
                        self._one(name, source, target, line.seat, key)
                except UnknownNameError as error:
                    raise FaultError(str(error), route.span, error.code) from None

    def _one(self, name: str, source: str, target: str, seat: str, key: Node) -> None:
        if name in self.addresses.words.pieces:
            start, end = (self.addresses.pool(name, each, seat) for each in (source, target))
            self.cells[start] = self.cells.get(start, 0) + 1
            self.cells[end] = self.cells.get(end, 0) - 1
            for number, wrong in ((start, self.cells[start] > 0), (end, self.cells[end] < 0)):
                if wrong:
                    old, new = self.found.cells.get(number, (self.after.cells[number],) * 2)
                    got = f"{self.addresses.names.cell(number)}: {old} -> {new}"
                    self.cells.pop(number)
                    raise FaultError(f"moved: not so many {name} went {source} -> {target}; got {got}", key.span)
            return
        zones = [self.addresses.zone(each, seat) for each in (source, target)]
        owner = seat or next((each.partition(" of ")[2] for each in (source, target) if " of seat" in each), "")
        for zone, bags, what in ((zones[0], self.lost, "left"), (zones[1], self.gained, "came to")):
            if not _take_from(bags.get(zone, Counter()), name, owner):
                raise FaultError(f"moved: no `{name}` {what} `{self.addresses.names.zone(zone)}`", key.span)

    def _name(self, line: Line) -> str:
        if line.name in {"lasting", "winners", "moved"}:
            return line.name
        address = self._address(line)
        if address is None:
            return line.name if " of seat " in line.name or not line.seat else f"{line.name} of {line.seat}"
        return self.addresses.name(address)


def way_of(text: str, route: Node) -> tuple[str, int, str, str]:
    """What was moved, how many, where from and where to."""
    source, arrow, target = str(route.value).partition(" -> ")
    match = _COUNTED.match(text)
    if not arrow or match is None:
        raise FaultError(f"`{route.value}` is no way: write `hand -> deck`", route.span, "DR904")
    return match["name"], int(match["count"] or 1), source.strip(), target.strip()


def _labels(node: Node) -> list[str]:
    """The labels an entry of a list stands for."""
    try:
        item = item_named(str(node.value))
    except UnknownNameError as error:
        raise FaultError(str(error), node.span, error.code) from None
    return [f"{item.id} of seat {item.seat + 1}" if item.seat >= 0 else item.id] * item.count


def _alike(wanted: str, got: str) -> bool:
    return got == wanted or (got.partition(" of ")[0] == wanted)


def _take(left: list[str], wanted: str) -> bool:
    found = next((each for each in left if each == wanted), None) or next(
        (each for each in left if _alike(wanted, each)), None
    )
    if found is not None:
        left.remove(found)
    return found is not None


def _take_from(bag: Bag, wanted: str, owner: str) -> bool:
    """Take one object out of a bag: exactly this, or one of this seat, or any of that name."""
    for label in (f"{wanted} of {owner}", wanted, *(each for each in list(bag) if _alike(wanted, each))):
        if bag.get(label, 0) > 0:
            bag[label] -= 1
            if not bag[label]:
                del bag[label]
            return True
    return False


def _listed(bag: Bag) -> str:
    return ", ".join(bag.elements())


def _or(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1]
