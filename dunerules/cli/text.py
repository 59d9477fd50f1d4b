"""`dunerules text`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
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
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Objects: by name in any language, or by id as `harbour` or `card/harbour`."),
    ] = None,
    languages: Annotated[
        list[str] | None,
        typer.Option("--lang", help="A language: the name of a folder in locales/. Several are set side by side."),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Every object that says anything; without --game or --with, those that the pack here has or changes.",
        ),
    ] = False,
    style: Annotated[Style, typer.Option(help="Sentences, the icon line, or both.")] = Style.words,
    pack: Annotated[
        str, typer.Option(help="A pack by id or path: only what it has or changes, with the packs it requires.")
    ] = "",
    game: Annotated[str, typer.Option(help="A pack by id or path; by default the pack here.")] = "",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="A pack to use with it; several are allowed.")
    ] = None,
    lang_path: LangPath = None,
) -> None:
    """Print what cards and other objects say, from their rules, in one language or several.

    A text that is not translated is shown as its id between angle brackets, never in another language; the exit code is
    then 1, and also when a file of the language is damaged. Everything that can be printed is printed all the same.
    """
    from dunerules.cli.columns import side_by_side
    from dunerules.language.places import SOURCE_LANGUAGE
    from dunerules.meant import packs_meant
    from dunerules.output import say
    from dunerules.problems import CannotRunError
    from dunerules.text.called import things_called
    from dunerules.text.meanings import load_meanings

    if bool(names) == every:
        raise CannotRunError("name some objects, or ask for --all")
    more = [*(with_ or ()), *([pack] if pack and game else [])]
    meanings = load_meanings(*packs_meant([game or pack] if game or pack else [], more), in_order=True)
    among = _ids_of(_pack_named(pack, meanings), meanings) if pack else [*meanings.ids]
    codes = [*dict.fromkeys(languages or [SOURCE_LANGUAGE])]
    shelf = _Locales(meanings, lang_path or [])
    locales = [shelf.locale(code) for code in codes]
    problems = [*shelf.problems]  # what is wrong with languages in which only names are looked up does not matter
    chosen = [each for name in names or () for each in things_called(name, among, meanings, shelf.with_others(codes))]
    if every:
        chosen = among if pack or game or with_ else _ids_of(meanings.packs[-1].id, meanings)
    for found in problems:
        say(_line(found), error=True)
    missing = printed = False
    for kind, id_ in dict.fromkeys(chosen):
        blocks = [[*object_lines(kind, id_, meanings, locale, style, always=not every)] for locale in locales]
        if any(blocks):
            missing = missing or any("⟨" in line for block in blocks for line in block)
            say(*([""] if printed else []), *side_by_side(blocks))
            printed = True
    if every and not printed:
        said = pack or meanings.packs[-1].id
        say(f"no object of pack `{said}` says anything, nor does it change one that does", error=True)
    sys.exit(1 if missing or problems else 0)


class _Locales:
    """The languages of some packs, each read once, and what is wrong with those that were."""

    def __init__(self, meanings: Meanings, paths: Sequence[Path]) -> None:
        self.meanings = meanings
        self.paths = paths
        self.problems: list[Problem] = []
        self._known: dict[str, Locale] = {}

    def locale(self, code: str) -> Locale:
        from dunerules.language.locale import locale_for
        from dunerules.language.sources import with_sources
        from dunerules.translations.phrase_checks import check_phrases

        if code not in self._known:
            locale, problems = locale_for(code, self.meanings.packs, self.paths)
            self.problems += [*problems, *check_phrases(locale, self.meanings.words)]
            self._known[code] = with_sources(locale, self.meanings.packs)
        return self._known[code]

    def with_others(self, first: list[str]) -> Iterator[Locale]:
        """Some languages, then all others, for the names in them."""
        from dunerules.language.language_packs import find_language_packs
        from dunerules.language.locale import available_locales

        known = available_locales(self.meanings.packs, find_language_packs(self.meanings.packs, self.paths))
        yield from map(self.locale, dict.fromkeys([*first, *known]))


def _pack_named(name: str, meanings: Meanings) -> str:
    """The id of one of the packs, by id or path."""
    folder = Path(os.path.abspath(name))
    return next(pack.id for pack in meanings.packs if pack.id == name or pack.root == folder)


def _ids_of(pack: str, meanings: Meanings) -> list[tuple[str, str]]:
    """What a pack has or changes."""
    return [*dict.fromkeys((*meanings.ids_of(pack), *meanings.ids_changed_by(pack)))]


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
