"""The lock of a pack: a hash of what it says, whatever way it is written."""

from __future__ import annotations

import json
from typing import Any

from dunerules.digests import digest
from dunerules.dsl.format import show
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import read_file
from dunerules.understanding.understand import Understanding

__all__ = ["lock_of", "locks_of"]


def locks_of(understanding: Understanding) -> dict[str, str]:
    """The locks of packs that are used together. Where who plays has decided on the order, it is part of them."""
    before: dict[str, set[str]] = {}
    for pack, other, _ in understanding.content.ordered:
        before.setdefault(pack, set()).add(other)
    locks = {pack.id: lock_of(pack, understanding) for pack in understanding.packs}
    return {id_: digest(lock, "after", *sorted(before[id_])) if id_ in before else lock for id_, lock in locks.items()}


def lock_of(pack: Pack, understanding: Understanding) -> str:
    """A hash that changes exactly when the content does: not with comments, notes, layout, or order of files."""
    said = ([file.kind, _content(file, understanding)] for file in pack.files)
    parts = sorted(json.dumps(each, sort_keys=True, ensure_ascii=False) for each in said)
    return digest(pack.id, pack.version, *parts)


def _content(file: PackFile, understanding: Understanding) -> Any:
    if file.node is None:
        return None
    desk = Desk(understanding.words, collecting=True)
    read_file(file, desk)
    canonical, steps = {}, {id(each) for each in desk.steps}
    for text, start in desk.seen:
        tree = parse(text.value, start)
        canonical[id(text)] = text.value if isinstance(tree, SyntaxFault) else show(tree)

    def value(node: Node) -> Any:
        if node.kind == "map":
            said = [(name, inner) for name, _, inner in node.entries() if name != "note"]
            # the order of parameters and of steps is something said, so they are kept as pairs
            return {
                name: pairs(inner) if name == "takes" or id(inner) in steps else value(inner) for name, inner in said
            }
        if node.kind == "list":
            return list(map(value, node.value))
        return canonical.get(id(node), node.value)

    def pairs(node: Node) -> Any:
        return [[name, value(inner)] for name, _, inner in node.entries()]

    return value(file.node)
