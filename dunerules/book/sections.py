"""The tree of a book: sections with a heading each, printed at any depth, and the table of contents made from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.book.elements import NOTHING, Markup, capitalised, element, joined

__all__ = ["Section", "contents", "entries", "printed"]


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    id: str
    title: str
    body: tuple[Markup, ...] = ()
    inner: tuple[Section, ...] = ()
    aside: Markup = NOTHING
    """What stands beside the heading and is no part of the title."""
    entry: bool = False
    """Whether a search finds it by itself, and the table of contents leaves it out."""
    found: bool = False
    """Whether a search finds it by itself, and the table of contents has it too."""


def printed(section: Section, level: int) -> Markup:
    """A section whose heading has a level; its sections have the next one."""
    heading = element(f"h{level}", capitalised(section.title), section.aside)
    inner = [printed(each, level + 1) for each in section.inner]
    if inner and all(each.entry for each in section.inner):
        inner = [element("div", *inner, class_="entries")]
    tag = "article" if section.entry else "section"
    name = "entry" if section.entry else "found" if section.found else "part" if level == 2 else "group"
    return element(tag, heading, *section.body, *inner, id=section.id, class_=name)


def contents(sections: tuple[Section, ...]) -> Markup:
    """The table of contents: two levels of links."""

    def line(section: Section) -> Markup:
        below = tuple(each for each in section.inner if not each.entry)
        link = element("a", capitalised(section.title), href=f"#{section.id}")
        return element("li", link, contents(below) if below else "")

    return element("ol", joined(*map(line, sections)))


def entries(sections: tuple[Section, ...]) -> Iterator[Section]:
    """Every section that a search finds by itself."""
    for section in sections:
        if section.entry or section.found:
            yield section
        yield from entries(section.inner)
