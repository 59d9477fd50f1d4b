"""Whether packs are right, from memory as far as nothing has changed.

This module and what it imports stay light: if nothing has changed since the last check, the language is never loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from dunerules.catalog import refuse_errors
from dunerules.checker.cache import FILE_ENTRY, PACK_ENTRY, Cache, pack_problems, unpack_problems
from dunerules.checker.ignores import apply_ignores
from dunerules.digests import digest
from dunerules.garbage import uncollected
from dunerules.packs.library import Library, Selection
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.shape import UNKNOWN_FORMAT
from dunerules.problems import Problem

if TYPE_CHECKING:
    from dunerules.checker.run import Memory

__all__ = ["Check", "check_packs", "check_together", "ordered"]


@uncollected
def check_together(library: Library, packs: list[Pack], cache: Cache, *, in_order: bool = False) -> Selection:
    """Some packs with all they require, to be used together. Packs with errors are refused: each of them, then all."""
    selection = library.select_all(packs, in_order=in_order)
    required = [library.select(pack) for pack in selection.packs]
    problems = [*selection.problems]
    for pack, own in zip(selection.packs, required, strict=True):
        files = {file.name: file for file in (pack.manifest, *pack.files)}
        problems += apply_ignores(check_packs(own, [pack], cache), files)
    refuse_errors(ordered(problems))
    if all(len(own.packs) < len(selection.packs) for own in required):
        advice = "each of these packs is fine, together they are not"
        refuse_errors(ordered(check_packs(selection, list(selection.packs), cache)), advice)
    return selection


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in order of file and place, each once; none of a value that was cut off because a file is no YAML."""
    unique = {(each.code, each.span, each.message): each for each in problems}
    cuts = {
        (each.span.file, each.span.line, each.span.column - blanks)
        for each in unique.values()
        if each.code == "DR005"
        for blanks in (0, 1)
    }
    left = [each for each in unique.values() if (each.span.file, each.span.end_line, each.span.end_column) not in cuts]
    return sorted(left, key=lambda each: (each.span, each.code, each.message))


# ---- with a memory


Check: TypeAlias = "Callable[[Selection, set[str], Memory], list[Problem]]"
"""What reads packs that have changed: all problems in some of them, with a memory of single files."""


def check_packs(selection: Selection, packs: list[Pack], cache: Cache, check: Check | None = None) -> list[Problem]:
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
    whole = digest("whole", " ".join(sorted(ids)), *said, str(selection.problems), " ".join(selection.order))
    unread = [found for each in selection.packs for found in each.manifest.problems if found.code == UNKNOWN_FORMAT]
    if unread:
        return [*selection.problems, *unread]
    before = [*(found for pack in packs for found in pack.problems), *selection.problems]
    if any(found.code in {"DR202", "DR203", "DR204", "DR211", "DR213"} for found in selection.problems):
        # without what it requires, hardly a word of a pack has a meaning: the reason is enough
        own = [file for pack in packs for file in (pack.manifest, *pack.files)]
        return [*before, *(found for file in own for found in file.problems)]
    known = cache.read(whole, PACK_ENTRY)
    if "problems" in known:
        return [*before, *unpack_problems(known["problems"], names)]
    from dunerules.checker.run import check_selection  # the language is loaded only when something has changed

    found = (check or check_selection)(selection, ids, _Memory(cache, contents, labels, names))
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
