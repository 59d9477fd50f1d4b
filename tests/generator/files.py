"""Files of generated packs: nested maps whose leaves are texts, written so that every line is known by its path."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from .texts import Text

__all__ = ["Files", "PathOf", "find", "leaves", "remove", "replaced", "written", "yaml_of"]

Files: TypeAlias = dict[str, Any]
"""By name of the file: maps, lists, numbers, words and texts."""
PathOf: TypeAlias = tuple[Any, ...]


def yaml_of(tree: Any) -> tuple[str, dict[int, PathOf]]:
    """A file, and by line what stands there."""
    lines: list[str] = []
    paths: dict[int, PathOf] = {}
    for text, path in _lines(tree, (), 0):
        lines.append(text)
        paths[len(lines)] = path
    return "\n".join(lines) + "\n", paths


def _lines(tree: Any, path: PathOf, indent: int) -> Iterator[tuple[str, PathOf]]:
    pad = "  " * indent
    for key, value in tree.items():
        here = (*path, key)
        if isinstance(value, dict) and value:
            yield f"{pad}{key}:", here
            yield from _lines(value, here, indent + 1)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{pad}{key}:", here
            for number, item in enumerate(value):
                for place, (text, inside) in enumerate(_lines(item, (*here, number), indent + 2)):
                    yield (f"{pad}  - {text.lstrip()}" if place == 0 else text), inside
        else:
            yield f"{pad}{key}: {_scalar(value)}", here


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_scalar, value))}]"
    return json.dumps(str(value))


def written(files: Files, root: Path) -> dict[str, dict[int, PathOf]]:
    """Write a pack anew; by file and line, what stands where."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    found = {}
    for name, tree in files.items():
        text, found[name] = yaml_of(tree)
        (root / name).write_text(text, "utf-8")
    return found


# ---- looking into files and changing them; a change makes a new tree


def find(files: Any, path: PathOf) -> Any:
    """What stands at a path."""
    for part in path:
        files = files[part]
    return files


def replaced(files: Files, path: PathOf, new: Any) -> Files:
    """The same files with something else at a path."""
    changed: Files = _replaced(files, path, new)
    return changed


def _replaced(tree: Any, path: PathOf, new: Any) -> Any:
    if not path:
        return new
    copy = list(tree) if isinstance(tree, list) else dict(tree)
    copy[path[0]] = _replaced(tree[path[0]], path[1:], new)
    return copy


def remove(files: Files, path: PathOf) -> Files:
    """The same files without what stands at a path; what is empty then goes too."""
    changed: Files = _removed(files, path)
    return changed


def _removed(tree: Any, path: PathOf) -> Any:
    copy = list(tree) if isinstance(tree, list) else dict(tree)
    if len(path) > 1:
        copy[path[0]] = _removed(tree[path[0]], path[1:])
        if copy[path[0]] not in ({}, []):
            return copy
    del copy[path[0]]
    return copy


def leaves(tree: Any, path: PathOf = ()) -> Iterator[tuple[PathOf, Text]]:
    """Every text, and where it stands."""
    if isinstance(tree, Text):
        yield path, tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from leaves(value, (*path, number))
