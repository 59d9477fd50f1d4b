"""What came of a run, in words: counts, coverage, and every cause of failure once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .batch import Batch, Found
from .cells import CELLS
from .files import find, yaml_of
from .play import Case, Failure

__all__ = ["Total", "failure_text", "faults", "missing_cells", "report_lines"]


class Total:
    """Everything that was counted, as plain data that can be written down."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        data = data or {}
        self.done: dict[str, int] = data.get("done", {"effects": 0, "packs": 0})
        """Batches of effects, and packs."""
        self.counts: Counter[str] = Counter(data.get("counts", {}))
        self.tables: dict[str, Counter[str]] = {name: Counter(rows) for name, rows in data.get("tables", {}).items()}
        self.examples: dict[str, str] = data.get("examples", {})
        self.failures: dict[str, dict[str, Any]] = data.get("failures", {})
        """By signature: how often, the first number, and how it is shown."""

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "done": self.done,
            "counts": dict(self.counts),
            "tables": {name: dict(rows) for name, rows in self.tables.items()},
            "examples": self.examples,
            "failures": self.failures,
        }

    def add(self, what: str, batch: Batch) -> list[Found]:
        """Count a batch in; the failures that were not known before."""
        self.done[what] += 1
        counted = {"texts": batch.texts, "effects": batch.effects, "games": batch.games, "decisions": batch.decisions}
        self.counts.update({**counted, f"games of {what}": batch.games})
        tables: dict[str, Counter[Any]] = {
            "refused": batch.refused, "limits": batch.limits, "kinds": batch.kinds,
            "marks": Counter({" | ".join(mark): count for mark, count in batch.marks.items()}),
        }  # fmt: skip
        for name, table in tables.items():
            self.tables.setdefault(name, Counter()).update(table)
        for code, example in batch.examples.items():
            self.examples.setdefault(code, example)
        new = []
        for found in batch.failures:
            known = self.failures.get(found.failure.signature)
            if known is None:
                self.failures[found.failure.signature] = {"count": 1, "what": what, "number": found.number}
                self.show(found.failure.signature, found.case, found.failure)
                new.append(found)
            else:
                known["count"] += 1
        return new

    def show(self, signature: str, case: Case, failure: Failure) -> None:
        """How a failure is shown."""
        self.failures[signature]["shown"] = failure_text(case, failure)


def report_lines(total: Total, *, commit: str, seed: int, seconds: float) -> Iterator[str]:
    """The whole report."""
    counts, tables = total.counts, total.tables
    texts, refused = counts["texts"], sum(tables.get("refused", Counter()).values())
    yield f"commit {commit}, seed {seed}, {seconds:.0f} s"
    yield f"{texts} texts, {counts['games']} games, {counts['decisions']} decisions"
    yield f"{counts['effects']} effects in {total.done['effects']} batches, {counts['games of effects']} games"
    yield f"{total.done['packs']} packs, {counts['games of packs']} games"
    accepted = 100 * (1 - refused / max(1, texts))
    yield f"check accepted {accepted:.1f} % of the texts"
    for code, count in tables.get("refused", Counter()).most_common():
        yield f"  {count:6} {code}: {total.examples.get(code, '')[:300]}"
    limits = tables.get("limits", Counter())
    yield f"ended by a limit: {100 * sum(limits.values()) / max(1, counts['games']):.2f} % of the games; " + (
        ", ".join(f"{name} {count}" for name, count in limits.most_common()) or "none"
    )
    yield "questions: " + ", ".join(f"{kind} {count}" for kind, count in tables.get("kinds", Counter()).most_common())
    yield from _coverage(tables.get("marks", Counter()))
    yield f"not good enough: {'; '.join(faults(total)) or 'nothing'}"
    for signature, found in sorted(total.failures.items(), key=lambda item: -int(item[1]["count"])):
        yield ""
        yield f"{found['count']} x {signature}"
        yield f"  first: {found['what']} number {found['number']}"
        yield from (f"  {line}" for line in str(found["shown"]).splitlines())


def faults(total: Total) -> list[str]:
    """Why a run was not good enough."""
    found = [f"{len(total.failures)} causes of failure"] if total.failures else []
    texts, games = max(1, total.counts["texts"]), max(1, total.counts["games"])
    if sum(total.tables.get("refused", Counter()).values()) > texts / 5:
        found.append("check refused more than 20 % of the texts")
    if sum(total.tables.get("limits", Counter()).values()) > games / 100:
        found.append("more than 1 % of the games ended by a limit")
    missing = missing_cells(total.tables.get("marks", Counter()))
    return [*found, *([f"{len(missing)} cells of the table are missing"] if missing else [])]


def missing_cells(marks: Counter[str]) -> list[str]:
    """Cells of the table that did not occur."""
    return [" | ".join(cell) for cell in CELLS if not marks[" | ".join(cell)]]


def _coverage(marks: Counter[str]) -> Iterator[str]:
    yield "verb, quantity, target: by owner"
    rows: dict[tuple[str, str, str], list[str]] = {}
    for cell in CELLS:
        rows.setdefault(cell[:3], []).append(f"{cell.owner} {marks[' | '.join(cell)]}")
    for (verb, quantity, target), owners in rows.items():
        yield f"  {verb:8} {quantity:8} {target:10} {', '.join(owners)}"
    cells = {" | ".join(cell) for cell in CELLS}
    others = [f"{name.replace(' | ', ' ')} {count}" for name, count in sorted(marks.items()) if name not in cells]
    yield f"also: {', '.join(others)}"
    missing = missing_cells(marks)
    yield f"missing: {'; '.join(missing) or 'none'}"


# ---- one failure


GROUND = ("pack.yaml", "game.yaml", "words.yaml", "spots.yaml", "guilds.yaml", "board.yaml")


def failure_text(case: Case, failure: Failure, *, whole: bool = True) -> str:
    """A failure as it can be pasted: the files of the pack, a scenario, and what went wrong."""
    lines = []
    ground = [name for name in GROUND if name in case.files]
    for name in [*(each for each in case.files if each not in ground), *(ground if whole else ())]:
        if case.files[name]:
            lines += [f"=== {name}", yaml_of(case.files[name])[0].rstrip()]
    lines = [*([f"# requires {', '.join(case.packs)}"] if case.packs else []), *lines]
    if case.runs:
        texts = [
            f"{find(case.files, (f't_{kind}.yaml', 'objects', id_, slot))} of seat {seat + 1}"
            for kind, id_, slot, seat in case.runs
        ]
        lines += ["=== scenario", f"seats: {case.seats}", f"seed: {case.seed}"]
        lines += [
            f"given: {json.dumps(case.given)}",
            f"this: {', '.join(id_ for _, id_, _, _ in case.runs)}",
            f"start: {json.dumps(texts)}",
        ]
    elif case.seats:
        lines += [f"=== a game of {case.seats} seats with seed {case.seed}"]
    if failure.asked:
        lines += [f"answers: {list(failure.answers)}", *(f"  {each}" for each in failure.asked)]
    return "\n".join([*lines, "=== fails", failure.detail.rstrip()])
