"""Surroundings: what an expression is asked in, as core expressions. Who acts, what it stands on, what names mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from dunerules.core import ir

__all__ = ["FRAME", "OFTEN", "Named", "Surroundings"]

Named: TypeAlias = tuple[ir.Expr, bool]
"""What a name stands for, and whether that may be nobody, nothing or nowhere."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What `you`, `owner`, `this`, `here` and `it` mean somewhere, and the parameters of a value."""

    you: ir.Expr
    owner: ir.Expr
    this: ir.Expr
    here: ir.Expr
    it: ir.Expr
    names: Mapping[str, Named] = field(default_factory=dict)
    depth: int = 0
    """How many filters are around."""
    often: bool = False
    """Whether it may be asked many times within one step."""
    quiet: frozenset[str] = frozenset()
    """Values that nothing modifies at the moment."""
    outer: tuple[ir.Expr, ...] = ()
    """The candidates of the filters around this one, the nearest first."""

    def candidate(self) -> ir.Variable:
        """The candidate of a filter here."""
        return ir.Variable(f"i{self.depth}")

    def within(self, *, seats: bool) -> Surroundings:
        """Inside a filter: the candidate is `it`, and a seat acts."""
        it, outer = self.candidate(), (self.it, *self.outer)
        around = (it if seats else self.you, self.owner, self.this, self.here, it, self.names, self.depth + 1)
        return Surroundings(*around, often=True, quiet=self.quiet, outer=outer)

    def seen_by(self, seat: ir.Expr) -> Surroundings:
        """The same in the eyes of a seat."""
        return replace(self, you=seat)

    def standing_on(self, place: ir.Expr) -> Surroundings:
        """The same on a place."""
        return replace(self, this=place, here=place)

    def given(self, names: Mapping[str, Named]) -> Surroundings:
        """Inside a value, which knows its own parameters only."""
        return Surroundings(
            self.you, self.owner, self.this, self.here, ir.Number(-1), names, self.depth, self.often, self.quiet
        )


FRAME = Surroundings(
    ir.FramePart("you"), ir.FramePart("owner"), ir.FramePart("this"), ir.FramePart("here"), ir.Variable("it")
)
"""What a frame says."""

OFTEN = replace(FRAME, often=True)
"""The same, where something may be asked many times within one step."""
