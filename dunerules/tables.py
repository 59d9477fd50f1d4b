"""Tables to play at: how many can play, at how many seats, and with which options of the game."""

from __future__ import annotations

from collections.abc import Mapping

from dunerules.problems import CannotRunError
from dunerules.records import meant
from dunerules.understanding.ruleset import Ruleset

__all__ = ["options_at", "players_of", "table_of"]


def players_of(rules: Ruleset) -> tuple[int, ...]:
    """How many can play, with automated seats or without."""
    low, high = rules.seats
    return tuple(sorted({*rules.tables, *range(low, high + 1)}))


def table_of(rules: Ruleset, players: int) -> tuple[int, int]:
    """The table for a number of players: its seats, and how many of them are automated."""
    low, high = rules.seats
    if low <= players <= high:
        return players, 0
    if players not in rules.tables:
        raise CannotRunError(f"this game is for {', '.join(map(str, players_of(rules)))} players, not {players}")
    return rules.tables[players]


def options_at(rules: Ruleset, seats: int, automated: int, options: Mapping[str, str]) -> dict[str, str]:
    """Every option of a game at a table, chosen or not. Tables and options that there are not are refused."""
    low, high = rules.seats
    players = seats - automated
    if automated and rules.tables.get(players) != (seats, automated):
        raise CannotRunError(f"this game has no table of {seats} seats with {automated} of them automated")
    if not automated and not low <= seats <= high:
        raise CannotRunError(f"this game is for {low} to {high} seats, not {seats}")
    chosen = {name: default for name, (_, default) in rules.options.items()}
    for name, value in options.items():
        if name not in chosen:
            near = meant(name, chosen)
            raise CannotRunError(f"there is no option `{name}`; there are {', '.join(chosen) or 'none'}{near}")
        if value not in rules.options[name][0]:
            raise CannotRunError(f"option `{name}` is one of {', '.join(rules.options[name][0])}, not `{value}`")
        meant_for = rules.option_players.get(name, (players,))
        if players not in meant_for and value != chosen[name]:
            raise CannotRunError(f"option `{name}` is for games of {', '.join(map(str, meant_for))}, not of {players}")
        chosen[name] = value
    return chosen
