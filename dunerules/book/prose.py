"""The prose of packs as sections: chapters in the order they are read, in the words of a locale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from os.path import lexists

from dunerules.book.elements import Markup, element, text
from dunerules.book.sections import Section
from dunerules.language.extract import read_list
from dunerules.language.locale import Locale, absent
from dunerules.language.places import BOOK
from dunerules.language.typography import set_text
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack
from dunerules.problems import Problem

__all__ = ["blocks", "chapters"]

_LINES = (("ul", re.compile(r"-\s+")), ("ol", re.compile(r"\d+\.\s+")))
"""Kinds of lists, and how a text begins that is a line of one."""


def chapters(pack: Pack, locale: Locale) -> tuple[tuple[Section, ...], list[Problem]]:
    """The chapters of a pack, and what is wrong with the file they are written in."""
    path = pack.root / BOOK
    node, problems = read_list(path, "book.schema.json") if lexists(path) else (None, [])
    listed = node.items() if node is not None else []
    return tuple(_chapter(each, pack.id, locale) for each in listed if each.text("id")), problems


def _chapter(node: Node, pack: str, locale: Locale) -> Section:
    def said(part: str) -> str:
        id_ = f"book.{node.text('id')}.{part}"
        found = locale.text(id_)
        return set_text(found, locale.lexicon.typography, by_hand=True) if found is not None else absent(id_)

    prose = node.get("text")
    count = len(prose.items()) if prose is not None else 0
    body = tuple(blocks([said(str(number)) for number in range(1, count + 1)]))
    return Section(f"{pack}-{node.text('id')}", said("title"), body, found=True)


def blocks(texts: list[str]) -> Iterator[Markup]:
    """Paragraphs, and lists of texts that begin as lines of one."""
    for kind, group in groupby(texts, _kind):
        if kind is None:
            yield from (element("p", text(each)) for each in group)
        else:
            tag, mark = kind
            yield element(tag, *(element("li", text(mark.sub("", each, count=1))) for each in group))


def _kind(words: str) -> tuple[str, re.Pattern[str]] | None:
    return next(((tag, mark) for tag, mark in _LINES if mark.match(words)), None)
