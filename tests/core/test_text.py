"""The core language as text, and back; and whatever is built of the shipped packs is sound."""

from __future__ import annotations

import pytest

from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.text import CoreTextError, Known, parse_steps, show, show_steps
from dunerules.core.verify import UnsoundError, faults_in_steps, faults_of_slots, verify
from dunerules.dsl.walk import walk
from dunerules.game import load
from dunerules.runtime.machine import Machine
from dunerules.runtime.plans import plan_steps
from dunerules.runtime.steps import ProgramBuilder
from dunerules.runtime.verified import unsound
from dunerules.tables import players_of, table_of

from .known import KNOWN, read


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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(let n 1) (put 0 m) (stand 1)", "nothing is called `m`"),
        ("(when (= n 1) ((let n 2))) (stand 1)", "nothing is called `n`"),
        ("(write era (cellnumber era ()) 7) (stand 1)", "`era` holds 1 to 3, not 7 to 7"),
        ("(let value #0) (write era (cellnumber era ()) value) (stand 1)", "`era` holds 1 to 3"),
        ("(put 0 1)", "do not say where the program goes on"),
        ("(go 2) (put 0 1) (stand 1)", "nothing comes after go"),
        ("(stand 9)", "there is no place 9"),
        ("(react true (call @twice (1))) (stand 1)", "react where it is not said how the program goes on"),
        ("(question picked () (call @twice (n)) @twice) (stand 1)", "nothing is called `n`"),
        ("(follow (1 9) 0)", "there is no place 9"),
        ("(when #0 ((go 1)))", "do not say where the program goes on"),
        ("(for i0 (length {1}) ((put 0 i0))) (stand 1)", "for wants a group, not a number"),
    ],
)
def test_steps_that_are_not_sound(text: str, wrong: str) -> None:
    found = list(faults_in_steps(parse_steps(text, KNOWN), places=3))
    assert any(wrong in each for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "(let value #0) (clamp value 1 3) (write era (cellnumber era ()) value) (stand 1)",
        "(stand 2) (react true (call @twice (1))) (hand (call @twice (2)))",
        "(let queue #1g) (when (not (anything queue)) ((go 3))) (put 2 (head queue)) (stand 1)",
        "(when true ((let n 1)) ((let n 2))) (put 0 n) (stand 0)",
        "(question picked ((let n 1)) (call @twice (n)) @twice) (when picked ((go 1)) ((follow (2 3) 0)))",
    ],
)
def test_sound_steps_can_be_read_back(text: str) -> None:
    steps = parse_steps(text, KNOWN)
    assert show_steps(steps).split("\n") == show_steps(parse_steps(show_steps(steps), KNOWN)).split("\n")
    assert " ".join(show_steps(steps).split()) == text
    assert list(faults_in_steps(steps, places=3)) == []


def test_a_slot_holds_one_kind() -> None:
    parts = [parse_steps(text, KNOWN) for text in ("(put 1 (pile 3))", "(put 0 (sum #1n + 1))")]
    assert list(faults_of_slots(parts)) == ["slot 1 holds group and number"]


def parts_of(machine: Machine) -> list[st.Steps]:
    """All that the programs of a machine do, and how its moves are listed."""
    found: list[st.Steps] = []
    for number, program in enumerate(machine.programs):
        builder, size = ProgramBuilder(machine.shop, number), len(program.code)
        found += [builder.part(pc, size) for pc in range(size)]
    moves = [move for group in machine.table.rules.moves.values() for move in group]
    return found + [plan_steps(machine.legality, machine.questions, move, frozenset()) for move in moves]


def named(node: object) -> Known:
    """The regions, tables, functions and cases of something by name."""
    regions, tables, functions, cases, opaque = {}, {}, {}, {}, {}
    for each in walk(node):
        for field in getattr(each, "__slots__", ()):
            value = getattr(each, field)
            if isinstance(value, ir.Region):
                regions[value.name] = value
            elif isinstance(value, ir.Table):
                tables[repr(value).replace(" ", "_")[1:]] = value
            elif isinstance(value, ir.Function):
                functions[repr(value).replace(" ", "_")[1:]] = value
            elif isinstance(value, ir.Cases):
                cases[repr(value).replace(" ", "_")[1:]] = value
            elif isinstance(value, ir.Opaque):
                opaque[repr(value).replace(" ", "_")[1:]] = value
    return Known(regions, tables, functions, cases, opaque)


def test_codes_that_are_sound_alone_are_sound_together() -> None:
    machine = load("base").machine(4, {})[0]
    for number, program in enumerate(machine.programs):
        builder, size = ProgramBuilder(machine.shop, number), len(program.code)
        for part in (builder.part(pc, size) for pc in range(size)):
            assert list(faults_in_steps(part, frozenset({"it"}), size)) == []


@pytest.mark.parametrize("pack", ["base", "immortality", "betrayal", "conquest"])
def test_what_packs_say_is_sound_and_can_be_read_back(pack: str) -> None:
    rules = load(pack)
    for players in {players_of(rules.ruleset)[0], players_of(rules.ruleset)[-1]}:
        seats, automated = table_of(rules.ruleset, players)
        machine = rules.machine(seats, {}, automated)[0]
        assert list(unsound(machine)) == []
        found = parts_of(machine)
        assert len(found) > 50
        for part in found:
            text = show_steps(part)
            assert show_steps(parse_steps(text, named(part))) == text
