"""`copy play of c`: what is in a slot of another object is done as if it were in one of this."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import SLOT
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench
from dunerules.kernel.slots import started

__all__ = ["VERB", "steps"]

VERB = Verb(
    "copy",
    (Parameter("slot", (SLOT,)),),
    summary="Run a slot of another object as if it stood on this one: `this` and `here` are what they are here.",
    kernel=Kernel(acting="an effect", open=True, runs="here"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """It stands on the object it is copied to."""
    return started(bench, code, copied=True)
