"""Two changes of the same thing: when one takes away from the other, and nobody has said which of them holds."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.packs.content import Change, Entry, How, Touch
from dunerules.patching.texts import AMOUNT
from dunerules.problems import Problem, problem

__all__ = ["clashes"]

_DONE: dict[How, str] = {
    "replaced": "replaced whole", "and": "joined by `and`", "or": "joined by `or`", "amount": "given another amount",
    "option": "given an option",
    "clause": "given a clause", "before": "given something before it", "after": "given something after it",
}  # fmt: skip

_ADDING: tuple[How, ...] = ("added to", "and", "or", "option", "clause")
"""What several packs can do, each in the same way, in any order."""

_BESIDE: tuple[How, ...] = ("before", "after")


def clashes(entry: Entry, earlier: Change, change: Change) -> Iterator[Problem]:
    """What is lost, or depends on the order, if both of these changes are made."""
    own = earlier.pack == change.pack
    for touch in change.touches:
        for other in earlier.touches:
            if _meet(touch, other) and _clash(touch, other, own=own):
                yield _problem(entry, touch, other, change, earlier)


def _meet(one: Touch, other: Touch) -> bool:
    """Whether they are about the same thing, or one about a part of the other's."""
    length = min(len(one.path), len(other.path))
    return one.path[:length] == other.path[:length]


def _clash(one: Touch, other: Touch, *, own: bool) -> bool:
    hows = {one.how, other.how}
    if hows & {*_BESIDE}:
        if "removed" in hows:
            return True
        if not hows <= {*_BESIDE}:  # beside something that is changed in itself; an end of what is made anew is lost
            return "set" in hows or (one if one.how in _BESIDE else other).path[-1] in _ENDS
        return len(hows) == 1 and one.path == other.path
    if len(hows) == 1 and one.how in _ADDING:
        return False
    return own or not (len(hows) == 1 and one.path == other.path and one.how != "replaced" and _agree(one, other))


_ENDS = ("start", "end")


def _agree(one: Touch, other: Touch) -> bool:
    """Whether both say the same; one amount more twice is not what either of them wants."""
    return bool(one.value == other.value) and not (one.how == "amount" and AMOUNT in one.value)


def _problem(entry: Entry, touch: Touch, other: Touch, change: Change, earlier: Change) -> Problem:
    where = max(touch.where, other.where, key=len)
    what = f"`{where}` of `{entry.target}`" if where else f"`{entry.target}`"
    here, there = (_DONE.get(each.how, each.how) for each in (touch, other))
    message = f"{what} is {here} here, and {there} by pack `{earlier.pack}`, {other.span}"
    expected = (
        "one change of it"
        if earlier.pack == change.pack
        else f"`optional` or `requires` for `{earlier.pack}`, or the other way; "
        "who plays can give the order by that of `--with`"
    )
    related = ((other.span, f"by pack `{earlier.pack}`"),)
    return problem("DR212", message, touch.span, expected=expected, related=related)
