"""Finding what somebody typed: by whole name, by a beginning, or by beginnings of words in any order.

Capitals and marks on letters do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

__all__ = ["fold", "matching"]

_PLAIN = str.maketrans("łøđı", "lodi")
"""Letters that Unicode does not take apart."""


def fold(text: str) -> str:
    """A text as it is compared: small plain letters, digits, single blanks."""
    apart = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(re.findall(r"[\w]+", plain.replace("_", " ")))


def matching(typed: str, names: Sequence[str]) -> list[int]:
    """The numbers of the names somebody may mean: the best way of matching that finds any."""
    wanted = fold(typed)
    if not wanted:
        return []
    folded = [fold(name) for name in names]
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: name == wanted,
        lambda name: name.startswith(wanted),
        lambda name: f" {wanted}" in f" {name}",
        lambda name: _words_begin(wanted.split(), name.split()),
    )
    for way in ways:
        found = [number for number, name in enumerate(folded) if way(name)]
        if found:
            return found
    return []


def _words_begin(wanted: list[str], words: list[str]) -> bool:
    """Whether every typed word begins a word of the name, each another one."""
    left = list(words)
    for each in wanted:
        found = next((word for word in left if word.startswith(each)), None)
        if found is None:
            return False
        left.remove(found)
    return True
