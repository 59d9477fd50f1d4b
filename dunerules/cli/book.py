"""`dunerules book`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dunerules.cli.running import LangPath

__all__ = ["run"]

_SHOWN = 5


def run(
    out: Annotated[Path, typer.Option(help="The file to write; what was there is replaced at once.")],
    lang: Annotated[str, typer.Option(help="The language: the name of a folder of locales.")] = "en",
    game: Annotated[str, typer.Option(help="The game: a pack by id or path; by default the pack here.")] = "",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="An expansion by id or path; may be repeated.")
    ] = None,
    lang_path: LangPath = None,
) -> None:
    """Write the rules reference of a game as one HTML page that needs nothing else.

    How to play, the course of a game, signs, and every object with its texts, printed from the rules themselves. What
    the language lacks is shown as absent and counted. The page can be searched and printed, and works offline.
    """
    from dunerules.book.build import build
    from dunerules.files import write_text
    from dunerules.language.locale import locale_for
    from dunerules.language.sources import with_sources
    from dunerules.loading import load_packs
    from dunerules.meant import packs_meant
    from dunerules.output import say
    from dunerules.text.meanings import meanings_of

    selection = load_packs(*packs_meant([game] if game else [], with_ or ()), in_order=True)
    packs = selection.packs
    locale, problems = locale_for(lang, packs, lang_path or ())
    book = build(meanings_of(selection), with_sources(locale, packs))
    problems += book.problems
    if problems:
        first = problems[0]
        told = f"{len(problems)} problems with texts, the first: {first.span}: {first.message}"
        say(f"dunerules book: {told} (see `dunerules i18n check`)", error=True)
    write_text(out, book.html)
    say(f"wrote {out}: {book.sections} sections, {book.entries} entries")
    if book.missing:
        some = " ".join(book.missing[:_SHOWN]) + (" ..." if len(book.missing) > _SHOWN else "")
        say(f"{len(book.missing)} texts are missing in `{lang}`: {some}")
