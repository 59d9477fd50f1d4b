"""A pack on disk: its manifest and its files, read but not yet understood."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from dunerules.files import unsaved_below
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.packs.shape import FILE_KINDS, check_file
from dunerules.packs.source import APART, NO_LINK, Source, decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import Problem, Span, first_character, problem

__all__ = [
    "APART",
    "MOST_FILES",
    "Pack",
    "PackFile",
    "file_kind",
    "find_pack_root",
    "is_content",
    "list_files",
    "read_pack",
]

MOST_FILES = 2000
"""Files in one pack."""


@dataclass(frozen=True)
class PackFile:
    """One file of a pack. Text and nodes are read when first asked for."""

    path: Path
    name: str
    kind: str
    pack: str = ""

    @cached_property
    def _bytes(self) -> tuple[bytes | None, list[Problem]]:
        return read_bytes(self.path, self.name)

    @property
    def unread(self) -> list[Problem]:
        """Why the bytes cannot be had, if they cannot."""
        return self._bytes[1]

    @property
    def data(self) -> bytes:
        """The bytes; none if the file cannot be read."""
        return self._bytes[0] or b""

    @cached_property
    def _read(self) -> tuple[Source | None, list[Problem]]:
        data, problems = self._bytes
        if data is None:
            return None, problems
        source, problems = decode(data, self.name)
        if source is not None:
            source = replace(source, pack=self.pack, kind=self.kind)
        return source, problems

    @property
    def source(self) -> Source | None:
        """The text, unless it cannot be read."""
        return self._read[0]

    @cached_property
    def _parsed(self) -> tuple[Node | None, list[Problem]]:
        source, problems = self._read
        if source is None:
            return None, problems
        node, found = read_yaml(source)
        problems = problems + found
        if node is None:
            if not found:
                problems = [
                    *problems,
                    problem(
                        "DR102", "the file is empty", first_character(self.name), expected="a map, or no such file"
                    ),
                ]
            return None, problems
        kept, shape = check_file(node, f"{self.kind}.schema.json", in_pack=self.kind != "pack")
        meant = self._misnamed(node)
        if meant:
            message = f"`{self.path.name}` is read as a file of objects, and is none"
            return None, [
                *problems,
                problem("DR013", message, first_character(self.name), expected=f"the name `{meant}.yaml`?"),
            ]
        if any(found.code == "DR005" for found in problems):
            shape = [found for found in shape if found.code != "DR102"]  # the rest of the file was not read
        return kept, problems + shape

    def _misnamed(self, node: Node) -> str:
        """The kind of file this may have been meant to be, judged by its name and keys."""
        if self.kind != "objects" or node.kind != "map" or {"kind", "objects"} & node.value.keys():
            return ""
        near = nearest(self.path.stem, FILE_KINDS)
        return near[0] if near and near[0] != "objects" else ""

    @property
    def node(self) -> Node | None:
        """The content, unless there is none to speak of."""
        return self._parsed[0]

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the bytes, the YAML and the shape of this file."""
        return self._parsed[1]


def _as_found(file: PackFile) -> PackFile:
    return file


@dataclass(frozen=True)
class Pack:
    """A directory with a `pack.yaml` in it."""

    root: Path
    id: str
    version: str
    manifest: PackFile
    known: Callable[[PackFile], PackFile] = field(default=_as_found, compare=False, repr=False)
    """Gives for a file the same one as it was read before, if somebody remembers it."""

    @cached_property
    def _listed(self) -> tuple[tuple[PackFile, ...], tuple[Problem, ...]]:
        paths, problems = list_files(self.root)
        own = self.manifest.node.text("id") if self.manifest.node is not None else ""
        files = [
            self.known(PackFile(path, shown_path(path), file_kind(path.relative_to(self.root)), own))
            for path in paths
            if path != self.manifest.path
        ]
        return tuple(files), tuple(problems)

    @property
    def files(self) -> tuple[PackFile, ...]:
        """All files but the manifest; looked for when first asked for, because most packs are never used."""
        return self._listed[0]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with its folders and with names of files."""
        return self._listed[1]

    def ranges(self, key: str) -> dict[str, tuple[str, Span]]:
        """The packs named under `requires`, `optional` or `conflicts`: id to range and place."""
        node = self.manifest.node.get(key) if self.manifest.node is not None else None
        if node is None:
            return {}
        return {name: (value.value, value.span) for name, _, value in node.entries() if value.kind == "text"}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages it brings for the packs it names; a pack with any is a language pack, no part of a game."""
        node = self.manifest.node.get("languages") if self.manifest.node is not None else None
        return tuple(dict.fromkeys(str(item.value) for item in node.items())) if node is not None else ()

    @property
    def title(self) -> str:
        """What the pack is called."""
        return self.manifest.node.text("title", self.id) if self.manifest.node is not None else self.id


