"""Where the shipped content and schemas lie: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["content_directory", "is_installed", "pack_root", "schema_directory"]


@cache
def _root() -> Path:
    here = Path(__file__).resolve().parent
    return here / "data" if (here / "data").is_dir() else here.parent


def content_directory() -> Path:
    """The directory of the shipped packs."""
    return _root() / "content"


def is_installed(root: Path) -> bool:
    """Whether a pack came with the program."""
    return root.resolve().parent == content_directory().resolve()


def pack_root(pack: str | Path) -> Path:
    """The folder of a pack: a shipped one by its id, whatever lies in the current folder, or any by its path."""
    shipped = content_directory() / pack
    if isinstance(pack, str) and pack == shipped.name and (shipped / "pack.yaml").is_file():
        return shipped
    return path if (path := Path(pack)).is_dir() else shipped


def schema_directory() -> Path:
    """The directory of the JSON Schemas."""
    return _root() / "schemas"
