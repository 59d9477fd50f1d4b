"""From generated files to rules that can be played: check, leave out what is refused, load."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dunerules import load as load_rules
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.game import Rules
from dunerules.problems import Problem, RefusedError

from .files import Files, PathOf, find, leaves, written
from .packs import refused
from .texts import DeadEndError

__all__ = ["HopelessError", "Loaded", "load", "shown", "unit_of", "workplace"]

ROUNDS = 8


@contextmanager
def workplace() -> Iterator[Path]:
    """Where a pack is written, with a cache of its own."""
    before = os.environ.get("DUNERULES_CACHE")
    with tempfile.TemporaryDirectory(prefix="dunerules-generator-") as place:
        os.environ["DUNERULES_CACHE"] = str(Path(place) / "cache")
        try:
            yield Path(place).resolve() / "generated"
        finally:
            del os.environ["DUNERULES_CACHE"]
            if before is not None:
                os.environ["DUNERULES_CACHE"] = before


@dataclass
class Loaded:
    """A pack that check accepts, and what it refused of it."""

    rules: Rules
    files: Files
    codes: Counter[str] = field(default_factory=Counter)
    """Refused texts by code."""
    examples: dict[str, str] = field(default_factory=dict)


class HopelessError(Exception):
    """A pack that cannot be mended."""


def load(files: Files, root: Path, words: Vocabulary) -> Loaded:
    """Check and load a pack; what is refused is left out."""
    codes: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for _ in range(ROUNDS):
        files = {name: tree for name, tree in files.items() if "kind" not in tree or "objects" in tree}
        places = written(files, root)
        try:
            return Loaded(load_rules(root), files, codes, examples)
        except RefusedError as error:
            units: dict[PathOf, Problem] = {}
            for found in error.problems:
                units.setdefault(unit_of(_path(found, places)), found)
        for path, found in sorted(units.items(), key=lambda item: str(item[0]), reverse=True):
            said = f"{found.message}; {found.expected}: {_text_at(files, path)}"
            codes[found.code] += 1
            examples.setdefault(found.code, said)
            try:
                files = refused(files, path, words)
            except (KeyError, IndexError):
                continue  # it went with another one
            except DeadEndError:
                raise HopelessError(f"{found.code} {path} {said}") from None
    raise HopelessError(f"refused again and again: {codes} {examples}")


def _path(found: Problem, places: dict[str, dict[int, PathOf]]) -> PathOf:
    name = Path(found.span.file).name
    return (name, *places.get(name, {}).get(found.span.line, ()))


def unit_of(path: PathOf) -> PathOf:
    """The definition something is a part of."""
    if "abilities" in path:
        return path[: path.index("abilities") + 2]
    return path[:4] if len(path) > 1 and path[1] == "objects" else path[:3]


def _text_at(files: Files, path: PathOf) -> str:
    try:
        return shown(find(files, path))
    except (KeyError, IndexError, TypeError):
        return "?"


def shown(tree: Any) -> str:
    """All texts of a part of a pack."""
    return "; ".join(str(text) for _, text in leaves(tree)) or str(tree)
