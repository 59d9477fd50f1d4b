"""What a seat can and cannot see, checked against its view of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dunerules.packs.nodes import Node
from dunerules.records import UNKNOWN
from dunerules.scenarios.addresses import NOWHERE, Address, UnknownNameError
from dunerules.scenarios.difference import is_pile, pointed
from dunerules.scenarios.position import MORE
from dunerules.scenarios.record import FaultError, shown_value
from dunerules.scenarios.stage import Stage
from dunerules.views import View

__all__ = ["check_hides", "check_sees"]


def check_sees(stage: Stage, node: Node, seat: str = "", key: Node | None = None) -> Iterator[FaultError]:
    """Whether seats see what they shall see; after a seat the map is about that one."""
    for who, who_key, wanted in _by_seat(node, seat, key):
        view = _view(stage, who, who_key)
        for name, name_node, value in wanted.entries():
            address = _address(stage, name, who, name_node)
            got = _told(stage, view, address)
            if not _equal(stage, address, value, got):
                shown = f"[{', '.join(got)}]" if isinstance(got, list) else got
                message = f"{who} should see {name}: {shown_value(value)}, and sees {shown}"
                yield FaultError(message, value.span)


def check_hides(stage: Stage, node: Node, seat: str = "", key: Node | None = None) -> Iterator[FaultError]:
    """Whether seats are kept from what they shall not see. Where nothing lies, nothing is hidden."""
    for who, who_key, names in _by_seat(node, seat, key):
        view = _view(stage, who, who_key)
        for item in names.items():
            address = _address(stage, str(item.value), who, item)
            got = _told(stage, view, address)
            if address.zone and not got:
                yield FaultError(f"`{item.value}` is empty: there is nothing to hide", item.span)
            elif address.zone and any(each != UNKNOWN for each in got):
                yield FaultError(f"{who} should not see {item.value}, and sees [{', '.join(got)}]", item.span)
            elif not address.zone and got is not None:
                yield FaultError(f"{who} should not see {item.value}, and sees {got}", item.span)


def _by_seat(node: Node, seat: str, key: Node | None) -> Iterator[tuple[str, Node, Node]]:
    if seat and key is not None:
        yield seat, key, node
    else:
        yield from node.entries()


def _view(stage: Stage, seat: str, key: Node) -> View:
    number = int(seat.split()[1])
    if number > stage.game.seats:
        raise FaultError(f"there is no {seat}", key.span, "DR901")
    return stage.game.view(number)


def _address(stage: Stage, name: str, seat: str, node: Node) -> Address:
    try:
        return stage.addresses.find(name, seat, stage.game.state)
    except UnknownNameError as error:
        raise FaultError(str(error), node.span, "DR901") from None


def _told(stage: Stage, view: View, address: Address) -> Any:
    """What a view says of a cell or zone; nothing for a counter that is kept from the seat."""
    name = stage.addresses.name(address)
    if address.zone:
        return list(view.zones[name].ids)
    counter = stage.addresses.counters.get(address.number)
    if counter is None:
        return view.pieces[name].count
    if stage.addresses.words.marks(stage.addresses.words.counters[counter]):
        return _mark(stage, view, counter, address.number)
    found = view.counters[name]
    if found.hidden or found.value is not None:
        return found.value
    return pointed(stage.addresses, counter, -1)


def _mark(stage: Stage, view: View, counter: str, number: int) -> Any:
    """A counter on a thing, if the seat may see it."""
    names = stage.game.names
    hidden = stage.addresses.words.counters[counter].hidden and view.seat != names.cell_seat(number) + 1
    return None if hidden else pointed(stage.addresses, counter, stage.game.state.cells[number])


def _equal(stage: Stage, address: Address, node: Node, got: Any) -> bool:
    """Whether something is seen so; piles nobody sees into, and lists that end with `...`, have an order."""
    if node.kind == "text" and node.value in NOWHERE:
        return got in NOWHERE
    if node.kind != "list":
        return bool(node.value == (len(got) if isinstance(got, list) and node.kind == "number" else got))
    wanted = [item.value for item in node.value]
    if not isinstance(got, list):
        return False
    if wanted and wanted[-1] == MORE:
        return got[: len(wanted) - 1] == wanted[:-1]
    return got == wanted if is_pile(address.number, stage.addresses) else Counter(wanted) == Counter(got)
