"""`look top 2 card from deck`: the acting seat sees objects where they lie."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import QUANTITY, THING, ZONE, many
from dunerules.dsl.vocabulary import OMITTED, Kernel, Parameter, Verb
from dunerules.kernel.bench import PICKED, YOU, Bench, origin
from dunerules.kernel.things import kept, picked, seen

__all__ = ["VERB", "steps"]

VERB = Verb(
    "look",
    (
        Parameter("n", (QUANTITY,), default="1"),
        Parameter("what", (THING,), groups=(THING,)),
        Parameter("source", (ZONE,), "from", OMITTED, (ZONE,)),
    ),
    gives=many(THING),
    summary="Let the acting seat see objects without showing them to others.",
    kernel=Kernel(told=("n",), acting="a look", shows="you", opposite="reveal"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """Where somebody looks all can see, what is there only the seat."""
    entry = (ir.Text("look"), YOU, PICKED, ir.Lying(PICKED, distinct=True))
    return [
        *picked(bench, code),
        st.Know(PICKED, YOU),
        st.Note(PICKED, entry, origin(code)),
        *kept(code),
        *seen(bench, code),
    ]
