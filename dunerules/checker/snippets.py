"""Small packs written as one text: the examples of rules, the wrong packs of the tests, the ones in the docs.

A line `=== name` starts a file (`=== name in latin-1` one that is not UTF-8, `=== name -> other` a link); text before
the first such line is `cards.yaml`. A tiny game stands around every snippet, so that an example shows only what it is
about; a file of the snippet replaces the file of the same name.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

__all__ = ["prelude", "snippet_files", "write_snippet"]

_MARK = "=== "


def snippet_files(text: str) -> dict[str, str]:
    """The files of a snippet, by name."""
    files: dict[str, str] = {}
    name = "cards.yaml"
    for line in text.splitlines(keepends=True):
        if line.startswith(_MARK):
            name = line[len(_MARK) :].strip()
            files[name] = ""
        elif name in files or line.strip():
            files[name] = files.get(name, "") + line
    return files


@cache
def prelude(name: str = "prelude.txt") -> dict[str, str]:
    """The files of the tiny game, or those of its language."""
    return snippet_files(resources.files("dunerules.checker").joinpath(name).read_text("utf-8"))


def write_snippet(text: str, root: Path, *, alone: bool = False, language: bool = False) -> list[Path]:
    """Write a snippet below `root`, amid the tiny game unless it is to stand `alone`, with its `language` if asked.

    Returns its own files.
    """
    own = snippet_files(text)
    written = []
    around = {**({} if alone else prelude()), **(prelude("prelude_locale.txt") if language else {})}
    for header, content in {**around, **own}.items():
        name, _, encoding = header.partition(" in ")
        name, _, linked = name.partition(" -> ")
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if linked:
            path.unlink(missing_ok=True)
            path.symlink_to(linked)
        else:
            path.write_bytes(content.encode(encoding or "utf-8"))
        if header in own:
            written.append(path)
    return written
