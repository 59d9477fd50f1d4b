"""Records of the language: frozen for whoever writes code, cheap for whoever runs it.

A check makes some two hundred thousand of them, and Python makes a frozen one at a quarter of the speed. So a type
checker, which is part of every test run, is told that they are frozen, and Python is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, slots: bool) -> type:
        """As `dataclass(frozen=True, slots=True)`, with the same equality and hash."""
        assert frozen
        return dataclass(slots=slots, unsafe_hash=True)
