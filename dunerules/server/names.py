"""Names that packs declare, and where they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from dunerules.problems import Span

__all__ = ["CHOICE", "FAMILY", "FIELD", "LABEL", "LOCAL", "MOVES", "PACK", "POOL", "SLOT", "Name", "Use"]

FIELD, SLOT, LABEL, POOL, FAMILY, MOVES, CHOICE, LOCAL, PACK = (
    "field", "slot", "label", "pool", "family", "moves", "choice", "name", "pack",
)  # fmt: skip
"""What has a name and is no definition of its own: fields and slots of a kind, members of a family of traits, pools,
families of pieces, groups of moves, values of an option, names inside of effects, packs."""


class Name(NamedTuple):
    """Something with a name: the section of definitions it is in, what it belongs to (a kind, a family), and its id."""

    section: str
    of: str
    id: str

    @property
    def what(self) -> str:
        """What it is, in a word."""
        return self.of if self.section in {"object", LABEL} else self.section


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a name is written."""

    name: Name
    span: Span
    defines: bool = False
