"""Whether a quantity goes with what it is a quantity of, and with `per`."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Fault
from dunerules.dsl.types import PIECE, ZONE

__all__ = ["quantities_fit"]

_ENDS = ("top", "bottom")
_NUMBERS = ("amount", "counter", "quantity", "unknown")


def quantities_fit(node: m.Act | m.Choice | m.Pick) -> Iterator[Fault]:
    """How many: of a counter, of pieces, of things, of options."""
    if isinstance(node, m.Choice):
        yield from _refused(node.quantity, (*_ENDS, "all"), "options", "a number, `up to`, `any` or `random`")
    elif isinstance(node, m.Pick):
        yield from _refused(node.quantity, _ENDS, "a choice", "`move` or `look`, for an end of a pile")
    else:
        yield from _act(node)
        yield from _per(node)


def _act(act: m.Act) -> Iterator[Fault]:
    given = dict(act.arguments)
    quantity, what = given.get("n"), given.get("what")
    if not act.verb.kernel or what is None or not isinstance(quantity, m.Quantity):
        return
    if what.type.name != "thing":
        pieces = what.type == PIECE
        expected = "a number, `up to`, `any` or `all`"
        yield from _refused(quantity, ("random", *_ENDS), "pieces" if pieces else "a counter", expected)
    elif quantity.mode in _ENDS:
        source = given.get("source")
        if source is None or source.type.name not in {ZONE.name, "unknown"}:
            yield Fault("DR508", f"`{quantity.mode}` of no pile", quantity.span, "a zone, after `from`")


def _refused(quantity: m.Quantity, modes: tuple[str, ...], what: str, expected: str) -> Iterator[Fault]:
    if quantity.mode in modes:
        yield Fault("DR508", f"`{quantity.mode}` does not go with {what}", quantity.span, expected)


def _per(act: m.Act) -> Iterator[Fault]:
    if act.per is None:
        return
    number = dict(act.arguments).get("n")
    if number is None or number.type.name not in _NUMBERS:
        yield Fault("DR508", f"`{act.verb.name}` has no number to multiply", act.per.span, "no `per`, or `repeat`")
    elif isinstance(number, m.Quantity) and number.mode in {"any", "all"}:
        yield Fault("DR508", f"`per` with `{number.mode}`: there is no number to multiply", act.per.span, "a number")
    if act.per.each == 0:
        yield Fault("DR508", "`per 0` cannot be counted", act.per.span, "`per 1` or more")
