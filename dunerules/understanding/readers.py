"""Which reader is for which kind of file."""

from __future__ import annotations

from collections.abc import Callable

from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.understanding.boards import read_board
from dunerules.understanding.declared import read_game, read_words
from dunerules.understanding.desk import Desk, Findings
from dunerules.understanding.objects import read_objects
from dunerules.understanding.patched import read_patches
from dunerules.understanding.programs import read_rules, read_verbs

__all__ = ["READERS", "read_file"]

READERS: dict[str, Callable[[Node, Desk], None]] = {
    "words": read_words,
    "game": read_game,
    "board": read_board,
    "verbs": read_verbs,
    "rules": read_rules,
    "patches": read_patches,
    "objects": read_objects,
}


def read_file(file: PackFile, desk: Desk) -> Findings:
    """Everything the language has to say about one file."""
    desk.findings = Findings()
    if file.node is not None and file.kind in READERS:
        READERS[file.kind](file.node, desk)
    return desk.findings
