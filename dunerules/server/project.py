"""The packs somebody works on, as they are at one moment: what is open in the editor goes before what is on the disk.

Nothing is read twice: a file with the same bytes is the same record in every snapshot, and so is what was made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from dunerules.checker.run import vocabulary_print
from dunerules.files import unsaved
from dunerules.packs.library import Library, Selection, packs_around, packs_below
from dunerules.packs.pack import Pack, PackFile, find_pack_root, read_pack
from dunerules.packs.source import LOCALES
from dunerules.understanding.understand import Understanding, understand_anew

__all__ = ["Project", "Snapshot"]

_MOST_TEXTS = 4
"""Texts are forgotten when there are so many times more of them than when they were first read."""


@dataclass(frozen=True)
class Snapshot:
    """All packs at one moment."""

    buffers: Mapping[Path, bytes]
    library: Library
    packs: tuple[Pack, ...]
    """The packs that are worked on."""

    def files(self) -> dict[str, PackFile]:
        """All content files of these packs and of those they require, by name."""
        packs = {each.root: each for pack in self.packs for each in self.library.select(pack).packs}
        return {file.name: file for pack in packs.values() for file in (pack.manifest, *pack.files)}

    def pack_of(self, path: Path) -> Pack | None:
        """The pack that a file belongs to: it lies in it, or in a folder of languages beside it."""
        inside = [pack for pack in self.packs if pack.root in path.parents]
        if inside:
            return max(inside, key=lambda pack: len(pack.root.parts))
        beside = [folder.parent for folder in path.parents if folder.name == LOCALES]
        near = [pack for pack in self.packs if pack.root.parent in beside]
        named = [pack for pack in near if path.name.partition(".")[0] == pack.id]
        return next(iter(named or near), None)


@dataclass
class _Known:
    """What is remembered of a pack together with all it requires."""

    files: tuple[PackFile, ...]
    words_print: str
    understanding: Understanding
    first_texts: int = 0


@dataclass
class Project:
    """Folders with packs, and what was read in them so far."""

    folders: list[Path] = field(default_factory=list)
    _read: dict[Path, PackFile] = field(default_factory=dict, repr=False)
    _known: dict[Path, _Known] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def roots(self, opened: Iterable[Path]) -> list[Path]:
        """The packs in the folders, and those that open files belong to."""
        found = [root for folder in self.folders for root in packs_around(folder)]
        for path in opened:
            root = find_pack_root(path.parent)
            shared = next((folder.parent for folder in path.parents if folder.name == LOCALES), None)
            if root is not None:
                found.append(root)
            elif shared is not None:
                found += packs_below(shared)
        return list(dict.fromkeys(found))

    def snapshot(self, buffers: Mapping[Path, bytes]) -> Snapshot:
        """Everything as it is now."""
        with unsaved(buffers):
            library = Library.of(self.roots(buffers), self._pack)
            packs = tuple(library.add(root) for root in self.roots(buffers))
            for pack in library.packs.values():
                if pack in packs:
                    for each in library.select(pack).packs:
                        _ = each.files  # listed and read now, while the buffers are in front of the disk
        return Snapshot(buffers, library, packs)

    def _pack(self, root: Path) -> Pack:
        return read_pack(root, self.same)

    def same(self, file: PackFile) -> PackFile:
        """A file as it was read before, if it is still the same."""
        data, unread = file.data, file.unread
        before = self._read.get(file.path)
        if before == file and before.data == data and before.unread == unread:
            return before
        self._read[file.path] = file
        return file

    def understanding(self, snapshot: Snapshot, pack: Pack) -> Understanding:
        """A pack with all it requires, as it is meant."""
        selection = snapshot.library.select(pack)
        with self._lock:
            known = self._known.get(pack.root)
            files = _files(selection)
            if known is not None and _same_files(known.files, files):
                return known.understanding
            said = vocabulary_print(selection.packs)
            known = _understood(selection, files, said, known)
            self._known[pack.root] = known
            return known.understanding

    def latest(self, root: Path) -> Understanding | None:
        """What was understood last of a pack, if it was."""
        known = self._known.get(root)
        return known.understanding if known is not None else None

    def copy(self) -> Project:
        """The same project, for a trial: what is read in one is not known to the other."""
        return Project(list(self.folders), dict(self._read), dict(self._known))

    def forget(self, roots: Iterable[Path]) -> None:
        """Keep only what is known of some packs."""
        kept = {*roots}
        with self._lock:
            self._known = {root: known for root, known in self._known.items() if root in kept}


def _files(selection: Selection) -> tuple[PackFile, ...]:
    return tuple(file for pack in selection.packs for file in (pack.manifest, *pack.files))


def _same_files(some: tuple[PackFile, ...], others: tuple[PackFile, ...]) -> bool:
    return len(some) == len(others) and all(map(_is, some, others))


def _is(one: object, other: object) -> bool:
    return one is other


def _understood(selection: Selection, files: tuple[PackFile, ...], said: str, before: _Known | None) -> _Known:
    """Packs as they are meant. Words that were understood without a fault, and that nothing has changed, are kept."""
    if before is not None and before.words_print == said and not _faulty(before.understanding):
        found = understand_anew(selection, before.understanding.words)
        texts = before.understanding.texts
        if len(texts) <= _MOST_TEXTS * max(1000, before.first_texts):
            return _Known(files, said, replace(found, texts=texts), before.first_texts or len(texts))
        return _Known(files, said, found)
    found = understand_anew(selection)
    if before is not None and found.words.meanings() == before.understanding.words.meanings():
        found = replace(found, words=before.understanding.words, texts=before.understanding.texts)
    return _Known(files, said, found)


def _faulty(understanding: Understanding) -> bool:
    """Whether words were defined without an end: such faults are told only when words are worked out."""
    return any(found.code in {"DR208", "DR210"} for found in understanding.problems)
