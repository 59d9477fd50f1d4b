"""Slots of objects that are run."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.kernel.bench import Bench, given

__all__ = ["started"]


def started(bench: Bench, code: Do, *, copied: bool) -> list[st.Step]:
    """Run what is in the slot of an object, or of several. Copied, it stands on the object it is copied to."""
    ref = given(code)["slot"]
    assert isinstance(ref, m.SlotRef)
    number, program = ir.Variable("number"), ir.Variable("program")
    column, on_place = bench.core.slot_table(ref), not copied and ref.object.type.name == "place"
    if ref.object.type.many:
        parts = (bench.core.build(ref.object), ir.TableOf(column), ir.Truth(copied), ir.Truth(on_place))
        return [st.React(make.TRUE, ir.Call(bench.functions.start_programs, (ir.Frame(), *parts)))]
    this: ir.Expr = ir.FramePart("this") if copied else number
    here: ir.Expr = number if on_place else ir.FramePart("here")
    begun = ir.Call(bench.functions.start_program, (ir.Frame(), program, this, here))
    return [
        st.Let("number", bench.core.build(ref.object)),
        st.Let("program", ir.Column(column, number)),
        st.React(make.there(program), begun),
    ]
