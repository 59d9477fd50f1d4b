"""Which packs are meant by paths: packs, files of packs, directories of packs, or what lies around."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dunerules.packs.library import packs_around, packs_below
from dunerules.packs.pack import find_pack_root
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError
from dunerules.resources import content_directory

__all__ = ["Target", "find_targets"]


@dataclass(frozen=True)
class Target:
    """A pack to check; with `only`, just these of its files are reported."""

    root: Path
    only: frozenset[str] = frozenset()
    shipped: bool = False
    """Chosen only because nothing else was there."""


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
