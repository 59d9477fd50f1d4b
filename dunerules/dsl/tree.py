"""The tree of an effect as it is written, before any name has a meaning.

Every record is frozen and knows where it stands: `span` is a pair of character offsets into the text it was
parsed from. Spans do not take part in equality, so two trees are equal when they say the same.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from dunerules.dsl.record import record

__all__ = [
    "AnyOrder",
    "Argument",
    "Bind",
    "Block",
    "Body",
    "Both",
    "Branch",
    "Call",
    "Clause",
    "Compare",
    "Each",
    "Either",
    "Event",
    "Expression",
    "Function",
    "Has",
    "Have",
    "If",
    "Let",
    "May",
    "Name",
    "Not",
    "Noun",
    "Number",
    "Offsets",
    "Options",
    "Over",
    "Path",
    "Per",
    "Phrase",
    "Pick",
    "Product",
    "Quantity",
    "Repeat",
    "Root",
    "Selection",
    "Sight",
    "Step",
    "Sum",
    "Target",
    "Until",
    "Value",
]

Offsets: TypeAlias = tuple[int, int]


def _span() -> Offsets:
    return field(default=(0, 0), compare=False, repr=False)


# ---- words


@record(frozen=True, slots=True)
class Name:
    """One word: of the game, of the kernel, or a local name."""

    text: str
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Noun:
    """A word with an optional filter and owner: `token[red] of you`. The candidate of the filter may have a name."""

    name: Name
    where: Expression | None = None
    owner: Expression | None = None
    span: Offsets = _span()
    candidate: Name | None = None


@record(frozen=True, slots=True)
class Path:
    """Several zones read as one: `hand/discard`."""

    names: tuple[Name, ...]
    owner: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Quantity:
    """How many, when it is not a plain amount: `up to 2`, `any`, `all`, `random 1`, `blind 1`, `top 3`, `bottom 1`.
    After `at`, `bottom` alone is the end of a pile."""

    mode: Literal["up to", "any", "all", "random", "blind", "top", "bottom"]
    amount: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Phrase:
    """A named argument: a preposition and what follows it."""

    preposition: str
    target: Target
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Selection:
    """A noun with its named arguments: the things to go through or to pick from."""

    noun: Noun
    phrases: tuple[Phrase, ...] = ()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Sight:
    """Things that can be seen: a selection, perhaps only so many from one end; all, if no quantity is written."""

    quantity: Expression | Quantity | None
    selection: Selection
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Event:
    """Something that happens: who (optional), what, to what."""

    words: tuple[Noun, ...]
    phrases: tuple[Phrase, ...] = ()
    span: Offsets = _span()


# ---- expressions


@record(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Value:
    """A name read for its value, with positional words and named arguments."""

    words: tuple[Noun, ...]
    phrases: tuple[Phrase, ...] = ()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Function:
    """`count(...)`, `sum(...)`, `most(...)` or `least(...)`."""

    name: str
    arguments: tuple[Expression, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Over:
    """`sum`, `most`, `least` or `all` of what is worked out for each member of a group; that may have a name."""

    name: Literal["sum", "most", "least", "all"]
    of: Expression
    each: Selection
    span: Offsets = _span()
    member: Name | None = None


@record(frozen=True, slots=True)
class Sum:
    """Terms with their signs; the first sign is always `+`."""

    terms: tuple[tuple[str, Expression], ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Product:
    """Factors and divisors with their signs, from left to right; the first sign is always `*`."""

    terms: tuple[tuple[str, Expression], ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Compare:
    """Two amounts (or two things, for `=` and `!=`) compared."""

    operator: str
    left: Expression
    right: Expression
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Has:
    """Whether a list field contains something."""

    left: Expression
    right: Expression
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Have:
    """Whether the acting seat has so much of something; one, if no quantity is written."""

    quantity: Expression | Quantity | None
    selection: Selection
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Not:
    """The opposite."""

    part: Expression
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Both:
    """All parts hold."""

    parts: tuple[Expression, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple[Expression, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class If:
    """One of two, by a condition."""

    then: Expression
    test: Expression
    otherwise: Expression
    span: Offsets = _span()


# ---- steps


@record(frozen=True, slots=True)
class Body:
    """Steps in order; with `cost`, the steps are had only by paying it. An option of a choice may have a name."""

    steps: tuple[Step, ...]
    cost: tuple[Step, ...] | None = None
    span: Offsets = _span()
    label: Name | None = None


@record(frozen=True, slots=True)
class Block:
    """A body in braces, used as one step."""

    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Per:
    """A multiplier: once for every `each` of what is counted."""

    each: int
    selection: Selection
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Call:
    """A verb with positional and named arguments."""

    verb: Name
    arguments: tuple[Argument, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    per: Per | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Bind:
    """A call whose result has a name inside the body."""

    call: Call
    name: Name
    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Branch:
    """`if`, any number of `else if`, and perhaps `else`."""

    arms: tuple[tuple[Expression, Body], ...]
    otherwise: Body | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Options:
    """A choice among bodies."""

    quantity: Expression | Quantity
    bodies: tuple[Body, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Pick:
    """A choice among things, named inside the body."""

    quantity: Expression | Quantity
    selection: Selection
    name: Name
    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class May:
    """A body that may be declined."""

    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Each:
    """A body once for each: in order, in any order, secretly at once, or around the table until all pass in a row."""

    mode: Literal["each", "any order", "secretly", "around"]
    selection: Selection
    name: Name | None
    body: Body
    offering: Name | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class AnyOrder:
    """Bodies resolved in the order the seat likes, with a group of moves on offer in between."""

    offering: Name | None
    bodies: tuple[Body, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Repeat:
    """A body a number of times, or less often: as long as a condition holds."""

    quantity: Expression | Quantity
    body: Body
    condition: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Let:
    """A value computed once and named inside the body."""

    name: Name
    value: Expression
    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Clause:
    """An ability that lasts for a while: a modifier, or a reaction to an event."""

    window: Literal["while", "when", "instead"]
    subject: Expression | Event
    condition: Expression | None = None
    body: Body | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Until:
    """Abilities that last until an event."""

    event: Event
    clauses: tuple[Clause, ...]
    span: Offsets = _span()


Expression: TypeAlias = (
    Number | Value | Function | Over | If | Sum | Product | Compare | Has | Have | Not | Both | Either
)
Target: TypeAlias = Noun | Path | Quantity | Expression
Argument: TypeAlias = Noun | Quantity | Expression
Step: TypeAlias = Call | Bind | Branch | Options | Pick | May | Each | AnyOrder | Repeat | Let | Until | Block
Root: TypeAlias = Body | Expression | Event | Selection | Sight
