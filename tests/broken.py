"""What random play finds wrong."""

from __future__ import annotations


class BrokenError(AssertionError):
    """Something that must always hold does not."""


def require(holds: bool, message: str) -> None:
    """Something must hold."""
    if not holds:
        raise BrokenError(message)
