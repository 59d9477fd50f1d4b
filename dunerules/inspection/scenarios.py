"""The scenarios of a pack, as a part of its check: their files are read like all others.

What they mean is looked up only where the packs they are played with have no errors: else nobody knows what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dunerules.checker.cache import PACK_ENTRY, Cache, pack_problems, unpack_problems
from dunerules.digests import digest
from dunerules.packs.library import Library, Selection
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError, Problem, first_character, problem
from dunerules.scenarios import FOLDER

if TYPE_CHECKING:
    from dunerules.scenarios.stage import Book

__all__ = ["Tests", "tests_of"]


def tests_of(pack: Pack) -> list[PackFile]:
    """The scenario files of a pack, in a fixed order."""
    paths = sorted(path for path in (pack.root / FOLDER).rglob("*.yaml") if path.is_file())
    return [PackFile(path, shown_path(path), "scenario", pack.id) for path in paths]


class Tests:
    """Checks scenario files one by one, from memory as far as they and the packs they are played with are unchanged.

    `together` gives some packs with all they require; packs with errors are refused.
    """

    def __init__(self, library: Library, cache: Cache, together: Callable[[list[Pack]], Selection]) -> None:
        self.library = library
        self.cache = cache
        self.together = together
        self.books: dict[tuple[str, ...], Book] = {}

    def check(self, pack: Pack, file: PackFile, *, sound: bool) -> list[Problem]:
        """Everything wrong with a file; if its pack is not `sound`, only what can be told without it."""
        label = f"{pack.id}:{file.path.relative_to(pack.root)}"
        name = digest("scenarios", label, file.data, str(file.unread), self._packs(pack), str(sound))
        known = self.cache.read(name, PACK_ENTRY)
        if "problems" in known:
            return unpack_problems(known["problems"], {label: file.name})
        found = list(file.problems)
        others = file.node.get("packs") if file.node is not None else None
        if not found and sound:
            found = self._meaning(pack, file, others)
        if others is None:  # what packs say that this one does not require may change without it
            self.cache.write(name, {"problems": pack_problems(found, {file.name: label})})
        return found

    def _packs(self, pack: Pack) -> str:
        """What a pack says, with all it requires."""
        files = [
            (f"{each.id}:{file.path.relative_to(each.root)}", file)
            for each in self.library.select(pack).packs
            for file in (each.manifest, *each.files)
        ]
        return digest(*(part for label, file in files for part in (label, file.data)))

    def _meaning(self, pack: Pack, file: PackFile, others: Any) -> list[Problem]:
        from dunerules.scenarios.checking import check_scenarios  # the language is loaded only if something has changed
        from dunerules.scenarios.stage import book_of

        ids = tuple(str(item.value) for item in others.items()) if others is not None else (pack.id,)
        try:
            if ids not in self.books:
                self.books[ids] = book_of(self.together([self.library.named(each) for each in ids]))
        except CannotRunError as error:
            span = others.span if others is not None else first_character(file.name)
            return [problem("DR904", str(error), span, expected="packs without errors to play with")]
        return check_scenarios(file, self.books[ids])
