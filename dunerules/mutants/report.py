"""What is told of mutants: the line that is kept of each, and the score."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dunerules.checker.cache import engine_fingerprint
from dunerules.digests import digest
from dunerules.kept import sealed
from dunerules.mutants.places import Mutant
from dunerules.mutants.run import KILLED, REFUSED, SAME, SURVIVED, Tried
from dunerules.packs.library import Selection
from dunerules.results import Results
from dunerules.scenarios.record import Scenario

__all__ = ["RESULTS", "Score", "fingerprint", "line_of", "shown"]

_PARTS = ("mutant", "plan", "file", "line", "column", "operator", "before", "after", "result", "by", "reached")


def _fits(line: dict[str, Any]) -> bool:
    """Whether a line can be counted."""
    texts = all(isinstance(line.get(name), str) for name in ("file", "operator", "before", "after", "by"))
    numbers = all(type(line.get(name)) is int for name in ("line", "column", "reached"))
    return texts and numbers and line.get("result") in {KILLED, SURVIVED, REFUSED, SAME}


RESULTS = Results(
    "mutation",
    "mutant",
    _PARTS,
    _fits,
    "this file belongs to other mutants (pack, scenarios, seed, number or version differ)",
)
"""How results are kept."""


def fingerprint(selection: Selection, scenarios: list[Scenario], most: int, seed: int) -> str:
    """What must be equal for two lines to belong into one file."""
    files = [file.data for pack in selection.packs for file in (pack.manifest, *pack.files)]
    texts = {each.key.source.name: each.key.source.text for each in scenarios}
    names = [f"{each.key.source.name} {each.name}" for each in scenarios]
    return digest(engine_fingerprint(), *files, *texts.values(), *names, str(most), str(seed))[:12]


def line_of(number: int, plan: str, mutant: Mutant, tried: Tried) -> dict[str, Any]:
    """The line of a mutant."""
    edit = mutant.edit
    said = {
        "mutant": number,
        "plan": plan,
        "file": mutant.file,
        "line": mutant.line,
        "column": mutant.column,
        "operator": edit.operator,
        "before": edit.before,
        "after": edit.after,
        "result": tried.result,
        "by": tried.by,
        "reached": tried.reached,
    }
    return sealed("mutation", said)


@dataclass
class Score:
    """What many lines say together."""

    results: Counter[str] = field(default_factory=Counter)
    operators: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, line: dict[str, Any]) -> None:
        """Count one mutant."""
        self.results[line["result"]] += 1
        self.operators.setdefault(line["operator"], Counter())[line["result"]] += 1

    @property
    def mutants(self) -> int:
        """How many changes count: the checker accepts them, and the rules differ."""
        return self.results[KILLED] + self.results[SURVIVED]

    def lines(self, name: str) -> list[str]:
        """The score for people, line by line."""
        refused, same = self.results[REFUSED], self.results[SAME]
        tried = f"{self.results.total()} changes: {refused} refused by check, {same} without another rule"
        if not self.mutants:
            return [f"{name}: {tried}, no mutants"]
        killed, survived = self.results[KILLED], self.results[SURVIVED]
        lines = [f"{name}: {tried}, {self.mutants} mutants"]
        lines.append(f"{killed} noticed, {survived} not noticed: {100 * killed / self.mutants:.1f} %")
        lines += ["", f"{'operator':24} {'mutants':>8} {'noticed':>8} {'%':>6}"]
        for operator, row in sorted(self.operators.items()):
            count = row[KILLED] + row[SURVIVED]
            if count:
                lines.append(f"{operator:24} {count:8} {row[KILLED]:8} {100 * row[KILLED] / count:6.1f}")
        return lines


def shown(line: dict[str, Any]) -> str:
    """A mutant that nobody noticed, on one line."""
    place = f"{line['file']}:{line['line']}:{line['column']}"
    reached = line["reached"]
    by = "reached by no scenario" if not reached else f"reached by {reached} scenario{'s' * (reached != 1)}"
    return f"{place}: {line['operator']}: `{line['before']}` -> `{line['after']}` ({by})"
