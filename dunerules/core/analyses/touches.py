"""What expressions read and what steps write: so that one sees which have to do with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl.walk import walk

__all__ = ["EVERYTHING", "meet", "reads", "writes"]

EVERYTHING = "*"
ZONES = "zones"

_LYING = (ir.Pile, ir.Contents, ir.Where, ir.Holder, ir.Lying)


def reads(node: ir.Expr) -> frozenset[str]:
    """The regions an expression looks at, `zones` for where objects lie, and `*` for what cannot be told."""
    found = set()
    for each in walk(node):
        if isinstance(each, ir.Read):
            found.add(each.region.name)
        elif isinstance(each, _LYING):
            found.add(ZONES)
        elif isinstance(each, (ir.Held, ir.SomethingLasts, ir.Switch)) or (
            isinstance(each, ir.Call) and not each.function.stateless
        ):
            found.add(EVERYTHING)
    return frozenset(found)


def writes(steps: Sequence[st.Step]) -> frozenset[str]:
    """What steps change that expressions look at; slots aside."""
    found = set()
    for step in st.inner(steps):
        if isinstance(step, st.Write):
            found.add(step.region.name)
        elif isinstance(step, (st.Carry, st.Draw, st.Shuffle)):
            found.add(ZONES)
        elif isinstance(step, st.Win):
            found.add(EVERYTHING)
    return frozenset(found)


def meet(read: Iterable[str], written: frozenset[str]) -> bool:
    """Whether something that is read may have been written."""
    return bool(written) and (EVERYTHING in written or any(each in written or each == EVERYTHING for each in read))
