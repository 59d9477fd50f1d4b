"""What many games say together: who won, by seat, by bot, and by the objects a pack wants results counted by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from operator import add
from typing import Any

__all__ = ["Summary"]

_MOST_COUNTS = 10
"""Different numbers of rounds that are told one by one."""


def _spread(numbers: list[int]) -> str:
    """How numbers are spread, in a few of them."""
    ordered = sorted(numbers)
    mean, middle = sum(ordered) / len(ordered), ordered[len(ordered) // 2]
    return f"mean {mean:.1f}, median {middle}, {ordered[0]} to {ordered[-1]}"


@dataclass
class Summary:
    """What many lines say together."""

    games: int = 0
    shared: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """By reason: games that were not finished."""
    decisions: list[int] = field(default_factory=list)
    rounds: Counter[int] = field(default_factory=Counter)
    seats: dict[str, list[int]] = field(default_factory=dict)
    bots: dict[str, list[int]] = field(default_factory=dict)
    report: dict[str, list[int]] = field(default_factory=dict)
    """By name: games, wins, points."""

    def add(self, line: dict[str, Any]) -> None:
        """Count one game."""
        self.games += 1
        self.decisions.append(line["decisions"])
        if "error" in line:
            self.errors[line["error"]] += 1
            return
        self.shared += len(line["winners"]) > 1
        self.rounds[line["rounds"]] += 1
        for place, (bot, points, reported) in enumerate(zip(line["bots"], line["points"], line["report"], strict=True)):
            won, score = place + 1 in line["winners"], points[0] if points else 0
            rows = [(self.seats, f"seat {place + 1}"), (self.bots, bot), *((self.report, name) for name in reported)]
            for table, name in rows:
                row = table.setdefault(name, [0, 0, 0])
                row[0] += 1
                row[1] += won
                row[2] += score

    def include(self, other: Summary) -> None:
        """Count all games of another summary too."""
        self.games += other.games
        self.shared += other.shared
        self.decisions += other.decisions
        self.errors.update(other.errors)
        self.rounds.update(other.rounds)
        for table, rows in ((self.seats, other.seats), (self.bots, other.bots), (self.report, other.report)):
            for name, row in rows.items():
                table[name] = [*map(add, table.get(name, (0, 0, 0)), row)]

    def lines(self) -> list[str]:
        """The summary for people, line by line."""
        if not self.games:
            return ["no games"]
        errors = sum(self.errors.values())
        lines = [f"{self.games} games, {self.shared} shared wins, {errors} ended by an error"]
        lines += [f"  {count} of them: {reason}" for reason, count in sorted(self.errors.items())]
        lines.append(f"decisions a game: {_spread(self.decisions)}")
        if any(self.rounds):
            counts = [f"{count} took {number}" for number, count in sorted(self.rounds.items())]
            every = [number for number, count in self.rounds.items() for _ in range(count)]
            few = len(counts) <= _MOST_COUNTS
            lines.append(f"games by rounds: {', '.join(counts)}" if few else f"rounds a game: {_spread(every)}")
        for title, table in (("seat", self.seats), ("bot", self.bots), ("reported", self.report)):
            if len(table) > 1:
                lines += ["", f"{title:32} {'games':>7} {'wins':>7} {'wins %':>7} {'points':>7}"]
                for name, (games, wins, points) in sorted(table.items()):
                    lines.append(f"{name:32} {games:7} {wins:7} {100 * wins / games:7.1f} {points / games:7.2f}")
        return lines
