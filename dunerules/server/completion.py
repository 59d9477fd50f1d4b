"""Completion: names and words in effects, keys and values in files."""

from __future__ import annotations

from lsprotocol import types as lsp

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.explain import signature
from dunerules.server.cursor import Cursor, find_cursor
from dunerules.server.in_effects import spot_of, words_at
from dunerules.server.in_yaml import keys_at, values_at
from dunerules.server.place import Place
from dunerules.server.positions import Text

__all__ = ["completions"]

_KINDS = {
    "verb": lsp.CompletionItemKind.Function,
    "zone": lsp.CompletionItemKind.Folder,
    "trait": lsp.CompletionItemKind.EnumMember,
    "counter": lsp.CompletionItemKind.Variable,
    "slot": lsp.CompletionItemKind.Property,
}


def completions(place: Place, position: lsp.Position) -> lsp.CompletionList:
    """What can be written at a place."""
    items: list[lsp.CompletionItem] = []
    cursor = find_cursor(place.text.text, place.text.offset(position))
    if cursor is not None and place.schema and place.understanding is not None:
        words = place.understanding.words
        spot = spot_of(cursor, place.schema, words)
        if spot is not None:
            names, keywords = words_at(spot)
            items += [_name(name, what, words, cursor, place.text) for name, what in sorted(names.items())]
            items += [_keyword(word, cursor, place.text) for word in sorted(keywords)]
        elif cursor.key:
            keys = keys_at(cursor, place.schema, words, place.snapshot.library)
            items += [_key(name, what, cursor, place.text) for name, what in keys.items()]
        else:
            values = values_at(cursor, place.schema, words)
            items += [_name(name, what, words, cursor, place.text) for name, what in sorted(values.items())]
    return lsp.CompletionList(is_incomplete=False, items=items)


def _edit(cursor: Cursor, text: Text, new: str) -> lsp.TextEdit:
    return lsp.TextEdit(text.range(cursor.start, cursor.end), new)


def _keyword(word: str, cursor: Cursor, text: Text) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        word, kind=lsp.CompletionItemKind.Keyword, text_edit=_edit(cursor, text, word), sort_text=f"2{word}"
    )


def _key(name: str, what: str, cursor: Cursor, text: Text) -> lsp.CompletionItem:
    line = text.line(text.position(cursor.end).line)
    bare = ":" not in line[text.position(cursor.end).character :]
    return lsp.CompletionItem(
        name,
        kind=lsp.CompletionItemKind.Property,
        documentation=what or None,
        text_edit=_edit(cursor, text, f"{name}: " if bare else name),
        sort_text=f"1{name}",
    )


def _name(name: str, what: str, words: Vocabulary, cursor: Cursor, text: Text) -> lsp.CompletionItem:
    word = (words.verbs.get(name) or words.values.get(name)) if what in {"verb", "word"} else None
    shown = signature(word) if word is not None else what
    return lsp.CompletionItem(
        name,
        kind=_KINDS.get(what, lsp.CompletionItemKind.Value),
        detail=shown,
        documentation=word.summary or None if word is not None else None,
        text_edit=_edit(cursor, text, name),
        sort_text=f"1{name}",
    )
