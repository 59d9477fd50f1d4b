"""`pay 2 coins`: a counter goes down; all of it must be there, or it cannot be paid."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, COUNTER
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench
from dunerules.kernel.counters import changed

__all__ = ["VERB", "steps"]

VERB = Verb(
    "pay",
    (Parameter("n", (AMOUNT,)), Parameter("what", (COUNTER,))),
    use="cost",
    gives=AMOUNT,
    summary="Take from a counter; all of it or not at all.",
    kernel=Kernel(told=("n",), by_owner=True),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """So much less; who foresees it needs as much."""
    return changed(bench, code, "-")
