"""Files that are made: written as YAML, tried before they exist, and never in the place of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dunerules.checker.cache import Cache
from dunerules.files import read_regular, unsaved, write_text
from dunerules.formatter import format_pack
from dunerules.inspection.whole import check_targets
from dunerules.packs.library import Library
from dunerules.packs.source import Source, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.packs.targets import Target
from dunerules.problems import CannotRunError, Edit, Problem, edited

__all__ = ["STILL_UNUSED", "Value", "must_be_clean", "must_be_new", "shown", "tidied", "write_new"]

Value = str | int | bool | list[str]
"""What a key of a new object can be."""

STILL_UNUSED = "# dunerules: ignore[DR612]: used by what is still to be written"
"""Stands beside what is made before anything uses it; it goes when something does."""


def shown(value: Value) -> str:
    """A value as it stands behind its key."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    node, problems = read_yaml(Source("", f"key: {value}\n"))
    said = node.get("key") if node is not None and not problems else None
    plain = said is not None and said.kind == "text" and said.value == value and "\n" not in value
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def must_be_new(paths: Iterable[Path]) -> None:
    """Refuse to write where something is."""
    for path in paths:
        if path.exists() or path.is_symlink():
            raise CannotRunError(f"{shown_path(path)} is there already, and is not written over; choose another name")


def tidied(root: Path, files: Mapping[Path, str]) -> dict[Path, str]:
    """Files of a pack in the canonical form, before any of them is written."""
    library = Library.of([root])
    with unsaved({path: text.encode() for path, text in files.items()}):
        formatted = {file.path: text for file, text in format_pack(library, library.add(root))}
    return {path: formatted.get(path) or text for path, text in files.items()}


def must_be_clean(root: Path, files: Mapping[Path, str]) -> dict[Path, str]:
    """Refuse files with which their pack would have findings that it does not have without them.

    Without files it is the pack that is new, and must have none. The result are files of the pack that change with
    the new ones: they lose comments that something is still unused.
    """
    before = {_told(found) for found in _findings(root, {})} if files else set()
    edits: dict[Path, list[Edit]] = {}
    for found in _findings(root, files):
        if _told(found) in before:
            continue
        path = Path.cwd() / found.span.file
        if path in files or not _is_used_now(found, path):
            parts = [found.message, f"expected {found.expected}" * bool(found.expected), found.hint]
            raise CannotRunError(f"nothing is written: {found.code} {found.span}: {'; '.join(filter(None, parts))}")
        edits.setdefault(path, []).extend(found.edits)
    return {path: edited(_text(path), sorted(each, key=lambda edit: edit.start)) for path, each in edits.items()}


def _is_used_now(found: Problem, path: Path) -> bool:
    """Whether all that is wrong is a comment of ours that something is still unused."""
    return found.code == "DR701" and any(STILL_UNUSED in _text(path)[edit.start : edit.end] for edit in found.edits)


def _text(path: Path) -> str:
    return read_regular(path).decode("utf-8")


def _findings(root: Path, files: Mapping[Path, str]) -> list[Problem]:
    with unsaved({path: text.encode() for path, text in files.items()}):
        return check_targets([Target(root)], Cache(None)).problems


def _told(found: Problem) -> tuple[str, str, str]:
    return found.code, found.message, found.span.file


def write_new(files: Mapping[Path, str], changed: Mapping[Path, str] | None = None) -> list[Path]:
    """Write files that are not there yet, and then those that change with them."""
    must_be_new(files)
    written = {**files, **(changed or {})}
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    return [*written]
