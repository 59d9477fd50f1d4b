"""The back ends by name."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from dunerules.problems import CannotRunError

__all__ = ["BACKENDS", "Backend", "backend_named"]

Backend: TypeAlias = Literal["auto", "python", "native"]
BACKENDS: Final[tuple[Backend, ...]] = ("auto", "python", "native")
"""Native code where it is ready or pays, Python, or native code wherever it can be."""


def backend_named(name: str) -> Backend:
    """A back end by name."""
    for each in BACKENDS:
        if each == name:
            return each
    raise CannotRunError(f"there is no back end `{name}`; there are {', '.join(BACKENDS)}")
