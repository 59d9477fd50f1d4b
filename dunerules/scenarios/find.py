"""Which scenarios there are: those of packs, of directories, of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from dunerules.checker.check import find_targets
from dunerules.problems import CannotRunError
from dunerules.resources import content_directory

__all__ = ["FOLDER", "find_scenario_files"]

FOLDER = "scenarios"


def find_scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The scenario files meant by some paths; by default those of the packs around here."""
    paths = list(paths)
    if not paths:
        return [file for target in find_targets([]) for file in _below(target.root / FOLDER)]
    return list(dict.fromkeys(file for path in paths for file in _meant(path)))


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
