"""Legality: whether something can be done, asked of the very code that would do it.

Most of what is asked gives nothing up, or one thing; that is one test of the state as it is. Where steps have to do
with each other they are tried on a copy (`trial.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import slot_number
from dunerules.dsl.walk import walk
from dunerules.runtime.inline import standing_on
from dunerules.runtime.limits import guarded
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Asked
from dunerules.runtime.trial import ENDING, NOT_FORESEEN, Trial, is_whole_if

if TYPE_CHECKING:
    from dunerules.runtime.machine import Machine

__all__ = ["FREE", "Legality", "Test"]

Test: TypeAlias = Callable[[State, Frame], bool]
"""Whether something can be done. Slots of the frame may be written to."""

_Need: TypeAlias = Callable[[State, Frame, dict[int, int]], bool]
"""The same for one step: cells by number, with what was spent of them before."""

_TAKING = frozenset({"pay", "lose", "move"})
_COUNTED = frozenset({"exactly", "top", "bottom", "random"})
_HARMLESS = frozenset({"look", "reveal", "pass", "roll"})
"""Verbs that change nothing others ask for."""

_PASSED_OVER = (p.Instead, p.Emit)
"""Codes that give nothing up."""


def _free(s: State, f: Frame) -> bool:
    return True


FREE: Test = _free
"""The test of what gives nothing up."""


class Legality:
    """Judges code without running it. What code asks is found out once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.trial = Trial(machine, self)
        self._functions: dict[int, Asked] = {}
        self._needs: dict[int, _Need | None] = {}
        self._ranges: dict[tuple[int, int, int, bool], Test] = {}

    def affordable(self, s: State, f: Frame, program: int, start: int, end: int, *, option: bool = False) -> bool:
        """Whether everything that must be given up between two places of a program can be.

        What is an `option` must also do something: an `if` that does not hold, and nothing else, is none.
        """
        test = self._range(program, start, end, option)
        return test is FREE or test(s, Frame(program, f.you, f.owner, f.this, f.here, f.slots[:]))

    def program(self, program: int) -> Test:
        """The test of a whole program, in a frame of its own."""
        return self._range(program, 0, len(self.machine.programs[program].code)) if program >= 0 else FREE

    def _range(self, program: int, start: int, end: int, option: bool = False) -> Test:
        test = self._ranges.get((program, start, end, option))
        if test is None:
            code = self.machine.programs[program].code
            test = self._simple(code, start, end) or self._tried(program, start, end, option)
            self._ranges[program, start, end, option] = test
        return test

    def _tried(self, program: int, start: int, end: int, option: bool) -> Test:
        return lambda s, f: self.trial.possible(s, f, program, start, end, option=option)

    def _simple(self, code: tuple[p.Code, ...], start: int, end: int) -> Test | None:
        """The test of code in which no step changes what a later one needs, but for what both take from one cell."""
        steps: list[_Need] = []
        needs, last, changes = 0, 0, False
        given: set[int] = set()
        pc = start
        while pc < end:
            each, pc = code[pc], pc + 1
            if isinstance(each, NOT_FORESEEN):
                break
            if given and any(isinstance(part, m.Local) and slot_number(part) in given for part in walk(each)):
                return None  # it is about what another step gives
            if isinstance(each, p.Do):
                if each.verb == "run" and dict(each.arguments)["slot"].object.type.many:  # type: ignore[union-attr]
                    return None  # what one of them takes the next one may need
                given |= {each.slot} - {-1}
                need = self.need(each)
                if need is not None:
                    if changes or (needs and not self._takes_plainly(each)):
                        return None
                    steps.append(need)
                    needs, last = needs + 1, len(steps)
                    changes = each.verb == "move" or not self._takes_plainly(each)  # moved, they are elsewhere
                elif each.verb in ENDING:
                    break
                else:
                    changes = changes or each.verb not in _HARMLESS
            elif isinstance(each, p.Assign):
                if (changes or needs) and not isinstance(each.value, (m.Constant, m.Local)):
                    changes = True
                steps.append(self._assign(each))
            elif isinstance(each, p.Arrow) and each.chosen and each.end >= end:  # it needs its cost
                end = each.paid
            elif isinstance(each, p.Choose):
                one = None if needs or changes else self._one_of(code, each)
                if one is None:
                    return None
                steps.append(one)
                needs, last, pc = needs + 1, len(steps), each.end
            elif not isinstance(each, _PASSED_OVER):
                return None
        steps = steps[:last]  # nobody asks for what is assigned after the last test
        if not steps:
            return FREE

        def straight(s: State, f: Frame) -> bool:
            spent: dict[int, int] = {}
            for step in steps:
                if not step(s, f, spent):
                    return False
            return True

        return straight

    def _one_of(self, code: tuple[p.Code, ...], choice: p.Choose) -> _Need | None:
        """Whether one of several options can be taken, if each of them is simple."""
        stops = (*choice.targets[1:], choice.end)
        tests = [self._simple(code, to, stop - 1) for to, stop in zip(choice.targets, stops, strict=True)]
        options = [test for test in tests if test is not None]
        if len(options) < len(tests):
            return None
        return lambda s, f, spent: any(test(s, f) for test in options)

    def _takes_plainly(self, code: p.Do) -> bool:
        """Whether a verb takes a number that does not depend on the state, of a counter or of pieces."""
        if not isinstance(dict(code.arguments).get("what"), (m.CounterRef, m.WordRef)):
            return False
        return not any(isinstance(part, (*_READING, m.Count)) for part in walk((dict(code.arguments)["n"], code.per)))

    def _assign(self, code: p.Assign) -> _Need:
        value, slot = self.asked(code.value), code.slot

        def assign(s: State, f: Frame, spent: dict[int, int]) -> bool:
            f.slots[slot] = value(s, f, -1)
            return True

        return assign

    def asked(self, node: m.Expression) -> Asked:
        """The function of an expression of a program, compiled once; programs live as long as the machine."""
        known = self._functions.get(id(node))
        if known is None:
            known = self._functions[id(node)] = self.machine.evaluator.compile(node)
        return known

    # ---- what one verb needs

    def need(self, code: p.Do) -> _Need | None:
        """Whether one kernel verb can do all it says; nothing if it needs nothing."""
        if id(code) not in self._needs:
            self._needs[id(code)] = self._make(code)
        return self._needs[id(code)]

    def _make(self, code: p.Do) -> _Need | None:
        define = self.machine.evaluator.source.define
        taken = self._taken(code)
        if taken is not None:
            sure, cell, amount, low = taken
            return define(
                "it = -1", *([f"if not ({sure}): return {amount} <= 0"] if sure else []), f"number = {cell}",
                f"spent[number] = given = spent.get(number, 0) + {amount}",
                f"return s.cells[number] - given >= {low}", takes="s, f, spent",
            )  # fmt: skip
        if code.verb == "run":
            return self._slot(dict(code.arguments)["slot"])
        test = self._objects(code)
        return define("it = -1", f"return {test}", takes="s, f, spent") if test else None

    def _taken(self, code: p.Do) -> tuple[str, str, str, int] | None:
        """Of a verb that takes from a cell: what must hold so that there is one, its number, how much is taken, and how
        little may be left; nothing if it takes none."""
        given, evaluator, operations = dict(code.arguments), self.machine.evaluator, self.machine.operations
        if code.verb not in _TAKING:
            return None
        what, amount = given["what"], given["n"]
        if isinstance(amount, m.Quantity) and amount.mode != "exactly":
            return None
        if isinstance(what, m.CounterRef):
            sure = " and ".join(evaluator.sure(evaluator.core.cell_parts(what)))
            return (
                sure,
                evaluator.cell(what),
                operations.amount(code),
                self.machine.table.layout.cells[what.counter].low,
            )
        if not isinstance(what, m.WordRef) or not (code.verb == "lose" or code.paid):
            return None
        sure = " and ".join(evaluator.sure(operations.piece_parts(given)))
        return sure, operations.pool(what, given["source"]), operations.amount(code), 0

    def _objects(self, code: p.Do) -> str:
        """Whether there are as many objects as a verb takes; nothing for verbs that take none."""
        given = dict(code.arguments)
        if code.verb not in _TAKING or given["what"].type.name != "thing":
            return ""
        quantity = given["n"]
        assert isinstance(quantity, m.Quantity)
        if quantity.mode not in _COUNTED or not (code.paid or quantity.mode == "exactly"):
            return ""
        operations = self.machine.operations
        there = f"len({operations.candidates(given)})"
        if quantity.mode in {"top", "bottom"}:
            there = f"({there} + {operations.behind(given)})"
        return operations.needs_objects(code, there)

    def _slot(self, ref: m.Expression) -> _Need | None:
        assert isinstance(ref, m.SlotRef)
        if isinstance(ref.object, m.ObjectRef):
            placed = self._placed(ref.slot, ref.object)
            test = self._simple(placed, 0, len(placed)) if placed is not None else None
            if test is not None:
                return None if test is FREE else lambda s, f, spent: test(s, f)
        thing, inner = self.machine.evaluator.compile(ref.object), self._inner(ref)
        return lambda s, f, spent: inner(s, f, thing(s, f, -1), f.here)

    def _inner(self, ref: m.SlotRef) -> Callable[[State, Frame, int, int], bool]:
        """The test of what is in a slot of something, in a frame that stands there."""
        column = self.machine.table.programs_of(ref.slot, ref.object.type.name)
        is_place = ref.object.type.name == "place"

        @guarded
        def test(s: State, f: Frame, number: int, here: int) -> bool:
            inner = self.program(column[number])
            if inner is FREE:
                return True
            program = column[number]
            slots = [0] * self.machine.programs[program].slots
            return inner(s, Frame(program, f.you, f.you, number, number if is_place else here, slots))

        return test

    def _placed(self, slot: str, place: m.ObjectRef) -> tuple[p.Code, ...] | None:
        """The code in a slot of a place with the place written out, if it needs no frame that stands there."""
        table = self.machine.table
        program = table.programs[slot][table.label(place.kind, place.id)]
        if program < 0:
            return ()
        found = self.machine.programs[program]
        if found.slots or place.type.name != "place" or any(map(self.machine.evaluator.core.needs_place, found.code)):
            return None
        if any(isinstance(each, p.Do) and each.verb == "run" for each in found.code):
            return None  # it may come back to itself
        return tuple(standing_on(each, place) for each in found.code)

    # ---- picks of a cost

    def leaving(self, code: p.Do, program: int, pc: int, after: int) -> Callable[[State, Frame, int], bool] | None:
        """Whether the rest of a cost can still be paid when one thing is picked for a step of it; nothing if that makes
        no difference."""
        quantity = dict(code.arguments)["n"]
        single = isinstance(quantity, m.Quantity) and quantity.mode == "exactly"
        if not (code.paid and single and code.verb == "move"):
            return None
        codes = self.machine.programs[program].code
        arrows = [each.paid for at, each in enumerate(codes) if isinstance(each, p.Arrow) and at < pc < each.paid]
        end = min(arrows, default=len(codes))
        if self._range(program, after, end) is FREE:
            return None
        return lambda s, f, thing: self.trial.possible_after(s, f, program, pc, (thing,), end)

    # ---- tests as text

    def text(self, code: tuple[p.Code, ...]) -> str | None:
        """The test of straight code as Python, if it is simple: at most one verb gives something up, and reads no slot.

        It is asked where a move is offered, and stands on nothing.
        """
        found, changes = "True", False
        for each in code:
            if isinstance(each, p.Do):
                test = self._text(each)
                if test is None or (test != "True" and (changes or found != "True" or _reads_slots(each))):
                    return None
                if test != "True":
                    found = test
                changes = changes or each.verb not in _HARMLESS
            elif isinstance(each, NOT_FORESEEN):
                break
            elif not isinstance(each, (p.Assign, *_PASSED_OVER)):
                return None
        return found

    def _text(self, code: p.Do) -> str | None:
        taken = self._taken(code)
        if taken is not None:
            sure, cell, amount, low = taken
            test = f"(s.cells[{cell}] - {amount} >= {low})"
            return f"({test} if {sure} else {amount} <= 0)" if sure else test
        if code.verb != "run":
            return self._objects(code) or "True"
        ref, evaluator = dict(code.arguments)["slot"], self.machine.evaluator
        assert isinstance(ref, m.SlotRef)
        if isinstance(ref.object, m.ObjectRef):
            placed = self._placed(ref.slot, ref.object)
            if placed is not None:
                return self.text(placed)
        if ref.object.type.many:
            return None
        column, thing = self.machine.table.programs_of(ref.slot, ref.object.type.name), evaluator.text(ref.object)
        name = evaluator.source.name
        return f"({name(column)}[{thing}] < 0 or {name(self._inner(ref))}(s, f, {thing}, -1))"

    # ---- bodies that would do nothing

    def idle(self, code: tuple[p.Code, ...], start: int, end: int) -> str:
        """Whether a body has nothing to do now: it is an `if` that does not hold, or runs a slot that is not there."""
        first, evaluator = code[start], self.machine.evaluator
        if isinstance(first, p.Unless) and is_whole_if(code, start, end):
            held = self.idle(code, start + 1, first.to - 1)
            other = self.idle(code, first.to, end) if first.to < end else "True"
            return f"({held} if {evaluator.text(first.condition)} else {other})"
        if not isinstance(first, p.Do) or first.verb != "run" or start + 1 < end:
            return "False"
        ref = dict(first.arguments)["slot"]
        assert isinstance(ref, m.SlotRef)
        if ref.object.type.many:
            return "False"
        column = self.machine.table.programs_of(ref.slot, ref.object.type.name)
        return f"({evaluator.source.name(column)}[{evaluator.text(ref.object)}] < 0)"


_READING = (m.CounterRef, m.PieceRef, m.ValueRef, m.Named, m.SeatRef, m.FieldRef, m.Total)
"""What is read off the state, or may be."""


def _reads_slots(code: p.Do) -> bool:
    return any(isinstance(each, m.Local) and each.name.startswith("#") for each in walk(code))
