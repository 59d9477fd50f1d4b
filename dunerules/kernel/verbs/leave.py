"""`leave turn`: a procedure ends here, with all it has started."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import PROCEDURE
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given

__all__ = ["VERB", "steps"]

VERB = Verb(
    "leave",
    (Parameter("procedure", (PROCEDURE,)),),
    summary="End a procedure now.",
    kernel=Kernel(ends=True, over=True),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """What is left does not go on, so nothing is foreseen behind it."""
    procedure = given(code)["procedure"]
    assert isinstance(procedure, m.WordRef)
    return [st.React(make.TRUE, ir.Call(bench.functions.leave, (ir.Text(procedure.name),)))]
