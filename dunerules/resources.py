"""Where the shipped content and schemas lie: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["content_directory", "schema_directory"]


@cache
def _root() -> Path:
    here = Path(__file__).resolve().parent
    return here / "data" if (here / "data").is_dir() else here.parent


def content_directory() -> Path:
    """The directory of the shipped packs."""
    return _root() / "content"


def schema_directory() -> Path:
    """The directory of the JSON Schemas."""
    return _root() / "schemas"
