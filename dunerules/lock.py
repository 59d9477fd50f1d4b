"""The lock of a pack: a hash of what it says, whatever way it is written."""

from __future__ import annotations

import json
from typing import Any

from dunerules.digests import digest
from dunerules.dsl.format import show
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.understanding.readers import read_file
from dunerules.understanding.understand import Understanding

__all__ = ["lock_of"]


def lock_of(pack: Pack, understanding: Understanding) -> str:
    """A hash that changes exactly when the content does: not with comments, notes, layout, or order of files."""
    said = ([file.kind, _content(file, understanding)] for file in pack.files)
    parts = sorted(json.dumps(each, sort_keys=True, ensure_ascii=False) for each in said)
    return digest(pack.id, pack.version, *parts)


def _content(file: PackFile, understanding: Understanding) -> Any:
    if file.node is None:
        return None
    desk = understanding.desk()
    read_file(file, desk)
    canonical = {}
    for text, start in desk.seen:
        tree = parse(text.value, start)
        canonical[id(text)] = text.value if isinstance(tree, SyntaxFault) else show(tree)

    def value(node: Node) -> Any:
        if node.kind == "map":
            said = [(name, inner) for name, _, inner in node.entries() if name != "note"]
            # the order of parameters is something said, so they are kept as pairs
            return {name: pairs(inner) if name == "takes" else value(inner) for name, inner in said}
        if node.kind == "list":
            return list(map(value, node.value))
        return canonical.get(id(node), node.value)

    def pairs(node: Node) -> Any:
        return [[name, value(inner)] for name, _, inner in node.entries()]

    return value(file.node)
