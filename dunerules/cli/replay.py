"""`dunerules replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["run"]


def run(
    file: Annotated[Path, typer.Argument(help="The replay.")],
    verify: Annotated[bool, typer.Option("--verify", help="Play it again and compare the fingerprints.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Let bots play a new game and write FILE.")] = False,
    game: Annotated[
        list[str] | None, typer.Option(help="A pack by id or path, when it is neither here nor installed.")
    ] = None,
    expansion: Annotated[list[str] | None, typer.Option("--with", help="An expansion of it, by id or path.")] = None,
    players: Annotated[
        int | None, typer.Option(help="With --record: how many play, as many as the game allows.")
    ] = None,
    seed: Annotated[int, typer.Option(help="With --record: the seed.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(help="With --record: an option of the game, as NAME=VALUE.")
    ] = None,
    bot: Annotated[str, typer.Option(help="With --record: who plays, random or simple.")] = "random",
) -> None:
    """Show a recorded game decision by decision, or play it again and compare.

    The exit code is 0 if all is equal, 1 if the game has become another one, and 2 if the file cannot be used: damaged,
    cut off, edited, or made with other packs or another version.
    """
    from dunerules.game import GameError, IllegalAnswerError, load_rules
    from dunerules.holding import hold
    from dunerules.meant import packs_meant
    from dunerules.output import say
    from dunerules.problems import CannotRunError
    from dunerules.replays import read_replay, start_again, write_replay
    from dunerules.replays import verify as first_difference
    from dunerules.simulation import recorded

    if record:
        options = dict(each.partition("=")[::2] for each in option or ())
        rules = load_rules(*packs_meant(game or (), expansion or ()))
        replay = recorded(rules, rules.most_players if players is None else players, seed, bot, options=options)
        with hold(file):
            write_replay(file, replay)
        say(f"{file}: {len(replay.answers)} decisions")
        return
    replay = read_replay(file)
    rules = load_rules(*packs_meant(game or replay.locks, expansion or ()))
    if verify:
        found = first_difference(rules, replay)
        if found is not None:
            say(f"{file}: {found}", f"  {found.question}")
            sys.exit(1)
        say(f"{file}: {len(replay.answers)} decisions, all as recorded")
        return
    again = start_again(rules, replay)
    for number, (seat, *answer) in enumerate(replay.answers, 1):
        question = next((each for each in again.questions if each.seat == seat), None)
        chosen = [question.options[each] for each in answer if each < len(question.options)] if question else []
        try:
            again.answer(*answer, seat=seat)
        except IllegalAnswerError:
            say(f"{file}: the game has become another one here; see --verify")
            sys.exit(1)
        except GameError as error:
            raise CannotRunError(f"{file}: after {number - 1} answers: {error}") from None
        say(f"{number:5}  seat {seat + 1}  {', '.join(chosen) or 'nothing'}")
    if again.over:
        rows = ", ".join(f"seat {seat + 1}: {points[0]}" for seat, points in again.standings())
        say(f"won by {', '.join(f'seat {seat + 1}' for seat in again.winners)} ({rows})")
