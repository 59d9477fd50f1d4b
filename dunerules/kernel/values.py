"""The values every game has, and the types that packs may give to parameters."""

from __future__ import annotations

from dunerules.dsl.types import AMOUNT, CONDITION, LABEL, PLACE, SEAT, THING, Type, many
from dunerules.dsl.vocabulary import OMITTED, Parameter, ValueWord

__all__ = ["KERNEL_VALUES", "PARAMETER_TYPES"]


def _value(name: str, gives: Type, summary: str, *parameters: Parameter) -> ValueWord:
    return ValueWord(name, parameters, gives, summary, kernel=True)


def _takes(name: str, kind: Type, by: str = "", default: str = "") -> Parameter:
    return Parameter(name, (kind,), by, default)


_VALUES = (
    _value("ahead", PLACE, "The place so many steps on along a ring, or in a direction of a grid.",
           _takes("p", PLACE, "of"), _takes("d", LABEL, "with", OMITTED), _takes("n", AMOUNT, "by", "1")),
    _value("automated", CONDITION, "Whether a seat is played by rules of the packs and not by a player.",
           _takes("s", SEAT, "of", "you")),
    _value("beside", CONDITION, "Whether a place has an edge to another.", _takes("other", PLACE),
           _takes("p", PLACE, "of")),
    _value("beyond", CONDITION, "Whether a one-way path leads from the other place to this one.",
           _takes("other", PLACE), _takes("p", PLACE, "of")),
    _value("distance", AMOUNT, "Edges on the shortest way between two places.", _takes("p", PLACE, "of"),
           _takes("other", PLACE, "from")),
    _value("holder", SEAT, "The seat a thing belongs to, or in whose zone it lies.", _takes("t", THING, "of")),
    _value("line", many(PLACE), "The places in a direction of a grid, the next one first, up to the rim or so many.",
           _takes("p", PLACE, "of"), _takes("d", LABEL, "with"), _takes("n", AMOUNT, "by", OMITTED)),
    _value("location", PLACE, "The place a thing lies on.", _takes("t", THING, "of")),
    _value("next", SEAT, "The seat after a seat, in order of play.", _takes("s", SEAT, "of")),
)  # fmt: skip

KERNEL_VALUES = {value.name: value for value in _VALUES}

PARAMETER_TYPES = {
    "amount": "a whole number",
    "quantity": "a number, or `up to`, `any`, `all`, `random`, `blind`, `top`, `bottom`",
    "condition": "something that holds or not",
    "counter": "a counter, with its indexes",
    "piece": "a kind of piece",
    "pool": "a pool of pieces",
    "zone": "a zone, or several joined with `/`",
    "place": "a place of the board",
    "seat": "a seat",
    "thing": "an object of any kind",
}
"""What parameters may be declared as, besides kinds and trait families."""
