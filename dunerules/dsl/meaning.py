"""The tree of an effect after every name has a meaning: what is run, checked, printed and explained.

Readers of this tree never look a name up again. Spans are character offsets into the text, as in `tree`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from dunerules.dsl.record import record
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import AMOUNT, CONDITION, ZONE, Type
from dunerules.dsl.vocabulary import Verb

__all__ = [
    "Act", "All", "Always", "Any", "AnyOrder", "Arguments", "Arithmetic", "Body", "Branch", "Choice",
    "Clause", "Compare", "Constant", "Count", "CounterRef", "Each", "EventPattern", "Exists", "Expression",
    "Extreme", "FieldRef", "Happening", "Has", "If", "Let", "Local", "May", "Modifier", "Named", "Not", "Nothing",
    "ObjectRef", "OptionRef", "Over", "Pick", "PieceRef", "Quantity", "Refill", "Repeat", "Scaled", "SeatRef", "SeenBy",
    "Sight", "SlotRef", "Special", "Step", "Unknown", "Until", "ValueRef", "WordRef", "ZoneRef",
    "asked_of_each", "is_implied", "is_it",
]  # fmt: skip


def _span() -> Offsets:
    return field(default=(0, 0), compare=False, repr=False)


# ---- expressions: each knows its type


@record(frozen=True, slots=True)
class Constant:
    """A whole number."""

    value: int
    span: Offsets = _span()
    type: Type = AMOUNT


@record(frozen=True, slots=True)
class Local:
    """A parameter, or a name bound by `as`, `let`, a move or an index."""

    name: str
    type: Type
    span: Offsets = _span()
    maybe: bool = field(default=False, repr=False)
    """Whether it may stand for nobody, nothing or nowhere."""


@record(frozen=True, slots=True)
class SeatRef:
    """`you`, `owner`, `opponent`, `anyone` or `seat`; the last three are groups, perhaps filtered."""

    which: str
    type: Type
    where: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Special:
    """`this`, `it` or `here`. The candidate of a filter around that has a name is an `it` too: `outer` is how many
    filters lie between it and the candidate, so names are gone."""

    which: Literal["this", "it", "here"]
    type: Type
    span: Offsets = _span()
    outer: int = 0


def is_it(node: object, outer: int = 0) -> bool:
    """Whether the candidate of a filter is meant: of the innermost one, or of one further out."""
    return isinstance(node, Special) and node.which == "it" and node.outer == outer


def is_implied(node: Expression) -> bool:
    """A place nobody wrote: `here` filled in for an index that was left out."""
    return isinstance(node, Special) and node.which == "here" and node.span == (0, 0)


@record(frozen=True, slots=True)
class CounterRef:
    """A counter of some seat, with its indexes filled in order."""

    counter: str
    owner: Expression | None
    indexes: tuple[tuple[str, Expression], ...]
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class PieceRef:
    """Pieces of some seat in a pool or on a place; the number of them, where a number is wanted."""

    piece: str
    owner: Expression | None
    pool: str
    place: Expression | None
    span: Offsets = _span()
    type: Type = AMOUNT


@record(frozen=True, slots=True)
class FieldRef:
    """The data of an object."""

    field: str
    object: Expression
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class ValueRef:
    """A value of the kernel or of a pack, asked with arguments."""

    value: str
    arguments: tuple[tuple[str, Expression], ...]
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class ObjectRef:
    """One declared object, place or label by its id."""

    kind: str
    id: str
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Named:
    """All objects of a kind (or labels of a family) that pass a filter and lie where it says."""

    kind: str
    where: Expression | None
    zone: Expression | None
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class ZoneRef:
    """A zone, or several, of a seat or place."""

    zones: tuple[str, ...]
    owner: Expression | None
    type: Type
    span: Offsets = _span()

    @property
    def owner_is_many(self) -> bool:
        """Whether those of several seats or places are meant."""
        return self.owner is not None and self.owner.type.many


@record(frozen=True, slots=True)
class WordRef:
    """A pool, a procedure, a group of moves or a piece, used as an argument."""

    name: str
    type: Type
    owner: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class SlotRef:
    """A slot of an object."""

    slot: str
    object: Expression
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class OptionRef:
    """Whether the game is played with this value of an option."""

    option: str
    value: str
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Count:
    """How many there are of something."""

    of: Expression
    span: Offsets = _span()
    type: Type = AMOUNT


@record(frozen=True, slots=True)
class Exists:
    """Whether a group has a member, or an object has the field."""

    of: Expression
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Over:
    """The sum, the most or the least of a number that is asked of each member of a group, 0 if it has none; or whether
    a condition holds for all of them. The member is `it`; a seat acts while it is asked."""

    which: Literal["sum", "most", "least", "all"]
    of: Expression
    each: Expression
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class If:
    """One of two numbers, seats, places, things or labels, by a condition."""

    test: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Extreme:
    """The most or the least of some amounts."""

    which: str
    of: tuple[Expression, ...]
    span: Offsets = _span()
    type: Type = AMOUNT


@record(frozen=True, slots=True)
class Arithmetic:
    """Amounts joined from left to right by `+`, `-`, `*` or `/`, which rounds down; the first operator is `+`."""

    terms: tuple[tuple[str, Expression], ...]
    span: Offsets = _span()
    type: Type = AMOUNT


@record(frozen=True, slots=True)
class Compare:
    """A comparison."""

    operator: str
    left: Expression
    right: Expression
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Has:
    """Whether a group contains something."""

    group: Expression
    member: Expression
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Not:
    """The opposite."""

    part: Expression
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Expression, ...]
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Any:
    """Some part holds."""

    parts: tuple[Expression, ...]
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Always:
    """A condition that is always so; what a cleared-up mistake is replaced by."""

    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Quantity:
    """How many the acting seat takes: exactly, up to, any, all, at random, blind, from the top or the bottom."""

    mode: str
    amount: Expression | None
    span: Offsets = _span()
    type: Type = Type("quantity")


@record(frozen=True, slots=True)
class SeenBy:
    """A filter that was given to a verb: `you` in it is the seat that called, whoever acts now."""

    seat: Expression
    of: Expression
    span: Offsets = _span()
    type: Type = CONDITION


@record(frozen=True, slots=True)
class Refill:
    """The zones from which piles are made anew. Nobody writes it: the engine foresees by it what a pile may hold."""

    of: Expression
    span: Offsets = _span()
    type: Type = ZONE


@record(frozen=True, slots=True)
class Nothing:
    """`none`: nobody, nothing or nowhere. And what a step gives that is not done: that, 0, or an empty group."""

    type: Type
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Unknown:
    """Stands where a mistake was reported, so that one mistake is one problem."""

    span: Offsets = _span()
    type: Type = Type("unknown")


# ---- steps


@record(frozen=True, slots=True)
class Body:
    """Steps in order, with the cost that buys them, if any."""

    steps: tuple[Step, ...]
    cost: tuple[Step, ...] | None = None
    span: Offsets = _span()
    label: str = field(default="", compare=False)
    """What an option is called by those who test; like its place it changes nothing."""


@record(frozen=True, slots=True)
class Scaled:
    """Once for every `each` of what is counted."""

    each: int
    of: Expression
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Act:
    """A verb or procedure with all its arguments; `name` and `body` use what it gives."""

    verb: Verb
    arguments: tuple[tuple[str, Expression], ...]
    per: Scaled | None = None
    name: str = ""
    body: Body | None = None
    procedure: bool = False
    name_span: Offsets = _span()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Branch:
    """Conditions tried in turn."""

    arms: tuple[tuple[Expression, Body], ...]
    otherwise: Body | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Choice:
    """A choice among bodies."""

    quantity: Quantity
    bodies: tuple[Body, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Pick:
    """A choice among things."""

    quantity: Quantity
    of: Expression
    name: str
    body: Body
    name_span: Offsets = _span()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class May:
    """A body that may be declined."""

    body: Body
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Each:
    """A body once for each of a group."""

    mode: Literal["each", "any order", "secretly", "around"]
    of: Expression
    name: str
    body: Body
    offering: str = ""
    name_span: Offsets = _span()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class AnyOrder:
    """Bodies in the order the seat likes."""

    offering: str
    bodies: tuple[Body, ...]
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Repeat:
    """A body a number of times; with a condition only as long as that holds, which is asked before every round."""

    quantity: Quantity
    body: Body
    condition: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Let:
    """A value named inside a body."""

    name: str
    value: Expression
    body: Body
    name_span: Offsets = _span()
    span: Offsets = _span()


@record(frozen=True, slots=True)
class EventPattern:
    """What to watch for: who does what to what. `moment` is `start` or `end` for procedures.

    `told` are the names that are known in what follows the event, with their types.
    """

    subject: Expression | None
    verb: str
    arguments: tuple[tuple[str, Expression], ...]
    moment: str = ""
    told: tuple[tuple[str, Type], ...] = field(default=(), compare=False, repr=False)
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Modifier:
    """How a value changes: `+`, `-`, `*` or `=` with an amount, or `yes` / `no` for a condition."""

    value: ValueRef
    operator: Literal["+", "-", "*", "=", "yes", "no"]
    amount: Expression | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Sight:
    """Things that a seat sees while it has an ability: all of a group, or so many from one end."""

    quantity: Quantity
    of: Expression
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Clause:
    """One ability, lasting or standing."""

    window: Literal["while", "when", "instead", "sees"]
    event: EventPattern | None
    modifier: Modifier | None
    condition: Expression | None
    body: Body | None
    sight: Sight | None = None
    span: Offsets = _span()


@record(frozen=True, slots=True)
class Until:
    """Abilities that last until an event."""

    event: EventPattern
    clauses: tuple[Clause, ...]
    span: Offsets = _span()


Expression: TypeAlias = (
    Constant | Local | SeatRef | Special | CounterRef | PieceRef | FieldRef | ValueRef | ObjectRef | Named |
    ZoneRef | WordRef | SlotRef | OptionRef | Count | Exists | Over | If | Extreme | Arithmetic | Compare | Has |
    Not | All | Any | Always | Quantity | SeenBy | Refill | Nothing | Unknown
)  # fmt: skip


def asked_of_each(node: object) -> tuple[Expression, Type] | None:
    """What is asked of each candidate of a filter, or of each of a group, and the type of the group: seats act then."""
    if isinstance(node, (Named, SeatRef)):
        return (node.where, node.type) if node.where is not None else None
    return (node.of, node.each.type) if isinstance(node, Over) else None


Step: TypeAlias = Act | Branch | Choice | Pick | May | Each | AnyOrder | Repeat | Let | Until | Body
Arguments: TypeAlias = tuple[tuple[str, Expression], ...]
"""Arguments of a verb, value or procedure, by the names of its parameters."""
Happening: TypeAlias = Step | Expression | EventPattern | Modifier | Clause | Scaled | Sight
