"""`dunerules print`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dunerules.cli.picture import Style
from dunerules.cli.running import LangPath

__all__ = ["run"]


def run(
    out: Annotated[Path, typer.Option(help="The file to write, a .pdf.")],
    pack: Annotated[str, typer.Option(help="Whose cards are printed, a pack by id or path; else the pack here.")] = "",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="A pack to use with it; several are allowed.")
    ] = None,
    lang: Annotated[str, typer.Option(help="A language: the name of a folder in locales/.")] = "en",
    style: Annotated[Style, typer.Option(help="Effects as sentences, as symbols, or both.")] = Style.words,
    kind: Annotated[list[str] | None, typer.Option(help="Only objects of this kind; several are allowed.")] = None,
    changed: Annotated[bool, typer.Option("--changed", help="Also objects of other packs that it changes.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Each object once, however many copies there are.")] = False,
    backs: Annotated[bool, typer.Option(help="Pages of backs, to print on both sides.")] = True,
    lang_path: LangPath = None,
) -> None:
    """Print the cards and tiles of a pack to cut out: A4, nine cards a page, with cut marks, and backs behind them.

    Print at 100 %, on both sides, turned along the long edge.
    """
    from dunerules.output import say
    from dunerules.pictures.gallery import problem_lines, read_gallery
    from dunerules.pictures.pages import faces_of, pages_of
    from dunerules.pictures.written import faults, write_pages

    gallery, problems = read_gallery([pack] if pack else [], with_ or (), lang, style.value, lang_path or ())
    for text in problem_lines(problems):
        say(text, error=True)
    faces = faces_of(gallery, pack, kinds=kind or (), changed=changed, once=once)
    pages = list(pages_of(faces, backs=backs))
    write_pages(pages, gallery.locale.code, out)
    found = list(dict.fromkeys(text for front, _ in faces for text in faults(front, ".pdf")))
    for text in found:
        say(text, error=True)
    say(f"wrote {out}: {len(faces)} faces on {len(pages)} pages")
    sys.exit(1 if found or problems else 0)
