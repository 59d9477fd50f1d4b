"""The core language: steps. What a verb does, one change a record, and what it needs so that all of it can be done.

Doing and foreseeing come from the same steps. Who does them passes over every `Need`; who foresees them stops at the
first one that fails, and passes over the log and whoever reacts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dunerules.core import ir

__all__ = [
    "Ask", "Carry", "Clamp", "Draw", "Know", "Let", "Need", "Note", "Perform", "Put", "React", "Replace", "Roll",
    "Shuffle", "Step", "Steps", "When", "Win", "Write", "asked_in", "inner",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Let:
    """A name for what something is now."""

    name: str
    of: ir.Expr


@dataclass(frozen=True, slots=True)
class Clamp:
    """What has a name is kept within bounds."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Need:
    """What must hold so that all of it can be done."""

    test: ir.Expr


@dataclass(frozen=True, slots=True)
class When:
    """Steps that are done if something holds, and others if not."""

    test: ir.Expr
    then: Steps
    otherwise: Steps = ()


@dataclass(frozen=True, slots=True)
class Put:
    """Something goes into a slot of the frame."""

    slot: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Write:
    """A cell of a region gets a value; `cell` is its number."""

    region: ir.Region
    cell: ir.Expr
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Carry:
    """Objects go to a zone."""

    things: ir.Expr
    zone: ir.Expr
    function: ir.Function
    origin: object = None
    """What this is part of, as the log keeps it."""


@dataclass(frozen=True, slots=True)
class Know:
    """Objects are seen: by a seat, or by everybody."""

    things: ir.Expr
    seat: ir.Expr | None
    everybody: int = 0


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What lies in some zones is mixed."""

    zones: ir.Expr
    function: ir.Function


@dataclass(frozen=True, slots=True)
class Roll:
    """A die is thrown; what it shows goes into a slot, if there is one."""

    sides: ir.Expr
    slot: int
    function: ir.Function


@dataclass(frozen=True, slots=True)
class Draw:
    """A name for objects that a function takes from somewhere: it may make piles anew, or draw by chance."""

    name: str
    of: ir.Expr


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the log, if something has changed. It ends with who did it and its origin, if it has one."""

    test: ir.Expr
    parts: tuple[ir.Expr, ...]
    origin: object = None


@dataclass(frozen=True, slots=True)
class Perform:
    """Something that a function does to the state."""

    call: ir.Call


@dataclass(frozen=True, slots=True)
class Replace:
    """Something else may happen in place of what follows."""

    test: ir.Expr
    call: ir.Expr


@dataclass(frozen=True, slots=True)
class React:
    """Something may happen first, before the program goes on: reactions, or what was started."""

    test: ir.Expr
    call: ir.Expr


@dataclass(frozen=True, slots=True)
class Win:
    """These seats have won, and the game is over."""

    seats: ir.Expr


Step: TypeAlias = (
    Let | Clamp | Need | When | Put | Write | Carry | Know | Shuffle | Roll | Draw | Ask | Note | Perform | Replace
    | React | Win
)  # fmt: skip
Steps: TypeAlias = tuple[Step, ...]


def inner(steps: Sequence[Step]) -> Iterator[Step]:
    """All steps, also those inside others."""
    for step in steps:
        yield step
        if isinstance(step, When):
            yield from inner(step.then)
            yield from inner(step.otherwise)


def asked_in(steps: Sequence[Step]) -> Ask | None:
    """The question that some steps come to, if there is one."""
    return next((each for each in inner(steps) if isinstance(each, Ask)), None)
