"""From generated files to rules that can be played: check, leave out what is refused, load."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dunerules.checker.cache import Cache
from dunerules.checker.catalog import severity_of
from dunerules.checker.check import Target, check_targets
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.game import Rules, load_rules
from dunerules.problems import Problem

from .files import Files, PathOf, find, leaves, written
from .packs import refused
from .texts import DeadEndError

__all__ = ["Loaded", "RefusedError", "load", "shown", "unit_of"]

ROUNDS = 8


@dataclass
class Loaded:
    """A pack that check accepts, and what it refused of it."""

    rules: Rules
    files: Files
    codes: Counter[str] = field(default_factory=Counter)
    """Refused texts by code."""
    examples: dict[str, str] = field(default_factory=dict)
    warnings: Counter[str] = field(default_factory=Counter)


class RefusedError(Exception):
    """A pack that cannot be mended."""


def problems_of(files: Files, root: Path) -> list[tuple[Problem, PathOf]]:
    """What check says, and about what."""
    places = written(files, root)
    found = check_targets([Target(root)], Cache(None)).problems
    return [(each, _path(each, places)) for each in found]


def _path(found: Problem, places: dict[str, dict[int, PathOf]]) -> PathOf:
    name = Path(found.span.file).name
    return (name, *places.get(name, {}).get(found.span.line, ()))


def load(files: Files, root: Path, words: Vocabulary) -> Loaded:
    """Check and load a pack; what is refused is left out."""
    codes: Counter[str] = Counter()
    examples: dict[str, str] = {}
    warnings: Counter[str] = Counter()
    for _ in range(ROUNDS):
        files = {name: tree for name, tree in files.items() if "kind" not in tree or "objects" in tree}
        found = problems_of(files, root)
        errors = [(each, path) for each, path in found if severity_of(each.code) == "error"]
        if not errors:
            warnings.update(each.code for each, _ in found)
            return Loaded(load_rules(root), files, codes, examples, warnings)
        units: dict[PathOf, Problem] = {}
        for each, path in errors:
            units.setdefault(unit_of(path), each)
        for path, each in sorted(units.items(), key=lambda item: str(item[0]), reverse=True):
            codes[each.code] += 1
            examples.setdefault(each.code, f"{each.message}; {each.expected}: {_text_at(files, path)}")
            try:
                files = refused(files, path, words)
            except (KeyError, IndexError):
                continue  # it went with another one
            except DeadEndError:
                raise RefusedError(f"{each.code} {each.message} at {path}: {_text_at(files, path)}") from None
    raise RefusedError(f"refused again and again: {codes}")


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
