"""Whether a quantity goes with what it is a quantity of, and with `per`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Fault
from dunerules.dsl.types import PIECE, ZONE

__all__ = ["act_quantities_fit", "quantities_fit"]

_ENDS = ("top", "bottom")
_NUMBERS = ("amount", "counter", "quantity", "unknown")


def quantities_fit(node: m.Choice | m.Pick) -> Iterator[Fault]:
    """How many of some options, or of some things to pick."""
    if isinstance(node, m.Choice):
        yield from _refused(node.quantity, (*_ENDS, "blind", "all"), "options", "a number, `up to`, `any` or `random`")
    else:
        yield from _refused(node.quantity, _ENDS, "a choice", "`move` or `look`, for an end of a pile")
        yield from _blind(node.quantity, node.of, None)


def act_quantities_fit(act: m.Act, given: Mapping[str, m.Expression]) -> Iterator[Fault]:
    """How many, in a verb with its arguments `given` by name: of a counter, of pieces, of things."""
    quantity, what = given.get("n"), given.get("what")
    if act.verb.kernel and what is not None and isinstance(quantity, m.Quantity):
        yield from _amount(quantity, what, given.get("source"))
    if act.per is not None:
        yield from _per(act, act.per, quantity)


def _amount(quantity: m.Quantity, what: m.Expression, source: m.Expression | None) -> Iterator[Fault]:
    if what.type.name != "thing":
        pieces = what.type == PIECE
        expected = "a number, `up to`, `any` or `all`"
        yield from _refused(quantity, ("random", "blind", *_ENDS), "pieces" if pieces else "a counter", expected)
    elif quantity.mode in _ENDS and (source is None or source.type.name not in {ZONE.name, "unknown"}):
        yield Fault("DR508", f"`{quantity.mode}` of no pile", quantity.span, "a zone, after `from`")
    else:
        yield from _blind(quantity, what, source)


def _blind(quantity: m.Quantity, what: m.Expression, source: m.Expression | None) -> Iterator[Fault]:
    """Whoever picks by position must not be told by what there is to pick what lies where."""
    if quantity.mode != "blind" or isinstance(what, m.Unknown):
        return
    named = what if isinstance(what, m.Named) and what.type.name == "thing" else None
    zone = source if named is None or named.zone is None else named.zone
    if named is not None and named.where is not None:
        expected = "things of a kind, as in `blind 1 card`; ask what it is when it is picked"
        yield Fault("DR508", "`blind` with a filter: it would tell what lies where", named.where.span, expected)
    elif named is None or zone is None or zone.type.name not in {ZONE.name, "unknown"}:
        expected = "things of a kind in a zone, as in `blind 1 card from hand of o`"
        yield Fault("DR508", "`blind` of no zone: positions are picked", quantity.span, expected)


def _refused(quantity: m.Quantity, modes: tuple[str, ...], what: str, expected: str) -> Iterator[Fault]:
    if quantity.mode in modes:
        yield Fault("DR508", f"`{quantity.mode}` does not go with {what}", quantity.span, expected)


def _per(act: m.Act, per: m.Scaled, number: m.Expression | None) -> Iterator[Fault]:
    if number is None or number.type.name not in _NUMBERS:
        yield Fault("DR508", f"`{act.verb.name}` has no number to multiply", per.span, "no `per`, or `repeat`")
    elif isinstance(number, m.Quantity) and number.mode in {"any", "all"}:
        yield Fault("DR508", f"`per` with `{number.mode}`: there is no number to multiply", per.span, "a number")
    if per.each == 0:
        yield Fault("DR508", "`per 0` cannot be counted", per.span, "`per 1` or more")
