"""Where a text stands: the words it can use, what `this` is, and the names bound around it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from dunerules.dsl.record import record
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import PLACE, THING, Type
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.nearest import nearest

__all__ = ["Fault", "Report", "Scope"]


@record(frozen=True, slots=True)
class Fault:
    """A problem inside a text, before anyone knows which file the text is in."""

    code: str
    message: str
    span: Offsets
    expected: str = ""
    nearest: tuple[str, ...] = ()


@dataclass(slots=True)
class Report:
    """Collects faults, and the verbs and values a text uses."""

    faults: list[Fault] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def clear(self) -> None:
        """Forget everything."""
        self.faults.clear()
        self.used.clear()

    def trial(self) -> Report:
        """A report for something that is only tried."""
        return Report()

    def add(self, code: str, message: str, span: Offsets, expected: str = "", near: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(code, message, span, expected, near))

    def unknown(self, code: str, what: str, name: str, span: Offsets, known: set[str], expected: str = "") -> None:
        """A name that nothing declares."""
        self.add(code, f"unknown {what} `{name}`", span, expected, nearest(name, known))


@record(frozen=True, slots=True)
class Scope:
    """An immutable view of what names mean at one spot of a text."""

    words: Vocabulary
    report: Report
    this: Type = THING
    here: Type = PLACE
    locals: Mapping[str, Type] = field(default_factory=dict)
    it: Type | None = None
    pattern: bool = False
    """Inside a modifier or an event, a group stands for any of its members."""

    called: bool = False
    """In the body of a verb, value or procedure: its names are parameters, and mean what a call gives for them."""

    untold: Mapping[str, str] = field(default_factory=dict)
    """Names of parameters that an event does not tell, and what it does tell."""

    depth: int = 0
    """How many filters are around."""

    candidates: Mapping[str, int] = field(default_factory=dict)
    """Of the local names those of candidates, with the depth of their filters."""

    alone: bool = False
    """Whether the text is a condition or a number, so that no step can stand in it."""

    def bound(self, name: str, kind: Type) -> Scope:
        """The same scope with one more local name."""
        return replace(self, locals={**self.locals, name: kind})

    def telling(self, verb: str, told: Collection[str], names: Collection[str]) -> Scope:
        """The same scope after an event that tells some of the `names` of its parameters."""
        hint = f"what `{verb}` tells: {', '.join(f'`{name}`' for name in ('actor', *told))}"
        return replace(self, untold={name: hint for name in names if name not in told and name not in self.locals})

    def trying(self) -> Scope:
        """The same scope with a report of its own, to see whether something would fit."""
        return self.reporting(self.report.trial())

    def reporting(self, report: Report) -> Scope:
        """The same scope with another report. Every argument of every text is tried, hence the plain call."""
        around = (self.this, self.here, self.locals, self.it, self.pattern, self.called, self.untold)
        return Scope(self.words, report, *around, self.depth, self.candidates, self.alone)

    def filtering(self, candidate: Type) -> Scope:
        """The scope inside a filter."""
        return replace(self, it=candidate, pattern=False, depth=self.depth + 1)

    def naming_it(self, name: str) -> Scope:
        """The same scope inside a filter, with a name for its candidate."""
        assert self.it is not None
        return replace(self.bound(name, self.it), candidates={**self.candidates, name: self.depth})

    def matching(self, pattern: bool = True) -> Scope:
        """The scope inside a pattern."""
        return replace(self, pattern=pattern) if pattern != self.pattern else self
