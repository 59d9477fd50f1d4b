"""`set bid to 3`, `set leading to you`: a counter gets a value."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, COUNTER, NONE, PLACE, SEAT, THING, Type
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given
from dunerules.kernel.counters import written

__all__ = ["VERB", "steps"]

VERB = Verb(
    "set",
    (Parameter("what", (COUNTER,)), Parameter("value", (AMOUNT, SEAT, PLACE, THING, Type("label"), NONE), "to")),
    gives=AMOUNT,
    summary="Give a counter a value.",
    kernel=Kernel(told=("n",), nouns=(("n", "change"),), replaced="always"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """What it was before makes no difference."""
    return written(bench, code, lambda _: bench.core.build(given(code)["value"]))
