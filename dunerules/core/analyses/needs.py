"""What must hold, before anything is done, so that steps can do all they say."""

from __future__ import annotations

from collections.abc import Sequence

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st

__all__ = ["needs"]


def needs(steps: Sequence[st.Step]) -> ir.Expr:
    """The condition that all needs of some steps come to. They stand before whatever changes what they look at."""
    return make.all_of(_found(steps, {}))


def _found(steps: Sequence[st.Step], names: dict[ir.Expr, ir.Expr]) -> list[ir.Expr]:
    found: list[ir.Expr] = []
    for step in steps:
        if isinstance(step, st.Let):
            names = {**names, ir.Variable(step.name): make.folded(step.of, names)}
        elif isinstance(step, st.Need):
            found.append(make.folded(step.test, names))
        elif isinstance(step, st.When):
            then, otherwise = make.all_of(_found(step.then, names)), make.all_of(_found(step.otherwise, names))
            if (then, otherwise) != (make.TRUE, make.TRUE):
                found.append(make.choice(make.folded(step.test, names), then, otherwise))
    return found
