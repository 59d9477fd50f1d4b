"""Procedures: they start and end, are left, and what lasts begins in them."""

from __future__ import annotations

from typing import Any

from dunerules.runtime.abilities import Abilities
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.events import Events
from dunerules.runtime.limits import LASTING, beyond
from dunerules.runtime.programs import Programs
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Table

__all__ = ["Procedures"]


class Procedures:
    """Runs the procedures of a table."""

    def __init__(
        self, table: Table, evaluator: Evaluator, abilities: Abilities, events: Events, programs: Programs
    ) -> None:
        self.table = table
        self.abilities = abilities
        self.events = events
        self.programs = programs
        self.checking = -1
        """The program that looks whether the game is over."""
        rules, heard, resets = table.rules, abilities.heard, _counters_to_reset(table)
        self.end_event = f"{rules.end[1].moment} {rules.end[1].verb}".strip() if rules.end is not None else ""
        self.spans = {each.limit[1] for each in rules.abilities if each.limit is not None}
        self.all = {
            name: (
                program,
                resets.get(name, []),
                f"start {name}" if f"start {name}" in heard else "",
                f"start {name}" in abilities.replaceable,
            )
            for name, (_, program) in rules.procedures.items()
        }
        self.parameters = {name: parameters for name, (parameters, _) in rules.procedures.items() if parameters}
        """By procedure that has any."""
        self.endings = {
            name: f"end {name}"
            for name in self.all
            if f"end {name}" in heard or f"end {name}" == self.end_event or name in rules.contests
        }
        """By procedure: the event of its end, if anything comes of it."""
        compiled = evaluator.compile
        self.contests = {
            name: (compiled(compared), compiled(among) if among is not None else None)
            for name, (compared, among) in rules.contests.items()
        }
        self.headings = frozenset(rules.screen.get("headings", ()))

    def call(self, s: State, f: Frame, name: str, arguments: list[Any]) -> bool:
        """Start a procedure: its counters go back, its start is announced. It may be replaced."""
        program, resets, event, replaceable = self.all[name]
        if replaceable and self.events.replaced(s, f"start {name}", f.you, self._given(name, arguments)):
            return True
        for base, end, start in resets:
            s.cells[base:end] = start
        if s.used and name in self.spans:
            for key in [key for key in s.used if key.startswith(f"{name}:")]:
                del s.used[key]
        if s.log is not None and name in self.headings:
            s.log = (s.log, ("phase", name))
        self.programs.push(s, program, f.you, f.this, f.here, arguments)
        if event:
            self.events.announce(s, event, f.you, self._given(name, arguments) if arguments else {})
        return True

    def _given(self, name: str, slots: list[Any]) -> dict[str, Any]:
        """What a procedure was called with, by name: its first slots, which are never written to."""
        parameters = self.parameters.get(name)
        return dict(zip(parameters, slots, strict=False)) if parameters else {}

    def unnoticed(self, name: str) -> int | None:
        """The program of a procedure of which nothing else comes: nobody waits for it, no counter goes back."""
        program, resets, event, replaceable = self.all[name]
        noticed = resets or event or replaceable or name in self.spans or name in self.endings
        return None if noticed else program

    def end_of_program(self, s: State, f: Frame) -> bool:
        """The step after the last one of every program."""
        s.frames.pop()
        if f.label in self.endings:
            self._ended(s, f)
        return True

    def leave(self, s: State, name: str) -> bool:
        """End a procedure and everything it started, also what several seats do at once. True if it was running."""
        place = next((n for n in range(len(s.frames) - 1, -1, -1) if s.frames[n].label == name), -1)
        if place < 0:
            return False
        frame = s.frames[place]
        if place < s.floor:
            s.join()
        del s.frames[place:]
        if name in self.endings:
            self._ended(s, frame)
        return True

    def _ended(self, s: State, f: Frame) -> None:
        event = self.endings[f.label]
        if s.log is not None and f.label in self.contests:
            self._tell_contest(s, f.label)
        if event == self.end_event:  # asked when all that reacts has run
            s.frames.append(Frame(self.checking, -1, -1, -1, -1, []))
        if event in self.abilities.heard:
            self.events.announce(s, event, f.you, self._given(f.label, f.slots))

    def _tell_contest(self, s: State, name: str) -> None:
        """The log tells how seats compare."""
        rows = self.compared(s, name)
        if rows:
            s.log = (s.log, ("contest", name, rows))

    def compared(self, s: State, name: str) -> tuple[tuple[int, int], ...]:
        """Who takes part in a contest, and what each comes to now."""
        compared, among = self.contests[name]
        seats = range(self.table.seats) if among is None else among(s, Frame(-1, -1, -1, -1, -1, []), -1)
        return tuple((seat, compared(s, Frame(-1, seat, seat, -1, -1, []), -1)) for seat in sorted(seats))

    def last(self, s: State, number: int, f: Frame, slots: tuple[Any, ...]) -> None:
        """From here on the abilities of an `until` last, for the seat that acts."""
        if len(s.lasting) >= LASTING:
            raise beyond(s, "lasting effects")
        lasting = (number, s.serial, f.you, f.owner, f.this, f.here, slots)
        s.lasting = [*s.lasting, lasting]
        s.serial += 1
        if s.log is not None:
            s.log = (s.log, ("begins", *lasting))


def _counters_to_reset(table: Table) -> dict[str, list[tuple[int, int, list[int]]]]:
    """By procedure: where the cells lie that go back when it starts, and what they go back to."""
    found: dict[str, list[tuple[int, int, list[int]]]] = {}
    for name, data in table.rules.counters.items():
        if "reset" in data:
            cells = table.layout.cells[name]
            rows, base, fresh = found.setdefault(data["reset"], []), cells.base, [cells.start] * cells.size
            if rows and rows[-1][1] == base:  # beside the last ones: both go back at once
                before = rows.pop()
                base, fresh = before[0], before[2] + fresh
            rows.append((base, cells.base + cells.size, fresh))
    return found
