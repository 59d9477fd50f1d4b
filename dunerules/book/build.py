"""Building the book: all sections in order, put into the page with its style and its search."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template

from dunerules import __version__
from dunerules.book.course import course, outline
from dunerules.book.elements import ABSENT, Markup, element, joined, plain
from dunerules.book.legend import families, legend
from dunerules.book.prose import chapters
from dunerules.book.sections import Section, contents, entries, printed
from dunerules.book.settings import options, tracks
from dunerules.book.things import Signs, things
from dunerules.language.locale import Locale, absent
from dunerules.problems import Problem
from dunerules.text.meanings import Meanings

__all__ = ["Book", "build"]


@dataclass(frozen=True)
class Book:
    """A finished book."""

    html: str
    sections: int
    entries: int
    parts: tuple[Section, ...]
    missing: tuple[str, ...]
    """What the language has no text for, each once."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with the prose of the packs."""


def build(meanings: Meanings, locale: Locale) -> Book:
    """The book of some packs in a language."""
    signs = Signs.of(locale)
    sections, problems = _sections(meanings, locale, signs)
    body = joined(*(printed(section, 2) for section in sections))
    title = locale.message("book.title", game=_title(meanings, locale))
    missing = tuple(dict.fromkeys(ABSENT.findall(joined(title, body))))
    style, script = _resource("book.css"), _resource("book.js")
    page = Template(_resource("page.html")).substitute(
        lang=locale.code,
        title=joined(title),
        plain_title=plain(title),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        skip=joined(locale.message("book.skip")),
        search=joined(locale.message("book.search")),
        found=element("output", "", id="found", data_found=locale.message("book.found", n="{n}")),
        contents_title=joined(locale.message("book.contents")),
        contents=contents(sections),
        body=body,
        notes=_notes(meanings, locale, signs, body, missing),
    )
    return Book(page, len(sections), sum(1 for _ in entries(sections)), sections, missing, tuple(problems))


def _resource(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")


def _hash(code: str) -> str:
    """What a page says of its own script and style, so that a reader's browser runs and uses no other."""
    return f"sha256-{b64encode(sha256(code.encode('utf-8')).digest()).decode('ascii')}"


def _title(meanings: Meanings, locale: Locale) -> str:
    game = meanings.content.game
    if game is not None:
        return locale.name("game", game.text("id")) or absent(f"game.{game.text('id')}.name")
    return _pack_name(meanings.packs[-1].id, locale)


def _pack_name(id_: str, locale: Locale) -> str:
    return locale.name("pack", id_) or absent(f"pack.{id_}.name")


def _sections(meanings: Meanings, locale: Locale, signs: Signs) -> tuple[tuple[Section, ...], list[Problem]]:
    """The parts of the book that have anything in them, and what is wrong with their sources."""
    told = {pack.id: chapters(pack, locale) for pack in meanings.packs}
    books = {id_: found for id_, (found, _) in told.items() if found}
    parts = []
    for id_, found in books.items():
        several = len(books) > 1
        title = locale.message("book.part.pack", pack=_pack_name(id_, locale)) if several else ""
        parts.append(Section(f"play-{id_}", title or locale.message("book.part.play"), inner=found))
    parts += _declared(
        meanings, locale, {section.id.partition("-")[2]: section.id for each in books.values() for section in each}
    )
    return (*parts, *things(meanings, locale, signs)), [each for _, found in told.values() for each in found]


def _declared(meanings: Meanings, locale: Locale, told: dict[str, str]) -> list[Section]:
    """What follows from declarations: the course of the game, options, tracks, marks and traits."""
    stages = course(meanings)
    found = {
        "course": outline(stages, locale, told) if stages else None,
        "options": options(meanings, locale),
        "tracks": tracks(meanings, locale),
        "marks": joined(element("p", locale.message("book.marks")), legend(meanings, locale)),
    }
    parts = [
        Section(f"part-{name}", locale.message(f"book.part.{name}"), (body,), found=True)
        for name, body in found.items()
        if body is not None
    ]
    traits = families(meanings, locale)
    return [*parts, Section("part-traits", locale.message("book.part.traits"), inner=traits)] if traits else parts


def _notes(meanings: Meanings, locale: Locale, signs: Signs, body: Markup, missing: tuple[str, ...]) -> Markup:
    """What stands at the end: what signs mean, what is missing, and what the book was made from."""
    lines = [
        element("p", sign, " ", locale.message(f"book.sign.{name}"), id=f"note-{name}")
        for name, sign in (("proposed", "*"), ("reconstruction", "†"))
        if getattr(signs, name) in body
    ]
    if missing:
        lines.append(element("p", locale.message("book.missing", n=len(missing), sample="⟨…⟩")))
    packs = ", ".join(f"{_pack_name(pack.id, locale)} {pack.version}" for pack in meanings.packs)
    lines.append(element("p", locale.message("book.made", packs=packs, version=__version__)))
    return joined(*lines)
