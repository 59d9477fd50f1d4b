"""Which packs a command that plays or prints is about: those that are named, or the one around here."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from dunerules.output import say
from dunerules.packs.library import Library, Selection, packs_around, refuse_languages
from dunerules.packs.pack import Pack
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError
from dunerules.resources import is_installed

__all__ = ["packs_meant"]

_USUAL = "base"
"""The game that is meant where nothing says which."""


def packs_meant(games: Iterable[str], expansions: Iterable[str] = ()) -> tuple[str, ...]:
    """The folders of packs by id or path, and of all they require. Without a game the pack here is meant too.

    An id is that of a pack here before it is that of an installed one, and then it is said. Packs that both change
    something do so in the order in which they are named, and that is said too: load them `in_order`. A language pack
    stands for the packs it speaks for.
    """
    around = packs_around(Path.cwd())
    library = Library.of(around)
    named, more = ([_one(each, library) for each in names] for names in (games, expansions))
    here = _spoken_for([library.add(root) for root in around], library)
    if not named and (len(here) == 1 or not any(map(_is_game, library.select_all(more).packs))):
        named = [_here(here, library)]
    by_path = {_folder(each) for each in (*games, *expansions) if _is_path(each)}
    found = dict.fromkeys((*library.select_all([*named, *more]).packs, *named, *more))
    for pack in found:
        hidden = library.hidden.get(pack.id)
        if hidden is not None and is_installed(hidden.root) and pack.root not in by_path:
            say(f"`{pack.id}` is the pack in {shown_path(pack.root)}, not the installed one", error=True)
    if len(named) + len(more) > 1:
        _say_order(library.select_all([*found], in_order=True))
    return tuple(str(pack.root) for pack in found)


def _spoken_for(around: list[Pack], library: Library) -> list[Pack]:
    """The packs around here that games are made of; if all bring languages, those they bring them for."""
    games = [pack for pack in around if not pack.languages]
    return games or [*dict.fromkeys(each for pack in around for each in library.spoken_for(pack).packs)]


def _say_order(selection: Selection) -> None:
    """Tell what the order of the packs decides: nobody shall wonder why a patch has come to nothing."""
    from dunerules.understanding.understand import understand  # the language is loaded only where packs could clash

    for pack, other, found in understand(selection).content.ordered:
        say(f"`{pack}` has the last word, because it is named after `{other}`: {found.message}", error=True)


def _one(name: str, library: Library) -> Pack:
    """A pack by id or path."""
    folder = _folder(name)
    if not (folder / "pack.yaml").is_file():
        if _is_path(name):
            raise CannotRunError(f"there is no pack in `{name}`: no pack.yaml in it")
        found = library.named(name)
        refuse_languages(found)
        return found
    known = None if _is_path(name) else library.packs.get(name)
    pack = library.add(folder)
    if known is not None and known is not pack:
        where = f"the pack in {shown_path(known.root)}, and a folder here with another one"
        raise CannotRunError(f"`{name}` is {where}; write the path of the one that is meant, such as `./{name}`")
    refuse_languages(pack)
    return pack


def _is_path(name: str) -> bool:
    return "/" in name or os.sep in name or name in {".", ".."}


def _folder(name: str) -> Path:
    return Path(os.path.abspath(name))


def _here(around: list[Pack], library: Library) -> Pack:
    """The pack that is meant by being here: the only one, or the only game; or else the usual game."""
    games = [pack for pack in around if _is_game(pack)]
    for found in (around, games, [pack for pack in games if pack.id == _USUAL]):
        if len(found) == 1:
            return found[0]
    if around:
        names = ", ".join(pack.id for pack in games or around)
        raise CannotRunError(f"there are several packs here: {names}; name the one that is meant by --game")
    return library.named(_USUAL)


def _is_game(pack: Pack) -> bool:
    return any(file.kind == "game" for file in pack.files)
