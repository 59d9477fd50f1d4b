"""The core language as text, and back; and whatever is built of the shipped packs is sound."""

from __future__ import annotations

import pytest

from dunerules.core import ir
from dunerules.core.analyses.names import open_names
from dunerules.core.text import CoreTextError, Known, parse, show
from dunerules.core.verify import UnsoundError, faults, verify
from dunerules.dsl.walk import walk
from dunerules.game import load
from dunerules.runtime.machine import Machine
from dunerules.runtime.steps import ProgramBuilder

from .known import read


@pytest.mark.parametrize(
    "text",
    [
        "(all ((>= (read gold (you)) 3) (not #0)))",
        "(read [cube at] (i0 3))",
        "(sum (read gold (you)) + 2 *! p1)",
        "(filter i0 (pile (zonenumber hand you)) (>= (column $cost i0) 3) 40)",
        "(some i0 {0 1 2} (contains (column $colours i0) 1) false)",
        '(= #0 "red")',
        "(distinct (pile 3) @distinct none you)",
        "(given t (where #0) (holder t) -1)",
        "(call @twice ((list (1 2)) none))",
    ],
)
def test_text_can_be_read_back(text: str) -> None:
    assert show(read(text)) == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(read silver (you))", "nothing is called `silver`"),
        ("(reed gold (you))", "there is no `reed`"),
        ("(not #0", r"`\)` is missing"),
        ("(not #0 #1)", "`not` has 1 fields"),
        ("#0 #1", "more than one"),
        ("(column @twice 1)", "nothing is called"),
    ],
)
def test_text_that_is_none(text: str, wrong: str) -> None:
    with pytest.raises(CoreTextError, match=wrong):
        read(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(> (length 3) 2)", "length wants a group, not a number"),
        ("(all ((pile 3)))", "all wants a truth, not a group"),
        ("(read gold ())", "`gold` has 1 indexes, not 0"),
        ("(filter i0 (pile 3) (= i1 2))", "nothing is called `i1`"),
        ("(sum 1 + (> 1 #0))", "term wants a number, not a truth"),
    ],
)
def test_what_is_not_sound(text: str, wrong: str) -> None:
    with pytest.raises(UnsoundError, match=wrong):
        verify(read(text))


def expressions(machine: Machine) -> list[ir.Expr]:
    """What the programs of a machine ask, built."""
    for number, program in enumerate(machine.programs):
        for pc in range(len(program.code)):
            ProgramBuilder(machine.shop, number).operation(pc, len(program.code))
    return list(machine.evaluator.core._built.values())


def named(node: ir.Expr) -> Known:
    """The regions, tables and functions of an expression by name."""
    regions, tables, functions = {}, {}, {}
    for each in walk(node):
        for field in getattr(each, "__slots__", ()):
            value = getattr(each, field)
            if isinstance(value, ir.Region):
                regions[value.name] = value
            elif isinstance(value, ir.Table):
                tables[repr(value).replace(" ", "_")[1:]] = value
            elif isinstance(value, ir.Function):
                functions[repr(value).replace(" ", "_")[1:]] = value
    return Known(regions, tables, functions)


@pytest.mark.parametrize("pack", ["base", "immortality", "betrayal", "conquest"])
def test_what_packs_ask_is_sound_and_can_be_read_back(pack: str) -> None:
    rules = load(pack)
    found = expressions(rules.game().machine)
    assert len(found) > 100
    for node in found:
        assert not list(faults(node, frozenset(open_names(node))))
        text = show(node)
        assert show(parse(text, named(node))) == text
