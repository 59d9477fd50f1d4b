"""`pass`: the acting seat has passed, in `around`."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.vocabulary import Kernel, Verb
from dunerules.kernel.bench import Bench

__all__ = ["VERB", "steps"]

VERB = Verb("pass", summary="Count as passing, in `around`.", kernel=Kernel(passes=True))


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """It counts for the innermost round."""
    return [st.Perform(ir.Call(bench.functions.passes, ()))]
