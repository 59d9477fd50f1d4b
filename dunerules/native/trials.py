"""What is tried, printed as C: what each code does on a copy of the game."""

from __future__ import annotations

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.native.expressions import Writer
from dunerules.native.ops import Op, UnsupportedError, group
from dunerules.native.steps import StepWriter
from dunerules.native.unit import Unit
from dunerules.runtime.foreseeing import needed_in, sides_in, without
from dunerules.runtime.trial import ENDING, NOT_FORESEEN, behind_jumps
from dunerules.runtime.verbs import slot_run

__all__ = ["leaving", "payable", "possible", "slot_possible", "try_step", "whole"]


# ---- calls


def possible(w: Writer, node: ir.Call, program: int, start: int, end: int, option: bool) -> Op:
    """Whether all between two places of a program can be done."""
    _tried(w.unit, program)
    return w.temp("truth", f"possible(x, {w.frame}, {program}, {start}, {end}, {int(option)})")


def leaving(w: Writer, node: ir.Call, program: int, pc: int, end: int) -> Op:
    """Those things that leave what else a cost needs."""
    _tried(w.unit, program)
    code = w.unit.shop.programs.all[program].code[pc]
    assert isinstance(code, p.Do)
    things, take = w.group(node.arguments[1]), _take(w.unit, code)
    return w.temp("group", f"leaving(x, {w.frame}, {program}, {pc}, {end}, {things}, {take})")


def slot_possible(w: Writer, node: ir.Call, slot: str, kind: str) -> Op:
    """Whether what is in a slot of something can be done, in a frame that stands there."""
    unit = w.unit
    column = unit.table.programs_of(slot, kind)

    def made(name: str) -> tuple[str, list[str]]:
        programs = unit.constant(column)
        lines = ["nest(x);", "i32 *before = x->room;", "int found = 1;"]
        lines.append(f"i64 program = column(x, {programs}, {len(column)}, number);")
        lines.append("switch (program) {")
        for program in sorted(set(column) - {-1}):
            slots = unit.shop.programs.all[program].slots
            here = "number" if kind == "place" else "here"
            frame = f"loose(x, you, you, number, {here}, {slots})"
            lines.append(f"case {program}: found = {whole(unit, program)}(x, {frame}); break;")
        lines += ["default: break;", "}", "x->room = before;", "x->depth--;", "return found;"]
        return f"static int {name}(X *x, i64 you, i64 number, i64 here)", lines

    function = unit.once(("slot possible", slot, kind), "S", made)
    return w.temp("truth", f"{function}(x, {', '.join(map(w.number, node.arguments))})")


def payable(w: Writer, node: ir.Call, cost: int) -> Op:
    """Whether a cost can be paid, in a frame with these slots."""
    you, slots = node.arguments
    given, count = w.slots_of(slots)
    frame, seat = w.fresh("h"), w.number(you)
    w.line(f"Frame *{frame} = loose(x, {seat}, {seat}, -1, -1, {count});")
    if count:
        w.line(f"memcpy({frame}->slot, {given}, sizeof {given});")
    return w.temp("truth", f"{whole(w.unit, cost)}(x, {frame})")


def whole(unit: Unit, program: int) -> str:
    """The test of a whole program, in a frame of its own."""
    code = unit.shop.programs.all[program].code
    condition = unit.shop.legality.condition(code, 0, len(code))

    def made(name: str) -> tuple[str, list[str]]:
        signature = f"static int {name}(X *x, Frame *f)"
        if condition is None:
            _tried(unit, program)
            return signature, [f"return possible(x, f, {program}, 0, {len(code)}, 0);"]
        w = Writer(unit, slots=unit.shop.programs.all[program].slots)
        w.line("S *s = x->s; (void)s; (void)f;")
        w.line(f"return {w.truth(condition)};")
        return signature, w.lines

    return unit.once(("whole", program), "T", made)


# ---- programs that are tried


def _tried(unit: Unit, program: int) -> None:
    """Take note of a program that is tried: what its codes do is printed."""
    if program not in unit.tried:
        unit.tried[program] = ""
        unit.tried[program] = _function(unit, program)


