"""`move 1 card from hand to pile`, `move c to deck at bottom`, `move 2 cube from stock to camp`: objects and pieces go
elsewhere."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import AMOUNT, PIECE, PLACE, POOL, QUANTITY, THING, ZONE, many
from dunerules.dsl.vocabulary import OMITTED, Kernel, Parameter, Verb
from dunerules.kernel.bench import PICKED, THINGS, Bench, given, origin
from dunerules.kernel.pieces import shifted
from dunerules.kernel.things import enough, kept, picked, picked_by, position

__all__ = ["VERB", "steps"]

VERB = Verb(
    "move",
    (
        Parameter("n", (QUANTITY,), default="1"),
        Parameter("what", (THING, PIECE), groups=(THING,)),
        Parameter("source", (ZONE, POOL, PLACE), "from", OMITTED, (ZONE,)),
        Parameter("target", (ZONE, POOL, PLACE), "to"),
        Parameter("at", (AMOUNT,), "at", OMITTED, position=True),
    ),
    gives=many(THING),
    summary="Move objects between zones, or pieces between pools and places.",
    kernel=Kernel(told=("n",), replaced="pieces"),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """Who foresees it needs what it takes; of pieces only where they are paid."""
    if isinstance(given(code)["what"], m.WordRef):
        return shifted(bench, code, must=code.paid)
    target, functions = bench.core.zone_number(given(code)["target"]), bench.functions
    found = [*enough(bench, code), *picked(bench, code), *kept(code)]
    at, by = position(bench, code), picked_by(bench, code)
    starts, end = ir.Variable("starts"), ir.Variable("end")
    told = bench.told(code.verb, THINGS, make.TRUE, functions.things_moved, [PICKED, starts, end])
    if not told:
        return [*found, st.When(PICKED, (st.Carry(PICKED, target, functions.carry, origin(code), at, by),))]
    carried: st.Steps = (
        st.Let("starts", ir.Lying(PICKED)),
        st.Let("end", target),
        st.Carry(PICKED, end, functions.carry, origin(code), at, by),
        *told,
    )
    return [*found, st.When(PICKED, carried)]
