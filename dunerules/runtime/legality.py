"""Legality: whether something can be done, asked of the very code that would do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.walk import walk
from dunerules.runtime.inline import standing_on
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["FREE", "Legality", "Test"]

Test: TypeAlias = Callable[[State, Frame, dict[int, int]], bool]
"""Whether something can be done, and what it gives up: cells by number, with what was spent of them before."""

_LONGEST = 400

_PASSED_OVER = (p.Instead, p.Emit, p.Lasting, p.Restore, p.NextChosen, p.EachNext)
"""Codes that give nothing up."""

_NOT_FORESEEN = (p.May, p.EachStart, p.Order, p.OrderEach, p.Around, p.Secret, p.Call, p.RepeatNext)
"""Codes behind which nothing is looked at: what they do depends on answers, or on what happens before."""


def _free(s: State, f: Frame, spent: dict[int, int]) -> bool:
    return True


FREE: Test = _free
"""The test of what gives nothing up."""


class Legality:
    """Walks code without running it. What code asks is found out once; most code gives nothing up."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._functions: dict[int, Asked] = {}
        self._tests: dict[int, Test] = {}
        self._ranges: dict[tuple[int, int, int], Test] = {}
        self._programs: dict[int, Test] = {}

    def affordable(self, s: State, f: Frame, program: int, start: int, end: int) -> bool:
        """Whether everything that must be given up between two places of a program can be."""
        test = self._range(program, start, end)
        return test is FREE or test(s, Frame(program, f.you, f.owner, f.this, f.here, f.slots[:]), {})

    def program_affordable(self, s: State, f: Frame, program: int, spent: dict[int, int]) -> bool:
        """The same for a whole program, in a frame of its own."""
        return program < 0 or self.program(program)(s, f, spent)

    def program(self, program: int) -> Test:
        """The test of a whole program."""
        test = self._programs.get(program)
        if test is None:
            end = len(self.machine.programs[program].code)
            test = self._programs[program] = self._range(program, 0, end)
        return test

    def _range(self, program: int, start: int, end: int) -> Test:
        test = self._ranges.get((program, start, end))
        if test is None:
            test = self.code(self.machine.programs[program].code[start:end]) or self._walking(program, start, end)
            self._ranges[program, start, end] = test
        return test

    def code(self, code: tuple[p.Code, ...]) -> Test | None:
        """The test of code without branches: only what gives something up is left of it. Nothing for other code."""
        steps: list[Test] = []
        last = 0
        for each in code[:_LONGEST]:
            if isinstance(each, p.Do):
                test = self._make(each)
                if test is not FREE:
                    steps.append(test)
                    last = len(steps)
            elif isinstance(each, p.Assign):
                steps.append(self._assign(each))
            elif isinstance(each, _NOT_FORESEEN):
                break
            elif not isinstance(each, _PASSED_OVER):
                return None
        steps = steps[:last]  # nobody asks for what is assigned after the last test
        if len(steps) <= 1:
            return steps[0] if steps else FREE

        def straight(s: State, f: Frame, spent: dict[int, int]) -> bool:
            for step in steps:
                if not step(s, f, spent):
                    return False
            return True

        return straight

    def _assign(self, code: p.Assign) -> Test:
        value, slot = self.machine.evaluator.compile(code.value), code.slot

        def assign(s: State, f: Frame, spent: dict[int, int]) -> bool:
            f.slots[slot] = value(s, f, -1)
            return True

        return assign

    def _walking(self, program: int, start: int, end: int) -> Test:
        return lambda s, f, spent: self._walk(s, f, program, start, end, spent)

    def _walk(self, s: State, f: Frame, program: int, start: int, end: int, spent: dict[int, int]) -> bool:
        code = self.machine.programs[program].code
        pc, steps = start, 0
        while start <= pc < end and steps < _LONGEST:
            steps += 1
            each = code[pc]
            pc += 1
            if isinstance(each, p.Do):
                if not self._test(each)(s, f, spent):
                    return False
            elif isinstance(each, p.Jump):
                if each.to < pc:
                    break
                pc = each.to
            elif isinstance(each, p.Unless):
                if not self._asked(each.condition)(s, f, -1):
                    if each.to >= end and pc - 1 == start:
                        return False  # an option that is all condition
                    pc = each.to
            elif isinstance(each, p.Assign):
                f.slots[each.slot] = self._asked(each.value)(s, f, -1)
            elif isinstance(each, p.Arrow):
                if each.chosen and not self._walk(s, f, program, pc, each.paid, spent):
                    return False
                pc = each.end
            elif isinstance(each, p.Choose):
                stops = (*each.targets[1:], each.end)
                pairs = zip(each.targets, stops, strict=True)
                if not any(self._walk(s, f, program, to, stop - 1, dict(spent)) for to, stop in pairs):
                    return False
                pc = each.end
            elif isinstance(each, p.PickThings):
                if not self._asked(each.of)(s, f, -1):
                    return False
                pc = each.end
            elif isinstance(each, _NOT_FORESEEN):
                break
        return True

    def _asked(self, node: m.Expression) -> Asked:
        """The function of an expression of a program, compiled once; programs live as long as the machine."""
        known = self._functions.get(id(node))
        if known is None:
            known = self._functions[id(node)] = self.machine.evaluator.compile(node)
        return known

    def _test(self, code: p.Do) -> Test:
        """Whether one kernel verb can do all it says. Only what is given up is asked for."""
        known = self._tests.get(id(code))
        if known is None:
            known = self._tests[id(code)] = self._make(code)
        return known

    def _make(self, code: p.Do) -> Test:
        taken = self._taken(code)
        if taken is not None:
            cell, amount, low = taken
            return self.machine.evaluator.source.define(
                "it = -1", f"number = {cell}", f"spent[number] = given = spent.get(number, 0) + {amount}",
                f"return s.cells[number] - given >= {low}", takes="s, f, spent",
            )  # fmt: skip
        given = dict(code.arguments)
        if code.verb == "run":
            return self._slot(given["slot"])
        test = self._objects(code)
        return self.machine.evaluator.source.define("it = -1", f"return {test}", takes="s, f, spent") if test else FREE

    def _taken(self, code: p.Do) -> tuple[str, str, int] | None:
        """The cell a verb takes from, how much it takes, and how little may be left; nothing if it takes none."""
        given, evaluator = dict(code.arguments), self.machine.evaluator
        if code.verb not in {"pay", "lose", "move"} or "what" not in given:
            return None
        what, amount = given["what"], given["n"]
        if isinstance(amount, m.Quantity) and amount.mode != "exactly":
            return None
        if isinstance(what, m.CounterRef):
            low = self.machine.table.layout.cells[what.counter].low
            return evaluator.cell(what), evaluator.text(amount), low
        if not isinstance(what, m.WordRef) or not (code.verb == "lose" or code.paid):
            return None
        source = given["source"]
        if isinstance(source, m.WordRef):
            cell = evaluator.pool_cell(what.name, source.name, source.owner or what.owner, None)
        else:
            cell = evaluator.pool_cell(what.name, "", what.owner, source)
        return cell, evaluator.text(amount), 0

    def _objects(self, code: p.Do) -> str:
        """Whether there are as many objects as a verb takes; nothing for verbs that take none."""
        given = dict(code.arguments)
        if code.verb not in {"pay", "lose", "move"} or "what" not in given or given["what"].type.name != "thing":
            return ""
        quantity = given["n"]
        if not isinstance(quantity, m.Quantity) or quantity.mode != "exactly":
            return ""
        return f"(len({self.machine.operations.candidates(given)}) >= {self.machine.evaluator.text(quantity)})"

    def _slot(self, ref: m.Expression) -> Test:
        assert isinstance(ref, m.SlotRef)
        if isinstance(ref.object, m.ObjectRef):
            placed = self._placed(ref.slot, ref.object)
            if placed is not None:
                return self.code(placed) or self._slot_of(ref)
        return self._slot_of(ref)

    def _slot_of(self, ref: m.SlotRef) -> Test:
        thing, inner = self.machine.evaluator.compile(ref.object), self._inner(ref)
        return lambda s, f, spent: inner(s, f, thing(s, f, -1), f.here, spent)

    def _inner(self, ref: m.SlotRef) -> Callable[[State, Frame, Any, int, dict[int, int]], bool]:
        """The test of what is in a slot of something, in a frame that stands there."""
        column = self.machine.table.programs_of(ref.slot, ref.object.type.name)
        is_place = ref.object.type.name == "place"

        def test(s: State, f: Frame, number: Any, here: int, spent: dict[int, int]) -> bool:
            if isinstance(number, tuple):
                return True
            program = column[number]
            inner = self.program(program) if program >= 0 else FREE
            if inner is FREE:
                return True
            slots = [0] * self.machine.programs[program].slots
            return inner(s, Frame(program, f.you, f.owner, number, number if is_place else here, slots), spent)

        return test

    def _placed(self, slot: str, place: m.ObjectRef) -> tuple[p.Code, ...] | None:
        """The code in a slot of a place with the place written out, if it needs no frame that stands there."""
        table = self.machine.table
        program = table.programs[slot][table.label(place.kind, place.id)]
        if program < 0:
            return ()
        found = self.machine.programs[program]
        if found.slots or place.type.name != "place" or any(map(self.machine.evaluator.needs_place, found.code)):
            return None
        return tuple(standing_on(each, place) for each in found.code)

    # ---- tests as text

    def text(self, code: tuple[p.Code, ...]) -> str | None:
        """The test of straight code as Python, if it is simple: at most one verb gives something up, and reads no slot.

        It is asked where a move is offered, and stands on nothing.
        """
        found: list[str] = []
        for each in code[:_LONGEST]:
            if isinstance(each, p.Do):
                test = self._text(each)
                if test is None or (test != "True" and (found or _reads_slots(each))):
                    return None
                found += [test] if test != "True" else []
            elif isinstance(each, _NOT_FORESEEN):
                break
            elif not isinstance(each, (p.Assign, *_PASSED_OVER)):
                return None
        return found[0] if found else "True"

    def _text(self, code: p.Do) -> str | None:
        taken = self._taken(code)
        if taken is not None:
            cell, amount, low = taken
            return f"(s.cells[{cell}] - {amount} >= {low})"
        if code.verb != "run":
            return self._objects(code) or "True"
        ref, evaluator = dict(code.arguments)["slot"], self.machine.evaluator
        assert isinstance(ref, m.SlotRef)
        if isinstance(ref.object, m.ObjectRef):
            placed = self._placed(ref.slot, ref.object)
            if placed is not None:
                return self.text(placed)
        if ref.object.type.many:
            return "True"
        column, thing = self.machine.table.programs_of(ref.slot, ref.object.type.name), evaluator.text(ref.object)
        name = evaluator.source.name
        return f"({name(column)}[{thing}] < 0 or {name(self._inner(ref))}(s, f, {thing}, -1, {{}}))"

    # ---- bodies that would do nothing

    def idle(self, code: tuple[p.Code, ...], start: int, end: int) -> str:
        """Whether a body of `any order` has nothing to do now, so that nobody need be asked when to do it."""
        first, evaluator = code[start], self.machine.evaluator
        if isinstance(first, p.Unless) and first.to >= end - 1:
            return f"(not {evaluator.text(first.condition)})"
        if not isinstance(first, p.Do) or first.verb != "run" or start + 2 < end:
            return "False"
        ref = dict(first.arguments)["slot"]
        assert isinstance(ref, m.SlotRef)
        if ref.object.type.many:
            return "False"
        column = self.machine.table.programs_of(ref.slot, ref.object.type.name)
        return f"({evaluator.source.name(column)}[{evaluator.text(ref.object)}] < 0)"


def _reads_slots(code: p.Do) -> bool:
    return any(isinstance(each, m.Local) and each.name.startswith("#") for each in walk(code))
