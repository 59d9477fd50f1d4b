"""What a seat can and cannot see, checked against its view of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dunerules.packs.nodes import Node
from dunerules.scenarios.addresses import Address, UnknownNameError
from dunerules.scenarios.position import MORE
from dunerules.scenarios.record import FaultError, shown_value
from dunerules.scenarios.stage import Stage

__all__ = ["check_hides", "check_sees"]

_UNKNOWN = "?"


def check_sees(stage: Stage, node: Node) -> Iterator[FaultError]:
    """Whether seats see what they shall see."""
    for seat, key, wanted in node.entries():
        view = _view(stage, seat, key)
        for name, name_node, value in wanted.entries():
            address = _address(stage, name, seat, name_node)
            got = _told(stage, view, address)
            if not _equal(value, got):
                shown = f"[{', '.join(got)}]" if isinstance(got, list) else got
                message = f"{seat} should see {name}: {shown_value(value)}, and sees {shown}"
                yield FaultError(message, value.span)


def check_hides(stage: Stage, node: Node) -> Iterator[FaultError]:
    """Whether seats are kept from what they shall not see."""
    for seat, key, names in node.entries():
        view = _view(stage, seat, key)
        for item in names.items():
            address = _address(stage, str(item.value), seat, item)
            got = _told(stage, view, address)
            if address.zone and isinstance(got, list) and any(each != _UNKNOWN for each in got):
                yield FaultError(f"{seat} should not see {item.value}, and sees [{', '.join(got)}]", item.span)
            elif not address.zone and got is not None:
                yield FaultError(f"{seat} should not see {item.value}, and sees {got}", item.span)


def _view(stage: Stage, seat: str, key: Node) -> dict[str, Any]:
    number = int(seat.split()[1]) - 1
    if number >= stage.game.seats:
        raise FaultError(f"there is no {seat}", key.span)
    return stage.game.view(number)


def _address(stage: Stage, name: str, seat: str, node: Node) -> Address:
    try:
        return stage.addresses.find(name, seat)
    except UnknownNameError as error:
        raise FaultError(str(error), node.span) from None


def _told(stage: Stage, view: dict[str, Any], address: Address) -> Any:
    """What a view says of a cell or zone; nothing for a counter that is kept from the seat."""
    name = stage.addresses.name(address)
    if address.zone:
        return view["zones"].get(name, [])
    counter = stage.addresses.counters.get(address.number)
    if counter is None:
        return view["pieces"].get(name, 0)
    hidden = stage.addresses.words.counters[counter].hidden
    if hidden and stage.game.names.cell_seat(address.number) not in (-1, view["seat"]):
        return view["counters"].get(name)
    start = stage.addresses.layout.cells[counter].start
    return view["counters"].get(name, stage.game.names.cell_value(counter, start))


def _equal(node: Node, got: Any) -> bool:
    if node.kind != "list":
        return bool(node.value == (len(got) if isinstance(got, list) and node.kind == "number" else got))
    wanted = [item.value for item in node.value]
    if not isinstance(got, list):
        return not wanted and not got
    if wanted and wanted[-1] == MORE:
        return got[: len(wanted) - 1] == wanted[:-1]
    return Counter(wanted) == Counter(got)
