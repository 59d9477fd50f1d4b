"""Starting programs: at once, if they are plain, or as what runs next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dunerules.runtime.limits import DEEPEST, beyond, spend
from dunerules.runtime.programs import Programs
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Operation

__all__ = ["Plain", "Starting"]


@dataclass(frozen=True, slots=True)
class Plain:
    """A program that is done at once: nobody is asked, and nothing else happens before its end."""

    run: Operation
    needs_frame: bool
    """Whether it must have a frame of its own; others are run in the one of whoever starts them."""


class Starting:
    """Starts the programs of a table."""

    def __init__(self, programs: Programs) -> None:
        self.programs = programs
        self.make_plain: Callable[[int], Plain | None] | None = None
        """Writes a program as one function, if it is plain: given once steps can be written."""
        self._plain: dict[int, Plain | None] = {}

    def start(self, s: State, f: Frame, program: int, this: int, here: int) -> bool:
        """Do a program at once, if it is plain, or run it next: true if it is still to be run."""
        if self.plainly(s, f, program, this, here, ()):
            return False
        self.programs.push(s, program, f.you, this, here, ())
        return True

    def start_all(
        self, s: State, f: Frame, things: tuple[int, ...], column: Sequence[int], copied: bool, on_place: bool
    ) -> bool:
        """Run the programs of several things next, the first one first: true if there are any."""
        before = len(s.frames)
        for number in reversed(things):
            if column[number] >= 0:
                this, here = (f.this, f.here) if copied else (number, number if on_place else f.here)
                self.programs.push(s, column[number], f.you, this, here, ())
        return len(s.frames) > before

    def plainly(self, s: State, f: Frame, program: int, this: int, here: int, arguments: Sequence[Any]) -> bool:
        """Do a program at once, if it is plain. It counts for the limits as if it were run next."""
        plain = self._plain[program] if program in self._plain else self._made(program)
        if plain is None:
            return False
        spend(s)
        if len(s.frames) >= DEEPEST:
            raise beyond(s, "depth")
        if plain.needs_frame:
            plain.run(s, Frame(program, f.you, f.you, this, here, self.programs.slots(program, arguments)))
        else:
            plain.run(s, f)
        return True

    def _made(self, program: int) -> Plain | None:
        assert self.make_plain is not None
        found = self._plain[program] = self.make_plain(program)
        return found
