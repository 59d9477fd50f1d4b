"""Where a text stands: the words it can use, what `this` is, and the names bound around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import PLACE, THING, Type
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.nearest import nearest

__all__ = ["Fault", "Report", "Scope"]


@dataclass(frozen=True, slots=True)
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

    def add(self, code: str, message: str, span: Offsets, expected: str = "", near: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(code, message, span, expected, near))

    def unknown(self, code: str, what: str, name: str, span: Offsets, known: set[str], expected: str = "") -> None:
        """A name that nothing declares."""
        self.add(code, f"unknown {what} `{name}`", span, expected, nearest(name, known))


@dataclass(frozen=True, slots=True)
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

    def bound(self, name: str, kind: Type) -> Scope:
        """The same scope with one more local name."""
        return Scope(self.words, self.report, self.this, self.here, {**self.locals, name: kind}, self.it, self.pattern)

    def trying(self) -> Scope:
        """The same scope with a report of its own, to see whether something would fit."""
        return Scope(self.words, Report(), self.this, self.here, self.locals, self.it, self.pattern)

    def filtering(self, candidate: Type) -> Scope:
        """The scope inside a filter."""
        return Scope(self.words, self.report, self.this, self.here, self.locals, candidate, pattern=False)

    def matching(self, pattern: bool = True) -> Scope:
        """The scope inside a pattern."""
        return replace(self, pattern=pattern)
