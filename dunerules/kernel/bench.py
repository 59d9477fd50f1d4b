"""What descriptions of verbs are made with: expressions of a table, its words, and the functions of its machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.vocabulary import Vocabulary

__all__ = ["COUNT", "PICKED", "THINGS", "YOU", "Bench", "Builder", "Describe", "Functions", "Given", "given", "origin"]

Given: TypeAlias = dict[str, m.Expression]
"""What a verb is given, by parameter."""

THINGS = "*"
"""What a verb was done to, where that is neither a counter nor a kind of pieces."""

YOU = ir.FramePart("you")
PICKED, COUNT = ir.Variable("picked"), ir.Variable("count")


class Builder(Protocol):
    """Builds what a verb is given as expressions of the core."""

    def build(self, node: m.Expression) -> ir.Expr:
        """Any expression."""

    def group(self, node: m.Expression) -> ir.Expr:
        """An expression as a group, though it may stand for one thing, or none."""

    def sure(self, nodes: Iterable[m.Expression | None]) -> ir.Expr:
        """Whether none of these is nobody, nothing or nowhere."""

    def cell(self, node: m.CounterRef) -> ir.CellNumber:
        """The cell a counter stands for."""

    def has_cell(self, node: m.CounterRef) -> ir.Expr:
        """Whether there is such a cell: it is of somebody and with something; a thing lies where it may have it."""

    def marked(self, node: m.CounterRef) -> m.Expression | None:
        """The thing that a counter is on, if it is on one."""

    def pool(self, piece: str, pool: str, owner: m.Expression | None, place: m.Expression | None) -> ir.CellNumber:
        """The cell that counts pieces in a pool or on a place."""

    def zone_number(self, node: m.Expression) -> ir.Expr:
        """The number of the first zone an expression names; -1 if there is none."""

    def zone_numbers(self, node: m.Expression) -> ir.Expr:
        """The numbers of the zones an expression names, as a group."""

    def maybe_nowhere(self, node: m.Expression) -> bool:
        """Whether there may be no such zone."""

    def is_one_zone(self, node: m.ZoneRef) -> bool:
        """Whether that is never more than one zone."""

    def is_made_anew(self, node: m.ZoneRef) -> bool:
        """Whether it is a pile, or has one in it, that is made anew when it is empty."""

    def holds_only(self, zone: m.ZoneRef, kind: str) -> bool:
        """Whether nothing but things of one kind may lie somewhere."""

    def slot_table(self, node: m.SlotRef) -> ir.Table:
        """By thing: the program in a slot."""


Following: TypeAlias = Callable[[str, str], Callable[..., bool] | None]
"""By counter or kind of pieces, and verb: what may happen before or after it changes. Nothing, if nothing can."""


@dataclass(frozen=True, slots=True)
class Functions:
    """What verbs do by functions of the machine, and whom they tell."""

    before_change: Following
    after_change: Following
    before_pieces: Following
    after_pieces: Following
    things_moved: ir.Function
    things_seen: ir.Function
    happened: ir.Function
    carry: ir.Function
    from_pile: ir.Function
    renew: ir.Function
    at_random: ir.Function
    mix: ir.Function
    unmark: ir.Function | None
    """Takes the marks off things that are shuffled; nothing where things have none."""
    throw: ir.Function
    start_program: ir.Function
    start_programs: ir.Function
    passes: ir.Function
    leave: ir.Function


@dataclass(frozen=True, slots=True)
class Bench:
    """Where verbs are described, for a table and in some surroundings."""

    core: Builder
    words: Vocabulary
    seats: int
    hears: Callable[[str, str], bool]
    """Whether anything may ever wait for a verb, done to something."""
    waits: Callable[[str, str], bool]
    """Whether anything waits for it that is always there."""
    functions: Functions

    def told(
        self, verb: str, what: str, test: ir.Expr, function: ir.Function, parts: Sequence[ir.Expr]
    ) -> list[st.Step]:
        """Whoever waits for a verb is told of it, if something holds; nothing is done where nobody ever does."""
        if not self.hears(verb, what):
            return []
        heard = make.TRUE if self.waits(verb, what) else ir.SomethingLasts()
        return [st.React(make.all_of((test, heard)), ir.Call(function, (ir.Text(verb), YOU, *parts)))]


Describe: TypeAlias = Callable[[Bench, Do], Iterable[st.Step]]
"""What a verb does, with its arguments, as steps of the core."""


def origin(code: Do) -> ir.Opaque | None:
    """The verbs of packs that a verb is part of, for the log."""
    if code.origin is None:
        return None
    return ir.Opaque(" in ".join(each.verb for each in reversed(code.origin.verbs)), code.origin)


def given(code: Do) -> Given:
    """What a verb is given."""
    return dict(code.arguments)
