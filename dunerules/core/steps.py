"""The core language: steps. What a verb does, one change a record, and what it needs so that all of it can be done;
where a program goes on; and loops that list what may be done.

Doing and foreseeing come from the same steps. Who does them passes over every `Need`; who foresees them stops at the
first one that fails, and passes over the log and whoever reacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from dunerules.core import ir
from dunerules.core.record import record

__all__ = [
    "ENDS", "STEPS", "Act", "Ask", "Carry", "Clamp", "Counted", "Draw", "Follow", "For", "Go", "Hand", "Know", "Let",
    "Limit", "Need", "Note", "Option", "Perform", "Put", "Question", "React", "Replace", "Roll", "Shuffle", "Stand",
    "Step", "Steps", "Store", "When", "Win", "Write", "asked_in", "inner", "may_leave",
]  # fmt: skip


@record
class Let:
    """A name for what something is now."""

    name: str
    of: ir.Expr


@record
class Clamp:
    """What has a name is kept within bounds, of which it may go beyond the lower and the upper one, or only one."""

    name: str
    low: int
    high: int
    falls: bool = True
    rises: bool = True


@record
class Need:
    """What must hold so that all of it can be done."""

    test: ir.Expr


@record
class When:
    """Steps that are done if something holds, and others if not."""

    test: ir.Expr
    then: Steps
    otherwise: Steps = ()


@record
class Put:
    """Something goes into a slot of the frame."""

    slot: int
    value: ir.Expr


@record
class Write:
    """A cell of a region gets a value; `cell` is its number."""

    region: ir.Region
    cell: ir.Expr
    value: ir.Expr


@record
class Carry:
    """Objects go to a zone."""

    things: ir.Expr
    zone: ir.Expr
    function: ir.Function
    origin: ir.Opaque | None = None
    """What this is part of, as the log keeps it."""
    at: ir.Expr | None = None
    """The position that the first of them gets, from 1; on top, if none is said."""
    by: ir.Expr | None = None
    """The seat that has picked them by name, or -1; nothing, if all can tell which of a zone they are."""


@record
class Know:
    """Objects are seen: by a seat, or by everybody."""

    things: ir.Expr
    seat: ir.Expr | None
    everybody: int = 0


@record
class Shuffle:
    """What lies in some zones is mixed; marks are taken off."""

    zones: ir.Expr
    function: ir.Function
    unmark: ir.Function | None = None


@record
class Roll:
    """A die is thrown; what it shows goes into a slot, if there is one."""

    sides: ir.Expr
    slot: int
    function: ir.Function


@record
class Draw:
    """A name for objects that a function takes from somewhere: it may make piles anew, or draw by chance."""

    name: str
    of: ir.Expr


@record
class Ask:
    """The acting seat says which objects, or how many, it takes: `name`. At random chance does.

    Objects are some of a `group`, as many as `amount` says, or any number; numbers go up to `amount`.
    """

    kind: Literal["thing", "number", "move"]
    name: str
    mode: str
    group: ir.Expr
    amount: ir.Expr | None
    zones: ir.Expr
    """Where objects are looked for, if that is named."""
    prompt: str


@record
class Question:
    """Somebody is asked, and what is answered gets a name: nothing else is done before that. Taken up again with an
    answer, it passes over all `before`. A question with one answer may answer itself."""

    name: str
    before: Steps
    call: ir.Call
    """It gives what is answered, or none while somebody is asked."""
    answered: ir.Function


@record
class Note:
    """A line of the log, if something has changed. It ends with who did it and its origin, if it has one."""

    test: ir.Expr
    parts: tuple[ir.Expr, ...]
    origin: ir.Opaque | None = None


@record
class Perform:
    """Something that a function does to the state."""

    call: ir.Call


@record
class Replace:
    """Something else may happen in place of what follows."""

    test: ir.Expr
    call: ir.Expr


@record
class React:
    """Something may happen first, before the program goes on: reactions, or what was started."""

    test: ir.Expr
    call: ir.Expr


@record
class Win:
    """These seats have won, and the game is over."""

    seats: ir.Expr


# ---- where a program goes on


@record
class Stand:
    """The place where the program goes on, should something else happen first."""

    place: int


@record
class Go:
    """The program goes on at another place."""

    place: int


@record
class Follow:
    """The program goes on at one of several places, by number."""

    places: tuple[int, ...]
    number: ir.Expr


@record
class Hand:
    """The rest is up to a function: it says whether something else happens before the program goes on."""

    call: ir.Call


@record
class Act:
    """From here on this seat acts."""

    seat: ir.Expr


# ---- what may be done


@record
class For:
    """Steps for each of a group, with a name for it. With a `limit` all of the group are counted before the first."""

    name: str
    over: ir.Expr
    steps: Steps
    limit: Limit | None = None


@record
class Limit:
    """How many may be counted in no time; beyond that a function is asked whether to go on."""

    most: int
    function: ir.Function


@record
class Counted:
    """Steps with loops that are counted."""

    steps: Steps


@record
class Store:
    """A place, by name, where what was [asked once][dunerules.core.ir.Once] is kept."""

    name: str


@record
class Option:
    """One more thing that may be done: what a question lists."""

    parts: tuple[ir.Expr, ...]


Step: TypeAlias = (
    Let | Clamp | Need | When | Put | Write | Carry | Know | Shuffle | Roll | Draw | Ask | Note | Perform | Replace
    | React | Win | Question | Stand | Go | Follow | Hand | Act | For | Counted | Store | Option
)  # fmt: skip
Steps: TypeAlias = tuple[Step, ...]
STEPS: tuple[type, ...] = get_args(Step)
"""Every kind of step."""

ENDS = (Go, Follow, Hand)
"""Steps that nothing comes after."""

_LEAVING = frozenset({React, Replace, Win, Question, *ENDS})


_AROUND = (When, For, Counted, Question)
"""Steps with others inside."""


def inner(steps: Sequence[Step]) -> list[Step]:
    """All steps, also those inside others."""
    found: list[Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, _AROUND):
            if isinstance(step, When):
                found += inner(step.then)
                found += inner(step.otherwise)
            else:
                found += inner(step.before if isinstance(step, Question) else step.steps)
    return found


def asked_in(steps: Sequence[Step]) -> Ask | None:
    """The question that some steps come to, if there is one."""
    return next((each for each in inner(steps) if type(each) is Ask), None)


def may_leave(steps: Sequence[Step]) -> bool:
    """Whether something else may happen before all steps are done, or the program may go on elsewhere."""
    return not _LEAVING.isdisjoint(map(type, inner(steps)))
