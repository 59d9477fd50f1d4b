"""`gain 2 coins`: a counter goes up."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, COUNTER
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench
from dunerules.kernel.counters import changed

__all__ = ["VERB", "steps"]

VERB = Verb(
    "gain",
    (Parameter("n", (AMOUNT,)), Parameter("what", (COUNTER,))),
    use="gain",
    gives=AMOUNT,
    summary="Add to a counter.",
    kernel=Kernel(told=("n",), replaced="always", by_owner=True, opposite="lose"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """So much more, as far as the counter goes."""
    return changed(bench, code, "+")
