"""The languages that a pack claims, as a part of its check: no text of the pack, nor its book, has a hole in them.

Texts are printed only where no error stands in the way, and only if something they are printed from has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from os.path import lexists
from pathlib import Path

from dunerules.checker.cache import PACK_ENTRY, Cache, pack_problems, unpack_problems
from dunerules.digests import digest
from dunerules.files import read_regular
from dunerules.language.language_packs import find_language_packs
from dunerules.language.places import BOOK, MESSAGES, claimed, locale_folders
from dunerules.packs.library import Library
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import LOCALES, shown_path
from dunerules.problems import Problem, problem

__all__ = ["Claims", "check_prose", "prose_of"]


def prose_of(pack: Pack) -> list[PackFile]:
    """The file with the prose of a pack, if it has one."""
    path = pack.root / BOOK
    return [PackFile(path, shown_path(path), "book", pack.id)] if lexists(path) else []


def check_prose(pack: Pack, file: PackFile, cache: Cache) -> list[Problem]:
    """What is wrong with the form of that file."""
    label = f"{pack.id}:{BOOK}"
    name = digest("prose", label, file.data, str(file.unread))
    known = cache.read(name, PACK_ENTRY)
    if known:
        return unpack_problems(known["problems"], {label: file.name})
    found = [*file.problems, *_written_twice(file)]
    cache.write(name, {"problems": pack_problems(found, {file.name: label})})
    return found


def _written_twice(file: PackFile) -> Iterator[Problem]:
    """Chapters with the id of another one: translations could not tell them apart."""
    first: dict[str, Node] = {}
    for chapter in file.node.items() if file.node is not None else ():
        id_ = chapter.get("id")
        if id_ is not None and first.setdefault(str(id_.value), id_) is not id_:
            related = ((first[str(id_.value)].span, "first written here"),)
            message = f"chapter `{id_.value}` is written twice"
            yield problem("DR201", message, id_.span, expected="another id", related=related)


class Claims:
    """Looks for holes in the texts of packs, from memory as far as what they are printed from is unchanged."""

    def __init__(self, library: Library, cache: Cache) -> None:
        self.library = library
        self.cache = cache
        self.read: dict[Path, str] = {}

    def check(self, pack: Pack) -> list[Problem]:
        """The holes in the texts of a sound pack, in every language that it claims."""
        languages = claimed(pack)
        if not languages:
            return []
        packs = self.library.select(pack).packs
        files = {
            f"{each.id}:{file.path.relative_to(each.root)}": file
            for each in packs
            for file in (each.manifest, *each.files, *prose_of(each))
        }
        said = digest(pack.id, *(part for label, file in files.items() for part in (label, file.data)))
        names = {language: digest("holes", said, language, *self._words(packs, language)) for language in languages}
        known = {language: self.cache.read(name, PACK_ENTRY) for language, name in names.items()}
        shown = {label: file.name for label, file in files.items()}
        found = [each for entry in known.values() if entry for each in unpack_problems(entry["problems"], shown)]
        changed = [language for language, entry in known.items() if not entry]
        if changed:
            from dunerules.book.holes import check_holes  # the language is loaded only if something has changed

            labels = {name: label for label, name in shown.items()}
            for language, holes in check_holes(pack, self.library, changed):
                self.cache.write(names[language], {"problems": pack_problems(holes, labels)})
                found += holes
        return found

    def _words(self, packs: tuple[Pack, ...], language: str) -> list[str]:
        """What a language is read from, for some packs, and which of them claim it."""
        said = [each.id for each in packs if language in claimed(each)]
        folders = [*locale_folders(packs), *(each.root / LOCALES for each in find_language_packs(packs))]
        for folder in folders:
            for path in (folder / MESSAGES, *sorted((folder / language).glob("*.*"))):
                said += [path.name, self._content(path)]
        return said

    def _content(self, path: Path) -> str:
        if path not in self.read:
            try:
                self.read[path] = digest(read_regular(path))
            except OSError as error:  # not there, or nothing that can be read: the language is without it
                self.read[path] = f"error {error.errno}"
        return self.read[path]
