"""`win you`: the game ends there and then."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import SEAT
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given

__all__ = ["VERB", "steps"]

VERB = Verb(
    "win",
    (Parameter("who", (SEAT,), groups=(SEAT,)),),
    summary="End the game: these seats win.",
    kernel=Kernel(open=True, over=True, whole=True),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """If there are none the game goes on."""
    winners = ir.Variable("winners")
    return [st.Let("winners", bench.core.group(given(code)["who"])), st.When(winners, (st.Win(winners),))]
