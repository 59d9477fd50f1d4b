"""What words mean while one of their files is being edited, before everything is understood anew."""

from __future__ import annotations

import re
from dataclasses import replace

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.packs.content import Content
from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.understanding.desk import Texts
from dunerules.understanding.understand import Understanding

__all__ = ["words_with"]

_WORD = re.compile(r"[a-z][a-z0-9_]*")


def words_with(file: PackFile, understanding: Understanding) -> tuple[Vocabulary, Texts]:
    """The words as they are with a file in the place of what it said before, and the texts that still mean the same."""
    if file.kind != "objects" or file.node is None:
        return understanding.words, understanding.texts
    kind = file.node.text("kind")
    before = _objects(understanding.content, file.name)
    now = _declared(file.node)
    changed = {id_ for _, id_ in before ^ {(kind, id_) for id_ in now}}
    words = understanding.words
    if not changed:
        return words, understanding.texts
    objects = {each: dict(ids) for each, ids in words.objects.items()}
    for each, id_ in before:
        objects.get(each, {}).pop(id_, None)
    if kind in words.kinds:
        objects.setdefault(kind, {}).update(dict.fromkeys(now))
    return replace(words, objects=objects), _without(understanding.texts, changed)


def _objects(content: Content, name: str) -> set[tuple[str, str]]:
    """Kind and id of the objects that a file declared."""
    return {(entry.kind, entry.id) for entry in content.section("object") if entry.key.source.name == name}


def _declared(node: Node) -> list[str]:
    objects = node.get("objects")
    return [name for name, _, _ in objects.entries()] if objects is not None else []


def _without(texts: Texts, names: set[str]) -> Texts:
    """The texts in which none of some names stands."""
    return {key: meant for key, meant in texts.items() if names.isdisjoint(_WORD.findall(str(key[0])))}
