"""Programs by number: what packs say, the reactions of what lasts, strands, and what is the engine's own.

States mention these numbers, so they are given before a game begins, in the order of the packs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.labels import program_labels
from dunerules.runtime.limits import DEEPEST, FUEL, beyond
from dunerules.runtime.state import Frame, State
from dunerules.understanding.ruleset import Ruleset

__all__ = ["Programs", "Until"]


@dataclass(frozen=True, slots=True)
class Until:
    """An `until` of a program, and the programs of its clauses in order, -1 for those that have none."""

    code: p.Lasting
    programs: tuple[int, ...]


class Programs:
    """Everything that can be run."""

    def __init__(self, rules: Ruleset) -> None:
        self.all: list[p.Program] = []
        self.untils: list[Until] = []
        """Every `until`, by number."""
        self.strands: dict[int, tuple[int, int]] = {}
        """By number: what a seat does in a strand of its own is a program too. Where it stands in which other."""
        self.clauses: dict[int, tuple[m.Clause, str]] = {}
        """By number: the lasting reaction or replacement it is of, and its text."""
        self._lasting: dict[tuple[int, int], int] = {}
        self._blank: list[list[int]] = []
        self._labels: list[str] = []
        labels = program_labels(rules)
        for number, program in enumerate(rules.programs):
            self.add(program, labels.get(number, ""))
        self._note()

    def add(self, program: p.Program, label: str = "") -> int:
        """The number of one more program."""
        self.all.append(program)
        self._blank.append([0] * program.slots)
        self._labels.append(label)
        return len(self.all) - 1

    def _note(self) -> None:
        """Number every `until`, and what seats do in strands of their own: as programs that are the same text, up to
        another end. The programs of reactions come after all others, and strands after these."""
        strands: list[tuple[int, int]] = []
        for number, program in enumerate(self.all):  # it grows meanwhile
            for pc, code in enumerate(program.code):
                if isinstance(code, p.Lasting):
                    self._lasting[number, pc] = self._until(code)
                elif isinstance(code, p.Secret):
                    strands.append((number, pc))
        self.strands = {self.add(self.all[number]): (number, pc) for number, pc in strands}

    def _until(self, code: p.Lasting) -> int:
        numbers = tuple(-1 if program is None else self.add(program) for program in code.programs)
        self.clauses |= {
            number: (clause, label) for number, clause, label in zip(numbers, code.clauses, code.labels, strict=True)
        }
        self.untils.append(Until(code, numbers))
        return len(self.untils) - 1

    def push(self, s: State, program: int, you: int, this: int, here: int, arguments: Sequence[Any]) -> None:
        """Run a program next."""
        frames, blank = s.frames, self._blank[program]
        s.fuel += 1
        if s.fuel > FUEL:
            raise beyond(s, "fuel")
        if len(frames) >= DEEPEST:
            raise beyond(s, "depth")
        slots = [*arguments, *blank[len(arguments) :]] if arguments else blank[:]
        frames.append(Frame(program, you, you, this, here, slots, 0, self._labels[program]))

    def slots(self, program: int, arguments: Sequence[Any]) -> list[Any]:
        """The slots of a program that begins with these arguments."""
        blank = self._blank[program]
        return [*arguments, *blank[len(arguments) :]] if arguments else blank[:]

    def label(self, program: int) -> str:
        """What a program is called."""
        return self._labels[program]

    def lasting_number(self, program: int, pc: int) -> int:
        """The number of an `until` by where it stands."""
        return self._lasting[program, pc]

    def strand_number(self, program: int, pc: int) -> int:
        """The number of a strand by where it stands."""
        program, _ = self.strands.get(program, (program, pc))
        return next(number for number, place in self.strands.items() if place == (program, pc))