def file_kind(relative: Path) -> str:
    """The kind of a file by its place in the pack: `verbs.yaml` and `verbs/x.yaml` are verbs, others are objects."""
    first = relative.parts[0]
    stem = first[:-5] if first.endswith(".yaml") else first
    return stem if stem in FILE_KINDS else "objects"


def find_pack_root(path: Path) -> Path | None:
    """The nearest directory with a `pack.yaml`, from `path` upwards."""
    for candidate in [path, *path.parents]:
        if (candidate / "pack.yaml").is_file():
            return candidate
    return None


def list_files(root: Path) -> tuple[list[Path], list[Problem]]:
    """The content files of a pack in a fixed order; a linked folder is a problem, and is not looked into."""
    found: list[Path] = []
    problems: list[Problem] = []

    def unreadable(error: OSError) -> None:
        name = shown_path(Path(error.filename or root))
        problems.append(
            problem(
                "DR001", f"cannot read `{name}`: {error.strerror}", first_character(name), expected="a readable folder"
            )
        )

    for folder, folders, names in os.walk(root, onerror=unreadable):
        here = Path(folder)
        for name in (name for name in [*folders, *(APART & {*names})] if (here / name).is_symlink()):
            if not name.startswith("."):
                span = first_character(shown_path(here / name))
                problems.append(problem("DR015", f"`{name}` is a link", span, expected=NO_LINK))
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not (here == root and name in APART)
        )
        nested = [name for name in folders if (here / name / "pack.yaml").is_file()]
        folders[:] = [name for name in folders if name not in nested]
        for name in [*names, *(folder for folder in folders if folder.endswith((".yaml", ".yml")))]:
            if name.endswith(".json") and _meant_as_content(here / name):
                span = first_character(shown_path(here / name))
                problems.append(
                    problem("DR013", f"`{name}` is not read", span, expected="the ending .yaml: JSON is YAML")
                )
            if name.startswith(".") or not name.endswith((".yaml", ".yml")) or (here == root and name in APART):
                continue
            found.append(here / name)
            if name.endswith(".yml"):
                span = first_character(shown_path(here / name))
                problems.append(problem("DR013", f"`{name}` is not read", span, expected="the ending .yaml"))
    found += [path for path in unsaved_below(root) if path not in found and is_content(path, root)]
    if len(found) > MOST_FILES:
        problems.append(
            problem(
                "DR004",
                f"{len(found)} files in one pack",
                first_character(shown_path(root)),
                expected=f"at most {MOST_FILES}",
            )
        )
    ordered = sorted((path for path in found if path.suffix == ".yaml"), key=lambda path: (len(path.parts), path.parts))
    return ordered[:MOST_FILES], problems


def _meant_as_content(path: Path) -> bool:
    """Whether a JSON file looks like one of a pack, and not like one of some other tool."""
    if path.stem in FILE_KINDS:
        return True
    data, _ = read_bytes(path, path.name)
    return data is not None and b'"kind"' in data and b'"objects"' in data


def is_content(path: Path, root: Path) -> bool:
    """Whether a path, of a file that need not be there, is that of a content file of a pack."""
    parts = path.relative_to(root).parts
    return path.suffix == ".yaml" and parts[0] not in APART and not any(part.startswith(".") for part in parts)


def read_pack(root: Path, known: Callable[[PackFile], PackFile] = _as_found) -> Pack:
    """The pack in a directory. Never raises; what is wrong is in `problems` and in its files."""
    name = shown_path(root / "pack.yaml")
    manifest = known(PackFile(root / "pack.yaml", name, "pack"))
    node = manifest.node
    id_ = node.text("id") if node is not None else ""
    version = node.text("version", "0") if node is not None else "0"
    return Pack(root, id_ or root.name, version, manifest, known)
