"""The verbs and values every game has. Everything else is written by packs in terms of these."""

from __future__ import annotations

from dunerules.dsl.types import (
    AMOUNT,
    CONDITION,
    COUNTER,
    MOVES,
    PIECE,
    PLACE,
    POOL,
    PROCEDURE,
    QUANTITY,
    SEAT,
    SLOT,
    THING,
    ZONE,
    Type,
    many,
)  # fmt: skip
from dunerules.dsl.vocabulary import OMITTED, Parameter, Use, ValueWord, Verb

__all__ = ["KERNEL_VALUES", "KERNEL_VERBS", "PARAMETER_TYPES", "REPLACED", "TOLD"]


def _verb(name: str, summary: str, *parameters: Parameter, use: Use = "either", gives: Type | None = None) -> Verb:
    return Verb(name, parameters, use, gives, summary, kernel=True)


def _value(name: str, gives: Type, summary: str, *parameters: Parameter) -> ValueWord:
    return ValueWord(name, parameters, gives, summary, kernel=True)


def _takes(name: str, *types: Type, by: str = "", default: str = "", groups: tuple[Type, ...] = ()) -> Parameter:
    return Parameter(name, types, by, default, groups)


_VERBS = (
    _verb(
        "copy",
        "Run a slot of another object as if it stood on this one: `this` and `here` are what they are here.",
        _takes("slot", SLOT),
    ),
    _verb("gain", "Add to a counter.", _takes("n", AMOUNT), _takes("what", COUNTER), use="gain", gives=AMOUNT),
    _verb("leave", "End a procedure now.", _takes("procedure", PROCEDURE)),
    _verb(
        "look",
        "Let the acting seat see objects without showing them to others.",
        _takes("n", QUANTITY, default="1"),
        _takes("what", THING, groups=(THING,)),
        _takes("source", ZONE, by="from", default=OMITTED, groups=(ZONE,)),
        gives=many(THING),
    ),
    _verb(
        "lose",
        "Take from a counter, or send pieces home; as much as there is.",
        _takes("n", QUANTITY),
        _takes("what", COUNTER, PIECE),
        _takes("source", POOL, PLACE, by="from", default=OMITTED),
        use="cost",
        gives=AMOUNT,
    ),
    _verb(
        "move",
        "Move objects between zones, or pieces between pools and places.",
        _takes("n", QUANTITY, default="1"),
        _takes("what", THING, PIECE, groups=(THING,)),
        _takes("source", ZONE, POOL, PLACE, by="from", default=OMITTED, groups=(ZONE,)),
        _takes("target", ZONE, POOL, PLACE, by="to"),
        gives=many(THING),
    ),
    _verb("offer", "Ask for one of the legal moves of a group, if there is any.", _takes("group", MOVES)),
    _verb("pass", "Count as passing, in `around`."),
    _verb("pay", "Take from a counter; all of it or not at all.", _takes("n", AMOUNT), _takes("what", COUNTER),
          use="cost", gives=AMOUNT),
    _verb("reveal", "Show objects, or all of a zone, to everybody.", _takes("what", THING, ZONE, groups=(THING, ZONE)),
          gives=many(THING)),
    _verb("roll", "Roll a die with so many sides.", _takes("sides", AMOUNT), gives=AMOUNT),
    _verb("run", "Run a slot of an object.", _takes("slot", SLOT, groups=(SLOT,))),
    _verb("set", "Give a counter a value.", _takes("what", COUNTER),
          _takes("value", AMOUNT, SEAT, PLACE, THING, Type("label"), by="to"),
          gives=AMOUNT),
    _verb("shuffle", "Shuffle a zone.", _takes("zone", ZONE)),
    _verb("win", "End the game: these seats win.", _takes("who", SEAT, groups=(SEAT,))),
)  # fmt: skip

_VALUES = (
    _value("ahead", PLACE, "The place so many steps on along a ring.", _takes("p", PLACE, by="of"),
           _takes("n", AMOUNT, by="by", default="1")),
    _value("automated", CONDITION, "Whether a seat is played by rules of the packs and not by a player.",
           _takes("s", SEAT, by="of", default="you")),
    _value("beside", CONDITION, "Whether a place has an edge to another.", _takes("other", PLACE),
           _takes("p", PLACE, by="of")),
    _value("beyond", CONDITION, "Whether a one-way path leads from the other place to this one.",
           _takes("other", PLACE), _takes("p", PLACE, by="of")),
    _value("distance", AMOUNT, "Edges on the shortest way between two places.", _takes("p", PLACE, by="of"),
           _takes("other", PLACE, by="from")),
    _value("holder", SEAT, "The seat a thing belongs to, or in whose zone it lies.", _takes("t", THING, by="of")),
    _value("location", PLACE, "The place a thing lies on.", _takes("t", THING, by="of")),
    _value("next", SEAT, "The seat after a seat, in order of play.", _takes("s", SEAT, by="of")),
)  # fmt: skip

TOLD: dict[str, tuple[str, ...]] = {
    "gain": ("n",), "lose": ("n",), "pay": ("n",), "set": ("n",), "move": ("n",), "look": ("n",), "reveal": ("n",),
    "roll": ("sides",), "shuffle": (),
}  # fmt: skip
"""Verbs that are announced, and the numbers that their events tell."""

REPLACED = ("gain", "lose", "set")
"""Verbs that can be replaced by `instead`; `move` can too, of pieces."""

KERNEL_VERBS = {verb.name: verb for verb in _VERBS}
KERNEL_VALUES = {value.name: value for value in _VALUES}

PARAMETER_TYPES = {
    "amount": "a whole number",
    "quantity": "a number, or `up to`, `any`, `all`, `random`, `top`, `bottom`",
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
