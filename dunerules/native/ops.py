"""Operands of C text: what an expression comes to, and of which kind it is."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "CTYPES",
    "EMPTY",
    "FORMS",
    "Kind",
    "NotNativeError",
    "Op",
    "UnsupportedError",
    "converted",
    "group",
    "join",
    "number",
    "truth",
]

Kind: TypeAlias = Literal["number", "truth", "text", "group", "texts", "rows", "any", "store"]
"""What an operand is: words of packs are numbers too, and options of several numbers are rows of them. In
a store is kept what was asked once."""

CTYPES: dict[Kind, str] = {
    "number": "i64", "truth": "int", "text": "i64", "group": "Group", "texts": "Group", "rows": "Group", "any": "Any",
    "store": "i8 *",
}  # fmt: skip


FORMS: dict[Kind, str] = {"group": "AS_NUMBERS", "texts": "AS_TEXTS", "rows": "AS_ROWS"}
"""What options are, by their kind."""


class NotNativeError(Exception):
    """Why a table is not played by native code. Python plays it."""


class UnsupportedError(NotNativeError):
    """Something that the printer does not know."""


class Op(NamedTuple):
    """An operand: its kind, and a C expression without side effects."""

    kind: Kind
    text: str


EMPTY = "(Group){0, 0}"


def number(text: str) -> Op:
    """A number."""
    return Op("number", text)


def truth(text: str) -> Op:
    """A truth."""
    return Op("truth", text)


def group(text: str) -> Op:
    """A group."""
    return Op("group", text)


def join(*kinds: Kind) -> Kind:
    """The kind of what may be one of several kinds."""
    found = set(kinds)
    return kinds[0] if len(found) == 1 else "any"


def converted(op: Op, kind: Kind) -> str:
    """The text of an operand as another kind. What does not fit fails while it runs."""
    if op.kind == kind:
        return op.text
    if op.kind == "any" and kind in _OF_SLOTS and op.text.startswith(_SLOT):
        return _OF_SLOTS[kind] + op.text.removeprefix(_SLOT)
    made = _CONVERSIONS.get((op.kind, kind))
    if made is None:
        raise UnsupportedError(f"a {op.kind} where a {kind} is wanted")
    return made.format(op.text)


_SLOT = "slot_any(x, "
_OF_SLOTS: dict[Kind, str] = {"number": "slot_number(x, ", "group": "slot_group(x, "}
"""How the value of a slot is read where it must be of a kind."""

_CONVERSIONS: dict[tuple[Kind, Kind], str] = {
    ("truth", "number"): "{}",
    ("any", "number"): "number_of(x, {})",
    ("number", "truth"): "({} != 0)",
    ("group", "truth"): "({}.n > 0)",
    ("texts", "truth"): "({}.n > 0)",
    ("rows", "truth"): "({}.n > 0)",
    ("any", "truth"): "truth_of(x, {})",
    ("any", "text"): "text_of(x, {})",
    ("any", "group"): "group_of(x, {})",
    ("number", "any"): "any_number({})",
    ("truth", "any"): "any_truth({})",
    ("text", "any"): "any_text({})",
    ("group", "any"): "any_group({})",
}
"""By what it is and what is wanted."""
