"""`dunerules check`, without the printing: which packs are meant, and what is wrong with them.

This module and what it imports stay light: if nothing has changed since the last check, the language is never loaded.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunerules.checker.cache import FILE_ENTRY, PACK_ENTRY, Cache, digest, pack_problems, unpack_problems
from dunerules.checker.ignores import apply_ignores
from dunerules.packs.library import Library, Selection, packs_below
from dunerules.packs.pack import Pack, PackFile, find_pack_root
from dunerules.packs.shape import UNKNOWN_FORMAT
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError, Problem, problem
from dunerules.resources import content_directory

__all__ = ["MOST_FINDINGS", "Checked", "Target", "check_targets", "find_targets"]


MOST_FINDINGS = 1000
"""Findings shown for one file. Nobody reads more, and a damaged file can have a hundred thousand."""


@dataclass(frozen=True)
class Target:
    """A pack to check; with `only`, just these of its files are reported."""

    root: Path
    only: frozenset[str] = frozenset()
    shipped: bool = False
    """Chosen only because nothing else was there."""


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    problems: list[Problem]
    files: dict[str, PackFile]
    packs: list[Pack]


def find_targets(paths: Iterable[Path]) -> list[Target]:
    """The packs meant by some paths: packs, files of packs, directories of packs; by default what lies around."""
    paths = list(paths)
    if not paths:
        return _around(Path.cwd())
    found: dict[Path, set[str] | None] = {}
    for path in paths:
        for root, name in _meant(path):
            if name is None or found.get(root, set()) is None:
                found[root] = None
            else:
                names = found.setdefault(root, set())
                assert names is not None
                names.add(name)
    return [Target(root, frozenset(names or ())) for root, names in found.items()]


def _around(here: Path) -> list[Target]:
    root = find_pack_root(here)
    roots = [root] if root is not None else packs_below(here) or packs_below(here / "content")
    if roots:
        return [Target(root) for root in roots]
    alike = [path.name for path in here.iterdir() if path.name.lower() in {"pack.yaml", "pack.yml"}]
    if alike:
        raise CannotRunError(f"`{alike[0]}` must be called `pack.yaml`")
    return [Target(root, shipped=True) for root in packs_below(content_directory())]


def _meant(path: Path) -> Iterator[tuple[Path, str | None]]:
    absolute = path.absolute()
    if not path.exists():
        shipped = content_directory() / path
        if len(path.parts) == 1 and (shipped / "pack.yaml").is_file():
            yield shipped, None
            return
        raise CannotRunError(f"there is no `{path}`")
    if path.is_dir():
        below = packs_below(absolute)
        if (absolute / "pack.yaml").is_file():
            yield absolute, None
        elif below:
            yield from ((root, None) for root in below)
        else:
            raise CannotRunError(f"there is no pack in `{path}`: no pack.yaml in it, nor in a directory of it")
        return
    root = find_pack_root(absolute.parent)
    if root is None:
        raise CannotRunError(f"`{path}` belongs to no pack: no pack.yaml in a directory above it")
    yield root, shown_path(absolute)


def check_targets(targets: list[Target], cache: Cache) -> Checked:
    """Everything wrong with the targets, in order of file and place."""
    # a check makes many small records and drops few: looking for garbage meanwhile costs a tenth and finds none
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _check_targets(targets, cache)
    finally:
        if collecting:
            gc.enable()


def _check_targets(targets: list[Target], cache: Cache) -> Checked:
    library = Library.of(target.root for target in targets)
    problems: list[Problem] = []
    files: dict[str, PackFile] = {}
    packs = []
    for target in targets:
        pack = library.add(target.root)
        packs.append(pack)
        own = {file.name: file for file in (pack.manifest, *pack.files)}
        found = _check(library.select(pack), pack, cache)
        found = apply_ignores(found, own)
        problems += [each for each in found if not target.only or each.span.file in target.only]
        files |= own
    unique = {(each.code, each.span, each.message): each for each in problems}
    ordered = sorted(unique.values(), key=lambda each: (each.span, each.code, each.message))
    return Checked(list(_bounded(ordered)), files, packs)


def _bounded(problems: list[Problem]) -> Iterator[Problem]:
    """The first findings of every file; beyond a thousand, how many more there are."""
    counts = Counter(found.span.file for found in problems)
    told: Counter[str] = Counter()
    for found in problems:
        told[found.span.file] += 1
        more = counts[found.span.file] - MOST_FINDINGS
        if told[found.span.file] <= MOST_FINDINGS:
            yield found
        elif told[found.span.file] == MOST_FINDINGS + 1:
            yield problem("DR004", f"{more} more findings in this file are not shown", found.span, expected="fewer")


# ---- with a memory


def _check(selection: Selection, pack: Pack, cache: Cache) -> list[Problem]:
    """The problems of one pack, from memory as far as its files are unchanged."""
    files = [file for each in selection.packs for file in (each.manifest, *each.files)]
    names = {
        f"{each.id}:{file.path.relative_to(each.root)}": file.name
        for each in selection.packs
        for file in (each.manifest, *each.files)
    }
    labels = {name: label for label, name in names.items()}
    contents = {file.name: digest(labels[file.name], file.kind, file.data, str(file.unread)) for file in files}
    whole = digest(
        "whole", pack.id, *(f"{labels[file.name]} {contents[file.name]}" for file in files), str(selection.problems)
    )
    unread = [found for each in selection.packs for found in each.manifest.problems if found.code == UNKNOWN_FORMAT]
    if unread:
        return [*selection.problems, *unread]
    if any(found.code in {"DR202", "DR203", "DR204"} for found in selection.problems):
        # without what it requires, hardly a word of a pack has a meaning: the reason is enough
        return [
            *pack.problems,
            *selection.problems,
            *(found for file in (pack.manifest, *pack.files) for found in file.problems),
        ]
    known = cache.read(whole, PACK_ENTRY)
    if "problems" in known:
        return [*pack.problems, *selection.problems, *unpack_problems(known["problems"], names)]
    from dunerules.checker.run import check_selection  # the language is loaded only when something has changed

    found = check_selection(selection, {pack.id}, _Memory(cache, contents, labels, names))
    cache.write(whole, {"problems": pack_problems(found, labels)})
    return [*pack.problems, *selection.problems, *found]


class _Memory:
    """What single files said under a vocabulary, for `check_selection`."""

    def __init__(self, cache: Cache, contents: dict[str, str], labels: dict[str, str], names: dict[str, str]) -> None:
        self.cache = cache
        self.contents = contents
        self.labels = labels
        self.names = names

    def read(self, file: PackFile, vocabulary: str) -> dict[str, Any]:
        """What a file said, if it is remembered."""
        known = self.cache.read(digest(self.contents[file.name], vocabulary), FILE_ENTRY)
        if "problems" in known:
            known["problems"] = unpack_problems(known["problems"], self.names)
        return known

    def write(self, file: PackFile, vocabulary: str, said: dict[str, Any]) -> None:
        """Remember what a file said."""
        entry = {**said, "problems": pack_problems(said["problems"], self.labels)}
        self.cache.write(digest(self.contents[file.name], vocabulary), entry)
