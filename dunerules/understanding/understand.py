"""Packs as they are meant: merged, with all their words, and every text resolved once.

A process that checks, plays, prints and tests the same packs understands them once. What packs are is what was read of
them: the name and the bytes of every file. So nothing that is remembered can be older than a file, however soon after
reading it was changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

from dunerules.digests import digest
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.packs.content import Content
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack
from dunerules.patching.merge import merge
from dunerules.problems import Problem
from dunerules.understanding.clashes import check_meanings
from dunerules.understanding.desk import Desk, Texts
from dunerules.understanding.inferred import infer_words
from dunerules.understanding.layout import check_layout
from dunerules.understanding.vocabulary import vocabulary_of

__all__ = ["Understanding", "understand", "understand_anew"]

_MOST = 8
"""Selections of packs that are remembered: one that nobody has asked for lately is understood again."""


@dataclass(frozen=True)
class Understanding:
    """The merged content of some packs, its vocabulary, and what is wrong with the merging itself. Never changed."""

    packs: tuple[Pack, ...]
    content: Content
    words: Vocabulary
    problems: tuple[Problem, ...]
    texts: Texts = field(default_factory=dict, repr=False, compare=False)
    """What was read of these packs so far, for all desks."""
    order: tuple[str, ...] = ()
    """The packs in the order that who plays has given, if anybody has."""

    @cached_property
    def name(self) -> str:
        """A name for all that was read of these packs, wherever they lie."""
        files = [(file.kind, file.data) for pack in self.packs for file in (pack.manifest, *pack.files)]
        return digest(*(part for file in files for part in file), *self.order)

    def desk(self) -> Desk:
        """A desk to read texts at; what it finds is its own, what texts mean is known to all desks."""
        return Desk(self.words, self.texts)


def understand(selection: Selection) -> Understanding:
    """Packs as they are meant; the same packs, as they were read, are understood once in a process."""
    return _understood(_AsRead(tuple(map(_read, selection.packs)), selection.order, selection))


def understand_anew(selection: Selection, known: Vocabulary | None = None) -> Understanding:
    """The same, remembered by nobody; `known` is what the words mean, where that was worked out without a fault."""
    content, problems = merge(selection)
    words = known
    if words is None:
        words = vocabulary_of(content)
        problems += infer_words(content, words)
    return Understanding(
        selection.packs,
        content,
        words,
        (*problems, *check_meanings(content), *check_layout(content, words)),
        order=selection.order,
    )


# ---- once in a process

_Read: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class _AsRead:
    """Packs that are the same if every byte of them is, and every name that a finding in them would be told with."""

    packs: tuple[_Read, ...]
    order: tuple[str, ...]
    selection: Selection = field(compare=False)


def _read(pack: Pack) -> _Read:
    """All that a pack is: where it lies, and its files with their content, or none where they cannot be read."""
    files = ((file.path, file.name, file.kind, file.pack, None if file.unread else file.data)
             for file in (pack.manifest, *pack.files))  # fmt: skip
    return (pack.root, pack.id, pack.version, *files)


@lru_cache(_MOST)
def _understood(read: _AsRead) -> Understanding:
    return understand_anew(read.selection)
