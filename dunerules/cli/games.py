"""`dunerules games`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dunerules.cli.running import LangPath

if TYPE_CHECKING:
    from dunerules.language.extract import Collection
    from dunerules.packs.library import Library
    from dunerules.packs.nodes import Node

__all__ = ["run"]


@dataclass(frozen=True)
class _Pack:
    """A game or an expansion, as it is listed; languages with the part of its texts that players can read."""

    id: str
    version: str
    title: str
    languages: dict[str, int]


@dataclass(frozen=True)
class _Game(_Pack):
    """A game: for how many players, for which of these with automated seats, and with which expansions."""

    players: tuple[int, ...]
    automated: dict[int, int]
    expansions: tuple[_Pack, ...]


def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="More packs, or directories of packs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang_path: LangPath = None,
) -> None:
    """List the games that are installed or here: players, expansions, and how complete each language is.

    The percentages are those of `dunerules i18n status`; languages of language packs are among them. What is named is
    listed instead of what is here.
    """
    from dunerules.output import say, say_json

    games = _games(paths or [], lang_path or [])
    if as_json:
        say_json([asdict(game) for game in games])
    else:
        say(*_table(games))
        if any(game.automated for game in games):
            say("* with automated seats")


def _games(paths: list[Path], lang_path: list[Path]) -> list[_Game]:
    """The games among the installed packs and some more, each with the packs that need it."""
    from dunerules.language.extract import collections
    from dunerules.packs.library import Library, Selection, packs_below
    from dunerules.packs.targets import find_targets
    from dunerules.patching.merge import merge
    from dunerules.resources import content_directory

    here = [target.root for target in find_targets(paths)]
    hidden = {pack.root for pack in Library.of(here).hidden.values()}
    roots = dict.fromkeys([*here, *(root for root in packs_below(content_directory()) if root not in hidden)])
    library = Library.of(roots)
    packs = [pack for pack in map(library.add, roots) if not pack.languages]
    texts = [each for each in collections(packs, library) if each.packs]
    percents = _translated(texts, library, lang_path)
    listed = {}
    for each in texts:
        pack = library.packs[each.name]
        listed[pack.id] = _Pack(pack.id, pack.version, pack.title, percents[pack.id])
    needs = {each.name: {pack.id for pack in each.packs} - {each.name} for each in texts}
    found = []
    for each in texts:
        game = merge(Selection(each.packs))[0].game
        if game is not None and game.source.pack == each.name:
            expansions = tuple(listed[name] for name, needed in needs.items() if each.name in needed)
            found.append(_Game(**vars(listed[each.name]), **_players(game), expansions=expansions))
    return found


def _translated(texts: list[Collection], library: Library, lang_path: list[Path]) -> dict[str, dict[str, int]]:
    """By pack and language: how much of the texts players can read. Nobody counts what two language packs bring."""
    from dunerules.language.extract import collections
    from dunerules.language.language_packs import find_language_packs
    from dunerules.language.places import PROGRAM, languages
    from dunerules.output import say
    from dunerules.translations.status import progress, total

    brought = find_language_packs([library.packs[each.name] for each in texts], lang_path)
    more = [each for each in collections([*brought], library) if each.name != PROGRAM]
    found: dict[str, dict[str, int]] = {each.name: {} for each in texts}
    for each in [*texts, *(each for each in more if each.name in found)]:
        codes = languages(each.root) if each.brought_by is None else [*each.languages]
        counted = progress([each], codes).rows
        for code in codes:
            if code in found[each.name]:
                say(f"`{code}` for `{each.name}` is brought twice; see `dunerules check` of language packs", error=True)
            found[each.name].setdefault(code, total(counted, code, each.name).percent)
    return {name: dict(sorted(codes.items())) for name, codes in found.items()}


def _players(game: Node) -> dict[str, Any]:
    """For how many players a game is, and how many automated seats there are with which of these numbers."""
    from dunerules.packs.nodes import plain

    data = plain(game)
    seats = data.get("seats", {})
    usual = range(seats["min"], seats["max"] + 1) if {"min", "max"} <= seats.keys() else range(0)
    automated = {table["players"]: table["automated"] for table in data.get("tables", ()) if "automated" in table}
    return {"players": tuple(sorted({*usual, *automated})), "automated": automated}


# ---- for people


def _table(games: list[_Game]) -> list[str]:
    """A row for each game, and under it one for each of its expansions."""
    lines = [("game", "version", "title", "players", "languages")]
    for game in games:
        lines.append((game.id, game.version, game.title, _numbers(game), _percents(game)))
        lines += [(f"+ {each.id}", each.version, each.title, "", _percents(each)) for each in game.expansions]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _numbers(game: _Game) -> str:
    """Numbers of players; a star for those at whose table automated seats play too."""
    return ", ".join(f"{number}*" if number in game.automated else str(number) for number in game.players)


def _percents(pack: _Pack) -> str:
    return ", ".join(f"{code} {percent} %" for code, percent in pack.languages.items()) or "-"
