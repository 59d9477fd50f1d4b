"""Where the files of languages lie: in the folder `locales` of a pack, or beside packs that share one.

A folder in it is a language. What is read there belongs to the pack whose name the file starts with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from dunerules.resources import content_directory

__all__ = [
    "BOOK", "MESSAGES", "PROGRAM", "PSEUDO", "SOURCE_LANGUAGE", "PackFolder", "catalog_path", "claimed", "is_language",
    "languages", "locale_folders", "locale_root", "spoken",
]  # fmt: skip

SOURCE_LANGUAGE = "en"
"""The language that names in packs and the program's own messages are written in; all others are translations."""

PROGRAM = "dunerules"
"""The catalogue of what the program itself says."""

PSEUDO = "en-XA"
"""A language that is English in disguise."""

MESSAGES = "messages.yaml"

BOOK = "book.yaml"
"""The prose of a pack."""

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class PackFolder(Protocol):
    """What a locale needs to know of a pack."""

    @property
    def id(self) -> str:
        """Its id, the beginning of the names of its files."""

    @property
    def root(self) -> Path:
        """Its folder."""

    @property
    def version(self) -> str:
        """Its version."""


def spoken(word: str) -> str:
    """What a declared word is called in the language of packs until somebody says otherwise: `so_far` is `So far`."""
    words = word.replace("_", " ")
    return words[:1].upper() + words[1:]


def locale_root(pack: PackFolder) -> Path:
    """The folder with the languages of a pack: its own, unless packs lie together around one they share."""
    own, shared = pack.root / "locales", pack.root.parent / "locales"
    return shared if not own.is_dir() and shared.is_dir() else own


def locale_folders(packs: Sequence[PackFolder]) -> list[Path]:
    """Every folder in which languages may lie: the shipped one, then those beside and in packs."""
    beside = (folder / "locales" for pack in packs for folder in (pack.root.parent, pack.root))
    folders = [content_directory() / "locales", *beside]
    return list({folder.resolve(): folder for folder in reversed(folders) if folder.is_dir()}.values())[::-1]


def claimed(pack: PackFolder) -> list[str]:
    """The languages that a pack says it speaks: it has a folder for them, or a file in the folder that packs share."""
    root = locale_root(pack)
    own = root.parent == pack.root
    return [code for code in languages(root) if own or any((root / code).glob(f"{pack.id}.*"))]


def is_language(code: str) -> bool:
    """Whether a word has the form of a language code."""
    return _TAG.fullmatch(code) is not None


def languages(root: Path) -> list[str]:
    """The languages in a folder of languages."""
    try:
        return sorted(path.name for path in root.iterdir() if is_language(path.name) and path.is_dir())
    except OSError:
        return []


def catalog_path(root: Path, language: str, name: str) -> Path:
    """The catalogue of a pack in a language."""
    return root / language / f"{name}.po"
