"""What is wrong, in three steps: in the file that is being edited, in all packs, then with scenarios and languages.

The last step is `dunerules check` itself, in a process of its own. The first two tell most of it sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from dunerules.catalog import errors_in
from dunerules.checker.cache import Cache
from dunerules.checker.check import check_packs, check_together, ordered
from dunerules.checker.ignores import apply_ignores
from dunerules.checker.run import Memory, check_understanding
from dunerules.files import unsaved
from dunerules.inspection.scenarios import Tests, tests_of
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack, PackFile, file_kind, is_content
from dunerules.packs.source import shown_path
from dunerules.problems import Problem
from dunerules.server.project import Project, Snapshot
from dunerules.server.words import still_meant, words_with
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import read_file
from dunerules.understanding.understand import Understanding

__all__ = ["OutdatedError", "Remembered", "check_own", "check_sets", "check_touched", "moved", "of_one_file"]

_UNUSED_IGNORE = "DR701"
"""Whether an ignore is used is known when everything was checked."""

_MOST_ENTRIES = 4000


class OutdatedError(Exception):
    """Something was changed while it was checked: the result would be of no use."""


class Remembered(Cache):
    """What was found, remembered by this process; at first what commands have written. It gives up once `outdated`."""

    def __init__(self) -> None:
        standard = Cache.standard()
        super().__init__(None)
        self.directory = standard.directory
        self.outdated: Callable[[], bool] = lambda: False

    def read(self, name: str, shape: dict[str, Any]) -> dict[str, Any]:
        """An entry; this is asked for every file, so here one can give up."""
        if self.outdated():
            raise OutdatedError
        return super().read(name, shape)

    def write(self, name: str, entry: dict[str, Any]) -> None:
        """Remember an entry; the oldest are forgotten."""
        self.written[name] = entry
        while len(self.written) > _MOST_ENTRIES:
            del self.written[next(iter(self.written))]


# ---- the file that is being edited


def check_own(path: Path, pack: Pack, snapshot: Snapshot, project: Project) -> list[Problem] | None:
    """What is wrong with one file by itself, under the words that were understood last; nothing if it has none."""
    file = of_one_file(path, pack, snapshot)
    if file is None:
        return None
    understanding = _latest(file, pack, snapshot, project)
    problems = [*file.problems]
    if understanding is not None and file.node is not None:
        words, texts = words_with(file, understanding)
        patched = {entry.id for entry in understanding.content.entries.values() if entry.changes}
        desk = Desk(words, texts)
        objects = file.node.get("objects")
        keys = objects.entries() if objects is not None else ()
        desk.skipped = frozenset(id(key) for name, key, _ in keys if name in patched)
        problems += read_file(file, desk).problems
    found = apply_ignores(problems, {file.name: file})
    return [each for each in ordered(found) if each.code != _UNUSED_IGNORE]


def _latest(file: PackFile, pack: Pack, snapshot: Snapshot, project: Project) -> Understanding | None:
    """What was understood last; if the file declares words, what is understood with it as it is now."""
    known = project.latest(pack.root)
    if known is None or file.kind in {"objects", "pack"} or any(file is each for each in pack.files):
        return known
    trial = project.copy()
    now = trial.snapshot(snapshot.buffers)
    same = next((each for each in now.packs if each.root == pack.root), None)
    return still_meant(known, trial.understanding(now, same)) if same is not None else known


def of_one_file(path: Path, pack: Pack, snapshot: Snapshot) -> PackFile | None:
    """A content file as it is in the editor, if it is one."""
    data, inside = snapshot.buffers.get(path), path.relative_to(pack.root) if pack.root in path.parents else None
    if data is None or inside is None:
        return None
    known = next((file for file in (pack.manifest, *pack.files) if file.path == path), None)
    if known is not None and known.data == data:
        return known
    if known is None and not is_content(path, pack.root):
        return None
    own = pack.manifest.node.text("id") if pack.manifest.node is not None else ""
    manifest = path == pack.manifest.path
    file = PackFile(path, shown_path(path), "pack" if manifest else file_kind(inside), "" if manifest else own)
    with unsaved({path: data}):
        _ = file.data
    return file


# ---- all packs


def check_sets(snapshot: Snapshot, project: Project, cache: Cache) -> dict[str, list[Problem]]:
    """What is wrong with all packs that are worked on, by name of file; scenarios and languages are left out."""
    problems: list[Problem] = []
    with unsaved(snapshot.buffers):
        for pack in snapshot.packs:
            found = check_packs(snapshot.library.select(pack), [pack], cache, _checking(snapshot, project))
            files = {file.name: file for file in (pack.manifest, *pack.files)}
            problems += [each for each in apply_ignores(found, files) if each.code != _UNUSED_IGNORE]
    return _by_file(ordered(problems))


def check_touched(snapshot: Snapshot, project: Project, cache: Cache, scenarios: Collection[Path]) -> list[Problem]:
    """What is wrong with all packs, and with some files of scenarios."""
    checked = check_sets(snapshot, project, cache)
    problems = [found for each in checked.values() for found in each]
    with unsaved(snapshot.buffers):
        library = snapshot.library
        tests = Tests(library, cache, lambda packs: check_together(library, packs, cache))
        for pack in snapshot.packs if not errors_in(problems) else ():
            for file in tests_of(pack):
                if file.path in scenarios:
                    problems += tests.check(pack, file, sound=True)
    return problems


def _checking(snapshot: Snapshot, project: Project) -> Callable[[Selection, set[str], Memory], list[Problem]]:
    def check(selection: Selection, ids: set[str], memory: Memory) -> list[Problem]:
        pack = next(pack for pack in selection.packs if pack.id in ids)
        return check_understanding(project.understanding(snapshot, pack), ids, memory)

    return check


def _by_file(problems: list[Problem]) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for each in problems:
        found.setdefault(each.span.file, []).append(each)
    return found


# ---- findings of before, in a text that was edited since


def moved(problems: list[Problem], before: str, after: str) -> list[Problem]:
    """Findings in the lines that an edit left alone, where these lines are now."""
    old, new = before.splitlines(), after.splitlines()
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    further = len(new) - len(old)
    found = []
    for each in problems:
        span = each.span
        if span.end_line <= same:
            found.append(each)
        elif span.line > len(old) - tail:
            span = replace(span, line=span.line + further, end_line=span.end_line + further)
            found.append(replace(each, span=span, edits=()))
    return found
