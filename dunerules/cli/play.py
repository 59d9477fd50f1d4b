"""`dunerules play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dunerules.cli.running import LangPath

__all__ = ["run"]


def run(
    context: typer.Context,
    game: Annotated[str, typer.Option(help="The game: a pack by id or path; by default the pack here.")] = "",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="An expansion by id or path; may be repeated.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many seats; as many as the game allows.")] = None,
    seats: Annotated[
        str, typer.Option(help="Who plays, in order: human, bot (or simple), random. The rest are bots.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Equal seeds give equal games.")] = None,
    lang: Annotated[str, typer.Option(help="The language: the name of a folder of locales.")] = "en",
    lang_path: LangPath = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as NAME=VALUE.")] = None,
    save: Annotated[Path | None, typer.Option(help="Where the game is kept after every answer.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a saved game.")] = None,
    accept_edited: Annotated[
        bool, typer.Option("--accept-edited", help="With --resume: go on with a save that somebody has edited.")
    ] = False,
    hold: Annotated[
        list[str] | None,
        typer.Option(help="What a seat holds from the start: `coin`, `coin in hand` or `coin in hand of seat 2`."),
    ] = None,
    ask_all: Annotated[
        bool, typer.Option("--ask-all", help="Ask people also where every answer leads to the same game.")
    ] = False,
    backend: Annotated[
        str, typer.Option(help="auto, python or native: what runs the game. It is the same game.")
    ] = "auto",
) -> None:
    """Play a game in the terminal: one person against bots, or several people at one screen.

    Answers are numbers or names; `?` lists what else can be typed. The game is kept after every answer, so it can be
    left at any time, also by closing the terminal, and gone on with by --resume. It also works in a pipe: plain lines
    of at most 80 columns, answers from standard input.

    An option of the game is also a flag: --NAME VALUE.
    """
    from dunerules.cli.running import flags_of
    from dunerules.native.choice import backend_named
    from dunerules.play.opening import Wanted, open_session

    flags = flags_of(context)
    wanted = Wanted(
        game=game,
        expansions=tuple(with_ or ()),
        players=players,
        seats=seats,
        seed=seed,
        language=lang,
        lang_path=tuple(lang_path or ()),
        options=tuple(option or ()),
        save=save,
        resume=resume,
        accept_edited=accept_edited,
        ask_all=ask_all,
        held=tuple(hold or ()),
        backend=backend_named(backend),
        flags=flags,
    )
    open_session(wanted).run()
