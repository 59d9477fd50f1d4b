"""`dunerules replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.cli.running import LangPath

if TYPE_CHECKING:
    from dunerules.game import Rules
    from dunerules.replays import Replay

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
    lang: Annotated[str, typer.Option(help="The language in which the game is told.")] = "en",
    lang_path: LangPath = None,
) -> None:
    """Tell a recorded game decision by decision, or play it again and compare.

    The exit code is 0 if all is equal, 1 if the game has become another one, and 2 if the file cannot be used: damaged,
    cut off, edited, or made with other packs or another version.
    """
    from dunerules.flags import Flags
    from dunerules.game import load
    from dunerules.holding import hold
    from dunerules.meant import packs_meant
    from dunerules.output import say
    from dunerules.replays import read_replay, write_replay
    from dunerules.replays import verify as first_difference
    from dunerules.simulation import recorded

    if record:
        rules = load(*packs_meant(game or (), expansion or ()), in_order=True)
        options = Flags().options(rules.ruleset.options, option or ())
        replay = recorded(rules, rules.most_players if players is None else players, seed, bot, options=options)
        with hold(file):
            write_replay(file, replay)
        say(f"{file}: {len(replay.answers)} decisions")
        return
    replay = read_replay(file)
    rules = load(*packs_meant(game or replay.locks, expansion or ()), in_order=True, lang_path=lang_path or ())
    if verify:
        found = first_difference(rules, replay)
        if found is not None:
            say(f"{file}: {found}", f"  {found.question}")
            sys.exit(1)
        say(f"{file}: {len(replay.answers)} decisions, all as recorded")
        return
    _tell(file, rules, replay, lang)


def _tell(file: Path, rules: Rules, replay: Replay, lang: str) -> None:
    """The whole game in sentences, decision by decision, as far as all could see it."""
    from dunerules.chronicle import Chronicle
    from dunerules.output import say
    from dunerules.problems import CannotRunError
    from dunerules.questions import IllegalAnswerError
    from dunerules.replays import start_again
    from dunerules.runtime.state import GameError
    from dunerules.speech.events import event
    from dunerules.speech.questions import standings
    from dunerules.speech.speaker import seat_name

    again = start_again(rules, replay, log=True)
    speaker = again.speaker(lang, -1)
    chronicle = Chronicle(again)

    def told(start: int) -> list[str]:
        found = (event(speaker, each) for each in chronicle.seen(-1, start))
        return [f"       {line}" for line in found if line]

    say(*told(0))
    for number, (seat, *answer) in enumerate(replay.answers, 1):
        start = len(chronicle.entries)
        try:
            chronicle.follow(seat, answer)
        except IllegalAnswerError:
            say(f"{file}: the game has become another one here; see --verify")
            sys.exit(1)
        except GameError as error:
            raise CannotRunError(f"{file}: after {number - 1} answers: {error}") from None
        say(f"{number:5}  {seat_name(speaker, seat)}", *told(start))
    if again.over:
        titles, rows = standings(speaker)
        say("  ".join(titles).strip(), *("  ".join(row) for _, row in rows))
