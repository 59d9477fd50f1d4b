"""Bringing files to the present format: which files are meant, and what each becomes.

Everything is found out before anything is written. Files of a pack are of its format unless they say another, so its
`pack.yaml` is written last: what is stopped half way is begun again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dunerules.files import from_json, read_regular
from dunerules.formats import FORMAT, KEPT, unreadable
from dunerules.kept import format_of, kind_of, opened, sealed, text_of
from dunerules.language.places import is_language
from dunerules.migrate.text_steps import CATALOG, TEXT_STEPS, File, number_edits, said_number
from dunerules.packs.library import packs_below
from dunerules.packs.pack import file_kind, find_pack_root
from dunerules.packs.source import LOOK, Source, decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import CannotRunError, Edit, edited

__all__ = ["Change", "around", "migrated"]

_OF_LANGUAGE = ("lexicon", "phrases", "terms")
_BESIDE_LANGUAGES = ("limits", "messages")
_AUTHORED = {".yaml", ".po"}
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Change:
    """A file, and what it becomes; both are equal if there is nothing to do."""

    path: Path
    name: str
    before: bytes
    after: bytes


def migrated(paths: Iterable[Path]) -> list[Change]:
    """What becomes of the files meant by some paths. If one cannot be brought over, all that cannot are named."""
    changes, faults = [], []
    for path in dict.fromkeys(file for named in paths for file in _meant(named)):
        try:
            changes.append(_authored(path) if path.suffix in _AUTHORED else _kept(path))
        except CannotRunError as error:
            faults.append(f"{shown_path(path)}: {error}")
    if faults:
        raise CannotRunError("\n".join(["nothing is changed:", *faults]))
    return sorted(changes, key=lambda each: each.path.name == "pack.yaml")


# ---- which files


def around() -> list[Path]:
    """What is meant if nothing is named: the pack around here, or the packs that lie here with their languages."""
    here = Path.cwd()
    root = find_pack_root(here)
    if root is not None:
        return [root]
    found = next((folder for folder in (here, here / "content") if packs_below(folder)), None)
    if found is None:
        raise CannotRunError("there is no pack here; name what is to be brought over")
    return [*packs_below(found), *([found / "locales"] if (found / "locales").is_dir() else [])]


def _meant(path: Path) -> Iterator[Path]:
    """A file that is named; in a folder the packs, scenarios and languages. A pack is brought over as a whole."""
    absolute = path.absolute()
    if not path.exists():
        raise CannotRunError(f"there is no `{path}`")
    if not path.is_dir() and path.suffix not in _AUTHORED:
        yield absolute
        return
    if not path.is_dir() and _kind(absolute) is None:
        raise CannotRunError(f"`{path}` is no file of a pack or a language, and has no scenarios")
    root = find_pack_root(absolute if path.is_dir() else absolute.parent)
    if root is None and not path.is_dir():
        yield absolute
    else:
        yield from _below(root or absolute)


def _below(root: Path) -> Iterator[Path]:
    """The files of packs, scenarios and languages in a folder; nothing that is linked there."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found = (Path(folder) / name for name in sorted(names) if not name.startswith("."))
        yield from (file for file in found if not file.is_symlink() and _kind(file) is not None)


def _kind(path: Path) -> str | None:
    """The kind of a file by its name and place; nothing for what is none of ours."""
    if path.name == "pack.yaml":
        return "pack"
    root, above = find_pack_root(path.parent), path.parent
    if path.suffix == ".po":
        return CATALOG if is_language(above.name) else None
    if path.suffix != ".yaml":
        return None
    last = path.stem.split(".")[-1]
    if last in _OF_LANGUAGE and is_language(above.name) and (above.parent.name == "locales" or root is None):
        return last
    if last in _BESIDE_LANGUAGES and above.name == "locales":
        return last
    if root is None:
        return "scenario" if _is_scenario(path) else None
    inside = path.relative_to(root)
    apart = {"scenarios": "scenario", "book.yaml": "book", LOOK: "look"}
    if inside.parts[0] in apart:
        return apart[inside.parts[0]]
    return file_kind(inside) if inside.parts[0] != "locales" else None


def _is_scenario(path: Path) -> bool:
    """Whether a file that lies in no pack is one of scenarios."""
    data, _ = read_bytes(path, shown_path(path))
    source, _ = decode(data, path.name) if data is not None else (None, [])
    node = read_yaml(source)[0] if source is not None else None
    return node is not None and node.get("scenarios") is not None


# ---- what people write


def _authored(path: Path) -> Change:
    data, problems = read_bytes(path, shown_path(path))
    source, faults = decode(data, shown_path(path)) if data is not None else (None, [])
    if data is None or source is None:
        raise CannotRunError((problems or faults)[0].message)
    file = _read(File(path, _kind(path) or "", source.text, None))
    said, of_pack = said_number(file), _number_of_pack(path)
    number = said if said is not None else of_pack if of_pack is not None else 0
    fault = unreadable(number, oldest=min(TEXT_STEPS))
    if fault is not None:
        raise CannotRunError(f"{fault[0]}; expected {fault[1]}")
    while number < FORMAT:
        step = TEXT_STEPS[number].get(file.kind)
        if step is not None:
            file = _edited(file, step(file))
        number += 1
    if said is not None or of_pack is None or file.kind == "pack":
        file = _edited(file, number_edits(file, FORMAT))
    mark = _MARK if data.startswith(_MARK) else b""
    return Change(path, shown_path(path), data, mark + file.text.encode("utf-8"))


def _read(file: File) -> File:
    """The file with what it says. One with faults is not changed: nobody knows what it means."""
    if file.kind == CATALOG:
        return file
    node, problems = read_yaml(Source(shown_path(file.path), file.text))
    if problems or node is None or (node.kind != "map" and file.kind != "book"):
        where = f"line {problems[0].span.line}: {problems[0].message}" if problems else "it is no map"
        raise CannotRunError(f"it cannot be read, {where}")
    return replace(file, node=node)


def _edited(file: File, edits: Iterable[Edit]) -> File:
    made = sorted(edits, key=lambda edit: edit.start)
    return _read(replace(file, text=edited(file.text, made))) if made else file


def _number_of_pack(path: Path) -> int | None:
    """The format that its pack says for a file; nothing if it lies in none."""
    root = find_pack_root(path.parent)
    if root is None:
        return None
    data, _ = read_bytes(root / "pack.yaml", "pack.yaml")
    source, _ = decode(data, "pack.yaml") if data is not None else (None, [])
    node = read_yaml(source)[0] if source is not None else None
    return said_number(File(root, "pack", "", node)) or 0


# ---- what the program writes


def _kept(path: Path) -> Change:
    try:
        before = read_regular(path)
    except OSError as error:
        raise CannotRunError(error.strerror or str(error)) from None
    lines = before.splitlines(keepends=True)
    texts = lines if lines and lines[0].rstrip().endswith(b"}") else [before]
    return Change(path, shown_path(path), before, b"".join(map(_upgraded, texts)))


def _upgraded(text: bytes) -> bytes:
    """What was written, in the present format; the same bytes if it is of that already."""
    try:
        data = from_json(text)
    except ValueError as error:
        raise CannotRunError(f"this is broken, cut off or damaged ({error})") from None
    kind = kind_of(data) if isinstance(data, dict) else ""
    if not kind:
        raise CannotRunError("this is nothing that dunerules has written")
    said = opened(kind, data)
    return text if format_of(kind, data) == KEPT[kind] else text_of(sealed(kind, said)).encode()
