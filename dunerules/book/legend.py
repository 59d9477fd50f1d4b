"""What signs mean: marks as they occur in the packs with the words for them, and the members of families of traits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dunerules.book.elements import Markup, capitalised, element, joined, text
from dunerules.book.marks import marks, tells
from dunerules.book.sections import Section
from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.language.locale import Locale, absent
from dunerules.packs.content import OBJECTS, Entry
from dunerules.text.context import Context
from dunerules.text.icons import body_icons
from dunerules.text.meanings import Meanings
from dunerules.text.render import effect_text

__all__ = ["families", "legend"]

_CONSTRUCTS: dict[str, dict[str, str]] = {
    "arrow": {"cost": "[A]", "body": "[B]"},
    "or": {"a": "[A]", "b": "[B]"},
    "may": {"body": "[A]"},
    "per": {"body": "[A]", "of": "B"},
}
"""Constructs with a notation of their own: the phrase, and what stands in its slots."""


def legend(meanings: Meanings, locale: Locale) -> Markup:
    """How marks are put together, and every kind of mark that occurs on objects."""
    rows = [*_notation(locale), *_samples(meanings, locale)]
    return element("dl", *(joined(element("dt", mark), element("dd", words)) for mark, words in rows), class_="legend")


def _notation(locale: Locale) -> Iterator[tuple[Markup, Markup]]:
    for name, slots in _CONSTRUCTS.items():
        yield marks(locale.phrase(f"icon.{name}", dict(slots))), text(locale.message(f"book.notation.{name}"))


def _samples(meanings: Meanings, locale: Locale) -> Iterable[tuple[Markup, Markup]]:
    """Marks with the words for them; numbers are those of the first use."""
    context = Context(locale, meanings)
    acts: dict[tuple[str, str], m.Act] = {}
    for act in _acts(meanings):
        acts.setdefault((act.verb.name, re.sub(r"\d+", "0", repr(act.arguments))), act)
    rows: dict[str, tuple[Markup, Markup]] = {}
    for act in acts.values():
        body = m.Body((act,))
        line = body_icons(body, context)
        if locale.template(f"icon.verb.{act.verb.name}") is not None and tells(line):
            rows.setdefault(line, (marks(line), text(effect_text(body, context))))
    return rows.values()


def _acts(meanings: Meanings) -> Iterator[m.Act]:
    """Acts on objects that can be told by themselves: nothing in them is named elsewhere."""
    for kind, id_ in meanings.ids:
        found = meanings.object(kind, id_)
        bodies = [*found.slots.values(), *(each.clause.body for each in found.abilities)]
        for part in (part for body in bodies if isinstance(body, m.Body) for part in walk(body)):
            alone = isinstance(part, m.Act) and part.body is None and part.per is None
            if alone and not any(isinstance(inner, m.Local | m.Special) for inner in walk(part)):
                yield part


def families(meanings: Meanings, locale: Locale) -> tuple[Section, ...]:
    """A section for each family of traits: its members, each with the objects that have it as their one label."""
    found = []
    for family, members in meanings.words.families.items():
        rows = []
        for member in members:
            name = locale.name(family, member) or absent(f"{family}.{member}.name")
            rows += [element("dt", capitalised(name)), element("dd", _links(family, member, meanings, locale))]
        title = locale.name("trait", family) or absent(f"trait.{family}.name")
        body = element("dl", *rows, class_="legend")
        found.append(Section(f"family-{family}", title, (body,), found=True))
    return tuple(found)


def _links(family: str, member: str, meanings: Meanings, locale: Locale) -> Markup:
    having = (entry for entry in meanings.content.section(OBJECTS) if _has(entry, family, member, meanings))
    links = [
        element("a", locale.name(entry.kind, entry.id) or absent(entry.id), href=f"#{entry.kind}-{entry.id}")
        for entry in having
    ]
    return joined(*[part for link in links for part in (", ", link)][1:])


def _has(entry: Entry, family: str, member: str, meanings: Meanings) -> bool:
    fields = meanings.words.kinds[entry.kind].fields
    return any(
        field.type.of == family and not field.type.many and entry.node.text(name) == member
        for name, field in fields.items()
    )
