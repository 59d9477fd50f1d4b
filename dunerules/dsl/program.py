"""Programs: what an effect is lowered to. Flat code with jumps, so that the middle of any effect is just a number.

A program is data: it can be compared, printed and kept. Names are gone: locals are numbered slots, verbs of packs are
written out in kernel verbs, and what remains of expressions is asked of the game while it runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from dunerules.dsl.meaning import Clause, EventPattern, Expression, Quantity, Step
from dunerules.dsl.types import Type

__all__ = [
    "Around", "Arrow", "Assign", "Call", "Choose", "Code", "Do", "EachNext", "EachStart", "Emit", "Instead", "Jump",
    "Lasting", "May", "NextChosen", "Order", "OrderEach", "Origin", "PartOf", "PickThings", "Program", "RepeatNext",
    "Restore", "Said", "Secret", "Unless",
]  # fmt: skip

Arguments: TypeAlias = tuple[tuple[str, Expression], ...]


class PartOf(NamedTuple):
    """A verb of a pack that a kernel verb is part of, as the log keeps it."""

    verb: str
    about: tuple[tuple[str, str], ...] = ()
    """By parameter: what of the kernel verb it is, such as `n` or `source.owner`."""
    whole: bool = False
    """Whether the kernel verb stands for it: who knows what has happened knows all that the verb was about."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """A place in a program that the log tells of: the verbs of packs that are done there, outermost first. Two of them
    are never the same."""

    verbs: tuple[PartOf, ...] = ()


@dataclass(frozen=True, slots=True)
class Do:
    """A kernel verb. `per` multiplies its amount. Its result goes to `slot`, if there is one, a group if it is `many`.

    As part of a cost (`paid`) it must do all it says, or the cost cannot be paid.
    """

    verb: str
    arguments: Arguments
    slot: int = -1
    per: tuple[int, Expression] | None = None
    paid: bool = False
    many: bool = False
    origin: Origin | None = field(default=None, compare=False)
    """Where it stands, if it is part of verbs of packs."""


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure, in a frame of its own."""

    procedure: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on elsewhere."""

    to: int


@dataclass(frozen=True, slots=True)
class Unless:
    """Go on elsewhere if a condition does not hold.

    Not written, but `implied`: the step that follows is about nobody, nothing or nowhere. As part of a cost (`paid`) it
    cannot be paid then.
    """

    condition: Expression
    to: int
    implied: bool = False
    paid: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """Put a value into a slot."""

    slot: int
    value: Expression


@dataclass(frozen=True, slots=True)
class Arrow:
    """Ask whether to pay the cost that follows, up to `paid`; if not, or if it cannot be paid, go to `end`.

    A `chosen` arrow is a whole option: taking the option is the answer, so it is not asked again.
    """

    paid: int
    end: int
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class May:
    """Ask whether to do what follows, up to `end`."""

    end: int


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask which of the options at `targets` to take; the chosen ones wait in `slot`."""

    quantity: Quantity
    targets: tuple[int, ...]
    slot: int
    end: int
    labels: tuple[str, ...] = ()
    """The options as they are written, to name them by."""


@dataclass(frozen=True, slots=True)
class NextChosen:
    """Go to the next chosen option, or to `end`."""

    slot: int
    targets: tuple[int, ...]
    end: int


@dataclass(frozen=True, slots=True)
class PickThings:
    """Ask which of some things; they go to `slot`. With nothing to pick, go to `end`."""

    quantity: Quantity
    of: Expression
    slot: int
    single: bool
    end: int


@dataclass(frozen=True, slots=True)
class EachStart:
    """Line up what to go through, in `queue`; remember the acting seat in `seat`."""

    of: Expression
    queue: int
    seat: int


@dataclass(frozen=True, slots=True)
class EachNext:
    """The next one to `item` (for seats it also acts), or go to `end`."""

    queue: int
    item: int
    seats: bool
    end: int


@dataclass(frozen=True, slots=True)
class Restore:
    """The remembered seat acts again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Around:
    """The next seat around the table; when all have passed in a row, go to `end`.

    Who takes part is asked in the eyes of the seat in `seat`, which began it.
    """

    of: Expression
    state: int
    item: int
    end: int
    seat: int


@dataclass(frozen=True, slots=True)
class Order:
    """Ask which of the bodies at `targets` comes next, or which move of a group; with all done go to `end`."""

    targets: tuple[int, ...]
    offering: str
    done: int
    end: int
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderEach:
    """Ask which of a group comes next, or which move of a group; with all done go to `end`.

    The seat in `seat` is asked. Of a group of `seats` the next one acts.
    """

    of: Expression
    offering: str
    done: int
    item: int
    end: int
    seat: int
    seats: bool


@dataclass(frozen=True, slots=True)
class Secret:
    """Put the code up to `end` to several seats at once; nobody sees an answer before all have answered."""

    of: Expression
    item: int
    end: int


@dataclass(frozen=True, slots=True)
class RepeatNext:
    """Count `slot` down, or go to `end`."""

    slot: int
    end: int


@dataclass(frozen=True, slots=True)
class Lasting:
    """Abilities that last until an event. `locals` are the slots their texts use, `programs` what reactions do.

    A program has those slots first, then one for each name that its event tells.
    """

    event: EventPattern
    clauses: tuple[Clause, ...]
    locals: tuple[tuple[str, int], ...]
    programs: tuple[Program | None, ...] = ()
    labels: tuple[str, ...] = ()
    """The clauses as they are written, to name them by."""
    kinds: tuple[Type, ...] = ()
    """By slot: what it holds."""
    origin: Origin = field(default_factory=Origin, compare=False)


@dataclass(frozen=True, slots=True)
class Instead:
    """A verb of a pack is about to happen: if a replacement applies it runs, and what follows up to `end` does not."""

    verb: str
    arguments: Arguments
    end: int


@dataclass(frozen=True, slots=True)
class Emit:
    """A verb of a pack has happened."""

    verb: str
    arguments: Arguments


Code: TypeAlias = (
    Do | Call | Jump | Unless | Assign | Arrow | May | Choose | NextChosen | PickThings | EachStart | EachNext | Restore
    | Around | Order | OrderEach | Secret | RepeatNext | Lasting | Instead | Emit
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """What the code at `pc` asks about, as it is meant; `names` are the slots and arguments its locals stand for."""

    pc: int
    steps: tuple[Step, ...]
    names: Mapping[str, Expression]


@dataclass(frozen=True, slots=True)
class Program:
    """Code, and how many slots it needs. The first slots are the parameters, in order."""

    code: tuple[Code, ...]
    slots: int
    parameters: tuple[str, ...] = ()
    said: tuple[Said, ...] = field(default=(), compare=False, repr=False)
    """For people who are asked something: the steps behind every code that may ask."""
