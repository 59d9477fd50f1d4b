"""The core language: expressions. They read the state and never change it, and ask nobody.

Every expression is a number, a truth or a group (of numbers). Nobody, nothing and nowhere are -1. There are no names of
packs in it, but regions keep theirs, and what indexes them: an analysis can see that two reads are of one counter.
Candidates of filters are variables of their own, and so is the seat that acts: nothing depends on where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from dunerules.core.record import record

__all__ = [
    "All", "Anything", "Arithmetic", "AsGroup", "Bit", "Bounded", "Call", "Cases", "CellNumber", "Chosen", "Column",
    "Compare", "Contains", "Contents", "Difference", "Distinct", "Either", "Expr", "Extreme", "Filter", "First",
    "Frame", "FramePart", "Function", "Gather", "Given", "Group", "Head", "Held", "Holder", "Holding", "If", "Joined",
    "Kind", "Leading", "Length", "List", "Lying", "Members", "Not", "Number", "Once", "Opaque", "Over", "Pick", "Pile",
    "Printed", "Read", "Region", "Related", "Reversed", "Slot", "Some", "SomethingLasts", "Switch", "Table", "TableOf",
    "Tail", "Term", "Text", "Total", "Truth", "Variable", "Where", "ZoneNumber",
]  # fmt: skip


Kind: TypeAlias = Literal["number", "truth", "text", "group", "any"]
"""What an expression is."""


class Region(NamedTuple):
    """Cells or zones of one name: where the first one lies, what each index adds, and what a cell may hold."""

    name: str
    base: int
    factors: tuple[int, ...] = ()
    low: int = 0
    high: int = 0
    marks: bool = False
    """Whether they are cells of objects: these may change when the objects are moved."""


class Table:
    """Numbers that never change, by number; the last one is that of nothing, whose number is -1."""

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        self.name = name
        self.values = values

    @cached_property
    def has_groups(self) -> bool:
        """Whether any of them is a group."""
        return any(isinstance(each, (tuple, frozenset)) for each in self.values)

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number."""
        numbers = [each for each in self.values if isinstance(each, int)]
        return min(numbers, default=0), max(numbers, default=0)

    def __repr__(self) -> str:
        return f"${self.name}"


class Function:
    """Something that is called with the state and numbers. As part of an expression it only reads.

    `nested` says that it may come to ask other values and slots, perhaps without end, `group` that it gives a group.
    `means` says what it does, and about what, to whoever cannot call it: a word, and what Python hides in `run`.
    """

    __slots__ = ("group", "means", "name", "nested", "run", "stateless")

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        *,
        nested: bool = False,
        stateless: bool = False,
        group: bool = False,
        means: tuple[Any, ...] = (),
    ) -> None:
        self.name = name
        self.run = run
        self.means = means
        self.nested = nested
        self.stateless = stateless
        self.group = group

    def __repr__(self) -> str:
        return f"@{self.name}"


class Cases:
    """An expression for each of some numbers, made when it is first wanted: there may be many, and most never are."""

    __slots__ = ("made", "name", "numbers")

    def __init__(self, name: str, numbers: Sequence[int], made: Callable[[int], Expr]) -> None:
        self.name = name
        self.numbers = numbers
        self.made = made

    def __repr__(self) -> str:
        return f"%{self.name}"


