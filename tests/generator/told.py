"""Texts that depend on nothing but what they tell of: each is made once for a machine, however often it is told."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from dunerules.chronicle import Happening
from dunerules.dsl import meaning as m
from dunerules.language.grammar import NounPhrase
from dunerules.language.locale import Locale
from dunerules.packs.pack import Pack
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names
from dunerules.runtime.refusals import Reason
from dunerules.runtime.state import State
from dunerules.speech.events import event
from dunerules.speech.printer import Printer
from dunerules.speech.questions import refusal
from dunerules.speech.speaker import Speaker
from dunerules.text.context import Name
from dunerules.understanding.ruleset import Ruleset

__all__ = ["KeptPrinter", "Told"]


_NOBODY: Mapping[str, NounPhrase] = {}


class KeptPrinter(Printer):
    """A printer that says once what it is asked to say again and again: its texts depend on nothing else."""

    def __init__(self, ruleset: Ruleset, packs: tuple[Pack, ...], locale: Locale) -> None:
        super().__init__(ruleset, packs, locale)
        self._said: dict[Hashable, list[tuple[Mapping[str, Name], str]]] = {}
        """By what is said: who is called what in it, and the text."""

    def wish(self, steps: tuple[m.Step, ...], names: Mapping[str, NounPhrase] = _NOBODY) -> str:
        """An effect as something one may want to do."""
        return self._once(("wish", steps), names, lambda: super(KeptPrinter, self).wish(steps, names))

    def steps(self, steps: tuple[m.Step, ...], names: Mapping[str, NounPhrase] = _NOBODY) -> str:
        """An effect as sentences."""
        return self._once(("steps", steps), names, lambda: super(KeptPrinter, self).steps(steps, names))

    def on(self, this: tuple[str, str] | None, step: m.Step, names: Mapping[str, Name]) -> str:
        """A step as it would stand on an object."""
        return self._once(("on", this, step), names, lambda: super(KeptPrinter, self).on(this, step, names))

    def _once(self, key: Hashable, names: Mapping[str, Name], say: Callable[[], str]) -> str:
        said = self._said.setdefault(key, [])
        found = next((text for called, text in said if called == names), None)
        if found is None:
            found = say()
            said.append((names, found))
        return found


@dataclass(frozen=True)
class _Table:
    """A game of which nothing is known but by what it is played. Who looks at its state breaks what is kept here."""

    machine: Machine
    names: Names

    @property
    def state(self) -> State:
        """Where it stands."""
        raise AssertionError("what happened is told by where the game stands now")


class Told:
    """What has happened and why something cannot be done, in all languages."""

    def __init__(self, machine: Machine, names: Names, printers: dict[str, Printer]) -> None:
        seats = machine.table.seats
        table, seating = _Table(machine, names), ("human",) * seats
        self._speakers = {
            (language, seat): Speaker(printer, table, seating, seat)
            for language, printer in printers.items()
            for seat in range(-1, seats)
        }
        self._known: set[Hashable] = set()
        """All that could be told without an error."""

    def event(self, language: str, seat: int, entry: Happening) -> None:
        """Tell a seat what has happened."""
        key = (language, seat, entry)
        if key not in self._known:
            event(self._speakers[language, seat], entry)
            self._known.add(key)

    def refusal(self, language: str, seat: int, reason: Reason) -> None:
        """Tell a seat why it cannot do something."""
        key = (language, seat, reason)
        if key not in self._known:
            refusal(self._speakers[language, seat], reason)
            self._known.add(key)
