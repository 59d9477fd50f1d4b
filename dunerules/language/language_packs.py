"""Language packs: packs that bring a language for others, and are no part of a game.

Such a pack says `languages: [de]` and names the packs it speaks for under `requires` and `optional`. It is found like
any pack: beside the packs in use, installed, or here; or it is named by its path. Nobody chooses between two that
bring the same file of a language, unless one of them is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path

from dunerules.files import read_regular
from dunerules.language.places import PROGRAM, PSEUDO, PackFolder, locale_folders
from dunerules.packs.library import packs_around, packs_below
from dunerules.packs.pack import Pack, read_pack
from dunerules.packs.source import LOCALES, shown_path
from dunerules.packs.versions import matches
from dunerules.problems import CannotRunError
from dunerules.resources import content_directory

__all__ = [
    "GENERAL", "OF_PACKS", "Shelf", "between_language_packs", "covered", "find_language_packs", "has_itself",
    "language_packs_at", "refuse_twice", "shelves", "spoken_by", "twice", "unfit",
]  # fmt: skip

GENERAL = ("lexicon.yaml", "phrases.yaml", f"{PROGRAM}.po")
"""The files of a language itself."""

OF_PACKS = ("lexicon.yaml", "phrases.yaml", "po")
"""How the names of files end that a language has for a pack, behind its id."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder with files of one language, and the packs that they may be for; for all, if it says none."""

    folder: Path
    packs: frozenset[str] | None = None

    def has(self, name: str, pack: str = "") -> bool:
        """Whether there is a file of this name, for a pack or in general."""
        return (not pack or self.packs is None or pack in self.packs) and lexists(self.folder / name)


def spoken_by(pack: Pack) -> tuple[str, ...]:
    """The languages of a language pack that it has folders for; the disguised one need not be declared."""
    codes = dict.fromkeys((*pack.languages, PSEUDO))
    return tuple(code for code in codes if (pack.root / LOCALES / code).is_dir())


def covered(pack: Pack, packs: Sequence[PackFolder]) -> frozenset[str]:
    """The ids of those of some packs that a language pack speaks for."""
    named = {**pack.ranges("optional"), **pack.ranges("requires")}
    return frozenset(each.id for each in packs if each.id in named and matches(each.version, named[each.id][0]))


def find_language_packs(packs: Sequence[PackFolder], paths: Sequence[Path] = ()) -> tuple[Pack, ...]:
    """The language packs for some packs: those at paths, and those beside the packs, installed or here.

    One that was named stands in front of others that bring the same language for the same pack.
    """
    named = tuple(pack for path in paths for pack in language_packs_at(path))
    for pack in named:
        if not covered(pack, packs):
            raise CannotRunError(f"the language pack in {shown_path(pack.root)} {unfit(pack, packs)}")
    taken = {(code, id_) for pack in named for code in spoken_by(pack) for id_ in covered(pack, packs)}
    known = {pack.root.resolve() for pack in named}
    found = []
    for root in _around(packs):
        if root.resolve() in known or not _may_bring(root):
            continue
        known.add(root.resolve())
        pack = read_pack(root)
        brings = {(code, id_) for code in spoken_by(pack) for id_ in covered(pack, packs)} if pack.languages else set()
        if brings and not brings & taken:
            found.append(pack)
    return (*named, *found)


def _around(packs: Sequence[PackFolder]) -> Iterator[Path]:
    folders = dict.fromkeys(pack.root.parent for pack in packs)
    for folder in (*folders, content_directory()):
        yield from packs_below(folder)
    yield from packs_around(Path.cwd())


def _may_bring(root: Path) -> bool:
    """Whether a pack could be a language pack: most are not, and need not be read for that."""
    try:
        return (root / LOCALES).is_dir() and b"languages" in read_regular(root / "pack.yaml")
    except OSError:
        return False


