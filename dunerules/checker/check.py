"""`dunerules check`, without the printing: which packs are meant, and what is wrong with them.

This module and what it imports stay light: if nothing has changed since the last check, the language is never loaded.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from dunerules.checker.cache import FILE_ENTRY, PACK_ENTRY, Cache, digest, pack_problems, unpack_problems
from dunerules.checker.catalog import errors_in, refuse_errors
from dunerules.checker.claims import Claims, check_prose, prose_of
from dunerules.checker.ignores import apply_ignores
from dunerules.checker.tested import Tests, tests_of
from dunerules.packs.library import Library, Selection, packs_around, packs_below
from dunerules.packs.pack import Pack, PackFile, find_pack_root
from dunerules.packs.shape import UNKNOWN_FORMAT
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError, Problem, problem
from dunerules.resources import content_directory

__all__ = ["MOST_FINDINGS", "Checked", "Target", "check_targets", "check_together", "find_targets"]


P = ParamSpec("P")
Result = TypeVar("Result")

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
    roots = packs_around(here)
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


def _uncollected(function: Callable[P, Result]) -> Callable[P, Result]:
    """A check makes many small records and drops few: looking for garbage meanwhile costs a tenth and finds none."""

    @wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> Result:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return function(*arguments, **named)
        finally:
            if collecting:
                gc.enable()

    return run


@_uncollected
def check_targets(targets: list[Target], cache: Cache) -> Checked:
    """Everything wrong with the targets, in order of file and place."""
    library = Library.of(target.root for target in targets)
    tests = Tests(library, cache, lambda packs: check_together(library, packs, cache))
    claims = Claims(library, cache)
    problems: list[Problem] = []
    files: dict[str, PackFile] = {}
    packs = []
    for target in targets:
        pack = library.add(target.root)
        packs.append(pack)
        scenarios = tests_of(pack)
        prose = prose_of(pack)
        own = {file.name: file for file in (pack.manifest, *pack.files, *scenarios, *prose)}
        found = _check(library.select(pack), [pack], cache)
        if not any(each.code == UNKNOWN_FORMAT for each in found):
            found += [each for file in prose for each in check_prose(pack, file, cache)]
            sound = not errors_in(found)
            found += [each for file in scenarios for each in tests.check(pack, file, sound=sound)]
            found += claims.check(pack) if sound else []
        found = apply_ignores(found, own)
        problems += [each for each in found if not target.only or each.span.file in target.only]
        files |= own
    return Checked(list(_bounded(_ordered(problems))), files, packs)


@_uncollected
def check_together(library: Library, packs: list[Pack], cache: Cache) -> Selection:
    """Some packs with all they require, to be used together. Packs with errors are refused: each of them, then all."""
    selection = library.select_all(packs)
    required = [library.select(pack) for pack in selection.packs]
    problems = [*selection.problems]
    for pack, own in zip(selection.packs, required, strict=True):
        files = {file.name: file for file in (pack.manifest, *pack.files)}
        problems += apply_ignores(_check(own, [pack], cache), files)
    refuse_errors(_ordered(problems))
    if all(len(own.packs) < len(selection.packs) for own in required):
        advice = "each of these packs is fine, together they are not"
        refuse_errors(_ordered(_check(selection, list(selection.packs), cache)), advice)
    return selection


def _ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in order of file and place, each once."""
    unique = {(each.code, each.span, each.message): each for each in problems}
    return sorted(unique.values(), key=lambda each: (each.span, each.code, each.message))


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


def _check(selection: Selection, packs: list[Pack], cache: Cache) -> list[Problem]:
    """The problems of some packs of a selection, from memory as far as its files are unchanged."""
    files = [file for each in selection.packs for file in (each.manifest, *each.files)]
    names = {
        f"{each.id}:{file.path.relative_to(each.root)}": file.name
        for each in selection.packs
        for file in (each.manifest, *each.files)
    }
    labels = {name: label for label, name in names.items()}
    contents = {file.name: digest(labels[file.name], file.kind, file.data, str(file.unread)) for file in files}
    ids = {pack.id for pack in packs}
    said = [f"{labels[file.name]} {contents[file.name]}" for file in files]
    whole = digest("whole", " ".join(sorted(ids)), *said, str(selection.problems))
    unread = [found for each in selection.packs for found in each.manifest.problems if found.code == UNKNOWN_FORMAT]
    if unread:
        return [*selection.problems, *unread]
    before = [*(found for pack in packs for found in pack.problems), *selection.problems]
    if any(found.code in {"DR202", "DR203", "DR204", "DR211"} for found in selection.problems):
        # without what it requires, hardly a word of a pack has a meaning: the reason is enough
        own = [file for pack in packs for file in (pack.manifest, *pack.files)]
        return [*before, *(found for file in own for found in file.problems)]
    known = cache.read(whole, PACK_ENTRY)
    if "problems" in known:
        return [*before, *unpack_problems(known["problems"], names)]
    from dunerules.checker.run import check_selection  # the language is loaded only when something has changed

    found = check_selection(selection, ids, _Memory(cache, contents, labels, names))
    cache.write(whole, {"problems": pack_problems(found, labels)})
    return [*before, *found]


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
