"""Steps of the core printed as C: as they are done, as they are foreseen, or as they list what may be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.native.expressions import Writer
from dunerules.native.ops import CTYPES, FORMS, Op, UnsupportedError, converted, number
from dunerules.native.unit import Unit

__all__ = ["StepWriter"]


class StepWriter(Writer):
    """Writes steps. There is a method for every record.

    Done, they go to the label of a place, or leave the function. Foreseen, they return 0 where something is needed that
    is not there.
    """

    def __init__(
        self, unit: Unit, names: dict[str, Op] | None = None, *, foreseen: bool = False, slots: int = 0, end: int = -1
    ) -> None:
        super().__init__(unit, names, slots=slots)
        self.foreseen = foreseen
        self.end = end
        """The place behind the last one of a program."""
        self.place = -1
        """The place whose steps are written."""
        self.declared: list[str] = []
        """What is named may be spoken of behind the block where it was named, so it is declared at the beginning."""
        self.places: set[int] = set()
        """Every place that is gone to, or stood at."""
        self.stood: set[int] = set()
        """The places where a frame may be left standing, and be taken up again."""
        self.returned: set[int] = set()
        """The places that are gone back to."""

    def whole(self) -> list[str]:
        """All that was written, with what it names."""
        return [*self.declared, *self.lines]

    def begin(self) -> None:
        """What comes now speaks of nothing that was named before."""
        self.names = {}

    def steps(self, steps: Sequence[st.Step]) -> None:
        """Steps in order."""
        for step in steps:
            printed: Callable[[Any], None] | None = getattr(self, f"_step_{type(step).__name__.lower()}", None)
            if printed is None:
                raise UnsupportedError(f"the step `{type(step).__name__}`")
            printed(step)

    def let(self, name: str, op: Op) -> None:
        """A name for what something is now. Named again, it stays of the kind it was."""
        known = self.names.get(name)
        if known is None:
            known = self.names[name] = Op(op.kind, self.fresh("v"))
            self.declared.append(f"{CTYPES[op.kind]} {known.text};")
        self.line(f"{known.text} = {converted(op, known.kind)};")

    def _step_let(self, step: st.Let | st.Draw) -> None:
        self.let(step.name, self.expr(step.of))

    _step_draw = _step_let

    def _step_clamp(self, step: st.Clamp) -> None:
        name = self.names[step.name].text
        if step.rises:
            self.line(f"if ({name} > {step.high}) {name} = {step.high};")
        if step.falls:
            self.line(f"if ({name} < {step.low}) {name} = {step.low};")

    def _step_need(self, step: st.Need) -> None:
        if self.foreseen and step.test != make.TRUE:
            self.line(f"if (!{self.truth(step.test)}) return 0;")

    def _step_when(self, step: st.When) -> None:
        if step.test == make.TRUE:
            self.steps(step.then)
            return
        with self.block(f"if ({self.truth(step.test)})"):
            self.steps(step.then)
        if step.otherwise:
            with self.block("else"):
                self.steps(step.otherwise)

    def _step_put(self, step: st.Put) -> None:
        value = self.slot_value(step.value)
        self.line(f"*({self._slot_at(step.slot)}) = {value};")

    def _step_write(self, step: st.Write) -> None:
        value = self.number(step.value)
        self.line(f"*cell(x, {self.number(step.cell)}) = member(x, {value});")

    def _step_carry(self, step: st.Carry) -> None:
        at = self.number(step.at) if step.at is not None else "1"
        by = self.number(step.by) if step.by is not None else "-1"
        things, zone = self.group(step.things), self.number(step.zone)
        if step.origin is not None and not self.foreseen:
            self.line(f"if (x->logs) carried_by(x, {self.frame}, {self.place});")
        self.line(f"carry(x, {things}, {zone}, {at}, {int(step.by is not None)}, {by});")

    def _step_know(self, step: st.Know) -> None:
        seat = self.temp("number", self.number(step.seat)).text if step.seat is not None else ""
        mask = f"(SeatMask)(s->known[thing(x, {{0}})] | seat_bit(x, {seat}))" if seat else str(step.everybody)
        self.loop(step.things, lambda it: self.line(f"knows(s, thing(x, {it}), {mask.format(it)});"))

    def _step_shuffle(self, step: st.Shuffle) -> None:
        self.line(f"shuffle(x, {self.group(step.zones)}, {int(step.unmark is not None)});")

    def _step_roll(self, step: st.Roll) -> None:
        sides = self.temp("number", self.number(step.sides)).text
        shown = self.temp("number", f"{sides} > 0 ? draw(x, {sides}) + 1 : 0").text
        if step.slot >= 0:
            self.line(f"*({self._slot_at(step.slot)}) = number_slot(x, {shown});")

    def _step_note(self, step: st.Note) -> None:
        if self.foreseen:
            return
        with self.block("if (x->logs)"):
            told = self.truth(step.test)
            with self.block(f"if ({told})"):
                self._told(step)

    def _told(self, step: st.Note) -> None:
        parts = [self.expr(part) for part in step.parts]
        kinds = [op.kind for op in parts]
        origin = self.frame if step.origin is not None else "0"
        if kinds == ["text", *["number"] * 3, "text"] and origin == "0":
            self.line(f"log_change(x, {', '.join(op.text for op in parts)});")
            return
        self.line(f"log_entry(x, {len(parts) + 1});")
        for op in parts:
            self.line(f"log_any(x, {converted(op, 'any')});")
        self.line(f"log_origin(x, {origin}, {self.place});")

    def _step_perform(self, step: st.Perform) -> None:
        if not self.foreseen:
            self.expr(step.call)

    def _step_react(self, step: st.React | st.Replace) -> None:
        if self.foreseen:
            return
        with self.block(f"if ({self.truth(step.test)})"):
            self.line(f"if ({self.truth(step.call)}) return;")

    _step_replace = _step_react

    def _step_win(self, step: st.Win) -> None:
        self.line(f"win(x, {self.group(step.seats)});")
        self.line("return 1;" if self.foreseen else "return;")

    # ---- asking

    def _step_question(self, step: st.Question) -> None:
        with self.block("if (!s->answered)"):
            self.steps(step.before)
            kind, call = self.unit.asking(self, step.call)
            picked = self.fresh("p")
            self.line(f"Group {picked};")
            self.line(f"if (!{call.replace('@', picked)}) return;")
            self.let(step.name, Op(kind, picked))
        with self.block("else"):
            if step.answered.means == ("answered by position",):
                self.let(step.name, Op(kind, "lying_at(x, answered(x, AS_ROWS))"))
            else:
                self.let(step.name, Op(kind, f"answered(x, {FORMS[kind]})"))

    # ---- where a program goes on

    def _step_stand(self, step: st.Stand) -> None:
        self.places.add(step.place)
        self.stood.add(step.place)
        self.line(f"{self.frame}->pc = {step.place};")

    def _step_go(self, step: st.Go) -> None:
        self._goes_to(step.place)
        self.line(f"goto L{step.place};")

    def _step_follow(self, step: st.Follow) -> None:
        for place in step.places:
            self._goes_to(place)
        with self.block(f"switch ({self.number(step.number)})"):
            for which, place in enumerate(step.places):
                self.line(f"case {which}: goto L{place};")
        self.line("fail(x, FAIL_BOUNDS);")

    def _goes_to(self, place: int) -> None:
        self.places.add(place)
        if place <= self.place:
            self.returned.add(place)

    def _step_hand(self, step: st.Hand) -> None:
        self.expr(step.call)
        self.line("return;")

    def _step_act(self, step: st.Act) -> None:
        self.line(f"{self.frame}->you = (i32){self.number(step.seat)};")

    # ---- what may be done

    def _step_for(self, step: st.For) -> None:
        over = self._counted(step.over, 0) if step.limit is not None else step.over

        def each(it: str) -> None:
            with self.named(step.name, number(it)):
                self.steps(step.steps)

        self.loop(over, each)

    def _step_counted(self, step: st.Counted) -> None:
        self.steps(step.steps)

    def _step_store(self, step: st.Store) -> None:
        self.let(step.name, self.temp("store", "new_store(x)"))

    def _step_option(self, step: st.Option) -> None:
        _, called, *picks = step.parts
        assert isinstance(called, ir.Text)
        assert called.value is not None
        row = self.fresh("r")
        self.line(f"i32 *{row} = new_row(x, l, ROW_MOVE);")
        self.line(f"{row}[1] = {self.unit.moves[called.value]};")
        for place, pick in enumerate(picks):
            self.line(f"{row}[{place + 2}] = member(x, {self.number(pick)});")
