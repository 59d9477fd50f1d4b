"""`shuffle deck`: what lies in a zone is mixed."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.program import Do
from dunerules.dsl.types import ZONE
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given

__all__ = ["VERB", "steps"]

VERB = Verb("shuffle", (Parameter("zone", (ZONE,)),), summary="Shuffle a zone.", kernel=Kernel(told=()))


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """Every zone by itself."""
    zones = ir.Variable("zones")
    return [
        st.Let("zones", bench.core.zone_numbers(given(code)["zone"])),
        st.Shuffle(zones, bench.functions.mix, bench.functions.unmark),
        *bench.told(code.verb, "", make.TRUE, bench.functions.happened, [ir.Text("zone"), zones]),
    ]