def try_step(unit: Unit) -> list[str]:
    """What the code does where a trial stands."""
    lines = ["(void)x;", "switch (top_at(t)->program) {"]
    lines += [f"case {program}: return {name}(x, t);" for program, name in sorted(unit.tried.items())]
    return [*lines, "default: fail(x, FAIL_BOUNDS);", "}"]


def _function(unit: Unit, program: int) -> str:
    code = unit.shop.programs.all[program].code
    slots = unit.shop.programs.all[program].slots
    lines = ["S *s = x->s; (void)s;", "At *at = top_at(t);", "Frame *f = at->f; (void)f;", "switch (at->pc) {"]
    codes = _Codes(unit, code, slots)
    for pc, each in enumerate(code):
        lines += [f"case {pc}: {{", *codes.lines(each, pc), "}"]
    lines += ["default: fail(x, FAIL_BOUNDS);", "}"]
    return unit.function("static int @(X *x, Trial *t)", lines, "Y")


_ON = ["at->pc++;", "at->option = 0;", "return TRY_ON;"]


class _Codes:
    """The codes of a program that is tried."""

    def __init__(self, unit: Unit, code: tuple[p.Code, ...], slots: int) -> None:
        self.unit = unit
        self.code = code
        self.w = Writer(unit, slots=slots)

    def lines(self, code: p.Code, pc: int) -> list[str]:
        """What it does; where the trial then stands."""
        if isinstance(code, NOT_FORESEEN):
            return ["return TRY_YES;"]
        built = getattr(self, f"_{type(code).__name__.lower()}", None)
        if built is None:
            return _ON
        self.w.lines = []
        built(code, pc)
        return self.w.lines

    def _on(self) -> None:
        self.w.lines += _ON

    def _to(self, place: int, option: str = "0") -> None:
        self.w.lines += [f"at->pc = {place};", f"at->option = {option};", "return TRY_ON;"]

    def _build(self, node: m.Expression) -> ir.Expr:
        return self.unit.core.build(node)

    def _jump(self, code: p.Jump, pc: int) -> None:
        if code.to <= pc:
            self.w.line("return TRY_YES;")
        else:
            self._to(code.to)

    def _unless(self, code: p.Unless, pc: int) -> None:
        behind = self.code[code.to - 1]
        is_if = not code.implied and isinstance(behind, p.Jump)
        reach = behind_jumps(self.code, behind.to) if isinstance(behind, p.Jump) else -1
        self.w.line(f"int whole = at->option && {int(is_if)} && {reach} >= at->end;")
        with self.w.block(f"if ({self.w.truth(self._build(code.condition))})"):
            self._to(pc + 1, "whole")
        if code.paid:
            self.w.line("return TRY_NO;")
            return
        self.w.line(f"if (whole && {behind_jumps(self.code, code.to)} >= at->end) return TRY_NO;")
        self._to(code.to, "whole")

    def _assign(self, code: p.Assign, pc: int) -> None:
        value = self.w.slot_value(self._build(code.value))
        self.w.line(f"*slot(x, f, {code.slot}) = {value};")
        self._on()

    def _arrow(self, code: p.Arrow, pc: int) -> None:
        if code.chosen:
            self.w.line("i32 program = at->program, depth = at->depth;")
            self.w.line(f"at->pc = {code.end}, at->option = 0;")
            self.w.line(f"stand(x, t, f, program, {pc + 1}, {code.paid}, 0, depth);")
            self.w.line("return TRY_ON;")
        else:
            self._to(code.end)

    def _choose(self, code: p.Choose, pc: int) -> None:
        stops = (*code.targets[1:], code.end)
        tests = [f"try_option(x, t, {to}, {stop - 1})" for to, stop in zip(code.targets, stops, strict=True)]
        self.w.line(f"if (!({' || '.join(tests)})) return TRY_NO;")
        self._to(code.end)

    def _pickthings(self, code: p.PickThings, pc: int) -> None:
        some = self.w.truth(make.anything(self.unit.core.group(code.of)))
        self.w.line(f"if (!{some}) return TRY_NO;")
        self._to(code.end)

    # ---- verbs

    def _do(self, code: p.Do, pc: int) -> None:
        w, unit = self.w, self.unit
        if code.verb in ENDING:
            w.line("return TRY_YES;")
            return
        ref = slot_run(code)
        if ref is not None:
            self._run(ref, code)
            return
        steps = unit.shop.verbs.steps(code)
        ask, sides = st.asked_in(steps), sides_in(steps)
        if sides is not None:
            self._roll(code, sides)
            return
        w.line(f"if (!{_foreseen(unit, steps if ask is None else needed_in(steps))}(x, f)) return TRY_NO;")
        w.line("if (s->has_result) return TRY_YES;")
        if ask is not None and code.slot >= 0:
            nothing = (
                "(Slot){NUMBER, 0}"
                if ask.kind == "number"
                else "(Slot){GROUP, 0}"
                if code.many
                else "(Slot){NUMBER, -1}"
            )
            w.line(f"*slot(x, f, {code.slot}) = {nothing};")
        if ask is not None and unit.shop.legality.trial.foreseeing.foreseen(code).picks:
            self._pick(code, ask)
        else:
            self._on()

    def _pick(self, code: p.Do, ask: st.Ask) -> None:
        w = self.w
        assert ask.amount is not None
        things, count = w.group(ask.group), w.number(ask.amount)
        w.line("at->pc++, at->option = 0;")
        w.line(f"return try_picks(x, t, {things}, {count}, {_take(self.unit, code)});")

    def _roll(self, code: p.Do, sides: ir.Expr) -> None:
        if code.slot < 0:
            self._on()
            return
        count = self.w.number(sides)
        self.w.line("at->pc++, at->option = 0;")
        self.w.line(f"return try_roll(x, t, {count}, {code.slot});")

    def _run(self, ref: m.SlotRef, code: p.Do) -> None:
        """What stands in a slot is tried in a frame of its own; of several the first one first."""
        w, unit, kind = self.w, self.unit, ref.object.type.name
        column = unit.table.programs_of(ref.slot, kind)
        for program in sorted(set(column) - {-1}):
            _tried(unit, program)
        every = [unit.shop.programs.all[each] for each in range(len(unit.shop.programs.all))]
        sizes = unit.constant([len(each.code) for each in every])
        slots = unit.constant([each.slots for each in every])
        w.line("i32 depth = at->depth;")
        w.line("at->pc++, at->option = 0;")
        w.line("if (depth >= TRIAL_DEEPEST) return TRY_ON;")
        things = w.group(unit.core.group(ref.object))
        with w.block(f"for (i32 k = {things}.n - 1; k >= 0; k--)"):
            w.line(f"i64 number = {things}.at[k], program = column(x, {unit.constant(column)}, {len(column)}, number);")
            w.line("if (program < 0) continue;")
            w.line("spend(x);")
            here = "number" if kind == "place" else "f->here"
            w.line(f"Frame *inner = loose(x, f->you, f->you, number, {here}, {slots}[program]);")
            w.line(f"stand(x, t, inner, (i32)program, 0, {sizes}[program], 0, depth + 1);")
        w.line("return TRY_ON;")


def _foreseen(unit: Unit, steps: st.Steps) -> str:
    """What steps do on a copy of the game: 0 if something they need is not there."""
    w = StepWriter(unit, foreseen=True)
    w.steps(steps)
    return unit.function("static int @(X *x, Frame *f)", ["S *s = x->s; (void)s; (void)f;", *w.whole(), "return 1;"])


def _take(unit: Unit, code: p.Do) -> str:
    """What a verb does on a copy of the game with things that are picked for it."""
    steps = unit.shop.verbs.steps(code)
    ask = st.asked_in(steps)
    if ask is None:
        raise UnsupportedError("a pick that is not asked for")
    plain = tuple(step for step in steps if not isinstance(step, st.Need))
    w = StepWriter(unit, {ask.name: group("picked")}, foreseen=True)
    w.steps(without(plain, ask))
    lines = [line.replace("return 1;", "return;").replace("return 0;", "return;") for line in w.whole()]
    lines = ["S *s = x->s; (void)s; (void)f; (void)picked;", *lines]
    return unit.function("static void @(X *x, Frame *f, Group picked)", lines)
