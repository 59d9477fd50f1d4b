"""Which scenarios there are: those of packs, of directories, of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from dunerules.packs.library import Library
from dunerules.packs.pack import find_pack_root
from dunerules.packs.targets import find_targets
from dunerules.problems import CannotRunError
from dunerules.resources import content_directory
from dunerules.scenarios import FOLDER
from dunerules.scenarios.record import ScenarioFile

__all__ = ["find_scenario_files", "packs_of"]


def find_scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The scenario files meant by some paths; by default those of the packs around here."""
    paths = list(paths)
    if not paths:
        return [file for target in find_targets([]) for file in _below(target.root / FOLDER)]
    return list(dict.fromkeys(file for path in paths for file in _meant(path)))


def packs_of(file: ScenarioFile) -> tuple[str, ...]:
    """The folders of the packs a file is played with: its own pack and those beside it go before installed ones."""
    root = find_pack_root(file.path.absolute().parent)
    if root is None or file.packs == (str(root),):
        return file.packs
    library = Library.of([root])
    return tuple(str(library.named(id_).root) for id_ in file.packs)


def _meant(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif (path / "pack.yaml").is_file():
        yield from _below(path / FOLDER)
    elif path.is_dir():
        if any((each / "pack.yaml").is_file() for each in path.iterdir()):
            for target in find_targets([path]):
                yield from _below(target.root / FOLDER)
        else:
            yield from _below(path)
    elif len(path.parts) == 1 and (content_directory() / path / "pack.yaml").is_file():
        yield from _below(content_directory() / path / FOLDER)
    else:
        raise CannotRunError(f"there is no `{path}`")


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.yaml") if path.is_file())
