"""Rows of the table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Row"]


@dataclass(frozen=True)
class Row:
    """One line of the table. `limit` is the most that is good, or with `more` the least; without one the line is for
    information."""

    group: str
    name: str
    measured: float
    unit: str
    limit: float | None = None
    note: str = ""
    more: bool = False

    @property
    def verdict(self) -> str:
        """Whether the limit is kept."""
        if self.limit is None:
            return ""
        if self.more:
            return "ok" if self.measured >= self.limit else "under"
        return "ok" if self.measured <= self.limit else "over"
