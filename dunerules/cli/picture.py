"""`dunerules picture`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.cli.running import LangPath

if TYPE_CHECKING:
    from dunerules.pictures.card import Picture

__all__ = ["run"]


class Style(StrEnum):
    """How effects are told."""

    words = "words"
    icons = "icons"
    both = "both"


class Format(StrEnum):
    """What pictures are written as."""

    svg = "svg"
    png = "png"
    pdf = "pdf"


def run(
    out: Annotated[Path, typer.Option(help="The file to write, .svg, .png or .pdf; with --all a folder.")],
    id_: Annotated[
        str, typer.Argument(metavar="ID", help="An object, as `harbour` or `card/harbour`; or `board/NAME`.")
    ] = "",
    lang: Annotated[str, typer.Option(help="A language: the name of a folder in locales/.")] = "en",
    style: Annotated[Style, typer.Option(help="Effects as sentences, as symbols, or both.")] = Style.words,
    every: Annotated[bool, typer.Option("--all", help="Every object, back and board, into a folder.")] = False,
    format_: Annotated[Format | None, typer.Option("--format", help="What --all writes; else svg.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="The colours for dark paper.")] = False,
    game: Annotated[
        str, typer.Option(help="A pack by id or path, by default the pack here; or a saved game, to draw its position.")
    ] = "",
    seat: Annotated[
        int | None, typer.Option(help="With a saved game: through whose eyes; 0 sees everything. Else who is asked.")
    ] = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="A pack to use with it; several are allowed.")
    ] = None,
    lang_path: LangPath = None,
) -> None:
    """Draw objects and boards as they would be printed: 63 x 88 mm, or what their look says.

    What a text says, and what a picture shows, comes from the rules, the language and the look of the packs. A text
    that does not fit even in small print is told, and so are letters that the font lacks, in PNG and PDF; the exit
    code is then 1.
    """
    from dunerules.output import say
    from dunerules.pictures.gallery import pictures_of, problem_lines, read_gallery
    from dunerules.pictures.written import faults, write_all, write_picture
    from dunerules.problems import CannotRunError

    if format_ is not None and not every:
        raise CannotRunError("--format goes with --all; one picture is what the name of its file says")
    if game.endswith(".json"):
        if id_ or every:
            raise CannotRunError("a saved game is drawn as it stands: no object and no --all with it")
        picture = _position(Path(game), with_ or (), seat, lang, style, lang_path or (), dark=dark)
        write_picture(picture, lang, out)
        say(f"wrote {out}")
        sys.exit(_told(faults(picture, out.suffix.lower())))
    if seat is not None:
        raise CannotRunError("--seat goes with a saved game: --game FILE.json")
    if bool(id_) == every:
        raise CannotRunError("name one object, or ask for --all")
    gallery, problems = read_gallery([game] if game else [], with_ or (), lang, style.value, lang_path or ())
    for text in problem_lines(problems):
        say(text, error=True)
    if every:
        wrong = _told(write_all(gallery, out, (format_ or Format.svg).value, dark=dark))
    else:
        picture = pictures_of(gallery, id_, dark=dark)
        write_picture(picture, gallery.locale.code, out)
        say(f"wrote {out}")
        wrong = _told(faults(picture, out.suffix.lower()))
    sys.exit(1 if problems else wrong)


def _told(faults: Iterable[str]) -> int:
    """Tell what is wrong with pictures; the exit code."""
    from dunerules.output import say

    found = list(faults)
    for text in found:
        say(text, error=True)
    return 1 if found else 0


def _position(
    file: Path,
    expansions: Sequence[str],
    seat: int | None,
    lang: str,
    style: Style,
    paths: Sequence[Path],
    *,
    dark: bool,
) -> Picture:
    """What a seat sees in a saved game."""
    from dunerules.game import load
    from dunerules.meant import packs_meant
    from dunerules.panels.drawn import position
    from dunerules.panels.present import present
    from dunerules.pictures.gallery import gallery_of
    from dunerules.problems import CannotRunError
    from dunerules.replays import read_replay, resume

    replay = read_replay(file)
    rules = load(*packs_meant(replay.locks, expansions), in_order=True, lang_path=paths)
    game = resume(rules, replay).game
    if seat is not None and not 0 <= seat <= game.seats:
        raise CannotRunError(f"there is no seat {seat}: they are numbered 1 to {game.seats}, and 0 sees everything")
    asked = game.question.seat if game.question is not None else 1
    panel = present(game, asked if seat is None else seat or None, lang)
    gallery, _ = gallery_of(rules.printer(lang).meanings, lang, style.value, paths)
    return position(panel, gallery, dark=dark)
