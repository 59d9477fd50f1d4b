"""`halve gold`: half of a counter is given up, rounded up; there must be something of it."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, COUNTER
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench
from dunerules.kernel.counters import written

__all__ = ["VERB", "steps"]

VERB = Verb(
    "halve",
    (Parameter("what", (COUNTER,)),),
    use="cost",
    gives=AMOUNT,
    summary="Give up half of a counter.",
    kernel=Kernel(told=("n",), replaced="always", by_owner=True),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """Who foresees it needs one or more."""
    return written(bench, code, _half, needed=ir.Number(1))


def _half(before: ir.Expr) -> ir.Expr:
    return ir.Arithmetic((ir.Term("+", before), ir.Term("//", ir.Number(2))))
