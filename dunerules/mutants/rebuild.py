"""A changed pack: checked like any other, and made into rules again, as far as the change goes.

Most changes leave the meaning of every word as it is. Then only the changed file is read anew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dunerules.checker.ignores import apply_ignores
from dunerules.checker.run import check_understanding, vocabulary_print
from dunerules.mutants.labels import relabelled
from dunerules.mutants.places import Mutant
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack, PackFile
from dunerules.problems import Problem
from dunerules.understanding.desk import Desk
from dunerules.understanding.ruleset import Ruleset, build_ruleset
from dunerules.understanding.understand import Understanding, understand, understand_anew

__all__ = ["Made", "Workshop"]


@dataclass(frozen=True)
class _ChangedFile(PackFile):
    """A file of a pack with other bytes than it has on disk."""

    changed: bytes = b""

    @cached_property
    def _bytes(self) -> tuple[bytes | None, list[Problem]]:
        return self.changed, []


@dataclass(frozen=True)
class _ChangedPack(Pack):
    """A pack with one file changed."""

    changed: tuple[PackFile, ...] = ()

    @cached_property
    def _listed(self) -> tuple[tuple[PackFile, ...], tuple[Problem, ...]]:
        return self.changed, ()


@dataclass(frozen=True)
class Made:
    """Rules, and the desk that read their texts."""

    rules: Ruleset
    desk: Desk


def _made(understanding: Understanding) -> Made:
    return Made(build_ruleset(understanding), understanding.desk())


class _Memory:
    """What files said under the vocabulary of the unchanged pack: it is asked under no other."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Any]] = {}

    def read(self, file: PackFile, vocabulary: str) -> dict[str, Any]:  # noqa: ARG002  (it is always the same)
        """What a file said, if it is not changed."""
        return self.known.get(file.name, {}) if not isinstance(file, _ChangedFile) else {}

    def write(self, file: PackFile, vocabulary: str, said: dict[str, Any]) -> None:  # noqa: ARG002
        """Remember what a file said; what is changed comes once and is not kept."""
        if not isinstance(file, _ChangedFile):
            self.known[file.name] = said


class Workshop:
    """Makes rules of a pack that is changed in one place; the last pack of the selection is the one that is."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.pack = selection.packs[-1]
        self.files = {file.name: file for file in self.pack.files}
        self._memory = _Memory()
        understanding = understand(selection)
        self._understanding = replace(understanding, texts={**understanding.texts})  # nobody else reads mutants
        self.words = self._understanding.words
        self._print = vocabulary_print(selection.packs)
        self._meanings = self.words.meanings()
        self._findings = Counter(self._found(self._understanding, self.pack))
        self.original = _made(self._understanding)

    def make(self, mutant: Mutant) -> Made | None:
        """The rules of a changed pack; nothing if the checker finds anything in it that it did not find before."""
        before = self.files[mutant.file]
        after = _ChangedFile(before.path, before.name, before.kind, before.pack, mutant.data(before.data))
        files = tuple(after if file is before else file for file in self.pack.files)
        pack = _ChangedPack(self.pack.root, self.pack.id, self.pack.version, self.pack.manifest, changed=files)
        selection = replace(self.selection, packs=(*self.selection.packs[:-1], pack))
        if after.node is None:
            return None
        known = self.words if vocabulary_print(selection.packs) == self._print else None
        understanding = understand_anew(selection, known)
        same = understanding.words.meanings() == self._meanings
        if same:
            understanding = replace(understanding, words=self.words, texts=self._understanding.texts)
        if Counter(self._found(understanding, pack, same)) - self._findings:
            return None
        made = _made(understanding)
        relabelled(self.original.rules, made.rules)
        return made

    def _found(self, understanding: Understanding, pack: Pack, same: bool = True) -> list[tuple[str, str, str]]:
        """The findings of a check, without the lines they stand in."""
        found = check_understanding(understanding, {pack.id}, self._memory if same else None)
        found = apply_ignores([*found, *pack.problems], {file.name: file for file in (pack.manifest, *pack.files)})
        return [(each.code, each.span.file, each.message) for each in found]
