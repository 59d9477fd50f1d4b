"""`roll 6`: a die is thrown."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given

__all__ = ["VERB", "steps"]

VERB = Verb(
    "roll",
    (Parameter("sides", (AMOUNT,)),),
    gives=AMOUNT,
    summary="Roll a die with so many sides.",
    kernel=Kernel(told=("sides",), nouns=(("sides", "sides"),)),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """What it shows is what it gives; its event tells how many sides it had."""
    sides = ir.Variable("sides")
    return [
        st.Let("sides", bench.core.build(given(code)["sides"])),
        st.Roll(sides, code.slot, bench.functions.throw),
        *bench.told(code.verb, "", make.TRUE, bench.functions.happened, [ir.Text("sides"), sides]),
    ]
