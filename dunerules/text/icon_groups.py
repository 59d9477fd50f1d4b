"""How icons stand beside each other: what could be read together with its neighbours is put in brackets.

A colon takes one thing: an icon, brackets, or one more condition with its own. Icons in a row belong closer together
than `/` and an arrow, and those two never meet without brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from dunerules.language.grammar import Value
from dunerules.text.context import Context

__all__ = ["Icons", "Joint", "arrow", "behind_colon", "options", "row", "single"]


class Joint(IntEnum):
    """What holds icons together that stand in no brackets, the loosest last."""

    NONE = 0
    """One icon, or brackets."""
    ROW = 1
    COLON = 2
    OR = 3
    ARROW = 4


@dataclass(frozen=True, slots=True)
class Icons:
    """A part of the icon line."""

    text: str
    joint: Joint = Joint.NONE
    chain: bool = False
    """Whether it is one condition with what it is for, and no other one behind it."""


def single(icons: Icons, context: Context) -> Icons:
    """Icons as one thing: in brackets if they are more than that."""
    if icons.joint == Joint.NONE:
        return icons
    return Icons(context.locale.phrase("icon.group", {"body": icons.text}))


def row(parts: Sequence[Icons], context: Context, loosest: Joint = Joint.COLON) -> Icons:
    """Icons one after another; what is held together more loosely than `loosest` allows stands in brackets."""
    told = [each if each.joint <= loosest else single(each, context) for each in parts]
    if len(told) == 1:
        return told[0]
    joint = max((Joint.ROW, *(each.joint for each in told)))
    return Icons(_joined("icon.list", told, context), joint)


def options(parts: Sequence[Icons], context: Context) -> Icons:
    """What can be chosen from: each option is a row."""
    told = [row((each,), context, Joint.ROW) for each in parts]
    return Icons(_joined("icon.or", told, context), Joint.OR) if len(told) > 1 else told[0]


def arrow(cost: Sequence[Icons], bought: Sequence[Icons], context: Context) -> Icons:
    """What is paid, and what it buys."""
    values: dict[str, Value] = {"cost": row(cost, context, Joint.ROW).text, "body": row(bought, context).text}
    return Icons(context.locale.phrase("icon.arrow", values), Joint.ARROW)


def behind_colon(icons: Icons, context: Context, *, last: bool = True) -> str:
    """Icons that a condition is for; only the `last` ones may have a condition themselves."""
    return icons.text if icons.chain and last else single(icons, context).text


def _joined(key: str, parts: Sequence[Icons], context: Context) -> str:
    shown = parts[0].text if parts else ""
    for part in parts[1:]:
        shown = context.locale.phrase(key, {"a": shown, "b": part.text})
    return shown
