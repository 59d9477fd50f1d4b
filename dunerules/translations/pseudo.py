"""A language that is English in disguise, to find what is not translated and what is too narrow.

Letters get accents, texts grow by two fifths, slots stay. Whatever still looks like plain English on the screen does
not come from a catalogue; whatever is cut off will be cut off in longer languages too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dunerules.language.catalog import Catalog, Entry, write_catalog
from dunerules.language.extract import Collection
from dunerules.language.places import PSEUDO, SOURCE_LANGUAGE, catalog_path
from dunerules.packs.nodes import Node
from dunerules.packs.source import decode, read_bytes, shown_path, write_own
from dunerules.packs.strict_yaml import read_yaml
from dunerules.translations.update import current

__all__ = ["accented", "disguised", "write_pseudo"]

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "áƀçđéƒǧĥíĵķłɱñóþɋŕšŧúṽŵẋýžÁƁÇĐÉƑǦĤÍĴĶŁṀÑÓÞɊŔŠŦÚṼŴẊÝŽ"
_LETTERS = str.maketrans(_PLAIN, _ACCENTED)
_FILLING = "one two three four five six seven eight nine ten "
_SLOT = re.compile(r"(\{[^{}]*\}|\[\[|\]\]|\|)")
_SPOKEN = {"nouns", "verbs", "adjectives", "relations", "phrases"}
"""Parts of lexicons and phrases that hold words."""
_SILENT = {"gender", "genders", "icon", "when"}
"""Keys in them that do not."""


def accented(text: str) -> str:
    """A text with accents on its letters; slots and marks of templates stay."""
    return "".join(part if _SLOT.fullmatch(part) else part.translate(_LETTERS) for part in _SLOT.split(text))


def disguised(text: str) -> str:
    """A text with accents, and two fifths longer."""
    letters = len(_SLOT.sub("", text))
    more = -(-letters * 2 // 5)
    filling = (_FILLING * (more // len(_FILLING) + 1))[: max(more - 1, 0)]
    return accented(f"{text} {filling}" if more else text)


def write_pseudo(collection: Collection) -> list[Path]:
    """Write the catalogue, lexicons and phrases of the disguised language beside the real ones."""
    english, _, texts = current(replace(collection, root=collection.home), SOURCE_LANGUAGE)
    entries = []
    for text in texts:
        entry = english.get(text.id)
        shown = (entry.shown if entry is not None else None) or text.source
        entries.append(Entry(text.id, shown, disguised(shown)))
    headers = {**dict(english.headers), "Language": PSEUDO.replace("-", "_"), "Language-Team": PSEUDO}
    path = catalog_path(collection.root, PSEUDO, collection.name)
    note = ("Written by `dunerules i18n pseudo`; do not edit.",)
    write_catalog(path, replace(Catalog(tuple(headers.items())), entries=tuple(entries), preamble=note))
    written = [path]
    for name in (f"{prefix}{kind}.yaml" for prefix in ("", f"{collection.name}.") for kind in ("lexicon", "phrases")):
        source = collection.home / SOURCE_LANGUAGE / name
        words = _words(source) if source.is_file() else ""
        if words:
            write_own(path.parent / name, words.encode("utf-8"))
            written.append(path.parent / name)
    return written


def _words(path: Path) -> str:
    """A YAML file of words with the words disguised; nothing if it cannot be read."""
    data, _ = read_bytes(path, shown_path(path))
    source, _ = decode(data or b"", shown_path(path))
    node = read_yaml(source)[0] if source is not None else None
    if source is None or node is None:
        return ""
    text = source.text
    for part, new in sorted(_replacements(node), key=lambda each: -each[0].start):
        quoted = json.dumps(new, ensure_ascii=False)
        text = text[: part.start] + quoted + "\n" * text[: part.end].endswith("\n") + text[part.end :]
    return text


def _replacements(node: Node) -> Iterator[tuple[Node, str]]:
    """Every text to be replaced: words get accents; the code and name of the language are its own."""
    for name, _, value in node.entries():
        if name == "language":
            yield value, PSEUDO
        elif name in _SPOKEN:
            yield from ((each, accented(each.value)) for each in _texts(value))


def _texts(node: Node) -> Iterator[Node]:
    if node.kind == "map":
        for name, _, value in node.entries():
            if name not in _SILENT:
                yield from _texts(value)
    elif node.kind == "list":
        for item in node.value:
            yield from _texts(item)
    elif node.kind == "text":
        yield node
