"""Steps of the core printed as Python: as they are done, or as they are foreseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.python import Python

__all__ = ["PythonSteps"]


class PythonSteps:
    """Prints steps as lines. There is a method for every record.

    Done, they return true where something else is to happen before the program goes on. Foreseen, they return false
    where something is needed that is not there.
    """

    def __init__(self, python: Python, *, foreseen: bool) -> None:
        self.python = python
        self.text = python.text
        self.name = python.source.name
        self.foreseen = foreseen
        self._known: dict[int, tuple[st.Step, list[str]]] = {}
        """By `id` of a step, which is kept so that no other has the same: the rest of a program is printed for every
        place it goes on from."""
        self._printers: dict[type, Callable[[Any], list[str]]] = {
            kind: getattr(self, f"_{kind.__name__.lower()}") for kind in st.STEPS if kind is not st.Ask
        }

    def function(self, steps: Sequence[st.Step], *takes: str) -> Callable[..., Any]:
        """Steps as a function of the state, the frame and some names."""
        lines = [*self.lines(steps), *(["return True"] if self.foreseen else [])]
        return self.python.source.define(*lines or ["pass"], takes=", ".join(("s", "f", *takes)))

    def listing(self, steps: Sequence[st.Step]) -> Callable[..., list[Any]]:
        """Steps that list what may be done, as a function that gives the list."""
        return self.python.source.define("options = []", *self.lines(steps), "return options", takes="s, f")

    def lines(self, steps: Sequence[st.Step]) -> list[str]:
        """Steps as lines of Python."""
        found: list[str] = []
        for step in steps:
            known = self._known.get(id(step))
            if known is None:
                known = self._known[id(step)] = (step, self._printers[type(step)](step))
            found += known[1]
        return found

    def _let(self, step: st.Let | st.Draw) -> list[str]:
        return [f"{step.name} = {self.text(step.of)}"]

    _draw = _let

    def _clamp(self, step: st.Clamp) -> list[str]:
        above = f"if {step.name} > {step.high}: {step.name} = {step.high}"
        below = f"if {step.name} < {step.low}: {step.name} = {step.low}"
        if step.falls and step.rises:
            return [above, f"el{below}"]
        return [above] if step.rises else [below] if step.falls else []

    def _need(self, step: st.Need) -> list[str]:
        return [f"if not {self.text(step.test)}: return False"] if self.foreseen and step.test != make.TRUE else []

    def _when(self, step: st.When) -> list[str]:
        then, otherwise = self.lines(step.then), self.lines(step.otherwise)
        if step.test == make.TRUE:
            return then
        found = [f"if {self._test(step.test)}:", *(f" {line}" for line in then or ["pass"])]
        return [*found, "else:", *(f" {line}" for line in otherwise)] if otherwise else found if then else []

    def _test(self, node: ir.Expr) -> str:
        """A condition of an `if`, which asks by itself whether a group has any member."""
        return self.text(node.of if isinstance(node, ir.Anything) else node)

    def _put(self, step: st.Put) -> list[str]:
        return [f"f.slots[{step.slot}] = {self.text(step.value)}"]

    def _write(self, step: st.Write) -> list[str]:
        return [f"s.cells[{self.text(step.cell)}] = {self.text(step.value)}"]

    def _carry(self, step: st.Carry) -> list[str]:
        told = f", s.log is not None and {self._origin(step)}" if step.origin is not None and not self.foreseen else ""
        more = {"at": step.at, "by": step.by}
        named = "".join(f", {name}={self.text(each)}" for name, each in more.items() if each is not None)
        return [f"{self.name(step.function.run)}(s, {self.text(step.things)}, {self.text(step.zone)}{told}{named})"]

    def _origin(self, step: st.Carry | st.Note) -> str:
        """Who acts, and what this is part of, for the log."""
        return f"(f.you, {self.name(step.origin.value)})" if step.origin is not None else "()"

    def _know(self, step: st.Know) -> list[str]:
        seen = f"for number in {self.text(step.things)}: s.known[number] ="
        if step.seat is None:
            return [f"{seen} {step.everybody}"]
        return [f"{seen} s.known.get(number, 0) | (1 << {self.text(step.seat)})"]

    def _shuffle(self, step: st.Shuffle) -> list[str]:
        return [
            f"for zone in {self.text(step.zones)}:",
            f" s.zones[zone], s.chance = {self.name(step.function.run)}(s.seed, s.chance, s.zones[zone])",
            " for number in s.zones[zone]: s.known.pop(number, None)",
            *([f" {self.name(step.unmark.run)}(s, s.zones[zone])"] if step.unmark is not None else []),
        ]

    def _roll(self, step: st.Roll) -> list[str]:
        sides = self.text(step.sides)
        shown = f"{self.name(step.function.run)}(s.seed, s.chance, {sides}) + 1"
        keep = [f" f.slots[{step.slot}] = {shown}"] if step.slot >= 0 else []
        otherwise = [f"else: f.slots[{step.slot}] = 0"] if step.slot >= 0 else []
        return [f"if {sides} > 0:", *keep, " s.chance += 1", *otherwise]

    def _note(self, step: st.Note) -> list[str]:
        if self.foreseen:
            return []
        test = "" if step.test == make.TRUE else f" and {self.text(step.test)}"
        entry = ", ".join([*map(self.text, step.parts), self._origin(step)])
        return [f"if s.log is not None{test}:", f" s.log = (s.log, ({entry}))"]

    def _perform(self, step: st.Perform) -> list[str]:
        return [] if self.foreseen else [self.text(step.call)]

    def _react(self, step: st.React | st.Replace) -> list[str]:
        if self.foreseen:
            return []
        return [f"if {self.text(make.all_of((step.test, step.call)))}: return True"]

    _replace = _react

    def _question(self, step: st.Question) -> list[str]:
        before = [f" {line}" for line in self.lines(step.before)]
        asked = [f" {step.name} = {self.text(step.call)}", f" if {step.name} is None: return True"]
        return ["if s.answer is None:", *before, *asked, f"else: {step.name} = {self.name(step.answered.run)}(s)"]

    def _win(self, step: st.Win) -> list[str]:
        return [f"s.result = tuple(sorted({self.text(step.seats)}))", "s.frames.clear()", "s.join()", "return True"]

    # ---- where a program goes on

    def _stand(self, step: st.Stand) -> list[str]:
        return [f"f.pc = {step.place}"]

    def _go(self, step: st.Go) -> list[str]:
        return [f"f.pc = {step.place}", "return"]

    def _follow(self, step: st.Follow) -> list[str]:
        return [f"f.pc = {self.name(step.places)}[{self.text(step.number)}]", "return"]

    def _hand(self, step: st.Hand) -> list[str]:
        return [f"return {self.text(step.call)}"]

    def _act(self, step: st.Act) -> list[str]:
        return [f"f.you = {self.text(step.seat)}"]

    # ---- what may be done

    def _for(self, step: st.For) -> list[str]:
        loop = [f" {line}" for line in self.lines(step.steps)]
        group = self.text(step.over)
        if step.limit is None:
            return [f"for {step.name} in {group}:", *loop]
        many = f"if looks > {step.limit.most}: {self.name(step.limit.function.run)}(s, options, looks)"
        return [f"group = {group}", "looks += len(group)", many, f"for {step.name} in group:", *loop]

    def _counted(self, step: st.Counted) -> list[str]:
        return ["looks = 0", *self.lines(step.steps), f"{self.name(self.python.look)}(s, looks)"]

    def _store(self, step: st.Store) -> list[str]:
        return [f"{step.name} = {{}}"]

    def _option(self, step: st.Option) -> list[str]:
        return [f"options.append(({', '.join(map(self.text, step.parts))}))"]
