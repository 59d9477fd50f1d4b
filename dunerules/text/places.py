"""Where the files of languages lie: in the folder `locales` of a pack, or beside packs that share one.

A folder in it is a language. What is read there belongs to the pack whose name the file starts with.
"""

from __future__ import annotations

import re
from pathlib import Path

from dunerules.packs.pack import Pack

__all__ = [
    "MESSAGES", "PROGRAM", "SOURCE_LANGUAGE", "catalog_path", "is_language", "languages", "locale_root", "spoken",
]  # fmt: skip

SOURCE_LANGUAGE = "en"
"""The language that names in packs and the program's own messages are written in; all others are translations."""

PROGRAM = "dunerules"
"""The catalogue of what the program itself says."""

MESSAGES = "messages.yaml"

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def spoken(word: str) -> str:
    """What a declared word is called in the language of packs until somebody says otherwise: `so_far` is `So far`."""
    words = word.replace("_", " ")
    return words[:1].upper() + words[1:]


def locale_root(pack: Pack) -> Path:
    """The folder with the languages of a pack: its own, unless packs lie together around one they share."""
    own, shared = pack.root / "locales", pack.root.parent / "locales"
    return shared if not own.is_dir() and shared.is_dir() else own


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
