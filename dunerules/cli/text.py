"""`dunerules text`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.cli.running import LangPath

if TYPE_CHECKING:
    from dunerules.language.locale import Locale
    from dunerules.problems import Problem
    from dunerules.text.meanings import Meanings

__all__ = ["Style", "object_lines", "run"]


class Style(StrEnum):
    """How panels are printed."""

    words = "words"
    icons = "icons"
    both = "both"


def run(
    ids: Annotated[list[str] | None, typer.Argument(help="Objects, as `harbour` or `card/harbour`.")] = None,
    lang: Annotated[str, typer.Option(help="A language: the name of a folder in locales/.")] = "en",
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Every object that says anything; without --game or --with, those that the pack here has or changes.",
        ),
    ] = False,
    style: Annotated[Style, typer.Option(help="Sentences, the icon line, or both.")] = Style.words,
    game: Annotated[str, typer.Option(help="A pack by id or path; by default the pack here.")] = "",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="A pack to use with it; several are allowed.")
    ] = None,
    lang_path: LangPath = None,
) -> None:
    """Print what cards and other objects say, from their rules, in a language.

    A text that is not translated is shown as its id between angle brackets, never in another language; the exit code is
    then 1, and also when a file of the language is damaged. Everything that can be printed is printed all the same.
    """
    from dunerules.language.locale import locale_for
    from dunerules.language.sources import with_sources
    from dunerules.meant import packs_meant
    from dunerules.output import say
    from dunerules.problems import CannotRunError
    from dunerules.text.meanings import load_meanings
    from dunerules.translations.phrase_checks import check_phrases

    if bool(ids) == every:
        raise CannotRunError("name some objects, or ask for --all")
    meanings = load_meanings(*packs_meant([game] if game else [], with_ or ()), in_order=True)
    chosen = [each for name in ids or () for each in _find(name, meanings)]
    if every:
        here = meanings.packs[-1].id
        own = dict.fromkeys((*meanings.ids_of(here), *meanings.ids_changed_by(here)))
        chosen = list(meanings.ids if game or with_ else own)
    locale, problems = locale_for(lang, meanings.packs, lang_path or ())
    problems += check_phrases(locale, meanings.words)
    locale = with_sources(locale, meanings.packs)
    for found in problems:
        say(_line(found), error=True)
    missing = printed = False
    for kind, id_ in chosen:
        lines = list(object_lines(kind, id_, meanings, locale, style, always=not every))
        if lines:
            missing = missing or any("⟨" in line for line in lines)
            say(*([""] if printed else []), *lines)
            printed = True
    if every and not printed:
        say(f"no object of pack `{meanings.packs[-1].id}` says anything, nor does it change one that does", error=True)
    sys.exit(1 if missing or problems else 0)


def _find(name: str, meanings: Meanings) -> list[tuple[str, str]]:
    """The objects that are meant by a name: more than one if kinds share an id."""
    from dunerules.nearest import nearest
    from dunerules.problems import CannotRunError

    found = [(kind, id_) for kind, id_ in meanings.ids if name in (id_, f"{kind}/{id_}")]
    if not found:
        known = [f"{kind}/{id_}" if "/" in name else id_ for kind, id_ in meanings.ids]
        near = nearest(name, known)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise CannotRunError(f"no object is called `{name}`{hint}")
    return found


def object_lines(
    kind: str, id_: str, meanings: Meanings, locale: Locale, style: Style, *, always: bool
) -> Iterator[str]:
    """An object: its name, and a line for each panel."""
    from dunerules.language.locale import absent
    from dunerules.text.render import RECONSTRUCTED, describe, footnote

    panels = describe(meanings, locale, kind, id_, style.value)
    if not panels and not always:
        return
    note = footnote(meanings, locale, kind, id_)
    name = locale.name(kind, id_) or absent(f"{kind}.{id_}.name")
    yield f"{name}{f' {RECONSTRUCTED}' if note else ''}  ({kind}/{id_})"
    for panel in panels:
        shown = [panel.words if style != Style.icons else "", panel.icons if style != Style.words else ""]
        if not panel.title:
            shown = [panel.words]
        text = "  ".join(filter(None, shown))
        yield f"  {panel.title}: {text}" if panel.title else f"  {text}"
    if note:
        yield f"  {RECONSTRUCTED} {note}"


def _line(found: Problem) -> str:
    parts = [f"expected {found.expected}" if found.expected else "", found.hint]
    return f"{found.span}: {found.code} {'; '.join(filter(None, [found.message, *parts]))}"