def language_packs_at(path: Path) -> list[Pack]:
    """The language pack in a folder, or those in the folders of it; a `CannotRunError` if there is none."""
    folder = path.absolute()
    if (folder / "pack.yaml").is_file():
        pack = read_pack(folder)
        if not pack.languages:
            raise CannotRunError(f"the pack in `{path}` is no language pack: its pack.yaml has no list of `languages`")
        return [pack]
    found = [pack for pack in map(read_pack, packs_below(folder)) if pack.languages]
    if not found:
        raise CannotRunError(f"there is no language pack in `{path}`")
    return found


def unfit(pack: Pack, packs: Sequence[PackFolder]) -> str:
    """Why a language pack does not speak for any of some packs."""
    named = {**pack.ranges("optional"), **pack.ranges("requires")}
    here = {each.id: each.version for each in packs}
    wrong = [f"{id_} {wanted}, and {id_} {here[id_]} is here" for id_, (wanted, _) in named.items() if id_ in here]
    said = "; ".join(wrong) or f"{', '.join(named) or 'no pack'}, and {', '.join(here) or 'no pack'} is in use"
    return f"speaks for {said}"


def shelves(code: str, packs: Sequence[PackFolder], brought: Sequence[Pack] = ()) -> list[Shelf]:
    """Where files of a language may lie: in the folders of packs, and in language packs for what they speak for."""
    shipped = (content_directory() / LOCALES).resolve()
    others = frozenset(each.id for each in packs if not _has_own(each, code, shipped))
    own = [Shelf(folder / code, others if folder.resolve() == shipped else None) for folder in locale_folders(packs)]
    more = [Shelf(each.root / LOCALES / code, covered(each, packs)) for each in brought if code in spoken_by(each)]
    return [*own, *more]


def has_itself(pack: PackFolder, code: str) -> bool:
    """Whether there are words of a language for a pack without any language pack: in it, beside it or shipped."""
    return any(shelf.has(f"{pack.id}.{ending}", pack.id) for shelf in shelves(code, [pack]) for ending in OF_PACKS)


def _has_own(pack: PackFolder, code: str, shipped: Path) -> bool:
    """Whether a pack has words of a language beside or in it: those that are shipped for its id are not meant then."""
    folders = (folder / LOCALES for folder in (pack.root, pack.root.parent))
    return any(any((folder / code).glob(f"{pack.id}.*")) for folder in folders if folder.resolve() != shipped)


def twice(code: str, packs: Sequence[PackFolder], brought: Sequence[Pack]) -> Iterator[tuple[str, Path, Path]]:
    """Files of a language that a language pack brings although they are elsewhere too: pack or none, and both."""
    found = shelves(code, packs, brought)
    shipped = content_directory() / LOCALES / code
    general = [each for each in found if each.packs is not None or each.folder == shipped]
    for name in GENERAL:
        have = [each.folder / name for each in general if each.has(name)]
        if len(have) > 1:
            yield "", have[-2], have[-1]
    for pack in packs:
        for ending in OF_PACKS:
            here = [each for each in found if each.has(f"{pack.id}.{ending}", pack.id)]
            if len(here) > 1 and here[-1].packs is not None:
                yield pack.id, here[-2].folder / f"{pack.id}.{ending}", here[-1].folder / f"{pack.id}.{ending}"


def between_language_packs(one: Path, brought: Sequence[Pack]) -> bool:
    """Whether the first of two such files is of a language pack too: only then can one of both be chosen."""
    return any(pack.root / LOCALES in one.parents for pack in brought)


def refuse_twice(code: str, packs: Sequence[PackFolder], brought: Sequence[Pack]) -> None:
    """Nobody chooses between two files of a language for the same pack."""
    for id_, one, other in twice(code, packs, brought):
        what = f"the language `{code}` for `{id_}`" if id_ else f"the language `{code}`"
        where = f"{shown_path(one)} and {shown_path(other)}"
        advice = "what is there without a language pack cannot be replaced by one: move one of them away"
        if between_language_packs(one, brought):
            advice = "name only the language pack that is meant by --lang-path, or move the other one away"
        raise CannotRunError(f"{what} is brought twice, by {where}; {advice}")
