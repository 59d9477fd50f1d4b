"""`run play of c`: what is in a slot is done."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import SLOT
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench
from dunerules.kernel.slots import started

__all__ = ["VERB", "steps"]

VERB = Verb(
    "run",
    (Parameter("slot", (SLOT,), groups=(SLOT,)),),
    summary="Run a slot of an object.",
    kernel=Kernel(acting="an effect", open=True, runs="there"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """It stands on its own object."""
    return started(bench, code, copied=False)
