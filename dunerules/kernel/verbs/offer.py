"""`offer actions`: the acting seat makes one of the legal moves of a group."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl.program import Do
from dunerules.dsl.types import MOVES
from dunerules.dsl.vocabulary import Kernel, Parameter, Verb
from dunerules.kernel.bench import Bench, given

__all__ = ["VERB", "steps"]

VERB = Verb(
    "offer",
    (Parameter("group", (MOVES,)),),
    summary="Ask for one of the legal moves of a group, if there is any.",
    kernel=Kernel(acting="an offer", open=True, ends=True),
)


def steps(bench: Bench, code: Do) -> list[st.Step]:
    """A move changes what it likes, so nothing is foreseen behind it."""
    group = given(code)["group"]
    assert isinstance(group, m.WordRef)
    none = ir.Members(())
    return [st.Ask("move", "picked", "exactly", none, None, none, group.name)]
