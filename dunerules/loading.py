"""Packs for everybody who plays, prints or simulates: the checker decides, and what it calls an error is refused."""

from __future__ import annotations

from pathlib import Path

from dunerules.checker.cache import Cache
from dunerules.checker.check import check_together
from dunerules.packs.library import Selection, library_of

__all__ = ["load_packs"]


def load_packs(*packs: str | Path, in_order: bool = False) -> Selection:
    """Packs by installed id or by path, with everything they require. A `RefusedError` carries their errors.

    `in_order` says that the order in which they are named is meant: a later one may change what an earlier one changes.
    """
    library, found = library_of(*packs)
    return check_together(library, found, Cache.standard(), in_order=in_order)
