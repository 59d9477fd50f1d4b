"""`lose 2 coins`, `lose 1 cube from camp`: a counter goes down, or pieces go home."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, COUNTER, PIECE, PLACE, POOL, QUANTITY
from dunerules.dsl.vocabulary import OMITTED, Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given
from dunerules.kernel.counters import changed
from dunerules.kernel.pieces import shifted

__all__ = ["VERB", "steps"]

VERB = Verb(
    "lose",
    (
        Parameter("n", (QUANTITY,)),
        Parameter("what", (COUNTER, PIECE)),
        Parameter("source", (POOL, PLACE), "from", OMITTED),
    ),
    use="cost",
    gives=AMOUNT,
    summary="Take from a counter, or send pieces home; as much as there is.",
    kernel=Kernel(told=("n",), replaced="always", by_owner=True, opposite="gain"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """So much less of a counter, or so many pieces less; who foresees it needs what is said plainly."""
    if isinstance(given(code)["what"], m.CounterRef):
        return changed(bench, code, "-")
    return shifted(bench, code, must=True)