class Opaque:
    """Something that is handed on, and that nothing here looks into."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: object) -> None:
        self.name = name
        self.value = value

    def __repr__(self) -> str:
        return f"^{self.name}"


# ---- what is known


@record
class Number:
    """A number."""

    value: int


@record
class Truth:
    """Whether something is always so."""

    value: bool


@record
class Text:
    """A word of a pack, to be compared with others; or none."""

    value: str | None


@record
class Members:
    """A group that never changes."""

    numbers: tuple[int, ...]


# ---- what is given


@record
class Slot:
    """What a slot of the frame holds, of a declared kind; anything, where only play can tell."""

    number: int
    kind: Kind = field(default="any", compare=False)


@record
class Pick:
    """What was picked for a move that is listed."""

    number: int


@record
class FramePart:
    """The seat that acts, the one that owns what runs, what that stands on, and the place."""

    which: Literal["you", "owner", "this", "here"]


@record
class Variable:
    """The candidate of a filter, or what a function was given."""

    name: str


@record
class Frame:
    """The frame itself, for functions that are handed it."""


@record
class SomethingLasts:
    """Whether any effect lasts at the moment."""


# ---- what is read


@record
class Held:
    """What a cell holds that is known by its number."""

    cell: Expr


@record
class CellNumber:
    """The number of a cell."""

    region: Region
    indexes: tuple[Expr, ...]


@record
class Read:
    """What a cell holds."""

    region: Region
    indexes: tuple[Expr, ...]


@record
class ZoneNumber:
    """The number of a zone."""

    region: Region
    index: Expr | None


@record
class Pile:
    """What lies in a zone, from the top."""

    zone: Expr


@record
class Joined:
    """Several groups as one."""

    parts: tuple[Expr, ...]


@record
class Contents:
    """What lies in some zones, given as a group of their numbers."""

    zones: Expr


@record
class Where:
    """The zone an object lies in."""

    thing: Expr


@record
class Holder:
    """The seat that holds an object."""

    thing: Expr


@record
class Column:
    """What never changes about something."""

    table: Table
    index: Expr


@record
class TableOf:
    """A table itself, for functions that are handed it."""

    table: Table


@record
class Call:
    """What a function says."""

    function: Function
    arguments: tuple[Expr, ...]


@record
class List:
    """Arguments that are given as a list."""

    parts: tuple[Expr, ...]


# ---- numbers


@record
class Arithmetic:
    """Numbers joined from left to right by `+`, `-`, `*`, by `//`, which rounds down, or by `/`, which is the same
    where the divisor may be 0: then it is 0. The first sign is `+`."""

    terms: tuple[Term, ...]


@record
class Term:
    """A sign and a number. `checked` says that what comes of it ends the game if it is beyond the limit."""

    sign: str
    of: Expr
    checked: bool = False


@record
class Bounded:
    """A number that ends the game if it is beyond the limit."""

    of: Expr


@record
class Extreme:
    """The most or the least of some numbers."""

    which: Literal["most", "least"]
    parts: tuple[Expr, ...]


@record
class Difference:
    """How far two numbers are apart."""

    left: Expr
    right: Expr


@record
class Length:
    """How many a group has."""

    of: Expr


@record
class Total:
    """The sum of what never changes, over a group."""

    table: Table
    of: Expr


@record
class Over:
    """The sum, the most or the least of a number that is asked of each of a group; 0 if it has none."""

    which: Literal["sum", "most", "least"]
    variable: str
    over: Expr
    of: Expr
    counted: int = -1


@record
class First:
    """The first of a group, or -1."""

    of: Expr


# ---- truths


@record
class Compare:
    """Two numbers, or words, compared."""

    sign: Literal[">=", "<=", ">", "<", "=", "!="]
    left: Expr
    right: Expr


@record
class Not:
    """The opposite."""

    of: Expr


@record
class All:
    """Every part holds; asked in order."""

    parts: tuple[Expr, ...]


@record
class Either:
    """Some part holds; asked in order."""

    parts: tuple[Expr, ...]


@record
class Anything:
    """Whether a group has any member."""

    of: Expr


@record
class Contains:
    """Whether a group has this member."""

    group: Expr
    member: Expr


@record
class Bit:
    """Whether a number has a bit: 0 is the least."""

    of: Expr
    bit: int


@record
class Once:
    """What is asked once for each key while a store lasts."""

    store: str
    key: Expr
    of: Expr


@record
class Switch:
    """One of many, by number. They look at nothing but the state and the frame."""

    index: Expr
    cases: Cases


@record
class If:
    """One of two, by a condition."""

    test: Expr
    then: Expr
    otherwise: Expr


@record
class Given:
    """With a name for what is there; otherwise, if that is nobody, nothing or nowhere."""

    name: str
    of: Expr
    then: Expr
    otherwise: Expr


# ---- groups


@record
class Group:
    """Numbers in order."""

    parts: tuple[Expr, ...]


@record
class Head:
    """The first of a group that has any."""

    of: Expr


@record
class Chosen:
    """A part of the one option that was picked: 0 is the word that says what it is, 1 what it is about."""

    of: Expr
    part: int


@record
class Tail:
    """A group without its first."""

    of: Expr


@record
class Holding:
    """The numbers of those tests that hold: 0 is the first."""

    tests: tuple[Expr, ...]


@record
class Leading:
    """The first so many of a group."""

    of: Expr
    count: Expr


@record
class Reversed:
    """A group from its end."""

    of: Expr


@record
class Lying:
    """The zones some objects lie in, one for each; or each zone once, in order."""

    of: Expr
    distinct: bool = False


@record
class AsGroup:
    """One as a group of one, nothing as an empty group, and a group as it is."""

    of: Expr


@record
class Gather:
    """For each of a group some numbers, each of them once if it is the same for all."""

    variable: str
    over: Expr
    parts: tuple[Expr, ...]


@record
class Filter:
    """Those of a group that pass a test. More candidates than `counted` are counted as looks; none if it is -1."""

    variable: str
    over: Expr
    test: Expr
    counted: int = -1


@record
class Printed:
    """Those of a group that pass a test of nothing but what never changes, so that it may be remembered."""

    variable: str
    over: Expr
    test: Expr


@record
class Related:
    """Those of a group that pass a test of nothing but what never changes about them and one other: found out once."""

    variable: str
    over: Members
    test: Expr
    other: Expr


@record
class Distinct:
    """One object of every thing in a group: copies are alike, unless marks tell them apart. Those that may be hidden
    from a seat are listed in an order that does not tell how they lie."""

    of: Expr
    distinct: Function
    in_order: Function | None
    seat: Expr


@record
class Some:
    """Whether any of a group passes a test (or, not `wanted`, none does): the first one is enough."""

    variable: str
    over: Expr
    test: Expr
    wanted: bool = True
    counted: int = -1


Expr: TypeAlias = (
    Number | Truth | Text | Members | Slot | Pick | FramePart | Variable | Frame | SomethingLasts | CellNumber | Read
    | Held | ZoneNumber | Pile | Difference | Leading | Reversed | Lying | TableOf | Joined | Contents | Where
    | Holder | Column | Call | List | Arithmetic | Bounded | Extreme | Length | Over | Total | First | Compare | Not
    | All | Either | Anything | Contains | Bit | Once | Switch | If | Given | Group | Head | Chosen | Tail | Holding
    | AsGroup | Gather | Filter | Printed | Related | Distinct | Some
)  # fmt: skip
