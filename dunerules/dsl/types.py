"""The types of the language: what a name can stand for and what a parameter accepts."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "AMOUNT", "CONDITION", "COUNTER", "LABEL", "MOVES", "NONE", "NOTHING", "PIECE", "PLACE", "PLAIN", "POOL",
    "PROCEDURE",
    "QUANTITY", "SEAT", "SLOT", "TEXT", "THING", "UNKNOWN", "ZONE", "Type", "accepts", "label", "many", "one", "thing",
]  # fmt: skip


class Type(NamedTuple):
    """A type: a name, what it is narrowed to (a kind or a family of labels), and whether it is a group."""

    name: str
    of: str = ""
    many: bool = False

    def __str__(self) -> str:
        shown = self.of or self.name
        return f"some {shown}" if self.many else shown


AMOUNT = Type("amount")
CONDITION = Type("condition")
COUNTER = Type("counter")
LABEL = Type("label")
MOVES = Type("moves")
NONE = Type("none")
NOTHING = Type("nothing")
PIECE = Type("piece")
PLACE = Type("place")
POOL = Type("pool")
PROCEDURE = Type("procedure")
QUANTITY = Type("quantity")
SEAT = Type("seat")
SLOT = Type("slot")
TEXT = Type("text")
THING = Type("thing")
UNKNOWN = Type("unknown")
ZONE = Type("zone")

PLAIN = {kind.name: kind for kind in (AMOUNT, CONDITION, COUNTER, PIECE, PLACE, POOL, QUANTITY, SEAT, THING, ZONE)}
"""Types a parameter may name besides kinds and trait families."""


def thing(kind: str) -> Type:
    """Things of one kind."""
    return Type("thing", kind)


def label(family: str) -> Type:
    """Members of one trait family, or of a kind whose role is `label`."""
    return Type("label", family)


def many(kind: Type) -> Type:
    """A group of what `kind` is one of."""
    return Type(kind.name, kind.of, many=True)


def one(kind: Type) -> Type:
    """A single one of a group."""
    return Type(kind.name, kind.of) if kind.many else kind


def accepts(wanted: Type, given: Type) -> bool:
    """Whether something of type `given` can stand where `wanted` is asked for.

    One fits where a group is wanted, and is a group of one. A group does not fit where one is wanted.
    """
    if UNKNOWN.name in (wanted.name, given.name):
        return True  # something is wrong already, and has been said
    if given.many and not wanted.many:
        return False
    if wanted.name != given.name:
        return wanted == QUANTITY and given == AMOUNT
    return not wanted.of or not given.of or wanted.of == given.of
