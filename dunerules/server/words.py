"""What words mean while one of their files is being edited, before everything is understood anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.packs.content import OBJECTS, Content, Entry
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import PackFile
from dunerules.understanding.desk import Texts
from dunerules.understanding.understand import Understanding

__all__ = ["still_meant", "words_with"]

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


def still_meant(before: Understanding, now: Understanding) -> Understanding:
    """Packs as they are meant now, with the texts of before in which no word stands that has changed, nor one that is
    defined by such a word."""
    if now.texts is before.texts:
        return now
    defined = {entry.id: _words_in(entry.node) for entry in _definitions(now)}
    changed = _changed(before, now)
    new = changed
    while new:
        new = {id_ for id_, words in defined.items() if id_ not in changed and not changed.isdisjoint(words)}
        changed |= new
    texts = {key: meant for key, meant in before.texts.items() if changed.isdisjoint(_WORD.findall(str(key)))}
    return replace(now, texts=texts)


def _definitions(understanding: Understanding) -> Iterator[Entry]:
    return (entry for entry in understanding.content.entries.values() if entry.section != OBJECTS)


def _changed(before: Understanding, now: Understanding) -> set[str]:
    """Ids of words that are declared otherwise than before, or only then or now, and the words they are made of."""
    old = {(entry.section, entry.id): entry for entry in _definitions(before)}
    new = {(entry.section, entry.id): entry for entry in _definitions(now)}
    found: set[str] = set()
    for key in old.keys() | new.keys():
        one, other = old.get(key), new.get(key)
        if one is None or other is None or (one.node is not other.node and plain(one.node) != plain(other.node)):
            found.add(key[1])
            if key[0] in {"trait", "kind", "piece", "option", "move"}:  # what they are made of has names too
                found |= {word for each in (one, other) if each is not None for word in _words_in(each.node)}
    return found


def _words_in(node: Node) -> set[str]:
    return set(_WORD.findall(str(plain(node))))


def _objects(content: Content, name: str) -> set[tuple[str, str]]:
    """Kind and id of the objects that a file declared."""
    return {(entry.kind, entry.id) for entry in content.section(OBJECTS) if entry.key.source.name == name}


def _declared(node: Node) -> list[str]:
    objects = node.get("objects")
    return [name for name, _, _ in objects.entries()] if objects is not None else []


def _without(texts: Texts, names: set[str]) -> Texts:
    """The texts in which none of some names stands."""
    return {key: meant for key, meant in texts.items() if names.isdisjoint(_WORD.findall(str(key[0])))}
