"""What a language says of some packs, and what has changed in it since one last looked: texts and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dunerules.inspection.translations import check_locales
from dunerules.language.extract import Collection
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem
from dunerules.translations.printed import Printed

__all__ = ["Change", "Told", "affected"]


@dataclass(frozen=True, slots=True)
class Change:
    """A text that is not what it was; nothing where there was none, or is none."""

    id: str
    old: str
    new: str


@dataclass(frozen=True)
class Told:
    """All texts of some catalogues in one language, and what is wrong with it."""

    packs: list[Pack] = field(repr=False)
    collections: Sequence[Collection] = field(repr=False)
    language: str
    brought: tuple[Path, ...] = ()

    @cached_property
    def texts(self) -> dict[str, str]:
        """By id. Raises `CannotRunError` if a pack has errors."""
        found: dict[str, str] = {}
        for each in self.collections:
            if self.language in each.languages:
                found |= Printed(each, self.language, self.brought).texts()
        return found

    @cached_property
    def checked(self) -> tuple[list[Problem], dict[str, PackFile]]:
        """The findings in the files of the language, and these files."""
        checked = check_locales(self.packs, self.collections, [self.language])
        return checked.problems, checked.files

    def changes(self, before: Told) -> Iterator[Change]:
        """The texts that are not what they were."""
        for id_ in dict.fromkeys((*self.texts, *before.texts)):
            old, new = before.texts.get(id_, ""), self.texts.get(id_, "")
            if old != new:
                yield Change(id_, old, new)

    def new_findings(self, before: Told) -> tuple[list[Problem], int]:
        """Findings that were not there, wherever their lines have moved; and how many there are no longer."""
        known, found = (Counter(map(_finding, each.checked[0])) for each in (before, self))
        left = found - known
        new = []
        for each in self.checked[0]:
            if left[_finding(each)]:
                left[_finding(each)] -= 1
                new.append(each)
        return new, (known - found).total()


def _finding(found: Problem) -> tuple[str, str, str]:
    return found.code, found.span.file, found.message


def affected(changed: frozenset[Path], collections: Sequence[Collection], chosen: Callable[[str], bool]) -> list[str]:
    """The languages that changed files are read for: that of their folder, or all if they lie beside the languages."""
    roots = {root for each in collections for root in (each.root, each.home)}
    found: dict[str, None] = {}
    for each in collections:
        for path in changed:
            own = path.parent.name if path.parent.parent in roots else ""
            found |= dict.fromkeys(code for code in each.languages if own in ("", code))
    return sorted(filter(chosen, found))
