"""`dunerules native`."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["run"]


def run(
    context: typer.Context,
    make: Annotated[bool, typer.Option("--compile", help="Compile a table ahead.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Give up all that was compiled.")] = False,
    game: Annotated[list[str] | None, typer.Option(help="A pack by id or path; by default the pack here.")] = None,
    expansion: Annotated[list[str] | None, typer.Option("--with", help="An expansion of it, by id or path.")] = None,
    players: Annotated[int | None, typer.Option(help="How many play; it may add automated seats.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as NAME=VALUE.")] = None,
) -> None:
    """Show what native code there is, compile a table ahead, or give all of it up.

    Games play the same with and without: native code is only faster. An option of the game is also a flag: --NAME
    VALUE. The exit code is 1 if a table cannot be compiled, or not be kept.
    """
    import sys

    from dunerules.native.compiler import Shelf, find_compiler
    from dunerules.output import say
    from dunerules.problems import CannotRunError

    shelf, compiler = Shelf.standard(), find_compiler()
    named = bool(game or expansion or option or context.args or players is not None)
    if clear and (make or named):
        raise CannotRunError("--clear gives up everything that was compiled, and goes with nothing else")
    if named and not make:
        raise CannotRunError("a game is named, and nothing is to be done with it; --compile compiles it")
    if clear:
        say(f"{shelf.clear()} libraries given up")
        return
    if make:
        sys.exit(0 if _compiled(context, game or [], expansion or [], players, option or []) else 1)
    kept = shelf.kept()
    say(f"compiler: {compiler.version if compiler is not None else 'none; Python plays'}")
    say(f"libraries: {len(kept)}, {shelf.size() / 1_000_000:.1f} MB, in {shelf.directory}")


def _compiled(
    context: typer.Context, game: list[str], expansion: list[str], players: int | None, option: list[str]
) -> bool:
    from time import perf_counter

    from dunerules.cli.running import flags_of
    from dunerules.game import load
    from dunerules.meant import packs_meant
    from dunerules.native.compiler import Shelf
    from dunerules.native_games import chosen_library
    from dunerules.output import say

    rules = load(*packs_meant(game, expansion), in_order=True)
    options = flags_of(context).options(rules.ruleset.options, option)
    playing = rules.most_players if players is None else players
    began = perf_counter()
    found = chosen_library(rules, playing, options, "native", 0, lambda reason: say(reason, error=True))
    if found is None:
        return False
    if not (shelf := Shelf.standard()).kept():
        say(f"it was compiled, and cannot be kept in {shelf.directory}", error=True)
        return False
    say(f"ready after {perf_counter() - began:.1f} s")
    return True
