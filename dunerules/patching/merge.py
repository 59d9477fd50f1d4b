"""What a selection of packs says, merged: every definition, with the patches of all packs applied in order."""

from __future__ import annotations

from dunerules.packs.content import Content, declare, known_to, make_places
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack
from dunerules.patching.apply import Patching
from dunerules.problems import Problem

__all__ = ["merge"]


def merge(selection: Selection) -> tuple[Content, list[Problem]]:
    """The content of packs in order, and what is wrong with putting them together."""
    packs = selection.packs
    content = Content(after={pack.id: known_to(pack, packs) for pack in packs})
    problems: list[Problem] = []
    for pack in packs:
        for file in pack.files:
            if file.node is not None:
                declare(content, file, pack.id, problems)
        make_places(content, pack.id, problems)
        given = _given_before(pack, selection)
        patching = Patching(content, pack.id, content.after[pack.id], given, problems)
        for file in pack.files:
            if file.node is not None and file.kind == "patches":
                _patch(file.node, patching)
    return content, problems


def _given_before(pack: Pack, selection: Selection) -> set[str]:
    """The packs that who plays has named before one, where they are named in order."""
    order = selection.order
    return {*order[: order.index(pack.id)]} if pack.id in order else set()


def _patch(node: Node, patching: Patching) -> None:
    for key, do in (("remove", patching.remove), ("patches", patching.patch), ("replace", patching.replace)):
        found = node.get(key)
        for item in found.items() if found is not None else ():
            if item.kind == "map":
                do(item)
