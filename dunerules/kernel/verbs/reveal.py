"""`reveal c`, `reveal hand`: everybody sees objects where they lie."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import THING, ZONE, many
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import PICKED, YOU, Bench, given, origin
from dunerules.kernel.things import kept, seen

__all__ = ["VERB", "steps"]

VERB = Verb(
    "reveal",
    (Parameter("what", (THING, ZONE), groups=(THING, ZONE)),),
    gives=many(THING),
    summary="Show objects, or all of a zone, to everybody.",
    kernel=Kernel(told=("n",), open=True, shows="all", whole=True, opposite="look"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """All of a group."""
    return [
        st.Let("picked", bench.core.group(given(code)["what"])),
        *kept(code),
        st.Know(PICKED, None, (1 << bench.seats) - 1),
        st.Note(PICKED, (ir.Text("reveal"), YOU, PICKED, ir.Lying(PICKED, distinct=True)), origin(code)),
        *seen(bench, code),
    ]
