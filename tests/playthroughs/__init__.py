"""Golden playthroughs: seeded games with every decision, its options and every seat's view at the end of each round.

Whoever changes rules on purpose writes them anew, and reads the difference:

    python -m tests.playthroughs
"""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any

from dunerules.bots import RandomBot, bot_seed
from dunerules.game import Game, Rules
from tests.seen import options_of, seen

HERE = Path(__file__).resolve().parent
GAMES: dict[str, tuple[tuple[str, ...], int, int, int]] = {
    "one": (("base",), 1, 1, -2),
    "two": (("base",), 2, 2, -1),
    "three": (("base",), 3, 3, 0),
    "four": (("base",), 4, 4, -1),
    "betrayal": (("betrayal",), 6, 2, 0),
    "conquest": (("conquest",), 4, 3, 0),
    "conquest_two": (("conquest",), 2, 4, -1),
    "immortality": (("base", "immortality"), 3, 2, -1),
    "immortality_one": (("base", "immortality"), 1, 5, -1),
}
"""By file: the packs, the players, the seed, and which of the values of every option is chosen."""

ROUNDS = {"round", "action_round", "targeting_round", "game_round"}
"""Procedures at whose start every seat's view is shown."""


def playthrough(rules: Rules, players: int, seed: int, choice: int) -> str:
    """A whole game as text."""
    options = {name: values[choice] for name, (values, _) in rules.ruleset.options_for(players).items()}
    return "\n".join(_lines(rules, players, seed, options)) + "\n"


def _lines(rules: Rules, players: int, seed: int, options: dict[str, str]) -> Iterator[str]:
    game = rules.game(players=players, seed=seed, options=options, log=False)
    bots = [RandomBot(bot_seed(seed, seat)) for seat in range(players)]
    said = "".join(f", {name} {value}" for name, value in options.items())
    automated = f", {game.seats - players} of them automated" if game.seats > players else ""
    yield f"{game.seats} seats{automated}, seed {seed}{said}. Written by `python -m tests.playthroughs`."
    number, current = 0, None
    while (asked := game.state.pending) is not None:
        found = next((frame for frame in game.state.frames if frame.label in ROUNDS), None)
        if found is not current:
            current = found
            yield from _views(game)
        number += 1
        answer = bots[asked.seat].choose(game)
        yield from _decision(game, number, answer)
        game.answer(*answer)
    yield from _views(game)
    yield ""
    yield "won by " + ", ".join(f"seat {seat}" for seat in game.winners)
    for seat, points in game.standings():
        yield f"  seat {seat}: {' '.join(map(str, points))}"
    yield f"  {game.hash()}"


def _decision(game: Game, number: int, answer: tuple[int, ...]) -> Iterator[str]:
    question = game.question
    assert question is not None
    options = options_of(game)
    source = f" [{question.source}]" if question.source else ""
    count = "" if question.low == question.high == 1 else f" {question.low} to {question.high}"
    chosen = "; ".join(options[each] for each in answer) or "nothing"
    whose = f" for seat {question.acting}" if question.acting != question.seat else ""
    yield f"{number}. seat {question.seat}{whose} {question.kind}{count}{source}: {chosen}"
    if len(options) > 1:
        yield from textwrap.wrap(
            " | ".join(_grouped(options, game.machine.moves.by_name)),
            118,
            initial_indent="    ",
            subsequent_indent="    ",
        )


def _grouped(options: Sequence[str], moves: Container[str]) -> Iterator[str]:
    """Moves that begin alike, together: `send x {a, b} y` instead of twice the beginning."""
    groups: dict[str, list[str]] = {}
    for option in options:
        words = option.split(" ")
        start = " ".join(words[:2]) if words[0] in moves else option
        groups.setdefault(start, []).append(option)
    for start, same in groups.items():
        ends = [option.removeprefix(f"{start} ") for option in same]
        last = {end.rpartition(" ")[2] for end in ends}
        shared = f" {last.pop()}" if len(last) == 1 and all(" " in end for end in ends) else ""
        yield f"{start} {{{', '.join(end.removesuffix(shared) for end in ends)}}}{shared}" if len(same) > 1 else same[0]


def _views(game: Game) -> Iterator[str]:
    """What every seat sees: what all see alike once, then what each sees otherwise."""
    views = [_flat(seen(game, seat)) for seat in range(game.seats)]
    common = {key: value for key, value in views[0].items() if all(view.get(key) == value for view in views)}
    yield ""
    yield "---- everybody sees"
    yield from _wrapped(common)
    for seat, view in enumerate(views):
        yield f"---- seat {seat + 1} sees"
        yield from _wrapped({key: value for key, value in view.items() if key not in common})
    yield ""


def _flat(view: dict[str, Any]) -> dict[str, str]:
    """A view as lines: counters and pieces by name with one entry a seat, zones by name."""
    found: dict[str, str] = {}
    for section in ("counters", "pieces"):
        grouped: dict[str, list[str]] = {}
        for name, value in view[section].items():
            what, _, whose = name.partition(" of seat ")
            grouped.setdefault(what, []).append(f"{whose}: {value}" if whose else str(value))
        found |= {name: ", ".join(values) for name, values in grouped.items()}
    for name, pile in view["zones"].items():
        found[name] = str(pile) if isinstance(pile, int) else ", ".join(_counted(pile))
    return found


def _counted(pile: list[str]) -> Iterator[str]:
    """Equal neighbours of a pile as one entry."""
    run: list[str] = []
    for each in [*pile, ""]:
        if run and each != run[0]:
            yield run[0] if len(run) == 1 else f"{len(run)} {run[0]}"
            run = []
        run.append(each)


def _wrapped(lines: dict[str, str]) -> Iterator[str]:
    for name, value in lines.items():
        yield from textwrap.wrap(f"{name} = {value}", 118, initial_indent="  ", subsequent_indent="      ")
