"""`dunerules sim`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["run"]

MOST_GAMES = 1_000_000_000
MOST_JOBS = 1024


def run(
    context: typer.Context,
    game: Annotated[list[str] | None, typer.Option(help="A pack by id or path; by default the pack here.")] = None,
    expansion: Annotated[list[str] | None, typer.Option("--with", help="An expansion of it, by id or path.")] = None,
    players: Annotated[
        int | None, typer.Option(help="How many play, as many as the game allows; it may add automated seats.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal games.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, max=MOST_JOBS, help="How many processes play.")] = 1,
    bot: Annotated[list[str] | None, typer.Option(help="random or simple; several are dealt to the seats.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as NAME=VALUE.")] = None,
    backend: Annotated[str, typer.Option(help="auto, python or native: what plays. The games are the same.")] = "auto",
    out: Annotated[
        Path | None, typer.Option(help="A line of JSON a game; a file that was cut off is gone on with.")
    ] = None,
) -> None:
    """Let bots play many games, and sum up who won.

    The same seed gives the same file byte for byte, whatever --jobs. Progress goes to standard error. Ctrl-C leaves a
    file that the same command goes on with. The exit code is 1 if a game ended by an error of its rules.

    Native code plays many games where a C compiler is at hand and it pays.
    An option of the game is also a flag: --NAME VALUE.
    """
    from dunerules.bots import make_bot
    from dunerules.cli.running import flags_of
    from dunerules.files import refuse_special
    from dunerules.game import load
    from dunerules.garbage import uncollected
    from dunerules.holding import hold
    from dunerules.meant import packs_meant
    from dunerules.native.backend import backend_named
    from dunerules.output import progress_of, say
    from dunerules.results import adding
    from dunerules.simulation import RESULTS, Plan, batches, fingerprint
    from dunerules.summary import Summary
    from dunerules.tables import table_of

    if out is not None:
        refuse_special(out)
    chosen = backend_named(backend)
    packs = packs_meant(game or (), expansion or ())
    for name in bot or ():
        make_bot(name, 0)
    rules = uncollected(load)(*packs, in_order=True)
    options = flags_of(context).options(rules.ruleset.options, option or ())
    playing = rules.most_players if players is None else players
    plan = Plan(packs, playing, games, seed, tuple(bot or ["random"]), options)
    seats, automated = table_of(rules.ruleset, plan.players)
    rules.machine(seats, options, automated)
    summary = Summary()

    def play(start: int, keep: Callable[[bytes], None]) -> None:
        tell = progress_of(games, "games", start)
        for batch in batches(rules, plan, jobs, start, chosen, lambda reason: say(reason, error=True)):
            keep(batch.text)
            summary.include(batch.summary)
            tell(summary.games)

    try:
        if out is None:
            play(0, lambda _: None)
        else:
            with hold(out):
                before = RESULTS.resume(out, fingerprint(rules, plan))
                for line in before[:games]:
                    summary.add(line)
                if before:
                    say(f"{out}: going on after {len(before)} games", error=True)
                with adding(out) as add:
                    play(len(before), add)
    except KeyboardInterrupt:
        goes_on = f"; the same command goes on with {out}" if out is not None else ""
        say(f"stopped after {summary.games} of {games} games{goes_on}", error=True)
        sys.exit(130)
    say(*summary.lines())
    sys.exit(1 if summary.errors else 0)
