"""Pieces of HTML: text is escaped once, what is marked up stays as it is."""

from __future__ import annotations

import re
from html import escape

from dunerules.visible import visible

__all__ = ["ABSENT", "NOTHING", "Markup", "capitalised", "element", "joined", "plain", "text"]

ABSENT = re.compile(r"⟨[^⟨⟩]*⟩")
"""A text that the language lacks, as it is shown."""


class Markup(str):
    """HTML that is escaped already."""

    __slots__ = ()


NOTHING = Markup("")


def text(words: str) -> Markup:
    """Words as HTML; what is missing in the language is marked."""
    if isinstance(words, Markup):
        return words
    return Markup(ABSENT.sub(lambda found: f'<span class="absent">{found[0]}</span>', plain(words)))


def plain(words: str) -> Markup:
    """Words as HTML where nothing can be marked, as in the title of a page."""
    return Markup(escape(visible(words, keep="\n\t"), quote=False))


def capitalised(title: str) -> Markup:
    """A title with a capital letter, also where a language writes the word without one in a sentence."""
    return text(title[:1].upper() + title[1:])


def joined(*parts: str) -> Markup:
    """Parts one after another."""
    return Markup("".join(map(text, parts)))


def element(tag: str, *inner: str, **attributes: str | bool) -> Markup:
    """An element. `class_` is `class`, `aria_label` is `aria-label`; an attribute that is True has no value."""
    shown = [tag]
    for name, value in attributes.items():
        key = name.rstrip("_").replace("_", "-")
        if value is True:
            shown.append(key)
        elif value is not False and value != "":
            shown.append(f'{key}="{escape(visible(value))}"')
    return Markup(f"<{' '.join(shown)}>{joined(*inner)}</{tag}>")
