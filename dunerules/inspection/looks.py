"""The look of a pack, as a part of its check: whether it can be read, and speaks of what is there."""

from __future__ import annotations

from os.path import lexists

from dunerules.checker.cache import PACK_ENTRY, Cache, pack_problems, unpack_problems
from dunerules.digests import digest
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import LOOK, shown_path
from dunerules.problems import Problem

__all__ = ["check_looks", "looks_of"]


def looks_of(pack: Pack) -> list[PackFile]:
    """The file with the look of a pack, if it has one."""
    path = pack.root / LOOK
    return [PackFile(path, shown_path(path), "look", pack.id)] if lexists(path) else []


def check_looks(pack: Pack, library: Library, cache: Cache) -> list[Problem]:
    """What is wrong with the look of a sound pack, from memory as far as nothing has changed."""
    selection = library.select(pack)
    files = {
        f"{each.id}:{file.path.relative_to(each.root)}": file
        for each in selection.packs
        for file in (each.manifest, *each.files, *looks_of(each))
    }
    name = digest("look", pack.id, *(part for label, file in files.items() for part in (label, file.data)))
    shown = {label: file.name for label, file in files.items()}
    known = cache.read(name, PACK_ENTRY)
    if known:
        return unpack_problems(known["problems"], shown)
    from dunerules.look.reading import read_look  # the language is loaded only if something has changed
    from dunerules.understanding.understand import understand

    understood = understand(selection)
    own = {file.name for file in looks_of(pack)}
    _, problems = read_look(selection.packs, understood.content, understood.words)
    found = [each for each in problems if each.span.file in own]
    cache.write(name, {"problems": pack_problems(found, {name: label for label, name in shown.items()})})
    return found
